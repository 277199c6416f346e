// A region's reductions of doubles outside of its worksharing loops: a copy a thread, which are added up in their order.
// test: -fdouble=pair -i n=50 -i x=uniform:lo=0,hi=3,seed=1
// check: rel 1e-12
int omp_get_thread_num(void);
int omp_get_num_threads(void);

void team(int n, const double x[n], double out[4]) {
    double sum = 0.25, most = -1, product = 1;
    float rough = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum, rough) reduction(max : most) reduction(* : product)
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int i = me; i < n; i += all) {
            sum += x[i] * 1.5;
            most = x[i] > most ? x[i] : most;
            product *= 1 + x[i] * 0.01;
            rough += 1.0f;
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            sum += x[i];
        sum += me;
    }
    out[0] = sum;
    out[1] = most;
    out[2] = product;
    out[3] = rough;
}
