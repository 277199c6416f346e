// Programs that need barriers: loops around several parallel loops whose iterations read what others wrote.
//
// Each phase writes one array, element i in iteration i, and reads any element of the others; in the next phase the
// roles change. So between two phases there is what a barrier has to keep in order: read after write, write after read,
// write after write. Around them stand counted loops, bounded whiles that a reduction ends, conditions and breaks;
// between them sequential code, reductions whose results the next phase uses, and atomic updates whose order cannot
// matter. Sums by atomics stay apart in an array of their own, whose elements are known not to grow out of bounds.
#include <string.h>

#include "make.h"

enum { TALLIES = 16, MOST_TALLY = 1 << 21 };

static bool fits(const struct maker *g, const struct array *a) {
    return !a->hidden && a->type < 0 && a->ndims == 1 && a->dims[0] == g->n;
}

static const struct array *pick_line(struct maker *g, bool writable, const struct array *except) {
    const struct array *found = NULL;
    int count = 0;
    for (int i = 0; i < g->array_count; i++) {
        const struct array *a = &g->arrays[i];
        if (a != except && fits(g, a) && !(writable && a->is_const) && a->elem <= GEN_U32 &&
            below(g, (uint32_t)++count) == 0)
            found = a;
    }
    return found;
}

// An element of another iteration, in range for every i in [0, n).
static char *neighbour(struct maker *g, const struct array *a, const char *i) {
    struct gen_program *p = g->p;
    switch (below(g, 8)) {
    case 0: return gen_format(p, "%s[%s > 0 ? %s - 1 : 0]", a->name, i, i);
    case 1: return gen_format(p, "%s[%s < n - 1 ? %s + 1 : n - 1]", a->name, i, i);
    case 2: return gen_format(p, "%s[(%s + 1) %% n]", a->name, i);
    case 3: return gen_format(p, "%s[(%s + n - 1) %% n]", a->name, i);
    case 4: return gen_format(p, "%s[n - 1 - %s]", a->name, i);
    case 5: return gen_format(p, "%s[(%s + n / 2) %% n]", a->name, i);
    case 6: return gen_format(p, "%s[%s / 2]", a->name, i);
    default: return gen_format(p, "%s[%s]", a->name, i);
    }
}

// `to` becomes of `from` and something else; stays in the stored format.
static char *mixed(struct maker *g, enum kind kind, const char *from, const char *more) {
    return kind == K_F   ? gen_format(g->p, "fit(%s * 0.5f + (%s))", from, more)
           : kind == K_I ? gen_format(g->p, "fiti(%s * 3 + (%s))", from, more)
                         : gen_format(g->p, "%s * 3u + (%s)", from, more);
}

static char *converted(struct maker *g, enum kind to, enum kind from, char *text) {
    if (to == from) return text;
    if (to == K_F)
        return from == K_I ? gen_format(g->p, "(float)(%s %% 60)", text) : gen_format(g->p, "(float)(%s & 63u)", text);
    if (to == K_I) return from == K_F ? gen_format(g->p, "(int)%s", text) : gen_format(g->p, "(int)(%s & 511u)", text);
    return from == K_F ? gen_format(g->p, "(unsigned)(int)%s", text) : gen_format(g->p, "(unsigned)%s", text);
}

// The sum of a row of another array by lanes.
static const char *make_simd(struct maker *g, struct gen_node *parent, const struct array *from) {
    struct gen_program *p = g->p;
    enum kind kind = kind_of(from->elem);
    const char *sum = fresh(g, "sum"), *k = fresh(g, "k");
    struct gen_node *group = gen_block(p, parent, "", "");
    group->word = sum;
    gen_line(p, group, gen_format(p, "%s %s = 0;", kind_type(kind), sum))->fixed = true;
    int count = g->n < 40 ? g->n : 40;
    struct gen_node *loop = gen_block(
        p, group,
        gen_format(p, "#pragma omp simd reduction(+ : %s)\nfor (int %s = 0; %s < %d; %s++) {", sum, k, k, count, k),
        "}");
    loop->fixed = true;
    gen_line(p, loop, gen_format(p, "%s += %s[%s];", sum, from->name, k))->fixed = true;
    struct sym *s = scope_add(g, sum, kind, false);
    s->mag = F_MAG * count;
    s->lo = (int64_t)I_LO * count;
    s->hi = (int64_t)I_HI * count;
    return sum;
}

