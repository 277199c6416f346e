// Which loops lanes of a subgroup share, what is dealt out to them, and what is not; loads of later passes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

static uint32_t wanted_lanes, budget;

static whorl_program *compile(const char *text, int n) {
    struct whorl_scalar scalars[] = {{"n", n}, {"steps", 1000}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.target.subgroup_lanes = 16;
    o.lanes = wanted_lanes;
    o.pass_off = "scan,confine"; // linear recurrences stay one loop, for lanes to share; small systems a grid
    o.target.register_words = budget;
    o.target.busy_invocations = 65536;
    whorl_program *p = NULL;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &p, &err) != WHORL_OK) FAIL("%s", err.message);
    return p;
}

// A network of 8 inputs and 16 cells over time; BODY stands at the end of a step.
#define NETWORK(BODY)                                                         \
    "void f(int n, int steps, const float w[n][128], float out[n]) {\n"       \
    "    #pragma omp parallel for\n"                                          \
    "    for (int i = 0; i < n; i++) {\n"                                     \
    "        float h[16], y = 0.5f;\n"                                        \
    "        for (int t = 0; t < steps; t++) {\n"                             \
    "            #pragma omp simd\n"                                          \
    "            for (int j = 0; j < 16; j++) {\n"                            \
    "                float s = 0;\n"                                          \
    "                for (int k = 0; k < 8; k++) s += w[i][j * 8 + k] * y;\n" \
    "                h[j] = s / (1.0f + s * s);\n"                            \
    "            }\n"                                                         \
    "            float sum = 0;\n"                                            \
    "            #pragma omp simd reduction(+ : sum)\n"                       \
    "            for (int j = 0; j < 16; j++) sum += h[j];\n"                 \
    "            y = sum;\n" BODY "        }\n"                               \
    "        out[i] = y;\n"                                                   \
    "    }\n"                                                                 \
    "}\n"

static void expect(const char *text, int n, uint32_t lanes, const char *explain) {
    whorl_program *p = compile(text, n);
    if (!p) return;
    const struct plan_kernel *k = &p->plan->kernels[0];
    CHECK_EQ_INT(lanes, k->lanes);
    CHECK_EQ_INT(lanes > 1 ? lanes : 0, k->subgroup);
    CHECK((strstr(k->wgsl, "subgroupShuffleXor") != NULL) == (lanes > 1));
    if (explain && !strstr(p->explain, explain)) FAIL("not explained: %s\n%s", explain, p->explain);
    whorl_program_destroy(p);
}

TEST(lanes_share_loops_inside_a_time_loop) {
    wanted_lanes = 4;
    expect(NETWORK(""), 100, 4, "which share 2 loops and the elements of 'h'");
    expect(NETWORK("if (y > 9) break;\n"), 100, 4, "which share 2 loops");
    wanted_lanes = 64; // no more than the device has
    expect(NETWORK(""), 100, 16, NULL);
    wanted_lanes = 0;
}

TEST(weights_lie_in_the_registers_of_the_lanes) {
    wanted_lanes = 8;
    budget = 64;
    expect(NETWORK(""), 100, 8, "hoist: 16 loads kept"); // 128 weights
    wanted_lanes = 1;
    expect(NETWORK(""), 100, 1, "the register budget is 64 words");
    wanted_lanes = budget = 0;
}

TEST(an_iteration_that_fills_the_device_has_one_lane) {
    budget = 256;
    expect(NETWORK(""), 1 << 17, 1, NULL);
    expect(NETWORK(""), 256, 16, NULL);
    budget = 0;
}

