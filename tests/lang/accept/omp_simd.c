// The directive simd: alone, with reduction, safelen, simdlen, linear, aligned and collapse; for simd and parallel for simd.
// test: -i n=32 -i x=arange
// check: exact
void lanes(int n, const float x[n], float y[n], float z[n][4]) {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 2.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        int at = 0;
#pragma omp simd reduction(+ : sum) simdlen(4)
        for (int k = 0; k < n; k++)
            sum += x[k] * (float)(i + 1);
#pragma omp simd safelen(4) linear(at : 1)
        for (int k = 0; k < 4; k++) {
            z[i][k] = sum + (float)at;
            at++;
        }
    }
#pragma omp parallel
    {
#pragma omp for simd nowait
        for (int i = 0; i < n; i++)
            y[i] += 1.0f;
    }
}
