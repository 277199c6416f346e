// Known algorithms with random parts, for what a random body hardly ever is: places taken by captures, strides that
// change from step to step, eliminations, searches by levels, teams.
#include "wild.h"

static struct arr *ints(struct wild *w, uint32_t size, char *text) { // narrow, 1-D, output, seen now; NULL: none
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *a = &w->arrs[(i + w->names) % w->arr_count];
        if (!a->hidden && !a->constant && !a->rec && a->kind == K_INT && a->dims == 1 && a->size[0] >= size &&
            wild_odds(w, 60))
            return a;
    }
    return w->shared ? NULL : wild_param(w, wild_name(w, "a"), K_INT, NULL, size, text, 0, false);
}

static char *scratch(struct wild *w, struct gen_node *at, const char *type, uint32_t size) {
    char *name = wild_name(w, "t"), *k = wild_name(w, "i");
    wild_declare(w, at, name, F("%s %s[%u];", type, name, size));
    struct gen_node *b = wild_odds(w, 50)
                             ? BLOCK(at, "for (int %s = 0; %s < %u; %s++) {", k, k, size, k)
                             : BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < %u; %s++) {", k, k, size, k);
    b->fixed = true;
    LINE(b, "%s[%s] = 0;", name, k)->fixed = true;
    return name;
}

// Count, scan, take places from the count or from a copy, sort what each took.
static void counting_sort(struct wild *w, struct gen_node *at) {
    uint32_t bins = 2u << wild_draw(w, 3);
    struct arr *to = ints(w, w->n, F("n"));
    if (!to) return;
    const char *type = wild_odds(w, 50) ? "int" : "unsigned";
    char *count = scratch(w, at, type, bins), *start = scratch(w, at, "int", bins + 1), *cursor = count;
    char *i = wild_name(w, "i"), *p = wild_name(w, "p"), *key = F("(key[%s] & %u)", i, bins - 1);
    bool down = wild_odds(w, 50);
    if (!down) cursor = scratch(w, at, "int", bins);
    struct gen_node *b = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
    LINE(b, "#pragma omp atomic\n%s[%s] += 1;", count, key)->fixed = true;
    b->fixed = true;
    b = BLOCK(at, "for (int %s = 0; %s < %u; %s++) {", i, i, bins, i);
    b->fixed = true;
    LINE(b, "%s[%s + 1] = %s[%s] + (int)%s[%s];", start, i, start, i, count, i)->fixed = true;
    b = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
    b->fixed = true;
    LINE(b, "int %s;", p)->fixed = true;
    LINE(b, down ? "#pragma omp atomic capture\n%s = --%s[%s];" : "#pragma omp atomic capture\n%s = %s[%s]++;", p,
         cursor, key)
        ->fixed = true;
    LINE(b, "%s[%s[%s] + %s] = %s;", to->name, start, key, p, i)->fixed = true;
    b = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < %u; %s++) {", i, i, bins, i);
    b->fixed = true;
    LINE(b,
         "for (int u = %s[%s] + 1; u < %s[%s + 1]; u++) {\n    int q = u, take = %s[u];\n    while (q > %s[%s] && %s[q "
         "- 1] > take) {\n"
         "        %s[q] = %s[q - 1];\n        q--;\n    }\n    %s[q] = take;\n}",
         start, i, start, i, to->name, start, i, to->name, to->name, to->name, to->name)
        ->fixed = true;
}

// Each iteration that wants one takes a place of one list; afterwards only what is independent of the order is kept.
static void one_list(struct wild *w, struct gen_node *at) {
    struct arr *to = ints(w, w->n, F("n"));
    if (!to) return;
    char *count = wild_name(w, "count"), *list = scratch(w, at, "int", w->n), *i = wild_name(w, "i"),
         *v = wild_name(w, "v");
    wild_declare(w, at, count, F("int %s = 0;", count));
    struct gen_node *b = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
    LINE(b, "if ((key[%s] + %u) %% %u != 0) continue;", i, wild_draw(w, 9), 2 + wild_draw(w, 4));
    LINE(b, "int %s;", v)->fixed = true;
    LINE(b, "#pragma omp atomic capture\n%s = %s++;", v, count)->fixed = true;
    LINE(b, "%s[%s] = %s;", list, v, i)->fixed = true;
    b = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < %s; %s++) {", i, i, w->data_bounds ? count : "n", i);
    LINE(b, "if (%s < %s) {\n    %s[%s[%s]] = %s[%s] * 3 + %s;\n}", i, count, to->name, list, i, list, i, count);
    wild_fixed(w, count, 0, w->n);
}

