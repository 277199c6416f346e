// Variables of the region belong to its threads.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float k;
#pragma omp parallel num_threads(4) private(k)
    {
        float m = 2.0f;
        k = m + 1.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = k * b[i];
        m = 3.0f;
    }
}
