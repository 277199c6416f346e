// Neighbours change places, in odd and even pairs in turn: where a phase starts depends on which it is. Then sums by a tree up and
// down, whose steps double and halve.
// test: -i n=128 -i x=uniform:lo=0,hi=1000,seed=10
// check: exact
// dispatches: 1
void odd_even(int n, int x[n]) {
    for (int t = 0; t < n; t++) {
#pragma omp parallel for
        for (int i = t % 2; i < n - 1; i += 2)
            if (x[i] > x[i + 1]) {
                int kept = x[i];
                x[i] = x[i + 1];
                x[i + 1] = kept;
            }
    }
    for (int step = 1; step < n; step *= 2) {
#pragma omp parallel for
        for (int i = 2 * step - 1; i < n; i += 2 * step)
            x[i] += x[i - step];
    }
    for (int step = n / 4; step > 0; step /= 2) {
#pragma omp parallel for
        for (int i = n - 1 - step; i >= 2 * step - 1; i -= 2 * step)
            x[i] += x[i - step];
    }
}
