// ordered is a sequential loop.
// test: -i n=16
// error: 5:26: ordered
void f(int n, float x[n]) {
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        x[i] = 1.0f;
    }
}
