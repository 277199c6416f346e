// Checkpoints: a run that is stopped after any slice goes on from its file with the same bits; a file that is cut,
// damaged or another's is refused before anything happens.
#include <sys/stat.h>

#include "base/file.h"
#include "cached_device.h"
#include "run/execute/handmade_runs.h"
#include "run/state/checkpoint.h"

enum { N = HANDMADE_RUN_WORDS };
static struct handmade h;
static struct whorl_stats stats;
static struct whorl_run_options options;
static uint32_t x[N], want[N], start[N];
static char path[128];

static whorl_device *the_device(void) {
    static whorl_device *device;
    if (!device) {
        make_cache();
        if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
        drop_cache();
    }
    memset(&err, 0, sizeof err);
    snprintf(path, sizeof path, "/tmp/whorl-test-%ld.ckpt", (long)getpid());
    return device;
}

static double last_fraction;
static bool some_more(void *user, const struct whorl_progress *p) {
    int *left = user;
    last_fraction = p->fraction;
    return --*left > 0;
}

static const char *begin(uint32_t which) {
    const char *name = handmade_run(&h, which, &options, x, want);
    memcpy(start, x, sizeof x);
    return name;
}

static enum whorl_status go(void) {
    void *arrays[] = {x};
    size_t sizes[] = {sizeof x};
    memset(&err, 0, sizeof err);
    return whorl_run(the_device(), &h.program, arrays, sizes, &options, &stats, &err);
}

static void check_result(const char *name, int stop) {
    for (uint32_t i = 0; i < N; i++)
        if (x[i] != want[i]) FAIL("%s, stopped after %d: element %u is %u, not %u", name, stop, i, x[i], want[i]);
}

// Leaves a checkpoint of program `which` after `slices` slices.
static void leave_checkpoint(uint32_t which, int slices) {
    begin(which);
    options.checkpoint = path;
    options.progress = some_more;
    options.user = &slices;
    CHECK_EQ_INT(WHORL_CANCELLED, go());
    CHECK_HAS_STR("has its state", err.message);
    CHECK_EQ_INT(1, stats.checkpoints);
    CHECK(memcmp(x, start, sizeof x) == 0);
    options.progress = NULL;
    options.checkpoint = NULL;
    options.resume = path;
}

TEST(a_run_goes_on_after_any_slice) {
    for (uint32_t which = 0; which < HANDMADE_RUNS; which++) {
        int stops = 0;
        for (int stop = 1;; stop++) {
            int left = stop;
            const char *name = begin(which);
            options.checkpoint = path;
            options.progress = some_more;
            options.user = &left;
            enum whorl_status status = go();
            if (status == WHORL_OK) break;
            CHECK_EQ_INT(WHORL_CANCELLED, status);
            options.progress = NULL;
            options.checkpoint = NULL;
            options.resume = path;
            options.slice_ticks = stop % 3 ? 5 : 0; // sliced otherwise than before
            if (go() != WHORL_OK) FAIL("%s, stopped after %d: %s", name, stop, err.message);
            check_result(name, stop);
            stops++;
        }
        CHECK(stops >= 4);
    }
    handmade_end(&h);
    unlink(path);
}

TEST(a_run_of_many_processes_is_the_same_run) {
    for (uint32_t which = 0; which < HANDMADE_RUNS; which++) {
        const char *name = begin(which);
        int parts = 0, left;
        unlink(path);
        options.checkpoint = path;
        options.progress = some_more;
        options.user = &left;
        double before = 0;
        for (left = 1; go() != WHORL_OK; left = 1 + parts % 2) {
            if (err.status != WHORL_CANCELLED || ++parts > 1000) FAIL("%s, part %d: %s", name, parts, err.message);
            if (last_fraction < before || last_fraction > (before + 1) / 2 + 0.3)
                FAIL("%s, part %d: %g of the work is done, and was %g before", name, parts, last_fraction, before);
            before = last_fraction;
            options.resume = path;
        }
        CHECK(parts >= 4);
        check_result(name, parts);
    }
    handmade_end(&h);
    unlink(path);
}

TEST(a_run_can_end_by_the_clock) {
    begin(0);
    options.max_s = 1e-9;
    CHECK_EQ_INT(WHORL_STOPPED, go());
    CHECK_HAS_STR("the time given to it", err.message);
    CHECK(memcmp(x, start, sizeof x) == 0);
    options.checkpoint = path;
    int parts = 0;
    for (; go() == WHORL_STOPPED && parts < 100; parts++)
        options.resume = path;
    CHECK_EQ_INT(WHORL_OK, err.status);
    CHECK(parts == 10); // 21 ticks by two; the last slice ends the run
    check_result("by the clock", parts);
    handmade_end(&h);
    unlink(path);
}

TEST(checkpoints_are_written_on_the_way) {
    begin(0);
    options.checkpoint = path;
    options.checkpoint_every_s = 1e-9;
    CHECK_EQ_INT(WHORL_OK, go());
    CHECK(stats.checkpoints >= 10);
    check_result("with checkpoints", 0);
    begin(0);
    options.resume = path; // of the last slice
    CHECK_EQ_INT(WHORL_OK, go());
    CHECK(stats.dispatches <= 1);
    check_result("from its end", 0);
    handmade_end(&h);
    unlink(path);
}

// ---- files that are not what they should be -------------------------------------------------------------------------

static char *file;
static size_t file_size;

static void take_file(void) {
    base_heap_free(file);
    CHECK_EQ_INT(WHORL_OK, base_read_file(path, 0, &file, &file_size, &err));
}

static void put_file(const char *data, size_t size) {
    const struct base_span span = {data, size};
    CHECK_EQ_INT(WHORL_OK, base_write_file(path, &span, 1, &err));
}