// In place and between two arrays, with a stride that changes from step to step.
static void strides(struct wild *w, struct gen_node *at) {
    static const char *const ops[] = {"(%s + %s) %% 1000", "%s > %s ? 1 : 0", "(%s ^ %s)", "(%s & 7) - (%s & 15)",
                                      "(%s - %s * 3) %% 512"};
    const char *op = ops[wild_draw(w, 5)];
    char *s = wild_name(w, "s"), *i = wild_name(w, "i");
    uint32_t size = 8u << wild_draw(w, 2);
    struct arr *a = ints(w, size, F("%u", size));
    struct gen_node *b, *loop;
    if (!a) return;
    switch (wild_draw(w, 5)) {
    case 0: // halves
        b = BLOCK(at, "for (int %s = %u; %s > 0; %s %s) {", s, size / 2, s, s, wild_odds(w, 50) ? ">>= 1" : "/= 2");
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = 0; %s < %s; %s++) {", i, i, s, i);
        LINE(loop, F("%%s[%%s] = %s;", op), a->name, i, F("%s[%s]", a->name, i), F("%s[%s + %s]", a->name, i, s));
        break;
    case 1: { // a prefix sum between two arrays
        char *other = scratch(w, at, "int", size), *now = wild_name(w, "now"), *next = wild_name(w, "next"),
             *old = wild_name(w, "old");
        wild_declare(w, at, now, F("int *%s = %s;", now, a->name));
        wild_declare(w, at, next, F("int *%s = %s;", next, other));
        b = BLOCK(at, "for (int %s = 1; %s < %u; %s *= 2) {", s, s, size, s);
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = 0; %s < %u; %s++) {", i, i, size, i);
        LINE(loop, F("%%s[%%s] = %%s >= %%s ? %s : %%s;", op), next, i, i, s, F("%s[%s - %s]", now, i, s),
             F("%s[%s]", now, i), F("%s[%s]", now, i));
        LINE(b, "int *%s = %s;\n%s = %s;\n%s = %s;", old, now, now, next, next, old);
        LINE(at, "%s[0] = %s[%u] %% 1000;", a->name, now, size - 1);
        break;
    }
    case 2: { // a sorting network
        char *k = wild_name(w, "k");
        b = BLOCK(at, "for (int %s = 2; %s <= %u; %s *= 2) {", k, k, size, k);
        b = BLOCK(b, "for (int %s = %s / 2; %s > 0; %s /= 2) {", s, k, s, s);
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = 0; %s < %u; %s++) {", i, i, size, i);
        LINE(loop, "int other = %s ^ %s;", i, s)->fixed = true;
        LINE(loop,
             "if (other > %s && (%s[%s] > %s[other]) == ((%s & %s) == 0)) {\n    int held = %s[%s];\n    %s[%s] = "
             "%s[other];\n    %s[other] = held;\n}",
             i, a->name, i, a->name, i, k, a->name, i, a->name, i, a->name, a->name);
        break;
    }
    case 3: // neighbours, odd and even
        b = BLOCK(at, "for (int %s = 0; %s < %u; %s++) {", s, s, 2 + wild_draw(w, 6), s);
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = %s %% 2; %s < %u; %s += 2) {", i, s, i, size - 1, i);
        LINE(loop,
             "if (%s[%s] > %s[%s + 1]) {\n    int held = %s[%s];\n    %s[%s] = %s[%s + 1];\n    %s[%s + 1] = held;\n}",
             a->name, i, a->name, i, a->name, i, a->name, i, a->name, i, a->name, i);
        break;
    default: { // the upper part by a pointer into the same array
        char *half = wild_name(w, "half");
        b = BLOCK(at, "for (int %s = 1; %s < %u; %s += %s) {", s, s, size / 2 + 1, s, s);
        LINE(b, "int *%s = %s + %s;", half, a->name, s)->fixed = true;
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = 0; %s < %s; %s++) {", i, i, s, i);
        LINE(loop, F("%%s[%%s] = %s;", op), half, i, F("%s[%s]", a->name, i), F("%s[%s]", half, i));
    }
    }
}

