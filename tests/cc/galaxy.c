// build: -fdouble=pair -DDIGITS=10
// build, too: -fdouble=float -DDIGITS=3
// Particles that attract each other, as people write them: an array of structs of doubles and integers, a struct of the solver's parameters
// that goes to functions by value, a vector as a struct, lists of neighbours by cell, energies by reductions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vec3 {
    double x, y, z;
};
struct particle {
    int id;
    struct vec3 at, speed;
    double mass;
    int cell, neighbours;
};
struct solver {
    int n, steps, cells;
    double dt, softening, box;
    long long seed;
    float damping;
};
struct energies {
    double kinetic, potential;
    int bound;
};

static double draw(struct solver *s) {
    s->seed = (s->seed * 25214903917LL + 11) & 0xffffffffffffLL;
    return (double)(s->seed >> 16) / 4294967296.0;
}

static struct vec3 scaled(struct vec3 a, double f) { return (struct vec3){f * a.x, f * a.y, f * a.z}; }
static struct vec3 plus(struct vec3 a, struct vec3 b) { return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static double dot(struct vec3 a, struct vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vec3 pull(const struct particle *a, const struct particle *b, struct solver s) {
    struct vec3 d = plus(b->at, scaled(a->at, -1));
    double r2 = dot(d, d) + s.softening * s.softening;
    return scaled(d, b->mass / (r2 * sqrt(r2)));
}

static void advance(struct particle *p, struct solver s) {
    for (int t = 0; t < s.steps; t++) { // GPU
#pragma omp parallel for schedule(static)
        for (int i = 0; i < s.n; i++) {
            struct vec3 sum = {0, 0, 0};
            for (int j = 0; j < s.n; j++)
                if (j != i) sum = plus(sum, pull(&p[i], &p[j], s));
            p[i].speed = plus(scaled(p[i].speed, 1 - s.damping * s.dt), scaled(sum, s.dt));
        }
#pragma omp parallel for schedule(static)
        for (int i = 0; i < s.n; i++) {
            struct particle moved = p[i];
            moved.at = plus(moved.at, scaled(moved.speed, s.dt));
            p[i] = moved;
        }
    }
}

static int cell_of(const struct particle *p, struct solver s) {
    int k = (int)floor((p->at.x / s.box + 0.5) * s.cells);
    return k < 0 ? 0 : k >= s.cells ? s.cells - 1 : k;
}

static void sort_into_cells(struct particle *p, struct solver s, int *count) {
#pragma omp parallel for // GPU
    for (int k = 0; k < s.cells; k++)
        count[k] = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < s.n; i++) {
        p[i].cell = cell_of(&p[i], s);
#pragma omp atomic
        count[p[i].cell]++;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < s.n; i++)
        p[i].neighbours = count[p[i].cell] - 1;
}

static struct energies measure(const struct particle *p, struct solver s) {
    double kinetic = 0, potential = 0;
    int bound = 0;
#pragma omp parallel for reduction(+ : kinetic, potential, bound) // GPU
    for (int i = 0; i < s.n; i++) {
        double own = 0.5 * p[i].mass * dot(p[i].speed, p[i].speed), of_others = 0;
        for (int j = 0; j < s.n; j++) {
            struct vec3 d = plus(p[j].at, scaled(p[i].at, -1));
            if (j != i) of_others -= p[i].mass * p[j].mass / sqrt(dot(d, d) + s.softening * s.softening);
        }
        kinetic += own;
        potential += 0.5 * of_others;
        bound += own + of_others < 0;
    }
    return (struct energies){kinetic, potential, bound};
}

int main(void) {
    struct solver s = {.n = 90, .steps = 5, .cells = 8, .dt = 0.01, .softening = 0.2, .box = 4, .seed = 42, .damping = 0.05f};
    struct particle *p = malloc((size_t)s.n * sizeof *p);
    int *count = malloc((size_t)s.cells * sizeof *count);
    for (int i = 0; i < s.n; i++) {
        double angle = 6.283185307179586 * draw(&s), r = 0.3 + 1.5 * draw(&s);
        p[i] = (struct particle){.id = i, .mass = (1 + draw(&s)) / s.n};
        p[i].at = (struct vec3){r * cos(angle), r * sin(angle), 0.1 * (draw(&s) - 0.5)};
        p[i].speed = (struct vec3){-0.8 * sin(angle), 0.8 * cos(angle), 0};
    }
    for (int report = 0; report < 3; report++) {
        advance(p, s);
        sort_into_cells(p, s, count);
        struct energies e = measure(p, s);
        printf("%d: kinetic %.*g potential %.*g bound %d of %d\n", report, DIGITS, e.kinetic, DIGITS, e.potential, e.bound, s.n);
    }
    int ids = 0, neighbours = 0;
    for (int i = 0; i < s.n; i++) {
        ids += p[i].id;
        neighbours += p[i].neighbours;
    }
    printf("%d %d %.*g %.*g\n", ids, neighbours, DIGITS, p[7].at.x, DIGITS, p[s.n - 1].speed.y);
    free(p);
    free(count);
    return 0;
}
