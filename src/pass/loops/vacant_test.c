// Which searches that begin without a place become searches for the best.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// Whether the program after the pass has such a search.
static bool found(const char *statements) {
    static char text[1400];
    snprintf(
        text, sizeof text,
        "void f(int n, const int d[n], const unsigned e[n], const float x[n], const int on[n], int out[n]) {\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { int at = -1, b = 0; unsigned c = 0; float z = 0;\n%s\n"
        "out[i] = at + b + (int)c + (int)z; }\n}\n",
        statements);
    struct ir_unit *u = lowered(text, 64);
    if (!u || setjmp(cx.bail)) return false;
    struct base_text said;
    return strstr(run_passes(u, PASS_EAGER, "vacant", 1, false, &said), "who") != NULL;
}
#define SEARCH(condition, branch) "for (int k = 0; k < n; k++) if (" condition ") {" branch "}"

TEST(without_a_place) {
    CHECK(found(SEARCH("at < 0 || d[k] < d[at]", "at = k;")));
    CHECK(found(SEARCH("on[k] && (at == -1 || d[at] < d[k])", "at = k;")));
    CHECK(found(SEARCH("!on[k] && (d[k] > b || 0 > at)", "b = d[k]; at = k;")));
    CHECK(found(SEARCH("at <= -1 || e[k] < c", "at = k; c = e[k];")));
    CHECK(found("for (int k = 3; k < n; k += 2) if (!(at >= 0) || d[k] < b) { at = k; b = d[k]; }"));
}

TEST(other_searches) {
    CHECK(!found(SEARCH("d[k] < b", "b = d[k]; at = k;")));
    CHECK(!found(SEARCH("at < 0 || x[k] < z", "z = x[k]; at = k;")));          // may be no number
    CHECK(!found(SEARCH("at < 0 || d[k] <= b", "b = d[k]; at = k;")));         // of equal ones the last
    CHECK(!found(SEARCH("at < 0 || d[k] < b", "b = d[k]; at = k + 1;")));      // another place
    CHECK(!found(SEARCH("at < 0 || d[k] < b", "b = on[k]; at = k;")));         // another best
    CHECK(!found(SEARCH("at < 1 || d[k] < b", "b = d[k]; at = k;")));          // 0 is a place
    CHECK(!found(SEARCH("on[k] || at < 0 || d[k] < b", "b = d[k]; at = k;"))); // or something else
    CHECK(!found(
        SEARCH("at < 0 || d[k] < b", "if (on[k] > 3) { if (on[k] > 5) continue; out[i]++; } b = d[k]; at = k;")));
    CHECK(!found("for (int k = n - 1; k >= 0; k--) if (at < 0 || d[k] < b) { b = d[k]; at = k; }"));
    CHECK(!found("for (int k = i; k < n; k++) if (at < 0 || d[k] < b) { b = d[k]; at = k; }"));
    CHECK(!found("for (int k = 0; k < n; k++) { if (at < 0 || d[k] < b) { b = d[k]; at = k; } if (on[k]) at = 2; }"));
    CHECK(!found("for (int k = 0; k < n; k++) { if (at < 0 || d[k] < b) { b = d[k]; at = k; } if (b < 9) break; }"));
    CHECK(!found(SEARCH("b > on[k] && (at < 0 || d[k] < b)", "b = d[k]; at = k;"))); // what it was, without a place
    CHECK(!found("b = on[i]; int m = b; for (int k = 0; k < m; k++) if (at < 0 || d[k] < b) { b = d[k]; at = k; }"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
