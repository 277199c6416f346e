// A sequential time loop: the reads of one step come after the writes of the last.
// test: -i n=64 -i steps=3
// check: exact
void f(int n, int steps, float a[n], float b[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1] + 1.0f;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}
