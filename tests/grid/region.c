// Worksharing loops in one parallel region, with `nowait` where nothing waits, a barrier and a single.
// test: -i n=400 -i steps=5 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a step
void region(int n, int steps, int x[n], int y[n], int z[n], int tally[steps]) {
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            y[i] = x[i] * 3 + t;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            z[i] = x[(i + 300) % n];
#pragma omp barrier
#pragma omp single
        tally[t] = y[n - 1] + z[0];
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] = (y[(i + 310) % n] + z[n - 1 - i] + tally[t]) % 1009;
    }
}
