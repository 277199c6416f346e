// An index is an integer.
// test: -i n=16
// error: 7:11: array subscript is not an integer
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[2.0f] = 1.0f;
    }
}
