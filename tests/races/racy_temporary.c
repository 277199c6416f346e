// A temporary that all iterations share.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float t;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        t = a[i];
        a[i] = t + b[i] * t;
    }
}
