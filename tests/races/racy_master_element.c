// The element that thread 0 sets is read by a loop.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        c[0] = 2.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = b[i] * c[0];
    }
}
