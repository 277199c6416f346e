// Floats cannot be compared and exchanged: equal ones may have different bits.
// test: -i n=16
// error: 7:13: an atomic comparison of floats: compare their bits, in an array of unsigned
void f(int n, float x[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic compare
        if (x[0] == 1.0f) {
            x[0] = 2.0f;
        }
    }
}
