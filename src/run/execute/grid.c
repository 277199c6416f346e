// How a grid kernel is run: the workgroups and ticks of a slice, what its answer means, and the way out.
//
// WebGPU does not promise that workgroups run side by side, so nothing here relies on it. A slice is believed only if
// all of its workgroups met at the roll call, none gave a barrier up and all came to their end. If the roll call failed
// nothing was touched, and fewer workgroups try again. After anything else the device's copy of what the slice wrote is
// put back, and the strategy's fallback, a tree of ordinary dispatches, goes on from the last good resume point. With
// one workgroup no barrier can fail, so that no copy is made but where a driver is known to end loops early; the
// caller's inputs are then the last resort.
#include <string.h>

#include "run/execute/execute.h"

enum { SPINS_PER_MS = 20000, HARDWARE_GROUPS = 64, MIN_SPIN_MS = 50, ROLL_MS = 50, UNLIMITED_SPIN_MS = 10000 };
enum { SPINS_ALLOWED = 500 }; // of the passes that a barrier may take of a driver's loop cap, as a rule
static const double barrier_ns_hardware = 2e3, barrier_ns_software = 100e3; // of more than one workgroup

static uint32_t to_u32(double value, uint32_t low, uint32_t high) {
    return value <= low ? low : value >= high ? high : (uint32_t)value;
}

// ---- workgroups -----------------------------------------------------------------------------------------------------

// What the user asked for, else what the probe recommends, else a guess. Where the probe's self-test failed it is one,
// whatever was asked for.
static uint32_t device_groups(const struct whorl_device *device, uint32_t asked) {
    const struct run_probe *probe = &device->probe;
    bool is_software = device->gpu->is_software;
    if (probe->grid_groups && !probe->grid_ok && !is_software) return 1;
    return asked ? asked : probe->grid_groups ? probe->grid_groups : is_software ? 1 : HARDWARE_GROUPS;
}

static double spins_per_ms(const struct whorl_device *device) {
    return device->probe.spins_per_ms > 0 ? device->probe.spins_per_ms : SPINS_PER_MS;
}

static double widest_of(const struct whorl_session *s) {
    int64_t widest;
    return plan_eval(s->plan, run_grid_kernel(&s->res)->grid->widest, s->scalars.values, &widest) && widest > 1
               ? (double)widest
               : 1;
}

static uint32_t choose_groups(struct whorl_session *s) {
    struct run_grid *g = s->res.grid;
    const struct run_pipeline *pipeline = s->res.kernels[g->kernel].pipeline;
    uint32_t given = s->policy.groups, asked = given ? given : s->choice.groups;
    uint32_t groups = device_groups(s->device, asked);
    uint32_t size = run_grid_kernel(&s->res)->grid->chunk, widest = s->res.gpu->limits.maxComputeWorkgroupsPerDimension;
    if (!asked && groups > 1 && !s->res.gpu->is_software)
        groups =
            run_grid_best_groups(&s->device->probe, widest_of(s), run_grid_kernel(&s->res)->workgroup_size, groups);
    uint32_t coherent = s->device->probe.coherent_memory ? RUN_COHERENT_GROUPS : 1;
    if (run_grid_kernel(&s->res)->coherent && groups > coherent) groups = coherent;
    if (asked != g->asked) g->groups = 0;
    g->asked = asked;
    if (g->groups && g->groups < groups) groups = g->groups;
    if (!given && pipeline->grid_groups && pipeline->grid_groups < groups) groups = pipeline->grid_groups;
    double useful = (widest_of(s) + size - 1) / size;
    return to_u32(groups < useful ? groups : useful, 1, widest);
}

// Fewer from now on, in this session and others.
static void take_fewer(struct whorl_session *s, uint32_t groups) {
    s->res.grid->groups = groups ? groups : 1;
    s->res.grid->is_confirmed = false;
    s->res.kernels[s->res.grid->kernel].pipeline->grid_groups = s->res.grid->groups;
}

// ---- ticks ----------------------------------------------------------------------------------------------------------

