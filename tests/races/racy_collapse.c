// The collapsed loops write a sum for each row.
// test: -i n=32 -i x=zeros
void f(int n, const float x[n][n], float a[n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] += x[i][j];
}
