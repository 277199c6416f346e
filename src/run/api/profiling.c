// whorl_profile: where the time of one dispatch goes. Shaders have no clock, so it is measured by difference.
//
// The loops of a grid kernel are also kernels of the tree that it falls back to. Each is run alone, on the data as it
// finds them half-way through the program: N times in one submit, then 2N times. The difference, over N, is one time.
// The cost of an empty dispatch is taken off, since a phase inside the one dispatch does not pay it. The whole dispatch
// is measured as it is, less an empty submit. What the loops do not explain is barriers, and all that makes a loop
// slower or faster inside than alone. All figures are medians with the 95% interval of order statistics.
#include <stdio.h>
#include <string.h>

#include "run/api/api.h"
#include "run/execute/execute.h"
#include "run/session/buffers.h"
#include "run/session/command_list.h"
#include "run/session/launch.h"

enum { SAMPLES = 15, FLUSH = 512, LATEST_CALL = 200, MOST_REPEATS = 4096 };
static const double sample_ns = 2e6; // wanted of N dispatches

struct profiler {
    struct whorl_session *s;
    void *const *arrays;
    const size_t *size_bytes;
    const struct plan_node *root; // the tree of dispatches
    uint64_t *calls;              // by kernel
    uint32_t groups;
    struct whorl_error *err;
};

// ---- the tree, dispatch by dispatch ---------------------------------------------------------------------------------

static enum whorl_status submit(struct profiler *p) {
    uint32_t control[PLAN_CONTROL_WORDS];
    bool cut;
    p->s->progress.first_submit_s = 0;
    enum whorl_status status = run_launch_submit(p->s, true, p->err);
    if (status == WHORL_OK) status = run_watch(p->s, control, &cut, p->err);
    if (status == WHORL_OK && cut)
        status = base_set_error(p->err, WHORL_DEVICE, "run",
                                "a loop is too long to be measured in one dispatch; "
                                "profile a smaller size");
    return status;
}

// Of the last submit, from there to its end: as the time of a run is taken.
static double last_ns(const struct profiler *p) {
    return (p->s->progress.last_done_s - p->s->progress.first_submit_s) * 1e9;
}

static enum whorl_status begin(struct profiler *p) {
    struct whorl_session *s = p->s;
    enum whorl_status status = WHORL_OK;
    s->policy = (struct run_policy){.shrink = 1};
    run_launch_begin(s);
    s->flight.scratch_cleared = false;
    for (uint32_t i = 0; i < s->plan->param_count && status == WHORL_OK; i++)
        if (s->plan->params[i].is_array)
            status =
                run_array_write(s, &s->plan->arrays[s->plan->params[i].index], p->arrays[i], p->size_bytes[i], p->err);
    return status;
}

// Runs the tree up to, and without, call number `stop_at` of the kernel; *out_item is that call. UINT32_MAX: to its
// end, counting.
static enum whorl_status advance(struct profiler *p, uint32_t stop, uint64_t stop_at, struct run_item *out_item) {
    struct whorl_session *s = p->s;
    struct run_walk walk;
    uint64_t seen = 0;
    bool done = false;
    enum whorl_status status = begin(p);
    run_walk_start(&walk, p->root);
    walk.one_by_one = true;
    while (status == WHORL_OK) {
        status = run_walk_next(&s->scalars, &walk, out_item, &done, p->err);
        if (status != WHORL_OK) return status;
        bool here = !done && !out_item->is_test && out_item->kernel == stop && seen++ == stop_at;
        if (done || here) return s->res.batch.count ? submit(p) : WHORL_OK;
        if (out_item->is_test) {
            run_walk_words(s->plan, &walk, &s->flight.words);
            status = submit(p);
            if (status == WHORL_OK) run_walk_decide(&s->scalars, &walk, &s->flight.words);
            continue;
        }
        if (stop == UINT32_MAX) p->calls[out_item->kernel]++;
        if (run_launch_full(&s->res.batch) || s->res.batch.count >= FLUSH) status = submit(p);
        if (status == WHORL_OK)
            run_launch_add(s, out_item->kernel, (struct run_call){0, out_item->iterations, PLAN_NO_LIMIT, 0});
    }
    return status;
}

