// build: -fdouble=pair
// Other names in the region for structs that hold pointers: of a pointer's, one of another one, of an element's address; and one that goes on.
#include <stdio.h>
#include <stdlib.h>
struct atoms {
    int n;
    double (*r)[3], *u;
    int *kind;
};
struct cells {
    int n, *count, **nbr;
    struct atoms *atoms;
};
struct sim {
    struct cells *boxes;
    struct atoms *atoms;
    double cut, *mass;
};
static double dist(const struct atoms *a, int i, int j) {
    double s = 0;
    for (int k = 0; k < 3; k++)
        s += (a->r[i][k] - a->r[j][k]) * (a->r[i][k] - a->r[j][k]);
    return s;
}
static double weight(const struct sim *s, int i) {
    const struct cells *c = s->boxes;
    const struct atoms *a = c->atoms;
    return s->mass[a->kind[i]] * c->count[i / 4] + dist(a, i, 0);
}
static double weights(struct sim *s) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < s->atoms->n; i++)
        sum += weight(s, i);
    return sum;
}
static double force(struct sim *s) {
    double e = 0;
#pragma omp parallel for reduction(+ : e) // GPU: 2 calls
    for (int b = 0; b < s->boxes->n; b++) {
        struct cells *c = s->boxes;
        struct atoms *a = c->atoms;
        const struct atoms *same = s->atoms;
        for (int i = b * 4; i < b * 4 + c->count[b]; i++)
            for (int k = 0; k < 2; k++) {
                int o = c->nbr[b][k];
                for (int j = o * 4; j < o * 4 + c->count[o]; j++)
                    if (i != j) {
                        double d = dist(a, i, j);
                        if (d < s->cut) {
                            a->u[i] += 1 / d;
                            e += s->mass[same->kind[j]] / d;
                        }
                    }
            }
    }
    return e;
}
static double first_of(struct cells *list, int k, int n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // CPU: 'list': the fields of a struct that is passed must be
    for (int i = 0; i < n; i++) {
        const struct cells *own = &list[k], *unused = NULL;
        sum += own->count[i] + (unused != NULL);
    }
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++) {
        const struct cells *own = &list[k];
        const struct atoms *const a = own->atoms;
        sum += own->count[i] * a->u[i];
    }
#pragma omp parallel for reduction(+ : sum) // CPU: the fields of a struct that is passed must be
    for (int i = 0; i < n; i++) {
        const struct cells *own = &list[0];
        own += k;
        sum += own->count[i];
    }
    return sum;
}
int main(void) {
    struct sim s;
    int n = 10;
    struct cells c = {n, malloc(n * 4), malloc(n * sizeof(int *)), NULL};
    struct atoms a = {n * 4, calloc(n * 4, 24), calloc(n * 4, 8), calloc(n * 4, 4)};
    double mass[] = {1, 2};
    c.atoms = &a;
    s.boxes = &c;
    s.atoms = &a;
    s.cut = 5;
    s.mass = malloc(16);
    s.mass[0] = mass[0];
    s.mass[1] = mass[1];
    for (int b = 0; b < n; b++) {
        c.count[b] = 2 + b % 3;
        c.nbr[b] = malloc(8);
        c.nbr[b][0] = b;
        c.nbr[b][1] = (b + 1) % n;
    }
    for (int i = 0; i < n * 4; i++) {
        a.kind[i] = i & 1;
        for (int k = 0; k < 3; k++)
            a.r[i][k] = (i * (k + 2)) % 5 * 0.5 + i * 0.01;
    }
    double e = force(&s) + force(&s), u = first_of(&c, 0, n) + weights(&s);
    for (int i = 0; i < n * 4; i++)
        u += a.u[i] * i;
    printf("%.7f %.7f\n", e, u);
}
