// Writes even elements, reads odd ones.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[2 * n + 2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[2 * i] = x[2 * i + 1] + x[2 * i + 1] + 1.0f;
}
