// The `loop` directive is `for`, and inside of an iteration an ordinary loop.
// test: -i n=40 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
void loops(int n, const int x[n], int y[n], int z[n][n], int out[1]) {
    int sum = 0;
#pragma omp parallel
    {
#pragma omp loop
        for (int i = 0; i < n; i++)
            y[i] = x[i] + 1;
    }
#pragma omp parallel loop reduction(+ : sum) order(concurrent)
    for (int i = 0; i < n; i++)
        sum += y[n - 1 - i];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp loop bind(thread)
        for (int j = 0; j < n; j++)
            z[i][j] = y[i] * j;
    }
    out[0] = sum;
}
