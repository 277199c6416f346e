// What the neighbour held before is copied first.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[i];
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        a[i] = c[i - 1] + b[i];
}
