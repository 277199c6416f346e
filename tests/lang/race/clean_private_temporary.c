// A variable of outside that is private.
// test: -i n=64
// check: exact
void f(int n, float x[n]) {
    float t;
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) {
        t = (float)i * 0.5f;
        x[i] = t * t;
    }
}
