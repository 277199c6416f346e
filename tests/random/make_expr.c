// Expressions with their exact bounds.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"

static bool exact(int frac, double mag) { return frac <= 14 && ldexp(mag, frac) <= MANTISSA; }

static struct ex primary(enum kind kind, char *s) {
    return (struct ex){.s = s, .kind = kind, .prec = 3, .frac = F_FRAC, .mag = F_MAG, .lo = I_LO, .hi = I_HI};
}

// As an operand of an operator that wants at least this precedence.
static const char *operand(struct maker *g, struct ex e, int prec) {
    return e.prec >= prec ? e.s : gen_format(g->p, "(%s)", e.s);
}

static struct ex of_sym(struct maker *g, const struct sym *s) {
    struct ex e = primary(s->kind, s->ndims ? make_element(g, s) : gen_format(g->p, "%s%s", s->name, s->suffix));
    e.frac = s->frac;
    e.mag = s->mag;
    e.lo = s->lo;
    e.hi = s->hi;
    if (s->elem == GEN_F16) {
        e.s = gen_format(g->p, "(float)%s", e.s);
        e.prec = 2;
    }
    return e;
}

const struct sym *pick_sym(struct maker *g, enum kind kind, bool writable, bool arrays) {
    int found = 0;
    const struct sym *out = NULL;
    for (int i = g->sym_base; i < g->sym_count; i++) {
        const struct sym *s = &g->syms[i];
        if (s->kind != kind || (writable && !s->writable) || (s->ndims && !arrays)) continue;
        found++;
        if (below(g, (uint32_t)found) == 0) out = s;
    }
    return out;
}

char *make_literal(struct maker *g, enum kind kind) {
    if (kind == K_I) {
        static const int some[] = {0, 1, -1, 2, 3, 7, -8, 31, 100, -1024, 1023, 64};
        return gen_format(g->p, "%d", chance(g, 50) ? some[below(g, 12)] : between(g, I_LO, I_HI));
    }
    if (kind == K_U) {
        static const uint32_t some[] = {0, 1, 2, 3, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x9E3779B9u, 255, 65535};
        uint32_t v = chance(g, 50) ? some[below(g, 10)] : (uint32_t)gen_mix(g->random++);
        return chance(g, 30) ? gen_format(g->p, "0x%Xu", v) : gen_format(g->p, "%uu", v);
    }
    double v = between(g, -128, 128) / (chance(g, 50) ? 16.0 : 4.0);
    return gen_format(g->p, chance(g, 10) ? "%.7e" : "%.4f", v);
}

static struct ex literal(struct maker *g, enum kind kind) {
    struct ex e = primary(kind, make_literal(g, kind));
    if (kind == K_F) {
        double v = strtod(e.s, NULL);
        e.mag = fabs(v) > 1.0 / 16 ? fabs(v) : 1.0 / 16;
        e.frac = v == floor(v) ? 0 : v * 4 == floor(v * 4) ? 2 : 4;
        if (g->no_double ||
            !chance(g, 10)) // without the suffix it is a double constant, which the double policy turns back
            e.s = gen_format(g->p, "%sf", e.s);
        if (v < 0) e.prec = 2;
    } else if (kind == K_I) {
        e.lo = e.hi = atoi(e.s);
        if (e.lo < 0) e.prec = 2;
    }
    return e;
}

// Any integer, brought into range.
static char *computed_index(struct maker *g, int extent) {
    if (chance(g, 30)) {
        struct ex u = make_expr(g, K_U, 1);
        return gen_format(g->p, "%s %% %du", operand(g, u, 2), extent);
    }
    struct ex e = make_expr(g, K_I, 1);
    if ((extent & (extent - 1)) == 0 && chance(g, 50)) return gen_format(g->p, "%s & %d", operand(g, e, 3), extent - 1);
    if (e.lo >= 0 && e.hi < extent) return e.s;
    if (e.lo >= 0) return gen_format(g->p, "%s %% %d", operand(g, e, 2), extent);
    if (chance(g, 50))
        return gen_format(g->p, "%s < 0 ? 0 : %s > %d ? %d : %s", operand(g, e, 3), operand(g, e, 3), extent - 1,
                          extent - 1, e.s);
    int64_t lift = ((-e.lo + extent - 1) / extent) * extent;
    return gen_format(g->p, "(%s + %d) %% %d", operand(g, e, 1), (int)lift, extent);
}

