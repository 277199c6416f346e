// A temporary that is needed from the pass before.
// entry: f
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
    float t = 0.0f;
#pragma omp simd
    for (int i = 0; i < n; i++) {
        a[i] = t;
        t = b[i];
    }
}
