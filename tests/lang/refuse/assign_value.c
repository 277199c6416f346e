// Only objects can be assigned to.
// test: -i n=16
// error: 7:14: expression is not assignable
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] + 1.0f = 2.0f;
    }
}
