// What a loop with nowait opens, and the passes of a simd loop that depend on each other.
// run: -i n=8
void f(int n, float x[n], float y[n]) {
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            x[i] = 1.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = x[n - 1 - i];
    }
#ifndef NO_SIMD
#pragma omp simd
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] + y[i];
#endif
}
