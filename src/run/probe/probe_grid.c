// Can workgroups of one dispatch meet at a barrier here, how many at once, and at what price? WebGPU promises nothing
// of it, so it is measured; docs/memory-model.md has the argument that these measurements stand for.
//
// One kernel does all of it: a roll call, then barriers, barriers with messages, or a litmus test. Roll call and
// barrier are those of every program's kernel (barrier.wgsl), so nothing can hang; what fails is text in `grid_note`,
// and only a device that was lost is an error.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/embed.h"
#include "run/probe/probe.h"

enum { BARRIERS, MESSAGES, LITMUS, LITMUS_PLAIN, MESSAGES_PLAIN };                         // modes
enum { LANES = 256, MOST_GROUPS = 4096 };                                                  // of a workgroup, tried
enum { LITMUS_WORDS = 1 << 16, PLAIN_VECTORS = 1 << 18, PLAIN_WORDS = 4 * PLAIN_VECTORS }; // grid.wgsl
_Static_assert(PLAIN_VECTORS / LANES == RUN_COHERENT_GROUPS, "what a kernel may use has been tested");
enum { PROBE_WRONG = 7 }; // control word: wrong messages, stale reads
enum { FIRST_SPINS = 256, MOST_SPINS = 1 << 22, TRIES = 3, FIRST_ROUNDS = 16 };

struct grid {
    struct whorl_device *device;
    struct whorl_session *s;
    struct run_probe *out;
    struct whorl_error *err;
    double bound_ms;      // of a spin
    uint32_t spins;       // the same in passes
    uint32_t most_rounds; // of barriers in a dispatch
    bool coherent;        // the session's words are marked @coherent, and its messages plain
};

struct call {
    uint32_t mode, groups, rounds, flags;
    uint32_t goal_groups; // 0: as `groups`
    uint32_t spins;       // 0: the usual
};
struct answer {
    uint32_t control[PLAN_CONTROL_WORDS];
    double ms;
};

static enum whorl_status ask(struct grid *g, struct call c, struct answer *out) {
    struct whorl_session *s = g->s;
    bool cut;
    s->scalars.values[MODE] = c.mode;
    s->scalars.values[PASSES] = c.rounds;
    s->scalars.values[WORDS] = c.goal_groups ? c.goal_groups : c.groups;
    s->flight.scratch_cleared = false;
    double start = run_now_s();
    run_launch_add(s, 0, (struct run_call){0, c.groups * LANES, c.spins ? c.spins : g->spins, c.flags});
    enum whorl_status status = run_launch_submit(s, true, g->err);
    if (status == WHORL_OK) status = run_watch(s, out->control, &cut, g->err);
    out->ms = (run_now_s() - start) * 1e3;
    return status;
}

static bool all_came(const struct answer *a) { return a->control[PLAN_CONTROL_VERDICT] == PLAN_GRID_GO; }

static bool succeeded(const struct answer *a, uint32_t groups) {
    return all_came(a) && a->control[PLAN_CONTROL_GROUPS] == groups && a->control[PLAN_CONTROL_FAILED] == 0;
}

// ---- how fast is a spin ----
static enum whorl_status spin_ms(struct grid *g, uint32_t spins, double *out) {
    enum whorl_status status = WHORL_OK;
    *out = 1e9;
    for (int i = 0; i < TRIES && status == WHORL_OK; i++) {
        struct answer a;
        status =
            ask(g, (struct call){.mode = BARRIERS, .groups = 1, .rounds = 1, .goal_groups = 2, .spins = spins}, &a);
        if (a.ms < *out) *out = a.ms;
    }
    return status;
}