// Rows below a row that moves down; parts of a row that grow.
static void triangles(struct wild *w, struct gen_node *at) {
    uint32_t rows = 3 + wild_draw(w, 4);
    char *k = wild_name(w, "k"), *r = wild_name(w, "r"), *c = wild_name(w, "c");
    struct arr *a = w->shared ? NULL : wild_param(w, wild_name(w, "a"), K_INT, NULL, rows, F("%u", rows), rows, false);
    if (!a) return;
    struct gen_node *b = BLOCK(at, "for (int %s = 0; %s < %u; %s++) {", k, k, rows, k), *loop;
    if (wild_odds(w, 50)) {
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = %s + 1; %s < %u; %s++) {", r, k, r, rows, r);
        LINE(loop, "for (int %s = %s; %s < %u; %s++)\n    %s[%s][%s] = (%s[%s][%s] - %s[%s][%s] * %d) %% 1000;", c,
             wild_odds(w, 50) ? k : "0", c, rows, c, a->name, r, c, a->name, r, c, a->name, k, c,
             (int)wild_draw(w, 9) - 4);
        return;
    }
    char *sum = wild_name(w, "r");
    const char *op = wild_odds(w, 50) ? "+" : "^";
    wild_declare(w, b, sum, F("int %s = %s;", sum, wild_small(w, 1)));
    loop =
        BLOCK(b, "#pragma omp parallel for reduction(%s : %s)\nfor (int %s = 0; %s < %s; %s++) {", op, sum, r, r, k, r);
    LINE(loop, "%s %s= %s[%s][%s] & 31;", sum, op, a->name, k, r);
    LINE(b, "%s[%s][%s] = %s %% 777;", a->name, k, wild_odds(w, 50) ? k : "0", sum);
}

// A search by levels; ends when nothing is found.
static void levels(struct wild *w, struct gen_node *at) {
    struct arr *d = ints(w, w->n, F("n"));
    if (!d) return;
    char *i = wild_name(w, "i"), *level = wild_name(w, "level"), *more = wild_name(w, "more");
    struct gen_node *b = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i), *loop;
    LINE(b, "%s[%s] = %s == %u ? 0 : 900;", d->name, i, i, wild_draw(w, w->n))->fixed = true;
    wild_declare(w, at, level, F("int %s = 0;", level));
    wild_declare(w, at, more, F("int %s = 1;", more));
    bool captures = wild_odds(w, 40), flag = wild_odds(w, 50);
    char *to = F("(unsigned)(%s * 3 + key[%s]) %% (unsigned)n", i, i);
    b = BLOCK(at, "while (%s && %s < 12) {", more, level);
    LINE(b, "%s = 0;", more)->fixed = true;
    if (captures) {
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
        LINE(loop, "int mine;\n#pragma omp atomic read\nmine = %s[%s];", d->name, i)->fixed = true;
        LINE(loop,
             "if (mine == %s) {\n    int before;\n#pragma omp atomic compare capture\n    {\n        before = "
             "%s[%s];\n        if (%s[%s] > %s + 1) {\n            %s[%s] = %s + 1;\n"
             "        }\n    }\n    if (before > %s + 1) {\n#pragma omp atomic write\n        %s = 1;\n    }\n}",
             level, d->name, to, d->name, to, level, d->name, to, level, level, more)
            ->fixed = true;
    } else { // from the front of each to itself: only its own element is written
        char *next = wild_name(w, "d");
        LINE(b, "int %s[%u];", next, w->n)->fixed = true;
        loop = BLOCK(b, "#pragma omp parallel for%s\nfor (int %s = 0; %s < n; %s++) {",
                     flag ? "" : F(" reduction(|| : %s)", more), i, i, i);
        LINE(loop, "%s[%s] = %s[%s];", next, i, d->name, i)->fixed = true;
        LINE(loop, "if (%s[%s] == 900 && %s[%s] == %s) {\n    %s[%s] = %s + 1;\n%s}", d->name, i, d->name, to, level,
             next, i, level, flag ? F("#pragma omp atomic write\n    %s = 1;\n", more) : F("    %s = 1;\n", more))
            ->fixed = true;
        loop = BLOCK(b, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
        LINE(loop, "%s[%s] = %s[%s];", d->name, i, next, i)->fixed = true;
    }
    LINE(b, "%s++;", level)->fixed = true;
    wild_fixed(w, level, 0, 12);
}

