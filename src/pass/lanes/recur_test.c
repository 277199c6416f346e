// Loops whose passes need little of the ones before them (recur.c): which they are, and that they compute the same.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "whorl.h"

#include "pass/rounds_testing.h"

#define HEAVY(what) "float w = " what ";\nfor (int k = 0; k < 20; k++) w = 1 / (w + 0.3f) / (w + 2);\n"

// Four iterations, each with this body; a pass's number is i. -> what is said of it
static const char *said_of(const char *body) {
    char text[1500];
    snprintf(text, sizeof text,
             "#pragma omp parallel for\nfor (int t = 0; t < 4; t++) {\nunsigned s = c[t];\nint at = 0;\n%s\n"
             "y[t] = s; y[t + 4] = (unsigned)at;\n}\n",
             body);
    return rounds_said("share: ", text, share_on_gpu);
}
static bool hands_on(const char *body) {
    const char *said = said_of(body);
    return strstr(said, "lanes make anew") && strstr(said, "lanes: an iteration");
}

// A pass stores x[16 t + i].
#define LOOP(n, body) "for (int i = 0; i < " n "; i++) {\n" body "\nx[16 * t + i] = (unsigned)(w * 1e6f) ^ s;\n}"

TEST(generators) {
    CHECK(hands_on(LOOP("16", "s = s * 1664525u + 1013904223u;" HEAVY("s * 1e-9f"))));
    CHECK(hands_on(LOOP("16", "s ^= s << 13; s ^= s >> 17; s ^= s << 5;" HEAVY("s * 1e-9f"))));
    CHECK(hands_on(LOOP("13", "s = s * s + 12345u;" HEAVY("s * 1e-9f"))));
    CHECK(hands_on(LOOP("16", HEAVY("s * 1e-9f") "if (i % 3 == 1) s = s * 3u + (unsigned)i;")));
    CHECK(hands_on(LOOP("16", "for (int k = 0; k < 3; k++) s = s * s + c[k + i];" HEAVY("s * 1e-9f"))));
}

// What else lanes share stays theirs; what only those behind the loop read is of the last pass.
TEST(beside_sums_and_searches) {
    CHECK(
        hands_on("float sum = 0;\n" LOOP("16", "s += c[i];" HEAVY("s * 1e-9f") "sum += w;") "\nat = (int)(sum * 0);"));
    CHECK(hands_on(
        "float best = -1;\n" LOOP("16", "s += c[i];" HEAVY("s * 1e-9f") "if (w > best) { best = w; at = i; }")));
    CHECK(hands_on(LOOP("16", "s += c[i];" HEAVY("s * 1e-9f") "at = i + (int)(s & 3);")));
}

// So many that rounds follow each other: of even length, with a rest, and of a number that data say.
TEST(rounds) {
    CHECK(hands_on("for (int i = 0; i < 960; i++) {\ns = s * s + 3u;" HEAVY("s * 1e-9f") "if (w < 0) at += i;\n}"));
    CHECK(hands_on("for (int i = 5; i < 777; i++) {\ns = s * s + 3u;" HEAVY("s * 1e-9f") "if (w > 2) at += i;\n}"));
    CHECK(hands_on("int n0 = (int)(c[t + 8] % 900u);\nfor (int i = 0; i < n0; i++) {\n"
                   "s = s * s + 3u;" HEAVY("s * 1e-9f") "if (w > 2) at += i;\n}"));
    CHECK(hands_on("int n0 = 0;\nfor (int i = 0; i < n0 + (int)(c[t] & 1); i++) {\n"
                   "s = s * s + 3u;" HEAVY("s * 1e-9f") "if (w > 2) at += i;\n}") == false);
}

TEST(loops_of_another_kind) {
    static const char *const bodies[] = {
        // the next pass needs all of it
        "for (int i = 0; i < 960; i++) {\n" HEAVY("s * 1e-9f") "s = (unsigned)(w * 1e6f);\n}",
        // a pass is no longer than what it hands on
        "for (int i = 0; i < 960; i++) { s = s * s + c[i % 64]; at += (int)(s & 1); }",
        // what it hands on is in memory
        "for (int i = 1; i < 16; i++) {\n" HEAVY(
            "x[16 * t + i - 1] * 1e-9f") "x[16 * t + i] = (unsigned)(w * 1e6f);\n}",
        // ... or loaded from what the loop writes
        LOOP("16", "s += x[16 * t + (s & 15)];" HEAVY("s * 1e-9f")),
        "for (int i = 0; i < 16; i++) {\n" HEAVY("c[i] * 1e-9f") "x[16 * t + i] = (unsigned)(w * 1e6f);\n"
                                                                 "s = s * 3u + x[16 * t + i];\n}",
        // a chain of loads
        "for (int i = 0; i < 960; i++) {\ns = c[s & 63];\nfloat w = s * 1e-9f;\nif (w > 0) at += i;\n}",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (hands_on(bodies[k])) FAIL("handed on: %s", bodies[k]);
}
