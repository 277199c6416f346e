// Rows of which several loops write the same elements, or lane 0 writes what other lanes read before: the order of C counts.
// test: -i n=5 -i m=166 -i a=uniform:lo=0,hi=50,seed=1 -i from=uniform:lo=0,hi=8,seed=2 -i x=uniform:lo=0,hi=50,seed=3
// check: exact
void lanes_turns(int n, int m, const int a[n][m], const int from[80], int x[n][m], int later[n][m], int shifted[n][m],
                 int at[n][m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            later[i][j] = j;
        for (int j = 1; j < m - 1; j++)
            later[i][j] = a[i][j + 1] + a[i][j];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int l = 0; l < 80; l++) {
            int first = from[l];
#pragma omp simd
            for (int j = first; j < m; j++)
                shifted[i][j] = j * 3 + l;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int j = 0; j < m; j++)
            at[i][j] = j;
        at[i][from[i] + 77] = -7;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int least = x[i][0];
        for (int j = 0; j < m; j++)
            least = x[i][j] < least ? x[i][j] : least;
#pragma omp simd
        for (int j = 0; j < m; j++)
            at[i][j] += x[i][j] - least;
        for (int j = 1; j < m; j++)
            x[i][j] += x[i][j - 1];
    }
}
