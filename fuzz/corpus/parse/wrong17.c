void f(int n, float *x) {
#pragma omp paralel for
    for (int i = 0; i < n; i++) x[i] = 0;
#pragma omp parallel for reducton(+:n) nowait
    for (int i = 0; i < n; i++) x[i] = 0;
}