// Passes of all loops of an invocation in one tick, as far as they can be known.
static double loops_of_tick(const struct whorl_session *s, uint32_t groups) {
    const struct plan_kernel *k = run_grid_kernel(&s->res);
    double stride = (double)groups * k->workgroup_size, passes = (widest_of(s) + stride - 1) / stride;
    return (double)k->tick_loops * passes * (k->grid->tick_barriers + 1.0) +
           (groups > 1 ? (double)k->grid->tick_barriers * SPINS_ALLOWED : 0);
}

// Invocations that have no iteration come to all barriers and combine what lanes have, too: a phase is never narrower
// than the workgroups.
static double guess_tick_ns(const struct whorl_session *s, uint32_t groups) {
    double all = (double)groups * run_grid_kernel(&s->res)->workgroup_size, widest = widest_of(s);
    if (all > widest) widest = all;
    double barrier_ns = s->res.gpu->is_software ? barrier_ns_software : barrier_ns_hardware;
    if (s->device->probe.barrier_ns > 0) barrier_ns = s->device->probe.barrier_ns;
    return run_slice_guess_ns(s, s->res.grid->kernel, widest) * widest +
           (groups > 1 ? barrier_ns * run_grid_kernel(&s->res)->grid->tick_barriers : 0);
}

bool run_grid_is_too_long(struct whorl_session *s) {
    enum { SLICES = 5 }; // guess: what is guessed is often wrong by so much
    const struct plan_kernel *k = run_grid_kernel(&s->res);
    if (k->resume_words || s->policy.slice_ms == 0 || s->res.kernels[s->res.grid->kernel].ns_per_work > 0) return false;
    if (guess_tick_ns(s, choose_groups(s)) * 1e-6 <= SLICES * s->policy.slice_ms) return false;
    s->res.grid->why = "single would take too long at once, and its iterations cannot pause";
    return true;
}

// How many ticks the clock allows. `last`: ticks of the slice before. A measurement of few ticks is not trusted for
// many.
static double timed_ticks(const struct whorl_session *s, uint32_t groups, uint64_t last) {
    double measured = s->res.kernels[s->res.grid->kernel].ns_per_work, slice_ns = s->policy.slice_ms * 1e6;
    if (s->policy.slice_ms == 0) return PLAN_NO_LIMIT;
    if (measured > 0) {
        double ticks = 0.7 * slice_ns / measured;
        return last && ticks > 4.0 * (double)last ? 4.0 * (double)last : ticks;
    }
    double guess = guess_tick_ns(s, groups), all = (double)run_grid_kernel(&s->res)->ticks;
    double most = run_guess_share(s->res.gpu) * slice_ns;
    return all > 0 && all * guess <= most ? PLAN_NO_LIMIT : most / guess;
}

static uint32_t budget_of(const struct whorl_session *s, uint32_t groups, uint64_t last) {
    const struct plan_kernel *k = run_grid_kernel(&s->res);
    if (k->resume_words == 0) return PLAN_NO_LIMIT;
    uint32_t arrivals = k->grid->tick_barriers ? k->grid->tick_barriers : 1;
    double most = (double)(PLAN_GRID_POISON / 2) / ((double)groups * arrivals);
    if (s->policy.loop_cap) {
        double capped = s->policy.loop_cap / 4.0 / loops_of_tick(s, groups);
        most = capped < most ? capped : most;
    }
    double wanted = s->policy.force_ticks ? (double)s->policy.force_ticks : timed_ticks(s, groups, last);
    uint32_t budget = to_u32(wanted < most ? wanted : most, 1, PLAN_NO_LIMIT - 1);
    // A budget for all ticks is always the same number, so that a repeated call has the same parameters.
    return !s->policy.force_ticks && k->ticks && budget > k->ticks ? PLAN_NO_LIMIT - 1 : budget;
}

// Passes of a spin of `ms`, at most this share of a driver's loop cap. The roll call has a half of the cap, a barrier
// that is given up a quarter, all else the last quarter.
static uint32_t spins_of(const struct whorl_device *device, const struct run_policy *p, double ms, double share) {
    double spins = ms * spins_per_ms(device);
    double most = p->loop_cap ? p->loop_cap * share : INT32_MAX;
    return to_u32(spins < most ? spins : most, 1, INT32_MAX);
}

// ---- one slice ------------------------------------------------------------------------------------------------------