static void add_loop_variable(struct maker *g, const char *i, int hi) {
    struct sym *s = scope_add(g, i, K_I, false);
    s->lo = 0;
    s->hi = hi;
}

// Values of its own for each of a few lanes, which a loop over time changes and adds up, and which may end it early.
void make_lanes(struct maker *g, struct gen_node *parent) {
    struct gen_program *p = g->p;
    enum kind kind = (enum kind)below(g, 3);
    const char *cells = fresh(g, "cells"), *sum = fresh(g, "sum"), *part = fresh(g, "part"), *k = fresh(g, "k"),
               *t = fresh(g, "t"), *type = kind_type(kind);
    int count = between(g, 4, 16), steps = between(g, 2, 9), depth = g->loop_depth;
    bool most = kind == K_F && chance(g, 30);
    struct gen_node *group = gen_block(p, parent, "", "");
    group->word = sum;
    gen_line(p, group, gen_format(p, "%s %s[%d];", type, cells, count))->fixed = true;
    gen_line(p, group, gen_format(p, "%s %s = 0;", type, sum))->fixed = true;
    g->loop_depth = 3; // no calls
    struct mark outer = scope_mark(g);
    add_loop_variable(g, k, count - 1);
    struct gen_node *loop = gen_block(
        p, group,
        gen_format(p, "%sfor (int %s = 0; %s < %d; %s++) {", chance(g, 50) ? "#pragma omp simd\n" : "", k, k, count, k),
        "}");
    loop->fixed = true;
    gen_line(p, loop, gen_format(p, "%s[%s] = %s;", cells, k, make_fit(g, kind, 1)))->fixed = true;
    scope_restore(g, outer);
    add_loop_variable(g, t, steps - 1);
    struct gen_node *time =
        gen_block(p, group, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", t, t, steps, t), "}");
    time->fixed = true;
    gen_line(p, time, gen_format(p, "%s %s = 0;", type, part))->fixed = true;
    add_loop_variable(g, k, count - 1);
    loop = gen_block(p, time,
                     gen_format(p, "#pragma omp simd reduction(%s : %s)\nfor (int %s = 0; %s < %d; %s++) {",
                                most ? "max" : "+", part, k, k, count, k),
                     "}");
    loop->fixed = true;
    const char *own = gen_format(p, "%s[%s]", cells, k);
    gen_line(p, loop, gen_format(p, "%s = %s;", own, mixed(g, kind, own, make_fit(g, kind, 1))))->fixed = true;
    gen_line(p, loop,
             most ? gen_format(p, "%s = fmaxf(%s, %s);", part, part, own) : gen_format(p, "%s += %s;", part, own))
        ->fixed = true;
    gen_line(p, time, gen_format(p, "%s = %s;", sum, mixed(g, kind, sum, part)))->fixed = true;
    if (chance(g, 40))
        gen_line(p, time, gen_format(p, "if (%s %% 7 == 3) break;", kind == K_F ? gen_format(p, "(int)%s", sum) : sum));
    scope_restore(g, outer);
    g->loop_depth = depth;
    scope_add(g, sum, kind, false);
}

struct frozen {
    bool writable[600];
};

// What the entry level declared is shared: no iteration may write it.
static void freeze(struct maker *g, struct frozen *f) {
    for (int i = g->sym_base; i < g->sym_count; i++) {
        f->writable[i] = g->syms[i].writable;
        g->syms[i].writable = false;
    }
}

