// A void function has no value.
// test: -i n=16
// error: 9:16: void
static void g(void) {
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = g();
    }
}
