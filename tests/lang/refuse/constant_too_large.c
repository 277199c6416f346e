// An integer constant beyond 64 bits.
// test: -i n=16
// error: 7:23: the integer constant '99999999999999999999' does not fit in 64 bits
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)99999999999999999999;
    }
}