// One workgroup waits for a second one that does not exist: all of its passes are made.
static enum whorl_status measure_spins(struct grid *g) {
    const uint32_t cap = g->out->loop_cap;
    const uint32_t most = cap && cap / 2 < MOST_SPINS ? cap / 2 : MOST_SPINS;
    double none, some = 0;
    uint32_t spins = FIRST_SPINS;
    enum whorl_status status = spin_ms(g, 1, &none);
    while (status == WHORL_OK) {
        status = spin_ms(g, spins, &some);
        if (some > none + 2 || spins >= most) break;
        spins = spins < most / 4 ? spins * 4 : most;
    }
    if (status != WHORL_OK) return status;
    double per_ms = (spins - 1) / (some > 1.2 * none ? some - none : some); // the latter is too few: the wait is in it
    if (per_ms > g->out->spins_per_ms) g->out->spins_per_ms = per_ms;       // clocks rise while it is measured
    double bound = g->out->spins_per_ms * g->bound_ms;
    g->spins = bound < most / 2.0 ? (uint32_t)bound + 1 : most / 2;
    return WHORL_OK;
}

// ---- how many are resident at once ----
static enum whorl_status resident(struct grid *g, uint32_t groups, bool *out) {
    const bool software = g->device->gpu->is_software; // another thread may have had the processor
    const double end_s = run_now_s() + 0.1;
    enum whorl_status status = WHORL_OK;
    *out = false;
    do {
        struct answer a;
        status = ask(g, (struct call){.mode = BARRIERS, .groups = groups}, &a);
        *out = status == WHORL_OK && succeeded(&a, groups);
    } while (software && status == WHORL_OK && !*out && run_now_s() < end_s);
    return status;
}

// Doubles until a roll call fails, then closes in to one part in 64.
static enum whorl_status find_most(struct grid *g, uint32_t limit) {
    uint32_t good = 1, bad = limit + 1;
    bool came = true;
    enum whorl_status status = WHORL_OK;
    while (status == WHORL_OK && good < limit && came) {
        uint32_t next = good * 2 < limit ? good * 2 : limit;
        status = resident(g, next, &came);
        if (came)
            good = next;
        else
            bad = next;
    }
    while (status == WHORL_OK && bad - good > (good < 64 ? 1 : good / 64)) {
        uint32_t middle = good + (bad - good) / 2;
        status = resident(g, middle, &came);
        if (came)
            good = middle;
        else
            bad = middle;
    }
    g->out->grid_groups_max = good;
    return status;
}

// ---- what does a barrier cost ----
static enum whorl_status barriers_ms(struct grid *g, uint32_t groups, uint32_t rounds, double *out, bool *out_ok) {
    const double end_s = run_now_s() + 0.05;
    enum whorl_status status = WHORL_OK;
    *out = 1e9;
    *out_ok = false;
    for (int good = 0; good < TRIES && status == WHORL_OK && run_now_s() < end_s;) {
        struct answer a;
        status = ask(g, (struct call){.mode = BARRIERS, .groups = groups, .rounds = rounds}, &a);
        if (status != WHORL_OK || !succeeded(&a, groups)) {
            if (!g->device->gpu->is_software) break;
            continue;
        }
        good++;
        *out_ok = true;
        if (a.ms < *out) *out = a.ms;
    }
    return status;
}

// 0 where it could not be measured.
static enum whorl_status barrier_ns(struct grid *g, uint32_t groups, double *out) {
    double none, some;
    bool ok[2];
    uint32_t rounds = FIRST_ROUNDS;
    *out = 0;
    for (int pass = 0; pass < 3; pass++) { // the last takes about 3 ms
        enum whorl_status status = barriers_ms(g, groups, 0, &none, &ok[0]);
        if (status == WHORL_OK) status = barriers_ms(g, groups, rounds, &some, &ok[1]);
        if (status != WHORL_OK) return status;
        if (!ok[0] || !ok[1]) break; // 0, or what was found before
        *out = some > none ? (some - none) / rounds * 1e6 : 0;
        double wanted = *out > 0 ? 3e6 / *out : g->most_rounds;
        if (wanted <= rounds || rounds == g->most_rounds) break;
        rounds = wanted < g->most_rounds ? (uint32_t)wanted : g->most_rounds;
    }
    return WHORL_OK;
}

