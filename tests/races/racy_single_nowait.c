// A single with nowait, and a loop that reads what it sets.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
        c[1] = 2.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = b[i] + c[1];
    }
}
