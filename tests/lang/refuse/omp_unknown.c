// A directive that OpenMP does not know.
// test: -i n=16
// error: 5:13: unknown OpenMP directive
void f(int n, float x[n]) {
#pragma omp paralel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