static bool may_be_lost(const struct whorl_device *device, uint32_t groups) {
    return groups > 1 || device->probe.loop_cap > 0 || device->grid_test.lose > 0;
}

static void make_slice(const struct whorl_session *s, uint32_t groups, uint32_t budget, bool fresh,
                       struct run_grid_slice *out) {
    const struct run_grid_test *test = &s->device->grid_test;
    // A slice takes up to 0.7 of its time; with this, a barrier that is given up at its end costs less than two
    // (tests/starve.sh).
    double spin_ms = s->policy.slice_ms > 0 ? s->policy.slice_ms : UNLIMITED_SPIN_MS;
    *out = (struct run_grid_slice){.groups = groups, .fresh = fresh, .calls = 1};
    uint32_t *words = out->words;
    words[PLAN_GRID_SPINS] = test->spins
                                 ? test->spins
                                 : spins_of(s->device, &s->policy, spin_ms > MIN_SPIN_MS ? spin_ms : MIN_SPIN_MS, 0.25);
    words[PLAN_GRID_GROUPS] = groups;
    words[PLAN_BUDGET] = budget;
    words[PLAN_RESUME] = !fresh;
    if (s->device->probe.fences_needed || s->device->probe.grid_groups == 0) words[PLAN_GRID_FLAGS] = PLAN_GRID_FENCES;
    words[PLAN_GRID_FIRST] = test->first;
    words[PLAN_GRID_ROLL] = test->roll ? test->roll : spins_of(s->device, &s->policy, ROLL_MS, 0.5);
}

static bool is_good(const uint32_t *control, uint32_t groups) {
    return control[PLAN_CONTROL_VERDICT] == PLAN_GRID_GO && control[PLAN_CONTROL_FAILED] == 0 &&
           control[PLAN_CONTROL_GROUPS] == groups;
}

static enum whorl_status submit_and_wait(struct whorl_session *s, struct run_grid_slice *slice, bool keeps,
                                         uint32_t *control, double *out_ms, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    slice->keeps = keeps;
    if (keeps && !s->res.grid->has_shadows) status = run_grid_make_shadows(&s->res, err);
    double start = run_now_s();
    if (status == WHORL_OK) status = run_grid_submit(s, slice, err);
    if (status == WHORL_OK) status = run_grid_wait(s, 1, (uint32_t(*)[PLAN_CONTROL_WORDS])control, err);
    double ms = (run_now_s() - start) * 1e3, wait_ms = s->device->info.wait_us * 1e-3;
    *out_ms = ms > 2 * wait_ms ? ms - wait_ms : ms / 2;
    return status;
}

// ---- the way out ----------------------------------------------------------------------------------------------------

static enum whorl_status write_state(struct whorl_session *s, const uint32_t *saved, struct whorl_error *err) {
    const struct plan_grid *grid = run_grid_kernel(&s->res)->grid;
    enum whorl_status status = WHORL_OK;
    for (uint32_t w = 1; w < grid->saved_count && status == WHORL_OK; w++)
        if (grid->saved[w].kind == PLAN_SAVED_STATE)
            status = run_gpu_write(s->res.gpu, s->res.buffers[s->plan->state_buffer],
                                   (uint64_t)grid->saved[w].index * 4, &saved[w], 4, err);
    return status;
}

// Progress is counted in the fallback's work from now on, and goes on from where it was.
static void measure_rest(struct whorl_session *s) {
    double dispatches, total, before = s->at.work_total > 0 ? s->at.work_done / s->at.work_total : 0;
    run_walk_sum(&s->scalars, s->res.grid->strategy->fallback, &dispatches, &total);
    s->at.work_total = total;
    s->at.work_done = before * total;
}

// s->at.place is in the fallback, at the place of these saved words; *out_ok: there is one.
static enum whorl_status enter_tree(struct whorl_session *s, const uint32_t *saved, bool *out_ok,
                                    struct whorl_error *err) {
    const struct plan_grid *grid = run_grid_kernel(&s->res)->grid;
    s->at.place = (struct run_place){.kind = RUN_AT_TREE, .fallback = true};
    *out_ok = run_walk_resume(&s->scalars, &s->at.place.walk, s->res.grid->strategy->fallback, grid, saved);
    s->flight.scratch_cleared = true; // scratch arrays hold what the good slices made
    return *out_ok ? write_state(s, saved, err) : WHORL_OK;
}

