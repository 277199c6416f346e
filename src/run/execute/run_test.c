// Plans written by hand on whatever GPU there is.
#include "check.h"
#include "run/device/gpu.h"
#include "run/execute/handmade.h"

// One device for all tests of the file: opening takes a while on a software GPU.
static whorl_device *the_device(void) {
    static whorl_device *device;
    static struct whorl_error err;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    if (!device && !err.message[0]) (void)whorl_device_open(&options, &device, &err);
    if (!device) SKIP("no GPU: %s", err.message);
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

#define CHECK_OK(call)                                   \
    do {                                                 \
        if ((call) != WHORL_OK) FAIL("%s", err.message); \
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
        if (xs[i] != expected_loop(i, t)) FAIL("element %u is wrong", i);
    if (dispatches) CHECK_EQ_INT(dispatches, stats.dispatches);
    handmade_end(&h);
}

TEST(a_loop_is_one_dispatch) { check_loop(1000, 500, NULL, 1); }

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

TEST(loops_longer_than_a_drivers_cap_are_right) { check_loop(100, 200000, NULL, 0); }

TEST(a_cut_dispatch_starts_over_with_smaller_slices) {
    enum { N = 1000 };
    uint32_t xs[N] = {0};
    handmade_cut(&h, N, 300);
    CHECK_OK(run1(xs, sizeof xs, NULL));
    for (int i = 0; i < N; i++)
        CHECK_EQ_INT(1, xs[i]);
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    CHECK(!stats.fell_back);
    CHECK_EQ_INT(1 + 4, stats.dispatches);
    handmade_end(&h);
}

TEST(what_is_always_cut_falls_back_to_steps) {
    enum { N = 1000 };
    uint32_t xs[N] = {0};
    handmade_cut(&h, N, 0);
    CHECK_OK(run1(xs, sizeof xs, NULL));
    for (int i = 0; i < N; i++)
        CHECK_EQ_INT(1, xs[i]);
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    CHECK(stats.fell_back);
    CHECK_HAS_STR("short", stats.note);
    h.plan.steps.exists = false;
    xs[0] = 77;
    CHECK_EQ_INT(WHORL_DEVICE, run1(xs, sizeof xs, NULL));
    CHECK_HAS_STR("cut a loop", err.message);
    CHECK_EQ_INT(77, xs[0]); // outputs stay as they were
    handmade_end(&h);
}

TEST(sessions_repeat_without_new_kernels) {
    enum { N = 200, STEPS = 7, CALLS = 5 };
    uint32_t x[N];
    struct whorl_session *session;
    fill(x, N);
    handmade_steps(&h, N, STEPS);
    CHECK_OK(whorl_session_create(the_device(), &h.program, WHORL_STEPS, &session, &err));
    CHECK_OK(whorl_session_write(session, 0, x, sizeof x, &err));
    CHECK_OK(whorl_session_run(session, 1, NULL, &stats, &err));
    (void)base_heap_fail_at(0);
    CHECK_OK(whorl_session_run(session, CALLS - 1, NULL, &stats, &err));
    CHECK_EQ_INT(0, base_heap_fail_at(0)); // nothing is allocated on the repeat path
    CHECK_EQ_INT(2 * STEPS * (CALLS - 1), stats.dispatches);
    CHECK_EQ_INT(1, stats.submits);
    CHECK(stats.pipeline_ms == 0);
    CHECK_OK(whorl_session_read(session, 0, x, sizeof x, &err));
    for (uint32_t i = 0; i < N; i++) {
        uint32_t want = i * 7919u;
        for (uint32_t t = 0; t < STEPS * CALLS; t++) // scratch starts at zero in every call
            want = (want + t % STEPS) ^ t % STEPS;
        CHECK_EQ_INT(want, x[i]);
    }
    whorl_session_destroy(session);
    handmade_end(&h);
}

static bool cancel_after(void *user, const struct whorl_progress *p) {
    CHECK(p->fraction >= 0 && p->fraction <= 1);
    return --*(int *)user > 0;
}

TEST(progress_counts_slices_and_can_cancel) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    uint32_t xs[100];
    int left = 1000;
    fill(xs, 100);
    handmade_loop(&h, 100, 20);
    options.slice_iterations = 10;
    options.progress = cancel_after;
    options.user = &left;
    CHECK_OK(run1(xs, sizeof xs, &options));
    CHECK_EQ_INT(1000 - 10, left);
    CHECK_EQ_INT(10, stats.slices);
    fill(xs, 100);
    left = 3;
    CHECK_EQ_INT(WHORL_CANCELLED, run1(xs, sizeof xs, &options));
    CHECK_EQ_INT(7919 * 5, xs[5]);
    CHECK_EQ_INT(3, stats.slices);
    handmade_end(&h);
}

