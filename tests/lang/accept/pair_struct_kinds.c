// What structs of doubles and others may be: rows of them, with 64-bit integers and fields of 8 and 16 bits, the best of all, a declared
// reduction, an integer member under atomic, constants at file scope, and static variables.
// test: -fdouble=pair -i n=12 -i m=5 -i cells=uniform:lo=1,hi=99,seed=2
// check: rel 1e-12
#include <stdint.h>
struct cell {
    uint8_t kind;
    uint8_t colour;
    int16_t level;
    int hits;
    double u[2][2];
    int64_t key;
    struct {
        float w;
        double d;
    } in[2];
};
struct sum {
    long long count;
    double total;
    unsigned bits;
};
struct rule {
    double factor;
    int shift;
};
static const struct rule rules[3] = {{1.0 / 3, 1}, {0.7, 2}, {-2.5e-3, 0}};
#pragma omp declare reduction(add : struct sum : omp_out.count += omp_in.count, omp_out.total += omp_in.total, \
                              omp_out.bits |= omp_in.bits) initializer(omp_priv = (struct sum){0, 0, 0})

static struct rule pick(const struct cell *c) {
    struct rule r = rules[c->hits % 3];
    r.factor += c->u[1][0] / 7;
    return r;
}

void kinds(int n, int m, struct cell cells[n][m], struct sum sums[1], struct rule best[1]) {
    static struct rule last;
    struct sum sum = {0, 0, 0};
    struct rule least = {1e30, -1};
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            struct cell *c = &cells[i][j];
            struct rule r = pick(c);
            c->u[0][1] = c->u[0][0] * r.factor + c->in[j & 1].d;
            c->in[1].w += (float)c->u[0][1];
            c->key = (c->key << 33) + r.shift;
        }
#pragma omp parallel for reduction(add : sum)
    for (int i = 0; i < n * m; i++) {
        const struct cell *c = &cells[0][0] + i;
        sum.count += c->key;
        sum.total += c->u[0][1];
        sum.bits |= 1u << (c->hits % 31);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct rule here = {cells[i][0].u[0][1], i};
#pragma omp critical
        if (here.factor < least.factor) least = here;
#pragma omp atomic
        cells[0][m - 1].hits += cells[i][0].level;
    }
    last = least;
    last.factor /= 3;
    sums[0] = sum;
    best[0] = last;
}
