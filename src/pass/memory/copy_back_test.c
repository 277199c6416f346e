// Which steps that copy a second array back write both in turn, and that the interpreter makes the same bits of it.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

#define EACH(lo, hi) \
    "#pragma omp parallel for\nfor (int i = " lo "; i < " hi "; i++) for (int j = " lo "; j < " hi "; j++) "
#define WRITE \
    EACH("1", "n - 1") "w[i][j] = 0.25f * (c[i - 1][j] + c[i + 1][j] + c[i][j - 1] + c[i][j + 1]) + a[i][j];\n"
#define BACK EACH("1", "n - 1") "c[i][j] = w[i][j];\n"

// Steps, with what stands before and behind them; w is filled first.
static bool takes_turns(int steps, const char *body, const char *behind) {
    char text[1800];
    snprintf(text, sizeof text,
             "float w[n][n];\n" EACH("0", "n") "w[i][j] = b[i][j];\nfor (int t = 0; t < %d; t++) {\n%s}\n%s", steps,
             body, behind);
    bool found = strstr(nest_said(PASS_STEPS, text, 64), "copy_back: ") != NULL;
    nest_said(PASS_SINGLE, text, 32768); // the same bits, in blocks of steps, too
    return found;
}

TEST(numbers_of_steps) {
    side = 20;
    for (int steps = 2; steps < 9; steps++)
        CHECK(takes_turns(steps, WRITE BACK, ""));
    CHECK(!takes_turns(1, WRITE BACK, ""));
}

TEST(what_stands_around) {
    CHECK(takes_turns(5, "x[0] += c[1][2];\n" WRITE "x[1] += c[2][3];\n" BACK "x[2] += c[3][3];\n", ""));
    CHECK(takes_turns(4, WRITE BACK, EACH("0", "n") "c[i][j] += w[i][j] * 0.5f;")); // w is wanted
    CHECK(takes_turns(5, WRITE BACK EACH("0", "n") "x[i] += i == j ? c[i][j] : 0.0f;\n", ""));
    CHECK(takes_turns(6, EACH("0", "n") "w[i][j] = c[j][i];\n" EACH("0", "n") "c[i][j] = w[i][j];\n", ""));
}

// What the number of the step leaves is unrolled behind it; with an odd divisor there would be twice as many steps.
TEST(by_the_number_of_the_step) {
    CHECK(takes_turns(9, WRITE BACK "if (t % 4 == 0) x[t] += c[2][2];\n", ""));
    CHECK(takes_turns(9, WRITE BACK "if ((t & 1) == 0) x[t] += c[2][2];\n", ""));
    CHECK(takes_turns(9, WRITE BACK "if (t % 40 == 0) x[t] += c[2][2];\n", "")); // not unrolled
    CHECK(!takes_turns(9, WRITE BACK "if (t % 3 == 0) x[t] += c[2][2];\n", ""));
}

TEST(what_stays) {
    CHECK(!takes_turns(4, WRITE EACH("2", "n - 1") "c[i][j] = w[i][j];\n", "")); // another range
    CHECK(!takes_turns(4, WRITE EACH("1", "n - 1") "c[i][j] = w[j][i];\n", "")); // other elements
    CHECK(!takes_turns(4, WRITE BACK EACH("0", "n") "x[i] += w[i][i];\n", ""));  // w is wanted in the step
    CHECK(!takes_turns(4, EACH("1", "n - 1") "if (c[i][j] > 0) w[i][j] = c[i - 1][j];\n" BACK, "")); // not each
    CHECK(!takes_turns(4, BACK WRITE, ""));
}

#define ARMS(yes, no) EACH("1", "n - 1") "if (a[i][j] > 0) {" yes "} else {" no "}\n"
#define UP "w[i][j] = c[i - 1][j] * 0.5f;"
#define DOWN "w[i][j] = c[i + 1][j] + 1;"

