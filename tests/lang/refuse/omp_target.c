// `for` needs threads, and `target` alone has one.
// test: -i n=16
// error: 5:13: 'target for' is no OpenMP directive
void f(int n, float x[n]) {
#pragma omp target for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
