// Sums that all workgroups add to, read by everybody behind the barrier: on a device that does not wait for an update nobody takes
// the old value of, they come out wrong without a fence.
// run: -i n=65536 -i steps=200 -i x=uniform:lo=0,hi=1000000,seed=36
// test: -i n=3000 -i steps=6 -i x=uniform:lo=0,hi=1000000,seed=36
// check: exact
// dispatches: 1
// barriers: 2 a step
void atomic_sums(int n, int steps, const int x[n], int sums[16], unsigned bits[16], int seen[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            sums[x[i] % 16] += x[i] % 7 + t % 3;
#pragma omp atomic
            bits[x[i] % 16] ^= (unsigned)x[i] * 2654435761u + (unsigned)t;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            seen[i] = (seen[i] * 3 + sums[(i + t) % 16]) % 100003 + (int)(bits[i % 16] >> 20);
    }
}
