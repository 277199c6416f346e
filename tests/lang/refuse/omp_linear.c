// linear where it would mean something else than the loop says.
// error: 10:33: linear(p): only integers, for now
// test: -i n=16
void f(int n, float x[n]) {
    int k = 0;
#pragma omp parallel for linear(k)
    for (int i = 0; i < n; i++)
        x[k++] += 1.0f;
    float *p = x;
#pragma omp parallel for linear(p)
    for (int i = 0; i < n; i++)
        *p++ += 1.0f;
}
