// critical is what a reduction does better.
// test: -i n=16
// error: 8:13: critical
void f(int n, float x[n]) {
    float total = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        total += x[i];
    }
    x[0] = total;
}
