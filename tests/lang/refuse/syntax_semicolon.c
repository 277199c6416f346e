// A missing semicolon is named where it belongs.
// test: -i n=16
// error: 7:20: expected ';' after expression
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f
        x[i] += 2.0f;
    }
}
