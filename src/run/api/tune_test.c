// whorl_tune, and runs under auto that take what it kept.
#include "cached_device.h"
#include "run/auto/choice.h"
#include "run/execute/handmade_runs.h"

static struct handmade h;
static struct whorl_stats stats;
static struct whorl_run_options options;
static whorl_device *device;
static uint32_t x[300], want[300], start[300];
static char path[128];

static const struct handmade_ring ring = {.n = 300, .rounds = 3, .steps = 7};

static void close_it(void) {
    whorl_device_destroy(device);
    device = NULL;
    drop_cache();
}

static void open_it(void) {
    if (device) close_it();
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    snprintf(path, sizeof path, "%s/run.ckpt", cache);
}

static void begin(void) {
    base_heap_free(device->choices); // nothing is known
    device->choices = NULL;
    run_choices_forget(device);
    options = (struct whorl_run_options)WHORL_RUN_OPTIONS_INIT;
    options.groups = 1;
    options.slice_ticks = 2;
    handmade_ring(&h, ring);
    h.program.plan_json = plan_write(&h.cx, &h.plan, NULL);
    for (uint32_t i = 0; i < ring.n; i++)
        x[i] = want[i] = start[i] = i * 7919u;
    handmade_ring_expected(&ring, want);
}

static void keep_choice(bool parts) {
    int64_t *values = calloc(h.plan.scalar_count + 1, sizeof *values);
    CHECK(values);
    const struct run_choice choice = {RUN_CHOICE_TUNED, parts, 0, 1, 1};
    CHECK(run_choices_store(device, run_choice_key(&h.plan, values), &choice));
    free(values);
}

static enum whorl_status go(void) {
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    memset(&err, 0, sizeof err);
    memcpy(x, start, sizeof x);
    return whorl_run(device, &h.program, arrays, sizes, &options, &stats, &err);
}

static void check_run(const char *what) {
    if (go() != WHORL_OK) FAIL("%s: %s", what, err.message);
    for (uint32_t i = 0; i < ring.n; i++)
        if (x[i] != want[i]) FAIL("%s: element %u is %u, not %u (%s)", what, i, x[i], want[i], stats.note);
}

TEST(tuning_keeps_an_answer_and_no_results) {
    open_it();
    struct whorl_tuning tuning;
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    begin();
    if (whorl_tune(device, &h.program, arrays, sizes, NULL, &tuning, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK(memcmp(x, start, sizeof x) == 0);
    CHECK(tuning.count >= 2 && tuning.chosen < tuning.count && tuning.kept && tuning.samples >= 3);
    for (uint32_t i = 0; i < tuning.count; i++) {
        const struct whorl_candidate *c = &tuning.candidates[i];
        CHECK(c->time.ns > 0 && c->time.low_ns <= c->time.ns && c->time.ns <= c->time.high_ns && c->same_bits);
        CHECK_EQ_STR("", tuning.disagreement);
        CHECK(c->strategy == WHORL_SINGLE || c->strategy == WHORL_STEPS);
    }
    CHECK(tuning.candidates[tuning.chosen].time.low_ns <= tuning.candidates[0].time.high_ns);
    check_run("after tuning");
    CHECK_EQ_INT(tuning.candidates[tuning.chosen].strategy, stats.strategy);
    CHECK_HAS_STR("measured by --tune", stats.note);
    struct whorl_session *session; // in and out of flight
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_AUTO, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 0, start, sizeof start, &err));
    for (uint32_t calls = 1; calls <= 2; calls++)
        if (whorl_session_run(session, calls, NULL, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_EQ_INT(tuning.candidates[tuning.chosen].strategy, stats.strategy);
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 0, x, sizeof x, &err));
    whorl_session_destroy(session);
    memcpy(want, start, sizeof want);
    for (int i = 0; i < 3; i++)
        handmade_ring_expected(&ring, want);
    CHECK(memcmp(x, want, sizeof x) == 0);
    handmade_end(&h);
    close_it();
}

