// One thread swaps, and all wait.
// test: -i n=24
void f(int n, float a[n], float b[n], float c[n]) {
    int which = 0;
#pragma omp parallel num_threads(4)
    {
        for (int t = 0; t < 3; t++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                a[i] += which ? b[i] : c[i];
#pragma omp single
            which = !which;
        }
    }
}
