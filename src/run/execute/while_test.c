// Whiles in trees of dispatches, whose word the host reads back.
#include "check.h"
#include "run/device/gpu.h"
#include "run/execute/handmade_grid.h"

static whorl_device *the_device(void) {
    static whorl_device *device;
    static struct whorl_error why;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    if (!device && !why.message[0]) (void)whorl_device_open(&options, &device, &why);
    if (!device) SKIP("no GPU: %s", why.message);
    return device;
}

static struct handmade h;
static struct whorl_error err;
static struct whorl_stats stats;

static void run_ring(uint32_t steps, struct whorl_run_options *options) {
    enum { N = 100 };
    uint32_t x[N], want[N];
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    for (uint32_t i = 0; i < N; i++)
        x[i] = want[i] = i * 7919u;
    struct handmade_ring ring = {.n = N, .rounds = 1, .steps = steps, .is_while = true};
    handmade_ring(&h, ring);
    handmade_ring_expected(&ring, want);
    if (whorl_run(the_device(), &h.program, arrays, sizes, options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    for (uint32_t i = 0; i < N; i++)
        if (x[i] != want[i]) FAIL("%u steps: element %u is wrong", steps, i);
    handmade_end(&h);
}

TEST(more_and_more_passes_go_ahead) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_STEPS;
    options.slice_ms = -1; // else a busy machine cuts them into slices
    run_ring(20, &options);
    CHECK_EQ_INT(1 + 3 * (1 + 2 + 4 + 8 + 16), stats.dispatches);
    CHECK_EQ_INT(5, stats.submits);
    run_ring(300, &options);
    CHECK_EQ_INT(1 + 3 * (1 + 2 + 4 + 8 + 16 + 32 + 64 * 4), stats.dispatches);
    run_ring(1, &options);
    CHECK_EQ_INT(1 + 3, stats.dispatches);
    run_ring(0, &options);
    CHECK_EQ_INT(1 + 3, stats.dispatches); // a pass that does nothing
}

TEST(eager_tests_every_pass) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_EAGER;
    run_ring(20, &options);
    CHECK_EQ_INT(1 + 3 * 20, stats.dispatches);
    run_ring(0, &options);
    CHECK_EQ_INT(1, stats.dispatches);
}

TEST(whiles_are_sliced) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_STEPS;
    options.slice_iterations = 30;
    run_ring(9, &options);
    CHECK(stats.dispatches > 9 * 2 * 4);
    options.slice_iterations = 0;
    options.slice_ms = 0.01;
    run_ring(50, &options);
    CHECK(stats.submits > 6);
}

