// Indices that would leave their arrays, but for conditions, jumps and data: nothing is said of them.
// test: -i n=12 -i end=const:3
// check: exact
void f(int n, const int end[n], int x[n], int y[n][4]) {
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        if (i < n) x[i] = i + 1 < n && end[i + 1] > 2 ? end[i + 1] : 7;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 9; j++) {
            if (j == end[i]) break;
            y[i][j] = i * 10 + j;
        }
        for (int j = i; j < 2 * n; j++) {
            if (j >= n) continue;
            y[j][3] = j;
        }
        if (end[i] > 5) x[i + n] = 1;
        int k = 0;
        while (k < end[i])
            k++;
        if (k > 4) x[n * k] = 1;
        for (int j = 0; j < end[i]; j++)
            if (i + j < n && j == 0) x[i + j] += 1;
    }
}
