// All iterations write one value to one element: OpenMP makes no exception for that.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (b[i] >= 0.0f) a[0] = 1.0f;
}
