// whorl_program_work: counts by hand of small programs, exact and estimated, and the line that explain has of them.
#include "whorl.h"

#include "check.h"

static struct whorl_work work;
static double buffer_bytes;
static char explained[4096];

static bool count(const char *text) {
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar scalars[] = {{"n", 64}};
    struct whorl_error err;
    whorl_program *program;
    options.scalars = scalars;
    options.scalar_count = 1;
    if (whorl_compile("work.c", text, &options, &program, &err) != WHORL_OK) return false;
    bool known = whorl_program_work(program, &work);
    buffer_bytes = whorl_program_buffer_bytes(program);
    snprintf(explained, sizeof explained, "%s", whorl_program_text(program, WHORL_TEXT_EXPLAIN));
    whorl_program_destroy(program);
    return known;
}

TEST(subscripts_are_free) {
    CHECK(count("#include <math.h>\nvoid f(int n, const float x[n], float y[n]) {\n#pragma omp parallel for\n"
                "for (int i = 0; i < n; i++) y[i] = 2.0f * x[(i + 3) % n] - sinf(x[i]); }\n"));
    CHECK(work.is_exact);
    CHECK_EQ_INT(2 * 64, (int)work.float_ops);
    CHECK_EQ_INT(64, (int)work.functions);
    CHECK_EQ_INT(0, (int)work.integer_ops);
    CHECK_EQ_INT(2 * 64 * 4, (int)work.bytes);
    CHECK(strstr(explained, "work of a run: 128 operations on floats, 64 functions of math.h, 512 bytes of arrays\n"));
}

TEST(triangles_are_exact) {
    CHECK(
        count("void f(int n, float y[n]) {\n#pragma omp parallel for\n"
              "for (int i = 0; i < n; i++) { float s = 0.0f; for (int j = 0; j < i; j++) s += 1.5f; y[i] = s; } }\n"));
    CHECK(work.is_exact);
    CHECK_EQ_INT(64 * 63 / 2, (int)work.float_ops);
}

TEST(a_phase_moves_its_arrays_each_time) {
    CHECK(count("void f(int n, float x[n], float y[n]) {\nfor (int t = 0; t < 10; t++) {\n#pragma omp parallel for\n"
                "for (int i = 0; i < n; i++) y[i] = x[(i + 1) % n] + 1.0f;\n#pragma omp parallel for\n"
                "for (int i = 0; i < n; i++) x[i] = y[(i + 1) % n]; } }\n"));
    CHECK_EQ_INT(10 * 64, (int)work.float_ops);
    CHECK_EQ_INT((2 + 4) * 2 * 64 * 4, (int)work.bytes); // 16 of 20 phases become 2 (pass_compose)
}

TEST(what_data_decide_is_an_estimate) {
    CHECK(count("void f(int n, float y[n]) {\n#pragma omp parallel for\n"
                "for (int i = 0; i < n; i++) { if (y[i] > 0.0f) y[i] = y[i] * 3.0f + 1.0f; else y[i] += 1.0f; } }\n"));
    CHECK(!work.is_exact);
    CHECK_EQ_INT(2 * 64, (int)work.float_ops); // the longer branch
    CHECK(count("void f(int n, unsigned y[n]) {\n#pragma omp parallel for\n"
                "for (int i = 0; i < n; i++) while (y[i] != 1u) y[i] = y[i] % 2u ? 3u * y[i] + 1u : y[i] / 2u; }\n"));
    CHECK(!work.is_exact);
    CHECK(strstr(explained, "(at least; data decide about the rest)"));
}

// Arrays of the caller's, one that the program makes, and one that is too large for an iteration of its own.
TEST(all_buffers_are_counted) {
    CHECK(count("void f(int n, float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = 1.0f; }\n"));
    CHECK_EQ_INT(64 * 4, (int)buffer_bytes);
    CHECK(count("#include <stdlib.h>\nvoid f(int n, float x[n]) {\nfloat *y = malloc(1000 * n * sizeof *y);\n"
                "for (int t = 0; t < 9; t++) {\n#pragma omp parallel for\nfor (int i = 0; i < 1000 * n; i++)\n"
                "y[i] = x[i % n] + t;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = y[999 * i]; }\n"
                "free(y); }\n"));
    CHECK(buffer_bytes >= 64 * 4 + 64000 * 4);
    CHECK(count(
        "void f(int n, int x[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\nint own[8192];\n"
        "for (int k = 0; k < 8192; k++) own[k] = x[i] + k;\nfor (int k = 0; k < 50; k++) x[i] = own[(x[i] * 5 + k) "
        "& 8191]; } }\n"));
    CHECK(strstr(explained, "stand in a buffer"));
    CHECK(buffer_bytes >= 64 * 4 + 64.0 * 8192 * 4);
}
