// A 64-bit maximum over more iterations than there is room for their parts.
// test: -i n=20000000
// error: 6:13: a reduction of 64-bit integers takes an element an iteration, at most 16777216
void f(int n, long y[1]) {
    long most = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        most = most < (long)i * (n - i) ? (long)i * (n - i) : most;
    y[0] = most;
}
