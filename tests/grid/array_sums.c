// Reductions of arrays in a time loop: counts in copies of each workgroup, sums of floats in blocks with sums of their own. The
// sums are of quarters, so that the CPU's order comes to the same bits.
// run: -i n=262144 -i kinds=128 -i steps=20 -i x=uniform:lo=0,hi=10000,seed=1
// test: -i n=5000 -i kinds=6 -i steps=4 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void array_sums(int n, int kinds, int steps, int x[n], int count[kinds], float mass[kinds], float most[steps]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for reduction(+ : count[:kinds], mass[:kinds])
        for (int i = 0; i < n; i++) {
            int k = (x[i] + t) % kinds;
            count[k]++;
            mass[k] += (float)(x[i] % 8) * 0.25f;
        }
        for (int k = 0; k < kinds; k++)
            most[t] = most[t] < mass[k] ? mass[k] : most[t];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 5 + count[i % kinds]) % 10007;
    }
}
