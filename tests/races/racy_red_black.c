// The colours do not alternate with the rows.
// test: -i n=9
void f(int n, float a[n][n]) {
    for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + colour; j < n - 1; j += 2)
                a[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    }
}
