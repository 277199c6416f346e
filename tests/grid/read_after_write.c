// Each step reads what others wrote in the step before, a row a step: nothing is overwritten.
// test: -i n=600 -i steps=7 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step
void read_after_write(int n, int steps, unsigned x[steps + 1][n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[t + 1][i] = x[t][(i + 300) % n] * 3u + x[t][i] + (unsigned)t;
    }
}