char *make_index(struct maker *g, int extent) {
    if (extent <= 1) return gen_format(g->p, "0");
    // A variable that fits as it is, perhaps shifted: what passes can analyse.
    if (chance(g, 70)) {
        int found = 0;
        const struct sym *best = NULL;
        for (int i = g->sym_base; i < g->sym_count; i++) {
            const struct sym *s = &g->syms[i];
            if (s->kind != K_I || s->ndims || s->lo < -3 || s->hi > extent + 3 || s->hi - s->lo >= extent) continue;
            if (below(g, (uint32_t)++found) == 0) best = s;
        }
        if (best) {
            int lowest = (int)-best->lo, highest = extent - 1 - (int)best->hi, c = 0;
            if (lowest < -3) lowest = -3;
            if (highest > 3) highest = 3;
            if (lowest <= highest && (lowest > 0 || highest < 0 || chance(g, 40))) c = between(g, lowest, highest);
            if (lowest <= highest) {
                if (c == 0 && chance(g, 10) && best->lo >= 0)
                    return gen_format(g->p, "%d - %s%s", extent - 1, best->name, best->suffix);
                return c == 0 ? gen_format(g->p, "%s%s", best->name, best->suffix)
                              : gen_format(g->p, "%s%s %c %d", best->name, best->suffix, c > 0 ? '+' : '-', abs(c));
            }
        }
    }
    if (g->index_depth > (int)below(g, 2) || chance(g, 25)) return gen_format(g->p, "%d", between(g, 0, extent - 1));
    g->index_depth++;
    char *text = computed_index(g, extent);
    g->index_depth--;
    return text;
}

char *make_element(struct maker *g, const struct sym *s) {
    char *text = gen_format(g->p, "%s", s->name);
    if (s->ndims == 1 && s->flat && chance(g, 8))
        return gen_format(g->p, "*(%s + (%s))", text, make_index(g, s->dims[0]));
    for (int d = 0; d < s->ndims; d++)
        text = gen_format(g->p, "%s[%s]", text, make_index(g, s->dims[d]));
    return gen_format(g->p, "%s%s", text, s->suffix);
}

static struct ex select_of(struct maker *g, struct ex a, struct ex b, int depth) {
    struct ex e = a;
    e.s = gen_format(g->p, "%s ? %s : %s", make_cond(g, depth), operand(g, a, 1), operand(g, b, 1));
    e.prec = 0;
    e.frac = a.frac > b.frac ? a.frac : b.frac;
    e.mag = a.mag > b.mag ? a.mag : b.mag;
    e.lo = a.lo < b.lo ? a.lo : b.lo;
    e.hi = a.hi > b.hi ? a.hi : b.hi;
    return e;
}

const struct func *pick_func(struct maker *g, enum kind kind, bool pure) {
    int found = 0;
    const struct func *out = NULL;
    for (int i = 0; i < g->func_count; i++) {
        const struct func *f = &g->funcs[i];
        if (f->result_struct >= 0 || f->result != kind || (pure && !f->pure) || f->cost > g->budget) continue;
        if (below(g, (uint32_t)++found) == 0) out = f;
    }
    return out;
}

static const struct struct_sym *pick_struct(struct maker *g, int type, bool writable) {
    int found = 0;
    const struct struct_sym *out = NULL;
    for (int i = g->struct_base; i < g->struct_count; i++)
        if (g->structs[i].type == type && (!writable || g->structs[i].writable) && below(g, (uint32_t)++found) == 0)
            out = &g->structs[i];
    return out;
}

