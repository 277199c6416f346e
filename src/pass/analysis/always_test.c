// Ranges that variables keep wherever they are, and ranges of choices.
#include "check.h"
#include "pass/analysis/affine.h"
#include "pass/lowered_testing.h"

// "lo .. hi" of the variable `v` of an entry with these statements, "?": not known. x: data; p: a scalar.
static const char *always(const char *statements) {
    static char out[64];
    char text[1024];
    snprintf(text, sizeof text,
             "void f(int n, const int x[n], int y[n]) {\n"
             "int v = 0; unsigned w = 0; (void)w;\n%s\n"
             "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = v + (int)w;\n}\n",
             statements);
    struct ir_unit *u = lowered(text, 8);
    if (!u || setjmp(cx.bail)) return base_render_diags(&cx);
    struct pass_scope sc;
    pass_scope_init(&sc, u);
    for (ir_var v = 1; v < u->var_count; v++) {
        if (strcmp(u->vars[v].name, "v") != 0) continue;
        struct pass_range r = sc.always[v];
        if (r.known)
            snprintf(out, sizeof out, "%lld .. %lld", (long long)r.lo, (long long)r.hi);
        else
            snprintf(out, sizeof out, "?");
    }
    return out;
}

TEST(what_all_assignments_give) {
    CHECK_EQ_STR("0 .. 7", always("v = x[0] > 3 ? 7 : 2;"));
    CHECK_EQ_STR("-4 .. 7", always("if (x[0] > 3) v = 7; else v = -4;"));
    CHECK_EQ_STR("?", always("v = x[0];"));
    CHECK_EQ_STR("0 .. 15", always("v = x[0] & 15;"));
    CHECK_EQ_STR("?", always("v = x[0] & 15; if (x[1]) v = x[2];"));
    CHECK_EQ_STR("?", always("for (v = 0; v < 5; v++) w += 2u;")); // a counter goes beyond its bound
    CHECK_EQ_STR("?", always("\n#pragma omp parallel for reduction(max : v)\n"
                             "for (int i = 0; i < 5; i++) v = v > 3 ? v : 3;\n"));
}

TEST(of_choices) {
    CHECK_EQ_STR("0 .. 9", always("int t = x[0]; v = t < 0 ? 0 : t < 10 ? t : 9;"));
    CHECK_EQ_STR("0 .. 9", always("int t = x[0]; v = t >= 0 ? (t <= 9 ? t : 9) : 0;"));
    CHECK_EQ_STR("0 .. 10", always("int t = x[0]; v = t < 0 ? 0 : t <= 10 ? t : 9;"));
    CHECK_EQ_STR("-2147483648 .. 9", always("int t = x[0]; v = t < 10 ? t : 9;"));
    CHECK_EQ_STR("?", always("int t = x[0], s = x[1]; v = t < 0 ? 0 : t < 10 ? s : 9;"));
    CHECK_EQ_STR("0 .. 12", always("int t = x[0] & 63; v = t == 12 ? t : 4;"));
    CHECK_EQ_STR("0 .. 63", always("int t = x[0] & 63; v = t != 12 ? t : 4;"));
    CHECK_EQ_STR("?", always("float t = (float)x[0]; v = t < 10.0f ? (int)t : 9;"));
}

TEST(what_a_division_leaves) {
    CHECK_EQ_STR("0 .. 7", always("int t = x[0] & 63; v = t - t / 8 * 8;"));
    CHECK_EQ_STR("0 .. 5", always("int t = x[0] & 63, r = t > 5 ? 5 : t; v = r - r / 8 * 8;"));
    CHECK_EQ_STR("-56 .. 63", always("int t = x[0] & 63; v = t - t / 9 * 8;"));
    CHECK_EQ_STR("-56 .. 63", always("int t = x[0] & 63, s = x[1] & 63; v = t - s / 8 * 8;"));
}

// The variable itself is read: its range holds if it holds afterwards.
TEST(by_induction) {
    CHECK_EQ_STR("0 .. 63", always("for (int b = 0; b < 4; b++) { int t = x[b] & 63; v = t > v ? t : v; }"));
    CHECK_EQ_STR("?", always("for (int b = 0; b < 4; b++) v = v + 1;"));
    CHECK_EQ_STR("0 .. 5", always("v = 5; for (int b = 0; b < x[0]; b++) v = v > 0 ? v - 1 : 5;"));
    CHECK_EQ_STR("-1 .. 6", always("v = 5; for (int b = 0; b < x[0]; b++) v = v > 0 ? v - 2 : 6;"));
    CHECK_EQ_STR("?", always("v = 5; for (int b = 0; b < x[0]; b++) v = v * 3 - 40;"));
    CHECK_EQ_STR("0 .. 7", always("for (int b = 0; b < x[0]; b++) v = (v + 3) & 7;"));
}