// The most workgroups is a multiple of the device's units, so its half and its quarter load them evenly too. More of
// them move more bytes and wait longer: the largest number is taken whose barrier costs at most half more than the
// cheapest. A device in software is used with one: its workgroups are threads, and whether they run side by side
// changes from one moment to the next.
static enum whorl_status choose_groups(struct grid *g) {
    struct run_probe *out = g->out;
    out->grid_groups = out->grid_groups_max;
    double cheapest = 0;
    for (uint32_t i = 0; i < WHORL_GRID_SIZES && out->grid_groups_max >> i >= 2; i++) {
        struct whorl_grid_size *size = &out->grid_sizes[out->grid_size_count];
        size->groups = out->grid_groups_max >> i;
        enum whorl_status status = barrier_ns(g, size->groups, &size->barrier_ns);
        if (status != WHORL_OK) return status;
        if (size->barrier_ns <= 0) continue;
        if (cheapest == 0 || size->barrier_ns < cheapest) cheapest = size->barrier_ns;
        out->grid_size_count++;
    }
    for (uint32_t i = out->grid_size_count; i-- > 0;)
        if (out->grid_sizes[i].barrier_ns <= 1.5 * cheapest) {
            out->grid_groups = out->grid_sizes[i].groups;
            out->barrier_ns = out->grid_sizes[i].barrier_ns;
        }
    return WHORL_OK;
}

// ---- does it work ----
struct trial {
    uint32_t groups, flags, barriers; // made so far
    uint64_t wrong;
    bool gave_up;
};

// Barriers with messages, some thousand of them or as many as there is time for. A dispatch whose workgroups were not
// all there proves nothing and is made again. So is one that gave up on a device in software, with fewer barriers: a
// thread may lose its processor for longer than a spin, and the driver may end loops.
static enum whorl_status self_test(struct grid *g, uint32_t groups, uint32_t flags, struct trial *t) {
    const bool software = g->device->gpu->is_software;
    const uint32_t wanted = 3000;
    const double end_s = run_now_s() + (software ? 0.1 : 0.05);
    uint32_t rounds = FIRST_ROUNDS;
    *t = (struct trial){.groups = groups, .flags = flags};
    while (t->barriers < wanted && t->wrong == 0 && !t->gave_up && run_now_s() < end_s) {
        if (rounds > (wanted - t->barriers + 1) / 2) rounds = (wanted - t->barriers + 1) / 2;
        struct answer a;
        enum whorl_status status = ask(
            g,
            (struct call){
                .mode = g->coherent ? MESSAGES_PLAIN : MESSAGES, .groups = groups, .rounds = rounds, .flags = flags},
            &a);
        if (status != WHORL_OK) return status;
        if (!succeeded(&a, groups)) { // behind a barrier that gave up anything may be read
            t->gave_up = !software;
            if (all_came(&a) && rounds > 1) rounds /= 2;
            continue;
        }
        t->wrong += a.control[PROBE_WRONG];
        t->barriers += 2 * rounds;
        if (rounds <= g->most_rounds / 2 && a.ms < 10) rounds *= 2;
    }
    if (!g->coherent) g->out->grid_tested += t->barriers;
    return WHORL_OK;
}

static bool passed(const struct trial *t) { return t->wrong == 0 && !t->gave_up && t->barriers > 0; }

static enum whorl_status run_litmus(struct grid *g, uint32_t groups) {
    const bool software = g->device->gpu->is_software;
    const uint32_t rounds = software ? 4 : 64,
                   lanes = software ? 16 : LANES; // there each message may cost a time slice
    struct run_probe *out = g->out;
    const uint64_t pairs = groups / 2 < LITMUS_WORDS / LANES ? groups / 2 : LITMUS_WORDS / LANES;
    for (uint32_t mode = LITMUS; mode <= LITMUS_PLAIN; mode++) {
        struct answer a = {0};
        double end_s = run_now_s() + 0.05;
        do {
            enum whorl_status status =
                ask(g, (struct call){.mode = mode, .groups = groups, .rounds = rounds, .flags = lanes << 8}, &a);
            if (status != WHORL_OK) return status;
        } while (software && !succeeded(&a, groups) && run_now_s() < end_s);
        if (mode == LITMUS_PLAIN) {
            out->litmus_plain_stale = a.control[PROBE_WRONG];
            continue;
        }
        if (succeeded(&a, groups)) out->litmus_messages = pairs * lanes * rounds;
        out->litmus_stale = a.control[PROBE_WRONG];
    }
    return WHORL_OK;
}

