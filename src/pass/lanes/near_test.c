// Local arrays that lanes of an iteration have in workgroup memory (contract.c, expand.c), short loops that they share
// as one (merge_nest.c), and loops that they share under conditions (predicate.c).
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

// An iteration with these local arrays and this body. Returns the kernel's text.
static const char *compiled(int n, const char *locals, const char *body) {
    char text[3000];
    snprintf(text, sizeof text,
             "void f(int n, const float x[n][128], const int m[n], float y[n][128]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n%s\n%s\n}\n}\n",
             locals, body);
    if (!compile(text, n)) return "";
    const struct plan *p = program->plan;
    for (uint32_t k = 0; k < p->kernel_count; k++) // `eager` leaves such arrays to single invocations
        if (strstr(p->kernels[k].wgsl, "near_")) return p->kernels[k].wgsl;
    return p->kernels[p->kernel_count - 1].wgsl;
}

#define FILL "for (int k = 0; k < 128; k++) a[k] = x[i][k] * 2;\n"
#define CORRELATE                                                                    \
    "for (int l = 0; l < 128; l++) { float s = 0; for (int k = 0; k < 128 - l; k++)" \
    " s += a[k] * a[k + l]; y[i][l] = s; }\n"

TEST(one_array_for_all_lanes) {
    const char *kernel = compiled(512, "float a[128];", FILL CORRELATE);
    CHECK_HAS_STR("near: lanes of the loop at line 2", said);
    CHECK_HAS_STR("var<workgroup> near_f32: array<f32, ", kernel);
    CHECK(!strstr(kernel, "storageBarrier()")); // nothing else is waited for
    CHECK(!strstr(kernel, ", live)"));          // idle lanes make the passes of the last iteration
}

TEST(idle_lanes_store_nothing_to_memory) {
    const char *kernel = compiled(512, "float a[128];", FILL CORRELATE "y[i][0] = a[1];");
    CHECK_HAS_STR("if (live)", kernel);
    CHECK_HAS_STR("if (keeper)", kernel);
}

TEST(what_others_in_memory_wait_for) {
    const char *kernel = compiled(512, "float a[128];",
                                  FILL "for (int k = 0; k < 128; k++) y[i][k] = a[127 - k];\n"
                                       "for (int k = 0; k < 128; k++) a[k] += y[i][(k * 3) % 128];\n" CORRELATE);
    CHECK_HAS_STR("near:", said);
    CHECK_HAS_STR("storageBarrier();", kernel);
}

TEST(more_than_a_workgroup_has) {
    const char *kernel = compiled(64, "float a[4000], b[4000];",
                                  "for (int k = 0; k < 4000; k++) a[k] = x[i][k % 128] + k;\n"
                                  "for (int k = 0; k < 4000; k++) b[k] = a[3999 - k] * a[k];\n"
                                  "for (int l = 0; l < 128; l++) { float s = 0; for (int k = 0; k < 3000; k++)"
                                  " s += a[k] * b[k + l]; y[i][l] = s; }");
    CHECK_HAS_STR("near:", said); // one of them
    CHECK_HAS_STR("near_f32: array<f32, 4000>", kernel);
    CHECK_HAS_STR("storageBarrier();", kernel);
}

TEST(short_loops_become_one) {
    const char *const product = "for (int r = 0; r < 20; r++) {\n"
                                "for (int p = 0; p < 11; p++) for (int q = 0; q < 11; q++) {\n"
                                "float s = 0; for (int k = 0; k < 11; k++) s += a[p][k] * a[k][q]; b[p][q] = s; }\n"
                                "for (int p = 0; p < 11; p++) for (int q = 0; q < 11; q++) a[p][q] = b[p][q] * 0.1f;\n"
                                "}\nfor (int k = 0; k < 11; k++) y[i][k] = a[k][k];\n",
                      *const begin =
                          "for (int p = 0; p < 11; p++) for (int q = 0; q < 11; q++) a[p][q] = x[i][p + q];\n";
    char body[1200];
    snprintf(body, sizeof body, "%s%s", begin, product);
    const char *kernel = compiled(512, "float a[11][11], b[11][11];", body);
    CHECK_HAS_STR("share: 3 loops", said);
    CHECK_HAS_STR("near:", said);
    CHECK_HAS_STR("< 121;", kernel); // 11 * 11
}

