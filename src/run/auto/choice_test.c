// What auto takes, by given times; and the file that it is kept in, whatever happens to that.
#include <sys/stat.h>

#include "base/file.h"
#include "cached_device.h"
#include "run/auto/choice.h"

static struct whorl_time at(double ns, double low, double high) { return (struct whorl_time){ns, low, high}; }

TEST(what_cannot_be_told_apart_is_decided_by_the_order) {
    const struct whorl_time clear[] = {at(20, 19, 21), at(8, 7, 9), at(30, 20, 40)};
    CHECK_EQ_INT(1, run_choice_pick(clear, 3));
    const struct whorl_time touching[] = {at(20, 9, 21), at(8, 7, 9), at(7.5, 7, 8)};
    CHECK_EQ_INT(1, run_choice_pick(touching, 3)); // the first does not reach down to 8, the second does
    const struct whorl_time alike[] = {at(20, 7.9, 21), at(8, 7, 9), at(7.5, 7, 8)};
    CHECK_EQ_INT(0, run_choice_pick(alike, 3));
    CHECK_EQ_INT(0, run_choice_pick(clear, 1));
}

// Ranks from the tables of the sign test.
TEST(a_median_has_the_interval_of_order_statistics) {
    static const struct {
        uint32_t count, low, high; // from 1
    } ranks[] = {{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {5, 1, 5}, {6, 1, 6}, {9, 2, 8}, {15, 4, 12}, {31, 10, 22}};
    double samples[31];
    for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++) {
        uint32_t n = ranks[k].count;
        for (uint32_t i = 0; i < n; i++)
            samples[i] = 1 + (i * 7 + 3) % n; // 1 ... n in disorder, where 7 divides none of them
        struct whorl_time t = run_median(samples, n);
        CHECK_NEAR((n + 1) / 2.0, t.ns, 1e-12);
        CHECK_EQ_INT(ranks[k].low, (int)t.low_ns);
        CHECK_EQ_INT(ranks[k].high, (int)t.high_ns);
    }
}

// ---- what is predicted ----------------------------------------------------------------------------------------------

// A plan whose parts are a loop of `passes` dispatches (0: nobody knows how many); `reads`: the host reads a number of
// iterations before each.
struct looped {
    struct plan plan;
    struct plan_expr_node exprs[3];
    struct plan_scalar found;
    struct plan_kernel kernel;
    struct plan_node loop, dispatch;
};
static void make_looped(struct looped *l, uint32_t passes, bool reads, uint64_t waits, uint64_t again_bytes) {
    *l = (struct looped){.found = {.kind = PLAN_STATE}};
    l->exprs[1] = (struct plan_expr_node){.op = passes ? PLAN_CONST : PLAN_SCALAR, .value = passes};
    l->exprs[2] = (struct plan_expr_node){.op = reads ? PLAN_SCALAR : PLAN_CONST};
    l->kernel = (struct plan_kernel){.iterations = 2};
    l->dispatch = (struct plan_node){.kind = PLAN_DISPATCH};
    l->loop = (struct plan_node){.kind = PLAN_LOOP, .count = 1, .child_count = 1, .children = &l->dispatch};
    l->plan = (struct plan){.exprs = l->exprs, .expr_count = 3, .scalars = &l->found, .scalar_count = 1};
    l->plan.kernels = &l->kernel, l->plan.kernel_count = 1;
    l->plan.steps.exists = true;
    l->plan.single =
        (struct plan_strategy){.exists = true, .waits = waits, .again_bytes = again_bytes, .fallback = &l->loop};
}

static bool predicts_parts(const struct looped *l, bool is_software) {
    struct run_choice choice;
    run_choice_predict(is_software, &l->plan, &choice);
    CHECK_EQ_INT(RUN_CHOICE_NONE, choice.from);
    return choice.parts;
}

static bool parts_of(uint32_t passes, bool reads, uint64_t waits, uint64_t again_bytes) {
    struct looped l;
    make_looped(&l, passes, reads, waits, again_bytes);
    return predicts_parts(&l, false);
}

TEST(what_waits_or_loads_much_is_predicted_to_be_faster_in_parts) {
    CHECK(!parts_of(1000, false, 0, 0));
    CHECK(!parts_of(1000, false, 40, 1 << 20));
    CHECK(parts_of(1000, false, 130, 0));
    CHECK(parts_of(1000, false, 0, 128 << 20));
    CHECK(parts_of(1000, false, 60, 16 << 20)); // both together
    CHECK(!parts_of(0, false, 40, 0));          // as long as data say
    struct looped l;
    make_looped(&l, 1000, false, 1000, 128 << 20);
    CHECK(!predicts_parts(&l, true)); // in software all memory is near
    l.plan.single.fallback = NULL;    // one dispatch without barriers is as any other
    CHECK(!predicts_parts(&l, false));
}

