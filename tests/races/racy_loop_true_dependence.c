// Each iteration reads what the one before wrote.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + b[i];
}