// The nest around `a[p][q] += 1` becomes a loop of so many passes.
static bool becomes(int passes, const char *nest) {
    char body[1200], end[30];
    snprintf(body, sizeof body,
             "for (int p = 0; p < 20; p++) for (int q = 0; q < 20; q++) a[p][q] = x[i][p + q];\n"
             "for (int r = 0; r < 20; r++) %s\n for (int k = 0; k < 20; k++) y[i][k] = a[k][k];\n",
             nest);
    const char *kernel = compiled(512, "float a[20][20];", body);
    snprintf(end, sizeof end, "< %d;", passes);
    return strstr(said, "near:") && strstr(kernel, end);
}

TEST(rows_of_different_lengths_become_one_loop) {
#define ADD "a[p][q] += a[p][q] * 0.5f;"
    CHECK(becomes(361, "for (int p = 0; p < 19; p++) for (int q = p + 1; q < 20; q++) " ADD));
    CHECK(becomes(400, "for (int p = 19; p >= 0; p--) for (int q = p; q >= 0; q--) " ADD));
    CHECK(becomes(200, "for (int p = 0; p < 20; p++) for (int q = p % 2; q < 20; q += 2) " ADD));
    CHECK(becomes(54, "for (int p = 1; p < 19; p++) for (int q = p - 1; q <= p + 1; q++) " ADD));
    CHECK(becomes(400, "for (int p = 0; p < 20; p++) { int h = p / 2; for (int q = h; q < 20; q++) " ADD " }"));
    CHECK(!becomes(289, "for (int p = 0; p < 17; p++) for (int q = p; q < 17 - p; q++) " ADD)); // more than half idle
    CHECK(!becomes(400, "for (int p = 0; p < 20; p++) for (int q = 0; q < m[p] % 20; q++) " ADD));
    CHECK(!becomes(400, "for (int p = 0; p < 20; p++) { int h = p / 2, g = h; h = m[p] % 9; "
                        "for (int q = h; q < 20 - g; q++) " ADD " }"));
}

#define SUM "float s = 0; for (int k = 0; k < 128; k++) s += x[i][k] * a[(k + j) % 128];\n"

TEST(passes_of_each_iteration) {
    const char *kernel = compiled(512, "float a[128];",
                                  FILL "for (int j = m[i] & 3; j < (m[i] & 15); j++) {\n" SUM
                                       "if (s > 0) for (int k = 0; k < 128; k++) a[k] -= s;\n}\n" CORRELATE);
    CHECK_HAS_STR("near:", said);
    CHECK_HAS_STR("= whorl_most(li, ", kernel);
    CHECK(check_times("workgroupUniformLoad", kernel) >= 1);
    CHECK_HAS_STR("select(128, 0 + i32(lane), v", kernel); // no pass where the condition does not hold
}

// A loop that makes no pass may begin far beyond its end, where 32 bits do not hold how far.
TEST(passes_that_begin_beyond_the_end) {
    const char *kernel =
        compiled(512, "float a[128];",
                 FILL "for (int j = m[i] & 2147483647; j < (m[0] & 15) - (m[1] & 2147483647); j++) {\n" SUM
                      "for (int k = 0; k < 128; k++) a[k] -= s;\n}\n" CORRELATE);
    CHECK_HAS_STR("= whorl_most(li, ", kernel);
    CHECK_HAS_STR("_trips = max(", kernel);
}

