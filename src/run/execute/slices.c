// Cutting one dispatch into slices that a watchdog lets live: first the range of iterations, then the ticks inside each
// (a tick is one pass of a loop that can pause; plan.h). Sizes come from measurement: the first slice is small, later
// ones grow by what they took.
//
// Before anything is measured, time is guessed from the kernel's text: about one operation in 12 characters, each tick
// standing for `tick_loops` passes (of a kernel that cannot pause, an iteration for so many). The guess is often ten
// times too low, since library functions are not in that text and inner loops may be long. So the first slice may take
// a tenth of a slice's time by the guess, in software a third; each later one grows by a factor of 4 at most. A few
// iterations do not fill a device: one operation comes after the other then, however many others the device could do at
// the same time.
#include "run/execute/execute.h"
#include "run/session/buffers.h"
#include "run/session/launch.h"

static const double default_ops_per_s = 1e9;
static const double ns_after_the_other = 2; // guess: 4 cycles of 2 GHz

// Fewer iterations at a time would leave the device idle; more ticks cost nothing but the wait.
static uint32_t fill_iterations(const struct run_gpu *g) { return g->is_software ? 1024 : 65536; }

double run_slice_guess_ns(const struct whorl_session *s, uint32_t kernel, double iterations) {
    const struct plan_kernel *k = &s->plan->kernels[kernel];
    double rate = s->device->probe.ops_per_s > 0 ? s->device->probe.ops_per_s : default_ops_per_s;
    double ops = plan_text_operations(k->wgsl) * (double)k->tick_loops;
    double side_by_side = ops / rate * 1e9, abreast = (iterations > 1 ? iterations : 1) * (k->lanes > 1 ? k->lanes : 1),
           alone = ops * ns_after_the_other / abreast;
    return side_by_side > alone ? side_by_side : alone;
}

static double ns_per_work(const struct whorl_session *s, const struct run_item *item) {
    double measured = s->res.kernels[item->kernel].ns_per_work;
    return measured > 0 ? measured : run_slice_guess_ns(s, item->kernel, item->iterations);
}

double run_slice_estimate_ns(const struct whorl_session *s, const struct run_item *item) {
    return run_item_work(s->plan, item) * ns_per_work(s, item);
}

// Ticks that an iteration may use so that all its loops together stay under half of the driver's cap.
static uint64_t capped_ticks(const struct run_policy *p, const struct plan_kernel *k) {
    if (p->loop_cap == 0) return UINT64_MAX;
    uint64_t ticks = p->loop_cap / 2 / k->tick_loops;
    return ticks ? ticks : 1;
}

bool run_slice_whole(const struct whorl_session *s, const struct run_item *item) {
    const struct run_policy *p = &s->policy;
    const struct plan_kernel *k = &s->plan->kernels[item->kernel];
    bool known = s->res.kernels[item->kernel].ns_per_work > 0;
    if (k->one_group || (!k->range_sliceable && k->resume_words == 0)) return true;
    if (p->shrink > 1) return false;
    if ((p->force_iterations && k->range_sliceable) || (p->force_ticks && k->resume_words)) return false;
    if (k->resume_words && p->loop_cap && (k->ticks == 0 || k->ticks > capped_ticks(p, k))) return false;
    if (p->slice_ms == 0) return true;
    if (k->resume_words && k->ticks == 0 && !known)
        return false; // its length is in the data: the first run is made with a tick budget
    return run_slice_estimate_ns(s, item) * 1e-6 <= p->slice_ms * (known ? 0.7 : run_guess_share(s->res.gpu));
}

static uint32_t to_u32(double value, uint32_t low, uint32_t high) {
    return value <= low ? low : value >= high ? high : (uint32_t)value;
}

// How many iterations a slice of this work (iterations times ticks) takes.
static uint32_t iterations_of(const struct whorl_session *s, const struct run_item *item, double work) {
    const struct run_policy *p = &s->policy;
    const struct plan_kernel *k = &s->plan->kernels[item->kernel];
    uint32_t n = item->iterations, fill = n < fill_iterations(s->res.gpu) ? n : fill_iterations(s->res.gpu), count;
    double ticks = (double)(k->ticks ? k->ticks : s->res.kernels[item->kernel].ticks_seen);
    if (!k->range_sliceable) return n;
    if (p->force_iterations)
        count = to_u32((double)p->force_iterations, 1, n);
    else if (k->resume_words && ticks == 0) // ticks alone bound the first slice
        count = to_u32(16.0 * fill_iterations(s->res.gpu), 1, n);
    else
        count = to_u32(work / (ticks > 1 ? ticks : 1), k->resume_words ? fill : 1, n);
    count = to_u32((double)count, 1, n / p->shrink ? n / p->shrink : 1);
    if (k->resume_words) { // their saved state must fit a binding
        uint64_t room = s->res.gpu->limits.maxStorageBufferBindingSize;
        room = (room < RUN_SAVED_BYTES ? room : RUN_SAVED_BYTES) / 4 / k->resume_words;
        count = to_u32((double)count, 1, room < 1 ? 1 : room < n ? (uint32_t)room : n);
    }
    return count;
}

