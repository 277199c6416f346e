// A second array that steps copy back, which is wanted behind them, and used in front of them as often as in them.
//
// test: -i n=64 -i steps=4
// check: exact
void copied_wanted(int n, int steps, int a[n], int out[n]) {
    int w[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        w[i] = i;
        a[i] = w[i] * 3;
    }
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            w[i] = a[(i + 1) % n] + s;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = w[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = w[i] * 3;
}
