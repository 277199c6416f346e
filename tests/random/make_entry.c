// The entry function: parameters, scratch arrays, and a sequence of parallel loops, time loops, regions and sequential
// code.
#include <string.h>

#include "make.h"

// ---- sequential code ------------------------------------------------------------------------------------------------

static void see_arrays(struct maker *g, bool writable) {
    for (int i = 0; i < g->array_count; i++)
        if (!g->arrays[i].hidden && !g->arrays[i].written_nowait)
            add_whole_array(g, &g->arrays[i], writable && !g->arrays[i].is_const && !g->arrays[i].read_nowait);
}

// A scalar computed from what is there; it stays in scope.
static void make_scalar(struct maker *g, struct gen_node *parent, bool writable) {
    enum kind kind = (enum kind)below(g, 3);
    struct mark m = scope_mark(g);
    see_arrays(g, false);
    char *init = make_fit(g, kind, 2);
    scope_restore(g, m);
    declare(g, parent, kind, init, writable);
}

static void make_store(struct maker *g, struct gen_node *parent) {
    struct mark m = scope_mark(g);
    const char *i = NULL;
    if (chance(g, 25)) {
        int trips = between(g, 2, 5);
        i = fresh(g, "i");
        parent = gen_block(g->p, parent, gen_format(g->p, "for (int %s = 0; %s < %d; %s++) {", i, i, trips, i), "}");
        struct sym *s = scope_add(g, i, K_I, false);
        s->lo = 0;
        s->hi = trips - 1;
    }
    int scalars = g->sym_count;
    see_arrays(g, true);
    int found = 0;
    struct sym to = {0};
    for (int k = scalars; k < g->sym_count; k++)
        if (g->syms[k].writable && below(g, (uint32_t)++found) == 0) to = g->syms[k];
    if (found) gen_line(g->p, parent, gen_format(g->p, "%s = %s;", make_element(g, &to), make_fit(g, to.kind, 2)));
    scope_restore(g, m);
}

static void make_entry_assign(struct maker *g, struct gen_node *parent) {
    const struct sym *s = pick_sym(g, (enum kind)below(g, 3), true, false);
    if (!s) {
        make_scalar(g, parent, true);
        return;
    }
    struct sym to = *s;
    struct mark m = scope_mark(g);
    see_arrays(g, false);
    gen_line(g->p, parent, gen_format(g->p, "%s = %s;", to.name, make_fit(g, to.kind, 2)));
    scope_restore(g, m);
}

void make_sequential(struct maker *g, struct gen_node *parent) {
    if (chance(g, 50))
        make_entry_assign(g, parent);
    else
        make_store(g, parent);
}

// ---- time loops -----------------------------------------------------------------------------------------------------

static struct gen_node *open_time_loop(struct maker *g, struct gen_node *parent, const char **out_t) {
    const char *t = *out_t = fresh(g, "t");
    struct gen_node *loop;
    int lo = 0, hi = g->steps - 1;
    if (chance(g, 12)) {
        loop = gen_block(g->p, parent, gen_format(g->p, "for (int %s = steps; %s > 0; %s--) {", t, t, t), "}");
        lo = 1;
        hi = g->steps;
    } else if (chance(g, 12)) {
        int trips = between(g, 1, 4);
        hi = trips - 1;
        loop = gen_block(g->p, parent, gen_format(g->p, "for (int %s = 0; %s < %d; %s++) {", t, t, trips, t), "}");
    } else {
        loop = gen_block(g->p, parent, gen_format(g->p, "for (int %s = 0; %s < steps; %s++) {", t, t, t), "}");
        loop->alt = gen_format(g->p, "for (int %s = 0; %s < 1; %s++) {", t, t, t);
    }
    struct sym *s = scope_add(g, t, K_I, false);
    s->lo = lo;
    s->hi = hi;
    g->time = t;
    g->time_lo = lo;
    g->time_hi = hi;
    return loop;
}

static char *time_cond(struct maker *g, const char *t) {
    switch (below(g, 4)) {
    case 0: return gen_format(g->p, "(%s %% %d == %d)", t, between(g, 2, 3), between(g, 0, 1));
    case 1: return gen_format(g->p, "(%s > %d)", t, between(g, 0, 2));
    case 2: return gen_format(g->p, "(%s == steps - 1)", t);
    default: return gen_format(g->p, "(%s & 1)", t);
    }
}