static void note(struct grid *g, const char *what, const struct trial *t) {
    if (t->barriers == 0 && t->wrong == 0 && !t->gave_up) {
        snprintf(g->out->grid_note, sizeof g->out->grid_note, "%u workgroups were not often enough there at once",
                 t->groups);
        return;
    }
    snprintf(g->out->grid_note, sizeof g->out->grid_note, "%s: %u workgroups, %llu wrong messages%s, %u barriers", what,
             t->groups, (unsigned long long)t->wrong, t->gave_up ? ", a barrier that gave up" : "", t->barriers);
}

// Without fences first. A stale read in the litmus test asks for them too: it shows an order that the self-test did not
// meet.
static enum whorl_status test_groups(struct grid *g) {
    struct run_probe *out = g->out;
    const uint32_t groups = out->grid_groups;
    struct trial bare, fenced, widest;
    enum whorl_status status = run_litmus(g, groups);
    if (status == WHORL_OK) status = self_test(g, groups, 0, &bare);
    if (status == WHORL_OK) status = self_test(g, groups, PLAN_GRID_FENCES, &fenced);
    if (status != WHORL_OK) return status;
    out->fences_needed = out->litmus_stale > 0 || bare.wrong > 0;
    const struct trial *used = out->fences_needed ? &fenced : &bare;
    widest = *used;
    out->grid_ok = passed(used);
    if (out->grid_ok && groups < out->grid_groups_max)
        status = self_test(g, out->grid_groups_max, used->flags, &widest);
    if (status != WHORL_OK) return status;
    if (!out->grid_ok) {
        note(g, "its self-test fails", used);
    } else if (!passed(&widest)) { // what is used works
        note(g, "with the most workgroups its self-test fails", &widest);
        out->grid_groups_max = groups;
    }
    return WHORL_OK;
}

static enum whorl_status measure(struct grid *g) {
    const struct run_gpu *gpu = g->device->gpu;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t limit = gpu->is_software ? (processors > 1 ? (uint32_t)processors : 1) : MOST_GROUPS;
    uint64_t room = g->s->res.sizes[0] / 4 - PLAIN_WORDS;
    if (limit > room / LANES) limit = (uint32_t)(room / LANES);
    enum whorl_status status = measure_spins(g);
    if (status == WHORL_OK) status = find_most(g, limit);
    if (status == WHORL_OK && g->out->grid_groups_max < 2) {
        snprintf(g->out->grid_note, sizeof g->out->grid_note, "only one workgroup runs at a time");
        return status;
    }
    if (status == WHORL_OK) status = choose_groups(g);
    if (status == WHORL_OK) status = test_groups(g);
    if (g->device->gpu->is_software || !g->out->grid_ok) g->out->grid_groups = 1;
    if (status == WHORL_OK) status = measure_spins(g);
    return status;
}

