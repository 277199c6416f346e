// All threads step the counter of the loop around the worksharing loop.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    int k;
#pragma omp parallel num_threads(4)
    {
        for (k = 0; k < 3; k++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                a[i] += 1.0f;
        }
    }
}
