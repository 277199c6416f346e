// The first half is written, the second read.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++)
        a[i] = a[i + n / 2] + 1.0f;
}
