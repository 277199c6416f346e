// Statements: assignments of every kind, branches, side effects behind && and ?:, pointers, local arrays and structs.
#include "wild.h"

static char *value_for(struct wild *w, const struct place *to, int depth) {
    if (to->kind >= K_I64) return wild_long_value(w, to->kind, depth);
    if (to->kind == K_UNS) return wild_uns(w, depth);
    if (to->kind == K_FLT) return wild_flt(w, depth);
    if (to->kind != K_INT) return wild_fit(w, wild_int(w, depth), -100000, 100000).t;
    return wild_small(w, depth);
}

// An assignment as an expression.
static char *assigned(struct wild *w, const struct place *to, int depth) {
    if (to->kind >= K_I64) return wild_long_assigned(w, to, depth);
    char *e = value_for(w, to, depth);
    uint32_t which = wild_draw(w, 10);
    if (to->kind == K_UNS) {
        if (which < 2) return F("%s = %s", to->t, e);
        if (which == 2) return F("%s <<= %u", to->t, wild_draw(w, 20));
        if (which == 3) return F("%s >>= %s & 31", to->t, e);
        if (which == 4) return wild_odds(w, 50) ? F("%s /= %s | 1u", to->t, e) : F("%s %%= %s | 3u", to->t, e);
        if (which == 5) return wild_odds(w, 50) ? F("++%s", to->t) : F("%s--", to->t);
        return F("%s %c= %s", to->t, "+-*^"[which - 6], e);
    }
    if (to->kind == K_FLT && to->wide) return F("%s %s= %s", to->t, which < 5 ? "+" : "-", e);
    if (to->kind != K_INT && to->kind != K_FLT) { // cut when stored
        if (which < 4) return F("%s = %s", to->t, e);
        if (which == 4) return F("%s++", to->t);
        if (which == 5) return F("%s %s= 3", to->t, to->kind == K_U8 || to->kind == K_U16 ? "<<" : "/");
        return F("%s %c= %s", to->t, "+-^|"[which - 6], e);
    }
    if (to->kind == K_INT && to->wide && which < 8) {
        if (which == 0) return F("%s++", to->t);
        return F("%s %s= %s", to->t, which < 5 ? "+" : "-", e);
    }
    if (to->kind == K_INT && !to->wide) {
        if (which == 0) return F("%s %%= %u", to->t, 2 + wild_draw(w, 60));
        if (which == 1) return F("%s /= %u", to->t, 2 + wild_draw(w, 5));
        if (which == 2) return F("%s >>= %u", to->t, wild_draw(w, 4));
        if (which <= 4) return F("%s %c= %s", to->t, "&|^"[wild_draw(w, 3)], e);
        if (which <= 6 && to->lo >= -1024) {
            struct val v = {F("(%s %c (%s))", to->t, "+-"[which - 5], e), -2048, 2047};
            return F("%s = %s", to->t, wild_fit(w, v, -1024, 1023).t);
        }
    }
    return F("%s = %s", to->t, e);
}

void wild_assign(struct wild *w, struct gen_node *at, const struct place *to) {
    gen_line(w->p, at, F("%s;", assigned(w, to, 1 + (int)wild_draw(w, 2))))->alt =
        to->kind == K_FLT ? F("%s = 1.5f;", to->t) : F("%s = 3;", to->t);
}

bool wild_any_assign(struct wild *w, struct gen_node *at) {
    struct place to;
    uint32_t which = wild_draw(w, 10);
    enum class class = which < 6 ? C_INT : which < 9 || !w->floats ? C_UNS : C_FLT;
    if (w->longs && wild_odds(w, 40)) class = C_LONG;
    if (!wild_place(w, class, true, &to) && !wild_place(w, class = C_INT, true, &to) &&
        !wild_place(w, C_UNS, true, &to))
        return false;
    wild_assign(w, at, &to);
    return true;
}

// ---- declarations ---------------------------------------------------------------------------------------------------

static void local(struct wild *w, struct gen_node *at) {
    static const enum kind kinds[] = {K_INT, K_INT, K_INT, K_UNS, K_UNS, K_I8, K_U8, K_I16, K_U16};
    enum kind kind = w->floats && wild_odds(w, 25) ? K_FLT : kinds[wild_draw(w, 9)];
    if (w->longs && wild_odds(w, 50)) kind = wild_odds(w, 50) ? K_U64 : K_I64;
    struct place as = {.kind = kind};
    char *name = wild_name(w, "k");
    wild_declare(w, at, name, F("%s %s = %s;", wild_type(kind), name, value_for(w, &as, 2)));
    wild_var(w, name, kind, kind == K_INT && wild_odds(w, 30));
}

