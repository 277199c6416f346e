// Rows of a list whose beginnings the program makes itself, with two ends, counted up, down and by a variable step; the
// counter is used behind its loop.
//
// run: -i n=4096 -i x=uniform:lo=0,hi=9,seed=3
// test: -i n=37 -i x=uniform:lo=0,hi=9,seed=3
// check: exact
// dispatches: 1
void counted_lists(int n, const int x[n], int sums[n], int ends[n], int steps[n]) {
    int row[n + 1];
    row[0] = 0;
    for (int i = 0; i < n; i++)
        row[i + 1] = row[i] + (x[i] & 3);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int s = 0, k, q = 0;
        for (k = row[i]; k < row[i + 1] && k < n; k++)
            s += x[k] * (k - row[i] + 1);
        for (int j = row[i + 1]; j > row[i]; j--)
            s = s * 3 + (j & 7);
        for (int len = 1 + (i & 3), at = 0; at < n; at += len)
            q += x[at] ^ len;
        sums[i] = s;
        ends[i] = k;
        steps[i] = q;
    }
}
