// Functions that a region's program needs though nothing in the region calls them, and others that it can go without: what a declared
// reduction, an initialiser, or a function names; old-style definitions, attributes, lines marked anew; a variable of a function's name.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct span {
    int low, high;
};
static struct span wider(struct span a, struct span b);
static struct span none(void) {
    struct span s = {1 << 30, -(1 << 30)};
    return s;
}
#pragma omp declare reduction(wide : struct span : omp_out = wider(omp_out, omp_in)) initializer(omp_priv = none())

static int least(int a, int b) { return a < b ? a : b; }
static struct span wider(struct span a, struct span b) {
    a.low = least(a.low, b.low);
    a.high = a.high > b.high ? a.high : b.high;
    return a;
}
static int old_style(x, by)
int x;
int by;
{
    assert(by > 0);
    return x / by;
}
static int __attribute__((noinline)) kept(int x) __attribute__((unused));
static int __attribute__((noinline)) kept(int x) {
    assert(x >= 0); // the preprocessor marks lines here
    return x + (int)sizeof(
# 900 "named.c"
                   int);
}
# 38 "named.c"
static int needed(int n, int *x) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++) {
        assert(x[i] >= 0);
        sum += least(x[i], 300);
    }
    return sum;
}

static int seen(int n, const int *x) {
    int *seen = calloc((size_t)n, sizeof *seen), sum = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        seen[i] = x[i] % 3;
    for (int i = 0; i < n; i++)
        sum += seen[i];
    free(seen);
    return sum;
}

int main(void) {
    enum { N = 1000 };
    static int x[N];
    for (int i = 0; i < N; i++)
        x[i] = kept(i * 37 % 911);
    struct span s = {1 << 30, -(1 << 30)};
#pragma omp parallel for reduction(wide : s) // GPU
    for (int i = 0; i < N; i++) {
        struct span own = {x[i], x[i]};
        s = wider(s, own);
    }
    printf("%d %d %d\n", s.low, s.high, needed(N, x) + old_style(7, 2) + seen(N, x));
    return 0;
}