static void check_refused(const char *says) {
    memcpy(x, start, sizeof x);
    enum whorl_status status = go();
    CHECK_EQ_INT(WHORL_INVALID, status);
    CHECK_HAS_STR(says, err.message);
    CHECK_HAS_STR(path, err.message);
    CHECK_HAS_STR("; ", err.message); // what to do
    CHECK_EQ_INT(0, stats.dispatches);
    CHECK(memcmp(x, start, sizeof x) == 0);
}

static struct run_keep keep;
static struct whorl_session session;

// A session that can check files, without a device.
static void make_reader(void) {
    session = (struct whorl_session){.plan = &h.plan, .keep = &keep, .opened = options.strategy};
}

TEST(a_file_that_is_cut_at_any_byte_is_refused) {
    leave_checkpoint(1, 3);
    take_file();
    CHECK(file_size > 2000);
    make_reader();
    for (size_t size = 0; size < file_size; size++) { // from memory of just that size: the sanitizer watches
        struct run_copy copy;
        size_t at;
        unsigned char *part = malloc(size ? size : 1);
        CHECK(part != NULL);
        memcpy(part, file, size);
        enum whorl_status status = run_checkpoint_check(&session, path, part, size, &copy, &at, &err);
        free(part);
        if (status != WHORL_INVALID) FAIL("cut after %zu bytes: status %d", size, (int)status);
    }
    for (size_t size = 0; size < file_size; size += size < 300 ? 37 : 977) { // and as a run finds it
        put_file(file, size);
        check_refused(size < 16 ? "is too short" : "is damaged");
    }
    put_file(file, file_size);
    CHECK_EQ_INT(WHORL_OK, go());
    check_result("whole again", 0);
    handmade_end(&h);
    unlink(path);
}

TEST(a_file_with_any_byte_changed_is_refused) {
    leave_checkpoint(6, 3);
    take_file();
    make_reader();
    struct run_copy copy;
    size_t at;
    for (size_t i = 0; i < file_size; i++) {
        file[i] = (char)(file[i] ^ (1 << i % 8));
        if (run_checkpoint_check(&session, path, (unsigned char *)file, file_size, &copy, &at, &err) != WHORL_INVALID)
            FAIL("byte %zu may be changed", i);
        file[i] = (char)(file[i] ^ (1 << i % 8));
    }
    file[file_size / 2]++;
    put_file(file, file_size);
    check_refused("is damaged: its checksum");
    file[file_size / 2]--;
    put_file(file, file_size);
    CHECK_EQ_INT(WHORL_OK, go());
    handmade_end(&h);
    unlink(path);
}

TEST(a_file_of_something_else_is_refused) {
    leave_checkpoint(2, 3);
    take_file();
    start[7] = x[7] = 1;
    check_refused("of other inputs");
    begin(8);
    options.resume = path;
    check_refused("of another program");
    begin(2);
    options.resume = path;
    options.strategy = WHORL_EAGER;
    check_refused("of the strategy steps, this run is eager");
    options.strategy = WHORL_STEPS;
    file[16]++;
    put_file(file, file_size);
    check_refused("of another version of whorl");
    file[16]--;
    memcpy(file, "PK", 2);
    put_file(file, file_size);
    check_refused("is no checkpoint");
    unlink(path);
    CHECK_EQ_INT(WHORL_IO, go());
    CHECK_HAS_STR("cannot open", err.message);
    handmade_end(&h);
}

// ---- where it cannot be written -------------------------------------------------------------------------------------

static char folder[64], said[600];
static int seen;

static bool folder_goes(void *user, const struct whorl_progress *p) {
    char name[128];
    const int *last = user;
    snprintf(name, sizeof name, "%s/run.ckpt", folder);
    if (++seen == 3) {
        CHECK(access(name, F_OK) == 0); // the ones before
        unlink(name);
        rmdir(folder);
    }
    if (p->warning) snprintf(said, sizeof said, "%s", p->warning);
    return seen != *last;
}

TEST(a_checkpoint_that_cannot_be_written_is_told_and_the_run_goes_on) {
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        int last = cancelled ? 6 : -1;
        strcpy(folder, "/tmp/whorl-test-XXXXXX");
        CHECK(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/run.ckpt", folder);
        char kept[sizeof path];
        strcpy(kept, path);
        seen = 0;
        said[0] = 0;
        begin(0);
        options.checkpoint = kept;
        options.checkpoint_every_s = 1e-9;
        options.progress = folder_goes;
        options.user = &last;
        enum whorl_status status = go();
        CHECK_HAS_STR("no checkpoint: cannot write", said);
        CHECK_HAS_STR("the run goes on", said);
        if (!cancelled) {
            CHECK_EQ_INT(WHORL_OK, status);
            check_result("without its folder", 0);
        } else {
            CHECK_EQ_INT(WHORL_IO, status);
            CHECK_HAS_STR("cancelled after", err.message);
            CHECK_HAS_STR("there is no checkpoint of it: cannot write", err.message);
        }
    }
    begin(0);
    options.checkpoint = "/nowhere/at/all.ckpt";
    CHECK_EQ_INT(WHORL_IO, go()); // before anything is run
    CHECK_HAS_STR("the folder is not there", err.message);
    handmade_end(&h);
}

TEST(what_has_no_checkpoints_says_so) {
    begin(0);
    whorl_session *s;
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(the_device(), &h.program, WHORL_STEPS, &s, &err));
    struct whorl_run_options bad = WHORL_RUN_OPTIONS_INIT;
    bad.resume = path;
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_run(s, 1, &bad, NULL, &err));
    CHECK_HAS_STR("whorl_run has", err.message);
    whorl_session_destroy(s);
    handmade_end(&h);
    base_heap_free(file);
    whorl_device_destroy(the_device());
}
