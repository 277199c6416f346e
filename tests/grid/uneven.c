// Iterations that take very different times, in more rounds than one: each round of the grid is dealt out the other way around than the one before. What an
// iteration wrote in one loop (own) its namesake reads in the next, on the same invocation, so that `own` is nobody else's.
// test: -i n=40000 -i steps=3 -i most=120
// check: exact
// dispatches: 1
// barriers: 2 a step
void uneven(int n, int steps, int most, int own[n], int length[n], int sum[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < n; i++) {
            unsigned value = (unsigned)(i + t) + 1u;
            int k = 0;
            while (k < most && value != 1u) {
                value = value % 2u ? 3u * value + 1u : value / 2u;
                k++;
            }
            length[i] = k + sum[i] % 3;
            own[i] += k;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            sum[i] += own[i] + length[n - 1 - i];
    }
}
