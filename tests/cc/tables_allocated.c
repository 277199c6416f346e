// build: -fdouble=pair
// Tables of rows that iterations, functions that they call, and threads allocate for themselves: by functions of the file, in one
// piece or row by row, from 0 and from 1, and by statements. What is no such table stays.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define NR_END 1
static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}
static void *need(size_t bytes) {
    void *p = malloc(bytes);
    if (!p) stop("no memory");
    return p;
}
static double **matrix(long row_low, long row_high, long low, long high) {
    long i, rows = row_high - row_low + 1, columns = high - low + 1;
    double **m;
    m = (double **)malloc((size_t)(rows + NR_END) * sizeof(double *));
    if (!m) stop("allocation failure 1");
    m += NR_END;
    m -= row_low;
    m[row_low] = (double *)malloc((size_t)(rows * columns + NR_END) * sizeof(double));
    if (!m[row_low]) stop("allocation failure 2");
    m[row_low] += NR_END;
    m[row_low] -= low;
    for (i = row_low + 1; i <= row_high; i++)
        m[i] = m[i - 1] + columns;
    return m;
}
static void free_matrix(double **m, long row_low, long low) {
    free((char *)(m[row_low] + low - NR_END));
    free((char *)(m + row_low - NR_END));
}
static int **counts(int n, int m) { // the memory of all rows has a name
    int **t = need((size_t)n * sizeof(int *)), *p = need((size_t)n * (size_t)m * sizeof(int));
    for (int i = 0; i < n; i++) {
        t[i] = p;
        p += m;
    }
    return t;
}
static float **zeros(int n, int m) {
    float **t = malloc((size_t)n * sizeof *t);
    assert(t != NULL);
    for (int i = 0; i < n; i++) {
        t[i] = malloc((size_t)m * sizeof **t);
        if (t[i] == NULL) stop("no row");
        for (int j = 0; j < m; j++)
            t[i][j] = 0.0f;
    }
    return t;
}
static float **cleared(int n, int m) {
    float **t = malloc((size_t)n * sizeof(float *));
    t[0] = calloc((size_t)(n * m), sizeof(float));
    for (int i = 1; i < n; i++)
        t[i] = &t[0][i * m];
    return t;
}
static void drop(float **t, int n) {
    for (int i = 0; i < n; i++)
        free(t[i]);
    free(t);
}
static float **triangle(int n) { // rows of other lengths
    float **t = malloc((size_t)n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = malloc((size_t)(i + 1) * sizeof **t);
    return t;
}
static float **sliding(int n, int m) { // rows that share their elements
    float **t = malloc((size_t)n * sizeof *t), *all = malloc((size_t)(n + m) * sizeof *all);
    for (int i = 0; i < n; i++)
        t[i] = all + i * 1;
    return t;
}
struct holder {
    float **rows;
};
static int made;
static float **counted(int n) { // it does more
    made++;
    float **t = malloc((size_t)n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = malloc((size_t)n * sizeof **t);
    return t;
}
static void fill(double **t, int n, int k) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            t[i][j] = i == j ? 9 : i * j % 5 + k % 3;
}
static double determinant(double **t, int n) {
    double d = 1;
    for (int i = 1; i <= n; i++) {
        for (int k = i + 1; k <= n; k++) {
            double f = t[k][i] / t[i][i];
            for (int j = i; j <= n; j++)
                t[k][j] -= f * t[i][j];
        }
        d *= t[i][i];
    }
    return d;
}
static int common(const int *x, const int *y, int n, int m) { // the longest sequence that both have
    int **t, i, j;
    t = counts(n + 1, m + 1);
    for (i = 0; i <= n; i++)
        for (j = 0; j <= m; j++) {
            t[i][j] = 0;
            if (i && j && x[i - 1] == y[j - 1])
                t[i][j] = t[i - 1][j - 1] + 1;
            else if (i && j)
                t[i][j] = t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
        }
    i = t[n][m];
    free(t[0]);
    free(t);
    return i;
}
static float sum(const float *x, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

int main(void) {
    int n = 7, m = 9, x[300];
    double d[100];
    float y[100];
    for (int i = 0; i < 300; i++)
        x[i] = i * i % 11 % 4;
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++)
        y[i] = (float)common(x + i, x + 2 * i, n, m);
#pragma omp parallel // GPU
    {
        double **t = matrix(1, n, 1, n), **u;
        u = matrix(0, n, 0, m);
#pragma omp for
        for (int i = 0; i < 100; i++) {
            fill(t, n, i);
            u[n][m] = i;
            d[i] = determinant(t, n) + 2 * u[n][m];
        }
        free_matrix(t, 1, 1);
        free_matrix(u, 0, 0);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++) {
        double **t = matrix(1, n, 1, n);
        fill(t, n, i / 2);
        d[i] += determinant(t, n);
        free_matrix(t, 1, 1);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++) {
        float **t = zeros(n, m), **u = cleared(n, m), *row = t[2], *all = u[0];
        row[i % m] += (float)i;
        u[n - 1][m - 1] = 2;
        all[m + 1] += 3; // its next row
        for (int k = 0; k < n; k++)
            y[i] += sum(t[k], m) + sum(u[k], m) * (float)k;
        drop(t, n);
        free(u[0]);
        free(u);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++) {
        float **t = malloc((size_t)n * sizeof *t);
        for (int k = 0; k < n; k++)
            t[k] = malloc((size_t)m * sizeof **t);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++)
                t[k][j] = (float)(k + j * i);
        y[i] += t[n - 1][m - 1] + sum(t[3], m);
        for (int k = 0; k < n; k++)
            free(t[k]);
        free(t);
    }
#pragma omp parallel for // CPU: `free` stays on the CPU
    for (int i = 0; i < 100; i++) {
        float **t = triangle(n);
        t[n - 1][n - 1] = (float)i;
        y[i] += t[n - 1][n - 1];
        drop(t, n);
    }
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < 100; i++) {
        float **t = sliding(n, m);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++)
                t[k][j] = (float)(k * 10 + j);
        y[i] += t[0][3];
        free(t[0]);
        free(t);
    }
#pragma omp parallel for // CPU: `free` stays on the CPU
    for (int i = 0; i < 100; i++) {
        float **t = counted(n);
        t[1][1] = (float)i;
        y[i] += t[1][1];
        drop(t, n);
    }
#pragma omp parallel // CPU: `malloc` stays on the CPU
    {
        float **t = cleared(n, m), **first = t;
#pragma omp for
        for (int i = 0; i < 100; i++) { // what was there goes on
            first[i % n][2]++;
            y[i] += first[i % n][2] > 0;
        }
        free(t[0]);
        free(t);
    }
#pragma omp parallel for            // CPU:
    for (int i = 0; i < 100; i++) { // the size of a pointer
        float **t = zeros(n, m), *first = &t[0][0], *next = *(t + 1);
        first[1] = next[2] = (float)sizeof t[i % 2];
        y[i] += first[1] + next[2] + (float)sizeof(*t);
        drop(t, n);
    }
    float **h = zeros(n, m);
    h[1][2] = 3;
#pragma omp parallel for // CPU: the table 'h' is one array on the device
    for (int i = 0; i < 100; i++) {
        struct holder q = {h};
        float **t = zeros(n, m);
        t[i % n][i % m] = q.rows[1][2];
        y[i] += t[2][3];
        drop(t, n);
    }
    double s = 0;
    for (int i = 0; i < 100; i++)
        s += d[i] * (i % 3) / 1e6 + (double)y[i] * (i % 5);
    printf("%.6f %d\n", s, made > 0);
    return 0;
}
