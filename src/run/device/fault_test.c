// Every call to the WebGPU library and every allocation fails once: each time there is a clean error, or the work is
// right all the same. Leaks are AddressSanitizer's to find; a hang is the test runner's. `make test` tries some of
// those of the probe (check_apart), `make fuzz` all.
#include "cached_device.h"
#include "check.h"
#include "run/device/device.h"
#include "run/execute/handmade.h"
#include "run/probe/probe.h"

static struct handmade h;

// All of a device's work: a run in slices, a session of two calls. True if it succeeded; then the numbers were right.
// `t` makes the kernel one that the device has not seen.
static bool work(whorl_device *device, uint32_t t) {
    enum { N = 70 };
    uint32_t xs[N];
    void *arrays[] = {xs};
    size_t sizes[] = {sizeof xs};
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.slice_iterations = 40;
    options.slice_ticks = 5;
    handmade_loop(&h, N, t);
    for (uint32_t i = 0; i < N; i++)
        xs[i] = i;
    enum whorl_status status = whorl_run(device, &h.program, arrays, sizes, &options, NULL, &err);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t want = i;
        for (uint32_t k = 0; k < t && status == WHORL_OK; k++)
            want = want * 1664525u + 1013904223u + k;
        CHECK_EQ_INT(want, xs[i]);
    }
    whorl_session *session = NULL;
    if (status == WHORL_OK) status = whorl_session_create(device, &h.program, WHORL_SINGLE, &session, &err);
    if (status == WHORL_OK) status = whorl_session_write(session, 0, xs, sizeof xs, &err);
    if (status == WHORL_OK) status = whorl_session_run(session, 2, NULL, NULL, &err);
    if (status == WHORL_OK) status = whorl_session_read(session, 0, xs, sizeof xs, &err);
    whorl_session_destroy(session);
    if (status != WHORL_OK) CHECK(err.message[0] != 0 && err.status == status);
    return status == WHORL_OK;
}

