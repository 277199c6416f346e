// A time loop around parallel loops, sequential code at entry level between them, a condition on scalars around a loop.
// test: -i n=30 -i steps=6 -i mode=1
// check: exact
void simulate(int n, int steps, int mode, int x[n], int v[n], int trace[steps]) {
    int energy = 0;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            v[i] += (i * 7 + t) % 5 - 2;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] += v[i];
        if (mode == 1 && t % 2 == 0) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i] = x[i] / 2;
        }
        energy = energy * 3 + t;
        trace[t] = energy;
    }
}