static void thaw(struct maker *g, const struct frozen *f) {
    for (int i = g->sym_base; i < g->sym_count; i++)
        g->syms[i].writable = f->writable[i];
}

// One array written, the others read anywhere.
static void make_phase(struct maker *g, struct gen_node *parent, bool reduce) {
    struct gen_program *p = g->p;
    const struct array *to = pick_line(g, true, NULL), *from = to ? pick_line(g, false, to) : NULL;
    if (!to) return;
    struct mark outer = scope_mark(g);
    struct reduction r = {0};
    struct frozen frozen;
    const char *i = fresh(g, "i"), *lo = "0", *hi = "n";
    g->loop_depth = 3; // no calls
    if (chance(g, 25)) hi = declare(g, parent, K_I, make_index(g, g->n + 1), false);
    if (chance(g, 10)) lo = declare(g, parent, K_I, make_index(g, g->n + 1), false);
    g->loop_depth = 0;
    reduce = reduce && chance(g, 60);
    char *clause = gen_format(p, "%s", "");
    if (reduce) {
        r.count = g->n;
        declare_reduction(g, parent, &r);
        clause = gen_format(p, " reduction(%s : %s)", reduction_name(&r), r.name);
    }
    freeze(g, &frozen);
    struct gen_node *loop = gen_block(
        p, parent,
        gen_format(p, "#pragma omp parallel for%s\nfor (int %s = %s; %s < %s; %s++) {", clause, i, lo, i, hi, i), "}");
    add_loop_variable(g, i, g->n - 1);
    for (int k = 0; k < g->array_count; k++)
        if (&g->arrays[k] != to && !g->arrays[k].hidden && chance(g, 50)) add_whole_array(g, &g->arrays[k], false);
    char *own = gen_format(p, "%s[%s]", to->name, i);
    scope_add_array(g, own, "", to->elem, true, 0, NULL);
    g->in_parallel = true;
    g->loop_depth = 1;
    if (from && from->elem <= GEN_U32 && chance(g, 20)) make_simd(g, loop, from);
    if (chance(g, 20)) make_lanes(g, loop);
    if (chance(g, 25)) make_serial(g, loop);
    if (chance(g, 30)) make_block(g, loop, 1, 1);
    enum kind kind = kind_of(to->elem);
    const char *other = from ? converted(g, kind, kind_of(from->elem), neighbour(g, from, i)) : make_fit(g, kind, 1);
    const char *more = from && chance(g, 50) ? converted(g, kind, kind_of(from->elem), neighbour(g, from, i)) : NULL;
    if (!more) more = make_fit(g, kind, 1);
    struct gen_node *where = loop;
    if (chance(g, 20)) {
        where = gen_block(p, loop, gen_format(p, "if %s {", make_cond(g, 1)), "}");
        where->unwrap = true;
    }
    struct gen_node *line = gen_line(p, where, gen_format(p, "%s = %s;", own, mixed(g, kind, other, more)));
    line->alt = gen_format(p, "%s = %s;", own, other);
    if (reduce) add_term(g, loop, &r);
    g->in_parallel = false;
    g->loop_depth = 0;
    scope_restore(g, outer);
    thaw(g, &frozen);
    if (reduce) publish_reduction(g, &r);
}