// A scalar local by name, for `&x`: not an element, not a shared variable.
static const struct sym *pick_local(struct maker *g, enum kind kind) {
    int found = 0;
    const struct sym *out = NULL;
    for (int i = g->sym_base; i < g->sym_count; i++) {
        const struct sym *s = &g->syms[i];
        if (s->kind == kind && s->writable && s->ndims == 0 && s->elem == kind_elem(kind) &&
            below(g, (uint32_t)++found) == 0)
            out = s;
    }
    return out;
}

static const struct sym *pick_row(struct maker *g, int length) {
    int found = 0;
    const struct sym *out = NULL;
    for (int i = g->sym_base; i < g->sym_count; i++) {
        const struct sym *s = &g->syms[i];
        if (s->kind == K_F && s->elem == GEN_F32 && s->ndims >= 1 && s->flat && s->dims[s->ndims - 1] >= length &&
            s->mag <= F_MAG && s->frac <= F_FRAC && below(g, (uint32_t)++found) == 0)
            out = s;
    }
    return out;
}

// NULL if there is nothing to pass.
char *make_call(struct maker *g, const struct func *f, int depth, const char *not_this) {
    char *text = gen_format(g->p, "%s(", f->name);
    for (int i = 0; i < f->count; i++) {
        char *a = NULL;
        if (f->args[i] == A_F || f->args[i] == A_I || f->args[i] == A_U) {
            a = make_fit(g, f->args[i] == A_F ? K_F : f->args[i] == A_I ? K_I : K_U, depth - 1);
        } else if (f->args[i] == A_OUT) {
            const struct sym *s = pick_local(g, K_F);
            if (!s || (not_this && strcmp(not_this, s->name) == 0)) return NULL;
            a = gen_format(g->p, "&%s%s", s->name, s->suffix);
        } else if (f->args[i] == A_ROW) {
            const struct sym *s = pick_row(g, f->row_length);
            if (!s) return NULL;
            char *row = gen_format(g->p, "%s", s->name);
            for (int d = 0; d + 1 < s->ndims; d++)
                row = gen_format(g->p, "%s[%s]", row, make_index(g, s->dims[d]));
            int spare = s->dims[s->ndims - 1] - f->row_length;
            if (spare && chance(g, 60))
                a = chance(g, 50) ? gen_format(g->p, "&%s[%s]", row, make_index(g, spare + 1))
                                  : gen_format(g->p, "%s + (%s)", row, make_index(g, spare + 1));
            else
                a = row;
        } else {
            const struct struct_sym *s = pick_struct(g, f->type, f->args[i] == A_PSTRUCT);
            if (!s) return NULL;
            a = gen_format(g->p, "%s%s", f->args[i] == A_PSTRUCT ? "&" : "", s->name);
        }
        text = gen_format(g->p, "%s%s%s", text, i ? ", " : "", a);
    }
    g->budget -= f->cost;
    g->call_cost += f->cost;
    return gen_format(g->p, "%s)", text);
}

static struct ex leaf(struct maker *g, enum kind kind) {
    if (chance(g, 22)) return literal(g, kind);
    const struct sym *s = pick_sym(g, kind, false, true);
    return s ? of_sym(g, s) : literal(g, kind);
}

static struct ex called(struct maker *g, enum kind kind, int depth) {
    if (g->loop_depth < 3 && chance(g, 30)) // a field of a struct that a function returns
        for (int i = 0; i < g->func_count; i++) {
            const struct func *f = &g->funcs[i];
            for (int k = 0;
                 f->result_struct >= 0 && f->pure && f->cost <= g->budget && k < g->types[f->result_struct].count;
                 k++) {
                char *s = g->types[f->result_struct].kinds[k] == kind ? make_call(g, f, depth, NULL) : NULL;
                if (s) return primary(kind, gen_format(g->p, "%s.%s", s, g->types[f->result_struct].fields[k]));
            }
        }
    const struct func *f = g->loop_depth < 3 ? pick_func(g, kind, true) : NULL;
    char *s = f ? make_call(g, f, depth, NULL) : NULL;
    return s ? primary(kind, s) : leaf(g, kind);
}

