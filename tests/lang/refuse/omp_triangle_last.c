// What a counter with bounds that depend on another one holds behind the collapsed loops.
// error: 6:13: lastprivate(j): its bounds depend on another counter of the collapsed loops
// test: -i n=6
void f(int n, int x[n][n], int out[1]) {
    int j = 0;
#pragma omp parallel for collapse(2) lastprivate(j)
    for (int i = 0; i < n; i++)
        for (j = 0; j < n - i; j++)
            x[i][j] = j;
    out[0] = j;
}
