// An integer is no address.
// test: -i n=16
// error: 7:20: 'float *'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float *p = 1234;
        x[i] = *p;
    }
}
