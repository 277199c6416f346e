// Declared reductions in a region, with an initializer that looks at the variable.
// test: -i n=300 -i x=uniform:lo=-1,hi=1,seed=1
struct span {
    float least, most;
};
#pragma omp declare reduction(widen : struct span : omp_out.least = omp_in.least < omp_out.least ? omp_in.least : omp_out.least, \
    omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most) initializer(omp_priv = omp_orig)
void f(int n, const float x[n], float out[2]) {
    struct span s = {x[0], x[0]};
#pragma omp parallel
    {
#pragma omp for reduction(widen : s)
        for (int i = 0; i < n; i++) {
            s.least = x[i] < s.least ? x[i] : s.least;
            s.most = x[i] > s.most ? x[i] : s.most;
        }
#pragma omp single
        out[0] = s.least;
    }
    out[1] = s.most;
}
