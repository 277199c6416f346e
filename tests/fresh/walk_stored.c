// Rows that iterations walk along after they stored some of them on their own: the lanes that take them wait for that.
// test: -i n=16500 -i m=40 -i x=uniform:lo=0,hi=40,seed=1 -i keys=uniform:lo=0,hi=40,seed=2 -i bins=uniform:lo=0,hi=9,seed=3
// check: exact
void walk_stored(int n, int m, const int x[n][m], int keys[n][m], int bins[n][m], int hash[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int h = 7;
        for (int j = m - 1; j >= 0; j -= 3)
            keys[i][j] = x[i][j] * 3 + j;
        for (int j = 0; j < m; j++)
            h = h * 31 + keys[i][j];
        keys[i][7] = h;
        for (int round = 0; round < 3; round++) {
            for (int j = 0; j < m; j++)
                h = h * 33 + bins[i][j];
            bins[i][(unsigned)h % 40u] += round;
        }
        hash[i] = h;
    }
}
