// A time loop in a region, with the barriers of its loops.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
        for (int t = 0; t < 3; t++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                b[i] = a[i] + a[(i + 1) % n];
#pragma omp for
            for (int i = 0; i < n; i++)
                a[i] = b[i];
        }
    }
}
