// Loops that take places from counters (counters.c): which they are, and that they compute the same.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "whorl.h"

#include "pass/rounds_testing.h"

// x[0 .. 8] count, and x[8] is free; k is a key; places overlap.
static bool takes_places(const char *passes, const char *body) {
    char text[1500];
    snprintf(text, sizeof text,
             "#pragma omp parallel for\nfor (int t = 0; t < 1; t++) {\nunsigned s = 1;\n"
             "for (int k = 0; k < 8; k++) x[k] = k;\nfor (int i = 0; i < %s; i++) {\n"
             "unsigned k = c[(i * 7) %% 64] %% 8;\n%s\n}\nx[9] = s;\n}\n",
             passes, body);
    const char *said = rounds_said("share: ", text, share_on_gpu);
    return strstr(said, "take places") && strstr(said, "lanes: an iteration");
}

TEST(places_in_order) {
    CHECK(takes_places("256", "unsigned to = x[k]++; y[to] = c[i % 64] + i;"));
    CHECK(takes_places("299", "unsigned to = x[k]; x[k] = 1 + to; y[to] = (unsigned)i * 3; "));
    CHECK(takes_places("261", "y[x[k]++] = (unsigned)i;"));
}

TEST(places_for_some) {
    CHECK(takes_places("300", "if (k > 2 && i % 4 == 1) { unsigned to = x[k]; x[k] = to + 2; y[to] = (unsigned)i; }"));
    CHECK(takes_places("400", "if (i % 5 == 4) { unsigned to = x[7 - k]++; y[to] = k; }"));
    CHECK(takes_places("(int)(c[3] % 64 + 600)", "if (i % 11 == 4) { unsigned to = x[k]++; y[to] = (unsigned)i; }"));
}

TEST(loops_of_another_kind) {
    static const char *const bodies[] = {
        // something else is done to the counters
        "unsigned to = x[k]++; y[to] = x[8];",
        "unsigned to = x[k]++; y[to] = k; x[(k + 1) & 7] = 3;",
        "unsigned to = x[k] + 1; x[k] = to; y[to & 63] = k;",
        "unsigned to = x[k]; x[k] = to + k; y[to & 63] = k;",
        // what a pass stores another one loads
        "unsigned to = x[k]++; y[to] = y[k] + 1;",
        // the place follows from another one
        "unsigned to = x[k]++; y[to + 1] = k;",
        "unsigned to = x[k]++; y[to] = k; y[i & 1] = k;",
        "unsigned to = x[k]++; y[60] = to;",
        "if (i < 40) { unsigned to = x[k]++; y[to] = k; y[i] = 7; }",
        // something is handed on
        "unsigned to = x[k]++; y[to] = s; s = to;",
        "if (i % 8 == 1) { unsigned to = x[k & s]++; y[to] = s; s = s * 3 + 1; }",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (takes_places("300", bodies[k])) FAIL("takes places: %s", bodies[k]);
    CHECK(!takes_places("100", "unsigned to = x[k]++; y[to] = c[i % 64] + i;")); // too few
}
