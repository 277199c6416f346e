// A loop that ends at '!=' goes by 1 or -1. With '<' or '>' any step will do that the loop does not change.
// test: -i n=16
// error: 7:34: with '!=' the step of an OpenMP loop must be 1 or -1
void f(int n, const int by[1], float x[n]) {
    int step = by[0] + 1;
#pragma omp parallel for
    for (int i = 0; i != n; i += step)
        x[i] = 1.0f;
}
