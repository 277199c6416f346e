// #error stops with its text.
// test: -i n=16
// error: 5:2: #error wants more steps
#if 1
#error wants more steps
#endif
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
    }
}
