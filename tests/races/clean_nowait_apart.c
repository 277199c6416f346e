// Loops with nowait that share nothing.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = 1.0f;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            b[i] = c[n - 1 - i];
    }
}
