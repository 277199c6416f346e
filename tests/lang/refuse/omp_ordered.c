// Order between iterations of several loops.
// test: -i n=16
// error: 5:26: 'ordered' with a number of loops is not supported: use a sequential loop
void f(int n, float x[n]) {
#pragma omp parallel for ordered(1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
        x[i] = x[i - 1];
#pragma omp ordered depend(source)
    }
}
