// Loops that sum until the sum is large enough (sums_until.c): which they are, and what becomes of them.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

// An iteration with this body; 64 iterations. Returns its kernel's text.
static const char *compiled(const char *body) {
    char text[2000];
    snprintf(text, sizeof text,
             "#include <math.h>\n"
             "void f(int n, const float x[n][3000], const float u[n], int y[n], float z[n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\nfloat c = 0;\nint at = -1;\n%s\ny[i] = at;\nz[i] = c;\n}\n}\n",
             body);
    if (!compile(text, 64)) return "";
    return program->plan->kernels[program->plan->kernel_count - 1].wgsl;
}

static bool is_shared(const char *body) {
    const char *kernel = compiled(body);
    return strstr(said, "lanes: an iteration") && strstr(kernel, "_most") && strstr(kernel, "_to = v");
}

TEST(sums_that_end_a_loop) {
    const char *kernel = compiled("for (int k = 0; k < 3000; k++) { c += x[i][k]; if (c > u[i]) { at = k; break; } }");
    CHECK_HAS_STR("share: 1 loop that lanes may share out", said);
    CHECK_HAS_STR("lanes: an iteration", said);
    CHECK_HAS_STR(", 0.0f);", kernel); // what is above 0
    CHECK(is_shared("for (int k = 0; k < 3000; k++) { c = x[i][k] + c; if (u[i] <= c) { at = k; z[i] = 3; break; } }"));
    CHECK(is_shared("c = u[i];\nfor (int k = 0; k < 3000; k++) { c -= x[i][k]; if (c < 0) { at = k; break; } }"));
    CHECK(is_shared("for (int k = 7; k < 3000; k++) {\nfloat p = expf(x[i][k]);\nif (p < 0.5f) continue;\n"
                    "c += p;\nif (c >= u[i]) { at = k; break; } }"));
}

// Of the passes of a block that note their number the last one stays.
TEST(notes) {
    CHECK(is_shared(
        "for (int k = 0; k < 3000; k++)\nif (x[i][k] > 0.5f) { c += x[i][k]; at = k; if (c > u[i]) break; }"));
    CHECK_HAS_STR("max(v", said[0] ? program->plan->kernels[program->plan->kernel_count - 1].wgsl : "");
    CHECK(!is_shared("for (int k = 0; k < 3000; k++) { c += x[i][k]; at = 2 * k; if (c > u[i]) break; }"));
    CHECK(!is_shared("for (int k = 0; k < 3000; k++) { c += x[i][k] + at; at = k; if (c > u[i]) break; }"));
}

TEST(loops_of_another_kind) {
    static const char *const bodies[] = {
        // it ends where the sum is small
        "for (int k = 0; k < 3000; k++) { c += x[i][k]; if (c < u[i]) { at = k; break; } }",
        // another pass asks for the sum
        "for (int k = 0; k < 3000; k++) { c += x[i][k] * (c > 5 ? 2 : 1); if (c > u[i]) { at = k; break; } }",
        // what it is compared with changes
        "float g = 1;\nfor (int k = 0; k < 3000; k++) { c += x[i][k]; g *= 1.01f; if (c > g) { at = k; break; } }",
        // a pass leaves something else
        "for (int k = 0; k < 3000; k++) { c += x[i][k]; if (x[i][k] > 2) at += k; if (c > u[i]) break; }",
        // the test stands in front
        "for (int k = 0; k < 3000; k++) { if (c > u[i]) { at = k; break; } c += x[i][k]; }",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (is_shared(bodies[k])) FAIL("shared: %s", bodies[k]);
}
