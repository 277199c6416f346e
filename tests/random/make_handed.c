// Long loops whose passes hand something on: sums with factors, the best and its place, what is set once, lists that
// grow, places by a key, and values that need those before them. In some most passes do nothing. They stand at the
// entry's level, or in few iterations. All numbers are unsigned and wrap.
#include "make.h"

enum { LEAST = 520, MOST = 1300, LONG = 4096, KEYS = 8, ENOUGH = 8 }; // LONG: for places by a key (pass/loops/rank.c)

struct handed {
    struct maker *g;
    struct gen_node *decls, *loop, *end;
    const char *k, *row, *data, *sum; // row: "[i]", of each array, in an iteration
    const char *names[2 * ENOUGH];    // that passes hand on
    int count, length;
    bool rare;
};

// A variable that passes hand on, which `sum` takes in behind the loop.
static const char *carry(struct handed *h, const char *begin) {
    struct gen_program *p = h->g->p;
    const char *name = fresh(h->g, "c");
    gen_line(p, h->decls, gen_format(p, "unsigned %s = %s;", name, begin))->word = name;
    gen_line(p, h->end, gen_format(p, "%s = %s * 31u + %s;", h->sum, h->sum, name));
    h->names[h->count++] = name;
    return name;
}

// An array of the entry, with a row for each iteration.
static const char *array(struct handed *h, struct gen_node *group, const char *stem, int size) {
    struct gen_program *p = h->g->p;
    const char *name = fresh(h->g, stem);
    gen_line(p, group, gen_format(p, "unsigned %s%s[%d];", name, *h->row ? "[3]" : "", size))->fixed = true;
    return gen_format(p, "%s%s", name, h->row);
}

static char *value(struct handed *h) {
    struct maker *g = h->g;
    const char *element = gen_format(g->p, "%s[%s]", h->data, h->k);
    if (h->count && chance(g, 15)) element = h->names[below(g, (uint32_t)h->count)];
    if (chance(g, 10)) return gen_format(g->p, "(unsigned)%s", h->k);
    return gen_format(g->p, chance(g, 50) ? "%s %% %du" : "%s / %du", element, between(g, 2, 40));
}

static char *condition(struct handed *h) {
    static const char *const often[] = {"(%s) %% 3u == 1u", "(%s) > 4u", "((%s) & 3u) != 2u"};
    static const char *const rare[] = {"(%s) * 2654435761u >> 23 == 5u", "(%s) == 37u && %s %% 5 == 1"};
    int which = (int)below(h->g, h->rare ? 2 : 3);
    return gen_format(h->g->p, h->rare ? rare[which] : often[which], value(h), h->k);
}

static struct gen_node *line(struct handed *h, struct gen_node *at, char *text) { return gen_line(h->g->p, at, text); }

// What a pass does with one or two variables.
static void make_step(struct handed *h, struct gen_node *group, struct gen_node *at) {
    struct maker *g = h->g;
    struct gen_program *p = g->p;
    static const char *const orders[] = {">", ">=", "<", "<="};
    const char *c, *d, *a, *v = value(h), *when = condition(h), *k = h->k;
    switch (below(g, 12)) {
    case 0:
        c = carry(h, "1u");
        line(h, at, gen_format(p, "%s = %s * %du + %s;", c, c, between(g, 1, 3) * 2 - 1, v));
        break;
    case 1:
        c = carry(h, "0u");
        line(h, at, gen_format(p, "if (%s) %s++;", when, c));
        break;
    case 2:
        c = carry(h, "3u");
        line(h, at, gen_format(p, "%s = %s < %s ? %s : %s;", c, c, v, v, c));
        break;
    case 3:
        c = carry(h, "4294967295u");
        line(h, at, gen_format(p, "if (%s == 4294967295u && %s) %s = (unsigned)%s;", c, when, c, k));
        break;
    case 4: // appends
    case 5:
        c = carry(h, chance(g, 70) ? "0u" : "2u");
        a = array(h, group, "list", 2 * h->length + 8);
        line(h, h->decls, gen_format(p, "%s[0] = %s[1] = 0u;", a, a))->fixed = true;
        line(h, at, gen_format(p, "if (%s) {\n    %s[%s] = %s;\n    %s++;\n}", when, a, c, v, c));
        if (chance(g, 50)) line(h, at, gen_format(p, "if (%s) %s[%s++] = (unsigned)%s;", condition(h), a, c, k));
        line(h, h->end,
             gen_format(p, "for (unsigned q = 0u; q < %s; q++) %s = %s * 31u + %s[q];", c, h->sum, h->sum, a));
        break;
    case 6: // the best and where it is
        c = carry(h, chance(g, 50) ? "0u" : "4294967295u");
        d = carry(h, "7u");
        line(h, at,
             gen_format(p, "if (%s %s %s) {\n    %s = %s;\n    %s = (unsigned)%s;\n}", v, orders[below(g, 4)], c, c, v,
                        d, k));
        break;
    case 7: // the longest run
        c = carry(h, "0u");
        d = carry(h, "0u");
        line(h, at, gen_format(p, "%s = %s ? %s + 1u : 0u;", c, when, c));
        line(h, at, gen_format(p, "if (%s > %s) %s = %s;", c, d, d, c));
        break;
    case 8: // of two passes before
        c = carry(h, "1u");
        d = carry(h, "2u");
        line(h, at, gen_format(p, "%s = %s * 3u + %s;\n%s = %s ^ %s;", c, d, v, d, c, d));
        break;
    case 9: { // places by a key
        const char *order = array(h, group, "order", KEYS * h->length), *q = fresh(g, "q");
        a = array(h, group, "place", KEYS);
        line(h, h->decls,
             gen_format(p, "for (int %s = 0; %s < %d; %s++) %s[%s * %d] = %s[%s] = (unsigned)(%s * %d);", q, q, KEYS, q,
                        order, q, h->length, a, q, q, h->length))
            ->fixed = true;
        line(h, at, gen_format(p, "%s[%s[(%s) %% %du]++] = (unsigned)%s;", order, a, v, KEYS, k));
        line(h, h->end,
             gen_format(p, "for (int %s = 0; %s < %d; %s++) %s = %s * 31u + %s[%s] + %s[%s * %d];", q, q, KEYS, q,
                        h->sum, h->sum, a, q, order, q, h->length));
        break;
    }
    case 10: // what is there so far, of each pass
        a = array(h, group, "cells", h->length);
        line(h, h->decls, gen_format(p, "%s[%d] = 0u;", a, h->length / 2))->fixed = true;
        line(h, at, gen_format(p, "%s[%s] = %s;", a, k, h->count ? h->names[h->count - 1] : v));
        line(h, h->end, gen_format(p, "%s = %s * 31u + %s[%d];", h->sum, h->sum, a, h->length / 2));
        break;
    default: // a state
        c = carry(h, "1u");
        line(h, at, gen_format(p, "if (%s) %s = (%s * 5u + %s) %% 1021u;", when, c, c, v));
    }
}

