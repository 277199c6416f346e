// Plans written by hand on whatever GPU there is.
#include "check.h"
#include "run/gpu.h"
#include "run/handmade.h"

// One device for all tests of the file: opening takes a while on a software GPU.
static whorl_device *the_device(void) {
    static whorl_device *device;
    static struct whorl_error err;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    if (!device && !err.message[0])
        (void)whorl_device_open(&options, &device, &err);
    if (!device)
        SKIP("no GPU: %s", err.message);
    return device;
}

static struct handmade h;
static struct whorl_error err;
static struct whorl_stats stats;

static enum whorl_status run1(void *data, size_t size, const struct whorl_run_options *options) {
    void *arrays[] = {data};
    size_t sizes[] = {size};
    return whorl_run(the_device(), &h.program, arrays, sizes, options, &stats, &err);
}

#define CHECK_OK(call)                                                                                                 \
    do {                                                                                                               \
        if ((call) != WHORL_OK)                                                                                        \
            FAIL("%s", err.message);                                                                                   \
    } while (0)

TEST(vectors_are_added) {
    enum { N = 1000 };
    float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i) + 0.5f;
        c[i] = 0;
    }
    handmade_add(&h, N);
    void *arrays[] = {a, b, c};
    size_t sizes[] = {sizeof a, sizeof b, sizeof c};
    CHECK_OK(whorl_run(the_device(), &h.program, arrays, sizes, NULL, &stats, &err));
    for (int i = 0; i < N; i++)
        CHECK(c[i] == a[i] + b[i]);
    CHECK_EQ_INT(1, stats.dispatches);
    CHECK_EQ_INT(1, stats.submits);
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    CHECK_EQ_STR("same plan as steps", stats.note);
    CHECK_EQ_INT(sizeof a * 3, stats.bytes_uploaded);
    CHECK_EQ_INT(sizeof c, stats.bytes_downloaded);
    handmade_end(&h);
}

static void fill(uint32_t *xs, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        xs[i] = i * 7919u;
}

static uint32_t expected_loop(uint32_t i, uint32_t t) {
    uint32_t x = i * 7919u;
    for (uint32_t k = 0; k < t; k++)
        x = x * 1664525u + 1013904223u + k;
    return x;
}

static void check_loop(uint32_t n, uint32_t t, const struct whorl_run_options *options, uint64_t dispatches) {
    uint32_t xs[1000];
    fill(xs, n);
    handmade_loop(&h, n, t);
    CHECK_OK(run1(xs, n * 4, options));
    for (uint32_t i = 0; i < n; i++)
        if (xs[i] != expected_loop(i, t))
            FAIL("element %u is wrong", i);
    if (dispatches)
        CHECK_EQ_INT(dispatches, stats.dispatches);
    handmade_end(&h);
}

TEST(a_loop_is_one_dispatch) {
    check_loop(1000, 500, NULL, 1);
}

TEST(slices_do_not_change_results) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.slice_iterations = 300;
    check_loop(1000, 50, &options, 4);
    options.slice_iterations = 1;
    check_loop(20, 50, &options, 20);
    options.slice_iterations = 0;
    options.slice_ticks = 7;
    check_loop(1000, 50, &options, 8);
    options.slice_ticks = 1;
    check_loop(100, 20, &options, 20);
    options.slice_iterations = 33;
    options.slice_ticks = 11;
    check_loop(100, 20, &options, 4 * 2);
}

TEST(slices_follow_the_clock) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.slice_ms = 5;
    check_loop(1000, 200000, &options, 0);
    CHECK(stats.dispatches > 1);
}

TEST(steps_run_in_one_submit_and_eager_in_many) {
    enum { N = 300, STEPS = 20 };
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    for (int eager = 0; eager < 2; eager++) {
        uint32_t x[N];
        fill(x, N);
        handmade_steps(&h, N, STEPS);
        options.strategy = eager ? WHORL_EAGER : WHORL_SINGLE;
        CHECK_OK(run1(x, sizeof x, &options));
        for (uint32_t i = 0; i < N; i++) {
            uint32_t want = i * 7919u;
            for (uint32_t t = 0; t < STEPS; t++)
                want = (want + t) ^ t;
            CHECK_EQ_INT(want, x[i]);
        }
        CHECK_EQ_INT(2 * STEPS, stats.dispatches);
        CHECK_EQ_INT(eager ? 2 * STEPS : 1, stats.submits);
        CHECK_EQ_INT(!eager, stats.fell_back);
        CHECK_EQ_INT(eager ? WHORL_EAGER : WHORL_STEPS, stats.strategy);
        CHECK_EQ_STR(eager ? "" : "written by hand without one", stats.note);
        handmade_end(&h);
    }
}
