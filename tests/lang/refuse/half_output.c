// An entry array of _Float16 that is written.
// test: -i n=16
// error: 4:24: _Float16
void f(int n, _Float16 x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (_Float16)1.0f;
}
