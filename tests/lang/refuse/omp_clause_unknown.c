// A clause that OpenMP does not know.
// test: -i n=16
// error: 5:26: unknown clause 'chunk'
void f(int n, float x[n]) {
#pragma omp parallel for chunk(4)
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
