// A parallel loop: its header, what each array is to it, its clauses, and a body of random statements.
#include "wild.h"

#include <string.h>

// The iterations of the loop at work; `base` counts them from 0 to below `count`.
struct space {
    char *i, *base, *head, *first; // first: what the body begins with, or NULL
    int64_t lo, hi;
    uint32_t count;
    bool certain; // it runs at least once
};

// A search for the best makes as many elements as the loop has iterations, so that number has to be known.
static bool has_best(const struct wild *w) {
    bool best = false;
    for (uint32_t i = 0; i < w->red_count; i++)
        best |= strcmp(w->reds[i].op, BEST) == 0;
    return best;
}

static void line_space(struct wild *w, uint32_t size, const char *text, struct space *s) {
    char *i = wild_name(w, "i");
    *s = (struct space){.i = i, .base = i, .lo = 0, .hi = size - 1, .count = size, .certain = true};
    switch (wild_draw(w, 12)) {
    default: s->head = F("for (int %s = 0; %s < %s; %s++) {", i, i, text, i); break;
    case 1: s->head = F("for (int %s = %s - 1; %s >= 0; %s--) {", i, text, i, i); break;
    case 2: s->head = F("for (int %s = 0; %s != %s; ++%s) {", i, i, text, i); break;
    case 3:
        s->head = F("for (int %s = %u; %s < %s; %s += %u) {", i, wild_draw(w, 2), i, text, i, 2 + wild_draw(w, 2));
        break;
    case 4:
        s->head = F("for (int %s = 1; %s <= %s; %s++) {", i, i, text, i);
        s->base = F("%s - 1", i);
        s->lo = 1;
        s->hi = size;
        break;
    case 5:
        s->head = F("for (int %s = %s; %s > 0; %s -= 2) {", i, text, i, i);
        s->base = F("%s - 1", i);
        s->lo = 1;
        s->hi = size;
        break;
    case 6:
        s->head = F("for (int %s = -3; %s < %s - 3; %s++) {", i, i, text, i);
        s->base = F("(%s + 3)", i);
        s->lo = -3;
        s->hi = size - 4;
        break;
    case 7: {
        char *u = wild_name(w, "u");
        const char *type = wild_odds(w, 50) ? "unsigned" : "uint32_t";
        s->head = F("for (%s %s = 0; %s < (unsigned)(%s); %s++) {", type, u, u, text, u);
        s->first = F("int %s = (int)%s;", i, u);
        break;
    }
    case 8: { // another number of iterations than elements
        uint32_t vars = w->var_count;
        bool known = !w->data_bounds || has_best(w); // what is known when the run begins
        if (known && !w->var_base) w->var_count = 3;
        struct val b = {.t = F("%s", text)};
        if (!w->var_base || !has_best(w)) b = wild_fit(w, wild_int(w, 1), 0, size);
        w->var_count = vars;
        s->head = F("for (int %s = 0; %s < %s; %s++) {", i, i, b.t, i);
        s->certain = false;
        break;
    }
    }
}

// Two loops over a table of rows x columns.
static void plane_space(struct wild *w, const struct arr *a, struct space *s, char **out_j) {
    char *i = wild_name(w, "i"), *j = wild_name(w, "j"), *from = wild_odds(w, 30) ? i : F("0");
    const char *r = a->text[0], *c = a->text[1];
    *s = (struct space){.i = i, .base = i, .lo = 0, .hi = a->size[0] - 1, .count = a->size[0] * a->size[1]};
    if (wild_odds(w, 30))
        s->head = F("for (int %s = %s - 1; %s >= 0; %s--)\n    for (int %s = %s; %s < %s; %s += 2) {", i, r, i, i, j,
                    "1", j, c, j);
    else
        s->head =
            F("for (int %s = 0; %s < %s; %s++)\n    for (int %s = %s; %s < %s; %s++) {", i, i, r, i, j, from, j, c, j);
    wild_fixed(w, j, 0, a->size[1] - 1);
    *out_j = j;
}

