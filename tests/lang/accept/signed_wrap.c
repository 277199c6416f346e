// Signed integers wrap around, on the CPU too, where C compilers may take it that they never do.
// test: -i n=64 -i x=uniform:lo=2147483600,hi=2147483647,seed=1
// check: exact
void wrap(int n, const int x[n], int next[n], int twice[n], int steps[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        next[i] = x[i] + 20 > x[i];
        twice[i] = x[i] * 2 / 2;
        int count = 0;
        for (int k = x[i]; k > 0 && count < 100; k++)
            count++;
        steps[i] = count;
    }
}
