// Expressions with their exact bounds.
#include <math.h>
#include <stdlib.h>

#include "make.h"

static bool exact(int frac, double mag) { return frac <= 14 && ldexp(mag, frac) <= MANTISSA; }

static struct ex select_of(struct maker *g, struct ex a, struct ex b, int depth) {
    struct ex e = a;
    e.s = gen_format(g->p, "%s ? %s : %s", make_cond(g, depth), make_operand(g, a, 1), make_operand(g, b, 1));
    e.prec = 0;
    e.frac = a.frac > b.frac ? a.frac : b.frac;
    e.mag = a.mag > b.mag ? a.mag : b.mag;
    e.lo = a.lo < b.lo ? a.lo : b.lo;
    e.hi = a.hi > b.hi ? a.hi : b.hi;
    return e;
}

// ---- float ----------------------------------------------------------------------------------------------------------

static struct ex sum(struct maker *g, struct ex a, struct ex b, char op) {
    struct ex e = a;
    e.frac = a.frac > b.frac ? a.frac : b.frac;
    e.mag = a.mag + b.mag;
    if (!exact(e.frac, e.mag)) return a;
    e.s = gen_format(g->p, "%s %c %s", make_operand(g, a, 1), op, make_operand(g, b, 2));
    e.prec = 1;
    return e;
}

static struct ex product(struct maker *g, struct ex a, struct ex b) {
    struct ex e = a;
    e.frac = a.frac + b.frac;
    e.mag = a.mag * b.mag;
    if (!exact(e.frac, e.mag)) return sum(g, a, b, '+');
    e.s = gen_format(g->p, "%s * %s", make_operand(g, a, 2), make_operand(g, b, 3));
    e.prec = 2;
    return e;
}

