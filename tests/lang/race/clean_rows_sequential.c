// The same loops as in racy tests beside it, with conditions of the outer counter under which no two iterations meet.
// test: -i n=24
// check: exact
void f(int n, int x[n][n], int y[n]) {
    for (int i = 0; i < n; i++) {
        if (i > 0) {
#pragma omp parallel for
            for (int j = 1; j < n; j++)
                x[i][j] = x[i - 1][j - 1] + j;
        }
    }
    for (int d = 0; d < 9; d++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (d == 0 || (i < d && i + d < n))
                y[i] += d == 0 ? y[i] : y[i + d];
    }
    int shift = 1;
    for (int t = 0; t < 5; t++) {
        if (x[0][0] > -1) shift = n;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i + shift < n) y[i] = y[i + shift] + 1;
    }
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i == k) y[k] = x[k][i];
    }
}
