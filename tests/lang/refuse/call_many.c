// Too many arguments.
// test: -i n=16
// error: 10:27: too many arguments to function call, expected 1, have 2
static float half(float a) {
    return a * 0.5f;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = half(x[i], 2.0f);
    }
}