static struct ex make_float(struct maker *g, int depth) {
    if (depth <= 0) return make_leaf(g, K_F);
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
        a.s = gen_format(g->p, "-%s", make_operand(g, a, 3));
        a.prec = 2;
        return a;
    case 11: {
        int k = between(g, 1, 3);
        if (!exact(a.frac + k, a.mag)) return a;
        a.s = chance(g, 50) ? gen_format(g->p, "%s / %d.0f", make_operand(g, a, 2), 1 << k)
                            : gen_format(g->p, "%s * %s", make_operand(g, a, 2),
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
            return (struct ex){.s = gen_format(g->p, "(float)(%s & 255u)", make_operand(g, u, 3)),
                               .kind = K_F,
                               .prec = 2,
                               .frac = 0,
                               .mag = 255};
        }
        struct ex i = make_expr(g, K_I, depth - 1);
        if (i.lo < -(1 << 20) || i.hi > 1 << 20) return a;
        double lo = fabs((double)i.lo), hi = fabs((double)i.hi);
        return (struct ex){.s = gen_format(g->p, "(float)%s", make_operand(g, i, 3)),
                           .kind = K_F,
                           .prec = 2,
                           .frac = 0,
                           .mag = fmax(fmax(lo, hi), 1)};
    }
    default: return make_called(g, K_F, depth);
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
    if (depth <= 0) return make_leaf(g, K_I);
    struct gen_program *p = g->p;
    struct ex a = make_int(g, depth - 1), b;
    int64_t lo, hi;
    switch (below(g, 17)) {
    case 0:
    case 1:
        b = make_int(g, depth - 1);
        return narrow(a.lo + b.lo, a.hi + b.hi)
                   ? ranged(gen_format(p, "%s + %s", make_operand(g, a, 1), make_operand(g, b, 2)), 1, a.lo + b.lo,
                            a.hi + b.hi)
                   : a;
    case 2:
    case 3:
        b = make_int(g, depth - 1);
        return narrow(a.lo - b.hi, a.hi - b.lo)
                   ? ranged(gen_format(p, "%s - %s", make_operand(g, a, 1), make_operand(g, b, 2)), 1, a.lo - b.hi,
                            a.hi - b.lo)
                   : a;
    case 4:
    case 5:
        b = make_int(g, depth - 1);
        lo = min4(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
        hi = -min4(-a.lo * b.lo, -a.lo * b.hi, -a.hi * b.lo, -a.hi * b.hi);
        return narrow(lo, hi)
                   ? ranged(gen_format(p, "%s * %s", make_operand(g, a, 2), make_operand(g, b, 3)), 2, lo, hi)
                   : a;
    case 6: {
        int by = between(g, 1, 13);
        hi = llabs(a.lo) > llabs(a.hi) ? llabs(a.lo) : llabs(a.hi);
        if (chance(g, 40)) {
            b = make_int(g, depth - 1);
            return ranged(gen_format(p, "%s / (1 + (%s & 7))", make_operand(g, a, 2), make_operand(g, b, 3)), 2, -hi,
                          hi);
        }
        return ranged(gen_format(p, "%s / %s%d", make_operand(g, a, 2), chance(g, 20) ? "-" : "", by), 2, -hi, hi);
    }
    case 7: {
        if (chance(g, 40)) {
            b = make_int(g, depth - 1);
            return ranged(gen_format(p, "%s %% (3 + (%s & 15))", make_operand(g, a, 2), make_operand(g, b, 3)), 2,
                          a.lo < 0 ? -17 : 0, 17);
        }
        int by = between(g, 1, 40);
        return ranged(gen_format(p, "%s %% %s%d", make_operand(g, a, 2), chance(g, 20) ? "-" : "", by), 2,
                      a.lo < 0 ? 1 - by : 0, by - 1);
    }
    case 8:
    case 9:
        b = make_int(g, depth - 1);
        bits_around(a, b, &lo, &hi);
        if (!narrow(lo, hi)) return a;
        return ranged(gen_format(p, "%s %c %s", make_operand(g, a, 3), "&|^"[below(g, 3)], make_operand(g, b, 3)), 0,
                      lo, hi);
    case 10:
        return chance(g, 50) ? ranged(gen_format(p, "~%s", make_operand(g, a, 3)), 2, -1 - a.hi, -1 - a.lo)
                             : ranged(gen_format(p, "-%s", make_operand(g, a, 3)), 2, -a.hi, -a.lo);
    case 11: {
        int by = between(g, 0, 6);
        if (a.lo < 0) return a;
        if (chance(g, 50))
            return ranged(gen_format(p, "%s >> %d", make_operand(g, a, 3), by), 0, a.lo >> by, a.hi >> by);
        return narrow(0, a.hi << by)
                   ? ranged(gen_format(p, "%s << %d", make_operand(g, a, 3), by), 0, a.lo << by, a.hi << by)
                   : a;
    }
    case 12: return ranged(gen_format(p, "%s", make_cond(g, depth - 1)), 0, 0, 1);
    case 13: return select_of(g, a, make_int(g, depth - 1), depth - 1);
    case 14: {
        g->no_double++; // the double policy refuses a demoted value that becomes an integer
        struct ex f = make_float(g, depth - 1);
        g->no_double--;
        if (f.mag > I_WIDE) return a;
        return ranged(gen_format(p, "(int)%s", make_operand(g, f, 3)), 2, (int64_t)-f.mag, (int64_t)f.mag);
    }
    case 15: {
        struct ex u = make_expr(g, K_U, depth - 1);
        if (chance(g, 50)) return ranged(gen_format(p, "(int)(%s & 1023u)", make_operand(g, u, 3)), 2, 0, 1023);
        return ranged(gen_format(p, "(int)(%s >> %d)", make_operand(g, u, 3), 12), 2, 0, 1 << 20);
    }
    default: return make_called(g, K_I, depth);
    }
}

// ---- unsigned -------------------------------------------------------------------------------------------------------

static struct ex any(char *s, int prec) { return (struct ex){.s = s, .kind = K_U, .prec = prec}; }

static struct ex make_unsigned(struct maker *g, int depth) {
    if (depth <= 0) return make_leaf(g, K_U);
    struct gen_program *p = g->p;
    struct ex a = make_unsigned(g, depth - 1);
    switch (below(g, 14)) {
    case 0:
    case 1:
        return any(gen_format(p, "%s %c %s", make_operand(g, a, 1), "+-"[below(g, 2)],
                              make_operand(g, make_unsigned(g, depth - 1), 2)),
                   1);
    case 2:
    case 3:
        return any(gen_format(p, "%s * %s", make_operand(g, a, 2), make_operand(g, make_unsigned(g, depth - 1), 3)), 2);
    case 4:
        return any(gen_format(p, "%s %c (1u + (%s & 15u))", make_operand(g, a, 2), "/%"[below(g, 2)],
                              make_operand(g, make_unsigned(g, depth - 1), 3)),
                   2);
    case 5: return any(gen_format(p, "%s %c %uu", make_operand(g, a, 2), "/%"[below(g, 2)], 1 + below(g, 999)), 2);
    case 6:
    case 7:
        return any(gen_format(p, "%s %c %s", make_operand(g, a, 3), "&|^"[below(g, 3)],
                              make_operand(g, make_unsigned(g, depth - 1), 3)),
                   0);
    case 8: return any(gen_format(p, "%s %s %u", make_operand(g, a, 3), chance(g, 50) ? "<<" : ">>", below(g, 32)), 0);
    case 9:
        return any(gen_format(p, "%s %s (%s & 31u)", make_operand(g, a, 3), chance(g, 50) ? "<<" : ">>",
                              make_operand(g, make_unsigned(g, depth - 1), 3)),
                   0);
    case 10: {
        struct ex i = make_int(g, depth - 1);
        if (chance(g, 50)) // int and unsigned meet: the int converts
            return any(gen_format(p, "%s + %s", make_operand(g, i, 1), make_operand(g, a, 2)), 1);
        return any(gen_format(p, "(%s)%s", chance(g, 50) ? "unsigned" : "uint32_t", make_operand(g, i, 3)), 2);
    }
    case 11:
        if (chance(g, 30)) // the high half of the product, which counter-based generators need
            return any(gen_format(p, "(uint32_t)(((uint64_t)%s * %s) >> 32)", make_operand(g, a, 3),
                                  make_operand(g, make_unsigned(g, depth - 1), 3)),
                       2);
        return select_of(g, a, make_unsigned(g, depth - 1), depth - 1);
    case 12: return any(gen_format(p, "%s%s", chance(g, 70) ? "~" : "-", make_operand(g, a, 3)), 2);
    default: return make_called(g, K_U, depth);
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
    struct ex a = make_expr(g, kind, depth), b = chance(g, 50) ? make_expr(g, kind, depth) : make_constant(g, kind);
    const char *op = compare[below(g, kind == K_F ? 6 : kind == K_U ? 6 : 6)];
    if (kind == K_I && a.prec == 3 && chance(g, 15)) return gen_format(g->p, "(%s%s)", chance(g, 50) ? "!" : "!!", a.s);
    if (kind == K_I && chance(g, 25))
        return gen_format(g->p, "(%s %% %d == %d)", make_operand(g, a, 2), between(g, 2, 5), between(g, 0, 1));
    return gen_format(g->p, "(%s %s %s)", make_operand(g, a, 1), op, make_operand(g, b, 1));
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
