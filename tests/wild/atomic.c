// Atomics whose order cannot matter, and reductions. An array has one group of updates within a loop.
#include "wild.h"

#include <stdlib.h>
#include <string.h>

static void minmax(struct wild *w, struct gen_node *at, const char *x, const char *e, const char *type, bool least) {
    char *v = wild_name(w, "v");
    const char *op = least ? ">" : "<";
    struct gen_node *b = BLOCK(at, "{");
    LINE(b, "%s %s = %s;", type, v, e)->fixed = true;
    if (wild_odds(w, 50)) {
        LINE(b, "#pragma omp atomic compare\n%s = %s %s %s ? %s : %s;", x, x, op, v, v, x);
        return;
    }
    LINE(b, "#pragma omp atomic compare\nif (%s %s %s) {\n    %s = %s;\n}", x, op, v, x, v);
}

// Each update captures, all by the same step; what becomes of the values is the same for all of them.
static void ticket(struct wild *w, struct gen_node *at, struct arr *a, const char *x) {
    if (a->ticket_taken) return;
    a->ticket_taken = true;
    char *v = wild_name(w, "old");
    const char *type = wild_type(a->kind);
    struct gen_node *b = BLOCK(at, "{");
    LINE(b, "%s %s;", type, v)->fixed = true;
    switch (wild_draw(w, 5)) {
    case 0: LINE(b, "#pragma omp atomic capture\n%s = %s++;", v, x)->fixed = true; break;
    case 1: LINE(b, "#pragma omp atomic capture\n%s = --%s;", v, x)->fixed = true; break;
    case 2: LINE(b, "#pragma omp atomic capture\n%s = %s += 3;", v, x)->fixed = true; break;
    case 3: LINE(b, "#pragma omp atomic capture\n{\n    %s = %s;\n    %s -= 2;\n}", v, x, x)->fixed = true; break;
    default: LINE(b, "#pragma omp atomic capture\n{\n    %s += 5;\n    %s = %s;\n}", x, v, x)->fixed = true;
    }
    for (uint32_t i = 0; i < w->red_count; i++)
        if (w->reds[i].kind == K_UNS && *w->reds[i].op == '+')
            LINE(b, "%s += (unsigned)%s * %uu;", w->reds[i].name, v, 1 + wild_draw(w, 9));
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *to = &w->arrs[i];
        struct place p;
        if (to == a || to->hidden || to->role != R_ATOMIC || to->kind != K_UNS || to->rec || to->dims != 1) continue;
        p.t = F("%s[(unsigned)%s %% %uu]", to->name, v, to->size[0]);
        if (to->group == G_ADD) LINE(b, "#pragma omp atomic\n%s += (unsigned)%s;", p.t, v);
        if (to->group == G_XOR) LINE(b, "#pragma omp atomic\n%s ^= (unsigned)%s + 1u;", p.t, v);
        if (to->group == G_OR) LINE(b, "#pragma omp atomic\n%s |= (unsigned)%s;", p.t, v);
    }
}

static void add(struct wild *w, struct gen_node *at, const struct arr *a, const char *x) {
    char *e = a->kind == K_UNS ? wild_uns(w, 2) : a->kind == K_FLT ? wild_flt(w, 1) : wild_small(w, 2);
    switch (wild_draw(w, 5)) {
    case 0: LINE(at, "#pragma omp atomic\n%s -= %s;", x, e); break;
    case 1: LINE(at, "#pragma omp atomic update\n%s = %s + (%s);", x, x, e); break;
    case 2: LINE(at, "#pragma omp atomic\n%s%s;", x, wild_odds(w, 50) ? "++" : "--"); break;
    default: LINE(at, "#pragma omp atomic\n%s += %s;", x, e);
    }
}

// Where the update goes. Mostly the index is a variable of its own: gcc's sanitizers take no other ones (WILD_HOIST=1).
static bool target(struct wild *w, struct gen_node *at, const struct arr *a, struct place *out) {
    bool hoist = wild_odds(w, 60) || getenv("WILD_HOIST");
    if (!hoist) return wild_place_of(w, a, wild_class(a->kind), out);
    *out = (struct place){.t = a->name, .kind = a->kind};
    for (uint32_t d = 0; d < a->dims; d++) {
        char *name = wild_name(w, "w");
        wild_declare(w, at, name, F("int %s = %s;", name, wild_index(w, a->size[d], a->text[d])));
        out->t = F("%s[%s]", out->t, name);
    }
    return true;
}

