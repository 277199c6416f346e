// Parallel loops: an iteration space, for every array what an iteration may do with it, clauses, a body.
#include <string.h>

#include "make.h"

struct space {
    int dims;
    const char *var[2];
    int lo[2], hi[2]; // inclusive
    const char *head[2];
    bool is_unsigned[2];
    int trips;
};

static void choose_dim(struct maker *g, struct space *s, int d, const struct extent *e, bool plain) {
    const char *v = s->var[d] = fresh(g, d ? "j" : "i");
    s->lo[d] = 0;
    s->hi[d] = e->value - 1;
    int trips = e->value;
    switch (plain ? 0 : below(g, 12)) {
    case 1:
        if (e->value >= 3) {
            s->head[d] = gen_format(g->p, "for (int %s = 1; %s < %s - 1; %s++)", v, v, e->text, v);
            s->lo[d] = 1;
            s->hi[d] = e->value - 2;
            trips = e->value - 2;
            break;
        } // fall through
    case 2:
        s->head[d] = gen_format(g->p, "for (int %s = 0; %s < %s; %s += 2)", v, v, e->text, v);
        trips = (e->value + 1) / 2;
        break;
    case 3: s->head[d] = gen_format(g->p, "for (int %s = %s - 1; %s >= 0; %s--)", v, e->text, v, v); break;
    case 4: s->head[d] = gen_format(g->p, "for (int %s = 0; %s <= %s - 1; ++%s)", v, v, e->text, v); break;
    case 5:
        s->head[d] = gen_format(g->p, "for (uint32_t %s = 0; %s < (uint32_t)(%s); %s++)", v, v, e->text, v);
        s->is_unsigned[d] = true;
        break;
    default: s->head[d] = gen_format(g->p, "for (int %s = 0; %s < %s; %s++)", v, v, e->text, v);
    }
    s->trips *= trips;
}

static void choose_space(struct maker *g, struct space *s, unsigned flags) {
    *s = (struct space){.dims = 1, .trips = 1};
    bool plain = (flags & LOOP_STEP) && !chance(g, 10);
    if (!plain && chance(g, 22)) {
        const struct extent *a = &g->extents[below(g, (uint32_t)g->extent_count)],
                            *b = &g->extents[below(g, (uint32_t)g->extent_count)];
        if (a->value * b->value <= 300) {
            s->dims = 2;
            choose_dim(g, s, 0, a, chance(g, 50));
            choose_dim(g, s, 1, b, chance(g, 50));
            return;
        }
    }
    choose_dim(g, s, 0, plain || chance(g, 60) ? &g->extents[0] : &g->extents[below(g, (uint32_t)g->extent_count)],
               plain || chance(g, 50));
}

// ---- what an iteration owns -----------------------------------------------------------------------------------------

static void add_owned(struct maker *g, const struct array *a, const char *prefix, const char *index_after, int ndims,
                      const int *dims, bool writable) {
    if (a->type < 0) {
        scope_add_array(g, prefix, index_after, a->elem, writable, ndims, dims);
        return;
    }
    const struct struct_type *t = &g->types[a->type];
    if (!ndims && !*index_after) {
        scope_add_struct(g, prefix, a->type, writable, ".");
        return;
    }
    for (int i = 0; i < t->count; i++)
        scope_add_array(g, prefix, gen_format(g->p, "%s.%s", index_after, t->fields[i]), kind_elem(t->kinds[i]),
                        writable, ndims, dims);
}

static void remember(struct maker *g, const struct array *a, const char *to, const char *from, int extent) {
    if (a->type >= 0) return;
    g->history_to = to;
    g->history_from = from;
    g->history_extent = extent;
    g->history_kind = kind_of(a->elem);
}

static void write_history(struct maker *g, struct gen_node *loop) {
    struct gen_program *p = g->p;
    const char *from =
        g->history_from ? gen_format(p, "%s[%s]", g->history_from, make_index(g, g->history_extent)) : g->history_to;
    char *more = make_fit(g, g->history_kind, 1);
    gen_line(p, loop,
             g->history_kind == K_F   ? gen_format(p, "%s = fit(%s * 0.5f + (%s));", g->history_to, from, more)
             : g->history_kind == K_I ? gen_format(p, "%s = fiti(%s * 3 + (%s));", g->history_to, from, more)
                                      : gen_format(p, "%s = %s * 3u + (%s);", g->history_to, from, more));
}

