// A session's call that was made before makes nothing but the commands of its submit: no buffer, no bind group, no
// kernel, no memory, and no upload of parameters that the device has. Counted where the library is called.
#include "cached_device.h"
#include "run/execute/handmade_runs.h"
#include "run/session/grid_slice.h"
#include "run/session/session.h"

static struct handmade h;
static struct whorl_stats stats;
static whorl_device *device;

static unsigned made, written, encoders;
static struct run_library own;

static WGPUBuffer make_buffer(WGPUDevice d, const WGPUBufferDescriptor *what) {
    made++;
    return own.DeviceCreateBuffer(d, what);
}
static WGPUBindGroup make_group(WGPUDevice d, const WGPUBindGroupDescriptor *what) {
    made++;
    return own.DeviceCreateBindGroup(d, what);
}
static WGPUShaderModule make_module(WGPUDevice d, const WGPUShaderModuleDescriptor *what) {
    made++;
    return own.DeviceCreateShaderModule(d, what);
}
static WGPUComputePipeline make_pipeline(WGPUDevice d, const WGPUComputePipelineDescriptor *what) {
    made++;
    return own.DeviceCreateComputePipeline(d, what);
}
static WGPUCommandEncoder make_encoder(WGPUDevice d, const WGPUCommandEncoderDescriptor *what) {
    encoders++;
    return own.DeviceCreateCommandEncoder(d, what);
}
static void write_buffer(WGPUQueue q, WGPUBuffer b, uint64_t at, const void *data, size_t size) {
    written++;
    own.QueueWriteBuffer(q, b, at, data, size);
}

static void count_from_here(void) {
    struct run_library *lib = &device->gpu->lib;
    own = *lib;
    lib->DeviceCreateBuffer = make_buffer;
    lib->DeviceCreateBindGroup = make_group;
    lib->DeviceCreateShaderModule = make_module;
    lib->DeviceCreateComputePipeline = make_pipeline;
    lib->DeviceCreateCommandEncoder = make_encoder;
    lib->QueueWriteBuffer = write_buffer;
}

static uint32_t x[300], want[300];
static const struct handmade_ring ring = {.n = 300, .rounds = 3, .steps = 7};
static const enum whorl_strategy strategies[] = {WHORL_SINGLE, WHORL_STEPS};

// A session with its input on the device.
static whorl_session *open_ring(enum whorl_strategy strategy) {
    whorl_session *session = NULL;
    handmade_ring(&h, ring);
    for (uint32_t i = 0; i < ring.n; i++)
        x[i] = want[i] = i * 7919u;
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, strategy, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 0, x, sizeof x, &err));
    return session;
}

TEST(a_repeated_call_makes_only_its_commands) {
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int k = 0; k < 2; k++) {
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        whorl_session *session = open_ring(strategies[k]);
        options.groups = 1;
        for (int call = 0; call < 5; call++) {
            if (call == 2) { // the first measures, and is cut otherwise; the second is as all others
                count_from_here();
                made = written = encoders = 0;
                (void)base_heap_fail_at(0);
            }
            if (whorl_session_run(session, 1, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
            handmade_ring_expected(&ring, want);
        }
        uint64_t allocations = base_heap_fail_at(0);
        device->gpu->lib = own;
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
        whorl_session_destroy(session);
        CHECK_EQ_INT(0, made);
        CHECK_EQ_INT(0, written);
        CHECK_EQ_INT(0, allocations);
        CHECK(encoders == 3 * stats.submits || encoders == 3 * stats.submits + 1); // the next call's, made ahead
        CHECK(memcmp(x, want, sizeof x) == 0);
    }
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}

static unsigned queued, most_queued;

static void submit(WGPUQueue q, size_t count, const WGPUCommandBuffer *commands) {
    if (++queued > most_queued) most_queued = queued;
    own.QueueSubmit(q, count, commands);
}
static WGPUFuture map(WGPUBuffer b, WGPUMapMode mode, size_t at, size_t size, WGPUBufferMapCallbackInfo info) {
    queued = 0;
    return own.BufferMapAsync(b, mode, at, size, info);
}

// A submit each: 100 calls in flight wait once, a thousand do not all stand in the queue.
TEST(submits_in_flight_have_a_bound) {
    static const uint32_t calls[] = {100, 1000};
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int k = 0; k < 2; k++) {
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        whorl_session *session = open_ring(WHORL_STEPS);
        options.calls_per_submit = 1;
        most_queued = queued = 0;
        own = device->gpu->lib;
        device->gpu->lib.QueueSubmit = submit;
        device->gpu->lib.BufferMapAsync = map;
        CHECK_EQ_INT(WHORL_OK, whorl_session_run(session, calls[k], &options, &stats, &err));
        device->gpu->lib = own;
        CHECK_EQ_INT(calls[k], stats.submits);
        if (k == 0)
            CHECK_EQ_INT(calls[k], most_queued);
        else
            CHECK(most_queued > 100 && most_queued <= RUN_MAX_SUBMITS);
        for (uint32_t call = 0; call < calls[k]; call++)
            handmade_ring_expected(&ring, want);
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
        whorl_session_destroy(session);
        CHECK(memcmp(x, want, sizeof x) == 0);
    }
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}

