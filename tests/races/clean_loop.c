// Each iteration has its own element.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] + c[i];
}
