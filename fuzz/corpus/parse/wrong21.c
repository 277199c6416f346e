void f(int n, float *x) {
    float s = 0, t;
#pragma omp parallel for default(none) shared(x, n) reduction(+:s)
    for (int i = 0; i < n; i++) { s += x[i]; t = s; }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++) { s = 1; for (int j = 0; j < n; j++) x[i] = 0; }
#pragma omp parallel for reduction(+:x)
    for (int i = 0; i < n; i++) ;
}
