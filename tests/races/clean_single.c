// One thread sets what all read behind the single.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float k = 0.0f;
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        k = b[0] + 1.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = k;
    }
}