static whorl_device *gpu(bool probe) {
    whorl_device *device = NULL;
    if (open_device("gpu", probe, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    return device;
}

TEST(every_webgpu_call_of_opening_fails_once) {
    make_cache();
    whorl_device *device = gpu(false);
    whorl_device_destroy(device);
    (void)run_gpu_fail_at(0);
    whorl_device_destroy(gpu(false));
    uint64_t calls = run_gpu_fail_at(0), failed = 0;
    CHECK(calls > 20);
    for (uint64_t n = 1; n <= calls; n++) {
        (void)run_gpu_fail_at(n);
        if (open_device("gpu", false, &device) == WHORL_OK)
            whorl_device_destroy(device);
        else
            failed += err.message[0] != 0;
    }
    (void)run_gpu_fail_at(0);
    CHECK_EQ_INT(calls, failed);
    drop_cache();
}

TEST(every_webgpu_call_of_running_fails_once) {
    make_cache();
    whorl_device *device = gpu(false); // survives all of it
    (void)run_gpu_fail_at(0);
    CHECK(work(device, 10));
    uint64_t calls = run_gpu_fail_at(0), failed = 0;
    CHECK(calls > 40);
    for (uint64_t n = 1; n <= calls; n++) {
        (void)run_gpu_fail_at(n);
        failed += !work(device, 10 + (uint32_t)n % 5 + 5 * (uint32_t)n);
    }
    (void)run_gpu_fail_at(0);
    CHECK(failed * 10 > calls * 9);
    CHECK(work(device, 9));
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}

// All kernels but the self-test's, which opening made, are to be made again.
static void forget_kernels(whorl_device *device) {
    struct run_pipelines *all = &device->pipelines;
    struct run_pipeline *first = all->items[0];
    all->items[0] = all->items[--all->count];
    run_pipelines_deinit(device);
    *all = (struct run_pipelines){base_heap_alloc(sizeof *all->items), 1, 1};
    all->items[0] = first;
}

static enum whorl_status probe_again(whorl_device *device) {
    memset(&err, 0, sizeof err);
    return run_probe_device(device, true, &err);
}

// A device that refuses a kernel of the probe only remains without its figure.
static bool lacks_a_figure(const struct run_probe *found, const struct run_probe *whole) {
    return found->builtin_count < whole->builtin_count || found->subgroup_size < whole->subgroup_size ||
           found->subgroup_lanes < whole->subgroup_lanes || whole->register_words > 0 || found->copy_gbps == 0;
}

// All figures. Where others keep the computer busy, two copies may seem to take no longer than one, which gives no
// figure of copies though nothing failed; compared with such a probe, one that lacks it would seem whole.
static struct run_probe probe_of_all(whorl_device *device) {
    enum { TRIES = 50 };
    for (int i = 0; i < TRIES; i++) {
        forget_kernels(device);
        (void)run_gpu_fail_at(0);
        (void)base_heap_fail_at(0);
        CHECK_EQ_INT(WHORL_OK, probe_again(device));
        if (device->probe.copy_gbps > 0) return device->probe;
    }
    FAIL("no figure of copies in %d probes", TRIES);
}

// Its calls are tried above, those of barriers below: how many these are depends on time.
static whorl_device *device_to_probe(void) {
    whorl_device *device = gpu(false);
    device->cache_dir[0] = 0; // else results would come from there
    device->info.max_invocations = 64;
    return device;
}

TEST(every_webgpu_call_of_the_probe_fails_once) {
    make_cache();
    whorl_device *device = device_to_probe();
    struct run_probe whole = probe_of_all(device);
    uint64_t calls = run_gpu_fail_at(0), failed = 0, tried = 0;
    CHECK(calls > 200);
    bool fired = true;
    for (uint64_t n = 1; n <= calls || fired; n += check_apart(7)) { // how many there are depends on their time
        forget_kernels(device);
        (void)run_gpu_fail_at(n);
        enum whorl_status status = probe_again(device);
        fired = run_gpu_fail_at(0) >= n;
        if (!fired)
            CHECK_EQ_INT(WHORL_OK, status);
        else if (status == WHORL_OK ? !lacks_a_figure(&device->probe, &whole) : err.status != status || !err.message[0])
            FAIL("call %d of %d: status %d, \"%s\"", (int)n, (int)calls, (int)status, err.message);
        failed += status != WHORL_OK;
        tried += fired;
    }
    CHECK(tried >= calls / check_apart(7) * 9 / 10);
    CHECK(failed * 8 > tried * 7);               // 8% of the calls open what may be refused
    CHECK_EQ_INT(WHORL_OK, probe_again(device)); // the device is well
    CHECK_EQ_INT(whole.builtin_count, device->probe.builtin_count);
    CHECK_EQ_INT(whole.subgroup_lanes, device->probe.subgroup_lanes);
    whorl_device_destroy(device);
    drop_cache();
}

TEST(every_allocation_of_the_probe_fails_once) {
    make_cache();
    whorl_device *device = device_to_probe();
    struct run_probe whole = probe_of_all(device);
    uint64_t calls = base_heap_fail_at(0);
    for (uint64_t n = 1; n <= calls; n += check_apart(3)) {
        forget_kernels(device);
        (void)base_heap_fail_at(n);
        enum whorl_status status = probe_again(device);
        (void)base_heap_fail_at(0);
        CHECK(status == WHORL_OK ? lacks_a_figure(&device->probe, &whole) : status == WHORL_MEMORY && err.message[0]);
    }
    whorl_device_destroy(device);
    drop_cache();
}

// A probe of barriers that fails is a reason in words, and no barriers; the device goes on.
static void check_no_barriers(whorl_device *device) {
    struct run_probe found = {0};
    memset(&err, 0, sizeof err);
    CHECK_EQ_INT(WHORL_OK, run_probe_grid(device, &found, &err));
    CHECK(!found.grid_ok && found.grid_note[0] && found.grid_groups == 1 && found.grid_groups_max == 1);
    CHECK(found.spins_per_ms == 0 && found.grid_size_count == 0 && !found.fences_needed);
}

TEST(the_probe_of_barriers_fails_without_an_error) {
    enum { CALLS = 70, ALLOCATIONS = 9 }; // making its kernel and some dispatches; the others are like these
    make_cache();
    whorl_device *device = gpu(false);
    for (uint64_t n = 1; n <= CALLS; n += check_apart(5)) {
        forget_kernels(device);
        (void)run_gpu_fail_at(n);
        check_no_barriers(device);
        CHECK(run_gpu_fail_at(0) >= n);
    }
    for (uint64_t n = 1; n <= ALLOCATIONS; n++) {
        forget_kernels(device);
        (void)base_heap_fail_at(n);
        check_no_barriers(device);
        CHECK(base_heap_fail_at(0) >= n);
    }
    struct run_probe found = {0};
    CHECK_EQ_INT(WHORL_OK, run_probe_grid(device, &found, &err)); // the device is well
    CHECK(found.spins_per_ms > 0);
    whorl_device_destroy(device);
    drop_cache();
}

TEST(a_device_that_does_not_answer_is_given_up) {
    make_cache();
    whorl_device *device = gpu(false);
    uint32_t xs[70] = {5};
    void *arrays[] = {xs};
    size_t sizes[] = {sizeof xs};
    handmade_loop(&h, 70, 1000000);
    device->gpu->timeout_s = 0;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.slice_ticks = 60000;
    CHECK_EQ_INT(WHORL_TIMEOUT, whorl_run(device, &h.program, arrays, sizes, &options, NULL, &err));
    CHECK_HAS_STR("did not answer", err.message);
    CHECK_EQ_INT(5, xs[0]);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_run(device, &h.program, arrays, sizes, NULL, NULL, &err));
    CHECK_HAS_STR("lost", err.message);
    whorl_device_destroy(device);
    usleep(500000); // the work goes on, and a software driver must not see the process end under it
    handmade_end(&h);
    drop_cache();
}

TEST(a_lost_device_is_an_error) {
    make_cache();
    whorl_device *device = gpu(false);
    uint32_t xs[70] = {5};
    void *arrays[] = {xs};
    size_t sizes[] = {sizeof xs};
    handmade_loop(&h, 70, 9);
    device->gpu->lib.DeviceDestroy(device->gpu->device);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_run(device, &h.program, arrays, sizes, NULL, NULL, &err));
    CHECK(err.message[0] != 0);
    CHECK_EQ_INT(5, xs[0]);
    whorl_device_destroy(device);
    handmade_end(&h);
    drop_cache();
}

