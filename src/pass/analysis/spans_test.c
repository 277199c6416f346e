// How often loops are passed whose bounds move together.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/passes.h"

struct found {
    uint64_t most, exact;
    bool is_exact;
};
static void on_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct found *f = user;
    pass_scope_parfor(sc, parfor);
    for (ir_stmt s = sc->u->stmts[parfor].parfor.body; s; s = sc->u->stmts[s].next) {
        const struct ir_stmt_node *n = &sc->u->stmts[s];
        if (n->kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (n->kind != IR_FOR) continue;
        f->most = pass_most_trips(sc, n->counted.lo, n->counted.hi, n->counted.step);
        f->is_exact = pass_exact_trips(sc, n->counted.lo, n->counted.hi, n->counted.step, &f->exact);
    }
}

// Of `for (k = LO; k < HI; k++)` behind `before`, in iterations i < 64.
static struct found between(const char *before, const char *lo, const char *hi) {
    char text[600];
    snprintf(text, sizeof text,
             "void f(int n, const int c[n], int x[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
             "int s = 0;\n%s\nfor (int k = %s; k < (%s); k++) s += k;\nx[i] = s; }\n}\n",
             before, lo, hi);
    struct ir_unit *u = lowered(text, 64);
    struct found f = {0};
    if (!u || setjmp(cx.bail)) return f;
    struct pass_scope sc;
    struct base_text said;
    base_text_init(&said, &cx);
    struct pass_cx p = {.u = u, .target = &plan_base_target, .explain = &said};
    pass_fold(&p);
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, on_parfor, &f);
    return f;
}
static bool exactly(uint64_t trips, const char *before, const char *lo, const char *hi) {
    struct found f = between(before, lo, hi);
    return f.is_exact && f.exact == trips && f.most == trips;
}
static bool at_most(uint64_t trips, const char *before, const char *lo, const char *hi) {
    struct found f = between(before, lo, hi);
    return !f.is_exact && f.most == trips;
}

TEST(exact) {
    CHECK(exactly(9, "", "3", "12"));
    CHECK(exactly(100, "", "i * 100", "i * 100 + 100"));
    CHECK(exactly(100, "", "i * 100", "(i + 1) * 100"));
    CHECK(exactly(100, "", "i * 100", "i * 100 + 100 < 6400 ? i * 100 + 100 : 6400"));
    CHECK(exactly(100, "int a = i * 100, b = a + 100;", "a", "b"));
    CHECK(exactly(5, "", "i - 2", "i + 3"));
    CHECK(exactly(0, "", "i + 3", "i"));
}

TEST(at_the_most) {
    CHECK(at_most(100, "", "i * 100", "i * 100 + 100 < 6330 ? i * 100 + 100 : 6330"));
    CHECK(at_most(100, "", "i * 100", "6330 > i * 100 + 100 ? i * 100 + 100 : 6330"));
    CHECK(at_most(5, "", "i > 2 ? i - 2 : 0", "i + 3 < n ? i + 3 : n"));
    CHECK(at_most(3, "", "i > 0 ? i - 1 : 0", "i < n - 1 ? i + 2 : n"));
    CHECK(at_most(3, "", "i >= 1 ? i - 1 : 0", "n - 2 >= i ? i + 2 : n"));
    CHECK(at_most(63, "", "i + 1", "n"));
    CHECK(at_most(66, "", "i > 9 ? i - 4 : 0", "i + 3")); // neither the lesser nor the greater one
    CHECK(at_most(6330, "", "i * 100", "i * 100 + 100 > 6330 ? i * 100 + 100 : 6330"));
}

TEST(unknown) { CHECK(between("", "c[i]", "c[i] * 2").most == UINT64_MAX); }

TEST(tear_down) { base_cx_deinit(&cx); }
