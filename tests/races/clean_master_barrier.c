// Thread 0 sets what all read behind a barrier.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float k = 0.0f;
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        {
            k = b[0];
            c[0] = k + 1.0f;
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = k + c[0];
    }
}
