// A stencil in three dimensions whose two arrays change places by pointers that the loop's length decides about.
// run: -i n=16 -i steps=9 -i a=uniform:lo=300,hi=350,seed=2
// check: rel 1e-5
void swapped(int n, int steps, float a[n][n][n], float b[n][n][n]) {
    float(*from)[n][n] = a, (*to)[n][n] = b;
    int t = 0;
    do {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++) {
                    int left = k == 0 ? k : k - 1, right = k == n - 1 ? k : k + 1;
                    int up = j == 0 ? j : j - 1, down = j == n - 1 ? j : j + 1;
                    to[i][j][k] = 0.25f * from[i][j][k] +
                                  0.125f * (from[i][j][left] + from[i][j][right] + from[i][up][k]) +
                                  0.125f * (from[i][down][k] + from[i - 1][j][k] + from[i + 1][j][k]);
                }
        float(*other)[n][n] = from;
        from = to;
        to = other;
    } while (++t < steps);
}
