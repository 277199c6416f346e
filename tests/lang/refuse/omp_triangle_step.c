// The inner of two collapsed loops counts by other steps than 1, from where the outer one is.
// error: 7:9: collapse: an inner loop whose bounds depend on the outer one must count up by 1
// test: -i n=6
void f(int n, int x[n][n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 2 * i; j < n; j += 2)
            x[i][j] = j;
}