TEST(what_cannot_be_dealt_out_stays_with_all_lanes) {
    wanted_lanes = 4;
    // an element is read by everybody: its loop is not shared, the sum still is
    expect(NETWORK("y += h[3];\n"), 100, 4, "which share 1 loop\n");
    // an element that the iteration reads again becomes a variable of all lanes first
    expect(NETWORK("out[i] = y; y = out[i] * 0.5f;\n"), 100, 4, "'out' is kept in 1 register of");
    // what lane 0 stores may be read again
    expect("void f(int n, int steps, float r[n][16], float out[n]) {\n"
           "    #pragma omp parallel for\n"
           "    for (int i = 0; i < n; i++) {\n"
           "        float sum = 0;\n"
           "        for (int t = 0; t < steps; t++) {\n"
           "            #pragma omp simd reduction(+ : sum)\n"
           "            for (int k = 0; k < 16; k++) sum += r[i][k];\n"
           "            r[i][t & 15] = sum;\n"
           "        }\n"
           "        out[i] = sum;\n"
           "    }\n"
           "}\n",
           100, 1, NULL);
    wanted_lanes = 0;
}

TEST(a_sum_that_nobody_allowed_to_be_split_is_not) {
    wanted_lanes = 4;
    expect("void f(int n, int steps, const float w[n][16], float out[n]) {\n"
           "    #pragma omp parallel for\n"
           "    for (int i = 0; i < n; i++) {\n"
           "        float sum = 0;\n"
           "        for (int t = 0; t < steps; t++)\n"
           "            for (int k = 0; k < 16; k++) sum += w[i][k] * sum;\n"
           "        out[i] = sum;\n"
           "    }\n"
           "}\n",
           100, 1, NULL);
    wanted_lanes = 0;
}

// A child is bred from one array into the other, which swap: too large to be copied for both ways, and yet nothing is
// read that it writes.
TEST(arrays_that_swap_do_not_keep_an_iteration_on_one_lane) {
    enum { LINES = 600, TEXT = 32 << 10 };
    static char text[TEXT];
    size_t at = (size_t)snprintf(text, TEXT,
                                 "void f(int n, int steps, float a[n], float b[n]) {\n"
                                 "    float *now = a, *next = b;\n"
                                 "    for (int t = 0; t < steps; t++) {\n"
                                 "        #pragma omp parallel for\n"
                                 "        for (int i = 0; i < n; i++) {\n"
                                 "            float x = now[(i * 7) %% n], sum = 0;\n");
    for (int k = 0; k < LINES; k++)
        at += (size_t)snprintf(text + at, TEXT - at, "x = x * 0.5f + %d;\n", k);
    snprintf(text + at, TEXT - at,
             "            #pragma omp simd reduction(+ : sum)\n"
             "            for (int k = 0; k < 16; k++) sum += x * k;\n"
             "            next[i] = sum;\n"
             "        }\n"
             "        float *old = now; now = next; next = old;\n"
             "    }\n"
             "}\n");
    wanted_lanes = 4;
    whorl_program *p = compile(text, 100);
    wanted_lanes = 0;
    if (!p) return;
    CHECK(strstr(p->explain, "swaps its arrays") == NULL);
    CHECK(strstr(p->explain, "runs on 4 lanes of a subgroup") != NULL);
    whorl_program_destroy(p);
}

// An executor has to know: the plan says it, and what cannot be is refused.
TEST(a_plan_says_how_many_lanes_exchange_values) {
    wanted_lanes = 4;
    whorl_program *p = compile(NETWORK(""), 100), *read = NULL;
    wanted_lanes = 0;
    if (!p) return;
    const char *json = whorl_program_text(p, WHORL_TEXT_PLAN), *field = "\"subgroup\":4";
    struct whorl_error err;
    CHECK_EQ_INT(WHORL_OK, whorl_plan_read(json, strlen(json), &read, &err));
    if (read) CHECK_EQ_INT(4, read->plan->kernels[0].subgroup);
    whorl_program_destroy(read);
    char *wrong = strdup(json), *at = strstr(wrong, field);
    CHECK(at != NULL);
    if (at) at[strlen(field) - 1] = '3';
    CHECK_EQ_INT(WHORL_INVALID, whorl_plan_read(wrong, strlen(wrong), &read, &err));
    free(wrong);
    whorl_program_destroy(p);
}

