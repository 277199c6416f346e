// Statements of one iteration or of a function: everything sequential C has, each leaving all variables in their stored
// format.
#include <string.h>

#include "make.h"

static struct gen_node *assign_line(struct maker *g, struct gen_node *parent, const char *to, enum kind kind,
                                    char *value) {
    struct gen_node *n = gen_line(g->p, parent, gen_format(g->p, "%s = %s;", to, value));
    n->alt = gen_format(g->p, "%s = %s;", to, kind == K_F ? "1.5f" : kind == K_I ? "3" : "5u");
    return n;
}

static const char *place(struct maker *g, const struct sym *s) {
    return s->ndims ? make_element(g, s) : gen_format(g->p, "%s%s", s->name, s->suffix);
}

const char *declare(struct maker *g, struct gen_node *parent, enum kind kind, const char *init, bool writable) {
    const char *name = fresh(g, kind == K_F ? "f" : kind == K_I ? "k" : "u");
    struct gen_node *n = gen_line(
        g->p, parent, gen_format(g->p, "%s%s %s = %s;", writable ? "" : "const ", kind_type(kind), name, init));
    n->word = name;
    n->alt = gen_format(g->p, "%s%s %s = %s;", writable ? "" : "const ", kind_type(kind), name,
                        kind == K_F   ? "2.5f"
                        : kind == K_I ? "2"
                                      : "9u");
    scope_add(g, name, kind, writable);
    return name;
}

// A local of a small type: what is assigned converts. Signed ones get only what they hold; unsigned ones and bool take
// anything.
static void declare_small(struct maker *g, struct gen_node *parent, int depth) {
    static const enum gen_elem elems[] = {GEN_U8, GEN_U16, GEN_I16, GEN_BOOL};
    enum gen_elem elem = elems[below(g, 4)];
    const char *name = fresh(g, "c");
    char *init = chance(g, 30) && elem != GEN_I16 ? make_expr(g, K_I, depth).s : make_fit(g, K_I, depth);
    struct gen_node *n = gen_line(g->p, parent,
                                  gen_format(g->p, "%s %s = %s%s;", c_type(elem), name,
                                             elem == GEN_BOOL ? "" : gen_format(g->p, "(%s)", c_type(elem)),
                                             elem == GEN_BOOL ? init : gen_format(g->p, "(%s)", init)));
    n->word = name;
    n->alt = gen_format(g->p, "%s %s = 1;", c_type(elem), name);
    scope_add_array(g, name, "", elem, true, 0, NULL);
}

void declare_struct(struct maker *g, struct gen_node *parent, int depth) {
    if (!g->type_count) return;
    int type = (int)below(g, (uint32_t)g->type_count);
    const struct struct_type *t = &g->types[type];
    const char *name = fresh(g, "s");
    char *init = gen_format(g->p, "%s", "");
    for (int i = 0; i < t->count; i++) {
        char *v = make_fit(g, t->kinds[i], depth);
        init = chance(g, 30) ? gen_format(g->p, "%s%s.%s = %s", init, i ? ", " : "", t->fields[i], v)
                             : gen_format(g->p, "%s%s%s", init, i ? ", " : "", v);
    }
    if (t->row && chance(g, 70)) {
        char *row = make_fit(g, K_F, 1);
        for (int i = 1; i < t->row; i++)
            row = gen_format(g->p, "%s, %s", row, make_fit(g, K_F, 0));
        init = gen_format(g->p, chance(g, 50) ? "%s, .v = {%s}" : "%s, {%s}", init, row);
    }
    struct gen_node *n = gen_line(g->p, parent, gen_format(g->p, "struct %s %s = {%s};", t->name, name, init));
    n->word = name;
    n->alt = gen_format(g->p, "struct %s %s = {0};", t->name, name);
    scope_add_struct(g, name, type, true, ".");
}

