// flush is not needed, since the end of a parallel loop makes all writes visible.
// test: -i n=16
// error: 7:13: use 'barrier'
void f(int n, float x[n]) {
#pragma omp parallel
    {
#pragma omp flush
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] = 1.0f;
    }
}
