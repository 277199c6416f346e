// many_iterations.c - a long row, smoothed and thinned: so many iterations that an invocation makes several.
//
// test: -i n=5003 -i x=uniform:lo=0,hi=999,seed=1
// with --portable: -i n=1200003 -i x=uniform:lo=0,hi=999,seed=1
// check: exact
// dispatches: 1
void many_iterations(int n, const int x[n], int y[n], int z[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = (x[i > 0 ? i - 1 : 0] + 2 * x[i] + x[i < n - 1 ? i + 1 : n - 1]) / 4;
        if (i % 3 == 1) continue;
        z[i] = x[n - 1 - i] - (i & 7);
    }
}