// An array of 2 to 8 elements, filled by an initialiser or a loop.
static void declare_array(struct maker *g, struct gen_node *parent, int depth) {
    enum kind kind = (enum kind)below(g, 3);
    const char *name = fresh(g, "v");
    int dims[2] = {between(g, 2, 8), between(g, 2, 4)}, ndims = chance(g, 20) ? 2 : 1;
    struct gen_node *group = gen_block(g->p, parent, "", "");
    group->word = name;
    if (ndims == 1 && chance(g, 50)) {
        char *init = gen_format(g->p, "%s", "");
        for (int i = 0; i < (chance(g, 20) ? 1 : dims[0]); i++)
            init = gen_format(g->p, "%s%s%s", init, i ? ", " : "", make_fit(g, kind, 1));
        gen_line(g->p, group, gen_format(g->p, "%s %s[%d] = {%s};", kind_type(kind), name, dims[0], init))->fixed =
            true;
    } else if (chance(g, 20)) {
        gen_line(g->p, group,
                 ndims == 1 ? gen_format(g->p, "%s %s[%d];", kind_type(kind), name, dims[0])
                            : gen_format(g->p, "%s %s[%d][%d];", kind_type(kind), name, dims[0], dims[1]))
            ->fixed = true;
        gen_line(g->p, group, gen_format(g->p, "memset(%s, 0, sizeof %s);", name, name))->fixed = true;
    } else {
        const char *i = fresh(g, "i"), *j = fresh(g, "j");
        gen_line(g->p, group,
                 ndims == 1 ? gen_format(g->p, "%s %s[%d];", kind_type(kind), name, dims[0])
                            : gen_format(g->p, "%s %s[%d][%d];", kind_type(kind), name, dims[0], dims[1]))
            ->fixed = true;
        struct mark m = scope_mark(g);
        struct sym *s = scope_add(g, i, K_I, false);
        s->lo = 0;
        s->hi = dims[0] - 1;
        struct gen_node *loop =
            gen_block(g->p, group, gen_format(g->p, "for (int %s = 0; %s < %d; %s++) {", i, i, dims[0], i), "}");
        loop->fixed = true;
        if (ndims == 2) {
            s = scope_add(g, j, K_I, false);
            s->lo = 0;
            s->hi = dims[1] - 1;
            loop = gen_block(g->p, loop, gen_format(g->p, "for (int %s = 0; %s < %d; ++%s) {", j, j, dims[1], j), "}");
            loop->fixed = true;
        }
        g->loop_depth++;
        const char *to = ndims == 1 ? gen_format(g->p, "%s[%s]", name, i) : gen_format(g->p, "%s[%s][%s]", name, i, j);
        assign_line(g, loop, to, kind, make_fit(g, kind, depth))->fixed = true;
        g->loop_depth--;
        scope_restore(g, m);
    }
    scope_add_array(g, name, "", kind_elem(kind), true, ndims, dims);
}

void make_assign(struct maker *g, struct gen_node *parent, int depth) {
    enum kind kind = (enum kind)below(g, 3);
    const struct sym *s = pick_sym(g, kind, true, true);
    for (int i = 0; i < 2 && !s; i++)
        s = pick_sym(g, kind = (enum kind)((kind + 1) % 3), true, true);
    if (!s) return;
    const char *to = place(g, s);
    if (kind == K_U && chance(g, 35)) {
        static const char *const ops[] = {"+=", "-=", "*=", "^=", "&=", "|="};
        gen_line(g->p, parent, gen_format(g->p, "%s %s %s;", to, ops[below(g, 6)], make_fit(g, K_U, depth)));
    } else if (kind == K_U && chance(g, 25)) {
        gen_line(g->p, parent,
                 chance(g, 50) ? gen_format(g->p, *to == '*' || chance(g, 30) ? "%s%s;" : "%2$s%1$s;",
                                            chance(g, 50) ? "++" : "--", to)
                               : gen_format(g->p, "%s %s %u;", to, chance(g, 50) ? "<<=" : ">>=", below(g, 32)));
    } else if (kind == K_I && chance(g, 30)) {
        static const char *const ops[] = {"%=", "/=", "&=", "|=", "^="};
        gen_line(g->p, parent, gen_format(g->p, "%s %s %d;", to, ops[below(g, 5)], between(g, 1, 60)));
    } else if (kind == K_F && chance(g, 25)) {
        // a compound assignment whose right side brings the value back into the format
        gen_line(g->p, parent,
                 chance(g, 50) ? gen_format(g->p, "%s = fit(%s + %s);", to, to, make_term(g, K_F, 8).s)
                               : gen_format(g->p, "%s *= %s;", to,
                                            chance(g, 50)   ? "-1.0f"
                                            : chance(g, 50) ? "1.0f"
                                                            : "0.0f"));
    } else {
        assign_line(g, parent, to, kind, make_fit(g, kind, depth));
    }
}

