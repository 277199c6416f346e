// The largest of floats by atomics: reduction(max : ...) does it.
// test: -i n=16
// error: 7:13: can only add or subtract
void f(int n, const float x[n], float most[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic compare
        most[0] = most[0] < x[i] ? x[i] : most[0];
    }
}