// How many ticks each of `count` iterations may use.
static uint32_t budget_of(const struct run_policy *p, const struct plan_kernel *k, double work, uint32_t count) {
    uint64_t cap = capped_ticks(p, k);
    if (!k->resume_words) return PLAN_NO_LIMIT;
    if (p->force_ticks)
        return to_u32((double)p->force_ticks, 1, cap < PLAN_NO_LIMIT ? (uint32_t)cap : PLAN_NO_LIMIT - 1);
    uint64_t budget = PLAN_NO_LIMIT;
    if (p->slice_ms > 0 && !p->force_iterations) budget = to_u32(work / count, 1, PLAN_NO_LIMIT);
    if (cap < budget) budget = cap;
    return k->ticks && k->ticks <= budget ? PLAN_NO_LIMIT : (uint32_t)budget;
}

// One slice: a dispatch, a submit, a wait. *out_ms is what it took.
static enum whorl_status run_one(struct whorl_session *s, uint32_t kernel, struct run_call call, uint32_t *control,
                                 bool *out_cut, double *out_ms, struct whorl_error *err) {
    double start = run_now_s();
    run_launch_add(s, kernel, call);
    enum whorl_status status = run_launch_submit(s, true, err);
    if (status == WHORL_OK) status = run_watch(s, control, out_cut, err);
    *out_ms = (run_now_s() - start) * 1e3 - s->device->info.wait_us * 1e-3;
    return status;
}

// All ticks of one range of iterations. `work` is the work a slice aims at; it follows what slices took.
static enum whorl_status run_range(struct whorl_session *s, const struct run_item *item, double *work, bool *out_cut,
                                   struct whorl_error *err) {
    const struct plan_kernel *k = &s->plan->kernels[item->kernel];
    struct run_kernel *state = &s->res.kernels[item->kernel];
    struct run_place *at = &s->at.place;
    const uint32_t base = at->base, count = at->count;
    const double target_ms = s->policy.slice_ms * 0.7;
    uint64_t ticks_before = 0;
    int idle = 0;
    for (uint32_t resume = at->paused;; resume = 1) {
        uint32_t budget = budget_of(&s->policy, k, *work, count);
        enum whorl_status status = WHORL_OK;
        if (budget != PLAN_NO_LIMIT || resume) status = run_saved_ensure(&s->res, item->kernel, count, err);
        if (status != WHORL_OK) return status;
        uint32_t control[PLAN_CONTROL_WORDS];
        double ms;
        status = run_one(s, item->kernel, (struct run_call){base, count, budget, resume}, control, out_cut, &ms, err);
        if (status != WHORL_OK || *out_cut) return status;
        uint64_t used = control[PLAN_CONTROL_TICKS] ? control[PLAN_CONTROL_TICKS] : 1;
        double done = (double)count * (double)used;
        if (ms < 0.01) ms = 0.01;
        state->ns_per_work = ms * 1e6 / done;
        ticks_before += used;
        if (ticks_before > state->ticks_seen) state->ticks_seen = ticks_before;
        s->at.work_done += k->ticks ? done : 0;
        if (target_ms > 0) {
            double growth = target_ms / ms;
            *work = done * (growth > 4 ? 4 : growth < 0.25 ? 0.25 : growth);
        }
        bool paused = at->paused = control[PLAN_CONTROL_PAUSED] != 0;
        idle = paused && control[PLAN_CONTROL_TICKS] == 0 ? idle + 1 : 0;
        if (paused && (budget == PLAN_NO_LIMIT || idle > 1))
            return base_set_error(err, WHORL_INTERNAL, "run", "kernel %s (%s) paused without need", k->name, k->origin);
        if (!paused) {
            s->at.work_done += k->ticks ? 0 : count;
            at->base = base + count;
            at->has_item = at->in_item = at->base < item->iterations;
        }
        status = run_slice_done(s, err);
        if (status != WHORL_OK || !paused) return status;
    }
}

enum whorl_status run_slice_item(struct whorl_session *s, bool *out_cut, struct whorl_error *err) {
    struct run_place *at = &s->at.place;
    const struct run_item *item = &at->item;
    double guess_ns = ns_per_work(s, item);
    bool known = s->res.kernels[item->kernel].ns_per_work > 0;
    double first_ms = s->policy.slice_ms * (known ? 0.7 : run_guess_share(s->res.gpu));
    double work = s->policy.slice_ms > 0 ? first_ms * 1e6 / guess_ns : 1e18;
    enum whorl_status status = WHORL_OK;
    *out_cut = false;
    if (!at->in_item) at->base = 0;
    at->paused = at->in_item && at->paused;
    at->in_item = at->has_item = at->base < item->iterations;
    while (at->in_item && status == WHORL_OK && !*out_cut) {
        if (!at->paused) {
            uint32_t left = item->iterations - at->base;
            at->count = iterations_of(s, item, work);
            at->count = at->count < left ? at->count : left;
        }
        status = run_range(s, item, &work, out_cut, err);
    }
    return status;
}
