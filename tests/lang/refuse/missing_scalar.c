// A scalar parameter without a value.
// test: -i n=16
// error: 4:19: -i steps=
void f(int n, int steps, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int t = 0; t < steps; t++)
            x[i] += 1.0f;
}
