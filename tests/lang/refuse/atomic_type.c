// _Atomic.
// test: -i n=16
// error: 7:9: _Atomic
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        _Atomic int k = 0;
        x[i] = (float)k;
    }
}