TEST(every_allocation_fails_once) {
    make_cache();
    whorl_device *device = gpu(true); // fills the cache of probe results
    (void)work(device, 10);           // and the room for pipelines
    whorl_device_destroy(device);
    (void)base_heap_fail_at(0);
    CHECK_EQ_INT(WHORL_OK, open_device("gpu", true, &device));
    whorl_device_destroy(device);
    uint64_t calls = base_heap_fail_at(0);
    for (uint64_t n = 1; n <= calls; n++) {
        (void)base_heap_fail_at(n);
        if (open_device("gpu", true, &device) == WHORL_OK)
            whorl_device_destroy(device);
        else
            CHECK(err.message[0] != 0);
    }
    (void)base_heap_fail_at(0);
    device = gpu(true);
    for (uint32_t n = 1; n <= 60; n++) {
        handmade_loop(&h, 70, 20 + n);
        uint32_t xs[70] = {0};
        void *arrays[] = {xs};
        size_t sizes[] = {sizeof xs};
        (void)base_heap_fail_at(n);
        enum whorl_status status = whorl_run(device, &h.program, arrays, sizes, NULL, NULL, &err);
        bool fired = base_heap_fail_at(0) >= n;
        CHECK_EQ_INT(fired ? WHORL_MEMORY : WHORL_OK, status);
    }
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}
