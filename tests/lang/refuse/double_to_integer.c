// A result that C computes in double, cut to an integer: float could give another one.
// test: -i n=16
// error: 7:17: -fdouble=float
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = (int)(x[i] * 0.1);
        x[i] = (float)k;
    }
}
