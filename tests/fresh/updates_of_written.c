// test: -i n=300 -i k=uniform:lo=0,hi=7,seed=1 -i a=uniform:lo=0,hi=9,seed=2
// check: exact
// What is added to counters was written by the pass before: the counters may be updated in any order, the passes may not be made so.
void updates_of_written(int n, const int k[n], int a[n], int h[8], int y[n]) {
    for (int i = 1; i < n; i++) {
        h[k[i]] += a[i - 1];
        a[i] = i * 2;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a[i] + h[i & 7];
}
