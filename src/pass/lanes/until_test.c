// Loops that end when data say so, around loops that lanes share (until.c): which of them are for lanes.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

#define SUM "s = 0;\nfor (int k = 0; k < 3000; k++) s += x[i][k] > z[i] + 0.1f * p;\n"

// An iteration with this body, in which a loop sums 3,000 values; 64 iterations. Returns its kernel's text.
static const char *compiled(const char *body) {
    char text[2000];
    snprintf(text, sizeof text,
             "void f(int n, const float x[n][3000], const int m[n], int y[n][3], float z[n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\nint p = 0, s = 9;\n%s\ny[i][0] = s; y[i][1] = p;\n}\n}\n",
             body);
    if (!compile(text, 64)) return "";
    return program->plan->kernels[program->plan->kernel_count - 1].wgsl;
}

static bool on_lanes(const char *body) {
    const char *kernel = compiled(body);
    return strstr(said, "lanes: an iteration") && strstr(kernel, "whorl_most(li, select(0, 1, v");
}

TEST(a_number_of_rounds_ends_them) {
    CHECK(on_lanes("while (s > 5 && p < 50) {\n" SUM "p++;\n}"));
    CHECK(on_lanes("while (p < 50 && s > 5) {\n" SUM "p += 3;\n}"));
    CHECK(on_lanes("p = 40;\nwhile (s > 5 && 0 < p) {\n" SUM "p--;\n}"));
    CHECK(on_lanes("while (!(s <= 5 || p > 50)) {\np++;\n" SUM "}"));
    CHECK(on_lanes("while (s > 5) {\n" SUM "p++;\nif (p == 7 || p >= 50) break;\n}"));
    CHECK(on_lanes("for (;;) {\n" SUM "if (s < 5) break;\nif (++p > 50) break;\n}"));
}

