// A variable of type double.
// test: -i n=16
// error: 7:16: variable 'y' has type 'double', and the GPU has no doubles: declare it float, or compile with
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double y = x[i];
        x[i] = (float)(y * y);
    }
}
