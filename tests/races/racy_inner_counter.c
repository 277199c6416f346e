// The inner loop's counter is shared.
// test: -i n=32
void f(int n, float a[n][n]) {
    int i, j;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i][j] = (float)j;
}
