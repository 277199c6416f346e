// What macros leave: names and members in parentheses that are changed, by regions and between them.
#include <stdio.h>
#include <stdlib.h>
#define INC(x) ((x)++)
#define ADD(x, v) ((x) += (v))
#define SWAP(a, b)       \
    {                    \
        float *t_ = (a); \
        (a) = (b);       \
        (b) = t_;        \
    }
struct size {
    int n, m;
    float scale;
};
static int total(struct size s, int i) { return s.n + s.m * i; }
struct grid {
    int n;
    float *a, *b;
};
struct lattice { // pointers in an array, and behind a pointer
    int n;
    float *f[2];
    struct grid *g;
};
#define AT(l, b, q, c) ((l)->f[b][(q) * (l)->n + (c)])
static void fill(struct lattice *l) {
#pragma omp parallel for // GPU
    for (int c = 0; c < (*l).n; c++)
        for (int q = 0; q < 3; q++)
            AT(l, 0, q, c) = q, (*l).f[1][q * l->n + c] = (float)(l)->f[0][c] + 1;
#pragma omp parallel for // GPU
    for (int c = 0; c < (*l).n; c++) {
        if (c > 3) (*(*l).g).a[c] += c;
        for (int q = 0; q < 2; q++)
            (l)->g->a[c] += q;
        (*(l->g)).a[c] += (*l).f[1][c] + (int)(*l->g).n;
    }
}
static int x[2000], y[2000];
static int at, depth;
int main(void) {
    struct size s = {100, 3, 1.5f};
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < s.n; i++)
            x[i] += total(s, i);
        INC(s.n);
        (s.m) += 2;
    }
    printf("A %d %d %d %d\n", s.n, s.m, x[99], x[102]);
    for (int t = 0; t < 5; t++) { // GPU
        int k = 7;
        ADD(k, t);
#pragma omp parallel for
        for (int i = 0; i < s.n; i++) {
            int own = k;
            ADD(own, 3);
            INC(own);
            y[i] += own + total(s, 1);
            ADD(y[i], k);
            INC((y)[i]);
        }
        INC(k), ADD(s.n, -1);
    }
    printf("B %d %d %d\n", s.n, y[3], y[99]);
    struct grid g = {1000, malloc(4000), malloc(4000)};
    for (int i = 0; i < g.n; i++)
        g.a[i] = g.b[i] = (float)(i % 13);
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < g.n - 1; i++)
            g.b[i] = g.a[i - 1] + g.a[i + 1] * 0.5f;
        SWAP(g.a, g.b)
        INC((g).n);
        ADD((g.n), -1);
    }
    printf("C %g %g\n", g.a[7], g.b[500]);
    float *p = g.a, *q = g.b;
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < g.n - 1; i++)
            q[i] = p[i - 1] + p[i + 1] * 0.5f;
        SWAP(p, q)
    }
    printf("D %g %g %d\n", p[7], q[500], p == g.a);
    int count = 0;
    long big = 0;
#pragma omp parallel for
    for (int i = 0; i < 1000; i++) {
        int k;
#pragma omp atomic
        (big) += 2;
#pragma omp critical
        {
            k = count;
            INC(count);
        }
        x[k] = i;
    }
    printf("E %d %ld\n", count, big);
    for (int i = 0; i < 2000; i++)
        x[i] = i % 9;
    int sum = 0;
    for (int t = 0; t < 5; t++) { // GPU
        INC(at);
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            ADD(sum, at * i);
        ADD(depth, 2);
        INC(at);
    }
    printf("F %d %d %d\n", sum, at, depth);
    struct size *v = &s;
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < v->n; i++)
            x[i] += total(*v, i) + v->n;
        INC(v->n);
        ADD((*v).m, 1);
        ((v))->n++;
    }
    printf("G %d %d %d\n", s.n, s.m, x[100]);
    int last = 0, *r = x;
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel for lastprivate(last)
        for (int i = 0; i < 100; i++) {
            (last) = i + t;
            (r)[i] += (last);
            *(r + i) += 1;
        }
        INC(r);
    }
    printf("H %d %d %d\n", last, x[3], x[100]);
    int lim = 10;
    while (lim < 15) {
#pragma omp parallel
        {
            int own = lim, id = 0;
            ADD(own, 1);
#pragma omp for
            for (int i = 0; i < 100; i++) {
                x[i] += own;
                INC(id);
                y[i] += id > 0;
            }
        }
        INC(lim);
    }
    printf("I %d %d\n", x[5], y[5]);
    struct lattice l = {500, {malloc(6000), malloc(6000)}, &g};
    fill(&l);
    printf("J %g %g %g\n", l.f[1][1077], l.f[0][3], g.a[77]);
}
