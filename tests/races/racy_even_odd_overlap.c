// Even and odd elements, but for the last one.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++)
        a[2 * i] = a[(2 * i + 1) % (n - 1)] + a[(2 * i + 2) % n];
}
