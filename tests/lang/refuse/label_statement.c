// A label, even one that nothing jumps to.
// test: -i n=16
// error: 7:9: labels are not supported
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        here:
        x[i] = 1.0f;
    }
}
