// What stands around parallel loops: time loops, whiles on data, regions, swapped buffers, functions with loops of
// their own.
#include "wild.h"

static void time_loop(struct wild *w, struct gen_node *at, int depth) {
    struct scope s = wild_open(w);
    char *t = wild_name(w, "t");
    struct gen_node *b;
    uint32_t trips = 2 + wild_draw(w, 3);
    switch (wild_draw(w, 6)) {
    case 3: {
        char *end = wild_name(w, "end");
        b = BLOCK(at, "for (int %s = %u, %s = %s + %u; %s < %s; %s++) {", t, wild_draw(w, 4), end, t, trips, t, end, t);
        wild_fixed(w, end, 0, 16);
        break;
    }
    case 0: b = BLOCK(at, "for (int %s = %u; %s > 0; %s--) {", t, trips, t, t); break;
    case 1: b = BLOCK(at, "for (int %s = 1; %s <= %u; %s <<= 1) {", t, t, 1u << (trips - 1), t); break;
    case 2: b = BLOCK(at, "for (int %s = 0; %s < m; %s += 2) {", t, t, t); break;
    default: b = BLOCK(at, "for (int %s = 0; %s < steps; %s++) {", t, t, t);
    }
    wild_fixed(w, t, 0, 16);
    w->passes *= 4;
    w->can_break = w->can_continue = wild_odds(w, 25);
    wild_phases(w, b, 1 + (int)wild_draw(w, 3), depth + 1);
    wild_close(w, s);
}

// A loop that the data end, after some rounds at the latest.
static void while_loop(struct wild *w, struct gen_node *at, int depth) {
    char *round = wild_name(w, "round"), *tail = F("}");
    uint32_t most = 2 + wild_draw(w, 6);
    struct gen_node *b;
    wild_declare(w, at, round, F("int %s = 0;", round));
    struct scope s = wild_open(w);
    switch (wild_draw(w, 3)) {
    case 0: b = BLOCK(at, "while (%s < %u && (%s)) {", round, most, wild_cond(w, 1)); break;
    case 1: b = BLOCK(at, "for (;;) {"); break;
    default: b = BLOCK(at, "do {"); tail = F("} while (%s < %u && (%s));", round, most, wild_cond(w, 1));
    }
    b->tail = tail;
    wild_fixed(w, round, 0, most);
    LINE(b, "%s++;", round)->fixed = true;
    w->passes *= 4;
    w->can_break = true;
    w->can_continue = *b->head != 'f';
    wild_phases(w, b, 1 + (int)wild_draw(w, 2), depth + 1);
    if (*b->head == 'f') LINE(b, "if (%s >= %u || (%s)) break;", round, most, wild_cond(w, 1))->fixed = true;
    wild_close(w, s);
    wild_fixed(w, round, 0, most);
}

static void sequential(struct wild *w, struct gen_node *at, int count) {
    bool parallel = w->parallel;
    w->parallel = false;
    wild_body(w, at, count, 1);
    w->parallel = parallel;
}

