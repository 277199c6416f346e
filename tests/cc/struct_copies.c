// Copies of structs that hold pointers, and other names for them, also of structs inside of structs, from arrays that iterations go through.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    double h;
    double *u, *f;
    int shift[3];
};
struct level {
    struct grid grid;
    int depth;
};
struct mesh {
    struct grid *blocks;
    int count;
    struct level *levels;
};
struct part {
    double x, v;
};
struct cell {
    int n;
    struct part part[4];
};
struct box {
    struct cell *cells;
    int count;
    double weight;
};

static double at(struct grid g, int i) { return g.u[i] * g.h; }
static double sum(const struct grid *g) {
    double s = 0;
    for (int i = 0; i < g->n; i++)
        s += g->u[i] * g->h + g->shift[1];
    return s;
}

static struct grid make(int n, int b) {
    struct grid g = {n, 0.5, malloc((size_t)n * sizeof(double)), malloc((size_t)n * sizeof(double)), {1, 2, 3}};
    for (int i = 0; i < n; i++) {
        g.u[i] = i % 10 + b;
        g.f[i] = b;
    }
    return g;
}

static void whole(struct mesh *m, const struct grid *one) {
    int n = m->blocks[0].n;
#pragma omp parallel for // GPU
    for (int b = 0; b < m->count; b++) {
        struct grid g = m->blocks[b];
        for (int i = 0; i < g.n; i++)
            g.u[i] += g.h * g.f[i] + g.shift[2];
    }
#pragma omp parallel for // GPU
    for (int b = 0; b < m->count; b++) {
        struct grid g = m->blocks[b];
        for (int i = 1; i < g.n; i++)
            g.f[i] += at(g, i - 1);
        g.f[0] = sum(&g);
    }
#pragma omp parallel // GPU
    {
        struct grid g = *one;
#pragma omp for
        for (int i = 0; i < g.n; i++)
            g.u[i] -= g.h;
    }
    for (int b = 0; b < m->count; b++) { // GPU
        struct grid g = m->blocks[b];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            g.u[i] += g.shift[0];
    }
}

static void nested(struct mesh *m) {
#pragma omp parallel for // GPU
    for (int b = 0; b < m->count; b++) {
        struct grid g = m->levels[b].grid;
        for (int i = 0; i < g.n; i++)
            g.u[i] += g.h * m->levels[b].depth;
    }
#pragma omp parallel for // GPU
    for (int b = 0; b < m->count; b++) {
        struct level *own = &m->levels[b];
        struct grid *g = &own->grid;
        for (int i = 0; i < g->n; i++)
            g->f[i] += own->depth;
        g->f[0] = sum(&own->grid);
    }
#pragma omp parallel for // GPU
    for (int b = 0; b < m->count; b++)
        m->levels[b].grid.f[1] += sum(&m->levels[b].grid);
}

// What the copy, or the struct that it is one of, has changes: these stay on the CPU.
static void changes(struct mesh *m) {
#pragma omp parallel for // CPU: these are pointers
    for (int b = 0; b < m->count; b++) {
        struct grid g = m->blocks[b];
        g.n /= 2;
        for (int i = 0; i < g.n; i++)
            g.u[i] += 1;
    }
#pragma omp parallel for // CPU: these are pointers
    for (int b = 0; b < m->count; b++) {
        struct grid g = m->blocks[b];
        m->blocks[b].h = 9;
        g.f[2] = g.h;
    }
#pragma omp parallel for // CPU: these are pointers
    for (int b = 0; b < m->count; b++) {
        struct grid g = m->blocks[b];
        g.shift[1] += b;
        g.f[3] = g.shift[1];
    }
}

static void cells(struct box *boxes, int count) {
#pragma omp parallel for // GPU
    for (int b = 0; b < count; b++)
        for (int i = 0; i < boxes[b].count; i++)
            for (int j = 0; j < boxes[b].cells[i].n; j++)
                boxes[b].cells[i].part[j].x += boxes[b].cells[i].part[j].v * boxes[b].weight;
#pragma omp parallel for // GPU
    for (int b = 0; b < count; b++) {
        struct box *box = &boxes[b];
        for (int i = 0; i < box->count; i++) {
            struct cell *c = &box->cells[i];
            for (int j = 0; j < c->n; j++) {
                struct part *p = &c->part[j];
                p->v += p->x * box->weight;
            }
        }
    }
}

int main(void) {
    enum { COUNT = 5, N = 60 };
    struct mesh mesh = {malloc(COUNT * sizeof(struct grid)), COUNT, malloc(COUNT * sizeof(struct level))};
    struct box *boxes = malloc(COUNT * sizeof *boxes);
    for (int b = 0; b < COUNT; b++) {
        mesh.blocks[b] = make(N, b);
        mesh.levels[b].grid = make(N, b + 10);
        mesh.levels[b].depth = b;
        boxes[b].cells = calloc(N, sizeof(struct cell));
        boxes[b].count = N - b;
        boxes[b].weight = b;
        for (int i = 0; i < N; i++) {
            boxes[b].cells[i].n = i % 5;
            for (int j = 0; j < 4; j++)
                boxes[b].cells[i].part[j].v = j;
        }
    }
    whole(&mesh, &mesh.blocks[2]);
    nested(&mesh);
    changes(&mesh);
    cells(boxes, COUNT);
    for (int b = 0; b < COUNT; b++) {
        double u = 0, f = 0, x = 0;
        for (int i = 0; i < N; i++) {
            u += mesh.blocks[b].u[i] + mesh.levels[b].grid.u[i] * 3;
            f += mesh.blocks[b].f[i] * 2 + mesh.levels[b].grid.f[i];
            for (int j = 0; j < 4; j++)
                x += boxes[b].cells[i].part[j].x + 2 * boxes[b].cells[i].part[j].v;
        }
        printf("%g %g %g %g\n", u, f, x, mesh.blocks[b].h);
    }
    return 0;
}
