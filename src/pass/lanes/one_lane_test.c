// What one lane makes while the others wait (one_lane.c): which statements, and what all of them have then.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

#define SUM "float z = 0;\nfor (int k = 0; k < 3000; k++) z += expf(x[i][k] * 1e-3f);\n"
#define ALONE "some of it by one of them alone"

// An iteration with this body; 64 iterations. Returns its kernel's text.
static const char *compiled(const char *body) {
    char text[2000];
    snprintf(text, sizeof text,
             "#include <math.h>\n"
             "void f(int n, float x[n][3000], const int m[n][64], float y[n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n%s\ny[i] = z;\n}\n}\n",
             body);
    if (!compile(text, 64)) return "";
    return program->plan->kernels[program->plan->kernel_count - 1].wgsl;
}

TEST(a_loop_that_reads_what_it_wrote) {
    const char *kernel =
        compiled("for (int k = 0; k < 64; k++) {\nint seen = 0;\nfor (int j = 0; j < k; j++)\n"
                 "if (m[i][j] == m[i][k]) seen = 1;\nif (!seen) x[i][m[i][k] & 1023] *= 0.5f;\n}\n" SUM);
    CHECK_HAS_STR(ALONE, said);
    CHECK_HAS_STR("_alone = select(", kernel);
    CHECK_HAS_STR("storageBarrier();", kernel);
}

TEST(a_branch) {
    compiled("if (x[i][7] > 1) x[i][7] = 1;\n" SUM);
    CHECK_HAS_STR(ALONE, said);
    compiled("if (x[i][7] > 1) y[i] = 1;\n" SUM); // nobody reads it again
    CHECK(!strstr(said, ALONE));
    CHECK_HAS_STR("lanes: an iteration", said);
}

// All lanes get what it leaves in a variable that others read.
TEST(what_it_leaves_in_variables) {
    const char *kernel = compiled(
        "int changed = 0;\nfor (int k = 1; k < 200; k++)\n"
        "if (x[i][m[i][k & 63] & 1023] < x[i][k - 1]) { x[i][k] = x[i][k - 1]; changed++; }\n" SUM "z += changed;\n");
    CHECK_HAS_STR(ALONE, said);
    CHECK_HAS_STR("_key = 1;", kernel);
    CHECK_HAS_STR("each of which has a best of its own", said);
}

// Also in a loop around that it ends: that the loop goes on is a truth value that all lanes get.
TEST(a_loop_around_that_it_ends) {
    const char *kernel =
        compiled("for (int k = 0; k < 90; k++) {\nint at = -1;\nfloat top = 0;\nfor (int j = 0; j < 1024; j++)\n"
                 "if (x[i][j] > top) { top = x[i][j]; at = j; }\nif (at < 0) break;\nx[i][at] = 0;\n"
                 "if (x[i][(at + 7) & 1023] > 0.5f * top) x[i][(at + 7) & 1023] *= 0.5f;\n}\n" SUM);
    CHECK_HAS_STR(ALONE, said);
    CHECK_HAS_STR("each of which has a best of its own", said);
    CHECK_HAS_STR("_going != 0;", kernel);
}

TEST(where_it_does_not_pay) {
    // nearly all that the iteration does
    compiled("for (int t = 0; t < 900; t++)\nfor (int k = 1; k < 90; k++)\n"
             "if (x[i][m[i][k & 63] & 1023] < x[i][k - 1]) x[i][k] = x[i][k - 1];\n" SUM);
    CHECK(!strstr(said, ALONE));
    // each lane has such an array for itself
    compiled("float w[8] = {0};\nfor (int k = 0; k < 64; k++) w[m[i][k] & 7] += x[i][k];\n" SUM
             "z += w[m[i][0] & 7];\n");
    CHECK(!strstr(said, ALONE));
}
