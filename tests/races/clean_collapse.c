// Collapsed loops with an element each.
// test: -i n=32
void f(int n, float a[n][n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += (float)(i * j);
}
