// Sums of floats in places that all iterations add to, beside states of one iteration that lanes could have in
// registers: the blocks' own sums are made without atomics, so one lane makes an iteration.
//
// run: -i n=20 -i steps=20 -i x=uniform:lo=0,hi=9,seed=1
// test: -i n=20 -i steps=20 -i x=uniform:lo=0,hi=9,seed=1
// check: exact
// dispatches: 1
enum { K = 16 };
void carried_sums(int n, int steps, const int x[n][K], float sums[8], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float h[K], s = 0;
        for (int k = 0; k < K; k++)
            h[k] = 2 * x[i][k];
        for (int t = 0; t < steps; t++)
            for (int k = 0; k < K; k++) {
                h[k] += x[i][k]; // whole numbers: sums are the same in any order
#pragma omp atomic
                sums[k % 8] += h[k];
            }
        for (int k = 0; k < K; k++)
            s += h[k];
        y[i] = s;
    }
}
