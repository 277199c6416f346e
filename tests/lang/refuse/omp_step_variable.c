// The step of a parallel loop is a constant, or a scalar of the entry whose value is compiled in.
// test: -i n=16
// error: 7:33: the step of a parallel loop must be a constant
void f(int n, const int by[1], float x[n]) {
    int step = by[0] + 1;
#pragma omp parallel for
    for (int i = 0; i < n; i += step)
        x[i] = 1.0f;
}
