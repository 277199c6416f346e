// Passes of a simd loop that share nothing.
// entry: f
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp simd
    for (int i = 0; i < n; i++) {
        float t = b[i] * 2.0f;
        a[i] = t + c[i];
    }
}
