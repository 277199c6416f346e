// Which arrays a run makes anew.
#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

#define PAR "\n#pragma omp parallel for\n"

// The names of those arrays of the entry with these statements.
static const char *anew(const char *statements) {
    static char out[64];
    char text[1024];
    snprintf(text, sizeof text,
             "void f(int n, const int x[n], int y[n], int z[n], int m[4][16]) {\nint s[64];\n(void)s;\n%s\n" PAR
             "for (int i = 0; i < n; i++) z[i] += y[i] + m[i & 3][i & 15];\n}\n",
             statements);
    struct ir_unit *u = lowered(text, 64);
    if (!u || setjmp(cx.bail)) return base_render_diags(&cx);
    struct plan_target target = plan_base_target;
    struct base_text said;
    base_text_init(&said, &cx);
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    (void)pass_run(&p, PASS_EAGER, NULL, "anew");
    out[0] = 0;
    for (ir_array a = 1; a < p.u->array_count; a++) // passes may have put a copy in its place
        if (p.u->arrays[a].anew) strncat(out, p.u->arrays[a].name, 1);
    return out;
}

TEST(all_of_it_is_stored_first) {
    CHECK_EQ_STR("y", anew(PAR "for (int i = 0; i < n; i++) y[i] = x[i];"));
    CHECK_EQ_STR("y", anew(PAR "for (int i = 0; i < n; i++) if (x[i]) y[i] = 1; else y[i] = 2;"));
    CHECK_EQ_STR("y", anew(PAR "for (int i = 0; i < n; i++) { y[i] = 0; if (x[i]) y[i] = 1; }"));
    CHECK_EQ_STR("y", anew(PAR "for (int b = 0; b < 8; b++) for (int i = 0; i < 8; i++) y[b * 8 + i] = x[i];"));
    CHECK_EQ_STR("y", anew(PAR "for (int b = 0; b < 64; b += 8) for (int i = 7; i < 15; i++) y[b + i - 7] = x[i];"));
    CHECK_EQ_STR("m", anew(PAR "for (int i = 0; i < 16; i++) for (int j = 0; j < 4; j++) m[j][i] = x[i];"));
    CHECK_EQ_STR("y", anew("for (int t = 0; t < 3; t++) {" PAR "for (int i = 0; i < n; i++) y[i] = x[i] + t;" PAR
                           "for (int i = 1; i < n; i++) z[i] = y[i - 1]; }"));
    CHECK_EQ_STR("ys", anew(PAR "for (int i = 0; i < n; i++) s[i] = x[i];" PAR
                                "for (int i = 0; i < n; i++) y[i] = s[n - 1 - i];"));
}

TEST(old_elements_are_left_or_loaded) {
    CHECK_EQ_STR("", anew(PAR "for (int i = 1; i < n; i++) y[i] = x[i];"));
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < n - 1; i++) y[i] = x[i];"));
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < n; i++) if (x[i]) y[i] = 1;"));
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < n; i++) y[i] += x[i];"));
    CHECK_EQ_STR("z", anew(PAR "for (int i = 0; i < n; i++) { y[i] = 1; z[i] = y[i]; }")); // y is loaded there
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < n; i += 2) y[i] = x[i];"));
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < n; i++) y[i / 2] = 1;"));
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < 4; i++) for (int j = 0; j < 16; j++) m[i][i] = j;"));
    CHECK_EQ_STR("", anew(PAR "for (int b = 0; b < 8; b++) for (int i = 0; i < 8; i++) y[b * 7 + i] = x[i];"));
    CHECK_EQ_STR("", anew(PAR "for (int b = 0; b < 8; b++) for (int i = 0; i < 8; i++) {"
                              "if (x[b]) break; y[b * 8 + i] = x[i]; }"));
    CHECK_EQ_STR("", anew(PAR "for (int b = 0; b < 8; b++) for (int i = 0; i < 8; i++) {"
                              "y[b * 8 + i] = x[i]; if (x[b]) break; }"));
    CHECK_EQ_STR("", anew(PAR "for (int b = 0; b < 8; b++) for (int i = 0; i < x[b]; i++) y[b * 8 + i] = 1;"));
    CHECK_EQ_STR("", anew("if (x[0]) {" PAR "for (int i = 0; i < n; i++) y[i] = x[i]; }"));
    CHECK_EQ_STR("", anew("int t = x[0]; while (t > 0) { t--;" PAR "for (int i = 0; i < n; i++) y[i] = x[i]; }"));
    CHECK_EQ_STR("", anew("y[3] = x[0];" PAR "for (int i = 0; i < n; i++) y[i] = x[i];"));
    CHECK_EQ_STR("z", anew(PAR "for (int i = 0; i < n; i++) z[i] = y[n - 1 - i];" PAR
                               "for (int i = 0; i < n; i++) y[i] = x[i];"));
    CHECK_EQ_STR("", anew(PAR "for (int i = 0; i < n; i++)\n{\n#pragma omp atomic write\ny[i] = x[i];\n}"));
}
