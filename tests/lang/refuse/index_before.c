// A negative constant index.
// test: -i n=16
// error: 8:18: index -1 is outside of 't', which has 4 elements
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float t[4] = {0};
        x[i] = t[-1];
    }
}
