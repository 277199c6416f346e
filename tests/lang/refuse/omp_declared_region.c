// A declared reduction of a region, which uses the variable outside of its loops, too.
// test: -i n=16
// error: 7:38: put the clause on the loop
#pragma omp declare reduction(far : float : omp_out = omp_in > omp_out ? omp_in : omp_out)
void f(int n, const float x[n], float out[1]) {
    float most = 0.0f;
#pragma omp parallel reduction(far : most)
    {
        most = 1.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            most = x[i] > most ? x[i] : most;
    }
    out[0] = most;
}
