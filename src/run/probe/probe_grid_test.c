// The probe of barriers: what it decides from what it measures, and what it finds on the software GPU that is here.
#include "probe_grid.c"

#include "cached_device.h"
#include "check.h"

static whorl_device *device;
static struct run_probe found;
static struct whorl_error why;
static struct grid g;
static char *text;
static struct probe_plan plan;

// A session of the probe's kernel, with `change` made to its text.
static void begin(const char *change, const char *to) {
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    text = kernel_text(false);
    char *at = change ? strstr(text, change) : NULL;
    if (change) CHECK(at && strlen(change) == strlen(to));
    if (at) memcpy(at, to, strlen(to));
    found = (struct run_probe){0};
    g = (struct grid){device, NULL, &found, &why, 20, 20000, 256, false};
    run_probe_plan(&plan, text, (PLAIN_WORDS + 2 * LANES * 64) * 4);
    plan.kernel.workgroup_size = LANES;
    plan.array.kind = PLAN_SCRATCH;
    plan.plan.param_count = 0;
    if (run_probe_open(device, &plan, &g.s, &why) != WHORL_OK) FAIL("%s", why.message);
    g.s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
}

static void end(void) {
    run_session_drop(g.s);
    base_heap_free(text);
    whorl_device_destroy(device);
    drop_cache();
}

TEST(one_workgroup_passes_every_barrier) {
    struct trial t;
    begin(NULL, NULL);
    for (uint32_t flags = 0; flags <= PLAN_GRID_FENCES; flags++) {
        CHECK_EQ_INT(WHORL_OK, self_test(&g, 1, flags, &t));
        CHECK(passed(&t) && t.barriers >= 100);
    }
    end();
}

TEST(a_wrong_message_is_seen) {
    struct trial t;
    begin("mine], message(r, mine)", "mine], message(1, mine)"); // the first round's, for ever
    CHECK_EQ_INT(WHORL_OK, self_test(&g, 1, 0, &t));
    CHECK(!passed(&t) && t.wrong > 0);
    end();
}

TEST(a_wrong_plain_message_is_seen) {
    struct trial t;
    for (int wrong = 0; wrong < 2; wrong++) {
        begin(wrong ? "vec4<u32>(message(r, mine))" : NULL, "vec4<u32>(message(1, mine))");
        g.coherent = true;
        CHECK_EQ_INT(WHORL_OK, self_test(&g, 1, 0, &t));
        CHECK(wrong ? t.wrong > 0 && !passed(&t) : passed(&t));
        end();
    }
}

TEST(a_barrier_that_does_not_wait_is_seen) {
    struct trial t;
    begin("whorl_goal += groups;", "whorl_goal += 0u    ;");
    measure_spins(&g);
    CHECK_EQ_INT(WHORL_OK, self_test(&g, 2, 0, &t));
    end();
    if (t.barriers == 0) SKIP("no two workgroups ran at once");
    CHECK(t.wrong > 0 && !passed(&t));
}

TEST(a_barrier_without_its_other_half_gives_up) {
    struct answer a;
    begin(NULL, NULL);
    for (uint32_t rounds = 1; rounds <= 100; rounds *= 10) { // one spin's time, whatever follows it
        CHECK_EQ_INT(WHORL_OK,
                     ask(&g, (struct call){.mode = BARRIERS, .groups = 1, .rounds = rounds, .goal_groups = 2}, &a));
        CHECK(all_came(&a) && !succeeded(&a, 1));
        CHECK_EQ_INT(1, a.control[PLAN_CONTROL_FAILED]);
        CHECK_EQ_INT(1, a.control[PLAN_CONTROL_GROUPS]);
    }
    end();
}

TEST(workgroups_that_are_not_all_there_leave) {
    struct answer a;
    begin("params[0].y / 256u", "params[0].y / 128u"); // the roll call waits for twice as many
    CHECK_EQ_INT(WHORL_OK, ask(&g, (struct call){.mode = MESSAGES, .groups = 4, .rounds = 5}, &a));
    CHECK_EQ_INT(PLAN_GRID_LEAVE, a.control[PLAN_CONTROL_VERDICT]);
    CHECK_EQ_INT(4, a.control[PLAN_CONTROL_GROUPS]); // all ended
    CHECK_EQ_INT(0, a.control[PLAN_CONTROL_BARRIER]);
    end();
}

TEST(the_probe_finds_what_is_usable) {
    make_cache();
    if (open_device("gpu", true, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    const struct run_probe *p = &device->probe;
    CHECK(p->spins_per_ms > 100 && p->grid_groups_max >= p->grid_groups && p->grid_groups >= 1);
    CHECK(p->grid_ok ? p->grid_tested > 0 && p->grid_groups_max > 1 : p->grid_note[0] != 0);
    CHECK(p->grid_ok || p->grid_groups == 1);
    CHECK_EQ_INT(0, p->litmus_stale);
    CHECK(!p->coherent_memory || device->gpu->has_coherent);
    CHECK_EQ_INT(0, p->coherent_stale);
    if (device->gpu->is_software) CHECK_EQ_INT(1, p->grid_groups);
    struct run_probe kept = {0};
    CHECK(run_probe_load(device, &kept));
    CHECK(kept.grid_ok == p->grid_ok && kept.grid_groups_max == p->grid_groups_max);
    CHECK(kept.grid_tested == p->grid_tested && kept.litmus_messages == p->litmus_messages);
    CHECK_EQ_INT(p->coherent_memory, kept.coherent_memory);
    CHECK_EQ_INT(p->grid_size_count, kept.grid_size_count);
    CHECK_EQ_STR(p->grid_note, kept.grid_note);
    run_probe_forget(device);
    CHECK(!run_probe_load(device, &kept));
    whorl_device_destroy(device);
    drop_cache();
}
