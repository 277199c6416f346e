// Runs under auto that change over on their way, by a clock of the test's own: the bits are those of a run that does
// not, whenever it is, whatever else happens.
#include "cached_device.h"
#include "run/execute/grid.h"
#include "run/execute/handmade_runs.h"

static struct handmade h;
static struct whorl_stats stats;
static struct whorl_run_options options;
static whorl_device *device;
static uint32_t x[300], want[300], start[300];
static char path[128];

// A trial asks at the beginning and the end of each stretch: of single, then of its parts.
static double single_s, parts_s, now;
static unsigned asked;
static double clock_of_test(void) {
    now += asked % 4 == 1 ? single_s : asked % 4 == 3 ? parts_s : 0;
    asked++;
    return now;
}

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

static void begin(uint32_t trial, double single, double parts) {
    base_heap_free(device->choices); // nothing is known
    device->choices = NULL;
    run_choices_forget(device);
    device->grid_test = (struct run_grid_test){.trial = trial, .clock_s = clock_of_test};
    single_s = single;
    parts_s = parts;
    asked = 0;
    options = (struct whorl_run_options)WHORL_RUN_OPTIONS_INIT;
    options.groups = 1;
    options.slice_ticks = 2;
    handmade_ring(&h, ring);
    h.program.plan_json = plan_write(&h.cx, &h.plan, NULL);
    for (uint32_t i = 0; i < ring.n; i++)
        x[i] = want[i] = start[i] = i * 7919u;
    handmade_ring_expected(&ring, want);
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

TEST(a_run_changes_over_to_what_is_faster) {
    open_it();
    for (uint32_t trial = 1; trial <= 11; trial++) { // stretches that end inside of the inner loop, and at its end
        begin(trial, 2, 1);
        check_run("parts are faster");
        CHECK(!stats.fell_back);
        CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
        CHECK_HAS_STR("steps: measured by a run", stats.note);
        CHECK_EQ_INT(12, asked);
        begin(trial, 1, 2);
        check_run("single is faster");
        CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
        CHECK_HAS_STR("single: measured by a run", stats.note);
        CHECK_EQ_INT(12, asked);
    }
    begin(3, 1, 0.97); // not clearly
    check_run("about the same");
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    handmade_end(&h);
    close_it();
}

TEST(the_next_run_knows) {
    open_it();
    begin(2, 2, 1);
    check_run("first");
    uint64_t both = stats.dispatches;
    asked = 0;
    check_run("second");
    CHECK_EQ_INT(0, asked);
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    CHECK_EQ_INT(1 + 21 * 3, stats.dispatches);
    CHECK(!stats.fell_back && both > stats.dispatches);
    struct whorl_choice choice;
    CHECK_EQ_INT(WHORL_OK, whorl_auto(device, &h.program, NULL, &choice, &err));
    CHECK(choice.strategy == WHORL_STEPS && choice.measured);
    options.strategy = WHORL_SINGLE; // who asks for it gets it
    check_run("asked for");
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    CHECK(!stats.fell_back);
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

// One of the tree's kernels computes something else: as float arithmetic may in another kernel.
TEST(other_bits_keep_a_run_where_it_is) {
    open_it();
    begin(3, 2, 1);
    change_factor(0, "* 3u", '9');
    check_run("other bits");
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    CHECK(!stats.fell_back);
    struct whorl_choice choice;
    CHECK_EQ_INT(WHORL_OK, whorl_auto(device, &h.program, NULL, &choice, &err));
    CHECK(choice.strategy == WHORL_SINGLE && !choice.measured);
    CHECK_HAS_STR("other last bits", choice.why);
    asked = 0;
    check_run("again"); // without another trial
    CHECK_EQ_INT(0, asked);
    handmade_end(&h);
    close_it();
}

// Integers that may not differ: single is wrong here, and the run begins again without it.
static void make_single_wrong(uint32_t trial) {
    begin(trial, 1, 2); // single would be the faster one
    change_factor(h.plan.single.root.kernel, "* 3u", '9');
    h.plan.arrays[h.plan.params[0].index].exact = true;
}

TEST(integers_that_differ_are_an_error_and_the_parts_are_taken) {
    open_it();
    for (uint32_t trial = 1; trial <= 7; trial += 3) {
        make_single_wrong(trial);
        check_run("single is wrong");
        CHECK(stats.disagreed);
        CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
        CHECK_HAS_STR("strategies disagree on integers: x[", stats.note);
        CHECK_HAS_STR("`whorl run --race`", stats.note);
        asked = 0;
        check_run("again"); // without a trial and without single
        CHECK_EQ_INT(0, asked);
        CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
        CHECK_HAS_STR("single gave other integers", stats.note);
        handmade_end(&h);
    }
    close_it();
}

TEST(tuning_takes_the_parts_where_single_is_wrong) {
    open_it();
    struct whorl_tuning tuning;
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    make_single_wrong(0);
    if (whorl_tune(device, &h.program, arrays, sizes, NULL, &tuning, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_HAS_STR("strategies disagree on integers: x[", tuning.disagreement);
    CHECK_EQ_INT(WHORL_STEPS, tuning.candidates[tuning.chosen].strategy);
    check_run("after tuning");
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    h.plan.arrays[h.plan.params[0].index].exact = false; // then they are last bits of floats for all that is known
    if (whorl_tune(device, &h.program, arrays, sizes, NULL, &tuning, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_EQ_STR("", tuning.disagreement);
    handmade_end(&h);
    close_it();
}

// The shared scalar alone is another.
TEST(another_scalar_keeps_a_run_where_it_is) {
    open_it();
    begin(1, 2, 1);
    change_factor(2, "* 5u + t;", '7');
    check_run("another scalar");
    CHECK_EQ_INT(WHORL_SINGLE, stats.strategy);
    handmade_end(&h);
    close_it();
}

static bool some_more(void *user, const struct whorl_progress *p) {
    int *left = user;
    (void)p;
    return --*left > 0;
}

// Ctrl-C after each slice, before, and after it has changed over; then on from the checkpoint.
TEST(a_run_that_is_stopped_goes_on_with_the_same_bits) {
    open_it();
    int stops = 0, changed = 0;
    for (int faster = 0; faster < 2; faster++) {
        for (int stop = 1; stop < 100; stop++) {
            int left = stop;
            begin(3, 2, faster ? 1 : 4);
            options.slice_iterations = 100;
            options.checkpoint = path;
            options.progress = some_more;
            options.user = &left;
            if (go() == WHORL_OK) break;
            CHECK_EQ_INT(WHORL_CANCELLED, err.status);
            CHECK(memcmp(x, start, sizeof x) == 0);
            changed += stats.strategy == WHORL_STEPS;
            stops++;
            options.progress = NULL;
            options.checkpoint = NULL;
            options.resume = path;
            check_run("resumed");
            CHECK(!stats.fell_back);
        }
    }
    CHECK(stops > 10 && changed > 3);
    unlink(path);
    handmade_end(&h);
    close_it();
}

TEST(a_device_that_is_lost_in_a_trial_is_replaced) {
    open_it();
    begin(3, 2, 1);
    (void)run_gpu_lose_at(0, 0);
    check_run("not lost");
    uint64_t submits = run_gpu_lose_at(0, 0);
    for (uint64_t nth = 1; nth <= submits; nth += 3) {
        begin(3, 2, 1);
        device->copy_each_slice = nth % 2;
        (void)run_gpu_lose_at(nth, 0);
        check_run("lost");
        CHECK_EQ_INT(1, stats.losses);
        CHECK(!stats.fell_back);
    }
    (void)run_gpu_lose_at(0, 0);
    handmade_end(&h);
    close_it();
}

TEST(every_call_of_a_trial_fails_once) {
    open_it();
    begin(3, 2, 1);
    (void)run_gpu_fail_at(0);
    check_run("none fails");
    uint64_t calls = run_gpu_fail_at(0), failed = 0;
    CHECK(calls > 100);
    for (uint64_t n = 1; n <= calls; n += 1 + calls / 60) {
        begin(3, 2, 1);
        (void)run_gpu_fail_at(n);
        if (go() == WHORL_OK)
            CHECK(memcmp(x, want, sizeof x) == 0);
        else
            CHECK(memcmp(x, start, sizeof x) == 0 && err.message[0] && ++failed);
    }
    (void)run_gpu_fail_at(0);
    CHECK(failed > 10);
    handmade_end(&h);
    close_it();
}

TEST(running_out_of_memory_in_a_trial_is_no_error_of_the_results) {
    open_it();
    begin(3, 2, 1);
    (void)base_heap_fail_at(0);
    check_run("none fails");
    uint64_t calls = base_heap_fail_at(0);
    for (uint64_t n = 1; n <= calls; n++) {
        begin(3, 2, 1);
        (void)base_heap_fail_at(n);
        enum whorl_status status = go();
        (void)base_heap_fail_at(0);
        if (status == WHORL_OK) CHECK(memcmp(x, want, sizeof x) == 0);
        if (status != WHORL_OK) CHECK(memcmp(x, start, sizeof x) == 0);
    }
    handmade_end(&h);
    close_it();
}

// ---- whorl_tune -----------------------------------------------------------------------------------------------------

TEST(tuning_keeps_an_answer_and_no_results) {
    open_it();
    struct whorl_tuning tuning;
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    begin(0, 1, 1);
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

TEST(what_was_tuned_is_what_a_session_takes) {
    open_it();
    for (int parts = 0; parts < 2; parts++) {
        begin(0, 1, 1);
        int64_t *values = calloc(h.plan.scalar_count + 1, sizeof *values);
        CHECK(values);
        const struct run_choice choice = {RUN_CHOICE_TUNED, parts, 0, 1, 1};
        CHECK(run_choices_store(device, run_choice_key(&h.plan, values), &choice));
        free(values);
        check_run("tuned");
        CHECK_EQ_INT(parts ? WHORL_STEPS : WHORL_SINGLE, stats.strategy);
    }
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
