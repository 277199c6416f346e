// Reads one half, writes the other one.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[2 * n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = x[i + n] * 2.0f;
}
