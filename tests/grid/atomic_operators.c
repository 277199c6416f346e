// Two kinds of updates of one array: all of the first come before all of the second, although each of them could go on beside its own.
// test: -i n=700 -i steps=3 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a step
void atomic_operators(int n, int steps, const int x[n], unsigned word[16], int most[16]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            word[x[i] % 16] |= 1u << (x[i] + t) % 23;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            word[x[i] % 16] += (unsigned)i;
#pragma omp atomic compare
            most[x[i] % 16] = most[x[i] % 16] < i * 5 ? i * 5 : most[x[i] % 16];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            word[x[i] % 16] -= 3u;
#pragma omp atomic
            most[x[i] % 16] ^= i;
        }
    }
}
