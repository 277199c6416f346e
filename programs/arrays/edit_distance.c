// edit_distance.c - the edit distance of two strings, along diagonals.
//
// Source: R. A. Wagner, M. J. Fischer, "The string-to-string correction problem", 1974. Cells of a diagonal need only the two
// diagonals before it.
//
// run: -i n=8192 -i a=uniform:lo=0,hi=3,seed=1 -i b=uniform:lo=0,hi=3,seed=2
// test: -i n=50 -i a=uniform:lo=0,hi=3,seed=1 -i b=uniform:lo=0,hi=3,seed=2
// check: exact
// dispatches: 1
// barriers: 2 a diagonal
void edit_distance(int n, const int a[n], const int b[n], int distance[1]) {
    int before[n + 1], last[n + 1], now[n + 1];
    for (int d = 0; d <= 2 * n; d++) {
        int from = d > n ? d - n : 0, to = d < n ? d : n;
#pragma omp parallel for
        for (int i = from; i <= to; i++) {
            int j = d - i;
            if (i == 0 || j == 0) {
                now[i] = i + j;
            } else {
                int best = before[i - 1] + (a[i - 1] != b[j - 1]);
                if (last[i - 1] + 1 < best) best = last[i - 1] + 1;
                if (last[i] + 1 < best) best = last[i] + 1;
                now[i] = best;
            }
        }
#pragma omp parallel for
        for (int i = 0; i <= n; i++) {
            before[i] = last[i];
            last[i] = now[i];
        }
    }
    distance[0] = now[n];
}