static void make_if(struct maker *g, struct gen_node *parent, int depth) {
    char *cond =
        chance(g, 15) ? gen_format(g->p, "(%s)", make_expr(g, chance(g, 50) ? K_I : K_U, 1).s) : make_cond(g, 2);
    struct gen_node *b = gen_block(g->p, parent, gen_format(g->p, "if %s {", cond), "}");
    b->unwrap = true;
    struct mark m = scope_mark(g);
    make_block(g, b, between(g, 1, 3), depth - 1);
    scope_restore(g, m);
    if (chance(g, 50)) {
        struct gen_node *other =
            gen_line(g->p, b, chance(g, 70) ? "} else {" : gen_format(g->p, "} else if %s {", make_cond(g, 1)));
        other->fixed = other->outdent = true;
        make_block(g, b, between(g, 1, 3), depth - 1);
        scope_restore(g, m);
    }
}

static void make_switch(struct maker *g, struct gen_node *parent, int depth) {
    int cases = between(g, 2, 4), lowest = between(g, -1, 1);
    bool is_unsigned = chance(g, 30);
    if (is_unsigned && lowest < 0) lowest = 0;
    struct ex e = make_expr(g, is_unsigned ? K_U : K_I, 1);
    char *what = is_unsigned ? gen_format(g->p, "(%s) %% %uu", e.s, (unsigned)cases + 1)
                             : gen_format(g->p, "(%s) %% %d", e.s, cases + 1);
    struct gen_node *b = gen_block(g->p, parent, gen_format(g->p, "switch (%s) {", what), "}");
    struct mark m = scope_mark(g);
    bool outer = g->in_switch;
    g->in_switch = true;
    int fallback = (int)below(g, (uint32_t)cases + 2); // where `default` stands; may be nowhere
    for (int i = 0; i <= cases; i++) {
        if (i == cases && fallback > cases) break;
        const char *suffix = is_unsigned ? "u" : "";
        char *label = i == cases ? "default: {" : gen_format(g->p, "case %d%s: {", lowest + i, suffix);
        if (i < cases && chance(g, 20)) label = gen_format(g->p, "case %d%s:\n%s", lowest + 100 + i, suffix, label);
        struct gen_node *arm = gen_block(g->p, b, label, "}");
        make_block(g, arm, between(g, 1, 2), depth - 1);
        scope_restore(g, m);
        if (!chance(g, 20) || i == cases) // now and then a case falls through
            gen_line(g->p, arm, "break;");
        else
            gen_line(g->p, b, "// fall through")->fixed = true;
    }
    g->in_switch = outer;
}

struct loop_state {
    bool in_loop, in_switch, parallel_continue;
};

static struct loop_state enter_loop(struct maker *g) {
    struct loop_state old = {g->in_loop, g->in_switch, g->parallel_continue};
    g->in_loop = true;
    g->in_switch = g->parallel_continue = false;
    g->loop_depth++;
    return old;
}

