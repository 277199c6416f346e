// Heat in a plate: a time loop around one parallel loop, two arrays that are swapped.
void work(int n, int steps, float a[n][n], float b[n][n]) {
    float(*from)[n] = a, (*to)[n] = b;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                to[i][j] = from[i][j] + 0.2f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1] -
                                                4 * from[i][j]);
        float(*old)[n] = from;
        from = to;
        to = old;
    }
}
