// Which atomic additions to floats are sums: by what the compiler says of a loop with them.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

static bool are_sums(const char *body) {
    char text[2000];
    snprintf(text, sizeof text,
             "void f(int n, const float x[n][8], const int to[n], float sum[8], int count[8], float out[n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n%s\n}\n}\n",
             body);
    return compile(text, 4096) && strstr(said, "recognise:");
}

#define ADD "\n#pragma omp atomic\n"

TEST(places_that_are_the_same_for_all) {
    CHECK(are_sums(ADD "sum[3] += x[i][0];"));
    CHECK(are_sums("for (int k = 0; k < 8; k++) {" ADD "sum[k] += x[i][k]; }"));
    CHECK(are_sums("for (int k = 0; k < 8; k++) for (int l = 0; l < k; l++) {" ADD "sum[k - l] += x[i][l]; }"));
    CHECK(are_sums("if (x[i][1] > 0) {" ADD "sum[0] += x[i][0]; }"));
}

TEST(places_of_the_iteration_or_of_data) {
    CHECK(!are_sums(ADD "sum[i % 8] += x[i][0];"));
    CHECK(!are_sums(ADD "sum[to[i] & 7] += x[i][0];"));
    CHECK(!are_sums("for (int k = 0; k < to[i]; k++) {" ADD "sum[k & 7] += x[i][k & 7]; }"));
}

TEST(arrays_that_somebody_looks_at) {
    CHECK(!are_sums(ADD "sum[3] += x[i][0];\nout[i] = sum[4];"));
    CHECK(!are_sums("float old;\n#pragma omp atomic capture\n{ old = sum[3]; sum[3] += x[i][0]; }\nout[i] = old;"));
    CHECK(!are_sums(ADD "count[3] += to[i];")); // whole numbers have an instruction for it
}
