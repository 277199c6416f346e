// Functions have no address: use switch.
// test: -i n=16
// error: 10:16: function pointers are not supported: choose with if or switch
static float half(float a) {
    return a * 0.5f;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float (*g)(float) = half;
        x[i] = g(x[i]);
    }
}
