// Large arrays in structs at file scope, as programs have them that were in Fortran once: each is an array of its own, and only the first
// begins where the struct begins. Some regions name an integer beside them, some nothing but arrays, some call functions that know the
// struct by its name.
// build: -fdouble=float
// build, too: -fdouble=pair
#include <stdio.h>

enum { NX = 100, NY = 90 };
static struct {
    double u[NX][NY], v[NX][NY];
    int nx, it;
} fields;
static struct { double dx, dt; } params;
static struct {
    double a[NX][NY];
    double total;
} work;
typedef struct {
    double h[NX][NY], q[NX][NY];
    double mass;
    int step;
} state;
static state first, second;

static double source(int i, int j) { return work.a[i][j] * params.dt; }

static void begin(void) {
#pragma omp parallel for // GPU
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) {
            fields.u[i][j] = i * 3 % 7 + j;
            fields.v[i][j] = 0;
            work.a[i][j] = i ^ j;
        }
}

static void step(void) {
#pragma omp parallel for // GPU: 4 calls
    for (int i = 1; i < fields.nx - 1; i++)
        for (int j = 1; j < NY - 1; j++)
            fields.v[i][j] =
                fields.u[i][j] + params.dt / params.dx * (fields.u[i + 1][j] - 2 * fields.u[i][j] + fields.u[i - 1][j]);
#pragma omp parallel for // GPU: 4 calls
    for (int i = 1; i < NX - 1; i++)
        for (int j = 1; j < NY - 1; j++)
            fields.u[i][j] = fields.v[i][j] + source(i, j);
}

static void relax(state *from, state *to) {
#pragma omp parallel for collapse(2) // GPU: 6 calls
    for (int i = 1; i < NX - 1; i++)
        for (int j = 1; j < NY - 1; j++) {
            to->h[i][j] = 0.25 * (from->h[i - 1][j] + from->h[i + 1][j] + from->h[i][j - 1] + from->h[i][j + 1]);
            to->q[i][j] += to->h[i][j];
        }
}

int main(void) {
    double sum = 0;
    params.dx = 2;
    params.dt = 0.125;
    fields.nx = NX;
    begin();
    for (int t = 0; t < 4; t++) {
        step();
        if (t == 1) printf("%g %g\n", fields.v[3][4], fields.u[50][60]);
        fields.v[0][0] = ++fields.it;
    }
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            sum += fields.u[i][j] + fields.v[i][j];
    printf("%.2f %d\n", sum, fields.nx);
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            first.h[i][j] = i * j % 5;
    for (int t = 0; t < 3; t++) {
        relax(&first, &second);
        relax(&second, &first);
        printf("%.2f\n", first.h[3][t]);
    }
    sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            sum += first.h[i][j] + second.q[i][j];
    printf("%.1f\n", sum);
    return 0;
}