TEST(few_dispatches_are_not_worth_one) {
    CHECK(parts_of(20, false, 0, 0));
    CHECK(parts_of(30, false, 0, 0));
    CHECK(!parts_of(40, false, 0, 0));
    CHECK(!parts_of(20, true, 0, 0)); // the host reads 20 numbers
}

TEST(what_the_host_reads_weighs_as_dispatches) {
    CHECK(parts_of(1000, false, 400, 0));
    CHECK(!parts_of(1000, true, 400, 0));
    struct looped l;
    make_looped(&l, 0, false, 400, 0);
    CHECK(predicts_parts(&l, false));
    l.loop = (struct plan_node){.kind = PLAN_WHILE, .child_count = 1, .children = &l.dispatch}; // whether it goes on
    CHECK(!predicts_parts(&l, false));
}

static void check_words(const struct looped *l, const char *want) {
    struct run_choice choice;
    char words[200];
    run_choice_predict(false, &l->plan, &choice);
    run_choice_words(&l->plan, &choice, words, sizeof words);
    if (!strstr(words, want)) FAIL("%s", words);
}

TEST(the_reason_is_said) {
    struct looped l;
    make_looped(&l, 1000, false, 130, 0);
    check_words(&l, "wait 130 times in a phase");
    make_looped(&l, 1000, false, 0, 128 << 20);
    check_words(&l, "load 134 MB again");
    make_looped(&l, 4, false, 130, 0);
    check_words(&l, "saves only a few");
}

// ---- the file -------------------------------------------------------------------------------------------------------

static struct whorl_device device;
static char path[RUN_PATH_MAX + 64];

static void forget(void) {
    base_heap_free(device.choices);
    device.choices = NULL;
}

static void begin(void) {
    make_cache();
    forget();
    snprintf(device.cache_dir, sizeof device.cache_dir, "%s", cache);
    snprintf(device.info.name, sizeof device.info.name, "A GPU");
    snprintf(device.info.driver, sizeof device.info.driver, "1.0");
    CHECK(run_cache_file(&device, "auto", path, sizeof path));
}

static void end(void) {
    forget();
    drop_cache();
}

static const struct run_choice fast_parts = {RUN_CHOICE_TUNED, true, 0, 2e7, 8e6};
static const struct run_choice fast_single = {RUN_CHOICE_WRONG, false, 264, 1e6, 3e6};

static void check_known(uint64_t key, const struct run_choice *want) {
    struct run_choice got;
    CHECK(run_choices_load(&device, key, &got));
    CHECK(got.from == want->from && got.parts == want->parts && got.groups == want->groups);
    CHECK_NEAR(want->single_ns, got.single_ns, 1e-6);
    CHECK_NEAR(want->parts_ns, got.parts_ns, 1e-6);
}

static bool is_known(uint64_t key) {
    struct run_choice ignored;
    return run_choices_load(&device, key, &ignored);
}

TEST(choices_are_kept) {
    begin();
    CHECK(!is_known(1));
    CHECK(run_choices_store(&device, 1, &fast_parts));
    CHECK(run_choices_store(&device, UINT64_MAX, &fast_single));
    check_known(1, &fast_parts);
    forget(); // another process
    check_known(1, &fast_parts);
    check_known(UINT64_MAX, &fast_single);
    CHECK(!is_known(2));
    CHECK(run_choices_store(&device, 1, &fast_single)); // measured again
    forget();
    check_known(1, &fast_single);
    snprintf(device.info.driver, sizeof device.info.driver, "1.1"); // another driver
    forget();
    CHECK(!is_known(1));
    end();
}

TEST(two_processes_keep_what_both_found) {
    begin();
    static struct whorl_device other;
    CHECK(!is_known(1)); // has read the file, which is not there
    other = device;
    other.choices = NULL;
    CHECK(run_choices_store(&other, 2, &fast_single));
    base_heap_free(other.choices);
    CHECK(run_choices_store(&device, 1, &fast_parts));
    forget();
    check_known(1, &fast_parts);
    check_known(2, &fast_single);
    end();
}