TEST(sessions_call_whiles_again) {
    enum { N = 100, CALLS = 3 };
    uint32_t x[N], want[N];
    struct whorl_session *session;
    struct handmade_ring ring = {.n = N, .rounds = 1, .steps = 7, .is_while = true};
    for (uint32_t i = 0; i < N; i++)
        x[i] = want[i] = i;
    for (int call = 0; call < CALLS; call++)
        handmade_ring_expected(&ring, want);
    handmade_ring(&h, ring);
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(the_device(), &h.program, WHORL_STEPS, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 0, x, sizeof x, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(session, CALLS, NULL, &stats, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ_INT(want[i], x[i]);
    whorl_session_destroy(session);
    handmade_end(&h);
}

static uint64_t dispatches_told;

// Nobody knows how much there is.
static bool some_more(void *left, const struct whorl_progress *p) {
    CHECK(p->fraction == 0);
    CHECK(p->dispatches > dispatches_told);
    dispatches_told = p->dispatches;
    return --*(int *)left > 0;
}

TEST(a_while_without_end_is_left) {
    enum { N = 100 };
    uint32_t x[N] = {77};
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    for (int eager = 0; eager < 2; eager++) {
        int left = 10;
        dispatches_told = 0;
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        options.strategy = eager ? WHORL_EAGER : WHORL_STEPS;
        options.progress = some_more;
        options.user = &left;
        handmade_ring(&h, (struct handmade_ring){.n = N, .rounds = 1, .steps = UINT32_MAX, .is_while = true});
        CHECK_EQ_INT(WHORL_CANCELLED, whorl_run(the_device(), &h.program, arrays, sizes, &options, &stats, &err));
        CHECK_EQ_INT(0, left);
        CHECK(!strchr(err.message, '%'));
        CHECK_HAS_STR("dispatches", err.message);
        CHECK_EQ_INT(77, x[0]);
        handmade_end(&h);
    }
}

// a = 4; while (a) { if (a == 1 && leaves) { b = 7; a = 0; } else b = 3; while (b) { b--; x++; } a--; }, where all that
// comes after a = 0 is skipped, as a `break` has it.
static void nested(bool leaves) {
    static const char *const bodies[] = {
        "state[0] = 4u; state[1] = 1u;",
        "if (state[0] == 1u && LEAVES) { state[1] = 7u; state[0] = 0u; } else if (state[0] != 0u) { state[1] = 3u; }",
        "if (state[0] != 0u && state[1] != 0u) { state[1]--; x[0]++; }",
        "if (state[0] != 0u) { state[0]--; }",
    };
    handmade_begin(&h, "nested");
    handmade_array(&h, "x", PLAN_INOUT, WHORL_U32, 1);
    h.plan.state_buffer = handmade_array(&h, "state", PLAN_SCRATCH, WHORL_U32, 2);
    for (uint32_t k = 0; k < 4; k++) {
        const char *text =
            base_format(&h.cx,
                        HANDMADE_HEAD "@group(0) @binding(2) var<storage, read_write> x: array<u32>;\n"
                                      "@group(0) @binding(3) var<storage, read_write> state: array<u32>;\n"
                                      "const LEAVES = %s;\n" HANDMADE_MAIN "    if (i == 0u) { %s }\n}\n",
                        leaves ? "true" : "false", bodies[k]);
        struct plan_kernel *kernel = handmade_kernel(&h, base_format(&h.cx, "k%u", k), text, handmade_const(&h, 1), 3);
        kernel->one_group = true;
        kernel->range_sliceable = false;
    }
    struct plan_node *body = base_alloc_array(&h.cx, 6, sizeof *body);
    body[0] = handmade_dispatch(0);
    body[1] = (struct plan_node){.kind = PLAN_WHILE, .word = 0, .child_count = 3, .children = body + 2};
    body[2] = handmade_dispatch(1);
    body[3] = (struct plan_node){.kind = PLAN_WHILE, .word = 1, .child_count = 1, .children = body + 5};
    body[4] = handmade_dispatch(3);
    body[5] = handmade_dispatch(2);
    struct plan_node root = {.kind = PLAN_SEQ, .child_count = 2, .children = body};
    h.plan.steps = h.plan.eager = (struct plan_strategy){.exists = true, .root = root, .note = ""};
}

TEST(whiles_nest) {
    for (int leaves = 0; leaves < 2; leaves++)
        for (int eager = 0; eager < 2; eager++) {
            uint32_t x[1] = {100};
            void *arrays[] = {x};
            size_t sizes[] = {sizeof x};
            struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
            options.strategy = eager ? WHORL_EAGER : WHORL_STEPS;
            nested(leaves);
            CHECK(plan_validate(&h.cx, &h.plan) == NULL);
            if (whorl_run(the_device(), &h.program, arrays, sizes, &options, &stats, &err) != WHORL_OK)
                FAIL("%s", err.message);
            CHECK_EQ_INT(100 + (leaves ? 3 : 4) * 3, x[0]);
            handmade_end(&h);
        }
}

TEST(wide_arrays_go_in_and_out) {
    static const char wgsl[] = HANDMADE_HEAD
        "@group(0) @binding(2) var<storage, read_write> xs: array<u32>;\n" HANDMADE_MAIN "    xs[i] = xs[i] %s;\n}\n";
    enum { N = 300000 };
    static const struct {
        enum whorl_dtype dtype;
        const char *change;
    } types[] = {{WHORL_I8, "- 1u"},         {WHORL_U8, "+ 255u"}, {WHORL_I16, "* 3u"},
                 {WHORL_U16, "^ 0xff00ffu"}, {WHORL_BOOL, "* 2u"}, {WHORL_F16, "^ 0x80000000u"}};
    static unsigned char bytes[N * 2];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        size_t size = whorl_dtype_size(types[t].dtype), n = N - 1; // an odd number of bytes
        handmade_begin(&h, "wide");
        uint32_t a = handmade_array(&h, "xs", PLAN_INOUT, types[t].dtype, (int64_t)n);
        h.plan.arrays[a].wide = true;
        h.plan.buffers[0].size_bytes = handmade_const(&h, (int64_t)n * 4);
        handmade_kernel(&h, "k0", base_format(&h.cx, wgsl, types[t].change), handmade_const(&h, (int64_t)n), 1);
        h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
        for (size_t i = 0; i < n * size; i++) // of f16: no NaN, whose bits may change
            bytes[i] =
                types[t].dtype == WHORL_BOOL ? i % 2 : (unsigned char)(i * 37 % (size == 2 && i % 2 ? 120 : 256));
        void *arrays[] = {bytes};
        size_t sizes[] = {n * size};
        if (whorl_run(the_device(), &h.program, arrays, sizes, NULL, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        for (size_t i = 0; i < n; i++) {
            size_t at = i * size;
            unsigned was = 0, got = bytes[at] | (size == 2 ? (unsigned)bytes[at + 1] << 8 : 0u);
            for (size_t b = 0; b < size; b++)
                was |=
                    (unsigned)(types[t].dtype == WHORL_BOOL ? (at + b) % 2
                                                            : (at + b) * 37 % (size == 2 && (at + b) % 2 ? 120 : 256))
                    << 8 * b;
            unsigned want = t == 0   ? (was - 1) & 255
                            : t == 1 ? (was + 255) & 255
                            : t == 2 ? was * 3 & 65535
                            : t == 3 ? (was ^ 0xff)
                            : t == 4 ? was
                                     : was ^ 0x8000;
            if (want != got) FAIL("type %zu, element %zu: %x became %x, not %x", t, i, was, got, want);
        }
        CHECK_EQ_INT(n * size, stats.bytes_uploaded);
        handmade_end(&h);
    }
}