static void leave_loop(struct maker *g, struct loop_state old) {
    g->in_loop = old.in_loop;
    g->in_switch = old.in_switch;
    g->parallel_continue = old.parallel_continue;
    g->loop_depth--;
}

// `for` over a small range; with some luck it adds up a term.
static void make_for(struct maker *g, struct gen_node *parent, int depth) {
    static const int usual[] = {2, 3, 4, 5, 7, 8};
    int trips = usual[below(g, 6)], first = 0;
    const char *i = fresh(g, "i"), *bound = NULL;
    char *head;
    if (!g->in_function && chance(g, 25) && g->m <= 9) {
        bound = "m";
        trips = g->m;
    } else {
        bound = gen_format(g->p, "%d", trips);
    }
    struct mark m = scope_mark(g);
    bool is_unsigned = false;
    const char *second = NULL;
    switch (below(g, 7)) {
    case 6:
        second = fresh(g, "j");
        head =
            gen_format(g->p, "for (int %s = 0, %s = %s; %s < %s; %s++, %s--) {", i, second, bound, i, bound, i, second);
        break;
    case 0: head = gen_format(g->p, "for (int %s = %s - 1; %s >= 0; %s--) {", i, bound, i, i); break;
    case 1: head = gen_format(g->p, "for (int %s = 0; %s < %s; %s += 2) {", i, i, bound, i); break;
    case 2:
        first = 1;
        trips++;
        head = gen_format(g->p, "for (int %s = 1; %s <= %s; %s++) {", i, i, bound, i);
        break;
    case 3:
        is_unsigned = true;
        head = gen_format(g->p, "for (unsigned %s = 0; %s < %s%s; %s++) {", i, i,
                          strcmp(bound, "m") ? bound : "(unsigned)m", strcmp(bound, "m") ? "u" : "", i);
        break;
    default: head = gen_format(g->p, "for (int %s = 0; %s < %s; %s++) {", i, i, bound, i);
    }
    const char *total = NULL;
    enum kind kind = (enum kind)below(g, 3);
    if (chance(g, 45)) {
        total = fresh(g, "sum");
        gen_line(g->p, parent,
                 gen_format(g->p, "%s %s = %s;", kind_type(kind), total,
                            kind == K_F   ? "0.0f"
                            : kind == K_I ? "0"
                                          : "7u"))
            ->word = total;
    }
    struct gen_node *loop = gen_block(g->p, parent, head, "}");
    if (is_unsigned) {
        scope_add(g, i, K_U, false);
    } else {
        struct sym *s = scope_add(g, i, K_I, false);
        s->lo = first;
        s->hi = trips - 1;
    }
    if (second) {
        struct sym *s = scope_add(g, second, K_I, false);
        s->lo = 1;
        s->hi = trips;
    }
    struct loop_state old = enter_loop(g);
    struct ex term = {0};
    make_block(g, loop, between(g, 0, 2), depth - 1);
    if (total) {
        term = make_term(g, kind, 2 * trips);
        gen_line(g->p, loop, gen_format(g->p, "%s %s %s;", total, chance(g, 70) ? "+=" : "-=", term.s));
    } else {
        make_block(g, loop, 1, depth - 1);
    }
    leave_loop(g, old);
    scope_restore(g, m);
    if (total) {
        struct sym *s = scope_add(g, total, kind, false);
        s->frac = term.frac;
        s->mag = term.mag * trips;
        int64_t most = -term.lo > term.hi ? -term.lo : term.hi;
        s->lo = -most * trips;
        s->hi = most * trips;
    }
}

