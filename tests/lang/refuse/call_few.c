// Too few arguments.
// test: -i n=16
// error: 10:24: too few arguments to function call, expected 2, have 1
static float add(float a, float b) {
    return a + b;
}
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = add(x[i]);
    }
}
