// What others read is overwritten, by its owner and from its own value alone.
// test: -i n=600 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 in all
void write_after_read(int n, unsigned x[n], unsigned y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[(i + 300) % n] + 1u;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 5u + 7u;
}
