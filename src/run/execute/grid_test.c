// Grid kernels: slices, workgroups that do not fit, barriers that are given up, loops that end early. Software GPUs may
// run two workgroups one after the other, so tests of more than one accept that fewer did the work; what they never
// accept is a wrong result.
#include "check.h"
#include "run/execute/handmade_grid.h"
#include "run/session/grid_slice.h"

static whorl_device *the_device(void) {
    static whorl_device *device;
    static struct whorl_error why;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    if (!device && !why.message[0]) (void)whorl_device_open(&options, &device, &why);
    if (!device) SKIP("no GPU: %s", why.message);
    device->grid_test = (struct run_grid_test){0};
    return device;
}

static struct handmade h;
static struct whorl_error err;
static struct whorl_stats stats;
static uint32_t *x, *want;

static void begin(const struct handmade_ring *ring, uint32_t calls) {
    free(x);
    free(want);
    x = malloc(ring->n * sizeof *x);
    want = malloc(ring->n * sizeof *want);
    CHECK(x && want);
    for (uint32_t i = 0; i < ring->n; i++)
        x[i] = want[i] = i * 7919u;
    for (uint32_t i = 0; i < calls && ring->steps < 10000; i++)
        handmade_ring_expected(ring, want);
    handmade_ring(&h, *ring);
    CHECK(plan_validate(&h.cx, &h.plan) == NULL);
}

static void check_result(uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (x[i] != want[i]) FAIL("element %u is %u, not %u (%s)", i, x[i], want[i], stats.note);
}

static enum whorl_status try_ring(struct whorl_device *device, const struct handmade_ring *ring,
                                  const struct whorl_run_options *options) {
    begin(ring, 1);
    void *arrays[] = {x};
    size_t sizes[] = {ring->n * sizeof *x};
    return whorl_run(device, &h.program, arrays, sizes, options, &stats, &err);
}

static void run_ring(struct whorl_device *device, const struct handmade_ring *ring,
                     const struct whorl_run_options *options) {
    if (try_ring(device, ring, options) != WHORL_OK) FAIL("%s", err.message);
    check_result(ring->n);
    handmade_end(&h);
}

static const struct handmade_ring small = {.n = 300, .rounds = 3, .steps = 7};
static const struct handmade_ring small_while = {.n = 300, .rounds = 1, .steps = 21, .is_while = true};

TEST(a_program_is_one_dispatch) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.groups = 1;
    run_ring(device, &small, &options);
    CHECK_EQ_INT(1, stats.dispatches);
    CHECK_EQ_INT(1, stats.submits);
    CHECK_EQ_INT(1, stats.slices);
    CHECK(!stats.fell_back);
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    run_ring(device, &small_while, &options);
    CHECK(!stats.fell_back);
    run_ring(device, &(struct handmade_ring){.n = 64, .rounds = 1, .steps = 0}, &options);
    CHECK_EQ_INT(1, stats.dispatches);
}

TEST(slices_have_the_same_bits) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.groups = 1;
    for (uint64_t ticks = 1; ticks <= 24; ticks += ticks < 5 ? 1 : 6) {
        options.slice_ticks = ticks;
        run_ring(device, &small, &options);
        CHECK_EQ_INT((21 + ticks) / ticks, stats.dispatches); // after the last tick it pauses once more if it can
        run_ring(device, &small_while, &options);
        CHECK_EQ_INT((21 + ticks - 1) / ticks, stats.dispatches);
        CHECK(!stats.fell_back);
    }
}

TEST(slices_follow_the_clock) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.groups = 1;
    options.slice_ms = 5;
    run_ring(device, &(struct handmade_ring){.n = 2000, .rounds = 4, .steps = 500}, &options);
    CHECK(stats.slices > 2 && stats.slices < 1000);
    CHECK(!stats.fell_back);
}

// How often did two workgroups really do it?
static uint32_t tries, together, alone;

