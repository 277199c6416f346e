// Static loops of one length: the thread that wrote an element reads it.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for nowait schedule(static)
        for (int i = 0; i < n; i++)
            a[i] = b[i];
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            c[i] = a[i] * 2.0f;
    }
}