// Both arms of a branch store it.
TEST(arms_of_branches) {
    side = 20;
    for (int steps = 2; steps < 5; steps++)
        CHECK(takes_turns(steps, ARMS(UP, DOWN) BACK, ""));
    CHECK(takes_turns(4, ARMS("float s = 0; for (int k = 0; k < 3; k++) s += c[k][j]; w[i][j] = s;", DOWN) BACK, ""));
    CHECK(takes_turns(4, ARMS(UP, "if (b[i][j] > 0) {" DOWN "} else { w[i][j] = c[i][j]; }") BACK, ""));
    CHECK(takes_turns(4, ARMS(UP "x[i] = 1;", "x[i] = 2;" DOWN) BACK, ""));
    CHECK(!takes_turns(4, ARMS(UP, "w[j][i] = 1;") BACK, ""));                    // other elements
    CHECK(!takes_turns(4, ARMS(UP, "if (b[i][j] > 0)" DOWN) BACK, ""));           // not each
    CHECK(!takes_turns(4, ARMS(UP, DOWN "w[i][j] += 1;") BACK, ""));              // twice
    CHECK(!takes_turns(4, ARMS(UP "x[i] += w[i][j];", DOWN) BACK, ""));           // it is loaded behind
    CHECK(!takes_turns(4, ARMS(UP, "if (b[i][j] > 0) continue;" DOWN) BACK, "")); // one is left out
    CHECK(!takes_turns(
        4,
        EACH("1",
             "n - 1") "{ int k = i; if (a[i][j] > 0) { k = j; w[k][j] = 1; } else { w[k][j] = c[i - 1][j]; } }\n" BACK,
        ""));
}

#define ROWS(lo, hi) "#pragma omp parallel for\nfor (int i = " lo "; i < " hi "; i++) for (int j = 0; j < n; j++) "
#define ALL ROWS("0", "n") "c[i][j] = w[i][j];\n"

