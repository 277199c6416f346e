// Each pass of the simd loop reads what the one before wrote.
// entry: f
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp simd
    for (int i = 0; i < n - 1; i++)
        a[i + 1] = a[i] + b[i];
}