// Elements that are this iteration's in this step only: what another iteration wrote a step before may be read, so that
// the time loop must stay outside although no loop races.
static bool own_for_a_step(struct maker *g, const struct array *a, const struct space *s, bool writable) {
    const char *v = s->var[0], *t = g->time;
    if (!t || s->dims != 1) return false;
    if (a->ndims == 2 && g->time_hi < a->dims[0] && s->hi[0] < a->dims[1]) { // a row a step
        const char *to = gen_format(g->p, "%s[%s][%s]", a->name, t, v);
        add_owned(g, a, to, "", 0, NULL, writable);
        const char *row = a->dims[0] < 2 ? NULL
                          : g->time_lo > 0
                              ? gen_format(g->p, "%s[%s - 1]", a->name, t)
                              : gen_format(g->p, "%s[(%s + %d) %% %d]", a->name, t, a->dims[0] - 1, a->dims[0]);
        if (row) {
            add_owned(g, a, row, "", 1, &a->dims[1], false);
            remember(g, a, to, row, a->dims[1]);
        }
        return true;
    }
    if (a->ndims == 1 && s->hi[0] + g->time_hi < a->dims[0]) { // wanders
        const char *to = gen_format(g->p, "%s[%s + %s]", a->name, v, t);
        add_owned(g, a, to, "", 0, NULL, writable);
        remember(g, a, to, NULL, 0);
        return true;
    }
    return false;
}

// The elements that only this iteration touches; false if there is no such index.
static bool own(struct maker *g, const struct array *a, const struct space *s, bool writable, bool simple) {
    struct gen_program *p = g->p;
    const char *v = s->var[0], *w = s->var[1];
    if (g->time && (g->want_history || chance(g, simple ? 12 : 40)) && own_for_a_step(g, a, s, writable)) return true;
    if (s->dims == 2) {
        if (a->ndims == 2 && s->hi[0] < a->dims[0] && s->hi[1] < a->dims[1] && chance(g, 80))
            add_owned(g, a, gen_format(p, "%s[%s][%s]", a->name, v, w), "", 0, NULL, writable);
        else if (a->ndims == 2 && s->hi[1] < a->dims[0] && s->hi[0] < a->dims[1])
            add_owned(g, a, gen_format(p, "%s[%s][%s]", a->name, w, v), "", 0, NULL, writable);
        else if (a->ndims == 1 && s->hi[0] * (s->hi[1] + 1) + s->hi[1] < a->dims[0])
            add_owned(g, a, gen_format(p, "%s[%s * %d + %s]", a->name, v, s->hi[1] + 1, w), "", 0, NULL, writable);
        else
            return false;
        return true;
    }
    if (a->ndims == 2) {
        if (s->hi[0] < a->dims[0] && (simple || chance(g, 80))) {
            add_owned(g, a, gen_format(p, "%s[%s]", a->name, v), "", 1, &a->dims[1], writable);
            return true;
        }
        if (s->hi[0] >= a->dims[1]) return false;
        add_owned(g, a, a->name, gen_format(p, "[%s]", v), 1, &a->dims[0], writable);
        return true;
    }
    int spare = a->dims[0] - 1 - s->hi[0];
    if (spare < 0) return false;
    const char *index = v;
    if (!simple && a->dims[0] >= 2 * s->hi[0] + 2 && chance(g, 50)) {
        add_owned(g, a, gen_format(p, "%s[2 * %s]", a->name, v), "", 0, NULL, writable);
        index = gen_format(p, "2 * %s + 1", v);
    } else if (!simple && spare && chance(g, 40)) {
        index = gen_format(p, "%s + %d", v, between(g, 1, spare < 3 ? spare : 3));
    } else if (!simple && chance(g, 10) && !s->is_unsigned[0]) {
        index = gen_format(p, "%s - 1 - %s", a->dim_text[0], v);
    }
    add_owned(g, a, gen_format(p, "%s[%s]", a->name, index), "", 0, NULL, writable);
    return true;
}

void add_whole_array(struct maker *g, const struct array *a, bool writable) {
    add_owned(g, a, a->name, "", a->ndims, a->dims, writable);
}