static unsigned made_before_submit;

static void submit_made(WGPUQueue q, size_t count, const WGPUCommandBuffer *commands) {
    made_before_submit = encoders;
    own.QueueSubmit(q, count, commands);
}

// From the third call on, the commands of the next one are made while the device works.
TEST(commands_are_made_ahead) {
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int k = 0; k < 2; k++) {
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        whorl_session *session = open_ring(strategies[k]);
        options.groups = 1;
        for (int call = 0; call < 8; call++) {
            if (call == 3) {
                count_from_here();
                device->gpu->lib.QueueSubmit = submit_made;
            }
            encoders = 0;
            if (whorl_session_run(session, 1, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
            handmade_ring_expected(&ring, want);
            if (call > 3) CHECK_EQ_INT(0, made_before_submit);
        }
        device->gpu->lib = own;
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
        whorl_session_destroy(session);
        CHECK(memcmp(x, want, sizeof x) == 0);
    }
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}

// Two sessions exchange an array between calls: commands that were made ahead are of the array that was there before.
TEST(what_was_made_ahead_is_forgotten) {
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    whorl_session *one = open_ring(WHORL_STEPS), *two = open_ring(WHORL_STEPS);
    static uint32_t other[300];
    for (uint32_t i = 0; i < ring.n; i++)
        other[i] = i ^ 12345u;
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(two, 0, other, sizeof other, &err));
    for (int call = 0; call < 6; call++) {
        if (whorl_session_run(one, 1, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        handmade_ring_expected(&ring, call % 2 ? other : want);
        CHECK_EQ_INT(WHORL_OK, whorl_session_exchange(one, 0, two, 0, &err));
    }
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(one, 0, x, sizeof x, &err));
    CHECK(memcmp(x, want, sizeof x) == 0);
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(two, 0, x, sizeof x, &err));
    CHECK(memcmp(x, other, sizeof x) == 0);
    whorl_session_destroy(one);
    whorl_session_destroy(two);
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}

// More calls than there are control blocks.
TEST(control_blocks_come_round) {
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int k = 0; k < 2; k++) {
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        whorl_session *session = open_ring(strategies[k]);
        options.groups = 1;
        options.strategy = strategies[k];
        uint32_t calls = RUN_CONTROL_BLOCKS + RUN_CONTROL_BLOCKS / 8;
        for (uint32_t call = 0; call < calls; call++) {
            if (whorl_session_run(session, 1, &options, &stats, &err) != WHORL_OK || stats.fell_back)
                FAIL("call %u: %s%s", call, err.message, stats.note);
            handmade_ring_expected(&ring, want);
        }
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
        whorl_session_destroy(session);
        CHECK(memcmp(x, want, sizeof x) == 0);
    }
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}

// Calls in flight as a peer's launches are: a submit each, or as many a submit as asked for.
TEST(queued_calls_take_the_submits_that_were_asked_for) {
    static const struct { uint32_t per_submit, submits; } cases[] = {{0, 1}, {1, 6}, {4, 2}, {100, 1}};
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int k = 0; k < 2; k++) {
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        whorl_session *session = open_ring(strategies[k]);
        options.groups = 1;
        CHECK_EQ_INT(WHORL_OK, whorl_session_run(session, 1, &options, &stats, &err)); // measures
        handmade_ring_expected(&ring, want);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            options.calls_per_submit = cases[c].per_submit;
            if (whorl_session_run(session, 6, &options, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
            CHECK_EQ_INT(cases[c].submits, stats.submits);
            for (int call = 0; call < 6; call++)
                handmade_ring_expected(&ring, want);
        }
        CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
        whorl_session_destroy(session);
        CHECK(memcmp(x, want, sizeof x) == 0);
    }
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}