void make_handed(struct maker *g, struct gen_node *entry, const struct array *to) {
    struct gen_program *p = g->p;
    struct handed h = {.g = g, .k = fresh(g, "k"), .sum = fresh(g, "sum"), .rare = chance(g, 40), .row = ""};
    const char *i = fresh(g, "i"), *j = fresh(g, "j");
    bool inside = chance(g, 50);
    int iterations = between(g, 1, 3), steps = between(g, 1, 3);
    if (iterations > g->n) return;
    if (inside) h.row = gen_format(p, "[%s]", i);
    h.length = chance(g, 80) ? between(g, LEAST, MOST) : between(g, LONG, LONG + 100);
    struct gen_node *group = gen_block(p, entry, "{", "}"), *at = group;
    h.data = array(&h, group, "data", h.length);
    char *heads = gen_format(p, "#pragma omp parallel for\nfor (int %s = 0; %s < %d; %s++) {", i, i, iterations, i),
         *fills = gen_format(p, "%sfor (int %s = 0; %s < %d; %s++) {", inside ? "" : "#pragma omp parallel for\n", j, j,
                             h.length, j);
    struct gen_node *arrays = gen_block(p, group, "", ""), *fill = group;
    arrays->fixed = true;
    if (inside) at = fill = gen_block(p, group, heads, "}");
    fill = gen_block(p, fill, fills, "}");
    fill->fixed = true;
    gen_line(p, fill,
             gen_format(p, "%s[%s] = (unsigned)(%s + %d) * 2654435761u >> %d;", h.data, j, j, between(g, 0, 99),
                        between(g, 8, 26)))
        ->fixed = true;
    gen_line(p, at, gen_format(p, "unsigned %s = 0;", h.sum))->fixed = true;
    h.decls = gen_block(p, at, "", "");
    h.decls->fixed = true;
    char *head = chance(g, 80) ? gen_format(p, "for (int %s = 0; %s < %d; %s++) {", h.k, h.k, h.length, h.k)
                               : gen_format(p, "for (int %s = %d; %s >= 0; %s--) {", h.k, h.length - 1, h.k, h.k);
    h.loop = gen_block(p, at, head, "}");
    h.end = gen_block(p, at, "", "");
    if (chance(g, 15)) gen_line(p, h.loop, gen_format(p, "if (%s) continue;", condition(&h)));
    for (int s = 0; s < steps; s++) {
        struct gen_node *under = h.loop;
        if (chance(g, 20)) under = gen_block(p, h.loop, gen_format(p, "if (%s) {", condition(&h)), "}");
        make_step(&h, arrays, under);
    }
    if (h.rare && chance(g, 30)) gen_line(p, h.loop, gen_format(p, "if (%s) break;", condition(&h)));
    const char *own = gen_format(p, "%s[%s]", to->name, inside ? i : "0");
    gen_line(p, at,
             to->elem == GEN_F32   ? gen_format(p, "%s = fit(%s * 0.5f + (float)(%s & 63u));", own, own, h.sum)
             : to->elem == GEN_I32 ? gen_format(p, "%s = fiti(%s + (int)(%s & 511u));", own, own, h.sum)
                                   : gen_format(p, "%s = %s * 3u + %s;", own, own, h.sum));
}