// Puts the arrays in scope; true if the loop writes one.
static bool share_out(struct maker *g, const struct space *s, unsigned flags) {
    bool writes = false;
    bool step = flags & LOOP_STEP;
    for (int round = 0; round < 2 && !writes; round++)
        for (int i = 0; i < g->array_count; i++) {
            struct array *a = &g->arrays[i];
            if (round == 0) a->reads = a->writes = false;
            if (a->reads || a->hidden || a->written_nowait) continue;
            if (a->is_const) {
                if (round == 0) add_whole_array(g, a, false);
                continue;
            }
            bool may_write = !a->read_nowait;
            if (may_write && (round == 1 || chance(g, step ? 75 : 55))) {
                a->writes = own(g, a, s, true, step && !chance(g, 10));
                writes |= a->writes;
                if (a->writes) continue;
            }
            if (round == 0 && !step && chance(g, 50)) {
                a->reads = true;
                add_whole_array(g, a, false);
            }
        }
    return writes;
}

// ---- clauses --------------------------------------------------------------------------------------------------------

static const char *const ops[] = {"+", "min", "max", "&", "|", "^", "*", "&&", "||"};

const char *reduction_name(const struct reduction *r) { return ops[r->op]; }

void declare_reduction(struct maker *g, struct gen_node *parent, struct reduction *r) {
    r->name = fresh(g, "acc");
    r->kind = (enum kind)below(g, 3);
    r->op = r->kind == K_F ? (int)below(g, 3) : r->kind == K_U ? (int)below(g, 7) : (int)below(g, 9);
    if (r->kind == K_I && r->op == 6) r->op = 0;
    char *init =
        r->op == 0 && chance(g, 60) ? gen_format(g->p, r->kind == K_F ? "0.0f" : "0") : make_fit(g, r->kind, 1);
    struct gen_node *n = gen_line(g->p, parent, gen_format(g->p, "%s %s = %s;", kind_type(r->kind), r->name, init));
    n->word = r->name;
    n->alt = gen_format(g->p, "%s %s = %s;", kind_type(r->kind), r->name, r->op == 3 || r->op == 6 ? "3" : "0");
}

void add_term(struct maker *g, struct gen_node *parent, struct reduction *r) {
    struct gen_program *p = g->p;
    const char *to = r->name;
    if (chance(g, 25)) {
        struct gen_node *b = gen_block(p, parent, gen_format(p, "if %s {", make_cond(g, 1)), "}");
        b->unwrap = true;
        parent = b;
    }
    char *t;
    if (r->op == 0) {
        r->term = make_term(g, r->kind, r->count);
        gen_line(p, parent,
                 chance(g, 70) || r->kind == K_U ? gen_format(p, "%s += %s;", to, r->term.s)
                                                 : gen_format(p, "%s = %s + (%s);", to, to, r->term.s));
        return;
    }
    t = make_fit(g, r->kind, 2);
    switch (r->op) {
    case 1:
    case 2: {
        bool least = r->op == 1;
        if (r->kind == K_F && chance(g, 50)) {
            gen_line(p, parent, gen_format(p, "%s = %s(%s, %s);", to, least ? "fminf" : "fmaxf", to, t));
        } else {
            const char *name = fresh(g, "t");
            gen_line(p, parent, gen_format(p, "const %s %s = %s;", kind_type(r->kind), name, t))->word = name;
            gen_line(p, parent,
                     chance(g, 50)
                         ? gen_format(p, "if (%s %c %s)\n    %s = %s;", name, least ? '<' : '>', to, to, name)
                         : gen_format(p, "%s = %s %c %s ? %s : %s;", to, name, least ? '<' : '>', to, name, to));
        }
        return;
    }
    case 3:
    case 4:
    case 5:
    case 6: gen_line(p, parent, gen_format(p, "%s %s= %s;", to, ops[r->op], t)); return;
    default: gen_line(p, parent, gen_format(p, "%s = %s %s %s;", to, to, ops[r->op], make_cond(g, 1)));
    }
}

void publish_reduction(struct maker *g, const struct reduction *r) {
    struct sym *s = scope_add(g, r->name, r->kind, false);
    if (r->op == 0) {
        s->frac = r->term.frac > F_FRAC ? r->term.frac : F_FRAC;
        s->mag = r->term.mag * r->count + F_MAG;
        int64_t most = -r->term.lo > r->term.hi ? -r->term.lo : r->term.hi;
        s->lo = -most * r->count + I_LO;
        s->hi = most * r->count + I_HI;
    } else if (r->kind == K_I && r->op >= 3 && r->op <= 5) {
        s->lo = I_LO;
        s->hi = I_HI;
    }
}

