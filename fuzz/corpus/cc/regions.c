# 1 "regions.c"
#define LOOP _Pragma("omp for")

int main(void) {
    const int n = 128;
    float *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), mean = 0;
    assert(a && b);
#pragma omp parallel shared(mean) // GPU
    {
        LOOP for (int i = 0; i < n; i++) a[i] = (float)(i * i % 23);
#pragma omp for reduction(+ : mean)
        for (int i = 0; i < n; i++)
            mean += a[i];
#pragma omp single
        mean /= (float)n;
#pragma omp for
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i] - mean;
    }
    printf("%.4f %.4f %.4f\n", (double)mean, (double)b[0], (double)b[100]);
    free(a);
    free(b);
    return 0;
}
