// Sums of doubles as pairs in a region: what the compiler makes of them is nobody's race.
// test: -fdouble=pair -i n=300 -i x=uniform:lo=-1,hi=1,seed=1
void f(int n, const double x[n], double out[2]) {
    double sum = 1.0, most = -2.0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < n; i++)
            sum += x[i];
#pragma omp for reduction(max : most)
        for (int i = 0; i < n; i++)
            most = x[i] > most ? x[i] : most;
#pragma omp single
        out[0] = sum + most;
    }
    out[1] = sum;
}