// ---- one kernel -----------------------------------------------------------------------------------------------------

static enum whorl_status time_of(struct profiler *p, const struct run_item *item, uint32_t times, double *out_ns) {
    for (uint32_t i = 0; i < times; i++)
        run_launch_add(p->s, item->kernel, (struct run_call){0, item->iterations, PLAN_NO_LIMIT, 0});
    enum whorl_status status = submit(p);
    *out_ns = last_ns(p);
    return status;
}

static enum whorl_status measure(struct profiler *p, const struct run_item *item, struct whorl_time *out) {
    double few, many, samples[SAMPLES], empty_ns = p->s->device->info.dispatch_us * 1e3;
    uint32_t n = 1, most = p->s->res.batch.cap / 2 < MOST_REPEATS ? p->s->res.batch.cap / 2 : MOST_REPEATS;
    enum whorl_status status = time_of(p, item, 1, &few); // warm
    for (;; n *= 2) {
        if (status == WHORL_OK) status = time_of(p, item, n, &few);
        if (status == WHORL_OK) status = time_of(p, item, 2 * n, &many);
        if (status != WHORL_OK || many - few > sample_ns || 2 * n > most) break;
    }
    for (int i = 0; i < SAMPLES && status == WHORL_OK; i++) {
        status = time_of(p, item, n, &few);
        if (status == WHORL_OK) status = time_of(p, item, 2 * n, &many);
        double one = (many - few) / n - empty_ns;
        samples[i] = one > 0 ? one : 0;
    }
    if (status == WHORL_OK) *out = run_median(samples, SAMPLES);
    return status;
}

static enum whorl_status measure_kernels(struct profiler *p, struct whorl_profile *out) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t k = 0; k < p->s->plan->kernel_count && status == WHORL_OK; k++) {
        struct run_item item;
        if (p->calls[k] == 0) continue;
        if (out->phase_count == WHORL_PHASES)
            return base_set_error(p->err, WHORL_LIMIT, "run", "more than %d loops", WHORL_PHASES);
        struct whorl_phase *phase = &out->phases[out->phase_count++];
        snprintf(phase->origin, sizeof phase->origin, "%s", p->s->plan->kernels[k].origin);
        phase->sequential = p->s->plan->kernels[k].one_group;
        phase->calls = p->calls[k];
        status = advance(p, k, p->calls[k] / 2 < LATEST_CALL ? p->calls[k] / 2 : LATEST_CALL, &item);
        if (status == WHORL_OK) status = measure(p, &item, &phase->one);
    }
    return status;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static enum whorl_status measure_wait(struct profiler *p, struct whorl_time *out) {
    double samples[SAMPLES];
    enum whorl_status status = WHORL_OK;
    run_launch_empty(&p->s->res.batch);
    for (int i = 0; i < SAMPLES && status == WHORL_OK; i++) {
        status = submit(p);
        samples[i] = last_ns(p);
    }
    *out = run_median(samples, SAMPLES);
    return status;
}

static double barrier_ns(const struct whorl_grid *g, uint32_t groups) {
    double best = g->barrier_ns;
    uint32_t distance = g->groups > groups ? g->groups - groups : groups - g->groups;
    for (uint32_t i = 0; i < g->size_count; i++) {
        uint32_t far = g->sizes[i].groups > groups ? g->sizes[i].groups - groups : groups - g->sizes[i].groups;
        if (far < distance) {
            distance = far;
            best = g->sizes[i].barrier_ns;
        }
    }
    return best;
}

// From the inputs, with nothing under way on the device: uploads of large arrays last longer than the call that asks
// for them.
static enum whorl_status begin_idle(struct profiler *p) {
    uint32_t control[PLAN_CONTROL_WORDS];
    enum whorl_status status = begin(p);
    return status == WHORL_OK ? run_raw_read(&p->s->res, p->s->res.control, 0, control, sizeof control, p->err)
                              : status;
}

