// bitonic_sort.c - numbers sorted by a network of comparisons.
//
// Source: K. E. Batcher, "Sorting networks and their applications", 1968.
//
// run: -i bits=18 -i key=uniform:lo=0,hi=1e9,seed=1
// test: -i bits=7 -i key=uniform:lo=0,hi=1e9,seed=1
// check: exact
// dispatches: 1
// barriers: 1 for three or four stages
void bitonic_sort(int bits, int key[1 << bits]) {
    int n = 1 << bits;
    for (int size = 2; size <= n; size *= 2)
        for (int gap = size / 2; gap > 0; gap /= 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int j = i ^ gap;
                if (j > i) {
                    int up = (i & size) == 0, a = key[i], b = key[j];
                    if ((a > b) == up) {
                        key[i] = b;
                        key[j] = a;
                    }
                }
            }
        }
}
