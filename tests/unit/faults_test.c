// From C text to results with every allocation failing once, and every WebGPU call of the run: each time a clean error
// and the caller's arrays as they were, or the right results. Leaks are AddressSanitizer's to find.
#include "base/base.h"
#include "cached_device.h"
#include "check.h"
#include "run/device/gpu.h"

// Fuses, reduces, has scratch, a struct, a helper, a table, a second kernel and a resume point: most of the compiler
// takes part.
static const char text[] =
    "#include <math.h>\n"
    "#include <stdint.h>\n"
    "struct pair { float a, b; };\n"
    "static const float table[3] = {0.5f, 1.5f, 2.5f};\n"
    "static float mix(struct pair p, const float *row) { return fmaxf(p.a * row[0], p.b); }\n"
    "void f(int n, int steps, const float x[n][2], const uint8_t k[n], float y[n], float total[1]) {\n"
    "    struct pair s[n];\n"
    "    float sum = 0.0f;\n"
    "#pragma omp parallel for\n"
    "    for (int i = 0; i < n; i++)\n"
    "        s[i] = (struct pair){x[i][1], table[k[i] % 3]};\n"
    "    for (int t = 0; t < steps; t++) {\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++)\n"
    "            s[i].a = fminf(mix(s[i], x[i]) + 1.0f, 8.0f);\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++)\n"
    "            y[i] += s[i].a;\n"
    "    }\n"
    "#pragma omp parallel for reduction(+:sum)\n"
    "    for (int i = 0; i < n; i++)\n"
    "        sum += y[n - 1 - i];\n"
    "    total[0] = sum;\n"
    "}\n";
enum { N = 40, STEPS = 6 };
static float x[N][2], y[N], total[1], want_y[N], want_total;
static uint8_t k[N];

static void fill(void) {
    for (int i = 0; i < N; i++) {
        x[i][0] = (float)(i % 3) * 0.5f;
        x[i][1] = (float)(i % 5);
        k[i] = (uint8_t)(i * 7);
        y[i] = (float)i;
    }
    total[0] = -1;
}

// The program once more, by hand.
static void expect(void) {
    static const float table[3] = {0.5f, 1.5f, 2.5f};
    fill();
    want_total = 0;
    for (int i = 0; i < N; i++) {
        float a = x[i][1], b = table[k[i] % 3];
        want_y[i] = y[i];
        for (int t = 0; t < STEPS; t++) {
            a = fminf(fmaxf(a * x[i][0], b) + 1.0f, 8.0f);
            want_y[i] += a;
        }
        want_total += want_y[i];
    }
}

static enum whorl_status compile(whorl_program **out) {
    const struct whorl_scalar scalars[] = {{"n", N}, {"steps", STEPS}};
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    options.scalars = scalars;
    options.scalar_count = 2;
    return whorl_compile("faults.c", text, &options, out, &err);
}

static enum whorl_status run(whorl_device *device, const whorl_program *program, enum whorl_strategy strategy,
                             bool slices) {
    void *arrays[] = {NULL, NULL, x, k, y, total};
    const size_t sizes[] = {0, 0, sizeof x, sizeof k, sizeof y, sizeof total};
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = strategy;
    if (slices) {
        options.slice_iterations = 15;
        options.slice_ticks = 4;
    }
    fill();
    memset(&err, 0, sizeof err);
    return whorl_run(device, program, arrays, sizes, &options, NULL, &err);
}

// What the arrays hold fits the status: results, or what was there before.
static void check_outcome(enum whorl_status status) {
    if (status == WHORL_OK) {
        for (int i = 0; i < N; i++)
            CHECK(y[i] == want_y[i]);
        CHECK(total[0] == want_total);
        return;
    }
    CHECK(err.status == status && err.message[0] != 0);
    for (int i = 0; i < N; i++)
        CHECK(y[i] == (float)i);
    CHECK(total[0] == -1.0f);
}

TEST(every_allocation_of_a_compile_fails_once) {
    whorl_program *program = NULL;
    CHECK_EQ_INT(WHORL_OK, compile(&program));
    whorl_program_destroy(program);
    (void)base_heap_fail_at(0);
    CHECK_EQ_INT(WHORL_OK, compile(&program));
    uint64_t calls = base_heap_fail_at(0);
    whorl_program_destroy(program);
    CHECK(calls > 5);
    for (uint64_t n = 1; n <= calls; n++) {
        (void)base_heap_fail_at(n);
        program = NULL;
        enum whorl_status status = compile(&program);
        (void)base_heap_fail_at(0);
        CHECK_EQ_INT(WHORL_MEMORY, status);
        CHECK(!program && err.message[0] != 0);
    }
}

