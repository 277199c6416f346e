// lanes_update.c - atomics of the program where lanes share the loops beside them: a place that is taken once for all lanes keeps them
// away, updates are made by the lane that makes the pass, or by one.
//
// run: -i n=300 -i m=4096 -i x=uniform:lo=0,hi=100,seed=2
// test: -i n=40 -i m=300 -i x=uniform:lo=0,hi=100,seed=2
// check: exact
// dispatches: 1
// barriers: 2
void lanes_update(int n, int m, const int x[n][m], int sums[m], int right[n], int many[1]) {
    int row[n][m], owner[n], taken = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int place;
#pragma omp atomic capture
        place = taken++;
        for (int k = 0; k < m; k++)
            row[place][k] = x[i][k] + i;
        owner[i] = place;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int good = 1, big = 0;
        for (int k = 0; k < m; k++)
            good &= row[owner[i]][k] == x[i][k] + i;
        for (int k = 0; k < m; k++) {
            if (x[i][k] > 90) big++;
#pragma omp atomic
            sums[k] += x[i][k];
        }
#pragma omp atomic
        many[0] += big;
        right[i] = good;
    }
}