TEST(the_oldest_are_forgotten) {
    begin();
    for (uint64_t key = 1; key <= RUN_CHOICES + 20; key++) {
        CHECK(run_choices_store(&device, key, &fast_parts));
        if (key == 100) CHECK(run_choices_store(&device, 3, &fast_single)); // is new again
    }
    forget();
    for (uint64_t key = 1; key <= 20; key++)
        CHECK(is_known(key) == (key == 3));
    CHECK(!is_known(21));
    for (uint64_t key = 22; key <= RUN_CHOICES + 20; key++)
        CHECK(is_known(key));
    end();
}

static char *text;
static size_t size;

static void read_it(void) {
    base_heap_free(text);
    CHECK_EQ_INT(WHORL_OK, base_read_file(path, 0, &text, &size, NULL));
}

static bool is_taken(const char *bytes, size_t count) {
    static struct run_choices all;
    bool ok = run_choices_read(&device, bytes, count, &all);
    CHECK(ok == (all.count > 0));
    return ok;
}

TEST(a_damaged_file_is_ignored) {
    begin();
    CHECK(run_choices_store(&device, 1, &fast_parts));
    read_it();
    CHECK(is_taken(text, size));
    for (size_t i = 0; i < size; i++) {
        text[i] ^= 1;
        CHECK(!is_taken(text, size));
        text[i] ^= 1;
    }
    for (size_t i = 0; i < size; i++)
        CHECK(!is_taken(text, i));
    const struct base_span cut = {text, size / 2};
    CHECK_EQ_INT(WHORL_OK, base_write_file(path, &cut, 1, NULL));
    forget();
    CHECK(!is_known(1));
    CHECK(run_choices_store(&device, 2, &fast_single)); // and replaced
    forget();
    check_known(2, &fast_single);
    end();
}

// With a checksum that is right, as a hand or another version would write it.
static bool is_taken_with(const char *from, const char *to) {
    static char changed[4096];
    const char *place = strstr(text, from);
    CHECK(place && size < 2000);
    int used = snprintf(changed, sizeof changed, "%.*s%s%.*s", (int)(place - text), text, to,
                        (int)(size - 17 - (size_t)(place - text) - strlen(from)), place + strlen(from));
    snprintf(changed + used, sizeof changed - (size_t)used, "%016llx\n",
             (unsigned long long)base_hash(BASE_HASH_START, changed, (size_t)used));
    return is_taken(changed, (size_t)used + 17);
}

TEST(another_version_or_nonsense_is_ignored) {
    begin();
    CHECK(run_choices_store(&device, 77, &fast_single));
    read_it();
    CHECK(is_taken_with("[77,", "[78,"));
    CHECK(!is_taken_with("\"whorl_choices\":2", "\"whorl_choices\":1"));
    CHECK(!is_taken_with("A GPU", "B GPU"));
    CHECK(!is_taken_with("[77,2,", "[77,3,"));
    CHECK(!is_taken_with("[77,2,", "[77,0,"));
    CHECK(!is_taken_with("[77,2,", "[-77,2,"));
    CHECK(!is_taken_with("[77,2,", "[77,2,1,"));
    CHECK(!is_taken_with("264", "70000"));
    CHECK(!is_taken_with("1000000.0", "-1.0"));
    CHECK(!is_taken_with("1000000.0", "\"fast\""));
    CHECK(!is_taken_with("false", "0"));
    end();
}

TEST(a_full_disk_costs_only_the_memory_of_it) {
    begin();
    if (access("/dev/full", W_OK) != 0) SKIP("no /dev/full");
    CHECK_EQ_INT(0, symlink("/dev/full", path));
    CHECK(!run_choices_store(&device, 1, &fast_parts));
    check_known(1, &fast_parts); // for this device object
    CHECK(!run_choices_store(&device, 2, &fast_single));
    check_known(1, &fast_parts);
    forget();
    CHECK(!is_known(1));
    unlink(path);
    device.cache_dir[0] = 0; // no folder at all
    CHECK(!run_choices_store(&device, 1, &fast_parts));
    check_known(1, &fast_parts);
    end();
}

TEST(running_out_of_memory_is_no_error) {
    begin();
    CHECK(run_choices_store(&device, 1, &fast_parts));
    (void)base_heap_fail_at(0);
    forget();
    CHECK(run_choices_store(&device, 1, &fast_parts));
    uint64_t calls = base_heap_fail_at(0);
    CHECK(calls > 3);
    for (uint64_t n = 1; n <= calls; n++) {
        forget();
        (void)base_heap_fail_at(n);
        bool kept = run_choices_store(&device, 2, &fast_single);
        (void)base_heap_fail_at(0);
        forget();
        if (kept) check_known(2, &fast_single);
        if (is_known(1)) check_known(1, &fast_parts); // it may be lost, never another
    }
    base_heap_free(text);
    text = NULL;
    end();
}
