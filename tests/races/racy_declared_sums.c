// The variable of a reduction in a loop with nowait is read before the threads have met.
// test: -i n=300 -i x=uniform:lo=-1,hi=1,seed=1
#pragma omp declare reduction(largest : float : omp_out = omp_in > omp_out ? omp_in : omp_out)
void f(int n, const float x[n], float out[n]) {
    float most = 0.0f;
#pragma omp parallel
    {
#pragma omp for reduction(largest : most) nowait
        for (int i = 0; i < n; i++)
            most = x[i] > most ? x[i] : most;
#pragma omp for
        for (int i = 0; i < n; i++)
            out[i] = x[i] / most;
    }
}
