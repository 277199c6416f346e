// How often a run waits for words of the device: once for each value that they have.
#include "check.h"
#include "run/device/gpu.h"
#include "run/execute/execute.h"

static whorl_device *the_device(void) {
    static whorl_device *device;
    static struct whorl_error why;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    if (!device && !why.message[0]) (void)whorl_device_open(&options, &device, &why);
    if (!device) SKIP("no GPU: %s", why.message);
    return device;
}

enum { N = 300, STEPS = 10 };
static int32_t a[N], length[STEPS];

// Submits of a run of `steps` with these statements in each step; a and length have its results.
static uint64_t submits(const char *step) {
    char text[1500];
    snprintf(text, sizeof text,
             "void f(int n, int steps, int a[n], int length[steps]) {\n"
             "int len = n, same = a[0] + 5;\n"
             "for (int t = 0; t < steps; t++) {\n%s\nlength[t] = len;\n}\n}\n",
             step);
    struct whorl_scalar scalars[] = {{"n", N}, {"steps", STEPS}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = 2;
    whorl_program *program;
    struct whorl_error err;
    struct whorl_stats stats;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    for (int i = 0; i < N; i++)
        a[i] = i;
    memset(length, 0, sizeof length);
    void *arrays[] = {NULL, NULL, a, length}; // by parameter
    size_t sizes[] = {0, 0, sizeof a, sizeof length};
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_STEPS;
    options.slice_ms = -1; // else a busy machine cuts them into slices
    if (whorl_run(the_device(), program, arrays, sizes, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    whorl_program_destroy(program);
    return stats.submits;
}

#define UP_TO(bound) "\n#pragma omp parallel for\nfor (int i = 0; i < " bound "; i++) a[i] "
#define LESS "len -= a[len - 1] % 3 + 1;"

// The program's results, made here: every step adds `add` to the first elements.
static void expect(int add) {
    int32_t want[N], len = N;
    for (int i = 0; i < N; i++)
        want[i] = i;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < len; i++)
            want[i] += add;
        len -= want[len - 1] % 3 + 1;
        CHECK_EQ_INT(len, length[t]);
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ_INT(want[i], a[i]);
}

TEST(loops_up_to_the_same_bound_wait_once) {
    CHECK_EQ_INT(1 + STEPS, submits(UP_TO("len") "+= 1;" LESS));
    expect(1);
    CHECK_EQ_INT(1 + STEPS, submits(UP_TO("len") "+= i;" UP_TO("len") "+= 2 - i;" LESS));
    expect(2);
    CHECK_EQ_INT(1 + STEPS, submits(UP_TO("len - 1") "+= i;" UP_TO("(len + 1) / 2") "+= i; a[len - 1] += 3;" //
                                    UP_TO("(len + 1) / 2") "-= i;" UP_TO("len - 1") "+= 3 - i;" LESS));
    expect(3);
}

TEST(other_words_may_change) {
    CHECK_EQ_INT(1 + STEPS, submits(UP_TO("len") "+= i; int k = a[3] - a[2]; int m = k * 0;" //
                                    UP_TO("len") "+= 4 + m - i; " LESS));
    expect(4);
}

TEST(what_stays_is_read_once) {
    CHECK_EQ_INT(2, submits(UP_TO("same") "+= 1; a[9] += 1;" UP_TO("same") "+= 1; len--;"));
    CHECK_EQ_INT(2 * STEPS + 1, submits(UP_TO("len") "+= 1; len--;" UP_TO("len") "+= 1; len--;"));
    for (int t = 0; t < STEPS; t++)
        CHECK_EQ_INT(N - 2 * (t + 1), length[t]);
}

// A while that is not run may have counts that make no sense; nothing is known in its first pass.
TEST(whiles_look_first) {
    CHECK_EQ_INT(2 * STEPS + 1, submits(UP_TO("len") "+= i; int left = len - 1000;\n"
                                                     "while (left > 0) {\n"
                                                     "#pragma omp parallel for\n"
                                                     "for (int i = 0; i < len * 100000000; i++)\n"
                                                     "if (i < len) a[i] += 1;\n"
                                                     "left -= a[5] + 1; }" UP_TO("len") "+= 5 - i;" LESS));
    expect(5);
}
