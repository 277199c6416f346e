// _Thread_local.
// test: -i n=16
// error: 4:8: _Thread_local is not supported
static _Thread_local int k;
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)k;
    }
}
