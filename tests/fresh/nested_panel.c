// The largest of what a matrix has at places that are loaded and always the same: tiles go beyond the rows that exist.
// test: -i n=130 -i m=20 -i a=uniform:lo=-9,hi=10,seed=1 -i b=uniform:lo=-9,hi=10,seed=2
// check: exact
void nested_panel(int n, int m, const int a[n][m], const int b[m][m], int c[n][m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int most = 1;
            for (int k = 0; k < m; k++)
                most = most > a[i][k + (a[i][k] & 1) / 2] ? most : b[k][j];
            c[i][j] = most;
        }
}
