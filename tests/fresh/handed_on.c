// Products of one row after the other, with a variable between them that only some rows set anew.
// run: -i n=512 -i a=uniform:lo=-4,hi=5,seed=1 -i b=uniform:lo=-4,hi=5,seed=2
// test: -i n=64 -i a=uniform:lo=-4,hi=5,seed=1 -i b=uniform:lo=-4,hi=5,seed=2
// check: exact
// dispatches: 1
void handed_on(int n, const int a[n][n], const int b[n][n], int c[n][n], int d[n][n], int last[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int most = 0;
        for (int j = 0; j < n; j++)
            most = most > a[i][j] * b[j][j] ? most : a[i][j] * b[j][j];
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum + most;
        }
        if (c[i][0] > 0) most = c[i][1];
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += c[i][k] * b[k][j];
            d[i][j] = sum + most;
        }
        last[i] = most;
    }
}
