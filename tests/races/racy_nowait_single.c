// A single reads what a loop with nowait writes.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            a[i] = b[i] + 5.0f;
#pragma omp single
        c[0] = a[9] + 1.0f;
    }
}
