// `declare reduction` without a combiner.
// test: -i n=16
// error: 5:42: expected ':' after the types of a reduction
void f(int n, const float x[n], float out[1]) {
#pragma omp declare reduction(far : float)
    float most = 0.0f;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    out[0] = most;
}
