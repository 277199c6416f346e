// build: -fdouble=pair
// Arrays of structs of doubles and integers stay on the device between regions: those of whole allocations, and global ones, whose
// first and last bytes share their pages with others. Pointers are exchanged, the program writes in between, a number leaves the range.
#include <stdio.h>
#include <stdlib.h>

enum { N = 5200 };
struct body {
    double at[2], speed, mass;
    int kind, id;
};
static char before[3000];
static struct body fixed[N];
static char behind[3000];

static void move(struct body *to, const struct body *from, int n) {
#pragma omp parallel for // GPU: 22 calls, 22 dispatches, 1.0
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
        to[i].at[0] += 0.125 * from[i].speed;
        if (from[i].kind == 2) to[i].id++;
    }
}

static void grow(struct body *x, int n, double by) {
#pragma omp parallel for // CPU at run time: CPU, 1 call: an element of 'x' leaves the range of pairs of floats
    for (int i = 0; i < n; i++)
        x[i].mass *= by;
}

static double total(const struct body *x, int n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 6 calls
    for (int i = 0; i < n; i++)
        sum += x[i].at[0] * x[i].id + x[i].mass;
    return sum;
}

static void set(struct body *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = (struct body){{i % 9, i % 4}, i % 7, 1 + i % 2, i % 3, i % 5};
}

int main(void) {
    struct body *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    if (!a || !b) return 1;
    set(a, N);
    set(b, N);
    set(fixed, N);
    before[2999] = behind[0] = 7;
    for (int t = 0; t < 20; t++) {
        struct body *old = a;
        move(b, a, N);
        a = b;
        b = old;
        if (t % 8 == 7) printf("%g %d\n", a[11].at[0], a[11].id);
        if (t == 9) a[17].kind = 2;
    }
    move(fixed, a, N);
    move(a, fixed, N);
    printf("%.9g %.9g\n", total(a, N), total(fixed, N));
    grow(a, N, 1e20);
    grow(a, N, 1e-20);
    printf("%.9g\n", total(a, N));
    grow(a, N, 1e30);
    grow(a, N, 1e30);
    grow(a, N, 1e-30);
    grow(a, N, 1e-30);
    printf("%.9g\n", total(a, N));
    a[3].mass = 1e300;
    grow(a, N, 0.5);
    printf("%g %.9g %d %d\n", a[3].mass, total(a + 4, N - 4), before[2999] + behind[0], a[N - 1].id);
    a[3].mass = 0;
    printf("%.9g\n", total(a, N));
    free(a);
    free(b);
    return 0;
}