// Loops of a step that depend on the same iteration only: they should fuse, and the time loop move inside.
static void make_steps(struct maker *g, struct gen_node *parent) {
    struct mark m = scope_mark(g);
    const char *t;
    struct gen_node *loop = open_time_loop(g, parent, &t);
    for (int i = between(g, 1, 4); i > 0; i--) {
        struct mark inner = scope_mark(g);
        struct gen_node *where = loop;
        if (chance(g, 20)) {
            where = gen_block(g->p, loop, gen_format(g->p, "if %s {", time_cond(g, t)), "}");
            where->unwrap = true;
        }
        make_loop(g, where, LOOP_STEP | LOOP_NO_REDUCE);
        if (where != loop && chance(g, 30)) {
            struct gen_node *other = gen_line(g->p, where, "} else {");
            other->fixed = other->outdent = true;
            make_loop(g, where, LOOP_STEP | LOOP_NO_REDUCE | LOOP_SHORT);
        }
        scope_restore(g, inner);
    }
    g->time = NULL;
    scope_restore(g, m);
}

// One loop whose iterations need what others did a step before: nothing may move inside.
static void make_history(struct maker *g, struct gen_node *parent) {
    struct mark m = scope_mark(g);
    const char *t;
    struct gen_node *loop = open_time_loop(g, parent, &t);
    g->want_history = true;
    make_loop(g, loop, LOOP_STEP | LOOP_NO_REDUCE | (chance(g, 50) ? LOOP_SHORT : 0));
    g->want_history = false;
    g->time = NULL;
    scope_restore(g, m);
}

static void make_mixed_loop(struct maker *g, struct gen_node *parent) {
    struct mark m = scope_mark(g);
    const char *t;
    struct gen_node *loop = open_time_loop(g, parent, &t);
    for (int i = between(g, 1, 3); i > 0; i--) {
        struct mark inner = scope_mark(g);
        struct gen_node *where = loop;
        if (chance(g, 25)) {
            where = gen_block(g->p, loop,
                              gen_format(g->p, "if %s {", chance(g, 60) ? time_cond(g, t) : make_cond(g, 1)), "}");
            where->unwrap = true;
        }
        if (chance(g, 20)) make_entry_assign(g, where);
        make_loop(g, where, chance(g, 50) ? LOOP_STEP : 0);
        if (chance(g, 25)) make_store(g, where);
        if (where != loop) scope_restore(g, inner);
    }
    g->time = NULL;
    scope_restore(g, m);
}

// ---- pointers -------------------------------------------------------------------------------------------------------

static bool twins(const struct array *a, const struct array *b) {
    return a != b && !a->hidden && !b->hidden && !a->is_const && !b->is_const && a->type == b->type &&
           a->elem == b->elem && a->ndims == 1 && b->ndims == 1 && a->dims[0] == b->dims[0];
}

static bool find_twins(struct maker *g, int *out_a, int *out_b) {
    int found = 0;
    for (int a = 0; a < g->array_count; a++)
        for (int b = 0; b < g->array_count; b++)
            if (twins(&g->arrays[a], &g->arrays[b]) && below(g, (uint32_t)++found) == 0) {
                *out_a = a;
                *out_b = b;
            }
    return found > 0;
}

// Two arrays behind two pointers that change places after each step. With `region`, the whole time loop stands in one
// parallel region.
static bool make_double_buffer(struct maker *g, struct gen_node *parent, bool region) {
    int a, b;
    if (g->array_count + 2 > (int)(sizeof g->arrays / sizeof *g->arrays) || !find_twins(g, &a, &b)) return false;
    struct gen_program *p = g->p;
    struct mark m = scope_mark(g);
    const char *now = fresh(g, "now"), *then = fresh(g, "then"), *type = element_type(g, &g->arrays[a]);
    struct gen_node *group = gen_block(p, parent, region ? "#pragma omp parallel\n{" : "{", "}");
    gen_line(p, group, gen_format(p, "%s *%s = %s, *%s = %s;", type, now, g->arrays[a].name, then, g->arrays[b].name))
        ->fixed = true;
    g->arrays[a].hidden++;
    g->arrays[b].hidden++;
    int count = g->array_count;
    for (int k = 0; k < 2; k++) {
        g->arrays[g->array_count] = g->arrays[a];
        g->arrays[g->array_count].hidden = 0;
        g->arrays[g->array_count].name = k ? then : now;
        g->array_count++;
    }
    const char *t;
    struct gen_node *loop = open_time_loop(g, group, &t);
    for (int i = between(g, 1, 2); i > 0; i--)
        make_loop(g, loop, region ? LOOP_IN_REGION | LOOP_NO_REDUCE : LOOP_NO_REDUCE);
    const char *kept = fresh(g, "kept");
    gen_line(p, loop, gen_format(p, "%s *%s = %s;\n%s = %s;\n%s = %s;", type, kept, now, now, then, then, kept));
    g->time = NULL;
    g->array_count = count;
    g->arrays[a].hidden--;
    g->arrays[b].hidden--;
    scope_restore(g, m);
    return true;
}