#define PASSES(most)                                                                         \
    "for (int k = 0; k < 1000; k++) a[k] = x[i][k % 128];\n"                                 \
    "for (int j = 0; j < (m[i] & 255); j++) for (int q = 0; q < (m[i] & " most "); q++) {\n" \
    "float s = 0; for (int k = 0; k < 1000; k++) s += a[k] * a[(k + j) % 1000];\n"           \
    "for (int k = 0; k < 1000; k++) a[k] -= s;\n}\nfor (int k = 0; k < 128; k++) y[i][k] = a[k];\n"

// No lane could pause in them.
TEST(passes_of_too_many) {
    compiled(16, "float a[1000];", PASSES("15"));
    CHECK_HAS_STR("lanes:", said);
    compiled(16, "float a[1000];", PASSES("255"));
    CHECK(!strstr(said, "lanes:"));
}

TEST(passes_without_a_bound) {
    compiled(512, "float a[128];",
             FILL "for (int j = 0; j < m[i]; j++) {\n" SUM "for (int k = 0; k < 128; k++) a[k] -= s;\n}\n"
                  "for (int k = 0; k < 128; k++) y[i][k] = a[k];\n");
    CHECK(!strstr(said, "whorl_most"));
    CHECK(!strstr(said, "near:")); // no lane could pause in it
}

// Two loops in one another under a condition, and a loop that stores into a local array, are not shared as they stand:
// then it is as if nobody had asked.
TEST(asked_in_vain) {
    compiled(100, "",
             "if (m[i] > 0)\n#pragma omp simd\nfor (int j = 0; j < 12; j++) {\nfloat s = 5;\n"
             "#pragma omp simd reduction(+ : s)\nfor (int k = 0; k < 128; k++) s += x[i][k];\n"
             "y[i][j] = s; }\n");
    CHECK_HAS_STR("expand: lanes cannot share the `simd` loops of the loop at line 2 as they stand", said);
    CHECK_HAS_STR("lanes: an iteration of the loop at line 2", said);
    compiled(512, "float a[128];",
             FILL "for (int t = 0; t < m[i]; t++) {\n#pragma omp simd\nfor (int k = 0; k < 128; k++) {\nfloat s = 0;\n"
                  "for (int l = 0; l < 128; l++) s += a[l] * x[i][(k + l) % 128];\na[k] = s; } }\n"
                  "for (int k = 0; k < 128; k++) y[i][k] = a[k];\n");
    CHECK_HAS_STR("expand: lanes cannot share the `simd` loops", said);
    compiled(512, "float s = 0;",
             "#pragma omp simd reduction(+ : s)\nfor (int k = 0; k < 128; k++) s += x[i][k];\n"
             "y[i][0] = s;\n");
    CHECK(!strstr(said, "expand: lanes cannot"));
    CHECK_HAS_STR("lanes: an iteration of the loop at line 2", said);
}

TEST(searches_under_conditions) {
    const char *kernel = compiled(32, "int a[40], u = 0, v = 0;",
                                  "for (int k = 0; k < 40; k++) a[k] = (int)x[i][k];\n"
                                  "for (int j = m[i] & 3; j > 0; j--) {\n"
                                  "if (j % 3 != 2) for (int k = 0; k < 40; k++) {\n"
                                  "int t = a[(k * 3) % 40] & 2047; if (t >= u) { u = t; v = k; } }\n"
                                  "for (int k = 0; k < 40; k++) a[k] += v + j; }\n"
                                  "for (int l = 0; l < 40; l++) { int s = v; for (int k = 0; k < 40; k++)"
                                  " s += a[k] * a[(k + l) % 40]; y[i][l] = s; }\n");
    CHECK_HAS_STR("each of which has a best of its own", said);
    CHECK_HAS_STR("_place = (-2147483647 - 1);", kernel); // what each lane found it knows the place of
}

