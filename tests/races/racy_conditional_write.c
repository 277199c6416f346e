// Only some iterations write, to an element that all read.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        b[i] = a[0];
        if (i == n / 2) a[0] = 1.0f;
    }
}
