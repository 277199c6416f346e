// Loops that lanes share begin where data say, by operators that bind weaker than the addition of a lane's number.
// test: -i n=5 -i m=149 -i a=uniform:lo=0,hi=50,seed=1 -i from=uniform:lo=0,hi=99,seed=2
// check: exact
void lanes_start(int n, int m, const int a[n][m], const int from[3], int x[n][m], int y[n][m], int sum[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = from[0] & 3; j < m; j += 2)
            x[i][j] = a[i][j] + i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int j = m - 1 - ((from[1] & 6) | 1); j >= 0; j--)
            y[i][j] = a[i][j] - i;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = (from[2] & 3) ^ 1; j < m; j++)
            s += a[i][j];
        sum[i] = s;
    }
}
