// How far a compiled program is, as progress tells it.
#include "cached_device.h"

static const char text[] =
    "#include <stdlib.h>\n"
    "void f(int n, int steps, float a[4 * n], float b[4 * n], float c[4 * n], float d[4 * n], float e[4 * n],\n"
    "       float g[4 * n], float sums[steps]) {\n"
    "    float *kept = malloc(4 * n * sizeof *kept);\n"
    "    for (int t = 0; t < steps; t++) {\n"
    "        float sum = 0.0f;\n"
    "#pragma omp parallel for reduction(+ : sum)\n"
    "        for (int i = 0; i < n; i++) sum += a[i];\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) {\n"
    "            kept[i] = b[(i + 1) % n] + 0.25f * sum; c[i] += 1.0f; d[i] += c[i]; e[i] += d[i]; g[i] = e[i];\n"
    "        }\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) { b[i] = 0.5f * kept[(i + 3) % n]; a[i] = 0.125f * b[i] + t; }\n"
    "        sums[t] = sum;\n"
    "    }\n"
    "    free(kept);\n"
    "}\n";

enum { N = 96, BYTES = 4 * N * 4, STEPS = 24, ARRAYS = 7 };
static float data[6][4 * N], sums[STEPS];
static void *arrays[2 + ARRAYS] = {NULL, NULL, data[0], data[1], data[2], data[3], data[4], data[5], sums};
static const size_t sizes[2 + ARRAYS] = {0, 0, BYTES, BYTES, BYTES, BYTES, BYTES, BYTES, sizeof sums};

static whorl_program *compiled(void) {
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar scalars[] = {{"n", N}, {"steps", STEPS}};
    whorl_program *program;
    options.scalars = scalars;
    options.scalar_count = 2;
    options.pass_off = "confine"; // so that its steps wait for each other
    if (whorl_compile("progress.c", text, &options, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    return program;
}

// Where it was when it was stopped, and on from there: not at its end because a kernel counts passes and not
// iterations.
static double told;
static bool stop(void *user, const struct whorl_progress *p) {
    (void)user;
    told = p->fraction;
    return false;
}

TEST(progress_goes_on_where_it_was) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    whorl_program *program = compiled();
    whorl_device *device;
    char path[128];
    int part = 0;
    make_cache();
    snprintf(path, sizeof path, "%s/run.ckpt", cache);
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    options.strategy = WHORL_SINGLE;
    options.groups = 1;
    options.slice_ticks = 3;
    options.checkpoint = path;
    options.progress = stop;
    while (whorl_run(device, program, arrays, sizes, &options, &stats, &err) == WHORL_CANCELLED && ++part <= STEPS) {
        if (told < 2.9 / STEPS * part || told > 3.1 / STEPS * part) FAIL("part %d ends at %g", part, told);
        options.resume = path;
    }
    CHECK_EQ_INT(WHORL_OK, err.status);
    CHECK(part >= STEPS / 3 - 1 && part <= STEPS / 3);
    whorl_device_destroy(device);
    drop_cache();
    whorl_program_destroy(program);
}
