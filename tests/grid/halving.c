// A tree of sums: half as many iterations each time, by a shared variable that sequential code halves, then by one that a loop shifts.
// test: -i n=1024 -i x=uniform:lo=0,hi=1000,seed=7 -i out=const:0
// check: exact
// dispatches: 1
void halving(int n, int x[n], int out[n]) {
    int half = n / 2;
    while (half > 0) {
#pragma omp parallel for
        for (int i = 0; i < half; i++)
            x[i] += x[i + half];
        half /= 2;
    }
    for (int level = 0; (1 << level) <= n; level++) {
#pragma omp parallel for
        for (int i = 0; i < 1 << level; i++)
            out[i] = out[i] * 3 + x[0] + level;
    }
    for (unsigned len = (unsigned)n; len > 0; len >>= 1) {
#pragma omp parallel for
        for (unsigned i = len / 2; i < len; i++)
            out[i] += out[len - 1 - i] % 7;
    }
}
