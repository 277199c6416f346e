// The sum is read before all threads have added to it.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float sum = 0.0f;
#pragma omp parallel num_threads(4)
    {
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < n; i++)
            sum += a[i];
#pragma omp single
        c[0] = sum;
    }
}
