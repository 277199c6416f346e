// A function that is passed on instead of called.
// test: -i n=16
// error: 10:21: function
static float half(float a) {
    return a * 0.5f;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int same = !half;
        x[i] = (float)same;
    }
}