TEST(two_workgroups_meet_or_fewer_do_the_work) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.groups = 2;
    for (int i = 0; i < 10; i++) {
        options.slice_ticks = i % 2 ? 0 : 4;
        run_ring(device, i % 3 ? &small : &small_while, &options);
        tries++;
        together += !stats.fell_back && device->grid_test.ran == 2;
        alone += !stats.fell_back && device->grid_test.ran == 1;
    }
    fprintf(stderr, "%u of %u by two workgroups, %u by one\n", together, tries, alone);
    CHECK(together + alone > 0);
}

TEST(a_starved_roll_call_takes_fewer_workgroups) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct handmade_ring wide = {.n = 64 * 4096, .rounds = 1, .steps = 3};
    options.strategy = WHORL_SINGLE;
    options.groups = 4096;
    double start = run_now_s();
    run_ring(device, &wide, &options);
    CHECK(run_now_s() - start < 20);
    if (device->gpu->is_software) CHECK(stats.dispatches > 1);
    // What was found is known to the next session.
    options.groups = 0;
    run_ring(device, &wide, &options);
    if (!stats.fell_back && !device->probe.loop_cap) CHECK_EQ_INT(stats.slices, stats.dispatches);
}

TEST(a_barrier_that_is_given_up_falls_back) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct handmade_ring ring = {.n = 1 << 14, .rounds = 2, .steps = 40};
    options.strategy = WHORL_SINGLE;
    int given_up = 0;
    for (int i = 0; i < 20 && !given_up; i++) {
        device->grid_test.spins = 1;
        options.groups = 2;
        run_ring(device, &ring, &options);
        given_up = stats.fell_back;
        if (!given_up) continue;
        CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
        CHECK_HAS_STR("barrier", stats.note);
        CHECK(stats.dispatches >= 1 + 1 + 2 * 40 * 3);
    }
    if (!given_up) SKIP("this device never ran two workgroups at once");
}

// The kernel spoils its data and raises its failure word in pass 13.
static void fail_in_the_middle(const struct handmade_ring *ring, uint32_t groups, uint64_t ticks) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.groups = groups;
    options.slice_ticks = ticks;
    options.slice_ms = -1; // dispatches are counted: the clock has no say in them
    run_ring(device, ring, &options);
    CHECK(stats.fell_back);
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
}

static const struct handmade_ring failing = {.n = 300, .rounds = 3, .steps = 7, .fails_at = 13};
static const struct handmade_ring failing_while = {
    .n = 300, .rounds = 1, .steps = 21, .is_while = true, .fails_at = 13};

TEST(a_loop_that_ends_early_is_undone) {
    whorl_device *device = the_device();
    double barrier_ns = device->probe.barrier_ns;
    device->probe.barrier_ns = 1e8; // as the probe may measure it while the machine is busy
    for (uint32_t groups = 1; groups <= 2; groups++) {
        fail_in_the_middle(&failing, groups, 0);
        CHECK_EQ_INT(1 + 1 + 21 * 3, stats.dispatches - (groups == 2 && stats.dispatches > 65));
        fail_in_the_middle(&failing_while, groups, 0);
        for (uint64_t ticks = 1; ticks < 9; ticks++) {
            fail_in_the_middle(&failing, groups, ticks);
            fail_in_the_middle(&failing_while, groups, ticks);
        }
    }
    device->probe.barrier_ns = barrier_ns;
}