TEST(arrays_that_are_registers_stay_so) {
    compiled(16384, "float a[32], b[32];",
             "for (int k = 0; k < 32; k++) a[k] = x[i][k], b[k] = 1;\n"
             "for (int r = 0; r < 8; r++) for (int k = 1; k < 32; k++) b[k] = b[k - 1] * a[k] + r;\n"
             "for (int k = 0; k < 32; k++) b[k] /= a[0];\n"
             "for (int k = 0; k < 32; k++) y[i][k] = b[k];\n");
    CHECK(!strstr(said, "expand:"));
    CHECK_HAS_STR("became scalars", said);
}

// Arrays that are too short by themselves keep lanes from the loops that fill them, as data say where.
TEST(short_arrays_beside_long_ones) {
    compile("void f(int n, const unsigned p[2][n], unsigned out[2][128]) {\n"
            "#pragma omp parallel for\n"
            "for (int k = 0; k < 2; k++) {\nunsigned a[64], b[64], count[4], d[28];\n"
            "for (int i = 0; i < 64; i++) a[i] = p[k][i], b[i] = 1u;\n"
            "for (int i = 1; i < 64; i++) b[i] += b[i - 1] * 3u;\n"
            "for (int i = 0; i < 4; i++) count[i] = 0;\n"
            "for (int i = 0; i < 28; i++) d[i] = i;\n"
            "for (int i = 0; i < 32; i++) count[a[i] % 4u] += i;\n"
            "for (int i = 0; i < 28; i++) { unsigned q = 0u;\n"
            "for (int j = 0; j < 60; j++) q += a[(i + j) % 64] * a[(j + 1) % 64]; d[i] ^= q; }\n"
            "out[k][0] = d[count[0] % 28u] + b[63];\n}\n}\n",
            64);
    CHECK_HAS_STR("expand: the local arrays of the loop at line 2 are in memory", said);
    CHECK_HAS_STR("share: 4 loops", said);
}

// Stages of a transform, whatever the iterations sum up.
TEST(stages_in_a_loop_that_reduces) {
    compile(
        "void f(int n, const float x[n][128], float y[n]) {\nfloat total = 0;\n"
        "#pragma omp parallel for reduction(+ : total)\n"
        "for (int i = 0; i < n; i++) {\nfloat a[128];\n"
        "for (int k = 0; k < 128; k++) a[k] = x[i][k];\n"
        "for (int len = 2; len <= 128; len *= 2)\n"
        "for (int g = 0; g < 128; g += len)\n"
        "for (int k = g; k < g + len / 2; k++) { float c = a[k + len / 2]; a[k + len / 2] = a[k] - c; a[k] += c; }\n"
        "for (int k = 0; k < 128; k++) total += a[k] * a[k];\n}\ny[0] = total;\n}\n",
        512);
    CHECK_HAS_STR("lanes: an iteration of the loop at line 3 runs on", said);
}

// More lanes than passes, so that the arrays have room: while these do not take places from others.
// Who updates an array by atomics has done so before the next loop.
TEST(updates_of_another_loop) {
    static const char form[] = "void f(int n, const int x[n], int y[n][128]) {\n"
                               "#pragma omp parallel for\n"
                               "for (int i = 0; i < n; i++) {\n#pragma omp atomic\ny[x[i]][i %% 128] += 1;\n}\n"
                               "#pragma omp parallel for\n"
                               "for (int i = 0; i < n; i++) {\nint a[128], s = 0;\n"
                               "for (int k = 0; k < 128; k++) a[k] = y[i][k];\n"
                               "for (int k = 0; k < 128; k++) y[i][k] = a[127 - k];\n%s}\n}\n",
                      update[] = "#pragma omp atomic\ny[x[i]][3] += 1;\n";
    char text[1000];
    snprintf(text, sizeof text, form, "");
    CHECK(compile(text, 512));
    CHECK_HAS_STR("lanes: an iteration of the loop at line 7", said);
    snprintf(text, sizeof text, form, update); // in the same one
    CHECK(compile(text, 512));
    CHECK(!strstr(said, "lanes: an iteration of the loop at line 7"));
}

