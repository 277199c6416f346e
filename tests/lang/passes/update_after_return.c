// test: -i n=16 -i x=arange
// check: exact
static void go(int i, int n, int x[]) {
    for (int t = 0; t < 100; t++) {
        for (int q = 0; q < 100; q++)
            if (i * 2 + q - q == n * 2 - 2)
                return;
        x[i + 1] += t;
    }
}
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        go(i, n, x);
}
