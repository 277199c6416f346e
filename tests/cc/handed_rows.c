// build: -Wno-maybe-uninitialized
// Tables of pointers to rows that go to functions: a parameter's name is none of the table's, one function hands it on, one has two of different
// widths, tables of planes and one plane of them; and what is no such table.
#include <stdio.h>
#include <stdlib.h>

struct cloud {
    float **points;
    int n, m;
};

static int nearest(const float *x, int m, float **, int);
static float apart(float **of, int which, const float *x, int m);

static int nearest(const float *x, int m, float **pts, int k) {
    int at; // of no value, as nobody asks for it if k is 0
    float best = 1e30f;
    for (int i = 0; i < k; i++) {
        float d = apart(pts, i, x, m);
        if (d < best) {
            best = d;
            at = i;
        }
    }
    return at;
}

static float apart(float *of[], int which, const float *x, int m) {
    float d = 0;
    for (int j = 0; j < m; j++)
        d += (of[which][j] - x[j]) * (of[which][j] - x[j]);
    return d;
}

static float product(float **a, float **b, int i, int j, int m) {
    float sum = 0;
    for (int k = 0; k < m; k++)
        sum += a[i][k] * b[k][j];
    return sum;
}

static void plane(float **p, float ***all, int i, int b, int c) {
    for (int j = 0; j < b; j++)
        for (int k = 0; k < c; k++)
            p[j][k] = all[i][j][k] + 1;
}

static float edges(float **a, int n) { return a[0][0] - a[n - 1][1]; }
static float first(float **rows) { return rows[0][0] + rows[1][0]; }
static unsigned bytes(float **rows) { return (unsigned)sizeof(rows[0]) + (rows[0][0] > 5); }

static float **table(int n, int m, int together) {
    float **a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[i] = !together || i == 0 ? malloc((size_t)(together ? n * m : m) * sizeof **a) : a[i - 1] + m;
        for (int j = 0; j < m; j++)
            a[i][j] = (float)((i * 5 + j * 3) % 11);
    }
    return a;
}

int main(void) {
    enum { N = 60, M = 4, K = 5 };
    struct cloud cloud = {table(N, M, 1), N, M}, *c = &cloud;
    float **centres = table(K, M, 0), **wide = table(M, 9, 1), ***u = malloc(3 * sizeof *u), ***v = malloc(3 * sizeof *v);
    float **counts = table(2, K, 0), x[N], y[N], z[N];
    unsigned size[N];
    for (int i = 0; i < 3; i++)
        u[i] = table(4, 6, 0), v[i] = table(4, 6, 0);
#pragma omp parallel for // GPU
    for (int i = 0; i < c->n; i++) {
        int at = nearest(c->points[i], c->m, centres, K);
#pragma omp atomic
        counts[0][at]++;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        x[i] = product(c->points, wide, i, i % 9, M) + product(wide, wide, i % M, 2, 1) + edges(&centres[i % 3], 2) + edges(wide + 1, M - 1);
#pragma omp parallel for // GPU
    for (int i = 0; i < 3; i++)
        plane(v[i], u, i, 4, 6);
#pragma omp parallel for // CPU: the pointers that 'rows' of first takes are rows of arrays here, and others in another call: write the function twice (line
    for (int i = 0; i < N; i++) {
        float *own[2] = {c->points[i], centres[1]};
        y[i] = first(own) + first(centres);
    }
#pragma omp parallel for // CPU: sizeof of the array 'rows': write its size
    for (int i = 0; i < N; i++)
        size[i] = bytes(centres);
#pragma omp parallel for // CPU: sizeof of the array 'centres': write its size
    for (int i = 0; i < N; i++)
        z[i] = (float)sizeof *centres + centres[i % K][1];
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (float)(i % 7) + y[i] + z[i] + (float)size[i];
    for (int k = 0; k < K; k++)
        printf("%g ", (double)counts[0][k]);
    printf("%g %g\n", (double)sum, (double)v[2][3][5]);
    return 0;
}
