// build: -fdouble=pair
// Structs that hold pointers, handed to functions: by pointer, by value, parts of one, handed on, two of one type, with rows behind a member, and
// one that nothing is used of; functions that change a member, or call themselves, and a struct that is not there.
#include <stdio.h>
#include <stdlib.h>

struct table {
    int n;
    double x0, *values;
};
typedef struct {
    int size[2];
    double h;
    struct table *phi;
    struct table rho;
} Grid;
typedef struct model {
    Grid *grid;
    float **rows;
    int *at, count;
    double scale;
} Model;

static double look(const struct table *, double r);
static double both(Model *m, int i);

static double both(Model *m, int i) {
    double sum = look(m->grid->phi, i * 0.1) + look(&m->grid->rho, i * 0.2);
    for (int k = 0; k < m->grid->size[1]; k++)
        sum += m->rows[i % m->count][k] * m->scale;
    return sum;
}
static double look(const struct table *t, double r) {
    const double *v = t->values;
    int k = (int)((r - t->x0) * 4);
    if (k > (t)->n - 2) k = t->n - 2;
    return v[k] + (r - k * 0.25) * (t->values[k + 1] - v[k]);
}
static void gather(Model m, const int *at, double own[4]) {
    for (int k = 0; k < 4; k++)
        own[k] = m.rows[at[k] % m.count][m.grid->size[0] - 1] + m.scale;
}
static int nothing(const Model *unused, int i) { return i + 1; }
static double counted(Model *m, int i) {
    m->count += 0;
    return look(m->grid->phi, i * 0.1);
}
static double again(const Model *m, int i) { return i > 0 ? m->grid->phi->values[0] + again(m, i - 1) : 0; }

static double total(const struct table *t, int n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 2 calls
    for (int i = 0; i < n; i++)
        sum += look(t, i * 0.05);
    return sum;
}

int main(void) {
    enum { N = 100, M = 7 };
    Grid grid = {{3, 5}, 0.5, malloc(sizeof(struct table)), {40, 0, malloc(40 * sizeof(double))}};
    Model model = {&grid, malloc(M * sizeof(float *)), malloc(N * sizeof(int)), M, 1.5}, *m = &model;
    *grid.phi = (struct table){30, 0, malloc(30 * sizeof(double))};
    for (int i = 0; i < 40; i++)
        grid.rho.values[i] = i * i * 0.25, grid.phi->values[i % 30] = i % 30;
    for (int i = 0; i < M; i++) {
        m->rows[i] = malloc(5 * sizeof(float));
        for (int k = 0; k < 5; k++)
            m->rows[i][k] = (float)(i * 3 + k);
    }
    for (int i = 0; i < N; i++)
        m->at[i] = i * 11 % N;
    double x[N], y[N], z[N], w[N];
#pragma omp parallel for default(none) shared(m, x) // GPU
    for (int i = 0; i < N; i++)
        x[i] = both(m, i) + (double)nothing(m, i);
#pragma omp parallel for // GPU
    for (int i = 0; i < N - 4; i++) {
        double own[4];
        gather(model, &model.at[i], own);
        y[i] = own[0] - own[3] + own[1];
    }
#pragma omp parallel for // CPU: 'm__count' is shared by all iterations
    for (int i = 0; i < N; i++)
        z[i] = counted(m, i);
#pragma omp parallel for // CPU: 'm': the fields of a struct that is passed must be
    for (int i = 0; i < N; i++)
        w[i] = again(m, i % 3);
    double sum = total(grid.phi, N) + total(&grid.rho, N / 2) + total(NULL, 0);
    for (int i = 0; i < N - 4; i++)
        sum += x[i] + y[i] * 3 + z[i] * 0.5 + w[i];
    printf("%.9g\n", sum);
    return 0;
}