static void region(struct wild *w, struct gen_node *at) {
    struct scope s = wild_open(w);
    enum role roles[MAX_ARRS];
    struct gen_node *whole = BLOCK(at, "{"); // what the threads share, then the region
    w->shared = gen_block(w->p, whole, F("%s", ""), F("%s", ""));
    w->shared->fixed = true;
    static const char *const clauses[] = {"", "", "", " num_threads(3)", " default(shared)"};
    struct gen_node *b = BLOCK(whole, "#pragma omp parallel%s\n{", clauses[wild_draw(w, 5)]);
    w->can_break = w->can_continue = false;
    int count = 2 + (int)wild_draw(w, 3);
    bool waited = true;
    for (int i = 0; i < count && w->budget > 0; i++) {
        uint32_t which = wild_draw(w, 10), vars = w->var_count, arrs = w->arr_count;
        struct gen_node *once;
        if (which < 6) {
            bool now = wild_odds(w, 30);
            for (uint32_t k = 0; now && waited && k < MAX_ARRS; k++)
                roles[k] = R_OFF;
            if (!waited) now = false;
            enum role before[MAX_ARRS];
            for (uint32_t k = 0; k < MAX_ARRS; k++)
                before[k] = roles[k];
            wild_parallel(w, b, now ? roles : NULL, waited ? NULL : before);
            waited = !now;
            continue;
        }
        if (!waited) LINE(b, "#pragma omp barrier")->fixed = true;
        waited = true;
        if (which == 6) {
            char *name = wild_name(w, "k");
            LINE(b, "int %s = %s;", name, wild_small(w, 1))->word = name;
            LINE(b, "#pragma omp barrier")->fixed = true;
            wild_fixed(w, name, -1024, 1023);
            continue;
        }
        bool master = which > 7;
        once = BLOCK(b, "#pragma omp %s\n{", master ? "master" : "single");
        sequential(w, once, 1 + (int)wild_draw(w, 3));
        w->var_count = vars;
        w->arr_count = arrs;
        if (master) LINE(b, "#pragma omp barrier")->fixed = true;
    }
    w->shared = NULL;
    wild_close(w, s);
}

// Two arrays by names that change places.
static void swapped(struct wild *w, struct gen_node *at, int depth) {
    uint32_t one = MAX_ARRS, two = MAX_ARRS;
    for (uint32_t i = w->arr_base; i < w->arr_count && two == MAX_ARRS; i++) {
        const struct arr *a = &w->arrs[i];
        if (a->hidden || a->constant || a->rec || a->dims != 1) continue;
        one = i;
        for (uint32_t k = i + 1; k < w->arr_count; k++) {
            const struct arr *b = &w->arrs[k];
            if (!b->hidden && !b->constant && !b->rec && b->dims == 1 && b->kind == a->kind && b->size[0] == a->size[0])
                two = k;
        }
    }
    if (two == MAX_ARRS) return;
    struct arr first = w->arrs[one];
    char *now = wild_name(w, "now"), *next = wild_name(w, "next"), *old = wild_name(w, "old"), *t = wild_name(w, "t");
    const char *type = wild_type(first.kind);
    bool wide = first.wide && w->arrs[two].wide;
    if (first.wide != w->arrs[two].wide) return;
    wild_declare(w, at, now, F("%s *%s = %s;", type, now, first.name));
    wild_declare(w, at, next, F("%s *%s = %s;", type, next, w->arrs[two].name));
    w->arrs[one].hidden = w->arrs[two].hidden = true;
    struct scope s = wild_open(w);
    struct gen_node *b = BLOCK(at, "for (int %s = 0; %s < %s; %s++) {", t, t, wild_odds(w, 50) ? "steps" : "3", t);
    wild_fixed(w, t, 0, 4);
    wild_arr(w, now, first.kind, first.size[0], first.text[0])->wide = wide;
    wild_arr(w, next, first.kind, first.size[0], first.text[0])->wide = wide;
    w->passes *= 4;
    w->can_break = w->can_continue = false;
    wild_parallel(w, b, NULL, NULL);
    wild_phases(w, b, 1 + (int)wild_draw(w, 2), depth + 1);
    LINE(b, "%s *%s = %s;\n%s = %s;\n%s = %s;", type, old, now, now, next, next, old);
    wild_close(w, s);
    w->arrs[one].hidden = w->arrs[two].hidden = false;
}

// The later part of an array under a name of its own.
static void view(struct wild *w, struct gen_node *at, int depth) {
    uint32_t which = w->arr_base + wild_draw(w, w->arr_count - w->arr_base);
    struct arr a = w->arrs[which];
    if (a.hidden || a.constant || a.rec || a.dims != 1 || a.size[0] < 6) return;
    uint32_t skip = 1 + wild_draw(w, 4);
    char *name = wild_name(w, "part");
    struct scope s = wild_open(w);
    wild_declare(w, at, name, F("%s *%s = %s + %u;", wild_type(a.kind), name, a.name, skip));
    w->arrs[which].hidden = true;
    struct arr *part = wild_arr(w, name, a.kind, a.size[0] - skip, F("(%s - %u)", a.text[0], skip));
    part->wide = a.wide;
    wild_parallel(w, at, NULL, NULL);
    wild_phases(w, at, 1, depth + 1);
    w->arrs[which].hidden = false;
    wild_close(w, s);
}

