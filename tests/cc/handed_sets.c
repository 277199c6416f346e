// build: -fdouble=pair
// Functions that set numbers of structs which hold pointers: of elements of an array, of those that pointers lead to, of one struct, handed on,
// of structs in them, where two parameters are one struct, and where one is a copy.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double sum, most;
    int count;
} tally;
typedef struct cell {
    double x, v, *history;
    int steps, kind;
    tally seen;
    struct cell *next;
} cell;
typedef struct {
    int n, rounds;
    double dt, *out;
} world;

static void step(cell *c, const world *w) {
    for (int k = 0; k < 4; k++) {
        c->v -= w->dt * c->x;
        c->x += w->dt * c->v;
        c->history[k] = c->x;
    }
    c->steps++;
    c->seen.sum += c->x;
    if (c->x > c->seen.most) c->seen.most = c->x;
    ++c->seen.count;
}
static void note(tally *t, double x) { // a struct of numbers in one that holds pointers
    t->sum += x;
    if (x > t->most) t->most = x;
    t->count++;
}
static double mean(const tally *t) { return t->count ? t->sum / t->count : 0; }
static void watch(cell *c, double by) {
    note(&c->seen, c->x * by);
    c->history[1] += mean(&c->seen);
}
static double of_own(double x) { // one of its own, for which it has another form
    tally t = {x, x, 1};
    note(&t, x * 2);
    return mean(&t);
}
static double pull(cell *to, const cell *from) { // may be one
    double before = from->x;
    to->x += 1;
    to->steps += from->steps;
    return from->x - before + to->x;
}
static double of_copy(cell was, cell *now) { // is another one
    now->x += 2;
    now->kind = was.kind + 1;
    return now->x - was.x;
}
static double changes_copy(cell was) {
    was.x += 3;
    return was.x;
}
static void next_round(world *w) { w->rounds++; }
static void rounds(world *w, int by) {
    next_round(w);
    w->rounds += by;
}

int main(void) {
    enum { N = 60 };
    world w = {N, 0, 0.01, calloc(N, sizeof(double))};
    cell *list = calloc(N, sizeof *list), **some = calloc(N, sizeof *some);
    if (!w.out || !list || !some) return 1;
    for (int i = 0; i < N; i++) {
        list[i] = (cell){i % 7, i % 3, calloc(4, sizeof(double)), 0, i % 5, {0, -1, 0}, NULL};
        some[i] = &list[(i * 7) % N];
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++)
        step(&list[i], &w);
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++) {
        cell *own = &list[i];
        w.out[i] = pull(own, own) * 10 + pull(own, &list[i]);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++)
        w.out[i] += of_copy(list[i], &list[i]);
#pragma omp parallel for // CPU:
    for (int i = 0; i < w.n; i++)
        w.out[i] += changes_copy(list[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++) {
        some[i]->kind += i;
        some[i]->seen.count += 2;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++)
        w.out[i] += pull(some[i], some[i]);
    for (int t = 0; t < 3; t++) { // GPU
        rounds(&w, t);
#pragma omp parallel for
        for (int i = 0; i < w.n; i++)
            w.out[i] += w.rounds;
        next_round(&w);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++)
        watch(&list[i], i % 5);
#pragma omp parallel for // GPU
    for (int i = 0; i < w.n; i++) {
        cell *own = &list[i];
        note(&own->seen, 3);
        note(&list[i].seen, own->x);
        w.out[i] += mean(&own->seen) + own->history[1];
    }
#pragma omp parallel for // CPU: 'note' of the file is handed members of a struct that holds pointers, and other structs
    for (int i = 0; i < w.n; i++) {
        watch(&list[i], 1);
        w.out[i] += of_own(i);
    }
    double s = 0;
    for (int i = 0; i < N; i++) {
        const cell *c = &list[i];
        s += c->x * i + c->v + c->steps * 3 + c->kind + c->history[3] + c->seen.sum + c->seen.most + c->seen.count +
             w.out[i];
    }
    printf("%.9g %d %d %.9g\n", s, w.rounds, list[7].steps, w.out[9]);
    return 0;
}