// ---- float ----------------------------------------------------------------------------------------------------------

static struct ex sum(struct maker *g, struct ex a, struct ex b, char op) {
    struct ex e = a;
    e.frac = a.frac > b.frac ? a.frac : b.frac;
    e.mag = a.mag + b.mag;
    if (!exact(e.frac, e.mag)) return a;
    e.s = gen_format(g->p, "%s %c %s", operand(g, a, 1), op, operand(g, b, 2));
    e.prec = 1;
    return e;
}

static struct ex product(struct maker *g, struct ex a, struct ex b) {
    struct ex e = a;
    e.frac = a.frac + b.frac;
    e.mag = a.mag * b.mag;
    if (!exact(e.frac, e.mag)) return sum(g, a, b, '+');
    e.s = gen_format(g->p, "%s * %s", operand(g, a, 2), operand(g, b, 3));
    e.prec = 2;
    return e;
}

static struct ex make_float(struct maker *g, int depth) {
    if (depth <= 0) return leaf(g, K_F);
    struct ex a = make_float(g, depth - 1), b;
    switch (below(g, 15)) {
    case 0:
    case 1:
    case 2: return sum(g, a, make_float(g, depth - 1), chance(g, 50) ? '+' : '-');
    case 3:
    case 4:
    case 5: return product(g, a, make_float(g, depth - 1));
    case 6:
    case 7:
        b = make_float(g, depth - 1);
        if (!exact(a.frac > b.frac ? a.frac : b.frac, a.mag > b.mag ? a.mag : b.mag)) return a;
        if (chance(g, 30)) return select_of(g, a, b, depth - 1);
        a.s = gen_format(g->p, "%s(%s, %s)", chance(g, 50) ? "fminf" : "fmaxf", a.s, b.s);
        a.prec = 3;
        a.frac = a.frac > b.frac ? a.frac : b.frac;
        a.mag = a.mag > b.mag ? a.mag : b.mag;
        return a;
    case 8:
        b = make_float(g, depth - 1);
        return exact(a.frac > b.frac ? a.frac : b.frac, a.mag > b.mag ? a.mag : b.mag) ? select_of(g, a, b, depth - 1)
                                                                                       : a;
    case 9:
        a.s = gen_format(g->p, "fabsf(%s)", a.s);
        a.prec = 3;
        return a;
    case 10:
        a.s = gen_format(g->p, "-%s", operand(g, a, 3));
        a.prec = 2;
        return a;
    case 11: {
        int k = between(g, 1, 3);
        if (!exact(a.frac + k, a.mag)) return a;
        a.s = chance(g, 50) ? gen_format(g->p, "%s / %d.0f", operand(g, a, 2), 1 << k)
                            : gen_format(g->p, "%s * %s", operand(g, a, 2),
                                         k == 1   ? "0.5f"
                                         : k == 2 ? "0.25f"
                                                  : "0.125f");
        a.prec = 2;
        a.frac += k;
        a.mag = a.mag / (1 << k) > 1.0 / 16 ? a.mag / (1 << k) : 1.0 / 16;
        return a;
    }
    case 12:
        a.s = gen_format(g->p, "%s(%s)", chance(g, 50) ? "floorf" : "ceilf", a.s);
        a.prec = 3;
        a.frac = 0;
        a.mag = ceil(a.mag);
        return a;
    case 13: {
        if (chance(g, 50)) {
            struct ex u = make_expr(g, K_U, depth - 1);
            return (struct ex){.s = gen_format(g->p, "(float)(%s & 255u)", operand(g, u, 3)),
                               .kind = K_F,
                               .prec = 2,
                               .frac = 0,
                               .mag = 255};
        }
        struct ex i = make_expr(g, K_I, depth - 1);
        if (i.lo < -(1 << 20) || i.hi > 1 << 20) return a;
        double lo = fabs((double)i.lo), hi = fabs((double)i.hi);
        return (struct ex){.s = gen_format(g->p, "(float)%s", operand(g, i, 3)),
                           .kind = K_F,
                           .prec = 2,
                           .frac = 0,
                           .mag = fmax(fmax(lo, hi), 1)};
    }
    default: return called(g, K_F, depth);
    }
}

