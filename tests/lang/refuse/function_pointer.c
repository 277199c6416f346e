// A pointer to a function that data choose: use switch.
// test: -i n=16
// error: 13:16: function pointers are not supported: choose with if or switch
static float half(float a) {
    return a * 0.5f;
}
static float twice(float a) {
    return a * 2.0f;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float (*g)(float) = x[i] > 0.0f ? half : twice;
        x[i] = g(x[i]);
    }
}
