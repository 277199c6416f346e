// Lanes of a subgroup keep what each of them stores in registers over a time loop, and store it behind it.
// test: -i n=6 -i m=8 -i steps=3 -i a=uniform:lo=0,hi=50,seed=3
// check: exact
void lanes_kept(int n, int m, int steps, const unsigned a[n][m], unsigned b[n][m]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            unsigned most = a[i][0];
            for (int j = 0; j < m; j++)
                most = a[i][j] > most ? a[i][j] : most;
#pragma omp simd
            for (int j = 0; j < m; j++)
                b[i][j] = a[i][j] - most + (unsigned)t;
        }
    }
}