static enum whorl_status measure_whole(struct profiler *p, struct whorl_profile *out) {
    struct whorl_session *s = p->s;
    struct whorl_run_options options = {.struct_size = sizeof options, .strategy = WHORL_SINGLE, .groups = p->groups};
    double samples[SAMPLES];
    enum whorl_status status = WHORL_OK;
    for (int i = -2; i < SAMPLES && status == WHORL_OK; i++) { // two to warm up
        struct whorl_stats stats = {0};
        status = begin_idle(p);
        s->at.place = (struct run_place){.kind = RUN_AT_START};
        s->progress.slices = 0;
        if (status == WHORL_OK) status = run_execute(s, 1, &options, NULL, NULL, &stats, p->err);
        if (status == WHORL_OK && stats.fell_back)
            status = base_set_error(p->err, WHORL_DEVICE, "run", "the single dispatch did not run to its end: %s",
                                    stats.note);
        if (stats.execute_ms < 500) options.slice_ms = -1; // in one piece
        if (i >= 0) samples[i] = stats.execute_ms * 1e6;
        out->dispatches = stats.dispatches;
        out->slices = stats.slices;
    }
    if (status != WHORL_OK) return status;
    out->whole = run_median(samples, SAMPLES);
    uint32_t control[PLAN_CONTROL_WORDS];
    if (!s->res.grid || out->dispatches != 1) return WHORL_OK;
    status = run_raw_read(&s->res, s->res.control, run_control_offset(&s->res, 0), control, sizeof control, p->err);
    out->groups = control[PLAN_CONTROL_GROUPS];
    out->barriers = out->groups ? control[PLAN_CONTROL_BARRIER] / out->groups : 0;
    out->barrier_ns = barrier_ns(&s->device->info.grid, out->groups);
    return status;
}

static enum whorl_status check_arrays(struct profiler *p) {
    const struct plan *plan = p->s->plan;
    for (uint32_t i = 0; i < plan->param_count; i++) {
        const struct plan_array *a;
        if (!plan->params[i].is_array) continue;
        enum whorl_status status = run_session_find_array(p->s, i, p->size_bytes[i], &a, p->err);
        if (status != WHORL_OK) return status;
        if (!p->arrays[i]) return base_set_error(p->err, WHORL_INVALID, "run", "array '%s' has no memory", a->name);
    }
    return WHORL_OK;
}

enum whorl_status whorl_profile(whorl_device *device, const whorl_program *program, void *const *arrays,
                                const size_t *size_bytes, const struct whorl_run_options *options,
                                struct whorl_profile *out, struct whorl_error *err) {
    struct whorl_run_options own = WHORL_RUN_OPTIONS_INIT;
    struct run_item unused;
    struct profiler p = {.arrays = arrays, .size_bytes = size_bytes, .err = err};
    if (!out || !arrays || !size_bytes)
        return base_set_error(err, WHORL_INVALID, "run", "no arrays, or no place for the answer");
    memset(out, 0, sizeof *out);
    enum whorl_status status = run_take_options(&own, options, err);
    if (status != WHORL_OK) return status;
    p.groups = own.groups;
    if (device && !device->gpu) return base_set_error(err, WHORL_INVALID, "run", "a profile needs a GPU");
    status = run_session_open(device, program, &own, WHORL_SINGLE, &p.s, err);
    if (status != WHORL_OK) return status;
    const struct plan_strategy *strategy = run_strategy_of(p.s->plan, p.s->strategy);
    p.root = strategy->fallback ? strategy->fallback : &strategy->root;
    size_t bytes = (p.s->plan->kernel_count + 1) * sizeof *p.calls;
    p.calls = base_heap_alloc(bytes);
    if (p.calls)
        memset(p.calls, 0, bytes);
    else
        status = base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    if (status == WHORL_OK) status = check_arrays(&p);
    if (status == WHORL_OK) status = measure_whole(&p, out);
    if (status == WHORL_OK) status = run_session_prepare(p.s, p.root, err);
    if (status == WHORL_OK) status = advance(&p, UINT32_MAX, 0, &unused);
    if (status == WHORL_OK) status = measure_wait(&p, &out->wait);
    if (status == WHORL_OK) status = measure_kernels(&p, out);
    base_heap_free(p.calls);
    whorl_session_destroy(p.s);
    return status;
}
