// #if without #endif.
// test: -i n=16
// error: 4:2: this #if has no #endif
#if 1
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
    }
}