void make_loop(struct maker *g, struct gen_node *parent, unsigned flags) {
    struct gen_program *p = g->p;
    struct space s;
    choose_space(g, &s, flags);
    struct reduction r = {0};
    const char *last = NULL, *own_copy = NULL;
    enum kind last_kind = (enum kind)below(g, 3), copy_kind = (enum kind)below(g, 3);
    bool region = flags & LOOP_IN_REGION, reduce = !(flags & LOOP_NO_REDUCE) && !region && chance(g, 25);
    char *clauses = gen_format(p, "%s", s.dims == 2 ? " collapse(2)" : "");
    struct mark before = scope_mark(g);
    if (reduce) {
        r.count = s.trips;
        declare_reduction(g, parent, &r);
        clauses = gen_format(p, "%s reduction(%s:%s)", clauses, ops[r.op], r.name);
    }
    if (!region && !(flags & LOOP_NO_REDUCE) && chance(g, 12)) {
        last = fresh(g, "last");
        gen_line(p, parent, gen_format(p, "%s %s = %s;", kind_type(last_kind), last, make_literal(g, last_kind)))
            ->word = last;
        clauses = gen_format(p, "%s lastprivate(%s)", clauses, last);
    }
    if (!region && chance(g, 10)) {
        own_copy = fresh(g, "own");
        gen_line(p, parent, gen_format(p, "%s %s = %s;", kind_type(copy_kind), own_copy, make_fit(g, copy_kind, 1)))
            ->word = own_copy;
    }
    bool first = own_copy && chance(g, 50);
    if (own_copy) clauses = gen_format(p, "%s %s(%s)", clauses, first ? "firstprivate" : "private", own_copy);
    static const char *const schedules[] = {" schedule(static)", " schedule(dynamic, 4)", " num_threads(2)",
                                            " default(shared)"};
    if (chance(g, 15)) clauses = gen_format(p, "%s%s", clauses, schedules[region ? below(g, 2) : below(g, 4)]);

    bool was_writable[600];
    for (int i = g->sym_base; i < g->sym_count; i++) {
        was_writable[i] = g->syms[i].writable;
        g->syms[i].writable = false; // what the entry level declared is shared
    }
    struct mark inside = scope_mark(g);
    for (int d = 0; d < s.dims; d++) {
        struct sym *v = scope_add(g, s.var[d], s.is_unsigned[d] ? K_U : K_I, false);
        v->lo = s.lo[d];
        v->hi = s.hi[d];
    }
    g->history_to = NULL;
    bool writes = share_out(g, &s, flags);
    bool nowait = region && !reduce && !last && (flags & LOOP_NO_REDUCE) == 0 && chance(g, 40);
    char *directive = gen_format(p, "#pragma omp %s%s%s",
                                 region         ? "for"
                                 : chance(g, 5) ? "parallel for simd"
                                                : "parallel for",
                                 clauses, nowait ? " nowait" : "");
    char *head = s.dims == 2 ? gen_format(p, "%s\n%s\n    %s {", directive, s.head[0], s.head[1])
                             : gen_format(p, "%s\n%s {", directive, s.head[0]);
    struct gen_node *loop = gen_block(p, parent, head, "}");
    if (last) {
        gen_line(p, loop, gen_format(p, "%s = %s;", last, make_fit(g, last_kind, 2)))->fixed = true;
        scope_add(g, last, last_kind, true);
    }
    if (own_copy) {
        if (!first) gen_line(p, loop, gen_format(p, "%s = %s;", own_copy, make_fit(g, copy_kind, 2)))->fixed = true;
        scope_add(g, own_copy, copy_kind, !first);
    }
    g->in_parallel = true;
    g->parallel_continue = true;
    g->loop_depth = 0;
    int statements = flags & LOOP_RICH ? between(g, 3, 8) : flags & LOOP_SHORT ? between(g, 0, 1) : between(g, 0, 3);
    int old_budget = g->budget, cap = flags & LOOP_RICH ? 60 : 20;
    if (g->budget > cap) g->budget = cap;
    int granted = g->budget;
    // a few values of its own, so that there is something to compute with
    for (int i = flags & LOOP_RICH ? 3 : 1; i > 0; i--) {
        enum kind kind = i == 3 ? K_I : chance(g, 60) ? K_F : (enum kind)below(g, 3);
        declare(g, loop, kind, make_fit(g, kind, 2), true);
    }
    if (flags & LOOP_RICH && chance(g, 40)) declare_struct(g, loop, 1);
    if (flags & LOOP_RICH && chance(g, 60)) make_lanes(g, loop);
    if (flags & LOOP_RICH && chance(g, 40)) make_serial(g, loop);
    make_block(g, loop, statements, flags & LOOP_RICH ? 3 : 2);
    g->budget = old_budget - (granted - g->budget);
    if (reduce) add_term(g, loop, &r);
    // what it owns is written at the end, where everything computed can be used
    if (writes)
        for (int i = inside.syms, done = 0; i < g->sym_count && done < 2; i++)
            if (g->syms[i].writable && (strchr(g->syms[i].name, '[') || strstr(g->syms[i].suffix, "[")) &&
                chance(g, 70)) {
                const struct sym t = g->syms[i];
                const char *to = t.ndims ? make_element(g, &t) : gen_format(p, "%s%s", t.name, t.suffix);
                gen_line(p, loop, gen_format(p, "%s = %s;", to, make_fit(g, t.kind, 2)));
                done++;
            }
    if (g->history_to && chance(g, 80)) write_history(g, loop);
    g->in_parallel = g->parallel_continue = false;
    scope_restore(g, before);
    for (int i = g->sym_base; i < g->sym_count; i++)
        g->syms[i].writable = was_writable[i];
    if (reduce) publish_reduction(g, &r);
    if (last) scope_add(g, last, last_kind, false);
    for (int i = 0; i < g->array_count; i++) {
        struct array *a = &g->arrays[i];
        a->written_nowait = nowait && (a->written_nowait || a->writes);
        a->read_nowait = nowait && (a->read_nowait || a->reads || a->writes);
    }
}