// With a copy before every slice, which a device with a loop cap makes for one workgroup too.
TEST(the_fallback_goes_on_from_the_middle) {
    whorl_device *device = the_device();
    uint32_t cap = device->probe.loop_cap;
    if (!cap) device->probe.loop_cap = 1u << 24;
    fail_in_the_middle(&failing, 1, 4); // slices [0,4) [4,8) [8,12) are good: pass 12 is t = 5 of round 1
    uint64_t loops = stats.dispatches;
    CHECK_HAS_STR("ended early", stats.note);
    fail_in_the_middle(&failing, 1, 7); // the good slice ends at t = 7 of round 0, the loop's end
    uint64_t ends = stats.dispatches;
    fail_in_the_middle(&failing_while, 1, 4);
    device->probe.loop_cap = cap;
    CHECK_EQ_INT(4 + (21 - 12) * 3, loops);
    CHECK_EQ_INT(2 + (21 - 7) * 3, ends);
    CHECK_EQ_INT(4 + 3 * (1 + 2 + 4 + 8), stats.dispatches); // passes of the while, the last ones for nothing
}

// A slice that the driver says nothing of: each in turn.
TEST(any_slice_may_be_lost) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.slice_ticks = 3;
    options.groups = 1;
    for (uint32_t lost = 1; lost <= 8; lost++) {
        for (int is_while = 0; is_while < 2; is_while++) {
            device->grid_test.lose = lost;
            run_ring(device, is_while ? &small_while : &small, &options);
            CHECK(stats.fell_back == (device->grid_test.lose == 0));
            if (stats.fell_back) CHECK_HAS_STR("cut the single dispatch short", stats.note);
            CHECK(stats.fell_back || lost == 8);
        }
        device->grid_test.lose = 0;
    }
}

TEST(sessions_go_on_from_the_middle_without_the_inputs) {
    whorl_device *device = the_device();
    enum { CALLS = 3 };
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    whorl_session *session;
    uint32_t cap = device->probe.loop_cap;
    if (!cap) device->probe.loop_cap = 1u << 24;
    options.groups = 1;
    for (uint64_t ticks = 0; ticks < 9; ticks += 4) {
        options.slice_ticks = ticks;
        begin(&failing, 2 * CALLS);
        CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_SINGLE, &session, &err));
        CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 0, x, failing.n * 4, &err));
        for (int i = 0; i < CALLS; i++)
            if (whorl_session_run(session, 1, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        CHECK(stats.fell_back);
        if (whorl_session_run(session, CALLS, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        CHECK(stats.fell_back);
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, failing.n * 4, &err));
        whorl_session_destroy(session);
        check_result(failing.n);
        handmade_end(&h);
    }
    device->probe.loop_cap = cap;
}

TEST(the_counter_may_wrap) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    device->grid_test.first = 0xffffffe0u;
    options.groups = 1;
    run_ring(device, &(struct handmade_ring){.n = 300, .rounds = 3, .steps = 20}, &options);
    CHECK(!stats.fell_back);
    CHECK_EQ_INT(1, stats.dispatches);
    options.groups = 2;
    options.slice_ticks = 30;
    for (int i = 0; i < 4; i++)
        run_ring(device, &(struct handmade_ring){.n = 300, .rounds = 3, .steps = 20}, &options);
}

TEST(calls_are_in_flight_together) {
    enum { CALLS = 20 };
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    for (uint32_t groups = 1; groups <= 2; groups++) {
        whorl_session *session;
        options.groups = groups;
        begin(&small, 2 * CALLS);
        CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_SINGLE, &session, &err));
        CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 0, x, small.n * 4, &err));
        if (whorl_session_run(session, CALLS, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        (void)base_heap_fail_at(0);
        if (whorl_session_run(session, CALLS, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        if (groups == 1) {
            CHECK_EQ_INT(0, base_heap_fail_at(0));
            CHECK_EQ_INT(CALLS, stats.dispatches);
            CHECK_EQ_INT(1, stats.submits);
            CHECK(!stats.fell_back);
        }
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, small.n * 4, &err));
        whorl_session_destroy(session);
        check_result(small.n);
        handmade_end(&h);
    }
}