// ---- roles ----------------------------------------------------------------------------------------------------------

static uint32_t common(uint32_t a, uint32_t b) { return b ? common(b, a % b) : a; }

// Places that no two iterations share.
static void own_index(struct wild *w, struct arr *a, const struct space *s) {
    uint32_t size = a->size[0], step = 2 + wild_draw(w, 9), which = wild_draw(w, 8);
    struct place shift;
    a->own[1] = NULL;
    a->own[0] = s->base;
    if (which == 0) a->own[0] = F("%s - 1 - (%s)", a->text[0], s->base);
    if (which == 1 && common(step, size) == 1)
        a->own[0] = F("((%s) * %u + %u) %% (%s)", s->base, step, wild_draw(w, 9), a->text[0]);
    if (which == 2 && s->count * 2 <= size) {
        a->own[0] = F("2 * (%s)", s->base);
        a->own[1] = F("2 * (%s) + 1", s->base);
    }
    if (which == 3 && s->count * 2 <= size) a->own[0] = F("%s + %u", s->base, s->count);
    if (which == 4 && size % 2 == 0 && s->count == size) a->own[0] = F("(%s) ^ 1", s->base);
    if (which == 5) { // turned by a variable that all iterations share
        uint32_t below = w->var_count;
        w->var_count = w->shared_vars;
        struct val v = {0};
        if (wild_place(w, C_INT, false, &shift) && shift.plain)
            v = wild_fit(w, (struct val){shift.t, shift.lo, shift.hi}, 0, 2000);
        w->var_count = below;
        if (v.t) a->own[0] = F("(%s + %s) %% (%s)", s->base, v.t, a->text[0]);
    }
}

static bool can_add(const struct arr *a) {
    return a->kind == K_UNS || ((a->kind == K_INT || a->kind == K_FLT) && a->wide);
}

static bool make_atomic(struct wild *w, struct arr *a) {
    if (a->rec || (a->kind != K_INT && a->kind != K_UNS && a->kind != K_FLT)) return false;
    do
        a->group = (enum group)wild_draw(w, GROUPS);
    while (((a->group == G_ADD || a->group == G_TICKET) && !can_add(a)) ||
           (a->kind == K_FLT && a->group != G_ADD && a->group != G_WRITE));
    if (a->kind == K_FLT && a->group == G_TICKET) a->group = G_ADD;
    a->ticket_taken = false;
    a->role = R_ATOMIC;
    return true;
}

// `j`: the inner counter of a collapsed pair, or NULL.
static void choose_roles(struct wild *w, const struct space *s, const char *j, uint32_t columns,
                         const enum role *prev) {
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *a = &w->arrs[i];
        enum role before = prev ? prev[i] : R_OFF;
        bool used = prev && before != R_OFF, wrote = used && before != R_READ;
        a->role = wrote ? R_OFF : R_READ;
        if (wrote || used || a->hidden || a->constant) continue;
        a->inner = NULL;
        bool fits = a->dims && (j ? a->dims == 2 && a->size[1] >= columns : true) &&
                    (int64_t)a->size[0] >= (j ? s->hi + 1 : (int64_t)s->count);
        uint32_t which = wild_draw(w, 10);
        if (which < 3) continue;
        if (which < 6 && make_atomic(w, a)) continue;
        if (j && a->dims == 1 && a->size[0] >= s->count) {
            a->role = R_OWN;
            a->own[0] = F("%s * %u + %s", s->i, columns, j);
            a->own[1] = NULL;
        } else if (fits && a->dims) {
            a->role = R_OWN;
            if (!j)
                own_index(w, a, s);
            else {
                a->own[0] = s->i;
                a->own[1] = NULL;
                a->inner = F("%s", j);
            }
        }
    }
}

// ---- clauses --------------------------------------------------------------------------------------------------------

