// Steps of a stencil on a plane that has no inside, between others that have one: loops without an iteration, in a loop
// that then does nothing.
//
// run: -i n=1025 -i m=2 -i x=uniform:lo=-9,hi=9,seed=1
// test: -i n=65 -i m=2 -i x=uniform:lo=-9,hi=9,seed=1
// check: exact
void no_inside(int n, int m, int x[n], int a[m][n], int b[m][n], int sums[m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[m - 1][i] = x[n - 1 - i];
    for (int t = 0; t < 17; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i + 1][j - 1] + a[i][j] % 7;
#pragma omp parallel for collapse(2)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < m - 1; i++)
                a[i][j] = b[i][j];
    }
    int sum = 3, last = x[0];
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = x[1] & 7; i < n; i++)
        for (int j = m; j < 2; j++)
            sum += a[j][i % n] + i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += a[m - 1][i] + sum;
    sums[0] = sum + last;
    sums[1] = x[n - 1];
}
