// Loops that are unrolled: the same values as before, whatever lives on after the loop; and what keeps a loop a loop.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/passes.h"

enum { N = 6, ROW = 40 };
static int32_t memory[2][2 * N * ROW];
static char said[400];

static void run(const struct ir_unit *u, int32_t *out) {
    struct whorl_error err;
    void *arrays[] = {NULL, out, out + N * ROW};
    size_t sizes[] = {0, 4 * N * ROW, 4 * N * ROW};
    for (int i = 0; i < 2 * N * ROW; i++)
        out[i] = i * 37 % 101;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 10000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

static uint32_t busy; // of the target, if it is not 0

// The IR of a parallel loop over i with the body when it has been unrolled; `said`: what was told of that.
static const char *unrolled(const char *body) {
    char text[2048];
    snprintf(text, sizeof text,
             "#include <math.h>\nvoid f(int n, int a[n][40], int b[n][40]) {\n#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n%s\n}\n}\n",
             body);
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return FAIL("%s", base_render_diags(&cx)), "";
    struct base_text explain;
    base_text_init(&explain, &cx);
    base_text_put(&explain, "");
    run(u, memory[0]);
    struct plan_target target = plan_base_target;
    if (busy) target.busy_invocations = busy;
    struct pass_cx p = {.u = u, .target = &target, .explain = &explain};
    pass_unroll(&p);
    ir_check(u, "unroll");
    run(u, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    snprintf(said, sizeof said, "%s", explain.data);
    return ir_print(u);
}

static bool has_loop(const char *ir) { return strstr(ir, " for ") != NULL; }

TEST(each_copy_has_its_own_index) {
    const char *ir =
        unrolled("int at; for (int k = 0; k < 3; k++) { at = k * b[i][0] % 8; a[i][at] += k; } b[i][1] = at;");
    CHECK(!has_loop(ir));
    ir = unrolled(
        "int at = 0, own[4] = {0, 0, 0, 0};\n"
        "for (int k = 0; k < 4; k++) { at = (k * b[i][k] + at) & 3; own[at] += k; if (at > 1) a[i][at] = own[at]; }\n"
        "b[i][1] = at + own[0] + own[3];");
    CHECK(!has_loop(ir));
    ir = unrolled(
        "int at = 0; for (int k = 0; k < 2; k++) for (int j = 0; j < 3; j++) { at = (k * 3 + j) * b[i][2] % 40;\n"
        "a[i][at] = a[i][39 - at] + j; } b[i][3] = at;");
    CHECK(!has_loop(ir));
}

// Branches with two sides are dear, selections and what the index decides are not.
TEST(copies_of_branches_have_a_limit) {
    unrolled("for (int k = 0; k < 30; k++) a[i][k] = a[i][k] < 9 ? b[i][k] : b[i][39 - k];");
    CHECK_HAS_STR("1 loop not unrolled, the first at line 5: the copies would make kernels slow", said);
    CHECK(has_loop(unrolled("for (int k = 0; k < 30; k++) { int v = k; while (v < a[i][k]) v += 50; a[i][k] = v; }")));
    CHECK(!has_loop(unrolled("for (int k = 0; k < 10; k++) a[i][k] = a[i][k] < 9 ? b[i][k] : b[i][39 - k];")));
    CHECK(!has_loop(unrolled("for (int k = 0; k < 30; k++) a[i][k] = a[i][k] < b[i][k] ? a[i][k] : b[i][k] + 1;")));
    CHECK(!has_loop(
        unrolled("for (int k = 0; k < 30; k++) { int e = k & 1; a[i][k] = e == 0 ? b[i][k] : a[i][39 - k]; }")));
    CHECK(!has_loop(unrolled("for (int k = 0; k < 30; k++) if (a[i][k] < 9) a[i][k] = 9;")));
    unrolled("for (int m = 0; m < 4; m++) for (int k = 0; k < 30; k++) if (a[i][k] < 9 + m) a[i][k] = 9;");
    CHECK_HAS_STR("slow", said);
}

// A driver in software takes long over each sine.
TEST(copies_of_sines_have_a_limit) {
#define SINES(count, of) "for (int k = 0; k < " count "; k++) a[i][k] = (int)(9.0f * sinf(" of ")); b[i][0] = a[i][3];"
    CHECK(!has_loop(unrolled(SINES("30", "(float)b[i][k]"))));
    busy = 64; // in software
    CHECK(has_loop(unrolled(SINES("30", "(float)b[i][k]"))));
    CHECK(!has_loop(unrolled(SINES("10", "(float)b[i][k]"))));
    CHECK(!has_loop(unrolled(SINES("30", "0.1f * (float)k")))); // computed by the compiler
    busy = 0;
}

// Whether a loop that adds to elements of this type by atomic updates is one still.
static bool stays(const char *type) {
    char text[400];
    snprintf(text, sizeof text,
             "void f(int n, %s s[40], %s b[n][40]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n"
             "for (int k = 0; k < 40; k++) {\n#pragma omp atomic\ns[k] += b[i][k];\n}\n}\n",
             type, type);
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return FAIL("%s", base_render_diags(&cx)), false;
    struct base_text explain;
    base_text_init(&explain, &cx);
    struct pass_cx p = {.u = u, .target = &plan_base_target, .explain = &explain};
    pass_unroll(&p);
    return has_loop(ir_print(u));
}

// Each of them is a loop of its own in the kernel's text.
TEST(atomic_sums_of_floats_stay_in_a_loop) {
    CHECK(stays("float"));
    CHECK(!stays("int"));
}

// All loops of a program share the limits, but those over private arrays have their own.
TEST(copies_have_a_limit_of_text) {
    static const char body[] =
        "for (int k = 1; k < 39; k++) for (int m = 1; m < 20; m++)\n"
        "a[i][k] += b[i][k - 1] * a[i][m] + b[i][k + 1] * b[i][m - 1] + b[i][k] * a[i][m + 1];\n";
    unrolled(body);
    CHECK_HAS_STR("1 short loop\n", said); // the inner one
    CHECK_HAS_STR("slow to compile", said);
}

TEST(private_arrays_have_limits_of_their_own) {
    static const char shared[] = "for (int k = 0; k < 30; k++) if (a[i][k] < 9) a[i][k] = 9;\n",
                      own[] = "for (int k = 0; k < 30; k++) if (own[k] < a[i][k]) own[k] = 9;\n";
    char body[1200];
    snprintf(body, sizeof body,
             "int own[30]; for (int k = 0; k < 30; k++) own[k] = a[i][k];\n%s%s%s%s%sb[i][0] = own[7];", shared, shared,
             shared, shared, own);
    unrolled(body);
    CHECK_HAS_STR("5 short loops", said);
    CHECK_HAS_STR("1 loop not unrolled", said);
}

// How long a loop is follows from the counter of the loop around, and both are gone.
TEST(triangles_are_unrolled_whole) {
#define OWN "int own[8], s = b[i][9]; for (int k = 0; k < 8; k++) own[k] = b[i][k];\n"
#define KEEP "for (int k = 0; k < 8; k++) a[i][k] = own[k] + s;"
    CHECK(!has_loop(unrolled(OWN "for (int k = 0; k < 4; k++) for (int m = 0; m < k; m++) s += own[m] * k;\n" KEEP)));
    CHECK(!has_loop(unrolled(OWN "for (int k = 0; k < 8; k++) for (int m = k; m < 8; m++) own[m] -= own[k];\n" KEEP)));
    CHECK(!has_loop(
        unrolled(OWN "for (int k = 7; k >= 0; k--) for (int m = k + 1; m < 8; m++) own[k] -= own[m] * m;\n"
                     "for (int k = 0; k < 4; k++) for (int m = 0; m < 3 - k; m++)\n"
                     "if (own[m] > own[m + 1]) { int q = own[m]; own[m] = own[m + 1]; own[m + 1] = q; }\n" KEEP)));
    CHECK(!has_loop(unrolled(OWN
                             "int at = 0; for (int k = 0; k < 5; k++) for (int m = 0; m <= k; m++) { at = own[m] & 7;\n"
                             "for (int j = 0; j < m; j++) { s = s * 3 + own[j] * at; own[m] ^= s & 3; } }\n"
                             "s += at;\n" KEEP)));
    CHECK(!has_loop(unrolled("int s = b[i][0]; for (int k = 0; k < 5; k++) for (int m = 0; m < k; m++) s = s * 3 + m;\n"
                             "b[i][1] = s;"))); // it only computes
}

// What data bound stays a loop, and what touches no array of the iteration's own has nothing to gain.
TEST(triangles_for_places_that_become_constant) {
    CHECK(has_loop(unrolled(OWN "for (int k = 0; k < 4; k++) { for (int m = 0; m < k; m++) s += own[m] * k;\n"
                                "int end = a[i][k] & 3; for (int m = 0; m < end; m++) s ^= own[m]; }\n" KEEP)));
    CHECK_HAS_STR("unroll: 5 short loops\n",
                  said); // the first, the last, the outer one, and two that make 2 and 3 passes
    CHECK(has_loop(unrolled("for (int k = 0; k < 5; k++) for (int m = 0; m < k; m++) a[i][m] += b[i][k];")));
}

// All of it, or what there was without: the outer loop alone, if it has room.
TEST(triangles_are_unrolled_whole_or_not) {
    unrolled(OWN "for (int k = 0; k < 8; k++) for (int m = 0; m < k; m++)\n"
                 "if (own[m] < a[i][k + m]) own[m] = b[i][m]; else own[m] -= b[i][k];\n" KEEP);
    CHECK_HAS_STR("unroll: 3 short loops\n", said);
    CHECK_HAS_STR("local array 'own' stays in memory: the copies would make kernels slow", said);
    unrolled(OWN "for (int k = 0; k < 5; k++) for (int m = 0; m < k; m++)\n"
                 "if (own[m] < a[i][k + m]) own[m] = b[i][m]; else own[m] -= b[i][k];\n" KEEP);
    CHECK_HAS_STR("unroll: 6 short loops\n", said);
    CHECK(strstr(said, "not unrolled") == NULL);
}

// Copies gain elements in registers, and those in memory stay there.
TEST(triangles_over_memory) {
    unrolled(OWN "for (int k = 0; k < 8; k++) for (int m = 0; m < k; m++) own[m] -= a[i][k] * b[i][m];\n" KEEP);
    CHECK_HAS_STR("unroll: 9 short loops\n", said); // 56 elements
    unrolled(OWN
             "for (int k = 0; k < 8; k++) for (int m = 0; m < k; m++) own[m] -= a[i][k] * b[i][m] + a[i][m];\n" KEEP);
    CHECK_HAS_STR("unroll: 3 short loops\n", said); // 84: the outer one alone
}

TEST(triangles_have_a_limit_of_statements) {
    unrolled(
        "int own[24]; for (int k = 0; k < 24; k++) own[k] = b[i][k];\n"
        "for (int k = 0; k < 24; k++) for (int m = 0; m < k; m++) {\n"
        "own[m] += k; own[k] ^= own[m]; own[m] *= 3; own[k] += m; own[m] ^= own[k]; own[k] -= m; own[m] &= 8191; }\n"
        "for (int k = 0; k < 24; k++) a[i][k] = own[k];");
    CHECK_HAS_STR("unroll: 3 short loops\n", said);
    CHECK_HAS_STR("local array 'own' stays in memory: a kernel would pass", said);
}

// Of a triangle counts what becomes of it, which is no loop; and what other loops need is theirs.
TEST(triangles_take_what_is_left) {
    static const char sides[] = "for (int k = 0; k < 7; k++) if (own[k] < a[i][k]) own[k] &= a[i][k]; else own[0]++;\n",
                      one[] = "for (int k = 0; k < 7; k++) if (own[k] < a[i][k]) own[k] = 9;\n",
                      sum[] = "for (int k = 0; k < 8; k++) for (int m = 0; m < k; m++) own[k] += own[m] * k;\n",
                      dear[] = "for (int k = 0; k < 4; k++) for (int m = 0; m < k; m++)\n"
                               "if (own[m] < a[i][k]) own[m] &= a[i][k]; else own[0]++;\n";
    char body[1600];
    snprintf(body, sizeof body, OWN "%s%s%s%s%s%s" KEEP, sides, sides, one, one, one, sum); // 90 of 96
    CHECK(!has_loop(unrolled(body)));
    CHECK(strstr(said, "not unrolled") == NULL);
    snprintf(body, sizeof body, OWN "%s%s%s" KEEP, dear, sides, one); // 36 instead of 28 of the copies before
    CHECK(!has_loop(unrolled(body)));
    snprintf(body, sizeof body, OWN "%s%s%s" KEEP, dear, sides, sides);
    unrolled(body);
    CHECK_HAS_STR("5 short loops\n", said);
    CHECK_HAS_STR("local array 'own' stays in memory: the copies would make kernels slow", said);
}