// The operator as the program declares it itself; returns its name.
static char *declared(struct wild *w, struct gen_node *decls, const char *op, enum kind kind) {
    char *name = wild_name(w, "d"), *combine = F("omp_out %c= omp_in", *op == '-' ? '+' : *op);
    const char *start = *op == '*' ? "1" : *op == '&' ? "-1" : *op == 'm' ? "omp_orig" : "0";
    if (*op == 'm') combine = F("omp_out = omp_in %c omp_out ? omp_in : omp_out", op[1] == 'i' ? '<' : '>');
    LINE(decls, "#pragma omp declare reduction(%s : %s : %s) initializer(omp_priv = %s)", name, wild_type(kind),
         combine, start)
        ->fixed = true;
    return name;
}

static char *reduction(struct wild *w, char *clauses, struct gen_node *decls, struct var **out) {
    static const char *const ops[] = {"+", "+", "-", "*", "&", "|", "^", "min", "max", "&&", "||"};
    const char *op = ops[wild_draw(w, 11)];
    enum kind kind = wild_odds(w, 40) ? K_UNS : w->floats && wild_odds(w, 40) ? K_FLT : K_INT;
    bool logic = strcmp(op, "&&") == 0 || strcmp(op, "||") == 0, add = *op == '+' || *op == '-';
    if (*op == '*' || (kind == K_FLT && !add && op[0] != 'm')) kind = K_UNS;
    if (logic) kind = K_INT;
    // sums and products of the signed type may leave it
    if (w->longs && !logic && wild_odds(w, 50) && !w->uniform)
        kind = add || *op == '*' || wild_odds(w, 50) ? K_U64 : K_I64;
    char *name = wild_name(w, "r");
    bool best = kind != K_FLT && wild_odds(w, 15) && !w->uniform; // (docs/language.md)
    if (best) {
        op = BEST;
        wild_declare(w, decls, F("%s_at", name), F("int %s_at = 1 << 20;", name));
        wild_declare(w, decls, F("%s_x", name), F("unsigned %s_x = 0;", name));
        wild_var(w, F("%s_at", name), K_INT, true)->hidden = true;
        wild_var(w, F("%s_x", name), K_UNS, false)->hidden = true;
    }
    wild_declare(w, decls, name, F("%s %s = %u;", wild_type(kind), name, *op == 'm' ? 500 : wild_draw(w, 3)));
    *out = wild_var(w, name, kind, add && kind != K_UNS && kind < K_I64);
    if (kind == K_FLT && !add) (*out)->wide = true; // it began with 500
    w->reds[w->red_count++] = (struct red){name, kind, op};
    const char *word = op;
    bool atomic = !best && !logic && kind != K_FLT && strchr("+-&|^", *op) && wild_odds(w, 15);
    if (atomic) w->reds[w->red_count - 1].op = F("%c%c", ATOMIC, *op);
    if (!best && !atomic && !logic && kind != K_FLT && wild_odds(w, 15)) word = declared(w, decls, op, kind);
    return best || atomic ? clauses : F("%s reduction(%s : %s)", clauses, word, name);
}

// A variable of the entry that each iteration sets before it reads it.
static char *private(struct wild *w, char *clauses, const char *clause, const char *head, struct var **out) {
    for (uint32_t tries = 0; tries < 4; tries++) {
        uint32_t span = w->shared_vars - w->var_base;
        struct var *v = &w->vars[w->var_base + wild_draw(w, span ? span : 1)];
        if (!span || v->fixed || v->hidden || v->kind != K_INT || v->wide || strstr(head, v->name)) continue;
        v->hidden = true;
        *out = v;
        return F("%s %s(%s)", clauses, clause, v->name);
    }
    return clauses;
}

static void finish(struct wild *w, struct gen_node *at) {
    struct place to;
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *a = &w->arrs[i];
        if (a->role == R_OWN && wild_odds(w, 70) && (wild_place_of(w, a, wild_class(a->kind), &to)))
            wild_assign(w, at, &to);
        if (a->role == R_ATOMIC && wild_odds(w, 70)) wild_atomic(w, at, a);
    }
    for (uint32_t i = 0; i < w->red_count; i++)
        if (wild_odds(w, 70)) wild_reduce(w, at, &w->reds[i]);
}

