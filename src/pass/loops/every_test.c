// Which loops are split by what they do in some passes alone, and that the interpreter makes the same of the program.
#include "check.h"
#include "pass/rounds_testing.h"

static void passes(struct pass_cx *p) {
    pass_canonicalise(p);
    pass_every(p);
}
// The text behind "of": "1 of 5"; "": the loop stays as it is.
static const char *split(const char *body) {
    const char *said = rounds_said("every: ", body, passes), *at = strstr(said, "does in ");
    return at ? at + 8 : "";
}
#define OMP "\n#pragma omp parallel for\n"
#define STEP OMP "for (int i = 0; i < n; i++) x[i] = x[i] * 3 + y[i] + t;\n"
#define LOOK OMP "for (int i = 0; i < n; i++) y[i] += x[i] >> 3;\n"
#define IN(n) CHECK(strncmp(split_text, n " passes", strlen(n) + 7) == 0)

TEST(where_it_stands) {
    const char *split_text;
    for (int steps = 10; steps < 16; steps++) {
        char text[600];
        snprintf(text, sizeof text, "for (int t = 0; t < %d; t++) { if (t %% 5 == 0) {" LOOK "}" STEP "}", steps);
        split_text = split(text);
        IN("1 of 5");
        snprintf(text, sizeof text, "for (int t = 3; t < %d; t++) {" STEP "if ((t + 1) %% 4 == 0) {" LOOK "} }",
                 steps + 3);
        split_text = split(text);
        IN("1 of 4");
        snprintf(text, sizeof text, "for (int t = 1; t < %d; t++) {" STEP "if (t %% 5 == 2) {" LOOK "}" STEP "}",
                 steps + 2);
        split_text = split(text);
        IN("1 of 5");
        snprintf(text, sizeof text,
                 "for (int t = 0; t < 3 * %d; t += 3) { if (t %% 12 == 0) {" LOOK "} if (!(t %% 18)) {" LOOK "}" STEP
                 "}",
                 2 * steps);
        (void)split(text); // the same, whatever it is
    }
}

TEST(what_stays) {
    CHECK_EQ_STR("", split("for (int t = 0; t < 9; t++) { if (t % 5 == 0) {" LOOK "}" STEP "}"));  // once or twice
    CHECK_EQ_STR("", split("for (int t = 0; t < 40; t++) { if (t % 2 == 0) {" LOOK "}" STEP "}")); // every other
    CHECK_EQ_STR("", split("for (int t = 0; t < 40; t++) { if (t % 9 != 0) {" LOOK "}" STEP "}")); // nearly each
    CHECK_EQ_STR("", split("for (int t = 0; t < 40; t++) { if (t % 9 == 0) {" LOOK "} else {" STEP "} }"));
    CHECK_EQ_STR("", split("for (int t = 40; t > 0; t--) { if (t % 9 == 0) {" LOOK "}" STEP "}"));
    CHECK_EQ_STR("", split("for (int t = 0; t < 40; t++) { if ((t - 3) % 9 == 0) {" LOOK "}" STEP "}")); // of -3
    CHECK_EQ_STR("", split("for (int t = 0; t < 40; t++) { if (t % 9 == 0) {" LOOK "}" STEP "if (x[0] == 5) break; }"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
