// Local arrays whose size is a scalar of the entry or an expression of it; sizeof of them.
// test: -i n=24 -i m=6
// check: exact
void sizes(int n, int m, int out[n][2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int x[m], y[m / 2 + 1][2];
        for (int k = 0; k < m; k++)
            x[k] = i + k;
        for (int k = 0; k < m / 2 + 1; k++) {
            y[k][0] = k;
            y[k][1] = x[k];
        }
        out[i][0] = x[m - 1] + y[m / 2][1];
        out[i][1] = (int)(sizeof x / sizeof x[0]);
    }
}
