// Doubles as pairs of floats: every operator, conversion, kind of object and way to update one.
// test: -fdouble=pair -i n=200 -i step=0.1 -i x=uniform:lo=-2,hi=2,seed=1 -i y=normal:seed=2
// check: rel 1e-13
#include <math.h>

struct state {
    double position, speed;
    int hits;
};
struct point {
    double x, y, z;
};
static const double table[4] = {0.1, 1.0 / 3, -2.5e-3, 1e10};
static double shared_scale = 1.7;

static double cube(double v) { return v * v * v; }

static void turn(double *a, double *b, double by) {
    double kept = *a;
    *a += *b * by;
    *b -= kept * by;
}

static struct state move(struct state s, double dt) {
    s.position += s.speed * dt;
    if (s.position > 1.0 || s.position < -1.0) {
        s.speed = -s.speed;
        s.hits++;
    }
    return s;
}

void pairs(int n, double step, const double x[n], const double y[n], double out[n][6], struct point points[n],
           int counts[n], float near[n]) {
    double scale = shared_scale * 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double a = x[i], b = y[i], local[3] = {1.5, a, table[i % 4]};
        struct state s = {.position = a / 2, .speed = 0.3};
        out[i][0] = a + b - a * b / (fabs(b) + 0.5);
        out[i][1] = cube(a) + local[i % 3] * scale;
        turn(&a, &b, step);
        out[i][2] = a > b ? a : -b;
        for (int k = 0; k < 20; k++)
            s = move(s, step);
        out[i][3] = s.position + 3;
        double c = a++, d = --b;
        c *= 3;
        d /= c + 10.0;
        double *to = &out[i][4];
        *to++ = c + d;
        *to = sqrt(fabs(c)) + (i & 1 ? 1e-12 : 2);
        *to += 0.25f;
        points[i].x += step * i;
        points[i].y = points[i].x / 7;
        points[i].z = (float)points[i].y + 1u;
        counts[i] = s.hits + (int)(1000.7 * x[i]) + (x[i] < y[i]) + (a != b) * 2;
        counts[i] += x[i] ? 100 : 0;
        near[i] = x[i] / 3;
        near[i] *= 1.5;
    }
}
