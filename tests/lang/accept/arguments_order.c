// Arguments that change the same variable: C leaves open which comes first, gcc takes the last one first, and so does
// whorl. In an operator and in a list in braces the first one comes first.
//
// run: -i n=64
// test: -i n=64
// check: y exact
// check: z rel 1e-5
#include <math.h>

struct pair {
    unsigned a, b;
};

static unsigned next(unsigned *s) { return *s = *s * 1664525u + 1013904223u; }
static float uniform(unsigned *s) { return (float)(next(s) >> 8) / 16777216.0f; }
static unsigned two(unsigned a, unsigned b) { return a - b * 3u; }
static unsigned three(unsigned a, const unsigned *p, unsigned b, unsigned c) { return a ^ *p * 5u ^ b * 7u ^ c * 11u; }
static struct pair made(unsigned a, unsigned b) {
    struct pair p = {a, b};
    return p;
}
static unsigned of_pairs(struct pair x, struct pair y, unsigned long long z) {
    return x.a - 2u * x.b + 3u * y.a - 4u * y.b + (unsigned)(z >> 7);
}

void arguments_order(int n, unsigned y[n][8], float z[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned s = (unsigned)i, row[3] = {1, 2, 3}, k = 0;
        y[i][0] = two(next(&s), next(&s));
        y[i][1] = two(next(&s), two(next(&s), next(&s)));
        y[i][2] = three(i, &row[i % 3], next(&s), next(&s));
        y[i][3] = of_pairs(made(next(&s), next(&s)), made(next(&s), 5), next(&s) * 1000003ull);
        y[i][4] = next(&s) - next(&s);
        struct pair p = {next(&s), next(&s)};
        y[i][5] = p.a - 2u * p.b;
        y[i][6] = two(next(&row[0]), next(row)) + next(&k);
        y[i][7] = s;
        z[i][0] = fmaxf(uniform(&s), uniform(&s) * 0.5f);
        z[i][1] = powf(uniform(&s) + 0.5f, uniform(&s) + 0.5f);
        z[i][2] = sqrtf(-2.0f * logf(uniform(&s) + 0.001f)) * cosf(6.28f * uniform(&s));
        z[i][3] = fmaf(uniform(&s), uniform(&s), uniform(&s));
    }
}
