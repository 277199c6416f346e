// A value is returned from void.
// test: -i n=16
// error: 5:5: void function 'g' should not return a value
static void g(void) {
    return 1;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        g();
        x[i] = 1.0f;
    }
}