// The same of plain vectors that the library is asked to keep coherent: with the workgroups that programs use, and with
// the most.
static enum whorl_status measure_coherent(struct grid *g) {
    struct run_probe *out = g->out;
    const bool software = g->device->gpu->is_software;
    const uint32_t most = out->grid_groups_max < RUN_COHERENT_GROUPS ? out->grid_groups_max : RUN_COHERENT_GROUPS,
                   usually = out->grid_groups > 1 && out->grid_groups < most ? out->grid_groups : most,
                   flags = out->fences_needed ? PLAN_GRID_FENCES : 0;
    if (most < 2 || !out->grid_ok) return WHORL_OK; // nobody shares anything
    struct answer a = {0};
    struct trial usual = {0}, widest = {0};
    double end_s = run_now_s() + 0.05;
    enum whorl_status status;
    do
        status = ask(g,
                     (struct call){.mode = LITMUS_PLAIN,
                                   .groups = usually,
                                   .rounds = software ? 4 : 64,
                                   .flags = (software ? 16u : LANES) << 8},
                     &a);
    while (status == WHORL_OK && software && !succeeded(&a, usually) && run_now_s() < end_s);
    if (status == WHORL_OK) status = self_test(g, usually, flags, &usual);
    if (status == WHORL_OK) status = self_test(g, most, flags, &widest);
    if (status != WHORL_OK) return status;
    out->coherent_stale = a.control[PROBE_WRONG] + usual.wrong + widest.wrong;
    out->coherent_memory = succeeded(&a, usually) && out->coherent_stale == 0 && passed(&usual) && passed(&widest);
    return WHORL_OK;
}

// NULL without memory.
static char *kernel_text(bool coherent) {
    const struct base_embedded *file = base_embedded_find(wgsl_preludes, wgsl_preludes_count, "barrier.wgsl");
    const char *barrier = file ? file->text : "", *grid = run_probe_file("grid.wgsl"), *mark = "@coherent ";
    const char *data = strstr(grid, "var<storage, read_write> data");
    size_t size = strlen(barrier) + strlen(grid) + strlen(mark) + 1, before = data ? (size_t)(data - grid) : 0;
    char *text = base_heap_alloc(size);
    if (text)
        snprintf(text, size, "%s%.*s%s%s", barrier, (int)before, grid, coherent && data ? mark : "", grid + before);
    return text;
}

static enum whorl_status measure_on(struct grid *g) {
    struct probe_plan plan;
    const uint32_t words = PLAIN_WORDS + LANES * (g->device->gpu->is_software ? 512 : MOST_GROUPS);
    char *text = kernel_text(g->coherent);
    if (!text) return base_set_error(g->err, WHORL_MEMORY, "device", "out of memory for the probe");
    run_probe_plan(&plan, text, (int64_t)words * 4);
    plan.kernel.workgroup_size = LANES;
    plan.kernel.coherent = g->coherent;
    plan.array.kind = PLAN_SCRATCH;
    plan.plan.param_count = 0;
    enum whorl_status status = run_probe_open(g->device, &plan, &g->s, g->err);
    if (status == WHORL_OK) {
        g->s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
        status = g->coherent ? measure_coherent(g) : measure(g);
    }
    run_session_drop(g->s);
    base_heap_free(text);
    return status;
}

enum whorl_status run_probe_grid(struct whorl_device *device, struct run_probe *out, struct whorl_error *err) {
    const bool software = device->gpu->is_software;
    struct whorl_error why = {0};
    struct grid g = {device, NULL, out, &why, software ? 20 : 8, 1, software ? 512 : 4096, false};
    out->grid_groups = out->grid_groups_max = 1;
    if (device->info.max_invocations < LANES) {
        snprintf(out->grid_note, sizeof out->grid_note, "its workgroups are smaller than %d invocations", LANES);
        return WHORL_OK;
    }
    enum whorl_status status = measure_on(&g);
    if (status == WHORL_OK && device->gpu->has_coherent) {
        g.coherent = true;
        if (measure_on(&g) != WHORL_OK) out->coherent_memory = false;
        if (device->gpu->lost) status = WHORL_DEVICE;
    }
    if (status == WHORL_OK) return WHORL_OK;
    out->grid_ok = out->fences_needed = false;
    out->grid_groups = out->grid_groups_max = 1;
    out->grid_size_count = 0;
    out->spins_per_ms = out->barrier_ns = 0;
    out->coherent_memory = false;
    snprintf(out->grid_note, sizeof out->grid_note, "%.*s", (int)sizeof out->grid_note - 1, why.message);
    if (!device->gpu->lost) return WHORL_OK;
    if (err) *err = why;
    return status;
}
