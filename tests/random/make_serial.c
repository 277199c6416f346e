// Serial loops over elements, long enough to stay loops: most passes are apart, so that several may be made at once,
// and what neighbours share done once; some are not, by a value or an element that goes from pass to pass. All numbers
// are unsigned and wrap.
#include "make.h"

enum { LONG_LEAST = 65, LONG_MOST = 75 }; // above what is unrolled
enum { MOST_ITERATIONS = 80 };            // software GPUs run one after the other

struct range {
    int lo, hi;
    bool is_unsigned, is_odd; // is_odd: counts down, or by two
};

static struct range make_range(struct maker *g, int length) {
    static const int starts[] = {0, 0, 4, 8, 1, 2, 3, 5};
    struct range r = {chance(g, 60) ? 0 : starts[below(g, 8)], length, chance(g, 30), chance(g, 15)};
    if (chance(g, 20)) r.hi -= between(g, 0, 4);
    if (chance(g, 6)) r.hi = between(g, r.lo, r.lo + 9);
    return r;
}

static char *make_head(struct maker *g, const struct range *r, const char *k) {
    if (r->is_odd && chance(g, 50))
        return gen_format(g->p, "for (int %s = %d; %s >= %d; %s--) {", k, r->hi - 1, k, r->lo, k);
    return gen_format(g->p, "for (%s %s = %d; %s < %d; %s%s) {", r->is_unsigned ? "unsigned" : "int", k, r->lo, k,
                      r->hi, k, r->is_odd ? " += 2" : "++");
}

// What neighbouring passes have in common, or nearly.
static char *make_place(struct maker *g, const char *k) {
    static const char *const ends[] = {"/ 4u", "/ 4u", ">> 2", "/ 8u", "& ~3u", ">> 1", "/ 3u", "% 4u", "* 5u"};
    return gen_format(g->p, "(unsigned)%s %s", k, ends[chance(g, 50) ? 0 : below(g, 9)]);
}

// `x` of the pass: of a block of numbers, mostly, and of what is the pass's own. `more`: NULL, or what is added;
// `carried`: NULL, or a variable that goes from pass to pass.
static void make_value(struct maker *g, struct gen_node *loop, const char *x, const char *k, const char *more,
                       const char *carried) {
    struct gen_program *p = g->p;
    const char *r = fresh(g, "r"), *block = fresh(g, "block");
    bool early = more && chance(g, 25);
    gen_line(p, loop, gen_format(p, "unsigned %s = %s;", block, make_place(g, k)))->fixed = true;
    if (early) gen_line(p, loop, gen_format(p, "%s += %s;", block, more));
    int rounds = chance(g, 80) ? between(g, 8, 11) : between(g, 0, 3);
    if (rounds) {
        struct gen_node *inner =
            gen_block(p, loop, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", r, r, rounds, r), "}");
        gen_line(p, inner, gen_format(p, "%s = %s * 3u + (%s >> 5);", block, block, block));
        if (chance(g, 5)) gen_line(p, inner, gen_format(p, "%s ^= (unsigned)%s;", block, k));
        if (chance(g, 5)) gen_line(p, inner, gen_format(p, "if (%s %% 16u == 5u) break;", block));
    }
    if (chance(g, 10)) gen_line(p, loop, gen_format(p, "if (%s & 4u) %s += (unsigned)%s;", block, block, k));
    gen_line(p, loop, gen_format(p, "unsigned %s = (unsigned)%s %% 4u == 1u ? %s >> 3 : %s;", x, k, block, block))
        ->fixed = true;
    if (more && !early) gen_line(p, loop, gen_format(p, "%s += %s;", x, more));
    if (carried) gen_line(p, loop, gen_format(p, "%s = %s * 5u + %s;", carried, carried, x));
}