// `while` with a condition on data and a counter that ends it.
static void make_while(struct maker *g, struct gen_node *parent, int depth) {
    const char *w = fresh(g, "w");
    int most = between(g, 2, 9);
    struct gen_node *group = gen_block(g->p, parent, "", "");
    group->word = w;
    gen_line(g->p, group, gen_format(g->p, "int %s = 0;", w))->fixed = true;
    bool late = chance(g, 30);
    char *cond = make_cond(g, 2);
    struct gen_node *loop =
        late ? gen_block(g->p, group, "do {", gen_format(g->p, "} while (%s < %d && %s);", w, most, cond))
             : gen_block(g->p, group,
                         chance(g, 50) ? gen_format(g->p, "while (%s && %s < %d) {", cond, w, most)
                                       : gen_format(g->p, "for (; %s < %d && %s;) {", w, most, cond),
                         "}");
    struct mark m = scope_mark(g);
    struct sym *s = scope_add(g, w, K_I, false);
    s->lo = 0;
    s->hi = most;
    gen_line(g->p, loop, gen_format(g->p, "%s++;", w))->fixed = true; // first: no `continue` skips it
    struct loop_state old = enter_loop(g);
    make_block(g, loop, between(g, 1, 3), depth - 1);
    leave_loop(g, old);
    scope_restore(g, m);
}

// A pointer to a local, perhaps to one of two.
static void make_pointer(struct maker *g, struct gen_node *parent) {
    enum kind kind = (enum kind)below(g, 3);
    const struct sym *a = pick_sym(g, kind, true, true), *b = pick_sym(g, kind, true, true);
    if (!a || !b || a->elem != kind_elem(kind) || b->elem != kind_elem(kind)) return;
    const char *name = fresh(g, "p");
    char *init = gen_format(g->p, "&%s", place(g, a));
    if (chance(g, 40) && !strchr(a->name, '*') && !strchr(b->name, '*'))
        init = gen_format(g->p, "%s ? %s : &%s", make_cond(g, 1), init, place(g, b));
    gen_line(g->p, parent, gen_format(g->p, "%s *%s = %s;", kind_type(kind), name, init))->word = name;
    scope_add(g, gen_format(g->p, "(*%s)", name), kind, true);
}

// A pointer into an array of floats, with what may be read from it.
static void make_row_pointer(struct maker *g, struct gen_node *parent) {
    const struct sym *s = NULL;
    for (int tries = 0; tries < 4 && !(s && s->flat && s->ndims && s->elem == GEN_F32); tries++)
        s = pick_sym(g, K_F, false, true);
    if (!s || !s->flat || !s->ndims || s->elem != GEN_F32) return;
    const char *name = fresh(g, "row");
    char *row = gen_format(g->p, "%s", s->name);
    for (int d = 0; d + 1 < s->ndims; d++)
        row = gen_format(g->p, "%s[%s]", row, make_index(g, s->dims[d]));
    const struct sym *other = pick_sym(g, K_F, false, true);
    if (other && other != s && other->flat && other->ndims == 1 && other->elem == GEN_F32 && other->frac <= s->frac &&
        other->mag <= s->mag && chance(g, 40)) {
        int both = other->dims[0] < s->dims[s->ndims - 1] ? other->dims[0] : s->dims[s->ndims - 1];
        gen_line(g->p, parent,
                 gen_format(g->p, "const float *%s = %s ? %s : %s;", name, make_cond(g, 1), row, other->name))
            ->word = name;
        struct sym *made = scope_add_array(g, name, "", GEN_F32, false, 1, &both);
        made->frac = s->frac;
        made->mag = s->mag;
        return;
    }
    int extent = s->dims[s->ndims - 1], skip = chance(g, 50) ? between(g, 0, extent - 1) : 0, rest = extent - skip;
    gen_line(g->p, parent,
             skip ? gen_format(g->p, "const float *%s = %s + %d;", name, row, skip)
                  : gen_format(g->p, "const float *%s = %s;", name, row))
        ->word = name;
    struct sym *made = scope_add_array(g, name, "", GEN_F32, false, 1, &rest);
    made->frac = s->frac;
    made->mag = s->mag;
}

