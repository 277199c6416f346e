// Doubles as pairs in structs that have other types beside them: particles with nested structs, arrays and padding, an array of
// parameters, locals, and structs that go to functions and come back by value.
// test: -fdouble=pair -i n=40 -i steps=5 -i p=uniform:lo=-1,hi=2,seed=1 -i settings=const:1
// check: rel 1e-11
#include <math.h>

struct kind {
    int id;
    double charge;
    float radius;
};
struct particle {
    double x[2], v[2];
    int hits;
    double mass;
    struct kind kind;
    int flags[3];
};
struct settings {
    float dt;
    int limit;
    double softening;
};
struct force {
    int partners;
    double fx, fy;
};

static struct force attract(struct particle a, const struct particle *b, struct settings s) {
    double dx = b->x[0] - a.x[0], dy = b->x[1] - a.x[1], d2 = dx * dx + dy * dy + s.softening * s.softening;
    double f = fabs(a.mass * b->mass) * (1 + a.kind.charge * b->kind.charge) / (d2 * sqrt(d2));
    return (struct force){d2 < 1, f * dx, f * dy};
}

void particles(int n, int steps, struct particle p[n], const struct settings settings[1], struct force total[1]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            struct force sum = {0, 0, 0};
            for (int j = 0; j < n; j++) {
                struct force f = attract(p[i], &p[j], settings[0]);
                sum.partners += f.partners;
                sum.fx += f.fx;
                sum.fy += f.fy;
            }
            p[i].v[0] += 0.001 * settings[0].dt * sum.fx;
            p[i].v[1] += 0.001 * settings[0].dt * sum.fy;
            p[i].hits = sum.partners;
            p[i].flags[t % 3] ^= sum.partners + p[i].kind.id;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            struct particle moved = p[i];
            for (int d = 0; d < 2; d++)
                moved.x[d] += 0.01 * moved.v[d];
            moved.kind.radius += 0.5f * (float)moved.v[0];
            p[i] = moved;
        }
    }
    double fx = 0, fy = 0;
    int partners = 0;
#pragma omp parallel for reduction(+ : fx, fy, partners)
    for (int i = 0; i < n; i++) {
        fx += p[i].mass * p[i].v[0];
        fy += p[i].mass * p[i].v[1];
        partners += p[i].hits;
    }
    total[0] = (struct force){partners, fx, fy};
}
