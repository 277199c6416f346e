// Threads read what thread 0 writes, and nobody waits for it.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float k = 0.0f;
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        k = b[0];
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = k;
    }
}
