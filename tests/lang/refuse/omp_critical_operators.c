// Two operators on one float: which came first matters, so the section cannot become two updates.
// test: -i n=16
// error: 7:13: critical
void f(int n, const float x[n], float seen[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            seen[0] += x[i];
            seen[0] *= 0.5f;
        }
    }
}