// The longest loop there may be is over 4,000 passes.
TEST(what_grows_with_a_variable_ends_them) {
    CHECK(on_lanes("while (s > 5 && 100 * p < 9000) {\n" SUM "p++;\n}"));
    CHECK(on_lanes("while (s > 5 && i + 9 > p - i) {\n" SUM "p++;\n}"));
    CHECK(on_lanes("p = 50;\nwhile (s > 5 && i - p * 2 < 50) {\n" SUM "p--;\n}"));
    CHECK(on_lanes("int t = m[i] & 65535;\np = t / 128;\nwhile (s > 5 && t - p * 128 < 512) {\n" SUM "p--;\n}"));
    CHECK(!on_lanes("while (s > 5 && p < 9000) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("while (s > 5 && p - p < 50) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("while (s > 5 && 50 - p < 60) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("while (s > 5 && p - m[i] < 50) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("int q = 0;\nwhile (s > 5 && p + q < 50) {\n" SUM "p++;\nq--;\n}"));
    // what it begins with is of another value of t
    CHECK(!on_lanes("int t = m[i] & 1048575;\np = t / 128;\nt = m[i] & 2097151;\n"
                    "while (s > 5 && t - p * 128 < 512) {\n" SUM "p--;\n}"));
}

TEST(the_last_pass_counts_otherwise) {
    CHECK(on_lanes("for (p = 0; p < 60; p++) {\n" SUM "if (s < 5) { p++; break; }\n}"));
    CHECK(on_lanes("for (p = 0; p < 60; p++) {\n" SUM "if (s < 5) { if (s == 2) p -= 3; p *= 2; break; }\n}"));
    CHECK(!on_lanes("for (p = 0; p < 60; p++) {\n" SUM "if (s < 5) { p -= 1; if (m[p] == s) break; }\n}"));
    CHECK(!on_lanes("for (p = 0; p < 60; p++) {\n" SUM "if (s < 5) { p -= 2; if (m[i] == s) continue; break; }\n}"));
    CHECK(!on_lanes("for (p = 0; p < 60; p++) {\n" SUM "for (int q = 0; q < 3; q++) if (m[q] > s) { p--; break; }\n}"));
}

// What is asked for at the loop's begin makes expressions of its own: the unit's table of them grows.
TEST(many_such_loops) {
    char text[1500] = "";
    for (int k = 0; k < 8; k++)
        strcat(text, "while (s > 5 && p + i + i + i + i + i + i + i + i + i + i + i + i + i + i < 900 && "
                     "i + i + i + i + i + i + i + i + i + i + i + i + i + i + p < 900) p++;\np = 0;\n");
    CHECK(strstr(compiled(text), "fn main"));
}

TEST(the_test_stands_behind_the_pass) {
    CHECK(on_lanes("do {\n" SUM "p++;\n} while (s > 5 && p < 50);"));
    CHECK(on_lanes("do {\n" SUM "} while (s > 5 && ++p < 50);"));
    CHECK(on_lanes("do {\n" SUM "} while (s > 5 && m[i] < s && ++p < 50);"));
}

TEST(conditions_with_effects) {
    CHECK(on_lanes("while (p < 50 && (s -= 2) > 5) {\n" SUM "p++;\n}"));
    CHECK(on_lanes("while (p < 50 && (s -= 2) > 5 && (s -= m[i]) > 7) {\n" SUM "p++;\n}"));
    CHECK(on_lanes("do {\n" SUM "p++;\n} while (p < 50 && !((s -= 2) < m[i]));"));
    CHECK(on_lanes("for (;;) {\n_Bool on = 0;\n" SUM "if (p < 50) { if (s > 5) on = 1; else on = s == m[i]; }\n"
                   "if (!on) break;\np++;\n}"));
    CHECK(!on_lanes("while (p < 50 || (s -= 2) > 5) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("while ((s -= 2) > 5 && s < m[i]) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("for (;;) {\n_Bool on = 0;\n" SUM "if (p < 50) on = s > 5;\nif (s == m[i]) on = 1;\n"
                    "if (!on) break;\np++;\n}"));
    CHECK(!on_lanes("_Bool on = 1;\nfor (;;) {\n" SUM "if (!on) break;\nif (p < 50) on = s > 5;\np++;\n}"));
}

TEST(counted_loops_that_are_left) {
    CHECK(on_lanes("for (int q = 0; q < 60; q++) {\n" SUM "if (s < 5) break;\np++;\n}"));
    CHECK(on_lanes("for (int q = 60; q > m[i] % 8; q--) {\n" SUM "if (s < 5) { if (s == 3) break; p++; }\n}"));
    CHECK(on_lanes("for (p = 0; p < 60; p++) {\n" SUM "if (s < 5) break;\n}"));
}

// A lane that makes passes of its own makes such loops in them by itself.
TEST(loops_around_them) {
    static const char body[] = "int best = -1, at = -1;\nfor (int j = 0; j < 3000; j++) {\nint b = 0;\n"
                               "while (x[i][(j + b * 7) %% 3000] > z[i]%s) b++;\n"
                               "if (b > best) { best = b; at = j; }\n}\ny[i][2] = best + at;\n";
    char text[400];
    snprintf(text, sizeof text, body, " && b < 8");
    compiled(text);
    CHECK_HAS_STR("each of which has a best of its own", said);
    snprintf(text, sizeof text, body, "");
    compiled(text);
    CHECK(!strstr(said, "lanes: an iteration"));
}

// No lane can pause in them.
TEST(nobody_knows_how_many_passes) {
    CHECK(!on_lanes("while (s > 5) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("while (s > 5 && p < m[i]) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("p = m[i];\nwhile (s > 5 && p < 50) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("int most = 9;\nwhile (s > 5 && p < most) {\n" SUM "p++;\nif (s == 7) most++;\n}"));
    CHECK(!on_lanes("while (s > 5 && p < 50) {\n" SUM "if (s > 9) p++;\n}"));
    CHECK(!on_lanes("while (s > 5 && p < 50) {\n" SUM "p++;\nif (s == 9) p = 0;\n}"));
    CHECK(!on_lanes("while (s > 5 && p > -50) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("while (s > 5 || p < 50) {\n" SUM "p++;\n}"));
    CHECK(!on_lanes("do {\n" SUM "} while (s > 5 || ++p < 50);"));
    CHECK(!on_lanes("while (s > 5 && p < 5000) {\n" SUM "p++;\n}"));
    CHECK(
        !on_lanes("while (s > 5 && p < 2000) {\np++;\nfor (int q = 0; q < 70; q++) {\n" SUM "if (s < 5) break;\n}\n}"));
}
