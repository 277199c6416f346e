// The second loop reads the elements of other iterations of the first.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = b[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            c[i] = a[n - 1 - i];
    }
}
