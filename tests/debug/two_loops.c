// Two loops in one dispatch; the second takes far longer.
// run: -i n=2048 -i steps=3 -i x=uniform:seed=1
void f(int n, int steps, const float x[n], float y[n], float z[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] = x[i] + z[n - 1 - i];
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float v = y[n - 1 - i];
            for (int k = 0; k < 3000; k++)
                v = v * 0.999f + 0.25f;
            z[i] = v;
        }
    }
}
