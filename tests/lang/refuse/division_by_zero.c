// A constant division by zero.
// test: -i n=16
// error: 7:21: division by zero
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int table[2 / 0];
        x[i] = (float)table[0];
    }
}
