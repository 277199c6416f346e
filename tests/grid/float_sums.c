// Floats that all workgroups add to, take from and exchange, and that other phases load and store. All are whole numbers, so that the
// order does not matter: each sum is exact, by atomics of floats where the device has them, and else by exchanging bits.
// run: -i n=65536 -i m=20000 -i steps=200 -i at=uniform:lo=0,hi=20000,seed=41
// test: -i n=3000 -i m=2000 -i steps=6 -i at=uniform:lo=0,hi=2000,seed=41
// check: exact
// dispatches: 1
// barriers: 3 a step
void float_sums(int n, int m, int steps, const int at[n], float sums[m], float turns[n], float few[3], float seen[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float before;
#pragma omp atomic
            sums[at[i]] += (float)(at[i] % 7 + t % 3);
#pragma omp atomic
            sums[(at[i] + i) % m] -= 2.0f;
#pragma omp atomic capture
            {
                before = turns[i];
                turns[i] += 1.0f;
            }
#pragma omp atomic
            few[i % 3] += before;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float swapped;
#pragma omp atomic capture
            {
                swapped = turns[n - 1 - i];
                turns[n - 1 - i] = (float)(t % 5);
            }
            seen[i] = sums[(i + t) % m] + 2.0f * swapped + few[i % 3] - (float)(n / 3 * t) + (seen[i] > 1000.0f ? 1.0f : 0.0f);
        }
#pragma omp parallel for
        for (int i = 0; i < m; i++)
            sums[i] = sums[i] > 50.0f ? sums[i] - 50.0f : sums[i];
    }
}
