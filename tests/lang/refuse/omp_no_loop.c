// parallel for must stand before a for.
// test: -i n=16
// error: 7:5: for
void f(int n, float x[n]) {
    int i = 0;
#pragma omp parallel for
    while (i < n)
        x[i++] = 1.0f;
}
