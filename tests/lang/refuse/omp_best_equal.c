// A critical section that takes over what is as good, too: which of equals came last, nobody knows.
// test: -i n=16
// error: 8:13: critical
void f(int n, const float x[n], int at[1]) {
    float high = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        if (x[i] >= high) {
            high = x[i];
            at[0] = i;
        }
    }
}