TEST(lanes_without_a_pass) {
#define FEW_PASSES                                                                                                     \
    "for (int g = 0; g < 16; g++) { float v = x[i][g]; for (int k = 0; k < 38; k++) a[38 * g + k] = v = v * "          \
    "0.5f + k; }\n"                                                                                                    \
    "for (int g = 0; g < 16; g++) { float s = 0; for (int k = 0; k < 600; k++) s = s * 0.5f + a[(k * 7 + g) % 608];\n" \
    " y[i][g] = s; }\n"
    compiled(512, "float a[608];", FEW_PASSES);
    CHECK_HAS_STR("runs on 32 lanes", said);
    CHECK_HAS_STR("near:", said);
    compiled(4096, "float a[608];", FEW_PASSES); // which all the lanes that have passes keep busy
    CHECK(!strstr(said, "near:"));
}

// A short array in which an element is chosen under a condition, which lanes would have to leave to one of them: in
// memory it would keep them from all others.
TEST(short_arrays_in_the_way) {
    compile("void f(int n, const unsigned p[2][n], unsigned out[2][128]) {\n"
            "#pragma omp parallel for\n"
            "for (int k = 0; k < 2; k++) {\nunsigned a[64], count[7], at[31], s = k;\n"
            "for (int i = 0; i < 64; i++) a[i] = p[k][(i * 7) % n] ^ (unsigned)(i * k);\n"
            "for (int i = 0; i < 7; i++) count[i] = 0;\n"
            "for (int i = 0; i < 31; i++) at[i] = p[k][i] % 9;\n"
            "if (s % 2u == 0u) { unsigned t = at[s % 31u]; at[s % 31u] = at[0]; at[0] = t; }\n"
            "for (int i = 0; i < 32; i++) count[p[k][i] % 7u] += i;\n"
            "for (int r = 0; r < 2; r++) for (int len = 2; len <= 16; len *= 2)\n"
            "for (int m = 0; m < 8; m++) { int h = len / 2, l = m / h * len + m % h;\n"
            "unsigned u = a[l], v = a[l + h] * (m % h + 1); a[l] = u + v; a[l + h] = u - v; }\n"
            "for (int i = 0; i < 128; i++) out[k][i] = a[i % 64] + count[i % 7] + at[i % 31];\n}\n}\n",
            64);
    CHECK_HAS_STR("lanes: an iteration of the loop at line 2 runs on", said);
}

// Without lanes, what an invocation has no room for stays in memory, neighbouring iterations side by side; rows whose
// elements data choose stay together.
TEST(more_than_an_invocation_has) {
#define LOCALS "float a[25][25], b[25][25];"
#define FILLED                                                                                                  \
    "for (int k = 0; k < 25; k++) for (int l = 0; l < 25; l++) { a[k][l] = x[i][k] * l; b[l][k] = a[k][l]; }\n" \
    "for (int k = 0; k < 25; k++) for (int l = 0; l < 25; l++) y[i][k] += a[l][k] * b[k][24 - l] * x[i][l];\n"
    const char *kernel = compiled(33000, LOCALS, FILLED);
    CHECK_HAS_STR("expand: the local arrays of the loop at line 2", said);
    CHECK_HAS_STR("* 33000u + u32(v1_i)]", kernel);
    CHECK_HAS_STR("* 33000u + u32(v1_i) + 825000u]", kernel); // a row further: 25 x 33,000
    kernel = compiled(33000, LOCALS, FILLED "y[i][0] = a[m[i] & 15][3] + b[m[i] & 7][1];");
    CHECK_HAS_STR("expand: the local arrays of the loop at line 2", said);
    CHECK_HAS_STR("u32(v1_i) * 625u", kernel);
    CHECK(!strstr(kernel, "33000u"));
}