// Who has the largest value: an index chosen by what equals an earlier reduction, perhaps with how many there are. A
// value of it is short, so that each workgroup may compute all of them itself.
static void make_leader(struct maker *g, struct gen_node *parent) {
    struct gen_program *p = g->p;
    const struct array *a = pick_line(g, false, NULL);
    if (!a) return;
    enum kind kind = kind_of(a->elem);
    const char *top = fresh(g, "top"), *leader = fresh(g, "leader"), *i = fresh(g, "i"), *own = a->name;
    const char *count = chance(g, 40) ? fresh(g, "count") : NULL;
    struct frozen frozen;
    struct gen_node *group = gen_block(p, parent, "", "");
    group->word = leader;
    gen_line(p, group, gen_format(p, "%s %s = %s[0];", kind_type(kind), top, own))->fixed = true;
    gen_line(p, group, gen_format(p, "int %s = n;", leader))->fixed = true;
    if (count) gen_line(p, group, gen_format(p, "int %s = 0;", count))->fixed = true;
    freeze(g, &frozen);
    struct gen_node *loop = gen_block(
        p, group,
        gen_format(p, "#pragma omp parallel for reduction(max : %s)\nfor (int %s = 0; %s < n; %s++) {", top, i, i, i),
        "}");
    gen_line(p, loop, gen_format(p, "%s = %s[%s] > %s ? %s[%s] : %s;", top, own, i, top, own, i, top))->fixed = true;
    loop = gen_block(p, group,
                     gen_format(p, "#pragma omp parallel for reduction(min : %s)%s\nfor (int %s = 0; %s < n; %s++) {",
                                leader, count ? gen_format(p, " reduction(+ : %s)", count) : "", i, i, i),
                     "}");
    loop->fixed = true;
    struct mark outer = scope_mark(g);
    add_loop_variable(g, i, g->n - 1);
    g->loop_depth = 3; // no calls
    const char *more = chance(g, 30) ? gen_format(p, " && %s", make_cond(g, 1)) : "";
    g->loop_depth = 0;
    scope_restore(g, outer);
    const char *text = gen_format(p, "%s = %s;", leader, i);
    if (count) text = gen_format(p, "%s = %s < %s ? %s : %s;\n    %s++;", leader, i, leader, i, leader, count);
    struct gen_node *line =
        gen_line(p, loop,
                 count ? gen_format(p, "if (%s[%s] == %s%s) {\n    %s\n}", own, i, top, more, text)
                       : gen_format(p, "if (%s[%s] == %s && %s < %s%s) %s", own, i, top, i, leader, more, text));
    line->fixed = true;
    if (*more) line->alt = gen_format(p, "if (%s[%s] == %s && %s < %s) %s = %s;", own, i, top, i, leader, leader, i);
    if (count) gen_line(p, group, gen_format(p, "%s = (%s + %s) %% n;", leader, leader, count))->fixed = true;
    thaw(g, &frozen);
    struct sym *s = scope_add(g, leader, K_I, false);
    s->lo = 0;
    s->hi = g->n;
}

// Many iterations change one word; what they change, this loop does not read.
static void make_atomics(struct maker *g, struct gen_node *parent, const char *tally) {
    struct gen_program *p = g->p;
    const struct array *to = NULL;
    int found = 0;
    for (int k = 0; k < g->array_count; k++) {
        const struct array *a = &g->arrays[k];
        if (!a->hidden && !a->is_const && a->type < 0 && a->ndims == 1 && (a->elem == GEN_I32 || a->elem == GEN_U32) &&
            below(g, (uint32_t)++found) == 0)
            to = a;
    }
    struct mark outer = scope_mark(g);
    struct frozen frozen;
    const char *i = fresh(g, "i");
    freeze(g, &frozen);
    struct gen_node *loop =
        gen_block(p, parent, gen_format(p, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i), "}");
    add_loop_variable(g, i, g->n - 1);
    for (int k = 0; k < g->array_count; k++)
        if (&g->arrays[k] != to && !g->arrays[k].hidden) add_whole_array(g, &g->arrays[k], false);
    g->loop_depth = 1;
    if (!to || chance(g, 50)) {
        gen_line(p, loop,
                 gen_format(p, "#pragma omp atomic\n%s[%s] += %s;", tally, make_index(g, TALLIES),
                            gen_format(p, "%s %% 100", make_fit(g, K_I, 1))));
    } else {
        char *place = gen_format(p, "%s[%s]", to->name, make_index(g, to->dims[0]));
        enum kind kind = kind_of(to->elem);
        const char *v = declare(g, loop, kind, make_fit(g, kind, 1), false), *text;
        switch (below(g, kind == K_U ? 6 : 5)) {
        case 0: text = gen_format(p, "#pragma omp atomic\n%s |= %s;", place, v); break;
        case 1: text = gen_format(p, "#pragma omp atomic\n%s &= %s;", place, v); break;
        case 2: text = gen_format(p, "#pragma omp atomic\n%s ^= %s;", place, v); break;
        case 3:
            // Not as `if (x > e) { x = e; }`: gcc 13 refuses some of those (atomic_text.c knows about spellings).
            text = gen_format(p, "#pragma omp atomic compare\n%s = %s > %s ? %s : %s;", place, place, v, v, place);
            break;
        case 4:
            text = gen_format(p, "#pragma omp atomic compare\n%s = %s < %s ? %s : %s;", place, place, v, v, place);
            break;
        default: text = gen_format(p, "#pragma omp atomic\n%s += %s;", place, v);
        }
        gen_line(p, loop, (char *)(uintptr_t)text);
    }
    g->loop_depth = 0;
    scope_restore(g, outer);
    thaw(g, &frozen);
}