static void local_array(struct wild *w, struct gen_node *at) {
    uint32_t size = 2 + wild_draw(w, 7);
    enum kind kind = wild_odds(w, 60) ? K_INT : wild_odds(w, 60) ? K_UNS : K_I16;
    if (w->longs && wild_odds(w, 50)) kind = wild_odds(w, 50) ? K_U64 : K_I64;
    char *name = wild_name(w, "l"), *first = wild_small(w, 1);
    if (wild_odds(w, 30)) { // two dimensions
        uint32_t inner = 2 + wild_draw(w, 3);
        wild_declare(
            w, at, name,
            F("%s %s[%u][%u] = {{%s, 2}, {%u}};", wild_type(kind), name, size, inner, first, wild_draw(w, 90)));
        struct arr *a = wild_arr(w, name, kind, size, F("%u", size));
        a->dims = 2;
        a->size[1] = inner;
        a->text[1] = F("%u", inner);
        return;
    }
    wild_declare(w, at, name, F("%s %s[%u] = {%s, %u};", wild_type(kind), name, size, first, wild_draw(w, 50)));
    wild_arr(w, name, kind, size, F("%u", size));
}

static void local_struct(struct wild *w, struct gen_node *at) {
    if (!w->rec_count) return;
    const struct rec *r = &w->recs[wild_draw(w, w->rec_count)];
    char *name = wild_name(w, "v"), *from = F("{%s}", r->fields[0].count || r->fields[0].sub ? "0" : wild_small(w, 1));
    if (r->fields[0].count) from = F("{{1, 2}}");
    struct place p;
    for (uint32_t i = w->arr_base; i < w->arr_count && wild_odds(w, 70); i++) {
        struct arr a = w->arrs[i];
        if (a.rec != r || a.hidden || a.role == R_OFF || a.role == R_ATOMIC) continue;
        a.rec = NULL; // the whole struct: its place as if it were an int's
        a.kind = K_INT;
        if (wild_place_of(w, &a, C_INT, &p)) from = p.t;
    }
    wild_declare(w, at, name, F("struct %s %s = %s;", r->name, name, from));
    struct arr *a = wild_arr(w, name, K_INT, 0, NULL);
    a->rec = r;
}

// A pointer into one of two places, moved and used.
static void pointer(struct wild *w, struct gen_node *at) {
    struct arr *one = NULL, *two = NULL;
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *a = &w->arrs[i];
        bool mine = a->role == R_ALL || wild_owns_row(a);
        if (!mine || a->hidden || a->rec || a->constant || !a->dims || a->wide || (one && a->kind != one->kind))
            continue;
        if (!one || wild_odds(w, 40))
            two = one, one = a;
        else if (!two)
            two = a;
    }
    if (!one || one->kind == K_FLT) return;
    char *row[2];
    uint32_t size = 1000;
    for (int i = 0; i < 2; i++) {
        struct arr *a = i && two ? two : one;
        char *index = a->dims == 1 ? NULL : a->role == R_OWN ? a->own[0] : wild_index(w, a->size[0], a->text[0]);
        row[i] = index ? F("%s[%s]", a->name, index) : a->name;
        if (a->size[a->dims - 1] < size) size = a->size[a->dims - 1];
    }
    char *name = wild_name(w, "p");
    struct gen_node *b = BLOCK(at, "{");
    b->unwrap = true;
    char *from = two && wild_odds(w, 70) ? F("%s ? %s : %s", wild_cond(w, 1), row[0], row[1]) : row[0];
    wild_declare(w, b, name, F("%s *%s = %s;", wild_type(one->kind), name, from));
    struct scope s = wild_open(w);
    uint32_t off = wild_draw(w, size);
    if (off) LINE(b, "%s += %s;", name, wild_fit(w, wild_int(w, 1), 0, off).t)->fixed = true;
    struct arr *a = wild_arr(w, name, one->kind, size - off, NULL);
    for (int i = 0; i < 2; i++) {
        struct place to;
        if (!wild_place_of(w, a, wild_class(a->kind), &to)) continue;
        if (i == 1 && off == 0 && size > 2 && wild_odds(w, 40)) to.t = F("*++%s", name);
        if (*to.t == '*')
            LINE(b, "%s = %s;", to.t, wild_odds(w, 50) ? "7" : "11");
        else
            wild_assign(w, b, &to);
    }
    wild_close(w, s);
}

