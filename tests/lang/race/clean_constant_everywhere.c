// All iterations store one constant in one element.
// test: -i n=64
// check: exact
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
        x[0] = 1.0f;
    }
}
