// A result that C computes in double, compared with an integer.
// test: -i n=16
// error: 7:24: -fdouble=float
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] * 0.1 < i)
            x[i] = 1.0f;
    }
}
