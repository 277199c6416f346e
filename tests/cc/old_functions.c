// Functions whose parameters are declared behind the list of their names: regions in them, and such as call one.
// build: -fdouble=float -Wno-implicit-int
#include <stdio.h>

struct part {
    int n;
    float *x;
};
static float x[100], y[100];

static int twice(n)
int n;
{ return n * 2; }

static float scaled(part, at, way, by) const struct part *part;
int at;
char way;
double by;
{ return way == '-' ? -part->x[at] * (float)by : part->x[at] * (float)by; }

static float corner(t, n)
float **t; // a table of rows
register const unsigned n;
{ return t[n - 1][0] + t[0][n - 1]; }

static int half(n) { // no declaration: an int
    return n / 2;
}

static void add(to, from, part, n, by) float *to, from[];
struct part *part;
int n;
float (*by)[4];
{
    int i;
#pragma omp parallel for // GPU
    for (i = 0; i < n; i++)
        to[i] += (float)i + from[i] + by[i % 2][i % 4];
#pragma omp parallel for // GPU
    for (i = 0; i < part->n; i++)
        to[i] += part->x[i] * 2;
#pragma omp parallel for // GPU
    for (i = 0; i < n; i++)
        to[i] += (float)twice(i);
#pragma omp parallel for // GPU
    for (i = 0; i < part->n; i++)
        to[i] += scaled(part, i, i % 3 ? '-' : '+', 2.0);
#pragma omp parallel for // CPU: parameters without a type are not supported
    for (i = 0; i < n; i++)
        to[i] += (float)half(i);
}

static void corners(t, n, to) float **t, *to;
int n;
{
    int i;
#pragma omp parallel for // GPU
    for (i = 1; i <= n; i++)
        to[i] += corner(t, i);
}

static void halve(int n, float *v) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        v[i] *= 0.5f;
}

int main(void) {
    struct part part = {100, y};
    float by[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    for (int i = 0; i < 100; i++)
        y[i] = (float)i;
    add(x, y, &part, 100, by);
    halve(twice(50), x);
    static float rows[9][9], *table[9];
    for (int i = 0; i < 81; i++)
        rows[i / 9][i % 9] = (float)i * 0.5f;
    for (int i = 0; i < 9; i++)
        table[i] = rows[i];
    corners(table, 9, x);
    printf("%g %g\n", (double)x[9], (double)x[98]);
    return 0;
}
