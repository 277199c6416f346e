// transposed.c - a matrix beside its transpose, heads of a batch put first, and what a column adds to its neighbours.
//
// test: -i n=24 -i m=40 -i a=uniform:lo=-9,hi=9,seed=1 -i h=uniform:lo=-9,hi=9,seed=2
// with --portable: -i n=256 -i m=320 -i a=uniform:lo=-9,hi=9,seed=1 -i h=uniform:lo=-9,hi=9,seed=2
// check: exact
// dispatches: 1
void transposed(int n, int m, const int a[n][m], int t[m][n], int sum[n][n], const int h[8][n][m], int heads[8][m][n],
                int down[n][m]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[j][i] = a[i][j] * 2 - j;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum[i][j] = a[i][j] + a[j][i];
#pragma omp parallel for collapse(3)
    for (int b = 0; b < 8; b++)
        for (int s = 0; s < n; s++)
            for (int k = 0; k < m; k++)
                heads[b][k][s] = h[b][s][k] > 4 ? h[b][s][k] : -k;
#pragma omp parallel for collapse(2)
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n; i++)
            down[i][j] = t[j][i] + a[i][j - 1];
}