TEST(wrong_calls_are_refused) {
    uint32_t xs[10] = {0};
    void *none[] = {NULL}, *arrays[] = {xs};
    size_t sizes[] = {40}, short_sizes[] = {36};
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    handmade_loop(&h, 10, 5);
    CHECK_EQ_INT(WHORL_INVALID, whorl_run(the_device(), &h.program, arrays, short_sizes, NULL, &stats, &err));
    CHECK_HAS_STR("'xs' has 40 bytes, 36 were given", err.message);
    CHECK_EQ_INT(WHORL_INVALID, whorl_run(the_device(), &h.program, none, sizes, NULL, &stats, &err));
    CHECK_HAS_STR("no memory", err.message);
    options.strategy = WHORL_EAGER;
    CHECK_EQ_INT(WHORL_INVALID, run1(xs, sizeof xs, &options));
    CHECK_HAS_STR("no strategy eager", err.message);
    options.strategy = WHORL_AUTO;
    options.scalars = &(struct whorl_scalar){"n", 3};
    options.scalar_count = 1;
    CHECK_EQ_INT(WHORL_INVALID, run1(xs, sizeof xs, &options));
    CHECK_HAS_STR("no scalar parameter", err.message);
    handmade_end(&h);
}

TEST(a_buffer_over_the_limits_is_named) {
    handmade_begin(&h, "big");
    handmade_array(&h, "x", PLAN_INOUT, WHORL_U32, 10);
    handmade_array(&h, "monster", PLAN_SCRATCH, WHORL_F32, (int64_t)1 << 36);
    handmade_kernel(&h, "k0", "fn main() {}", handmade_const(&h, 1), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    uint32_t x[10];
    CHECK_EQ_INT(WHORL_LIMIT, run1(x, sizeof x, NULL));
    CHECK_HAS_STR("'monster' needs a buffer of 274877906944 bytes; the device's limit is", err.message);
    handmade_end(&h);
}

TEST(kernels_that_do_not_compile_or_fit_are_refused) {
    uint32_t x[10] = {0};
    handmade_loop(&h, 10, 5);
    h.plan.kernels[0].wgsl = "@compute @workgroup_size(64) fn main() { let a: u32 = 1.5; }";
    CHECK_EQ_INT(WHORL_DEVICE, run1(x, sizeof x, NULL));
    CHECK_HAS_STR("k0 (hand.c:1)", err.message);
    // A binding that the kernel writes but the plan calls read-only: without error scopes nothing would run and nobody
    // would know.
    handmade_loop(&h, 10, 5);
    h.plan.kernels[0].bindings[0].writable = false;
    CHECK_EQ_INT(WHORL_DEVICE, run1(x, sizeof x, NULL));
    // Workgroups that do not report are a failure too.
    handmade_loop(&h, 10, 5);
    h.plan.kernels[0].wgsl =
        "@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;\n@compute @workgroup_size(64) fn main() {}";
    CHECK_EQ_INT(WHORL_DEVICE, run1(x, sizeof x, NULL));
    CHECK_HAS_STR("short", err.message);
    handmade_end(&h);
}

TEST(uniform_scalars_change_sizes_and_params) {
    static const char wgsl[] =
        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> xs: array<f32>;\n" HANDMADE_MAIN
                      "    xs[i] = f32(params[2].x) * bitcast<f32>(params[2].y);\n}\n";
    handmade_begin(&h, "scaled");
    uint32_t n = handmade_scalar(
        &h, (struct plan_scalar){
                .name = "n", .kind = PLAN_UNIFORM, .dtype = WHORL_I32, .bits = 5, .word = 8, .is_param = true});
    (void)handmade_scalar(
        &h, (struct plan_scalar){.name = "a", .kind = PLAN_UNIFORM, .dtype = WHORL_F32, .word = 9, .is_param = true});
    plan_expr count = plan_op(&h.cx, &h.plan, PLAN_SCALAR, n, 0);
    handmade_array_expr(&h, "xs", PLAN_INOUT, WHORL_F32, count,
                        plan_op(&h.cx, &h.plan, PLAN_MUL, count, handmade_const(&h, 4)));
    handmade_kernel(&h, "k0", wgsl, count, 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    float xs[7] = {0};
    void *arrays[] = {NULL, NULL, xs};
    size_t sizes[] = {0, 0, sizeof xs};
    struct whorl_scalar scalars[] = {{"n", 7}, {"a", 0.25}};
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.scalars = scalars;
    options.scalar_count = 2;
    CHECK_OK(whorl_run(the_device(), &h.program, arrays, sizes, &options, &stats, &err));
    for (int i = 0; i < 7; i++)
        CHECK(xs[i] == 7 * 0.25f);
    scalars[0].value = 7.5;
    CHECK_EQ_INT(WHORL_INVALID, whorl_run(the_device(), &h.program, arrays, sizes, &options, &stats, &err));
    scalars[0].value = -1;
    CHECK_EQ_INT(WHORL_INVALID, whorl_run(the_device(), &h.program, arrays, sizes, &options, &stats, &err));
    struct whorl_session *session;
    CHECK_OK(whorl_session_create(the_device(), &h.program, WHORL_AUTO, &session, &err));
    scalars[0].value = 6;
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_run(session, 1, &options, &stats, &err));
    CHECK_HAS_STR("new session", err.message);
    whorl_session_destroy(session);
    handmade_end(&h);
}

TEST(odd_sizes_of_small_types_go_in_and_out) {
    static const char wgsl[] =
        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> xs: array<u32>;\n" HANDMADE_MAIN
                      "    xs[i] = xs[i] + 0x01010101u;\n}\n";
    handmade_begin(&h, "bytes");
    handmade_array(&h, "xs", PLAN_INOUT, WHORL_U8, 7);
    handmade_kernel(&h, "k0", wgsl, handmade_const(&h, 2), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    unsigned char xs[8] = {1, 2, 3, 4, 5, 6, 7, 99};
    CHECK_OK(run1(xs, 7, NULL));
    for (int i = 0; i < 7; i++)
        CHECK_EQ_INT(i + 2, xs[i]);
    CHECK_EQ_INT(99, xs[7]);
    handmade_end(&h);
}

TEST(arrays_larger_than_a_staging_buffer_go_in_and_out) {
    enum { N = (80 << 20) / 4 };
    static const char wgsl[] =
        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> xs: array<u32>;\n" HANDMADE_MAIN
                      "    xs[i] ^= 0xff00ff00u;\n}\n";
    handmade_begin(&h, "large");
    handmade_array(&h, "xs", PLAN_INOUT, WHORL_U32, N);
    handmade_kernel(&h, "k0", wgsl, handmade_const(&h, N), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    uint32_t *xs = malloc((size_t)N * 4);
    CHECK(xs);
    for (uint32_t i = 0; i < N; i++)
        xs[i] = i * 2654435761u;
    enum whorl_status status = run1(xs, (size_t)N * 4, NULL);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < N; i++)
        wrong += xs[i] != (i * 2654435761u ^ 0xff00ff00u);
    free(xs);
    CHECK_OK(status);
    CHECK_EQ_INT(0, wrong);
    handmade_end(&h);
}

TEST(a_length_that_is_in_the_data_runs_with_a_tick_budget) {
    enum { N = 3000, T = 40 };
    uint32_t xs[N];
    fill(xs, N);
    handmade_loop(&h, N, T);
    h.plan.kernels[0].ticks = 0; // not known
    CHECK_OK(run1(xs, sizeof xs, NULL));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ_INT(expected_loop(i, T), xs[i]);
    CHECK_EQ_INT(1, stats.dispatches);
    handmade_end(&h);
}
