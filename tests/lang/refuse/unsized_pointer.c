// A pointer whose size was not given: the message says how to give it.
// test: -i n=16
// error: 4:22: -i x=
void f(int n, float *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
