// Two functions with parallel loops: say which.
// test: -i n=16
// error: 9:6: entry
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
void g(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 2.0f;
}
