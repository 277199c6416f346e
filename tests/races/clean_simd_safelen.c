// The dependence is as far as safelen promises.
// entry: f
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp simd safelen(4)
    for (int i = 4; i < n; i++)
        a[i] = a[i - 4] + b[i];
}
