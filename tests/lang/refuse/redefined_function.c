// The same function twice.
// test: -i n=16
// error: 7:14: redefinition of 'half'
static float half(float a) {
    return a * 0.5f;
}
static float half(float a) {
    return a / 2.0f;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = half(x[i]);
    }
}
