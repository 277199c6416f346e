// Numbers sorted by a network, with the place that each came from: rounds inside of rounds, whose number grows.
//
// test: -i bits=9 -i key=uniform:lo=0,hi=100,seed=1
// check: exact
void bitonic_rounds(int bits, int key[1 << bits], int from[1 << bits]) {
    int n = 1 << bits;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        from[i] = i;
    for (int size = 2; size <= n; size *= 2) {
        for (int gap = size >> 1; gap >= 1; gap >>= 1) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int j = i ^ gap;
                if (j < i) continue;
                int up = !(i & size), a = key[i], b = key[j], p = from[i], q = from[j];
                int later = a > b || (a == b && p > q);
                if (later == up) {
                    key[i] = b;
                    key[j] = a;
                    from[i] = q;
                    from[j] = p;
                }
            }
        }
    }
}