enum whorl_status run_grid_leave(struct whorl_session *s, bool fresh, bool *out_cut, struct whorl_error *err) {
    struct run_grid *g = s->res.grid;
    const struct plan_node *fallback = g->strategy->fallback;
    enum whorl_status status = run_session_prepare(s, fallback, err);
    if (status != WHORL_OK) return status;
    measure_rest(s);
    if (fresh) return run_execute_tree(s, fallback, out_cut, err);
    bool ok;
    status = enter_tree(s, g->saved, &ok, err);
    *out_cut = !ok; // what it saved makes no sense
    return status == WHORL_OK && ok ? run_execute_walk(s, out_cut, err) : status;
}

// The slice is lost. The fallback goes on from the copy of it; without one, the caller begins again (*out_cut).
static enum whorl_status abandon(struct whorl_session *s, bool fresh, const char *why, bool *out_cut,
                                 struct whorl_error *err) {
    struct run_grid *g = s->res.grid;
    g->abandoned = true;
    g->why = why;
    *out_cut = !g->kept;
    if (!g->kept) return WHORL_OK;
    enum whorl_status status = run_grid_put_back(s, err);
    return status == WHORL_OK ? run_grid_leave(s, fresh, out_cut, err) : status;
}

static const char *why_of(const uint32_t *control, uint32_t groups) {
    if (control[PLAN_CONTROL_VERDICT] == 0) return "the device cut the single dispatch short";
    if (control[PLAN_CONTROL_GROUPS] != groups) return "not all workgroups of the single dispatch came to their end";
    return groups > 1 ? "a barrier of the single dispatch was given up, or a loop of it ended early"
                      : "a loop of the single dispatch ended early";
}

// ---- one call, in slices --------------------------------------------------------------------------------------------

struct call {
    bool fresh;
    uint64_t last;  // ticks of the slice before
    uint64_t ticks; // of the call so far
    int idle;       // slices in a row without any
    int leaves;     // roll calls that failed
};

// What a good slice says about speed and progress.
static enum whorl_status take_good(struct whorl_session *s, struct call *c, const uint32_t *control, double ms,
                                   struct whorl_error *err) {
    struct run_grid *g = s->res.grid;
    struct run_kernel *state = &s->res.kernels[g->kernel];
    const struct plan_kernel *k = run_grid_kernel(&s->res);
    c->last = control[PLAN_CONTROL_TICKS];
    c->ticks += c->last;
    c->idle = c->last ? 0 : c->idle + 1;
    if (c->last) state->ns_per_work = (ms > 0.001 ? ms : 0.001) * 1e6 / (double)c->last;
    if (c->ticks > state->ticks_seen) state->ticks_seen = c->ticks;
    s->at.work_done += (double)c->last;
    if (control[PLAN_CONTROL_PAUSED] && (c->idle > 1 || k->resume_words == 0))
        return base_set_error(err, WHORL_INTERNAL, "run", "kernel %s (%s) paused without need", k->name, k->origin);
    memcpy(g->saved, g->found, (size_t)k->resume_words * 4);
    s->at.place.kind = control[PLAN_CONTROL_PAUSED] ? RUN_AT_GRID : RUN_AT_END;
    return run_slice_done(s, err);
}

