// A three-point stencil without a second array.
// test: -i n=64
// error: 7:9: data race
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        x[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
