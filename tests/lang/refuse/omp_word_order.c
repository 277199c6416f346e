// The words of a directive have one order.
// error: 6:13: '#pragma omp for parallel' is no OpenMP directive: the words stand in the order 'parallel for'
// error: 9:13: '#pragma omp simd for' is no OpenMP directive: the words stand in the order 'for simd'
// error: 13:13: '#pragma omp parallel simd for' is no OpenMP directive: the words stand in the order 'parallel for simd'
void f(int n, float x[n]) {
#pragma omp for parallel
    for (int i = 0; i < n; i++)
        x[i] += 1.0f;
#pragma omp simd for
    for (int i = 0; i < n; i++)
        x[i] += 1.0f;
    if (n > 3) {
#pragma omp parallel simd for
        for (int i = 0; i < n; i++)
            x[i] += 1.0f;
    }
}
