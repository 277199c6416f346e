// A function's parameter of type double.
// test: -i n=16
// error: 4:26: parameter 'v' has type 'double', and the GPU has no doubles: declare it float, or compile with
static float half(double v) {
    return (float)(v * 0.5);
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = half(x[i]);
    }
}
