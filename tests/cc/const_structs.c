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
    printf("%d %d %d %d\n", x[0], x[31], x[999], g.box.w);
    return 0;
}
