// One dimension more than an array can have.
// test: -i n=2
// error: 4:21: 'x' has 9 dimensions, and a parameter can have 8 at most; make two of them one, as x[n * m] in place of x[n][m]
void f(int n, float x[n][2][1][1][1][1][1][1][1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i][0][0][0][0][0][0][0][0] += 1;
}
