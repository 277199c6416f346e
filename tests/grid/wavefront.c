// The edit distance of two words by diagonals: their lengths grow and shrink, both ends move.
// test: -i n=60 -i a=uniform:lo=0,hi=4,seed=8 -i b=uniform:lo=0,hi=4,seed=9 -i cost=const:0
// check: exact
// dispatches: 1
// barriers: 1 a step
void wavefront(int n, const int a[n], const int b[n], int cost[n][n]) {
    for (int d = 0; d < 2 * n - 1; d++) {
        int first = d < n ? 0 : d - n + 1, last = d < n ? d : n - 1;
#pragma omp parallel for
        for (int i = first; i <= last; i++) {
            int j = d - i, up = i ? cost[i - 1][j] : j + 1, left = j ? cost[i][j - 1] : i + 1;
            int corner = i && j ? cost[i - 1][j - 1] : i + j, least = up < left ? up : left;
            least++;
            corner += a[i] != b[j];
            cost[i][j] = corner < least ? corner : least;
        }
    }
}