// ---- branches -------------------------------------------------------------------------------------------------------

static void branch(struct wild *w, struct gen_node *at, int depth) {
    struct gen_node *b = BLOCK(at, "if (%s) {", wild_cond(w, 1));
    struct scope s = wild_open(w);
    wild_body(w, b, 1 + (int)wild_draw(w, 3), depth + 1);
    wild_close(w, s);
    b->unwrap = true;
    if (wild_odds(w, 40)) {
        struct gen_node *other =
            gen_line(w->p, b, wild_odds(w, 70) ? F("} else {") : F("} else if (%s) {", wild_cond(w, 1)));
        other->outdent = other->fixed = true;
        wild_body(w, b, 1 + (int)wild_draw(w, 2), depth + 1);
        wild_close(w, s);
    }
}

// Side effects that a condition decides on.
static void short_circuit(struct wild *w, struct gen_node *at) {
    struct place v;
    if (!wild_place(w, C_INT, true, &v) || !v.plain || v.kind == K_FLT) return;
    struct place to = v;
    char *set = assigned(w, &v, 1), *cond = wild_cond(w, 1);
    struct scope s = wild_open(w);
    switch (wild_draw(w, 4)) {
    case 0: {
        struct gen_node *b = BLOCK(at, "if (%s %s (%s) > %d) {", F("(%s)", cond), wild_odds(w, 60) ? "&&" : "||", set,
                                   (int)wild_draw(w, 20) - 5);
        wild_any_assign(w, b);
        break;
    }
    case 1: LINE(at, "(void)(%s ? (%s) : %s);", cond, set, wild_lit(w, -5, 5).t); break;
    case 2: LINE(at, "%s, %s;", set, assigned(w, &to, 1)); break;
    default: {
        char *name = wild_name(w, "k");
        wild_declare(w, at, name, F("int %s = (%s) && (%s) != 2;", name, cond, set));
        wild_close(w, s);
        wild_var(w, name, K_INT, false);
        return;
    }
    }
    wild_close(w, s);
}

static void jump(struct wild *w, struct gen_node *at) {
    if (w->can_break && wild_odds(w, 60))
        LINE(at, "if (%s) break;", wild_cond(w, 1));
    else if (w->can_continue)
        LINE(at, "if (%s) continue;", wild_cond(w, 1));
}

static void shared_update(struct wild *w, struct gen_node *at) {
    struct arr *found[MAX_ARRS];
    uint32_t count = 0;
    for (uint32_t i = w->arr_base; i < w->arr_count; i++)
        if (w->arrs[i].role == R_ATOMIC && !w->arrs[i].hidden) found[count++] = &w->arrs[i];
    if (w->red_count && (!count || wild_odds(w, 40)))
        wild_reduce(w, at, &w->reds[wild_draw(w, w->red_count)]);
    else if (count)
        wild_atomic(w, at, found[wild_draw(w, count)]);
}

static void statement(struct wild *w, struct gen_node *at, int depth) {
    uint32_t which = wild_draw(w, 100);
    bool deep = depth >= 3;
    if (which < 10)
        local(w, at);
    else if (which < 14)
        local_array(w, at);
    else if (which < 17)
        local_struct(w, at);
    else if (which < 21)
        pointer(w, at);
    else if (which < 31 && !deep)
        branch(w, at, depth);
    else if (which < 43 && !deep)
        wild_loop(w, at, depth);
    else if (which < 48 && !deep)
        wild_switch(w, at, depth);
    else if (which < 52 && !deep)
        wild_live_out(w, at);
    else if (which < 57)
        short_circuit(w, at);
    else if (which < 62)
        jump(w, at);
    else if (which < 68 && wild_call(w, at))
        return;
    else if (which < 76 && w->parallel)
        shared_update(w, at);
    else
        wild_any_assign(w, at);
}

void wild_body(struct wild *w, struct gen_node *at, int count, int depth) {
    for (int i = 0; i < count && w->budget-- > 0; i++)
        statement(w, at, depth);
    if (w->budget <= 0) wild_any_assign(w, at);
}