// The kernel multiplies by another digit where its text has `product`, "* 3u" or so.
static void change_factor(uint32_t kernel, const char *product, char digit) {
    char *text = base_format(&h.cx, "%s", h.plan.kernels[kernel].wgsl), *place = strstr(text, product);
    CHECK(place);
    place[2] = digit;
    h.plan.kernels[kernel].wgsl = text;
}

// Integers that may not differ: single is wrong here.
TEST(tuning_takes_the_parts_where_single_is_wrong) {
    open_it();
    struct whorl_tuning tuning;
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    begin();
    change_factor(h.plan.single.root.kernel, "* 3u", '9');
    h.plan.arrays[h.plan.params[0].index].exact = true;
    if (whorl_tune(device, &h.program, arrays, sizes, NULL, &tuning, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_HAS_STR("strategies disagree on integers: x[", tuning.disagreement);
    CHECK_EQ_INT(WHORL_STEPS, tuning.candidates[tuning.chosen].strategy);
    check_run("after tuning");
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    CHECK_HAS_STR("single gave other integers", stats.note);
    h.plan.arrays[h.plan.params[0].index].exact = false; // then they are last bits of floats for all that is known
    if (whorl_tune(device, &h.program, arrays, sizes, NULL, &tuning, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_EQ_STR("", tuning.disagreement);
    handmade_end(&h);
    close_it();
}

// The shared scalar alone is another.
TEST(what_was_tuned_is_what_a_run_takes) {
    open_it();
    for (int parts = 0; parts < 2; parts++) {
        begin();
        keep_choice(parts);
        check_run("tuned");
        CHECK_EQ_INT(parts ? WHORL_STEPS : WHORL_SINGLE, stats.strategy);
        CHECK(!stats.fell_back);
        struct whorl_choice choice;
        CHECK_EQ_INT(WHORL_OK, whorl_auto(device, &h.program, NULL, &choice, &err));
        CHECK(choice.strategy == stats.strategy && choice.measured);
    }
    options.strategy = WHORL_SINGLE; // who asks for it gets it
    check_run("asked for");
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    CHECK(!stats.fell_back);
    handmade_end(&h);
    close_it();
}

static bool some_more(void *user, const struct whorl_progress *p) {
    int *left = user;
    (void)p;
    return --*left > 0;
}

// Stopped after each slice; when it goes on, the opposite is known to be faster.
TEST(a_run_that_was_stopped_goes_on_as_it_was) {
    open_it();
    int stops = 0;
    for (int parts = 0; parts < 2; parts++) {
        for (int stop = 1; stop < 100; stop++) {
            int left = stop;
            begin();
            keep_choice(parts);
            options.slice_iterations = 100;
            options.checkpoint = path;
            options.progress = some_more;
            options.user = &left;
            if (go() == WHORL_OK) break;
            CHECK_EQ_INT(WHORL_CANCELLED, err.status);
            CHECK(memcmp(x, start, sizeof x) == 0);
            stops++;
            keep_choice(!parts);
            options.progress = NULL;
            options.checkpoint = NULL;
            options.resume = path;
            check_run("resumed");
            CHECK_EQ_INT(parts ? WHORL_STEPS : WHORL_SINGLE, stats.strategy);
            CHECK(!stats.fell_back);
        }
    }
    CHECK(stops > 10);
    unlink(path);
    handmade_end(&h);
    close_it();
}

TEST(where_there_is_one_way_nothing_is_measured) {
    open_it();
    struct whorl_tuning tuning;
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    handmade_steps(&h, 300, 3);
    h.plan.single = h.plan.steps;
    h.plan.single.same_as_steps = true;
    CHECK_EQ_INT(WHORL_OK, whorl_tune(device, &h.program, arrays, sizes, NULL, &tuning, &err));
    CHECK_EQ_INT(0, tuning.count);
    struct whorl_choice choice;
    CHECK_EQ_INT(WHORL_OK, whorl_auto(device, &h.program, NULL, &choice, &err));
    CHECK_HAS_STR("same plan", choice.why);
    CHECK_EQ_INT(WHORL_INVALID, whorl_tune(device, &h.program, NULL, sizes, NULL, &tuning, &err));
    handmade_end(&h);
    close_it();
}
