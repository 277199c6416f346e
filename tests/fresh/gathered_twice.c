// gathered_twice.c - elements that a pass loads twice, beside counters: each pass keeps an index of its own.
//
// test: -i m=180000 -i u=uniform:lo=1,hi=9,seed=1 -i r=uniform:lo=0,hi=9,seed=15
// check: exact
// dispatches: 1
void gathered_twice(int m, int o[m], const int u[m], const int r[m], int h[16], int g[16]) {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        o[j] = u[j];
    for (int j = 0; j < m; j++) {
        h[5] += u[j];
        g[r[j]] += 1;
    }
}