TEST(every_allocation_of_an_error_message_fails_once) {
    static const char wrong[] = "void f(int n, float x[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; "
                                "i++)\n        x[i] = undeclared;\n}\n";
    const struct whorl_scalar scalars[] = {{"n", 4}};
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    options.scalars = scalars;
    options.scalar_count = 1;
    whorl_program *program = NULL;
    (void)base_heap_fail_at(0);
    CHECK_EQ_INT(WHORL_SOURCE, whorl_compile("wrong.c", wrong, &options, &program, &err));
    uint64_t calls = base_heap_fail_at(0);
    for (uint64_t n = 1; n <= calls; n++) {
        (void)base_heap_fail_at(n);
        enum whorl_status status = whorl_compile("wrong.c", wrong, &options, &program, &err);
        (void)base_heap_fail_at(0);
        CHECK(status == WHORL_MEMORY || status == WHORL_SOURCE);
        CHECK(!program && err.message[0] != 0);
    }
}

static void fail_allocations(const char *select, enum whorl_strategy strategy, bool slices) {
    make_cache();
    expect();
    whorl_program *program = NULL;
    whorl_device *device = NULL;
    CHECK_EQ_INT(WHORL_OK, compile(&program));
    if (open_device(select, false, &device) != WHORL_OK) SKIP("no %s device: %s", select, err.message);
    (void)base_heap_fail_at(0);
    enum whorl_status status = run(device, program, strategy, slices); // and fills caches
    check_outcome(status);
    CHECK_EQ_INT(WHORL_OK, status);
    whorl_device_destroy(device);
    uint64_t failed = 0;
    for (uint64_t n = 1;;
         n++) { // a device of its own each: what the one before has cached would not be allocated again
        CHECK_EQ_INT(WHORL_OK, open_device(select, false, &device));
        (void)base_heap_fail_at(n);
        status = run(device, program, strategy, slices);
        bool fired = base_heap_fail_at(0) >= n;
        check_outcome(status);
        whorl_device_destroy(device);
        failed += status != WHORL_OK;
        if (!fired) break;
        CHECK(status == WHORL_OK || status == WHORL_MEMORY);
    }
    CHECK(failed > 0);
    whorl_program_destroy(program);
    drop_cache();
}

TEST(every_allocation_of_a_cpu_run_fails_once) { fail_allocations("cpu", WHORL_CPU, false); }

TEST(every_allocation_of_single_fails_once) { fail_allocations("gpu", WHORL_SINGLE, true); }

TEST(every_allocation_of_eager_fails_once) { fail_allocations("gpu", WHORL_EAGER, false); }

TEST(every_webgpu_call_of_a_run_fails_once) {
    make_cache();
    expect();
    whorl_program *program = NULL;
    whorl_device *device = NULL;
    CHECK_EQ_INT(WHORL_OK, compile(&program));
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    static const struct {
        enum whorl_strategy strategy;
        bool slices;
    } ways[] = {{WHORL_SINGLE, true}, {WHORL_STEPS, false}, {WHORL_EAGER, false}};
    for (int w = 0; w < 3; w++) {
        (void)run_gpu_fail_at(0);
        enum whorl_status status = run(device, program, ways[w].strategy, ways[w].slices);
        check_outcome(status);
        CHECK_EQ_INT(WHORL_OK, status);
        uint64_t calls = run_gpu_fail_at(0), failed = 0;
        CHECK(calls > 10);
        for (uint64_t n = 1; n <= calls; n++) {
            (void)run_gpu_fail_at(n);
            status = run(device, program, ways[w].strategy, ways[w].slices);
            (void)run_gpu_fail_at(0);
            check_outcome(status);
            failed += status != WHORL_OK;
        }
        CHECK(failed > 0);
        CHECK_EQ_INT(WHORL_OK, run(device, program, ways[w].strategy, ways[w].slices)); // the device is well
    }
    whorl_program_destroy(program);
    whorl_device_destroy(device);
    drop_cache();
}
