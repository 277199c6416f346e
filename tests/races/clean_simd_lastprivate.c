// A temporary of each pass, wanted at the end.
// entry: f
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
    float t = 0.0f;
#pragma omp simd lastprivate(t)
    for (int i = 0; i < n; i++) {
        t = b[i];
        a[i] = t * t;
    }
    c[0] = t;
}
