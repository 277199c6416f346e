// Worksharing and simd in one directive.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for simd
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5f;
}
