// A time loop inside: each step reads the neighbour's element while that one is written.
// test: -i n=64 -i steps=3
// error: 8:13: data race
void f(int n, int steps, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        for (int t = 0; t < steps; t++)
            x[i] = x[i] + x[i + 1] * 0.5f;
}
