// A sum over the passes of a simd loop without a reduction.
// test: -i n=32 -i x=zeros
void f(int n, const float x[n][n], float a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
#pragma omp simd
        for (int j = 0; j < n; j++)
            sum += x[i][j];
        a[i] = sum;
    }
}
