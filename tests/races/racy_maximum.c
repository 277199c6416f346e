// A maximum without a reduction.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float most = a[0];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (a[i] > most) most = a[i];
    b[0] = most;
}
