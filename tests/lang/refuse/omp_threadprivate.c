// threadprivate variables.
// test: -i n=16
// error: 5:13: threadprivate
static int k;
#pragma omp threadprivate(k)
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)k;
    }
}
