// The last value is read behind the loop.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float last = 0.0f;
#pragma omp parallel num_threads(4)
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < n; i++) {
            last = a[i] + 1.0f;
            b[i] = last;
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            c[i] = last;
    }
}
