// Complex numbers without the header that has their functions.
// test: -i n=16
// error: 7:9: complex numbers need <complex.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        _Complex float c = x[i];
        x[i] = 1.0f;
    }
}
