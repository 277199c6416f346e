// A loop around phases that is left in the middle of a pass.
// test: -i n=600 -i steps=40 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void break_out(int n, int steps, int x[n], int y[n], int left[1]) {
    int t;
    for (t = 0; t < steps; t++) {
        int least = 5000;
#pragma omp parallel for reduction(min : least)
        for (int i = 0; i < n; i++) {
            y[i] = (x[i] * 3 + x[(i + 300) % n]) % 1009;
            least = y[i] < least ? y[i] : least;
        }
        if (t > 3 && least == 0) break;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (y[i] + least) % 1013;
    }
    left[0] = t;
}
