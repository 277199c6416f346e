// Sections of arrays stand in reductions alone.
// test: -i n=16
// error: 5:39: clause 'firstprivate' takes whole variables
void f(int n, float x[n]) {
#pragma omp parallel for firstprivate(x[:3])
    for (int i = 0; i < n; i++)
        x[i % 3] += 1.0f;
}