// Each element is stored, in whatever order.
TEST(all_in_another_order) {
    side = 20;
    CHECK(takes_turns(5, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; w[2 * i + 1][j] = c[i + n / 2][j]; }\n" ALL, ""));
    CHECK(takes_turns(4, ROWS("0", "n / 2") "{ w[i][n - 1 - j] = c[i][j]; w[i + n / 2][n - 1 - j] = a[j][i]; }\n" ALL,
                      ""));
    CHECK(!takes_turns(4, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; w[2 * i][j] = c[j][i]; }\n" ALL, "")); // half
    CHECK(!takes_turns(4, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; }\n" ALL, ""));                        // half
    CHECK(!takes_turns(4, ROWS("0", "n") "{ w[i][j / 2] = c[i][j]; }\n" ALL, ""));                            // twice
    CHECK(!takes_turns(4, ROWS("0", "n") "if (b[i][j] > 0) w[n - 1 - i][j] = c[i][j];\n" ALL, "")); // not each
    CHECK(!takes_turns(4, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; w[(i + j) % n][j] = c[j][i]; }\n" ALL,
                       "")); // who knows
    CHECK(!takes_turns(4,
                       "int s[n];\n" ROWS("0", "n") "s[i] = n - 1 - i;\n" ROWS(
                           "0", "n") "{ int k = s[i] & 31; w[k][j] = c[i][j]; }\n" ALL,
                       "")); // who knows
}

// Steps until data say so: x[0] is halved, or how far elements move decides.
static bool takes_turns_until(const char *head, const char *body, const char *behind) {
    char text[1800];
    snprintf(text, sizeof text,
             "float w[n][n], moved = 1.0f; int k = 0;\n" EACH("0", "n") "w[i][j] = b[i][j];\n%s {\n%s}\n%s", head, body,
             behind);
    bool found = strstr(nest_said(PASS_STEPS, text, 64), "copy_back: ") != NULL;
    nest_said(PASS_SINGLE, text, 32768);
    return found;
}
TEST(until_data_say_so) {
    side = 20;
    for (int rounds = 0; rounds < 5; rounds++) {
        char head[80];
        snprintf(head, sizeof head, "while (moved > 0 && k < %d)", rounds); // also none at all
        CHECK(takes_turns_until(head, WRITE BACK "k++;\n", EACH("0", "n") "c[i][j] += w[i][j] * 0.5f;"));
    }
    CHECK(takes_turns_until("for (k = 0; k < 9; k++)", WRITE BACK "if (c[3][4] < 0.5f * k) break;\n", ""));
    CHECK(!takes_turns_until("while (k < 4 && w[1][1] < 100)", WRITE BACK "k++;\n", "")); // w is wanted in the loop
}

TEST(loads_between) {
    side = 20;
#define FAR(lo, hi)                                                                           \
    "moved = 0;\n#pragma omp parallel for reduction(+ : moved)\nfor (int i = " lo "; i < " hi \
    "; i++) for (int j = 1; j < n - 1; j++) moved += (w[i][j] - c[i][j]) * (w[i][j] - c[i][j]);\n"
    CHECK(takes_turns_until("for (k = 0; k < 7; k++)", WRITE FAR("1", "n - 1") BACK, ""));
    CHECK(takes_turns_until("while (moved > 0.01f && k < 6)", WRITE FAR("2", "n - 2") BACK "k++;\n", ""));
    CHECK(!takes_turns_until("for (k = 0; k < 7; k++)", WRITE FAR("0", "n - 1") BACK, "")); // of the edge, too
    CHECK(!takes_turns_until("for (k = 0; k < 7; k++)", FAR("1", "n - 1") WRITE BACK, "")); // of the last step
    CHECK(
        takes_turns_until("for (k = 0; k < 7; k++)",
                          "moved = 0;\n#pragma omp parallel for reduction(+ : moved)\nfor (int i = 1; i < n - 1; i++) "
                          "for (int j = 1; j < n - 1; j++) { w[i][j] = 0.5f * (c[i - 1][j] + c[i][j + 1]); "
                          "moved += w[i][j] - c[i][j]; }\n" BACK,
                          ""));
    CHECK(
        !takes_turns_until("for (k = 0; k < 7; k++)", // of another element
                           "moved = 0;\n#pragma omp parallel for reduction(+ : moved)\nfor (int i = 1; i < n - 1; i++) "
                           "for (int j = 1; j < n - 1; j++) { w[i][j] = 0.5f * (c[i - 1][j] + c[i][j + 1]); "
                           "moved += w[i][j - 1]; }\n" BACK,
                           ""));
}

#define LINE "#pragma omp parallel for\nfor (int i = 0; i < n; i++) "

// What else is stored behind the copy, as at edges.
TEST(edges) {
    side = 20;
    CHECK(takes_turns(4, WRITE BACK "c[0][0] = x[1];\n", ""));
    CHECK(takes_turns(5, WRITE BACK LINE "c[i][0] = c[i][1];\n" LINE "c[0][i] = c[1][i] + 0.5f * c[0][i];\n", ""));
    CHECK(takes_turns(5, WRITE BACK LINE "{ c[n - 1][i] = 1.0f - c[n - 2][i]; c[0][i] = a[0][i]; }\n", ""));
    CHECK(takes_turns(6, WRITE BACK "c[3][4] += x[2];\nx[5] += c[3][4];\n", "")); // a source
    CHECK(takes_turns(5, WRITE BACK LINE "c[i][n - 1] = 0.5f * c[i][n - 2];\n" LINE "x[i] += c[i][n - 1] + c[2][i];\n",
                      ""));
    CHECK(takes_turns(4, WRITE BACK "for (int k = 0; k < 2; k++) {\n" LINE "x[i] += c[i][2 * k];\n}\n", ""));
    // w is wanted: what was copied is in c, but where that is stored again
    CHECK(takes_turns(5, WRITE BACK LINE "c[i][0] = c[i][1];\n", EACH("1", "n") "x[i] += w[i][j];\n"));
    CHECK(!takes_turns(5, WRITE BACK LINE "c[i][1] = c[i][0];\n", EACH("1", "n") "x[i] += w[i][j];\n"));
    CHECK(takes_turns(5, WRITE BACK LINE "c[i][1] = c[i][0];\n", ""));
    CHECK(!takes_turns(4, WRITE BACK LINE "if (a[i][i] > 0.5f) c[i][0] = 1.0f;\n", "")); // not each
    CHECK(!takes_turns(4, WRITE BACK LINE "c[i][i] = 1.0f;\n", ""));                     // no box
    CHECK(!takes_turns(4, WRITE BACK LINE "c[i][t] = 1.0f;\n", ""));                     // another one in each step
    CHECK(!takes_turns(4, WRITE BACK "for (int i = 1; i < n; i++) c[i][0] = c[i - 1][0];\n", "")); // in order
    CHECK(!takes_turns(4, LINE "c[i][0] = c[i][1];\n" WRITE BACK, ""));                            // in front
    CHECK(!takes_turns(4, WRITE BACK LINE "c[i][0] = c[i][(int)x[1] & 15];\n", ""));               // who knows which
    CHECK(!takes_turns(4, WRITE BACK LINE "for (int k = 0; k < 3; k++) c[i][0] = 0.5f * c[i][0];\n", "")); // again
}

#define COPY(lo, hi) EACH(lo, hi) "w[i][j] = c[i][j];\n"
#define OWN EACH("1", "n - 1") "c[i][j] += 0.25f * (w[i - 1][j] + w[i + 1][j] - w[i][j - 1] - w[i][j + 1]);\n"

TEST(copies_in_front) {
    side = 20;
    for (int steps = 2; steps < 6; steps++) {
        CHECK(takes_turns(steps, COPY("0", "n") OWN, ""));
        CHECK(takes_turns(steps, COPY("0", "n") OWN LINE "c[i][0] = c[i][1];\n" LINE "c[0][i] = c[1][i];\n",
                          EACH("0", "n") "x[i] += w[i][j];\n")); // w is wanted
    }
    CHECK(takes_turns(5, COPY("1", "n - 1") EACH("2", "n - 2") "c[i][j] = w[i - 1][j] + 0.5f * w[i][j + 1];\n",
                      EACH("0", "n") "x[i] += w[i][j];\n"));
    CHECK(takes_turns(5, "x[1] += c[2][2];\n" COPY("0", "n") OWN "x[2] += w[2][2] - c[2][2];\n", ""));
    CHECK(takes_turns(5, COPY("0", "n") ROWS("0", "n / 2") "{ c[2 * i][j] = w[i][j]; c[2 * i + 1][j] = w[j][i]; }\n",
                      "")); // all, in another order
    CHECK(takes_turns(4,
                      COPY("0", "n") EACH("1", "n - 1") "{ float s = 0; for (int k = 0; k < 3; k++) s += c[i][j] * "
                                                        "w[k][j]; c[i][j] = s; }\n",
                      ""));
    CHECK(takes_turns_until("for (k = 0; k < 9; k++)", COPY("0", "n") OWN "if (c[3][4] < 0.5f * k) break;\n",
                            EACH("0", "n") "x[i] += w[i][j];\n"));
    CHECK(takes_turns_until("while (moved > 0 && k < 3)", COPY("0", "n") OWN "k++;\n", ""));
    CHECK(!takes_turns(4, COPY("1", "n - 1") OWN, ""));                  // what was not copied is loaded
    CHECK(!takes_turns(4, "x[1] += w[2][2];\n" COPY("0", "n") OWN, "")); // in front, of the last step
    CHECK(!takes_turns(4, COPY("0", "n") EACH("1", "n - 1") "if (w[i][j] > 0.3f) c[i][j] = w[i - 1][j];\n", ""));
    CHECK(!takes_turns(4,
                       COPY("0", "n") EACH("1", "n - 1") "for (int k = 0; k < 3; k++) c[i][j] += w[k][j] * c[i][j];\n",
                       ""));                                            // loads what it has stored
    CHECK(!takes_turns(4, COPY("0", "n") OWN "w[1][1] = 2.0f;\n", "")); // another store
}

#define WAVE(of)       \
    EACH("1", "n - 1") \
    "{ float p = d" of "; w[i][j] = 2 * c[i][j] - p + 0.2f * (c[i - 1][j] + c[i][j + 1] - 2 * c[i][j]); }\n"
#define KEEP EACH("1", "n - 1") "{ d[i][j] = c[i][j]; c[i][j] = w[i][j]; }\n"

// A third array that has been what the first one was a step before.
static bool is_kept(int steps, const char *body, const char *behind) {
    char text[1900];
    snprintf(text, sizeof text,
             "float w[n][n], d[n][n];\n" EACH("0", "n") "d[i][j] = b[i][j];\nfor (int t = 0; t < %d; t++) {\n%s}\n%s",
             steps, body, behind);
    bool found = strstr(nest_said(PASS_STEPS, text, 64), "copy_back: ") != NULL;
    nest_said(PASS_SINGLE, text, 32768);
    return found;
}
TEST(what_was_a_step_before) {
    side = 20;
    for (int steps = 2; steps < 6; steps++) {
        CHECK(is_kept(steps, WAVE("[i][j]") KEEP, ""));
        CHECK(is_kept(steps, WAVE("[i][j]") KEEP "c[3][4] += 0.25f * t;\n", EACH("0", "n") "x[i] += d[i][j];\n"));
        CHECK(is_kept(steps, WAVE("[i][j]") KEEP LINE "c[i][0] = c[i][1];\n", EACH("1", "n - 1") "x[i] += w[i][j];\n"));
    }
    CHECK(!is_kept(5, WAVE("[i - 1][j]") KEEP, ""));                       // of another one
    CHECK(!is_kept(5, WAVE("[i][j]") KEEP LINE "x[i] += d[1][i];\n", "")); // behind
    CHECK(!is_kept(5, WAVE("[i][j]") LINE "x[i] += d[1][i];\n" KEEP, "")); // in between
    CHECK(
        !is_kept(5, WAVE("[i][j]") EACH("1", "n - 1") "{ c[i][j] = w[i][j]; d[i][j] = c[i][j]; }\n", "")); // behind it
    CHECK(!is_kept(5, WAVE("[i][j]") EACH("1", "n - 1") "{ d[j][i] = c[i][j]; c[i][j] = w[i][j]; }\n", ""));
    CHECK(!is_kept(5, WAVE("[i][j]") KEEP "d[2][2] = 1.0f;\n", "")); // another store
}

// Two steps, or eight, would be more than a counter's 32 bits hold.
TEST(wide_steps) {
    side = 20;
#define WIDE(step, body) \
    EACH("0", "n") "w[i][j] = 1;\nfor (int t = -2000000000; t < 1000000000; t += " step ") {\n" body "}\n"
    for (int k = 0; k < 3; k++) {
        static const char *const texts[] = {
            "float w[n][n];\n" WIDE("1200000000", WRITE BACK),
            "float w[n][n];\n" WIDE("1200000000", WRITE EACH("1", "n - 1") "c[i][j] += w[i][j];\n"),
            "float w[n][n];\n" WIDE("300000000", WRITE EACH("1", "n - 1") "c[i][j] += w[i - 1][j];\n")};
        const char *said = nest_said(PASS_STEPS, texts[k], 64);
        CHECK(!strstr(said, "copy_back: ") && !strstr(said, "double_buffer: ") && !strstr(said, "compose: "));
    }
}

TEST(tear_down) { base_cx_deinit(&cx); }