// Sequential code that reads what it writes: one invocation's, seen by all.
static void make_chain(struct maker *g, struct gen_node *parent) {
    struct gen_program *p = g->p;
    const struct array *a = pick_line(g, true, NULL);
    if (!a || g->n < 3) return;
    const char *i = fresh(g, "i");
    enum kind kind = kind_of(a->elem);
    int most = g->n - 1 < 6 ? g->n - 1 : 6;
    struct gen_node *loop =
        gen_block(p, parent, gen_format(p, "for (int %s = 1; %s <= %d; %s++) {", i, i, most, i), "}");
    struct mark outer = scope_mark(g);
    add_loop_variable(g, i, most);
    char *more = make_fit(g, kind, 1);
    gen_line(p, loop,
             gen_format(p, "%s[%s] = %s;", a->name, i, mixed(g, kind, gen_format(p, "%s[%s - 1]", a->name, i), more)));
    scope_restore(g, outer);
}

static void make_phases(struct maker *g, struct gen_node *parent, const char *tally, int depth);

static void make_one(struct maker *g, struct gen_node *parent, const char *tally, int depth) {
    struct gen_program *p = g->p;
    struct mark m = scope_mark(g);
    switch (below(g, 13)) {
    case 0: make_atomics(g, parent, tally); break;
    case 1: make_chain(g, parent); break;
    case 2: make_sequential(g, parent); break;
    case 3: {
        struct gen_node *b = gen_block(p, parent, gen_format(p, "if %s {", make_cond(g, 1)), "}");
        b->unwrap = true;
        make_phase(g, b, false);
        if (chance(g, 40)) {
            struct gen_node *other = gen_line(p, b, "} else {");
            other->fixed = other->outdent = true;
            make_phase(g, b, false);
        }
        scope_restore(g, m);
        break;
    }
    case 4:
        if (depth > 0) {
            const char *q = fresh(g, "q");
            int trips = between(g, 1, 3);
            struct gen_node *inner =
                gen_block(p, parent, gen_format(p, "for (int %s = 0; %s < %d; %s++) {", q, q, trips, q), "}");
            add_loop_variable(g, q, trips - 1);
            make_phases(g, inner, tally, depth - 1);
            scope_restore(g, m);
            break;
        } // fall through
    case 5: make_loop(g, parent, chance(g, 50) ? LOOP_STEP | LOOP_SHORT : LOOP_SHORT); break;
    case 6: make_leader(g, parent); break;
    default: make_phase(g, parent, true); // its result stays in scope
    }
}

static void make_phases(struct maker *g, struct gen_node *parent, const char *tally, int depth) {
    for (int k = between(g, 2, 4); k > 0; k--)
        make_one(g, parent, tally, depth);
    if (chance(g, 12)) {
        struct gen_node *b = gen_block(g->p, parent, gen_format(g->p, "if %s {", make_cond(g, 1)), "}");
        gen_line(g->p, b, "break;");
        make_phase(g, parent, false);
    }
}

