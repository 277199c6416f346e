// Counters that are declared outside of their loops: those of the directive's own loops are private, the others by a clause.
// test: -i n=12
// check: exact
static int triangle(int rows) {
    int sum = 0, k;
    for (k = 0; k < rows; k++)
        sum += k;
    return sum + k;
}

void counters(int n, int x[n][n], int y[n], int out[4]) {
    int i, j, k, t, m, q;
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            x[i][j] = i * j;
        y[i] = j + triangle(i);
    }
#pragma omp parallel for collapse(2)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x[i][j] += i - j;
#pragma omp parallel private(t)
    {
        for (t = 0; t < 3; t++) {
#pragma omp for private(k)
            for (i = 0; i < n; i++) {
                k = t;
                while (k-- > 0)
                    y[i] += k;
#pragma omp simd
                for (q = 0; q < n; q++)
                    x[i][q] += t;
            }
#pragma omp single
            for (m = 0; m < 2; m++)
                out[m] += t;
        }
    }
#pragma omp parallel num_threads(1)
    for (k = 0; k < 4; k++)
        out[2] += k;
    for (k = 0; k < 5; k++)
        out[3] += y[k];
    out[3] += k;
}
