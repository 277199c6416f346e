// The loop of a directive must step by a fixed amount.
// test: -i n=16
// error: 6:30: the last part of an OpenMP loop must add to or subtract from 'i'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 1; i < n; i *= 2)
        x[i] = 1.0f;
}
