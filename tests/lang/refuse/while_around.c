// A while around parallel loops whose end depends on data comes in a later version.
// test: -i n=16
// error: 6:5: later version
void f(int n, float x[n]) {
    float error = 1.0f;
    while (error > 0.001f) {
        error = 0.0f;
#pragma omp parallel for reduction(max : error)
        for (int i = 0; i < n; i++) {
            x[i] *= 0.5f;
            error = x[i] > error ? x[i] : error;
        }
    }
}
