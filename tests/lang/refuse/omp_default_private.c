// Newer than the compilers that judge.
// error: 6:34: default(firstprivate) is not supported: name the variables in firstprivate(...)
// test: -i n=16
void f(int n, float x[n]) {
    float scale = 2.0f;
#pragma omp parallel for default(firstprivate)
    for (int i = 0; i < n; i++)
        x[i] *= scale;
}