void wild_parallel(struct wild *w, struct gen_node *at, enum role *nowait, const enum role *prev) {
    struct arr before[MAX_ARRS], *target = NULL;
    struct var *mine[2] = {NULL, NULL}, *red_vars[MAX_REDS];
    struct scope scope = wild_open(w);
    uint32_t arrs = w->arr_count, columns = 0;
    memcpy(before, w->arrs, sizeof before);
    for (int i = 0; i < 6 && !target; i++) {
        target = &w->arrs[w->arr_base + wild_draw(w, w->arr_count - w->arr_base)];
        if (target->hidden || !target->dims) target = NULL;
    }
    if (!target) return;
    char *clauses = w->shared ? F("for") : F("parallel for"), *j = NULL;
    for (uint32_t k = wild_odds(w, 45) ? 1 + wild_draw(w, 2) : 0; k > 0 && !nowait; k--)
        clauses = reduction(w, clauses, w->shared ? w->shared : at, &red_vars[w->red_count]);
    for (uint32_t i = 0; i < w->red_count; i++)
        red_vars[i]->hidden = true;
    uint32_t kept = w->var_count;
    for (uint32_t i = w->arr_base; i < arrs; i++)
        w->arrs[i].role = R_OFF; // bounds are of variables that the loop leaves alone
    w->shared_vars = w->var_count;
    struct space s;
    if (target->dims == 2 && wild_odds(w, 50)) {
        columns = target->size[1];
        plane_space(w, target, &s, &j);
        clauses = F("%s collapse(2)", clauses);
    } else
        line_space(w, target->size[0], target->text[0], &s);
    if (wild_odds(w, 25)) clauses = private(w, clauses, "private", s.head, &mine[0]);
    if (wild_odds(w, 25) && s.certain && !nowait && !prev)
        clauses = private(w, clauses, "lastprivate", s.head, &mine[1]);
    static const char *const hints[] = {" schedule(static)", " schedule(dynamic, 3)", " schedule(static, 1)",
                                        " schedule(guided)"};
    if (!j && wild_odds(w, 25)) clauses = F("%s%s", clauses, hints[wild_draw(w, 4)]);
    if (nowait) clauses = F("%s nowait", clauses);
    w->iteration = j ? F("%s * %u + %s", s.i, columns, j) : s.i;
    choose_roles(w, &s, j, columns, prev);
    if (nowait)
        for (uint32_t i = 0; i < arrs; i++)
            nowait[i] = w->arrs[i].role;
    struct gen_node *loop = BLOCK(at, "#pragma omp %s\n%s", clauses, s.head);
    if (s.first) gen_line(w->p, loop, s.first)->fixed = true;
    wild_fixed(w, s.i, s.lo, s.hi);
    for (int i = 0; i < 2; i++)
        if (mine[i]) LINE(loop, "%s = %s;", mine[i]->name, wild_small(w, 1))->fixed = true;
    for (int i = 0; i < 2; i++)
        if (mine[i]) wild_var(w, mine[i]->name, K_INT, false);
    w->passes *= s.count;
    w->parallel = true;
    w->can_break = false;
    w->can_continue = true;
    wild_body(w, loop, 2 + (int)wild_draw(w, 4), 0);
    finish(w, loop);
    w->parallel = false;
    w->red_count = 0;
    wild_close(w, scope);
    w->var_count = kept; // the reductions' variables stay
    for (uint32_t i = scope.vars; i < kept; i++)
        w->vars[i].hidden = false;
    for (int i = 0; i < 2; i++)
        if (mine[i]) mine[i]->hidden = false;
    w->shared_vars = w->var_base;
    memcpy(w->arrs, before, sizeof before);
}
