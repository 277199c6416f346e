// Both loops touch element i, but who gets it is decided when they run.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < n; i++)
            a[i] = b[i];
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++)
            c[i] = a[i];
    }
}
