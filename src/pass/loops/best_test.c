// Which searches become loops that only sum up. That they find the same: tests/fresh/best_*.c, place_of_best.c.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// What the pass says of statements between parallel loops, or in iterations of one, on a device that 65,536 invocations
// keep busy.
static const char *said(bool sequential, const char *statements) {
    static char text[1400];
    snprintf(text, sizeof text,
             "void f(int n, const int v[n], const int name[n], const float x[n], int out[n]) {\n%s{\n"
             "int best = 100, who = 9, at = 0; float near = 5;\n%s\nout[%s] = best + who + at + (int)near; }\n"
             "#pragma omp parallel for\nfor (int i = 0; i < n; i++) out[i]++;\n}\n",
             sequential ? "" : "#pragma omp parallel for\nfor (int r = 0; r < 4; r++) ", statements,
             sequential ? "0" : "r");
    return said_by("best", text, 3000, 65536, false);
}
#define EACH "for (int i = 0; i < n; i++) "
#define KEYED "if (v[i] < best || (v[i] == best && name[i] < who)) { best = v[i]; who = name[i]; "

TEST(places) {
    CHECK(strstr(said(true, EACH "if (v[i] < best) { best = v[i]; who = i; }"), "smallest and one for its place"));
    CHECK(strstr(said(true, EACH "if (x[i] > near) { near = x[i]; who = i; }"), "largest and one for its place"));
}

TEST(keys) {
    CHECK(strstr(said(true, EACH KEYED "}"), "smallest and 1 more for its keys"));
    CHECK(strstr(said(true, EACH "if (v[i] > best || (v[i] == best && name[i] > who)) { who = name[i]; best = v[i]; }"),
                 "largest and 1 more for its keys"));
    CHECK(strstr(said(true, EACH KEYED "at = i; }"), "smallest and 2 more")); // and its place
    CHECK(strstr(said(true, EACH "if (x[i] < near || (x[i] == near && name[i] < who)) { near = x[i]; who = name[i]; }"),
                 "smallest and 2 more")); // zeros have signs
    CHECK(strstr(said(true, EACH "if (v[i] < best || (v[i] == best && ((at < name[i] && name[i] * 2 == who) || "
                                 "name[i] * 2 < who))) { best = v[i]; who = name[i] * 2; at = name[i]; }"),
                 "smallest and 2 more"));
}

TEST(what_stays) {
    CHECK_EQ_STR("", said(false, EACH KEYED "}"));                           // lanes share it
    CHECK_EQ_STR("", said(true, EACH KEYED "out[1] = i; }"));                // it stores
    CHECK_EQ_STR("", said(true, EACH "{ " KEYED "} at += who; }"));          // the key so far is read
    CHECK_EQ_STR("", said(true, "for (int i = 0; i < 40; i++) " KEYED "}")); // short
    CHECK_EQ_STR("",
                 said(false, "_Bool odd = 0; best = v[r]; int m = best; for (int i = 0; i < m; i++) if (v[i] < best) "
                             "{ best = v[i]; at = i; odd = name[i] & 1; } who += odd;")); // where it would end then
    CHECK_EQ_STR("", said(true, EACH "if (v[i] < best || (v[i] == best && x[i] < near)) { best = v[i]; near = x[i]; "
                                     "}")); // may be no number
    CHECK_EQ_STR("", said(true, EACH "if (v[i] < best || (v[i] == best && name[i] <= who)) { best = v[i]; who = "
                                     "name[i]; at = i; }")); // the last one
}

TEST(tear_down) { base_cx_deinit(&cx); }
