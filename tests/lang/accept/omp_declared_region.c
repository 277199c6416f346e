// A declared reduction of a region, which uses the variable outside of its loops, too: a copy a thread.
// test: -i n=16 -i x=uniform:lo=-2,hi=3,seed=1
// check: near 1e-6
struct span {
    float lo, hi;
};
#pragma omp declare reduction(far:float : omp_out = omp_in > omp_out ? omp_in : omp_out)
#pragma omp declare reduction(wide                                                            \
                              : struct span                                                   \
                              : omp_out.lo = omp_in.lo < omp_out.lo ? omp_in.lo : omp_out.lo, \
                                omp_out.hi = omp_in.hi > omp_out.hi ? omp_in.hi : omp_out.hi) \
    initializer(omp_priv = {1e9f, -1e9f})
void f(int n, const float x[n], float out[3]) {
    float most = 0.0f;
    struct span span = {5.0f, -5.0f};
#pragma omp parallel num_threads(4) reduction(far : most) reduction(wide : span)
    {
        most = 1.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            most = x[i] > most ? x[i] : most;
        span.lo = most < span.lo ? most : span.lo;
        span.hi = most > span.hi ? most : span.hi;
    }
    out[0] = most;
    out[1] = span.lo < most ? 1.0f : 2.0f;
    out[2] = span.hi;
}