static enum whorl_status run_call(struct whorl_session *s, bool can_restart, bool *out_cut, struct whorl_error *err) {
    struct run_grid *g = s->res.grid;
    struct call c = {.fresh = s->at.place.kind != RUN_AT_GRID};
    uint32_t groups = choose_groups(s);
    *out_cut = false;
    for (;;) {
        struct run_grid_slice slice;
        uint32_t control[PLAN_CONTROL_WORDS];
        double ms;
        make_slice(s, groups, budget_of(s, groups, c.last), c.fresh, &slice);
        bool keeps = may_be_lost(s->device, groups) && !(c.fresh && can_restart);
        enum whorl_status status = submit_and_wait(s, &slice, keeps, control, &ms, err);
        if (status != WHORL_OK) return status;
        if (control[PLAN_CONTROL_VERDICT] == PLAN_GRID_LEAVE && groups > 1) {
            // As many as were there at once; if that was too many again, it is another program's doing.
            uint32_t here = control[PLAN_CONTROL_ARRIVED], most = c.leaves++ ? groups / 2 : groups - 1;
            groups = here < most ? here : most;
            take_fewer(s, groups);
            groups = g->groups;
            continue;
        }
        if (s->device->grid_test.lose && --s->device->grid_test.lose == 0) control[PLAN_CONTROL_VERDICT] = 0;
        if (!is_good(control, groups)) {
            s->device->grid_test.lost_ms = ms;
            if (groups > 1) take_fewer(s, groups / 2);
            return abandon(s, c.fresh, why_of(control, groups), out_cut, err);
        }
        g->groups = groups;
        g->is_confirmed = true;
        s->device->grid_test.ran = groups;
        c.fresh = false;
        status = take_good(s, &c, control, ms, err);
        if (status != WHORL_OK || !control[PLAN_CONTROL_PAUSED]) return status;
    }
}

// ---- many calls in flight -------------------------------------------------------------------------------------------

// One call is one slice, and the workgroups are known to run side by side.
static bool can_queue(struct whorl_session *s) {
    const struct plan_kernel *k = run_grid_kernel(&s->res);
    uint64_t ticks = k->ticks ? k->ticks : s->res.kernels[s->res.grid->kernel].ticks_seen;
    uint32_t groups = choose_groups(s);
    return s->res.grid->is_confirmed && groups == s->res.grid->groups && !s->policy.force_ticks &&
           !s->device->grid_test.first && !s->device->grid_test.lose &&
           (k->resume_words == 0 || (ticks && ticks <= budget_of(s, groups, 0)));
}

// *out_good: all of them were believed; else they are undone.
static enum whorl_status run_queue(struct whorl_session *s, uint32_t calls, bool *out_good, struct whorl_error *err) {
    uint32_t control[RUN_GRID_QUEUE][PLAN_CONTROL_WORDS], groups = s->res.grid->groups;
    struct run_grid_slice slice;
    enum whorl_status status = WHORL_OK;
    make_slice(s, groups, budget_of(s, groups, 0), true, &slice);
    uint32_t each = s->policy.calls_per_submit;
    slice.keeps = may_be_lost(s->device, groups);
    if (slice.keeps && !s->res.grid->has_shadows) status = run_grid_make_shadows(&s->res, err);
    for (slice.first = 0; slice.first < calls && status == WHORL_OK; slice.first += slice.calls) {
        slice.calls = each && each < calls - slice.first ? each : calls - slice.first;
        status = run_grid_submit(s, &slice, err);
    }
    if (status == WHORL_OK) status = run_grid_wait(s, calls, control, err);
    if (status != WHORL_OK) return status;
    *out_good = true;
    for (uint32_t i = 0; i < calls; i++)
        *out_good &= is_good(control[i], groups) && control[i][PLAN_CONTROL_PAUSED] == 0;
    return *out_good || !slice.keeps ? WHORL_OK : run_grid_put_back(s, err);
}

enum whorl_status run_grid_calls(struct whorl_session *s, uint32_t calls, bool can_restart, bool *out_cut,
                                 struct whorl_error *err) {
    struct run_grid *g = s->res.grid;
    enum whorl_status status = WHORL_OK;
    *out_cut = false;
    bool queues = calls > 1;
    for (uint32_t done = 0, some; done < calls && status == WHORL_OK && !*out_cut; done += some) {
        some = 1;
        if (g->abandoned) {
            status = run_execute_tree(s, g->strategy->fallback, out_cut, err);
        } else if (queues && can_queue(s)) {
            some = calls - done < RUN_GRID_QUEUE ? calls - done : RUN_GRID_QUEUE;
            status = run_queue(s, some, &queues, err);
            if (!queues && g->kept) some = 0; // one by one then
            if (!queues && !g->kept) {
                g->abandoned = *out_cut = true;
                g->why = "the device cut the single dispatch short";
            }
        } else {
            status = run_call(s, can_restart && calls == 1, out_cut, err);
        }
    }
    return status;
}
