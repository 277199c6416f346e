// default(none) of a region: every variable of outside that something in it names, clauses of its loops included, must be named.
// error: 12:34: variable 'chunk' must have explicitly specified data sharing attributes
// error: 14:20: variable 'scale' must have explicitly specified data sharing attributes
// error: 15:28: variable 'stride' must have explicitly specified data sharing attributes
// error: 21:17: clause 'default' does not belong to '#pragma omp for'
// test: -i n=16 -i chunk=2 -i stride=2
void f(int n, int chunk, int stride, float x[n]) {
    float scale = 2.0f;
    int k = 0;
#pragma omp parallel default(none) shared(n, x, k)
    {
#pragma omp for schedule(static, chunk)
        for (int i = 0; i < n; i++)
            x[i] = scale;
#pragma omp for linear(k : stride)
        for (int i = 0; i < n; i++)
            k += 2;
    }
#pragma omp parallel
    {
#pragma omp for default(none)
        for (int i = 0; i < n; i++)
            x[i] = 1.0f;
    }
}
