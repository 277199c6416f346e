// Written for iteration i + 1 in the first loop's shadow: both loops run without a wait.
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(3)
    {
#pragma omp for nowait schedule(static, 2)
        for (int i = 0; i < n; i++)
            a[i] = b[i];
#pragma omp for schedule(static, 2)
        for (int i = 0; i < n - 1; i++)
            c[i] = a[i + 1];
    }
}
