// An entry array of type double.
// test: -i n=16
// error: 4:22: parameter 'x' has type 'double *', and the GPU has no doubles: declare it float, or compile with
void f(int n, double x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0;
}
