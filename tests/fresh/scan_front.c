// Values that a loop in front of a long recurrence leaves for it, or for what follows it: sums, smallest ones, counts,
// values of the round before.
// run: -i n=100000 -i rows=4 -i x=uniform:lo=0,hi=9,seed=1 -i h=uniform:lo=-1,hi=4,seed=2
// test: -i n=600 -i rows=3 -i x=uniform:lo=0,hi=9,seed=1 -i h=uniform:lo=-1,hi=4,seed=2
// check: exact
// dispatches: 1
void scan_front(int n, int rows, const int h[rows][8], int x[rows][n], int y[rows][n], int total[n], int out[rows]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int lo = x[r][0];
        for (int i = 1; i < 4; i++)
            if (x[r][i] < lo) lo = x[r][i];
        int twice = lo * 2;
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += x[r][i] - lo + twice;
            y[r][i] = s;
        }
    }
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int m = 1, k = 0;
        for (k = 0; k < 8; k++)
            m = h[r][k] > 0 ? m + 1 : 1;
        int c = m;
        for (int i = 0; i < n; i++) {
            c += x[r][i];
            x[r][i] = c;
        }
        int s = 0, u = 0;
        for (int i = 0; i < n; i++) {
            s += x[r][i] > c;
            u += s;
        }
        out[r] = m + u + k;
    }
    int m = 0;
    for (int t = 0; t < 3; t++) {
        for (int k = 0; k < 8; k++)
            m += h[0][k];
        int c = 0;
        for (int i = 0; i < n; i++) {
            c += x[0][i] + m;
            total[i] += c;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[0][i] += total[i] + m;
    }
}