// Threads that differ: each sums its block, all meet, then they share the parts.
static void team(struct wild *w, struct gen_node *at) {
    struct arr *to = ints(w, w->n, F("n"));
    if (!to) return;
    uint32_t threads = 2 + wild_draw(w, 4);
    char *part = scratch(w, at, "int", threads), *total = wild_name(w, "total"), *id = wild_name(w, "id"),
         *mine = wild_name(w, "mine"), *i = wild_name(w, "i");
    wild_declare(w, at, total, F("int %s = 1;", total));
    struct gen_node *b = BLOCK(at, "#pragma omp parallel num_threads(%u)\n{", threads), *loop;
    LINE(b, "int %s = omp_get_thread_num(), %s = %s * %u;", id, mine, id, wild_draw(w, 5))->fixed = true;
    loop = BLOCK(b, "#pragma omp for schedule(static)%s\nfor (int %s = 0; %s < n; %s++) {",
                 wild_odds(w, 50) ? " nowait" : "", i, i, i);
    LINE(loop, "if (key[%s] %% %u == 1) continue;", i, 2 + wild_draw(w, 5));
    LINE(loop, "%s += key[%s] & 63;", mine, i);
    LINE(b, "%s[%s] = %s;", part, id, mine);
    LINE(b, "#pragma omp atomic\n%s += %s;", total, mine);
    LINE(b, "#pragma omp barrier")->fixed = true;
    loop = BLOCK(b, "#pragma omp for\nfor (int %s = 0; %s < n; %s++) {", i, i, i);
    LINE(loop, "%s[%s] = (%s[%s %% %u] + %s) %% 1000;", to->name, i, part, i, threads, wild_odds(w, 50) ? total : i);
    wild_var(w, total, K_INT, true);
}

// Threads with variables of their own, which stay from one region to the next. All of them together are the same,
// however many threads there are.
static void owners(struct wild *w, struct gen_node *at) {
    struct arr *to = ints(w, w->n, F("n"));
    if (!to) return;
    uint32_t threads = 2 + wild_draw(w, 4);
    char *own = wild_name(w, "own"), *row = wild_name(w, "row"), *step = wild_name(w, "step"), *i = wild_name(w, "i"),
         *total = wild_name(w, "total"), *t = wild_name(w, "t");
    LINE(w->functions, "\nstatic int %s, %s[4] = {7};\n#pragma omp threadprivate(%s, %s)", own, row, own, row)->fixed =
        true;
    LINE(w->functions, "static int %s(int v) {\n    %s += v & 63;\n    %s[v & 3]++;\n    return v & %u;\n}", step, own,
         row, wild_draw(w, 1024))
        ->fixed = true;
    wild_declare(w, at, total, F("int %s = 1;", total));
    if (wild_odds(w, 40)) at = BLOCK(at, "for (int %s = 0; %s < 2; %s++) {", t, t, t);
    LINE(at, "%s = %s[0] = %s[1] = %s[2] = %s[3] = 0;", own, row, row, row, row)->fixed = true;
    struct gen_node *b;
    b = BLOCK(at, "#pragma omp parallel for num_threads(%u) copyin(%s, %s)\nfor (int %s = 0; %s < n; %s++) {", threads,
              own, row, i, i, i);
    LINE(b, "%s[%s] = %s(key[%s] + %s);", to->name, i, step, i, i);
    if (wild_odds(w, 50)) LINE(b, "%s[%s & 1] += %s & 3;", row, i, i);
    b = BLOCK(at, "#pragma omp parallel num_threads(%u)\n{", threads);
    LINE(b, "for (int %s = 0; %s < 4; %s++) {\n    %s += %s[%s] * (%s + 1);\n}", i, i, i, own, row, i, i);
    LINE(b, "#pragma omp atomic\n%s += %s;", total, own);
    wild_var(w, total, K_INT, true);
}

