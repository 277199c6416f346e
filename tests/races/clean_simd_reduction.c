// A simd loop that sums up by its clause, with a private temporary.
// test: -i n=32 -i x=zeros
void f(int n, const float x[n][n], float a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f, t;
#pragma omp simd reduction(+ : sum) private(t)
        for (int j = 0; j < n; j++) {
            t = x[i][j];
            sum += t * t;
        }
        a[i] = sum;
    }
}
