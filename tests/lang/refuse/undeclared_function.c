// A function that is called without a declaration.
// test: -i n=16
// error: 7:16: 'smooth'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = smooth(x[i]);
    }
}
