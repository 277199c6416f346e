// Each iteration reads what the next one overwrites.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        a[i] = 0.5f * a[i + 1];
}
