// The second loop waits for the first.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[n - 1 - i];
}
