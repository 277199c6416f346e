// Structs that may not be changed, handed to functions by their address, and members of them beside it.
#include <stdio.h>
struct box {
    int w, h;
    float scale;
};
struct grid {
    struct box box;
    int *x;
};
static int place(const struct box *b, int i) { return i % b->w + b->h * 2; }
static void fill(const struct grid *g, int n) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        g->x[i] += place(&g->box, i);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (i > g->box.w) g->x[i] += place(&g->box, i) * (int)g->box.scale;
}
struct list {
    int n;
    const int *next;
    int *cost;
};
// pointers change places beside members of a struct that may not be changed
static int shortest(const struct list *l, int *d, int *e) {
    int changed;
    do { // GPU
        changed = 0;
#pragma omp parallel for reduction(| : changed)
        for (int i = 0; i < l->n; i++) {
            int other = d[l->next[i]] + l->cost[i];
            e[i] = other < d[i] ? other : d[i];
            changed |= e[i] != d[i];
        }
        int *t = d;
        d = e;
        e = t;
    } while (changed);
    return d[1] + d[500];
}
int main(void) {
    static int x[1000];
    const struct box own = {7, 3, 1.5f};
    const int k = 5;
    struct grid g = {own, x};
    fill(&g, 1000);
#pragma omp parallel for // GPU
    for (int i = 0; i < 1000; i++) {
        const int *p = &k;
        x[i] += place(&own, i) + *p;
    }
    for (int t = 0; t < 3; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < g.box.h * 10; i++)
            g.x[i] += place(&g.box, i) + g.box.w;
        g.box.w += t;
        (&g.box)->h++;
    }
    static int next[1000], cost[1000], d[1000], e[1000];
    for (int i = 0; i < 1000; i++) {
        next[i] = i - 1 - i / 100 * (i % 7) < 0 ? 0 : i - 1 - i / 100 * (i % 7);
        cost[i] = i % 13 + 1;
        d[i] = i ? 1000000 : 0;
    }
    const struct list l = {1000, next, cost};
    printf("%d\n", shortest(&l, d, e));
    printf("%d %d %d %d\n", x[0], x[31], x[999], g.box.w);
    return 0;
}