// A pointer to one of two arrays, chosen by a value known only at run time.
static bool make_chosen(struct maker *g, struct gen_node *parent) {
    int a, b;
    if (g->array_count + 1 > (int)(sizeof g->arrays / sizeof *g->arrays) || !find_twins(g, &a, &b)) return false;
    struct gen_program *p = g->p;
    struct mark m = scope_mark(g);
    const char *name = fresh(g, "chosen");
    struct gen_node *group = gen_block(p, parent, "{", "}");
    gen_line(p, group,
             gen_format(p, "%s *%s = %s ? %s : %s;", element_type(g, &g->arrays[a]), name, make_cond(g, 1),
                        g->arrays[a].name, g->arrays[b].name))
        ->fixed = true;
    g->arrays[a].hidden++;
    g->arrays[b].hidden++;
    int count = g->array_count++;
    g->arrays[count] = g->arrays[a];
    g->arrays[count].hidden = 0;
    g->arrays[count].name = name;
    make_loop(g, group, LOOP_NO_REDUCE);
    g->array_count = count;
    g->arrays[a].hidden--;
    g->arrays[b].hidden--;
    scope_restore(g, m);
    return true;
}

// ---- parallel regions -----------------------------------------------------------------------------------------------

static void barrier_passed(struct maker *g) {
    for (int i = 0; i < g->array_count; i++)
        g->arrays[i].written_nowait = g->arrays[i].read_nowait = false;
}

