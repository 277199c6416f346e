// A loop that counts down, with a phase that needs the row above and one that changes it.
// test: -i n=300 -i steps=8 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step
void backwards(int n, int steps, int x[steps][n]) {
    for (int t = steps - 2; t >= 0; t--) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[t][i] = (x[t][i] * 3 + x[t + 1][n - 1 - i] + x[t + 1][(i + 1) % n]) % 1009;
    }
}
