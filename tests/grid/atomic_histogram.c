// Atomic additions in one loop, read in the next, cleared in the third.
// test: -i n=700 -i bins=300 -i steps=5 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a step
void atomic_histogram(int n, int bins, int steps, int x[n], int count[bins]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            count[x[i] % bins] += 1 + t;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 3 + count[(i + t) % bins] * 41) % 10007;
#pragma omp parallel for
        for (int b = 0; b < bins; b++)
            count[b] = b % 2;
    }
}