// A function with a parallel loop, called for two pairs of arrays.
static void in_function(struct wild *w, struct gen_node *at) {
    struct arr *to = NULL, *from = NULL;
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *a = &w->arrs[i];
        if (a->hidden || a->rec || a->kind != K_INT || a->wide || a->dims != 1 || a->size[0] != w->n) continue;
        if (!a->constant && (!to || wild_odds(w, 50))) to = a;
        if (a != to && (!from || wild_odds(w, 50))) from = a;
    }
    if (!to || !from || to == from) return;
    struct scope s = wild_open(w);
    char *name = wild_name(w, "phase"), *i = wild_name(w, "i"), *args = F("n, %s, %s", to->name, from->name);
    char *first = wild_small(w, 1), *second = wild_small(w, 1);
    uint32_t vars = w->var_base, arrs = w->arr_base;
    struct gen_node *f = BLOCK(w->functions, "\nstatic void %s(int n, int *to, const int *from, int s) {", name);
    f->word = name;
    w->var_base = w->var_count;
    w->arr_base = w->arr_count;
    wild_fixed(w, F("n"), w->n, w->n);
    wild_fixed(w, F("s"), -1024, 1023);
    struct gen_node *loop = BLOCK(f, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
    wild_fixed(w, i, 0, w->n - 1);
    struct arr *a = wild_arr(w, F("to"), K_INT, w->n, F("n"));
    a->role = R_OWN;
    a->own[0] = i;
    wild_arr(w, F("from"), K_INT, w->n, F("n"))->role = R_READ;
    w->shared_vars = w->var_count;
    w->passes *= w->n;
    w->can_continue = true;
    w->can_break = false;
    wild_body(w, loop, 2, 1);
    wild_any_assign(w, loop);
    w->var_base = w->shared_vars = vars;
    w->arr_base = arrs;
    wild_close(w, s);
    LINE(at, "%s(%s, %s);", name, args, first);
    if (wild_odds(w, 60)) LINE(at, "%s(%s, %s);", name, args, second);
}

static void phase(struct wild *w, struct gen_node *at, int depth) {
    uint32_t which = wild_draw(w, 100);
    if (which < 38)
        wild_parallel(w, at, NULL, NULL);
    else if (which < 52)
        wild_pattern(w, at);
    else if (which < 60)
        sequential(w, at, 2);
    else if (which < 72 && depth < 2)
        time_loop(w, at, depth);
    else if (which < 80 && depth < 2)
        while_loop(w, at, depth);
    else if (which < 87)
        region(w, at);
    else if (which < 91 && depth < 2)
        swapped(w, at, depth);
    else if (which < 93 && depth < 2)
        view(w, at, depth);
    else if (which < 96)
        in_function(w, at);
    else if (which < 98 && depth < 2) {
        struct scope s = wild_open(w);
        struct gen_node *b = BLOCK(at, "if (%s) {", wild_cond(w, 1));
        b->unwrap = true;
        wild_phases(w, b, 1, depth + 1);
        wild_close(w, s);
    } else
        wild_parallel(w, at, NULL, NULL);
}

void wild_phases(struct wild *w, struct gen_node *at, int count, int depth) {
    for (int i = 0; i < count && w->budget > 0; i++) {
        if (wild_odds(w, 30)) {
            char *name = wild_name(w, "e");
            enum kind kind = wild_odds(w, 60) ? K_INT : K_UNS;
            if (w->longs && wild_odds(w, 50)) kind = K_U64;
            char *e = kind == K_INT ? wild_small(w, 1) : kind == K_UNS ? wild_uns(w, 1) : wild_long(w, 1);
            wild_declare(w, at, name, F("%s %s = %s;", wild_type(kind), name, e));
            wild_var(w, name, kind, kind == K_INT && wild_odds(w, 30));
        }
        phase(w, at, depth);
    }
}
