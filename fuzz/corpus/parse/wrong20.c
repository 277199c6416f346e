void f(int n, float *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i += i) { x[i] = 0; if (x[i] > 0) break; return; }
#pragma omp parallel for
    for (int i = 0; i < n; i--) x[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) i++;
#pragma omp parallel for
    for (float i = 0; i < n; i++) x[0]++;
#pragma omp parallel for
    while (1) ;
}
