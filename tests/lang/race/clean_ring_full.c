// i % n with n iterations: each element once.
// test: -i n=64
// check: exact
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[(i + 5) % n] = i;
}