// Loops around parallel loops have one state for the whole grid, also where lanes share the first loop.
TEST(a_grid_saves_one_state) {
    static const char text[] = "void f(int n, int steps, float x[n], float y[n]) {\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) {\n"
                               "        float h[16];\n"
                               "        #pragma omp simd\n"
                               "        for (int j = 0; j < 16; j++) h[j] = x[i];\n"
                               "        for (int t = 0; t < steps; t++)\n"
                               "            #pragma omp simd\n"
                               "            for (int j = 0; j < 16; j++) h[j] = h[j] * 0.5f + (float)t;\n"
                               "        float s = 0;\n"
                               "        #pragma omp simd reduction(+ : s)\n"
                               "        for (int j = 0; j < 16; j++) s += h[j];\n"
                               "        y[i] = s;\n"
                               "    }\n"
                               "    for (int t = 0; t < steps; t++) {\n"
                               "        #pragma omp parallel for\n"
                               "        for (int i = 0; i < n; i++) x[i] = y[(i + 1) % n];\n"
                               "        #pragma omp parallel for\n"
                               "        for (int i = 1; i < n; i++) y[i] = x[(i + 1) % n];\n"
                               "    }\n"
                               "}\n";
    wanted_lanes = 4;
    whorl_program *p = compile(text, 100);
    wanted_lanes = 0;
    if (!p) return;
    CHECK_HAS_STR("spread: an iteration", p->explain);
    const struct plan_kernel *k = &p->plan->kernels[p->plan->single.root.kernel];
    CHECK(k->grid != NULL);
    if (k->grid) CHECK_EQ_INT(2, k->grid->saved_count); // where it is, and the counter of time
    whorl_program_destroy(p);
}

// ---- loads ahead ----------------------------------------------------------------------------------------------------

#define FILTER(BODY)                                                           \
    "void f(int n, int steps, const float x[steps][n], float y[steps][n]) {\n" \
    "    #pragma omp parallel for\n"                                           \
    "    for (int i = 0; i < n; i++) {\n"                                      \
    "        float h = 0;\n"                                                   \
    "        for (int t = 0; t < steps; t++) {\n" BODY "        }\n"           \
    "    }\n"                                                                  \
    "}\n"

static void loads_ahead(const char *text, const char *explain) {
    whorl_program *p = compile(text, 100);
    if (!p) return;
    const char *found = strstr(p->explain, "prefetch:");
    if (explain ? !found || !strstr(found, explain) : found != NULL)
        FAIL("wanted: %s; said: %s", explain ? explain : "nothing", p->explain);
    whorl_program_destroy(p);
}

TEST(what_the_next_passes_read_is_loaded_before_these) {
    loads_ahead(FILTER("h = 0.5f * h + x[t][i]; y[t][i] = h;\n"), "makes 4 passes at once and loads 4 words");
}

// Lanes wait for each other's exchanges: those of many passes are made side by side, step by step, behind what the next
// passes need, and no more often than before.
TEST(exchanges_of_several_passes_stand_side_by_side) {
    wanted_lanes = 16;
    whorl_program *p =
        compile("void f(int n, int steps, const float x[steps][n], const float a[n][16], float y[steps][n]) {\n"
                "    #pragma omp parallel for\n"
                "    for (int i = 0; i < n; i++) {\n"
                "        float h[16];\n"
                "        for (int s = 0; s < 16; s++) h[s] = 0;\n"
                "        for (int t = 0; t < steps; t++) {\n"
                "            float sum = 0;\n"
                "            #pragma omp simd reduction(+ : sum)\n"
                "            for (int s = 0; s < 16; s++) {\n"
                "                h[s] = a[i][s] * h[s] + x[t][i];\n"
                "                sum += h[s];\n"
                "            }\n"
                "            y[t][i] = sum;\n"
                "        }\n"
                "    }\n"
                "}\n",
                100);
    wanted_lanes = 0;
    if (!p) return;
    CHECK_HAS_STR("prefetch: the loop at line 6 makes 16 passes at once", p->explain);
    const char *text = p->plan->kernels[0].wgsl;
    // A round's sums are halved together until each lane has one, 8 + 4 + 2 + 1 exchanges, and handed out by as many;
    // those of each pass behind the rounds in four steps.
    CHECK_EQ_INT(15, check_times("subgroupShuffleXor(select(", text));
    CHECK_EQ_INT(2 * 15 + 4 * (1000 % 16), check_times("subgroupShuffleXor(", text));
    whorl_program_destroy(p);
}

