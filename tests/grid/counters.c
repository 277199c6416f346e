// Counts of a few kinds, in copies that each workgroup has in its memory: cleared, counted, read, step by step. The
// counts of a step go to another array, so that the next step can clear them.
// run: -i n=262144 -i kinds=144 -i steps=20 -i x=uniform:lo=0,hi=10000,seed=1
// test: -i n=9000 -i kinds=12 -i steps=5 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a step
void counters(int n, int kinds, int steps, int x[n], int count[kinds], int out[steps][kinds]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int k = 0; k < kinds; k++)
            count[k] = k * t;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            count[x[i] % kinds] += 1 + i % 3;
        }
#pragma omp parallel for
        for (int k = 0; k < kinds; k++)
            out[t][k] = count[k];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 7 + count[i % kinds]) % 10007;
    }
}
