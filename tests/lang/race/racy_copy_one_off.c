// Copies an element two places on, inside one array.
// test: -i n=64
// error: 8:9: data race
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 2; i++) {
        float v = x[i];
        x[i + 2] = v;
    }
}
