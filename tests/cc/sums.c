// Reductions that the program declares itself: of a struct of doubles, of numbers.
// build: -fdouble=pair
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
    double x, y;
};
struct range {
    double least, most;
};

#pragma omp declare reduction(add : struct vector : omp_out.x += omp_in.x, omp_out.y += omp_in.y)
#pragma omp declare reduction(longest : struct vector : omp_out = omp_in.x * omp_in.x + omp_in.y * omp_in.y > \
    omp_out.x * omp_out.x + omp_out.y * omp_out.y ? omp_in : omp_out) initializer(omp_priv = {0, 0})
#pragma omp declare reduction(mix : unsigned : omp_out ^= omp_in)

static struct vector sum;

static void measure(int n, const double *x, const double *y, struct vector *longest, unsigned *parity) {
    struct vector most = {0, 0};
    unsigned mixed = 0;
#pragma omp parallel for reduction(add : sum) reduction(longest : most) reduction(mix : mixed) // GPU
    for (int i = 0; i < n; i++) {
        sum.x += x[i];
        sum.y += y[i] * 0.5;
        if (x[i] * x[i] + y[i] * y[i] > most.x * most.x + most.y * most.y) {
            most.x = x[i];
            most.y = y[i];
        }
        mixed ^= (unsigned)i * 2654435761u;
    }
    *longest = most;
    *parity = mixed;
}

static double smaller(double a, double b) { return a < b ? a : b; }

// Reductions that blocks of functions declare: one that needs a function of the file and a type of the block. What is declared in a block that ended is none.
static double nearest(int n, const double *x) {
    typedef struct range range;
    struct range r = {1e9, -1e9}, s = {1e9, -1e9};
    {
#pragma omp declare reduction(hull : range : omp_out.least = omp_in.least, omp_out.most = 0) \
    initializer(omp_priv = (range){1e9, -1e9})
        s.most = 1;
    }
#pragma omp declare reduction(hull : range : omp_out.least = smaller(omp_out.least, omp_in.least), \
                              omp_out.most = -smaller(-omp_out.most, -omp_in.most)) \
    initializer(omp_priv = (range){1e9, -1e9})
#pragma omp parallel for reduction(hull : r) // GPU
    for (int i = 0; i < n; i++) {
        r.least = smaller(r.least, x[i]);
        if (x[i] > r.most) r.most = x[i];
    }
    return r.least + 2 * r.most + s.most;
}

// Another one of the name of the file's.
static unsigned inner(int n) {
    unsigned u = 1;
#pragma omp declare reduction(mix : unsigned : omp_out = omp_in > omp_out ? omp_in : omp_out)
#pragma omp parallel for reduction(mix : u) // GPU
    for (int i = 0; i < n; i++)
        u = (unsigned)(i % 97) > u ? (unsigned)(i % 97) : u;
    return u;
}

// Operators, of which the file has one, too; two types of one name.
#pragma omp declare reduction(+ : struct vector : omp_out.x += omp_in.x, omp_out.y += omp_in.y)
static double widest(int n) {
    struct vector v = {0, 0};
    int most = 0;
    float least = 9;
#pragma omp declare reduction(+ : struct vector : omp_out.x += omp_in.x, \
                              omp_out.y = smaller(omp_out.y, omp_in.y)) initializer(omp_priv = {0, 9})
#pragma omp declare reduction(end : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
#pragma omp declare reduction(end : float : omp_out = omp_in < omp_out ? omp_in : omp_out) initializer(omp_priv = 9)
#pragma omp parallel for reduction(+ : v) reduction(end : most, least) // GPU
    for (int i = 0; i < n; i++) {
        v.x += i;
        v.y = smaller(v.y, -(i % 17));
        most = i % 31 > most ? i % 31 : most;
        least = (float)-(i % 7) < least ? (float)-(i % 7) : least;
    }
    return v.x + 1000 * v.y + 0.5 * most + 0.125 * least;
}

int main(void) {
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    struct vector longest;
    unsigned parity;
    for (int i = 0; i < N; i++) {
        x[i] = sin(i * 0.7) * i;
        y[i] = cos(i * 0.3) * (N - i);
    }
    measure(N, x, y, &longest, &parity);
    printf("%.8g %.8g, %.8g %.8g, %08x %u %.8g %.8g\n", sum.x, sum.y, longest.x, longest.y, parity, inner(N), nearest(N, x),
           widest(100));
    free(x);
    free(y);
    return 0;
}
