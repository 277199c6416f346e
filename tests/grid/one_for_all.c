// One iteration writes what all others read, and they what it reads.
// test: -i n=600 -i steps=6 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void one_for_all(int n, int steps, int x[n], int chosen[1]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i == n - 1 - t) chosen[0] = x[i] + x[(i + 301) % n];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 3 + chosen[0] * (i + 1)) % 1009;
    }
}
