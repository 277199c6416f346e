// Devices that are lost on the way: the run goes on with the same bits, from a copy of its state or from its inputs; a
// device that is lost again and again is an error.
//
//   LOSSES=200 build/tests/loss_test    the long form; 20 otherwise
#include <stdlib.h>

#include "cached_device.h"
#include "run/execute/handmade_runs.h"
#include "run/state/checkpoint.h"

enum { N = HANDMADE_RUN_WORDS };
static struct handmade h;
static struct whorl_stats stats;
static struct whorl_run_options options;
static uint32_t x[N], want[N];
static whorl_device *device;

static void open_new(void) {
    make_cache();
    whorl_device_destroy(device);
    device = NULL;
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    drop_cache();
}

static enum whorl_status go(void) {
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    memset(&err, 0, sizeof err);
    return whorl_run(device, &h.program, arrays, sizes, &options, &stats, &err);
}

static void check_result(const char *name, uint64_t at) {
    for (uint32_t i = 0; i < N; i++)
        if (x[i] != want[i]) FAIL("%s, lost at %d: element %u is %u, not %u", name, (int)at, i, x[i], want[i]);
}

static char said[600];
static bool listen(void *user, const struct whorl_progress *p) {
    (void)user;
    if (p->warning) snprintf(said, sizeof said, "%s", p->warning);
    return true;
}

// A device that ends with any submit: of a slice, of a copy, of the download.
TEST(a_run_goes_on_on_a_new_device) {
    const char *asked = getenv("LOSSES");
    int losses = asked ? atoi(asked) : 20, from_copy = 0;
    uint32_t random = 12345;
    open_new();
    for (int i = 0; i < losses; i++) {
        device->copy_each_slice = i % 3 != 0;
        const char *name = handmade_run(&h, (uint32_t)i % HANDMADE_RUNS, &options, x, want);
        (void)run_gpu_lose_at(0, 0);
        if (go() != WHORL_OK) FAIL("%s: %s", name, err.message);
        check_result(name, 0);
        uint64_t submits = run_gpu_lose_at(0, 0), dispatches = stats.dispatches;
        random = random * 1664525u + 1013904223u;
        uint64_t nth = 1 + (random >> 8) % submits;
        handmade_run(&h, (uint32_t)i % HANDMADE_RUNS, &options, x, want);
        options.progress = listen;
        said[0] = 0;
        (void)run_gpu_lose_at(nth, 0);
        if (go() != WHORL_OK) FAIL("%s, lost at %d of %d: %s", name, (int)nth, (int)submits, err.message);
        check_result(name, nth);
        CHECK_EQ_INT(1, stats.losses);
        CHECK_HAS_STR("the device was lost 1 time and opened again", stats.note);
        CHECK_EQ_STR("", err.message);
        if (device->copy_each_slice) CHECK(stats.dispatches <= dispatches + 2); // not all of it again
        from_copy += strstr(said, "from its state of") != NULL;
    }
    (void)run_gpu_lose_at(0, 0);
    CHECK(from_copy * 3 >= losses);
    handmade_end(&h);
}

TEST(a_device_that_is_lost_again_and_again_is_an_error) {
    for (int with_progress = 0; with_progress < 2; with_progress++) {
        open_new();
        device->copy_each_slice = true;
        handmade_run(&h, 2, &options, x, want);
        uint32_t before[N];
        memcpy(before, x, sizeof x);
        (void)run_gpu_lose_at(3, with_progress ? 12 : 3); // the self-test passes
        CHECK_EQ_INT(WHORL_DEVICE, go());
        (void)run_gpu_lose_at(0, 0);
        CHECK_HAS_STR(with_progress ? "lost 3 times" : "lost 2 times", err.message);
        CHECK_HAS_STR("--slice-ms", err.message);
        CHECK_HAS_STR("slices of up to", err.message);
        CHECK(memcmp(x, before, sizeof x) == 0);
        CHECK_EQ_INT(WHORL_DEVICE, go()); // still lost
        CHECK_HAS_STR("lost", err.message);
    }
    handmade_end(&h);
}

TEST(a_run_whose_device_is_lost_for_good_leaves_its_checkpoint) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/whorl-test-%ld.ckpt", (long)getpid());
    open_new();
    device->copy_each_slice = true;
    handmade_run(&h, 0, &options, x, want);
    options.checkpoint = path;
    (void)run_gpu_lose_at(12, 4);
    CHECK_EQ_INT(WHORL_DEVICE, go());
    (void)run_gpu_lose_at(0, 0);
    CHECK_HAS_STR("has the state of", err.message);
    open_new();
    handmade_run(&h, 0, &options, x, want);
    options.resume = path;
    if (go() != WHORL_OK) FAIL("%s", err.message);
    CHECK(stats.dispatches < 11);
    check_result("from the checkpoint of a lost device", 0);
    unlink(path);
    handmade_end(&h);
}

TEST(other_sessions_of_a_lost_device_end) {
    open_new();
    handmade_run(&h, 2, &options, x, want);
    whorl_session *other = NULL, *fresh = NULL;
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_STEPS, &other, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(other, 0, x, sizeof x, &err));
    (void)run_gpu_lose_at(4, 0);
    CHECK_EQ_INT(WHORL_OK, go());
    check_result("beside a session", 4);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_session_run(other, 1, NULL, NULL, &err));
    CHECK_HAS_STR("was lost", err.message);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_session_read(other, 0, x, sizeof x, &err));
    CHECK_EQ_INT(WHORL_DEVICE, whorl_session_write(other, 0, x, sizeof x, &err));
    handmade_run(&h, 2, &options, x, want);
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_STEPS, &fresh, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(fresh, 0, x, sizeof x, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(fresh, 1, NULL, NULL, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(fresh, 0, x, sizeof x, &err));
    check_result("in a new session", 0);
    whorl_session_destroy(other);
    whorl_session_destroy(fresh);
    handmade_end(&h);
    whorl_device_destroy(device);
    device = NULL;
}
