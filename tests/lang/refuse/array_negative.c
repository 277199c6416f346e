// An array of negative size.
// test: -i n=16
// error: 7:17: array with a negative size
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float t[-3];
        x[i] = t[0];
    }
}