// Bounded, ended by what its passes compute.
static void make_waiting(struct maker *g, struct gen_node *parent, const char *tally) {
    struct gen_program *p = g->p;
    struct mark m = scope_mark(g);
    const char *w = fresh(g, "w"), *go = fresh(g, "go");
    int most = between(g, 2, 5);
    struct gen_node *group = gen_block(p, parent, "", "");
    gen_line(p, group, gen_format(p, "int %s = 0, %s = 1;", w, go))->fixed = true;
    bool late = chance(g, 30);
    struct gen_node *loop = late ? gen_block(p, group, "do {", gen_format(p, "} while (%s < %d && %s);", w, most, go))
                                 : gen_block(p, group, gen_format(p, "while (%s && %s < %d) {", go, w, most), "}");
    gen_line(p, loop, gen_format(p, "%s++;", w))->fixed = true;
    add_loop_variable(g, w, most);
    make_phases(g, loop, tally, 1);
    gen_line(p, loop, gen_format(p, "%s = %s;", go, make_cond(g, 2)));
    scope_restore(g, m);
}

static void make_counted(struct maker *g, struct gen_node *parent, const char *tally) {
    struct mark m = scope_mark(g);
    const char *t = fresh(g, "t");
    struct gen_node *loop =
        gen_block(g->p, parent, gen_format(g->p, "for (int %s = 0; %s < steps; %s++) {", t, t, t), "}");
    loop->alt = gen_format(g->p, "for (int %s = 0; %s < 1; %s++) {", t, t, t);
    add_loop_variable(g, t, g->steps - 1);
    make_phases(g, loop, tally, 1);
    scope_restore(g, m);
}

void make_grid(struct maker *g, struct gen_node *entry) {
    struct gen_program *p = g->p;
    const char *tally = fresh(g, "tally"), *i = fresh(g, "i");
    struct gen_node *group = gen_block(p, entry, "", "");
    group->word = tally;
    gen_line(p, group, gen_format(p, "int %s[%d];", tally, TALLIES))->fixed = true;
    struct gen_node *fill = gen_block(
        p, group, gen_format(p, "#pragma omp parallel for\nfor (int %s = 0; %s < %d; %s++) {", i, i, TALLIES, i), "}");
    fill->fixed = true;
    gen_line(p, fill, gen_format(p, "%s[%s] = 0;", tally, i))->fixed = true;
    if (chance(g, 40)) make_phase(g, entry, true);
    for (int k = chance(g, 25) ? 2 : 1; k > 0; k--)
        if (chance(g, 35))
            make_waiting(g, entry, tally);
        else
            make_counted(g, entry, tally);
    make_plane(g, entry);
    const struct array *to = pick_line(g, true, NULL);
    if (!to) return;
    // what was counted is part of the result
    struct frozen frozen;
    freeze(g, &frozen);
    struct mark m = scope_mark(g);
    const char *at = fresh(g, "i");
    struct gen_node *last = gen_block(
        p, entry, gen_format(p, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", at, at, at), "}");
    add_loop_variable(g, at, g->n - 1);
    enum kind kind = kind_of(to->elem);
    char *value = gen_format(p, "%s[%s %% %d]", tally, at, TALLIES);
    gen_line(p, last,
             kind == K_F
                 ? gen_format(p, "%s[%s] = fit(%s[%s] * 0.5f + (float)(%s %% 60));", to->name, at, to->name, at, value)
             : kind == K_I ? gen_format(p, "%s[%s] = fiti(%s[%s] + %s %% 1000);", to->name, at, to->name, at, value)
                           : gen_format(p, "%s[%s] += (unsigned)%s;", to->name, at, value));
    scope_restore(g, m);
    thaw(g, &frozen);
}
