// long double.
// test: -i n=16
// error: 7:9: long double is not supported
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long double v = 1.0L;
        x[i] = (float)v;
    }
}
