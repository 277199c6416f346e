// Which local arrays become variables when short loops are unrolled.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/cost.h"
#include "pass/lowered_testing.h"
#include "pass/passes.h"

enum { N = 6 };
static char told[400];

// The names of those of an iteration with this body, in the order of their declarations.
static const char *scalars(const char *body) {
    static char names[200];
    char text[3000];
    snprintf(
        text, sizeof text,
        "#include <math.h>\nvoid f(int n, float a[n][200], const int b[n][200]) {\n"
        "static const int table[6] = {3, 1, 4, 0, 5, 2};\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
        "%s\n}\n}\n",
        body);
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return FAIL("%s", base_render_diags(&cx)), "";
    struct base_text explain;
    base_text_init(&explain, &cx);
    base_text_put(&explain, "");
    names[0] = 0;
    for (ir_stmt s = u->root; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_PARFOR) continue;
        const bool *found = pass_scalars_of(u, s, &explain);
        for (ir_array k = 1; k < u->array_count; k++)
            if (found[k]) strcat(strcat(names, names[0] ? " " : ""), u->arrays[k].name);
    }
    snprintf(told, sizeof told, "%s", explain.data);
    return names;
}

TEST(places_of_counters) {
    CHECK_EQ_STR("x", scalars("float x[6]; for (int k = 0; k < 6; k++) x[k] = a[i][k]; for (int k = 0; k < 6; k++)"
                              " a[i][k] = x[5 - k] + x[table[k]];"));
    CHECK_EQ_STR(
        "x",
        scalars("float x[6]; for (int k = 0; k < 6; k++) { int at = 2 * k % 6; if (a[i][k] > 0) { at++; x[0] = 1; }"
                " x[k] = at; } a[i][0] = x[3];"));
    CHECK_EQ_STR(
        "x", scalars("float x[6]; int at = 0; for (int k = 0; k < 3; k++) for (int m = 0; m < 2; m++) x[at++] = k * m;"
                     " a[i][0] = x[3];"));
}

TEST(places_of_data) {
    CHECK_EQ_STR("", scalars("float x[20]; for (int k = 0; k < 20; k++) x[k] = a[i][k]; int at = 1;"
                             " for (int k = 0; k < b[i][0]; k++) at = 5; a[i][0] = x[at];"));
    CHECK_EQ_STR("", scalars("float x[20]; for (int k = 0; k < 20; k++) x[k] = a[i][k]; a[i][0] = x[b[i][0] % 20];"));
    CHECK_EQ_STR(
        "", scalars("float x[20]; int at = 0; for (int k = 0; k < 20; k++) { x[k] = a[i][k]; if (x[k] > 1) at = k; }"
                    " a[i][0] = x[at];"));
    CHECK_EQ_STR("", scalars("float x[20]; int at = 0; for (int k = 0; k < 20; k++) x[k] = a[i][k];"
                             " while (a[i][at] > 0) at++; a[i][0] = x[at % 20];"));
    CHECK_EQ_STR(
        "",
        scalars("float x[20]; for (int k = 0; k < 20; k++) { x[k] = a[i][k]; if (x[k] > 1) break; } a[i][0] = x[3];"));
    CHECK_EQ_STR("", scalars("float x[20]; for (int k = 0; k < b[i][0]; k++) x[k % 20] = a[i][k]; a[i][0] = x[3];"));
}

// Few elements: pass_spell chooses among variables.
TEST(few_elements_that_data_choose) {
    CHECK_EQ_STR("x", scalars("float x[6]; for (int k = 0; k < 6; k++) x[k] = a[i][k]; a[i][0] = x[b[i][0] % 6];"));
    CHECK_EQ_STR("x", scalars("float x[2][6]; for (int k = 0; k < 6; k++) x[b[i][k] & 1][k] = a[i][k];"
                              " a[i][0] = x[0][b[i][0] % 6];"));
}

// One array has room where the other has none: copies of the inner loops do for it.
TEST(as_many_as_there_is_room_for) {
    static const char body[] = "float x[40][6], h[6];\n"
                               "for (int j = 0; j < 40; j++) {\n"
                               "for (int k = 0; k < 6; k++) h[k] = a[i][k + j];\n"
                               "for (int k = 0; k < 6; k++) for (int m = 0; m < 6; m++) x[j][k] = h[k] * h[m] - h[5 - "
                               "m] + (m ? x[j][k] : 0);\n"
                               "}\n"
                               "for (int j = 0; j < 40; j++) for (int k = 0; k < 6; k++) a[i][k + j] = x[39 - j][k];";
    CHECK_EQ_STR("h", scalars(body));
    CHECK_HAS_STR("local array 'x' stays in memory: a kernel would pass 1600 statements", told);
}

TEST(triangles) {
    CHECK_EQ_STR(
        "x", scalars("float x[8]; for (int k = 0; k < 8; k++) x[k] = a[i][k];\n"
                     "for (int k = 0; k < 8; k++) for (int m = 0; m < k; m++) x[k] -= x[m] * 0.5f; a[i][0] = x[7];"));
    CHECK_EQ_STR(
        "", scalars("float x[60]; for (int k = 0; k < 60; k++) x[k] = a[i][k];\n"
                    "for (int k = 0; k < 60; k++) for (int m = 0; m < k; m++) x[k] -= x[m] * 0.5f; a[i][0] = x[7];"));
}

// Many passes for as many elements, such as gradients that are cleared and added up, but not for a few.
TEST(passes_and_elements) {
    CHECK_EQ_STR(
        "x",
        scalars(
            "float x[100]; for (int k = 0; k < 100; k++) x[k] = 0; for (int s = 0; s < b[i][1]; s++)\n"
            "for (int k = 0; k < 20; k++) x[5 * k + 2] += a[i][s] * k; for (int k = 0; k < 100; k++) a[i][k] = x[k];"));
    CHECK_EQ_STR(
        "", scalars("float x[2] = {0, 0}; for (int k = 0; k < 100; k++) x[k & 1] += a[i][k]; a[i][0] = x[0] * x[1];"));
    CHECK_EQ_STR("", scalars("float x[140]; for (int k = 0; k < 140; k++) x[k] = a[i][k]; a[i][0] = x[7];"));
}

TEST(rarely_touched) {
#define WORK "for (int m = 0; m < 9; m++) { float w = a[i][m]; w = w * w + 1; w = w * w - m; a[i][m + 9] = w; }"
    CHECK_EQ_STR(
        "", scalars("float x[9]; for (int k = 0; k < 9; k++) { " WORK " x[k] = a[i][9]; } a[i][0] = x[3] + x[8];"));
    CHECK_EQ_STR("x", scalars("float x[9]; for (int k = 0; k < 9; k++) x[k] = a[i][k]; a[i][0] = x[3] + x[8];"));
}
