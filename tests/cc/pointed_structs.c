// build: -fdouble=pair
// Structs that the pointers of an array lead to, with pointers in them: by a parameter, a member, an array at file scope, by another name, in
// functions, with pointers behind those that are there; and what has to stay: pointers that are one, that change, that are followed, and
// structs that the region knows by other names, too.
#include <stdio.h>
#include <stdlib.h>

struct point {
    double x, y;
};
typedef struct body {
    char *name;
    struct point at, v;
    double mass, force[2];
    int kind;
    unsigned char tag;
    struct body *next;
} body;
struct world {
    int count;
    body **bodies;
};
static body *known[80];
static int known_count;

static void forces(struct world *w) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < w->count; i++) {
        body *own = w->bodies[i];
        own->force[0] = own->force[1] = 0;
        for (int k = 0; k < w->count; k++) {
            const body *other = w->bodies[k];
            double dx = other->at.x - own->at.x, dy = other->at.y - own->at.y, d = dx * dx + dy * dy + 1;
            own->force[0] += other->mass * dx / d;
            own->force[1] += other->mass * dy / d;
        }
    }
}
static void move(body **list, int n) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < n; i++) {
        list[i]->v.x += list[i]->force[0] * 0.01;
        list[i]->v.y += list[i]->force[1] * 0.01;
        list[i]->at.x += list[i]->v.x * 0.1;
        list[i]->at.y += list[i]->v.y * 0.1;
        list[i]->tag++;
    }
}
static double energy(const body *b, double by) { return by * b->mass * (b->v.x * b->v.x + b->v.y * b->v.y); }
static double of_known(int i) { return known[i]->mass + known[i]->kind; }

static double sums(body **list, int n) {
    double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 0; i < n; i++)
        s += energy(list[i], 0.5);
#pragma omp parallel for reduction(+ : t) // GPU
    for (int i = 0; i < known_count; i++)
        t += of_known(i) * known[i]->at.x;
    return s + t;
}
static double chosen(body **list, int n, const int *map) { // what is behind those that are there is not looked at
    double s = 0;
#pragma omp parallel for reduction(+ : s) // CPU at run time: where 'list__each__mass' points, no memory is known
    for (int i = 0; i < n; i++)
        s += list[map[i]]->mass;
    return s;
}
static void grow(body **list, int n, double by) {
#pragma omp parallel for // CPU at run time: two rows of 'list__each__mass' are one
    for (int i = 0; i < n; i++)
        list[i]->mass *= by;
}
static double read_twice(body **list, int n) {
    double s = 0;
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 0; i < n; i++)
        s += list[i]->mass;
    return s;
}
static void two_tables(body **a, body **b, int n) {
#pragma omp parallel for // CPU at run time: share memory
    for (int i = 0; i < n; i++)
        a[i]->mass += b[n - 1 - i]->kind * 0.5 + b[i]->mass * 0.01;
}
static void one_of_them(body **list, body *sun, int n) {
#pragma omp parallel for // CPU at run time: points to
    for (int i = 0; i < n; i++)
        if (list[i]->kind < 9) list[i]->mass += sun->mass * 0.125;
}
static void follows(body **list, int n) {
#pragma omp parallel for // CPU:
    for (int i = 0; i < n; i++)
        list[i]->v.x += list[i]->next->mass * 0;
}
static void changes(body **list, int n) {
#pragma omp parallel for // CPU:
    for (int i = 0; i < n / 2; i++) {
        body *t = list[i];
        list[i] = list[n - 1 - i];
        list[n - 1 - i] = t;
        list[i]->kind++;
    }
}
static void before(body **list, int n) { // pointers in front of the parameter's
#pragma omp parallel for                 // GPU
    for (int i = 0; i < n; i++)
        list[i]->kind += i;
#pragma omp parallel for // CPU at run time: is outside of
    for (int i = 0; i < n; i++)
        list[i - 1]->kind += 2;
}

int main(void) {
    static body pool[60];
    struct world w = {60, calloc(70, sizeof *w.bodies)};
    body **some = calloc(60, sizeof *some);
    int *map = calloc(60, sizeof *map);
    if (!w.bodies || !some || !map) return 1;
    for (int i = 0; i < w.count; i++) {
        body *b = i % 3 ? calloc(1, sizeof *b) : &pool[i];
        if (!b) return 1;
        *b = (body){"a body", {i * 7 % 11, i * 5 % 13}, {0, 0}, 1 + i % 4, {0, 0}, i % 5, 250, i ? w.bodies[i - 1] : b};
        w.bodies[i] = b;
        map[i] = 59 - i;
        if (i % 2) known[known_count++] = b;
    }
    for (int t = 0; t < 3; t++) {
        forces(&w);
        move(w.bodies, w.count);
        if (t == 1) printf("%.9g %d\n", w.bodies[5]->at.x, w.bodies[5]->tag); // between the steps
    }
    printf("%.9g %.9g\n", sums(w.bodies, w.count), chosen(w.bodies, w.count, map));
    for (int i = 0; i < 60; i++)
        some[i] = w.bodies[i == 17 ? 3 : i];
    grow(some, 60, 1.5);
    printf("%.9g\n", read_twice(some, 60));
    two_tables(w.bodies, some, 60);
    w.bodies[9]->kind = 9;
    one_of_them(w.bodies, w.bodies[9], 60);
    follows(w.bodies, 60);
    changes(w.bodies, 60);
    before(w.bodies + 2, 50);
    double s = 0;
    for (int i = 0; i < w.count; i++)
        s += w.bodies[i]->mass * i + w.bodies[i]->kind + w.bodies[i]->v.x;
    printf("%.9g %s\n", s, w.bodies[8]->name);
    return 0;
}
