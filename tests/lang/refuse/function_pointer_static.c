// A function that is handed one by its name is written once for each of these, so it has no variables that all share.
// test: -i n=16
// error: 7:27: function pointers are not supported
static float half(float a) {
    return a * 0.5f;
}
static float count(float (*g)(float), float a) {
    static int calls;
    calls++;
    return g(a) + (float)calls;
}
void f(int n, float x[n]) {
    float all = count(half, 3.0f);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += all;
}
