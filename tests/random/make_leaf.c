// What expressions are made of: names, literals, elements of arrays with indices in range, calls.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"

static struct ex primary(enum kind kind, char *s) {
    return (struct ex){.s = s, .kind = kind, .prec = 3, .frac = F_FRAC, .mag = F_MAG, .lo = I_LO, .hi = I_HI};
}

// As an operand of an operator that wants at least this precedence.
const char *make_operand(struct maker *g, struct ex e, int prec) {
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

struct ex make_constant(struct maker *g, enum kind kind) {
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
        return gen_format(g->p, "%s %% %du", make_operand(g, u, 2), extent);
    }
    struct ex e = make_expr(g, K_I, 1);
    if ((extent & (extent - 1)) == 0 && chance(g, 50))
        return gen_format(g->p, "%s & %d", make_operand(g, e, 3), extent - 1);
    if (e.lo >= 0 && e.hi < extent) return e.s;
    if (e.lo >= 0) return gen_format(g->p, "%s %% %d", make_operand(g, e, 2), extent);
    if (chance(g, 50))
        return gen_format(g->p, "%s < 0 ? 0 : %s > %d ? %d : %s", make_operand(g, e, 3), make_operand(g, e, 3),
                          extent - 1, extent - 1, e.s);
    int64_t lift = ((-e.lo + extent - 1) / extent) * extent;
    return gen_format(g->p, "(%s + %d) %% %d", make_operand(g, e, 1), (int)lift, extent);
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

struct ex make_leaf(struct maker *g, enum kind kind) {
    if (chance(g, 22)) return make_constant(g, kind);
    const struct sym *s = pick_sym(g, kind, false, true);
    return s ? of_sym(g, s) : make_constant(g, kind);
}

struct ex make_called(struct maker *g, enum kind kind, int depth) {
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
    return s ? primary(kind, s) : make_leaf(g, kind);
}