// Gives every element of a scratch array its first value.
void make_fill(struct maker *g, struct gen_node *parent, const struct array *a) {
    struct gen_program *p = g->p;
    struct mark m = scope_mark(g);
    bool was_writable[600];
    for (int i = g->sym_base; i < g->sym_count; i++) {
        was_writable[i] = g->syms[i].writable;
        g->syms[i].writable = false;
    }
    const char *i = fresh(g, "i"), *j = fresh(g, "j");
    bool collapse = a->ndims == 2 && chance(g, 40);
    char *head = gen_format(p, "#pragma omp parallel for%s\nfor (int %s = 0; %s < %s; %s++)%s",
                            collapse ? " collapse(2)" : "", i, i, a->dim_text[0], i, collapse ? "" : " {");
    struct sym *s = scope_add(g, i, K_I, false);
    s->lo = 0;
    s->hi = a->dims[0] - 1;
    char *second = gen_format(p, "for (int %s = 0; %s < %s; %s++) {", j, j, a->ndims == 2 ? a->dim_text[1] : "", j);
    struct gen_node *loop = gen_block(p, parent, collapse ? gen_format(p, "%s\n    %s", head, second) : head, "}");
    loop->fixed = true;
    if (a->ndims == 2) {
        s = scope_add(g, j, K_I, false);
        s->lo = 0;
        s->hi = a->dims[1] - 1;
        if (!collapse) {
            loop = gen_block(p, loop, second, "}");
            loop->fixed = true;
        }
    }
    const char *to = a->ndims == 2 ? gen_format(p, "%s[%s][%s]", a->name, i, j) : gen_format(p, "%s[%s]", a->name, i);
    g->loop_depth = 3; // no calls
    for (int k = 0; k < (a->type >= 0 ? g->types[a->type].count : 1); k++) {
        enum kind kind = a->type >= 0 ? g->types[a->type].kinds[k] : kind_of(a->elem);
        struct gen_node *n =
            gen_line(p, loop,
                     gen_format(p, "%s%s%s = %s;", to, a->type >= 0 ? "." : "",
                                a->type >= 0 ? g->types[a->type].fields[k] : "", make_fit(g, kind, 1)));
        n->fixed = true;
        n->alt =
            gen_format(p, "%s%s%s = 1;", to, a->type >= 0 ? "." : "", a->type >= 0 ? g->types[a->type].fields[k] : "");
    }
    for (int k = 0; a->type >= 0 && k < g->types[a->type].row; k++)
        gen_line(p, loop, gen_format(p, "%s.v[%d] = %s;", to, k, make_fit(g, K_F, 0)))->fixed = true;
    g->loop_depth = 0;
    scope_restore(g, m);
    for (int k = g->sym_base; k < g->sym_count; k++)
        g->syms[k].writable = was_writable[k];
}
