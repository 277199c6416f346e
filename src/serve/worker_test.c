// The worker on models/tiny: who is next, slots that become free, stop texts, and a device that fails.
#include <time.h>

#include "check.h"
#include "run/device/gpu.h"
#include "serve/worker.h"

static struct decoder d;
static whorl_device *device;
static struct worker *w;
static struct whorl_error err;

static void no_wake(void *user) { (void)user; }

static void begin_test(const char *select, uint32_t texts) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    d = (struct decoder){0};
    CHECK(decoder_open(&d, "models/tiny", &err) == WHORL_OK);
    CHECK(decoder_compile(&d, device, texts, 64, &err) == WHORL_OK && decoder_load(&d, WHORL_AUTO, &err) == WHORL_OK);
    CHECK(worker_create(&d, 3, no_wake, NULL, &w, &err) == WHORL_OK);
}

static void end_test(void) {
    worker_destroy(w);
    decoder_close(&d);
    whorl_device_destroy(device);
}

static struct job *make_job(const char *client, uint32_t most) {
    static const uint32_t prompt[] = {1147, 258, 2084, 387}; // "In the beginning God"
    struct job *job = job_create();
    CHECK(job && (job->prompt.ids = malloc(sizeof prompt)));
    memcpy(job->prompt.ids, prompt, sizeof prompt);
    job->prompt.count = 4;
    job->most = most;
    job->sampling = DECODER_GREEDY;
    snprintf(job->client, sizeof job->client, "%s", client);
    return job;
}

static enum job_state state_of(const struct job *job) {
    worker_lock(w);
    enum job_state state = job->state;
    worker_unlock(w);
    return state;
}

static void wait_for(const struct job *job, enum job_state state) {
    for (int i = 0; state_of(job) < state; i++) {
        if (i > 6000) FAIL("the job is not there after a minute");
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
}

TEST(one_job) {
    begin_test("cpu", 2);
    struct job *job = make_job("a", 20);
    job->stops = (struct stops){{strdup(" and was")}, 1};
    CHECK(worker_add(w, job));
    wait_for(job, JOB_DONE);
    CHECK_EQ_INT(FINISH_STOP, job->finish);
    job->text[job->text_bytes] = 0;
    CHECK_EQ_STR(" of Israel,", job->text);
    worker_drop(w, job);
    end_test();
}

// Two slots are one client's. Of those that wait, another client is next, though it came last; what is dropped leaves
// its place, waiting or running.
TEST(who_is_next) {
    begin_test("cpu", 2);
    struct job *first = make_job("a", 50), *second = make_job("a", 50), *third = make_job("a", 2),
               *other = make_job("b", 2), *last = make_job("a", 2), *over = make_job("c", 1);
    CHECK(worker_add(w, first) && worker_add(w, second));
    wait_for(second, JOB_RUNS);
    CHECK(worker_add(w, third) && worker_add(w, last) && worker_add(w, other));
    CHECK(!worker_add(w, over)); // three wait
    job_destroy(over);
    worker_drop(w, last);
    worker_drop(w, second);
    for (enum job_state states[2] = {JOB_WAITS}; states[0] != JOB_DONE || states[1] != JOB_DONE;) {
        worker_lock(w);
        states[0] = third->state;
        states[1] = other->state;
        worker_unlock(w);
        CHECK(states[0] == JOB_WAITS || states[1] != JOB_WAITS);
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    worker_drop(w, first);
    worker_drop(w, third);
    worker_drop(w, other);
    for (int i = 0; i < 3000 && worker_count(w).running > 0; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    struct worker_counts n = worker_count(w);
    CHECK_EQ_INT(0, n.running + n.waiting);
    CHECK_EQ_INT(0, n.failed);
    end_test();
}

TEST(a_device_that_fails) {
    char why[200];
    begin_test("gpu", 2);
    struct job *job = make_job("a", 50), *late = make_job("a", 1);
    CHECK(worker_add(w, job));
    wait_for(job, JOB_RUNS);
    run_gpu_fail_at(20);
    wait_for(job, JOB_DONE);
    CHECK(job->finish == FINISH_FAILED && job->why[0]);
    CHECK(!worker_is_well(w, why, sizeof why) && why[0]);
    CHECK(!worker_add(w, late));
    job_destroy(late);
    worker_drop(w, job);
    end_test();
}