static void make_struct_statement(struct maker *g, struct gen_node *parent, int depth) {
    const struct struct_sym *to = NULL, *from = NULL;
    int found = 0;
    for (int i = g->struct_base; i < g->struct_count; i++)
        if (g->structs[i].writable && below(g, (uint32_t)++found) == 0) to = &g->structs[i];
    if (!to || chance(g, 30)) {
        declare_struct(g, parent, depth);
        return;
    }
    found = 0;
    for (int i = g->struct_base; i < g->struct_count; i++)
        if (g->structs[i].type == to->type && below(g, (uint32_t)++found) == 0) from = &g->structs[i];
    for (int i = 0; i < g->func_count; i++) { // a function that returns this type
        const struct func *f = &g->funcs[i];
        char *call =
            f->result_struct == to->type && f->cost <= g->budget && chance(g, 60) ? make_call(g, f, depth, NULL) : NULL;
        if (call) {
            gen_line(g->p, parent, gen_format(g->p, "%s = %s;", to->name, call));
            return;
        }
    }
    if (chance(g, 20) && strchr(to->name, '*') == NULL) {
        const char *q = fresh(g, "q");
        gen_line(g->p, parent, gen_format(g->p, "struct %s *%s = &%s;", g->types[to->type].name, q, to->name))->word =
            q;
        scope_add_struct(g, q, to->type, true, "->");
    } else if (from && from != to) {
        gen_line(g->p, parent, gen_format(g->p, "%s = %s;", to->name, from->name));
    }
}

static void make_jump(struct maker *g, struct gen_node *parent) {
    char *what = NULL;
    if (g->in_function && chance(g, 40)) {
        if (g->result_struct >= 0) return;
        what = gen_format(g->p, "return %s;", make_fit(g, g->result, 1));
    } else if (g->in_loop) {
        what = g->in_switch || chance(g, 50) ? "continue;" : "break;";
    } else if (g->parallel_continue) {
        what = "continue;";
    }
    if (!what) return;
    struct gen_node *b = gen_block(g->p, parent, gen_format(g->p, "if %s {", make_cond(g, 1)), "}");
    gen_line(g->p, b, what);
}

static void make_call_statement(struct maker *g, struct gen_node *parent, int depth) {
    const struct func *f = pick_func(g, (enum kind)below(g, 3), false);
    if (!f) return;
    const struct sym *to = pick_sym(g, f->result, true, false); // no element: the call may change what its index reads
    char *call = make_call(g, f, depth, NULL);
    if (!call) return;
    gen_line(g->p, parent,
             to && !chance(g, 10) ? gen_format(g->p, "%s = %s;", place(g, to), call)
                                  : gen_format(g->p, "(void)%s;", call));
}

void make_block(struct maker *g, struct gen_node *parent, int statements, int depth) {
    for (int i = 0; i < statements; i++) {
        if (g->budget <= 0) return;
        g->budget--;
        int size = depth > 1 ? 2 : 1;
        switch (below(g, 20)) {
        case 0:
        case 1: {
            enum kind kind = (enum kind)below(g, 3);
            if (chance(g, 15))
                declare_small(g, parent, size);
            else
                declare(g, parent, kind, make_fit(g, kind, size), !chance(g, 15));
            break;
        }
        default: make_assign(g, parent, size + 1); break;
        case 2:
        case 3:
        case 4:
            if (depth > 0) make_if(g, parent, depth);
            break;
        case 5:
            if (depth > 0) make_switch(g, parent, depth);
            break;
        case 6:
        case 7:
            if (depth > 0 && g->loop_depth < 3) make_for(g, parent, depth);
            break;
        case 8:
            if (depth > 0 && g->loop_depth < 3) make_while(g, parent, depth);
            break;
        case 9: declare_array(g, parent, size); break;
        case 10: make_pointer(g, parent); break;
        case 11: make_row_pointer(g, parent); break;
        case 12: make_struct_statement(g, parent, size); break;
        case 13: make_jump(g, parent); break;
        case 14:
        case 15: make_call_statement(g, parent, size); break;
        }
    }
}