// Lean loops one after another on one array, each with its own kind of atomic and nothing else that would need a
// barrier.
static void relay(struct wild *w, struct gen_node *at) {
    uint32_t bins = 2u << wild_draw(w, 4), loops = 2 + wild_draw(w, 3);
    bool sign = wild_odds(w, 50);
    char *name = wild_name(w, "a"), *i = wild_name(w, "i"), *t = wild_name(w, "t");
    struct arr *a = wild_param(w, name, sign ? K_INT : K_UNS, NULL, bins, F("%u", bins), 0, false);
    struct arr *b = wild_param(w, wild_name(w, "a"), K_UNS, NULL, bins, F("%u", bins), 0, false);
    if (!a || !b) return;
    a->wide = true;
    if (wild_odds(w, 50)) at = BLOCK(at, "for (int %s = 0; %s < 2; %s++) {", t, t, t);
    for (uint32_t k = 0; k < loops; k++) {
        static const char *const indices[] = {"key[%s] & %u", "%s & %u", "(%s * 5 + 2) & %u", "(key[%s] >> 1) & %u"};
        char *x = F("%s[%s]", name, F(indices[wild_draw(w, 4)], i, bins - 1)),
             *e = F("(%s %% 9 + %u)", i, wild_draw(w, 30));
        struct gen_node *loop = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < n; %s++) {", i, i, i), *last;
        last = loop;
        if (wild_odds(w, 25)) last = BLOCK(loop, "if (key[%s] %% 3 != 1) {", i);
        switch (wild_draw(w, 7)) {
        case 0: LINE(last, "#pragma omp atomic\n%s %s %s;", x, wild_odds(w, 50) ? "+=" : "-=", e); break;
        case 1: LINE(last, "#pragma omp atomic\n%s |= %s;", x, e); break;
        case 2: LINE(last, "#pragma omp atomic\n%s &= ~%s;", x, e); break;
        case 3: LINE(last, "#pragma omp atomic\n%s ^= %s;", x, e); break;
        case 4:
            LINE(last, "%s v = %s;", wild_type(a->kind), e)->fixed = true;
            LINE(last, "#pragma omp atomic compare\n%s = %s %s v ? v : %s;", x, x, wild_odds(w, 50) ? "<" : ">", x);
            break;
        default: // the values are all used alike
            LINE(last, "%s v;", wild_type(a->kind))->fixed = true;
            LINE(last,
                 wild_odds(w, 50) ? "#pragma omp atomic capture\nv = %s++;" : "#pragma omp atomic capture\nv = --%s;",
                 x)
                ->fixed = true;
            LINE(last, "#pragma omp atomic\n%s[(unsigned)v & %u] += (unsigned)v * 7u + 1u;", b->name, bins - 1);
        }
    }
}

// One update of `x`, always by the same operator, of which there are seven; an int stays in -1024..1023. `how`: what
// stands in front, `omp atomic` or nothing, where the loop reduces the array.
static void count_by(struct wild *w, struct gen_node *at, uint32_t op, const char *type, const char *how, const char *x,
                     const char *e) {
    static const char *const forms[] = {"%s ^= %s;", "%s |= %s;", "%s &= %s;", "%s += %s;", "%s -= %s;"};
    if (op < 5) {
        LINE(at, F("%%s%s", forms[op]), *how ? F("%s\n", how) : "", x, e);
        return;
    }
    struct gen_node *b = BLOCK(at, "{");
    LINE(b, "%s v = %s;", type, e)->fixed = true;
    how = *how ? F("%s compare\n", how) : "";
    LINE(b, "%s%s = %s %s v ? v : %s;", how, x, x, op == 5 ? "<" : ">", x);
}