// The first call is good and the queue is confirmed by it; then the kernel fails in every call.
TEST(calls_in_flight_that_fail_are_undone) {
    enum { CALLS = 5 };
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    whorl_session *session;
    uint32_t cap = device->probe.loop_cap;
    if (!cap) device->probe.loop_cap = 1u << 24;
    options.groups = 1;
    begin(&failing, CALLS);
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_SINGLE, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 0, x, failing.n * 4, &err));
    session->res.grid->is_confirmed = true;
    session->res.grid->groups = 1;
    session->res.grid->asked = 1;
    if (whorl_session_run(session, CALLS, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    device->probe.loop_cap = cap;
    CHECK(stats.fell_back);
    CHECK_EQ_INT(CALLS + 1 + CALLS * (1 + 21 * 3), stats.dispatches);
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, failing.n * 4, &err));
    whorl_session_destroy(session);
    check_result(failing.n);
    handmade_end(&h);
}

static bool some_more(void *left, const struct whorl_progress *p) {
    CHECK(p->fraction >= 0 && p->fraction <= 1);
    return --*(int *)left > 0;
}

TEST(a_slice_can_be_the_last) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    int left = 6;
    options.strategy = WHORL_SINGLE;
    options.slice_ticks = 2;
    options.groups = 1;
    options.progress = some_more;
    options.user = &left;
    CHECK_EQ_INT(WHORL_CANCELLED, try_ring(device, &small, &options));
    CHECK_EQ_INT(6, stats.dispatches);
    CHECK_EQ_INT(7919, x[1]);
    left = 1000;
    run_ring(device, &small, &options);
    CHECK_EQ_INT(1000 - 11, left);
    // and of a program without end
    left = 10;
    options.slice_ticks = 0;
    options.slice_ms = 100; // a slice of two seconds would be heard of before its end
    CHECK_EQ_INT(WHORL_CANCELLED,
                 try_ring(device, &(struct handmade_ring){.n = 64, .rounds = 1, .steps = UINT32_MAX, .is_while = true},
                          &options));
    CHECK_EQ_INT(0, left);
    handmade_end(&h);
}

// A run whose second slice is lost, so that copies, the way back and the fallback are among what fails.
static enum whorl_status lossy_run(struct whorl_device *device) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    options.slice_ticks = 8;
    options.groups = 1;
    device->grid_test.lose = 2;
    enum whorl_status status = try_ring(device, &small, &options);
    if (status == WHORL_OK) check_result(small.n);
    for (uint32_t i = 0; status != WHORL_OK && i < small.n; i++)
        CHECK_EQ_INT(i * 7919u, x[i]); // outputs stay as they were
    handmade_end(&h);
    return status;
}

TEST(every_webgpu_call_fails_once) {
    whorl_device *device = the_device();
    CHECK_EQ_INT(WHORL_OK, lossy_run(device));
    (void)run_gpu_fail_at(0);
    CHECK_EQ_INT(WHORL_OK, lossy_run(device));
    uint64_t calls = run_gpu_fail_at(0), failed = 0;
    CHECK(calls > 40);
    for (uint64_t n = 1; n <= calls; n++) {
        (void)run_gpu_fail_at(n);
        err.message[0] = 0;
        if (lossy_run(device) == WHORL_OK) continue;
        CHECK(err.message[0] != 0);
        failed++;
    }
    (void)run_gpu_fail_at(0);
    CHECK(failed * 10 > calls * 9);
    CHECK_EQ_INT(WHORL_OK, lossy_run(device));
}

TEST(every_allocation_fails_once) {
    whorl_device *device = the_device();
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.strategy = WHORL_SINGLE;
    for (uint64_t n = 1; n <= 30; n++) {
        begin(&small, 1);
        void *arrays[] = {x};
        size_t sizes[] = {small.n * sizeof *x};
        (void)base_heap_fail_at(n);
        enum whorl_status status = whorl_run(device, &h.program, arrays, sizes, &options, &stats, &err);
        bool fired = base_heap_fail_at(0) >= n;
        CHECK_EQ_INT(fired ? WHORL_MEMORY : WHORL_OK, status);
        handmade_end(&h);
    }
}
