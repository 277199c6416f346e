// Arrays of pointers: an array and an index do it.
// test: -i n=16
// error: 8:27: arrays of pointers are not supported; use an array and an index
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = 1.0f, b = 2.0f;
        float *both[2] = {&a, &b};
        x[i] = *both[i % 2];
    }
}
