// test: -i n=300 -i k=uniform:lo=0,hi=7,seed=1 -i a=uniform:lo=0,hi=9,seed=2
// check: exact
// Sequential loops that update counters: what the pass before wrote is added, so the passes may not be made in any order, though the
// counters may; two updates of one array.
void updates_of_written(int n, const int k[n], int a[n], int h[8], int g[8], int y[n]) {
    for (int i = 1; i < n; i++) {
        h[k[i]] += a[i - 1];
        a[i] = i * 2;
    }
    for (int i = 0; i < n; i++) {
        g[k[i]] -= i;
        g[(i * 3) & 7] += k[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a[i] + h[i & 7] * g[k[i]];
}