// Many iterations that update few elements: more of them than a small device has invocations, so that they are made in
// blocks; with what else such a loop may do.
static void counters(struct wild *w, struct gen_node *at) {
    uint32_t bins = 1u << wild_draw(w, 5), most = 300 + wild_draw(w, 1200), op = wild_draw(w, 7), op2 = wild_draw(w, 7);
    bool sign = wild_odds(w, 25), sums = wild_odds(w, 25), keeps = wild_odds(w, 40), adds = wild_odds(w, 40);
    const char *type = sign ? "int" : "unsigned";
    if (sign && (op == 3 || op == 4)) op = 5;
    char *name = wild_name(w, "a"), *to = wild_name(w, "a"), *i = wild_name(w, "i"), *j = wild_name(w, "j"),
         *t = wild_name(w, "t"), *r = wild_name(w, "r"), *own = NULL, *sum = NULL;
    if (!wild_param(w, name, sign ? K_INT : K_UNS, NULL, bins, F("%u", bins), 0, false)) return;
    if (!wild_param(w, to, K_UNS, NULL, bins, F("%u", bins), 0, false)) return;
    if (keeps) own = scratch(w, at, "unsigned", most + 3);
    if (sums) sum = scratch(w, at, "float", bins);
    if (adds) wild_declare(w, at, r, F("unsigned %s = 3u;", r));
    struct gen_node *loop, *body;
    if (wild_odds(w, 40)) at = BLOCK(at, "for (int %s = 0; %s < 2; %s++) {", t, t, t);
    static const char *const reducers[] = {"^", "|", "&", "+", "-", "max", "min"};
    bool reduces = wild_odds(w, 50), reduces_sums = sums && wild_odds(w, 50);
    char *clause = adds ? F(" reduction(+ : %s)", r) : F("%s", "");
    if (reduces) clause = F("%s reduction(%s : %s[:%u])", clause, reducers[op], name, bins);
    if (reduces_sums) clause = F("%s reduction(+ : %s[:%u])", clause, sum, bins);
    const char *update = "#pragma omp atomic", *how = reduces ? "" : update;
    switch (wild_draw(w, 4)) {
    case 0:
        loop = BLOCK(at, "#pragma omp parallel for%s\nfor (int %s = %u; %s > 2; %s -= 2) {", clause, i, most, i, i);
        break;
    case 1: // whose first index alone is no own element
        loop = BLOCK(at,
                     "#pragma omp parallel for collapse(2)%s\nfor (int %s = 1; %s < %u; %s++)\n"
                     "    for (int %s = 0; %s < n; %s++) {",
                     clause, i, i, most / 10, i, j, j, j);
        keeps = false;
        break;
    default: loop = BLOCK(at, "#pragma omp parallel for%s\nfor (int %s = 0; %s < %u; %s++) {", clause, i, i, most, i);
    }
    body = loop;
    if (wild_odds(w, 30)) body = BLOCK(body, "if (%s %% 5 != 2) {", i);
    if (wild_odds(w, 30)) body = BLOCK(body, "for (int %s = 0; %s < %u; %s++) {", t, t, 2 + wild_draw(w, 20), t);
    char *e = F("(%s)(%s * %u & 1023)", type, i, 1 + wild_draw(w, 60));
    count_by(w, body, op, type, how, F("%s[(key[%s %% n] + %s) & %u]", name, i, i, bins - 1), e);
    if (wild_odds(w, 40)) count_by(w, body, op, type, how, F("%s[%u]", name, wild_draw(w, bins)), e);
    if (wild_odds(w, 50))
        count_by(w, body, op2, "unsigned", update, F("%s[%s %% %u]", to, i, bins),
                 F("((unsigned)%s * 2654435761u)", i));
    if (sums)
        LINE(body, "%s%s[%s & %u] += (float)(%s %% 8) * 0.25f;", reduces_sums ? "" : "#pragma omp atomic\n", sum, i,
             bins - 1, i);
    if (keeps) LINE(loop, "%s[%s] += (unsigned)%s * 3u;", own, i, i);
    if (adds) LINE(loop, "%s += (unsigned)(%s ^ 5);", r, i);
    loop = BLOCK(at, "#pragma omp parallel for\nfor (int %s = 0; %s < %u; %s++) {", i, i, bins, i);
    LINE(loop, "%s[%s] += (unsigned)%s[%s] * 7u;", to, i, name, i);
    if (own) LINE(loop, "%s[%s] ^= %s[%s * 2 + 1];", to, i, own, i);
    if (sums) LINE(loop, "%s[%s] += (unsigned)(int)(%s[%s] * 4.0f);", to, i, sum, i);
    if (adds) LINE(loop, "%s[%s] += %s;", to, i, r);
}

void wild_pattern(struct wild *w, struct gen_node *at) {
    static void (*const all[])(struct wild *, struct gen_node *) = {
        counting_sort, one_list, strides, strides,  triangles, levels,  team,
        owners,        relay,    relay,   counters, counters,  counters};
    w->budget -= 4;
    all[wild_draw(w, 13)](w, at);
}
