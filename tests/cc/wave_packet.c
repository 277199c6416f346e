// build: -fdouble=pair -DDIGITS=9
// build, too: -fdouble=float -DDIGITS=3
// A quantum wave that meets a wall, line by line: complex numbers as structs of two doubles, a tridiagonal solver for each line with
// arrays of its own, and structs that mix complex numbers with integers for parameters and results.
#include <math.h>
#include <stdio.h>

#define NX 60
#define NY 40

typedef struct {
    double re, im;
} cplx;
struct problem {
    int nx, ny, steps;
    cplx ratio; // i dt / (2 dx^2)
    double dt, dx, height;
    int wall_from, wall_to;
};
struct line {
    double norm;
    int peak;
    cplx top;
    float phase;
};

static cplx psi[NY][NX], half[NY][NX];
static double potential[NY][NX];
static struct line lines[NY];

static cplx c(double re, double im) { return (cplx){re, im}; }
static cplx add(cplx a, cplx b) { return c(a.re + b.re, a.im + b.im); }
static cplx sub(cplx a, cplx b) { return c(a.re - b.re, a.im - b.im); }
static cplx mul(cplx a, cplx b) { return c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
static double abs2(cplx a) { return a.re * a.re + a.im * a.im; }
static cplx quotient(cplx a, cplx b) {
    double d = abs2(b);
    return c((a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d);
}

// (1 + 2r + i v dt / 2) x - r (left + right) = right-hand side, by elimination.
static void solve(const struct problem *p, int n, const cplx *rhs, const double *v, cplx *x) {
    cplx upper[NX], value[NX], minus = c(-p->ratio.re, -p->ratio.im);
    value[0] = c(0, 0);
    for (int i = 0; i < n; i++) {
        cplx diagonal = add(c(1, 0.5 * p->dt * v[i]), add(p->ratio, p->ratio));
        cplx pivot = i ? sub(diagonal, mul(minus, upper[i - 1])) : diagonal;
        upper[i] = quotient(minus, pivot);
        value[i] = quotient(i ? sub(rhs[i], mul(minus, value[i - 1])) : rhs[i], pivot);
    }
    x[n - 1] = value[n - 1];
    for (int i = n - 2; i >= 0; i--)
        x[i] = sub(value[i], mul(upper[i], x[i + 1]));
}

static void step(struct problem p) {
#pragma omp parallel for
    for (int j = 0; j < p.ny; j++)
        for (int i = 0; i < p.nx; i++) { // explicit across the lines
            cplx up = j ? psi[j - 1][i] : c(0, 0), down = j + 1 < p.ny ? psi[j + 1][i] : c(0, 0);
            cplx around = sub(add(up, down), add(psi[j][i], psi[j][i]));
            half[j][i] = add(psi[j][i], mul(p.ratio, around));
        }
#pragma omp parallel for
    for (int j = 0; j < p.ny; j++)
        solve(&p, p.nx, half[j], potential[j], psi[j]);
}

static double measure(const struct problem *p) {
    double norm = 0;
#pragma omp parallel for reduction(+ : norm) // GPU
    for (int j = 0; j < p->ny; j++) {
        struct line l = {0, 0, {0, 0}, 0};
        for (int i = 0; i < p->nx; i++) {
            l.norm += abs2(psi[j][i]) * p->dx;
            if (abs2(psi[j][i]) > abs2(l.top)) {
                l.top = psi[j][i];
                l.peak = i;
            }
        }
        l.phase = (float)atan2(l.top.im, l.top.re);
        lines[j] = l;
        norm += l.norm * p->dx;
    }
    return norm;
}

int main(void) {
    struct problem p = {.nx = NX, .ny = NY, .steps = 6, .dt = 0.004, .dx = 0.125, .height = 30, .wall_from = 34, .wall_to = 37};
    p.ratio = c(0, p.dt / (2 * p.dx * p.dx));
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double x = (i - 20) * p.dx, y = (j - 18.3) * p.dx, size = exp(-0.6 * (x * x + 0.8 * y * y));
            psi[j][i] = c(size * cos(4 * x), size * sin(4 * x));
            potential[j][i] = i >= p.wall_from && i < p.wall_to ? p.height : 0;
        }
    for (int report = 0; report < 3; report++) {
        for (int t = 0; t < p.steps; t++) // GPU
            step(p);
        printf("%d: norm %.*g\n", report, DIGITS, measure(&p));
    }
    for (int j = 10; j < NY; j += 9)
        printf("%d: peak %d, norm %.*g, top %.*g, phase %.3f\n", j, lines[j].peak, DIGITS, lines[j].norm, DIGITS,
               sqrt(abs2(lines[j].top)), (double)lines[j].phase);
    return 0;
}
