// The element is written before it is read, by the same iteration.
// test: -i n=64
// check: exact
void f(int n, float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)i * 2.0f;
        y[n - 1 - i] = x[i];
    }
}