// A sum over local arrays that such loops have filled.
void make_serial(struct maker *g, struct gen_node *parent) {
    struct gen_program *p = g->p;
    if (g->n > MOST_ITERATIONS) return;
    const char *cells = fresh(g, "cells"), *others = fresh(g, "others"), *sum = fresh(g, "sum"), *k = fresh(g, "k"),
               *x = fresh(g, "x"), *carried = chance(g, 10) ? fresh(g, "c") : NULL;
    int length = between(g, LONG_LEAST, LONG_MOST), depth = g->loop_depth;
    bool shorts = chance(g, 20);
    struct gen_node *group = gen_block(p, parent, "", "");
    group->word = sum;
    gen_line(p, group, gen_format(p, "unsigned %s = %uu, %s[%d];", sum, below(g, 99), cells, length))->fixed = true;
    gen_line(p, group, gen_format(p, "%s %s[%d];", shorts ? "uint16_t" : "unsigned", others, length))->fixed = true;
    if (carried) gen_line(p, group, gen_format(p, "unsigned %s = 1u;", carried))->fixed = true;
    struct gen_node *fill =
        gen_block(p, group, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", k, k, length, k), "}");
    fill->fixed = true;
    gen_line(p, fill, gen_format(p, "%s[%s] = %s[%s] = (unsigned)%s * 7u;", cells, k, others, k, k))->fixed = true;
    g->loop_depth = 3; // no calls
    for (int loops = between(g, 1, 2); loops > 0; loops--) {
        struct range range = make_range(g, length);
        struct mark mark = scope_mark(g);
        char *head = make_head(g, &range, k);
        struct gen_node *loop = gen_block(p, group, head, "}");
        make_value(g, loop, x, k, chance(g, 50) ? make_fit(g, K_U, 1) : NULL, carried);
        const char *at = chance(g, 80) ? k : gen_format(p, "%d - %s", length - 1, k);
        gen_line(p, loop, gen_format(p, "%s[%s] = %s ^ (unsigned)%s;", cells, at, x, k));
        if (chance(g, 40)) gen_line(p, loop, gen_format(p, "%s[%s] = %s[%s] + 1u;", others, k, cells, at));
        if (chance(g, 25)) gen_line(p, loop, gen_format(p, "%s[%s] += %s[%s] >> 1;", cells, k, others, k));
        if (chance(g, 8)) gen_line(p, loop, gen_format(p, "%s[%s] ^= %s[%s / 2];", cells, k, cells, k));
        if (chance(g, 20)) gen_line(p, loop, gen_format(p, "if (%s > 9u) %s[%s] = %s;", x, others, k, x));
        if (chance(g, 5)) gen_line(p, loop, gen_format(p, "if (%s == 77u) break;", x));
        scope_restore(g, mark);
    }
    struct gen_node *end =
        gen_block(p, group, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", k, k, length, k), "}");
    gen_line(p, end, gen_format(p, "%s = %s * 31u + (%s[%s] ^ %s[%s]);", sum, sum, cells, k, others, k));
    if (carried) gen_line(p, group, gen_format(p, "%s ^= %s;", sum, carried));
    g->loop_depth = depth;
    scope_add(g, sum, K_U, false);
}

// Rows of two arrays that are written and read in turn, each from rows that others wrote in the step before; then what
// they hold becomes part of an output.
void make_serial_rows(struct maker *g, struct gen_node *entry) {
    struct gen_program *p = g->p;
    const struct array *to = pick_output(g);
    if (!to || g->n > MOST_ITERATIONS) return;
    const char *a = fresh(g, "even"), *b = fresh(g, "odd"), *i = fresh(g, "i"), *k = fresh(g, "k"), *t = fresh(g, "t"),
               *m = fresh(g, "m"), *x = fresh(g, "x"), *sum = fresh(g, "sum");
    int length = between(g, LONG_LEAST, LONG_MOST), steps = between(g, 1, 2);
    struct range range = make_range(g, length);
    char *loops = gen_format(p, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
    struct gen_node *group = gen_block(p, entry, "", "");
    gen_line(p, group, gen_format(p, "unsigned %s[n][%d], %s[n][%d];", a, length, b, length))->fixed = true;
    struct gen_node *fill = gen_block(p, group, loops, "}");
    fill->fixed = true;
    fill = gen_block(p, fill, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", k, k, length, k), "}");
    fill->fixed = true;
    gen_line(p, fill, gen_format(p, "%s[%s][%s] = %s[%s][%s] = (unsigned)(%s * 31 + %s);", a, i, k, b, i, k, i, k))
        ->fixed = true;
    struct gen_node *time =
        gen_block(p, group, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", t, t, steps, t), "}");
    struct gen_node *phase = gen_block(p, time, loops, "}");
    gen_line(p, phase, gen_format(p, "const int %s = (%s + %d) %% n;", m, i, between(g, 0, 3)))->fixed = true;
    struct gen_node *loop = gen_block(p, phase, make_head(g, &range, k), "}");
    char *chosen = gen_format(p, "(%s %% 2 ? %s[%s][%s] : %s[%s][%s])", t, b, m, k, a, m, k);
    make_value(g, loop, x, k, chance(g, 80) ? chosen : NULL, NULL);
    if (chance(g, 50)) gen_line(p, loop, gen_format(p, "%s ^= %s >> 2;", x, chosen));
    if (chance(g, 25)) // its own row of the arrays that the step writes
        gen_line(p, loop, gen_format(p, "%s += %s %% 2 ? %s[%s][%s] : %s[%s][%s];", x, t, a, i, k, b, i, k));
    gen_line(
        p, loop,
        gen_format(p, "if (%s %% 2)\n    %s[%s][%s] = %s;\nelse\n    %s[%s][%s] = %s;", t, a, i, k, x, b, i, k, x));
    if (chance(g, 15))
        gen_line(p, loop, gen_format(p, "if (%s %% 2) %s[%s][%s] += %s[%s][%s / 2] & 1u;", t, a, i, k, a, i, k));
    struct gen_node *last = gen_block(p, group, loops, "}");
    gen_line(p, last, gen_format(p, "unsigned %s = 0;", sum))->fixed = true;
    struct gen_node *end = gen_block(p, last, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", k, k, length, k), "}");
    gen_line(p, end, gen_format(p, "%s = %s * 31u + (%s[%s][%s] ^ %s[%s][%s] >> 1);", sum, sum, a, i, k, b, i, k));
    const char *own = gen_format(p, "%s[%s]", to->name, i);
    gen_line(p, last,
             to->elem == GEN_F32   ? gen_format(p, "%s = fit(%s * 0.5f + (float)(%s & 63u));", own, own, sum)
             : to->elem == GEN_I32 ? gen_format(p, "%s = fiti(%s + (int)(%s & 511u));", own, own, sum)
                                   : gen_format(p, "%s = %s * 3u + %s;", own, own, sum));
}
