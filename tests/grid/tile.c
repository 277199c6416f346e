// Stencils in tiles (`whorl explain`: tile): corners, two columns away, a plane of an array of three dimensions, an element that only some
// iterations read, a column alone; the last tiles are smaller in both directions, and steps go forward and back.
// test: -i n=519 -i m=290 -i steps=5 -i a=uniform:lo=0,hi=50,seed=1 -i pair=uniform:lo=0,hi=50,seed=2
// check: exact
// dispatches: 1
// barriers: 1 a step
void tile(int n, int m, int steps, int a[n][m], int b[n][m], int pair[2][n][m]) {
    int(*now)[m] = a, (*next)[m] = b;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n - 2; i++)
            for (int j = 2; j < m - 1; j++) {
                int corners = now[i - 1][j - 1] * 3 + now[i + 2][j + 1] - now[i][j - 2];
                int column = pair[1][i + 1][j] + pair[1][i][j] + pair[1][i - 1][j];
                if (now[i][j] % 3 == t % 3) corners += now[i + 1][j - 1] * 7;
                next[i][j] = (corners + column * 5 + i - j + 4000) % 1009;
            }
        int(*old)[m] = now;
        now = next;
        next = old;
    }
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            pair[0][i][j] = now[i - 1][j] + now[i][j] + now[i + 1][j] + (j > 0 ? now[i][j - 1] : 5);
#pragma omp parallel for
    for (int j = 0; j < m; j++)
        pair[1][0][j] = pair[0][1][j];
}
