// -fdouble=pair: an element of -0.0 to which no iteration adds is 0.0 behind the reduction, as in C, where each thread's copy of 0.0 is added.
// test: -fdouble=pair -i n=12 -i m=500
// check: exact
void signs(int n, int m, double a[n], double b[n], float p[n], float sign[3][n]) {
    for (int k = 0; k < n; k++) {
        a[k] = b[k] = -0.0;
        p[k] = -0.0f;
    }
#pragma omp parallel for reduction(+ : a[:n]) reduction(* : p[:n])
    for (int i = 0; i < m; i++) {
        a[i % 4] += i;
        p[i % 3] *= 1.0f;
    }
    for (int i = 0; i < m; i++)
        b[i % 4] += i;
    for (int k = 0; k < n; k++) {
        sign[0][k] = (float)a[k] == 0.0f ? 1.0f / (float)a[k] : 0.0f;
        sign[1][k] = (float)b[k] == 0.0f ? 1.0f / (float)b[k] : 0.0f;
        sign[2][k] = 1.0f / p[k];
    }
}
