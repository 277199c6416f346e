// Loops that leave at different times in neighbouring iterations, and what they looked at last is read once more behind them.
// test: -i n=128 -i m=64 -i rounds=3 -i key=uniform:lo=0,hi=100,seed=1 -i start=uniform:lo=0,hi=127,seed=2 -i at=const:0 -i found=const:0 -i sum=const:0
// check: exact
// dispatches: 1
void searches(int n, int m, int rounds, const int key[n], const int start[m], int at[5][m], int found[5][m],
              int sum[rounds]) {
#pragma omp parallel for
    for (int i = 0; i < m; i++) {
        int j = start[i];
        while (key[j & 127] < 70) // the place moves
            j++;
        at[0][i] = j;
        found[0][i] = key[j & 127];
        j = 0;
        while (j < key[start[i]] % 7) // the place is the same in each pass
            j++;
        at[1][i] = j;
        found[1][i] = key[start[i]];
        j = start[i];
        while (j < n && key[j] < 90 - i % 3)
            j++;
        at[2][i] = j;
        found[2][i] = j < n ? key[j] : -1;
        j = 0;
        for (;;) {
            if (key[(start[i] + j * j) & 127] > 60) break;
            j++;
        }
        at[3][i] = j;
        found[3][i] = key[(start[i] + j * j) & 127] + start[i];
        int last;
        j = start[i];
        do {
            last = key[j];
            j = (j + 5) % n;
        } while (last < 70);
        at[4][i] = j;
        found[4][i] = last + key[(j + n - 5) % n];
    }
    for (int r = 0; r < rounds; r++) {
        int s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < m; i++)
            s += found[r][(i + r) % m];
        sum[r] = s;
    }
}
