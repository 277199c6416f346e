// Each iteration owns two neighbouring elements.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[2 * n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = b;
        x[2 * i + 1] = a;
    }
}
