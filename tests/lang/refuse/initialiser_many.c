// More values than elements.
// test: -i n=16
// error: 7:27: excess elements
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int t[2] = {1, 2, 3};
        x[i] = (float)t[i % 2];
    }
}
