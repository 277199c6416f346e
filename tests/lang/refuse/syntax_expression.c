// No expression where one must stand.
// test: -i n=16
// error: 7:18: expected expression
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = * ;
    }
}
