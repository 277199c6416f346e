// Private, firstprivate and lastprivate variables.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float t, k = b[0], last = 0.0f;
#pragma omp parallel for private(t) firstprivate(k) lastprivate(last)
    for (int i = 0; i < n; i++) {
        t = a[i];
        a[i] = t * k;
        last = t;
    }
    c[0] = last;
}