static void make_region(struct maker *g, struct gen_node *parent) {
    struct gen_program *p = g->p;
    struct mark m = scope_mark(g);
    struct gen_node *region = gen_block(p, parent, "#pragma omp parallel\n{", "}"), *where = region;
    bool was_writable[600];
    for (int i = g->sym_base; i < g->sym_count; i++) {
        was_writable[i] = g->syms[i].writable;
        g->syms[i].writable = false;
    }
    if (chance(g, 40)) {
        enum kind kind = (enum kind)below(g, 3);
        declare(g, region, kind, make_fit(g, kind, 1), false);
    }
    bool in_time = chance(g, 40);
    const char *t;
    if (in_time) where = open_time_loop(g, region, &t);
    int loops = between(g, 1, 3);
    for (int i = 0; i < loops; i++) {
        // the last one of a time loop keeps its barrier: the first one of the next step comes after it
        unsigned last = in_time && i == loops - 1 ? LOOP_NO_REDUCE : 0;
        make_loop(g, where, LOOP_IN_REGION | last | (chance(g, 50) ? LOOP_STEP : 0));
        if (chance(g, 15)) {
            gen_line(p, where, "#pragma omp barrier")->fixed = true;
            barrier_passed(g);
        }
        if (chance(g, 25)) {
            static const char *const once[] = {"#pragma omp single\n{"};
            struct gen_node *single = gen_block(p, where, (char *)once[0], "}");
            make_store(g, single);
            barrier_passed(g); // at its end
        }
    }
    barrier_passed(g);
    g->time = NULL;
    scope_restore(g, m);
    for (int i = g->sym_base; i < g->sym_count; i++)
        g->syms[i].writable = was_writable[i];
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static void make_scratch(struct maker *g, struct gen_node *entry) {
    static const enum gen_elem elems[] = {GEN_F32, GEN_F32, GEN_F32, GEN_I32, GEN_U32};
    struct array *a = &g->arrays[g->array_count];
    *a = (struct array){.name = fresh(g, "tmp"),
                        .is_scratch = true,
                        .type = -1,
                        .elem = elems[below(g, 5)],
                        .ndims = chance(g, 30) ? 2 : 1};
    if (g->type_count && chance(g, 25)) a->type = (int)below(g, (uint32_t)g->type_count);
    for (int d = 0; d < a->ndims; d++) {
        const struct extent *e = &g->extents[d == 0 && chance(g, 75) ? 0 : below(g, (uint32_t)g->extent_count)];
        while (d == 1 && e->value > 12)
            e = &g->extents[below(g, (uint32_t)g->extent_count)];
        a->dims[d] = e->value;
        a->dim_text[d] = e->text;
    }
    struct gen_node *group = gen_block(g->p, entry, "", "");
    group->word = a->name;
    gen_line(g->p, group,
             a->ndims == 2
                 ? gen_format(g->p, "%s %s[%s][%s];", element_type(g, a), a->name, a->dim_text[0], a->dim_text[1])
                 : gen_format(g->p, "%s %s[%s];", element_type(g, a), a->name, a->dim_text[0]))
        ->fixed = true;
    make_fill(g, group, a);
    g->array_count++;
}

static void make_section(struct maker *g, struct gen_node *entry) {
    switch (below(g, 10)) {
    case 0:
    case 1: make_loop(g, entry, chance(g, 40) ? LOOP_STEP : 0); break;
    case 2: make_steps(g, entry); break;
    case 3:
        if (chance(g, 30))
            make_history(g, entry);
        else
            make_mixed_loop(g, entry);
        break;
    case 4:
        if (make_double_buffer(g, entry, false)) break; // fall through
    case 5:
        if (make_chosen(g, entry)) break; // fall through
    case 6: make_region(g, entry); break;
    case 7:
        if (make_double_buffer(g, entry, true)) break; // fall through
    case 8: {
        struct mark m = scope_mark(g);
        struct gen_node *b = gen_block(g->p, entry, gen_format(g->p, "if %s {", make_cond(g, 1)), "}");
        b->unwrap = true;
        make_loop(g, b, LOOP_NO_REDUCE);
        scope_restore(g, m);
        break;
    }
    default: make_scalar(g, entry, chance(g, 50)); make_store(g, entry);
    }
}

static char *signature(struct maker *g) {
    char *text = gen_format(g->p, "\nvoid %s(", g->p->entry);
    int array = 0;
    for (uint32_t i = 0; i < g->p->param_count; i++) {
        const struct gen_param *p = &g->p->params[i];
        text = gen_format(g->p, "%s%s", text, i ? ", " : "");
        if (!p->is_array) {
            text = gen_format(g->p, "%s%s %s", text,
                              p->elem == GEN_F32   ? "float"
                              : p->elem == GEN_U32 ? "unsigned"
                                                   : "int",
                              p->name);
            continue;
        }
        const struct array *a = &g->arrays[array++];
        text = gen_format(g->p, "%s%s%s %s%s", text, a->is_const ? "const " : "", element_type(g, a),
                          p->unsized ? "*" : "", a->name);
        for (int d = 0; d < a->ndims && !p->unsized; d++)
            text = gen_format(g->p, "%s[%s]", text, a->dim_text[d]);
    }
    return gen_format(g->p, "%s) {", text);
}

const struct array *pick_output(struct maker *g) {
    const struct array *to = NULL;
    for (int i = 0, found = 0; i < g->array_count; i++) {
        const struct array *a = &g->arrays[i];
        if (!a->hidden && !a->is_const && a->type < 0 && a->ndims == 1 && a->dims[0] == g->n && a->elem <= GEN_U32 &&
            below(g, (uint32_t)++found) == 0)
            to = a;
    }
    return to;
}

void make_entry(struct maker *g) {
    struct gen_node *entry = gen_block(g->p, g->p->root, signature(g), "}");
    entry->fixed = true;
    // helper functions see tables only; the entry sees its scalars too
    for (uint32_t i = 0; i < g->p->param_count; i++) {
        const struct gen_param *p = &g->p->params[i];
        if (p->is_array) continue;
        struct sym *s = scope_add(g, p->name, kind_of(p->elem), false);
        s->lo = s->hi = (int64_t)p->value;
    }
    int kind = (int)below(g, 10);
    g->budget = 100;
    if (g->grid) {
        g->p->shape = "grid";
        for (int i = (int)below(g, 3); i > 0; i--)
            make_scratch(g, entry);
        make_grid(g, entry);
    } else if (kind < 4) {
        g->p->shape = "individual";
        if (chance(g, 20)) make_scalar(g, entry, false);
        make_loop(g, entry, LOOP_RICH);
        if (chance(g, 15)) make_store(g, entry);
    } else if (kind < 7) {
        g->p->shape = "steps";
        for (int i = (int)below(g, 3); i > 0; i--)
            make_scratch(g, entry);
        if (chance(g, 30)) make_loop(g, entry, LOOP_STEP | LOOP_NO_REDUCE);
        if (chance(g, 15))
            make_history(g, entry);
        else
            make_steps(g, entry);
        if (chance(g, 40)) make_loop(g, entry, LOOP_STEP | LOOP_NO_REDUCE);
    } else {
        g->p->shape = "mixed";
        for (int i = (int)below(g, 3); i > 0; i--)
            make_scratch(g, entry);
        for (int i = between(g, 2, 4); i > 0; i--)
            make_section(g, entry);
        make_loop(g, entry, LOOP_SHORT);
    }
    if (chance(g, 25)) make_serial_rows(g, entry);
    const struct array *to = chance(g, 12) ? pick_output(g) : NULL;
    if (to) make_handed(g, entry, to);
}
