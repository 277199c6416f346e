// Only functions can be called.
// test: -i n=16
// error: 8:23: called object
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i;
        x[i] = (float)k(3);
    }
}
