// Two iterations write each element.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) {
        a[i] = b[i];
        a[i + 1] = c[i];
    }
}
