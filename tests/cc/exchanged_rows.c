// Tables of rows that steps exchange: at file scope, of a function, parameters; two and three of them, with rows of
// their own or in one block, handed to functions. Where rows are not of one length the regions move one by one.
// build: -fdouble=pair
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char cell;

static cell **world, **next;

static float **rows(int n, int m) { // each by itself
    float **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = calloc(m, sizeof **t);
    return t;
}

static double **block(int n, int m) {
    double **t = malloc(n * sizeof *t), *all = calloc((size_t)n * m, sizeof *all);
    for (int i = 0; i < n; i++)
        t[i] = all + (size_t)i * m;
    return t;
}

static int neighbours(cell **w, int n, int i, int j) {
    int count = 0;
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
            if (di || dj) count += w[(i + di + n) % n][(j + dj + n) % n];
    return count;
}

static int life(int n, int steps) {
    int alive = 0;
    for (int t = 0; t < steps; t++) { // GPU: 1 call, 1 dispatch
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int count = neighbours(world, n, i, j);
                next[i][j] = count == 3 || (count == 2 && world[i][j]);
            }
        cell **t2 = world;
        world = next;
        next = t2;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            alive += world[i][j] * (i + 2 * j);
    return alive;
}

// Functions that name the tables at file scope, in which the parallel loop stands, and what that calls; one that sets
// them itself.
static int around(int n, int i, int j) { return neighbours(world, n, i, j); }

static void evolve(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int count = around(n, i, j);
            next[i][j] = count == 3 || (count == 2 && world[i][j]);
        }
}

static void evolve_and_exchange(int n) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            next[i][j] = (cell)(world[i][j] + neighbours(world, n, i, j)) % 2;
    cell **t = world;
    world = next;
    next = t;
}

static int live(int n, int steps) {
    int alive = 0;
    for (int t = 0; t < steps; t++) { // GPU: 1 call, 1 dispatch
        evolve(n);
        cell **was = world;
        world = next, next = was;
    }
    for (int t = 0; t < 3; t++) // CPU, the loop: the table 'world' is one array on the device
        evolve_and_exchange(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            alive += world[i][j] * (i + 2 * j) + next[i][j];
    return alive;
}

// By way of a variable of the function; it ends when the data say so.
static int settle(double **u, double **unew, int n, double eps, double *out) {
    double diff = 2 * eps, **tmp;
    int steps = 0;
    while (diff > eps && steps < 60) { // GPU
        diff = 0;
#pragma omp parallel for reduction(max : diff)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                unew[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                double d = unew[i][j] > u[i][j] ? unew[i][j] - u[i][j] : u[i][j] - unew[i][j];
                if (d > diff) diff = d;
            }
        tmp = u;
        u = unew;
        unew = tmp;
        steps++;
    }
    *out = u[1][n / 2] + 10 * unew[n / 2][1] + diff;
    return steps;
}

// Three of them, in a circle.
static float wave(float **old, float **now, float **then, int n, int m, int steps) {
    float sum = 0;
    for (int t = 0; t < steps; t++) { // GPU: 2 calls
        float **first = old;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                then[i][j] = 1.5f * now[i][j] - old[i][j] + 0.125f * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        old = now, now = then, then = first;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += now[i][j] * (float)(i + 1) + old[i][j] * (float)(j + 1) + then[i][j];
    return sum;
}

// Members of a struct.
struct grid {
    int n;
    double **u, **v;
};

static double relax(struct grid *g, int steps) {
    double sum = 0;
    for (int t = 0; t < steps; t++) { // GPU: 1 call, 1 dispatch
#pragma omp parallel for
        for (int i = 1; i < g->n - 1; i++)
            for (int j = 1; j < g->n - 1; j++)
                g->v[i][j] = 0.5 * g->u[i][j] + 0.25 * (g->u[i - 1][j] + g->u[i][j + 1]);
        double **was = g->u;
        g->u = g->v;
        g->v = was;
    }
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->n; j++)
            sum += g->u[i][j] * i + g->v[i][j];
    return sum;
}

// One of them has longer rows.
static float unequal(int n, int steps) {
    float **a = rows(n, n), **b = rows(n, n + 64), sum = 0;
    for (int i = 0; i < n; i++)
        a[i][0] = a[i][n - 1] = b[i][0] = b[i][n - 1] = (float)i;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for // GPU: 3 calls
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.5f * (a[i][j - 1] + a[i][j + 1]);
        float **q = a;
        a = b;
        b = q;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i][j];
    return sum;
}

int main(void) {
    enum { N = 24, M = 30 };
    world = malloc(N * sizeof *world);
    next = malloc(N * sizeof *next);
    for (int i = 0; i < N; i++) {
        world[i] = malloc(N);
        next[i] = malloc(N);
        for (int j = 0; j < N; j++)
            world[i][j] = (i * 7 + j * 3) % 5 == 0;
    }
    cell **was = world;
    int alive = life(N, 7);
    printf("%d %d\n", alive, world == was);
    printf("%d\n", live(N, 4));
    double **u = block(N, N), **v = block(N, N), out;
    for (int i = 0; i < N; i++)
        u[i][0] = v[i][0] = u[0][i] = v[0][i] = 100;
    int steps = settle(u, v, N, 0.25, &out);
    printf("%d %.9g\n", steps, out);
    struct grid g = {N, u, v};
    double sum = relax(&g, 5);
    printf("%.9g %d\n", sum, g.u == v);
    float **a = rows(N, M), **b = rows(N, M), **c = rows(N, M);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            a[i][j] = b[i][j] = (float)((i * j) % 7) * 0.125f;
    printf("%.6g\n", wave(a, b, c, N, M, 4));
    printf("%.6g\n", wave(a, b, a, N, M, 1)); // two are the same table
    printf("%.6g\n", unequal(N, 3));
    return 0;
}
