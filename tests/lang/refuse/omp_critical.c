// What a GPU cannot do under critical: an update that needs what it changes.
// test: -i n=16
// error: 7:13: critical
void f(int n, const float x[n], float most[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        most[0] = most[0] * 0.5f + x[i];
    }
}
