// A variable at file scope.
// test: -i n=32
static float last;
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        last = a[i] * 2.0f;
        b[i] = last;
    }
}
