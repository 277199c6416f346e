// Swaps from both ends: each pair once.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) {
        float a = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = a;
    }
}
