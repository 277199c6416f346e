// A loop's bound is changed while other threads may not have read it.
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
    int m = n;
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < m; i++)
            a[i] = b[i];
#pragma omp master
        m = n / 2;
    }
    c[0] = (float)m;
}