// One value from all, and nobody asks who came first: it is written, or exchanged, perhaps only for an expected one.
static void claim(struct wild *w, struct gen_node *at, const struct arr *a, const char *x) {
    uint32_t how = a->kind == K_FLT ? 2 * wild_draw(w, 2) : wild_draw(w, 4), expected = wild_draw(w, 3);
    if (how == 0) {
        LINE(at, "#pragma omp atomic write\n%s = 21;", x);
        return;
    }
    if (how == 1) {
        LINE(at, "#pragma omp atomic compare\nif (%s == %u) {\n    %s = 21;\n}", x, expected, x);
        return;
    }
    char *v = wild_name(w, "old");
    struct gen_node *b = BLOCK(at, "{");
    LINE(b, "%s %s;", wild_type(a->kind), v)->fixed = true;
    if (how == 2)
        LINE(b, "#pragma omp atomic capture\n{\n    %s = %s;\n    %s = 21;\n}", v, x, x);
    else
        LINE(b, "#pragma omp atomic compare capture\n{\n    %s = %s;\n    if (%s == %u) {\n        %s = 21;\n    }\n}",
             v, x, x, expected, x);
}

void wild_atomic(struct wild *w, struct gen_node *at, struct arr *a) {
    struct place p;
    enum class class = wild_class(a->kind);
    if (!target(w, at, a, &p)) return;
    char *e = class == C_UNS ? wild_uns(w, 2) : class == C_FLT ? wild_flt(w, 1) : wild_small(w, 2);
    switch (a->group) {
    case G_ADD: add(w, at, a, p.t); break;
    case G_AND: LINE(at, "#pragma omp atomic\n%s &= %s | %u;", p.t, e, 1u << wild_draw(w, 8)); break;
    case G_OR: LINE(at, "#pragma omp atomic\n%s |= %s & %u;", p.t, e, 1 + wild_draw(w, 1000)); break;
    case G_XOR: LINE(at, "#pragma omp atomic\n%s = %s ^ (%s);", p.t, p.t, e); break;
    case G_MIN:
    case G_MAX: minmax(w, at, p.t, e, wild_type(a->kind), a->group == G_MIN); break;
    case G_TICKET: ticket(w, at, a, p.t); break;
    default: claim(w, at, a, p.t);
    }
}

// The largest of all, of equals the one of the earliest iteration, so that the order of iterations cannot matter.
static void keep_best(struct wild *w, struct gen_node *at, const struct red *r, const char *e) {
    char *v = wild_name(w, "v"), *x = wild_name(w, "x"), *n = r->name;
    struct gen_node *b = BLOCK(at, "{");
    LINE(b, "const %s %s = %s;", wild_type(r->kind), v, e)->fixed = true;
    LINE(b, "const unsigned %s = %s;", x, wild_uns(w, 1))->fixed = true;
    char *test = F("%s > %s || (%s == %s && %s < %s_at)", v, n, n, v, w->iteration, n);
    char *section = F("#pragma omp critical(%s)\nif (%s) {\n    %s = %s;\n    %s_x = %s;\n    %s_at = %s;\n}", n, test,
                      n, v, n, x, n, w->iteration);
    if (wild_odds(w, 30)) section = F("if (%s) {\n%s\n}", test, section);
    LINE(b, "%s", section);
}

void wild_reduce(struct wild *w, struct gen_node *at, const struct red *r) {
    char *e = r->kind >= K_I64   ? wild_long_value(w, r->kind, 2)
              : r->kind == K_UNS ? wild_uns(w, 2)
              : r->kind == K_FLT ? wild_flt(w, 1)
                                 : wild_small(w, 2);
    if (strcmp(r->op, BEST) == 0) {
        keep_best(w, at, r, e);
        return;
    }
    if (*r->op == ATOMIC) {
        LINE(at, "#pragma omp atomic\n%s %c= %s;", r->name, r->op[1], e);
        return;
    }
    if (strcmp(r->op, "min") == 0 || strcmp(r->op, "max") == 0) {
        const char *op = r->op[1] == 'i' ? "<" : ">";
        char *v = wild_name(w, "v");
        struct gen_node *b = BLOCK(at, "{");
        LINE(b, "%s %s = %s;", wild_type(r->kind), v, e)->fixed = true;
        if (wild_odds(w, 50))
            LINE(b, "%s = %s %s %s ? %s : %s;", r->name, v, op, r->name, v, r->name);
        else
            LINE(b, "if (%s %s %s) %s = %s;", v, op, r->name, r->name, v);
    } else if (r->op[1]) { // && ||
        LINE(at, "%s = %s %s (%s);", r->name, r->name, r->op, wild_cond(w, 1));
    } else if (*r->op == '+' && wild_odds(w, 30)) {
        LINE(at, "%s = %s + (%s);", r->name, r->name, e);
    } else if (*r->op == '+' && wild_odds(w, 20)) {
        LINE(at, "%s++;", r->name);
    } else {
        LINE(at, "%s %s= %s;", r->name, r->op, e);
    }
}