// ---- int ------------------------------------------------------------------------------------------------------------

static struct ex ranged(char *s, int prec, int64_t lo, int64_t hi) {
    return (struct ex){.s = s, .kind = K_I, .prec = prec, .lo = lo, .hi = hi};
}

static int64_t min4(int64_t a, int64_t b, int64_t c, int64_t d) {
    int64_t x = a < b ? a : b, y = c < d ? c : d;
    return x < y ? x : y;
}

static bool narrow(int64_t lo, int64_t hi) { return lo >= -I_WIDE && hi <= I_WIDE; }

// The smallest [-2^k, 2^k - 1] (or [0, 2^k - 1]) around both: bitwise operators stay inside.
static void bits_around(struct ex a, struct ex b, int64_t *lo, int64_t *hi) {
    int64_t top = 1, low = a.lo < b.lo ? a.lo : b.lo, high = a.hi > b.hi ? a.hi : b.hi;
    while (top - 1 < high || -top > low)
        top *= 2;
    *lo = low < 0 ? -top : 0;
    *hi = top - 1;
}

static struct ex make_int(struct maker *g, int depth) {
    if (depth <= 0) return leaf(g, K_I);
    struct gen_program *p = g->p;
    struct ex a = make_int(g, depth - 1), b;
    int64_t lo, hi;
    switch (below(g, 17)) {
    case 0:
    case 1:
        b = make_int(g, depth - 1);
        return narrow(a.lo + b.lo, a.hi + b.hi)
                   ? ranged(gen_format(p, "%s + %s", operand(g, a, 1), operand(g, b, 2)), 1, a.lo + b.lo, a.hi + b.hi)
                   : a;
    case 2:
    case 3:
        b = make_int(g, depth - 1);
        return narrow(a.lo - b.hi, a.hi - b.lo)
                   ? ranged(gen_format(p, "%s - %s", operand(g, a, 1), operand(g, b, 2)), 1, a.lo - b.hi, a.hi - b.lo)
                   : a;
    case 4:
    case 5:
        b = make_int(g, depth - 1);
        lo = min4(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
        hi = -min4(-a.lo * b.lo, -a.lo * b.hi, -a.hi * b.lo, -a.hi * b.hi);
        return narrow(lo, hi) ? ranged(gen_format(p, "%s * %s", operand(g, a, 2), operand(g, b, 3)), 2, lo, hi) : a;
    case 6: {
        int by = between(g, 1, 13);
        hi = llabs(a.lo) > llabs(a.hi) ? llabs(a.lo) : llabs(a.hi);
        if (chance(g, 40)) {
            b = make_int(g, depth - 1);
            return ranged(gen_format(p, "%s / (1 + (%s & 7))", operand(g, a, 2), operand(g, b, 3)), 2, -hi, hi);
        }
        return ranged(gen_format(p, "%s / %s%d", operand(g, a, 2), chance(g, 20) ? "-" : "", by), 2, -hi, hi);
    }
    case 7: {
        if (chance(g, 40)) {
            b = make_int(g, depth - 1);
            return ranged(gen_format(p, "%s %% (3 + (%s & 15))", operand(g, a, 2), operand(g, b, 3)), 2,
                          a.lo < 0 ? -17 : 0, 17);
        }
        int by = between(g, 1, 40);
        return ranged(gen_format(p, "%s %% %s%d", operand(g, a, 2), chance(g, 20) ? "-" : "", by), 2,
                      a.lo < 0 ? 1 - by : 0, by - 1);
    }
    case 8:
    case 9:
        b = make_int(g, depth - 1);
        bits_around(a, b, &lo, &hi);
        if (!narrow(lo, hi)) return a;
        return ranged(gen_format(p, "%s %c %s", operand(g, a, 3), "&|^"[below(g, 3)], operand(g, b, 3)), 0, lo, hi);
    case 10:
        return chance(g, 50) ? ranged(gen_format(p, "~%s", operand(g, a, 3)), 2, -1 - a.hi, -1 - a.lo)
                             : ranged(gen_format(p, "-%s", operand(g, a, 3)), 2, -a.hi, -a.lo);
    case 11: {
        int by = between(g, 0, 6);
        if (a.lo < 0) return a;
        if (chance(g, 50)) return ranged(gen_format(p, "%s >> %d", operand(g, a, 3), by), 0, a.lo >> by, a.hi >> by);
        return narrow(0, a.hi << by)
                   ? ranged(gen_format(p, "%s << %d", operand(g, a, 3), by), 0, a.lo << by, a.hi << by)
                   : a;
    }
    case 12: return ranged(gen_format(p, "%s", make_cond(g, depth - 1)), 0, 0, 1);
    case 13: return select_of(g, a, make_int(g, depth - 1), depth - 1);
    case 14: {
        g->no_double++; // the double policy refuses a demoted value that becomes an integer
        struct ex f = make_float(g, depth - 1);
        g->no_double--;
        if (f.mag > I_WIDE) return a;
        return ranged(gen_format(p, "(int)%s", operand(g, f, 3)), 2, (int64_t)-f.mag, (int64_t)f.mag);
    }
    case 15: {
        struct ex u = make_expr(g, K_U, depth - 1);
        if (chance(g, 50)) return ranged(gen_format(p, "(int)(%s & 1023u)", operand(g, u, 3)), 2, 0, 1023);
        return ranged(gen_format(p, "(int)(%s >> %d)", operand(g, u, 3), 12), 2, 0, 1 << 20);
    }
    default: return called(g, K_I, depth);
    }
}

// ---- unsigned -------------------------------------------------------------------------------------------------------

static struct ex any(char *s, int prec) { return (struct ex){.s = s, .kind = K_U, .prec = prec}; }

static struct ex make_unsigned(struct maker *g, int depth) {
    if (depth <= 0) return leaf(g, K_U);
    struct gen_program *p = g->p;
    struct ex a = make_unsigned(g, depth - 1);
    switch (below(g, 14)) {
    case 0:
    case 1:
        return any(
            gen_format(p, "%s %c %s", operand(g, a, 1), "+-"[below(g, 2)], operand(g, make_unsigned(g, depth - 1), 2)),
            1);
    case 2:
    case 3: return any(gen_format(p, "%s * %s", operand(g, a, 2), operand(g, make_unsigned(g, depth - 1), 3)), 2);
    case 4:
        return any(gen_format(p, "%s %c (1u + (%s & 15u))", operand(g, a, 2), "/%"[below(g, 2)],
                              operand(g, make_unsigned(g, depth - 1), 3)),
                   2);
    case 5: return any(gen_format(p, "%s %c %uu", operand(g, a, 2), "/%"[below(g, 2)], 1 + below(g, 999)), 2);
    case 6:
    case 7:
        return any(
            gen_format(p, "%s %c %s", operand(g, a, 3), "&|^"[below(g, 3)], operand(g, make_unsigned(g, depth - 1), 3)),
            0);
    case 8: return any(gen_format(p, "%s %s %u", operand(g, a, 3), chance(g, 50) ? "<<" : ">>", below(g, 32)), 0);
    case 9:
        return any(gen_format(p, "%s %s (%s & 31u)", operand(g, a, 3), chance(g, 50) ? "<<" : ">>",
                              operand(g, make_unsigned(g, depth - 1), 3)),
                   0);
    case 10: {
        struct ex i = make_int(g, depth - 1);
        if (chance(g, 50)) // int and unsigned meet: the int converts
            return any(gen_format(p, "%s + %s", operand(g, i, 1), operand(g, a, 2)), 1);
        return any(gen_format(p, "(%s)%s", chance(g, 50) ? "unsigned" : "uint32_t", operand(g, i, 3)), 2);
    }
    case 11:
        if (chance(g, 30)) // the high half of the product, which counter-based generators need
            return any(gen_format(p, "(uint32_t)(((uint64_t)%s * %s) >> 32)", operand(g, a, 3),
                                  operand(g, make_unsigned(g, depth - 1), 3)),
                       2);
        return select_of(g, a, make_unsigned(g, depth - 1), depth - 1);
    case 12: return any(gen_format(p, "%s%s", chance(g, 70) ? "~" : "-", operand(g, a, 3)), 2);
    default: return called(g, K_U, depth);
    }
}

struct ex make_expr(struct maker *g, enum kind kind, int depth) {
    return kind == K_F ? make_float(g, depth) : kind == K_I ? make_int(g, depth) : make_unsigned(g, depth);
}

// ---- conditions, formats, terms -------------------------------------------------------------------------------------

char *make_cond(struct maker *g, int depth) {
    static const char *const compare[] = {"<", ">", "<=", ">=", "==", "!="};
    if (depth > 0 && chance(g, 25)) {
        char *a = make_cond(g, depth - 1), *b = make_cond(g, depth - 1);
        return chance(g, 20) ? gen_format(g->p, "(!%s)", a)
                             : gen_format(g->p, "(%s %s %s)", a, chance(g, 50) ? "&&" : "||", b);
    }
    enum kind kind = (enum kind)below(g, 3);
    struct ex a = make_expr(g, kind, depth), b = chance(g, 50) ? make_expr(g, kind, depth) : literal(g, kind);
    const char *op = compare[below(g, kind == K_F ? 6 : kind == K_U ? 6 : 6)];
    if (kind == K_I && a.prec == 3 && chance(g, 15)) return gen_format(g->p, "(%s%s)", chance(g, 50) ? "!" : "!!", a.s);
    if (kind == K_I && chance(g, 25))
        return gen_format(g->p, "(%s %% %d == %d)", operand(g, a, 2), between(g, 2, 5), between(g, 0, 1));
    return gen_format(g->p, "(%s %s %s)", operand(g, a, 1), op, operand(g, b, 1));
}

char *fit_text(struct maker *g, struct ex e) {
    if (e.kind == K_U) return e.s;
    if (e.kind == K_I) return e.lo >= I_LO && e.hi <= I_HI ? e.s : gen_format(g->p, "fiti(%s)", e.s);
    if (e.frac <= F_FRAC && e.mag <= F_MAG) return e.s;
    if (e.frac <= F_FRAC && chance(g, 50))
        return gen_format(g->p, "fminf(fmaxf(%s, -%.1ff), %.1ff)", e.s, F_MAG, F_MAG);
    return gen_format(g->p, "fit(%s)", e.s);
}

char *make_fit(struct maker *g, enum kind kind, int depth) { return fit_text(g, make_expr(g, kind, depth)); }

struct ex make_term(struct maker *g, enum kind kind, int count) {
    if (kind != K_F) {
        struct ex e = make_expr(g, kind, 2);
        int64_t most = I_WIDE / (count > 0 ? count : 1) / 2;
        if (kind == K_I && (e.lo < -most || e.hi > most)) {
            e.s = gen_format(g->p, "fiti(%s)", e.s);
            e.prec = 3;
            e.lo = I_LO;
            e.hi = I_HI;
        }
        return e;
    }
    struct ex e = make_float(g, 2);
    double most = MANTISSA / 2 / (count > 0 ? count : 1);
    if (ldexp(e.mag, e.frac) > most) {
        e.s = gen_format(g->p, "fit(%s)", e.s);
        e.prec = 3;
        e.frac = F_FRAC;
        e.mag = F_MAG;
    }
    return e;
}