TEST(loads_whose_address_is_not_known_wait) {
    loads_ahead(FILTER("h = 0.5f * h + x[(int)h & 7][i]; y[t][i] = h;\n"), NULL);
    loads_ahead(FILTER("h = 0.5f * h + x[t][i]; y[t][i] = h; if (h > 9) break;\n"), NULL);
    loads_ahead(FILTER("if (h < 1) h = 0.5f * h + x[t][i]; y[t][i] = h;\n"), NULL);
    loads_ahead(FILTER("h = 0.5f * h + (t > 0 ? y[t - 1][i] : 0); y[t][i] = h;\n"), NULL); // written here
}

// Lanes of a workgroup that are several subgroups: memory brings together what is far apart, and the rest is exchanged.
TEST(lanes_of_several_subgroups) {
    static const char text[] = "void f(int n, int steps, const float a[n][640], float out[n]) {\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) {\n"
                               "        float s = 0;\n"
                               "        #pragma omp simd reduction(+ : s)\n"
                               "        for (int k = 0; k < 640; k++) s += a[i][k];\n"
                               "        out[i] = s + (float)steps;\n"
                               "    }\n"
                               "}\n";
    wanted_lanes = 64;
    whorl_program *p = compile(text, 30);
    if (!p) return;
    const struct plan_kernel *k = &p->plan->kernels[0];
    CHECK_EQ_INT(64, k->lanes);
    CHECK_EQ_INT(16, k->subgroup);
    CHECK_HAS_STR("lanes_f32[far + 48u]", k->wgsl);
    CHECK_HAS_STR("subgroupShuffleXor(", k->wgsl);
    CHECK(!strstr(k->wgsl, "h >>= 1u"));
    whorl_program_destroy(p);
    wanted_lanes = 0;
}

// Rows of a triangle, or of a length that data say, in a loop that goes on from slice to slice.
#define RAGGED(LOOP)                                                                             \
    "void f(int n, int steps, const float w[n][16][16], const int len[n][16], float out[n]) {\n" \
    "    #pragma omp parallel for\n"                                                             \
    "    for (int i = 0; i < n; i++) {\n"                                                        \
    "        float s = 1;\n"                                                                     \
    "        for (int t = 0; t < steps && s > 0; t++) {\n"                                       \
    "            float sum = s * 1e-9f;\n"                                                       \
    "            #pragma omp simd reduction(+ : sum)\n"                                          \
    "            for (int r = 0; r < 16; r++) {\n" LOOP "            }\n"                        \
    "            s = sum;\n"                                                                     \
    "        }\n"                                                                                \
    "        out[i] = s;\n"                                                                      \
    "    }\n"                                                                                    \
    "}\n"

// In its own loop a lane would stop alone, and others meet without it.
TEST(lanes_stop_together) {
    budget = 64;
    expect(RAGGED("for (int c = 0; c < r; c++) sum += w[i][r][c] * s;\n"), 64, 16, "slice: 1 resume point ");
    expect(RAGGED("for (int c = 0; c < len[i][r]; c++) sum += w[i][r][c] * s;\n"), 64, 16, "slice: 1 resume point ");
    whorl_program *p = compile(RAGGED("for (int c = 0; c < len[i][r]; c++) sum += w[i][r][c] * s;\n"), 64);
    CHECK(strstr(p->plan->kernels[0].wgsl, ", 16)") != NULL); // whatever the data say
    whorl_program_destroy(p);
    expect(RAGGED("for (int k = 0; k < 6000; k++) sum += w[i][r][k % 16] * s;\n"), 64, 16, "slice: 2 resume points");
    expect(RAGGED("if (len[i][r] > 3) for (int k = 0; k < 6000; k++) sum += w[i][r][k % 16] * s;\n"), 64, 16,
           "slice: 1 resume point ");
}

TEST(nobody_knows_when_a_lane_would_end) {
    const char *text = RAGGED("int k = 0; while (w[i][r][k % 16] * k < 9) k++; sum += k;\n");
    expect(text, 64, 1, NULL);
}
