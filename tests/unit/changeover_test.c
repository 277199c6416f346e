// Compiled programs that change over on their way (src/run/auto/trial.c): what one of the two forms alone writes,
// partial results of sums, is no sign of other bits, though it shares a buffer with arrays of the program.
#include "cached_device.h"
#include "plan/program.h"
#include "run/execute/grid.h"

// More arrays than a kernel binds, so that the smallest are packed; `kept` lives from step to step.
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
static double now;
static unsigned asked;
static double clock_of_test(void) { // single takes 2 s, its parts 1 s
    now += asked % 4 == 1 ? 2 : asked % 4 == 3 ? 1 : 0;
    asked++;
    return now;
}

static float data[6][4 * N], sums[STEPS];
static void *arrays[2 + ARRAYS] = {NULL, NULL, data[0], data[1], data[2], data[3], data[4], data[5], sums};
static const size_t sizes[2 + ARRAYS] = {0, 0, BYTES, BYTES, BYTES, BYTES, BYTES, BYTES, sizeof sums};

static whorl_program *compiled(void) {
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar scalars[] = {{"n", N}, {"steps", STEPS}};
    whorl_program *program;
    options.scalars = scalars;
    options.scalar_count = 2;
    if (whorl_compile("changeover.c", text, &options, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    return program;
}

TEST(partial_results_belong_to_one_form) {
    whorl_program *program = compiled();
    uint32_t partial = 0, kept = 0, among = 0;
    for (uint32_t i = 0; i < program->plan->array_count; i++) {
        const struct plan_array *a = &program->plan->arrays[i];
        CHECK(!a->one_form || a->kind == PLAN_SCRATCH);
        if (!a->one_form) continue;
        CHECK_HAS_STR("partial", a->name);
        partial++;
        for (uint32_t k = 0; k < program->plan->array_count; k++)
            among += program->plan->arrays[k].buffer == a->buffer && program->plan->arrays[k].kind == PLAN_INOUT;
    }
    for (uint32_t i = 0; i < program->plan->array_count; i++) {
        const struct plan_array *a = &program->plan->arrays[i];
        kept += strcmp(a->name, "kept") == 0 && !a->one_form;
    }
    CHECK(partial >= 2 && among >= 1);
    CHECK_EQ_INT(1, kept);
    whorl_program_destroy(program);
}

TEST(a_run_with_partial_results_changes_over) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    whorl_program *program = compiled();
    whorl_device *device;
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (uint32_t trial = 1; trial <= 4; trial++) {
        for (int i = 0; i < 4 * N; i++)
            for (int k = 0; k < 6; k++)
                data[k][i] = (float)((i * 37 + k * 11) % 64);
        base_heap_free(device->choices);
        device->choices = NULL;
        run_choices_forget(device);
        device->grid_test = (struct run_grid_test){.trial = trial, .clock_s = clock_of_test};
        asked = 0;
        options.groups = 1;
        options.slice_ticks = 3;
        if (whorl_run(device, program, arrays, sizes, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        CHECK_HAS_STR("steps: measured by a run", stats.note);
        CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    }
    whorl_device_destroy(device);
    drop_cache();
    whorl_program_destroy(program);
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
