// * wants a pointer.
// test: -i n=16
// error: 7:16: indirection requires pointer operand
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = *i;
    }
}
