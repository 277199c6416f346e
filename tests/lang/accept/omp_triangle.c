// collapse over a triangle: the inner loop's bound depends on the outer counter.
// test: -i n=13
// check: exact
void triangle(int n, int a[n][n], int b[n][n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = i * 100 + j;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            b[i][j] = a[j][i] - 1;
            b[j][i] = -b[i][j];
        }
}
