// Parts of an array that each thread finds by its number and a member of a struct, a vector array for each; and such as may not stand for an
// expression, since the region sets what they were found by.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef float vec[3];
typedef struct {
    int n, first;
    float *part, *sum;
    vec *force;
} cells;
struct size {
    int n, m;
};

struct dims {
    int d[3];
};

static int wide = 30;
static struct dims grid = {{30, 2, 3}};
static float part[5000];

static int both(struct size s) { return s.n + s.m; }
static void widen(void) { wide = 9; }
static void set(int *p) { p[0] = 9; }
static void set_grid(void) { grid.d[0] = 9; }

static void forces(cells *c) {
    vec *all = calloc((size_t)c->n * (size_t)omp_get_max_threads(), sizeof *all);
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads();
        vec *own = all + (size_t)id * c->n;
        for (int i = id; i < c->n; i += threads)
            for (int q = 0; q < 3; q++) {
                own[i][q] += (float)i;
                own[c->n - 1 - i][q] -= 0.5f * (float)i;
            }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < c->n; i++)
            for (int k = 0; k < threads; k++)
                for (int q = 0; q < 3; q++)
                    c->force[i][q] += all[(size_t)k * c->n + i][q];
    }
    free(all);
}

static void sums(cells *c) {
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads(), from = id * c->first;
        float *own = c->part + (size_t)id * c->n;
        for (int i = id; i < c->n; i += threads)
            own[i] += (float)(i + from);
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < c->n; i++)
            for (int k = 0; k < threads; k++)
                c->sum[i] += c->part[(size_t)k * c->n + i];
    }
}

static void moved(cells *c) {
#pragma omp parallel num_threads(2) // CPU: is a pointer that differs between threads
    {
        int id = omp_get_thread_num();
        float *own = c->part + (size_t)id * 51;
#pragma omp barrier
#pragma omp single
        c->part = c->sum;
        own[5] += (float)(id + 1);
    }
}

static void resized(void) {
    struct size s = {30, 2};
#pragma omp parallel num_threads(2) // CPU: is a pointer that differs between threads
    {
        int id = omp_get_thread_num();
        float *own = part + id * s.n;
#pragma omp barrier
        own[4] += (float)both(s);
#pragma omp barrier
#pragma omp single
        s.n = 50;
        own[3] += (float)(1 + id);
    }
#pragma omp parallel num_threads(2) // CPU: is a pointer that differs between threads
    {
        int id = omp_get_thread_num();
        float *own = part + id * wide;
#pragma omp barrier
#pragma omp single
        widen();
        own[7] += (float)(1 + id);
    }
}

// An element of a struct's array, to which others lead, too.
static void by_elements(void) {
    struct dims s = {{30, 2, 3}};
#pragma omp parallel num_threads(2) // CPU: is a pointer that differs between threads
    {
        int id = omp_get_thread_num();
        float *own = part + id * s.d[0];
#pragma omp barrier
#pragma omp single
        set(s.d);
        own[11] += (float)(1 + id);
    }
    s.d[0] = 30;
#pragma omp parallel num_threads(2) // CPU: is a pointer that differs between threads
    {
        int id = omp_get_thread_num(), *q = s.d;
        float *own = part + id * s.d[0];
#pragma omp barrier
#pragma omp single
        q[0] = 9;
        own[13] += (float)(1 + id);
    }
#pragma omp parallel num_threads(2) // CPU: is a pointer that differs between threads
    {
        int id = omp_get_thread_num();
        float *own = part + id * grid.d[0];
#pragma omp barrier
#pragma omp single
        set_grid();
        own[17] += (float)(1 + id);
    }
}

int main(void) {
    cells c = {100, 3, calloc(6400, sizeof(float)), calloc(100, sizeof(float)), calloc(100, sizeof(vec))};
    float *parts = c.part;
    forces(&c);
    sums(&c);
    moved(&c);
    resized();
    by_elements();
    for (int i = 0; i < c.n; i += 9)
        printf("%g %g\n", (double)c.force[i][i % 3], (double)c.sum[i]);
    printf("%g %g\n", (double)parts[5], (double)parts[56]);
    for (int i = 0; i < 100; i++)
        if (part[i] != 0) printf("%d %g\n", i, (double)part[i]);
    return 0;
}
