// A whole run: walks the strategy, batches what may go as it is, slices what may not, and judges the outcome.
//
// A grid kernel (grid.c) undoes what went wrong by itself where it can, and may ask to begin again with its fallback.
//
// Where a driver cut a loop short, the arrays are worthless, since it is not known here what a kernel overwrites. So
// the last copy of the run's state, or the inputs, are put back and the run goes on from there with smaller slices. If
// that does not help it begins again with `steps`; if that does not help either it is an error.
#include <stdio.h>

#include "run/execute/execute.h"
#include "run/report/nan.h"
#include "run/report/notes.h"
#include "run/report/run_progress.h"
#include "run/session/launch.h"
#include "run/state/checkpoint.h"

enum { MAX_CUTS = 3 };

static enum whorl_status cut_error(const struct whorl_session *s, struct whorl_error *err) {
    return base_set_error(err, WHORL_DEVICE, "run",
                          "the device cut a loop of '%s' short (%s); smaller slices did not help, or a loop has no "
                          "point where it can pause",
                          s->plan->entry, s->device->info.name);
}

static double sliced_ms(double wanted) { return wanted > 0 ? wanted : wanted < 0 ? 0 : 1000; }

// After `cuts` cuts and `losses` of the device, which may have been a watchdog's.
static struct run_policy make_policy(const struct whorl_session *s, const struct whorl_run_options *options, int cuts,
                                     uint32_t losses) {
    struct run_policy p = {.slice_ms = sliced_ms(options->slice_ms),
                           .max_s = options->max_s,
                           .force_iterations = options->slice_iterations,
                           .force_ticks = options->slice_ticks,
                           .groups = options->groups,
                           .calls_per_submit = options->calls_per_submit,
                           .loop_cap = s->device->probe.loop_cap,
                           .shrink = 1,
                           .each_waits = s->strategy == WHORL_EAGER && !options->one_submit};
    for (int i = 0; i < cuts; i++) {
        p.shrink *= 4;
        p.loop_cap = p.loop_cap ? p.loop_cap / 4 : 32768;
    }
    for (uint32_t i = 0; i < (uint32_t)cuts + losses; i++)
        p.slice_ms = p.slice_ms > 0 ? p.slice_ms / 4 : 250;
    return p;
}

// ---- between two slices ---------------------------------------------------------------------------------------------

enum whorl_status run_slice_done(struct whorl_session *s, struct whorl_error *err) {
    char why[160];
    s->at.place.fraction = run_progress_fraction(&s->at);
    enum whorl_status status = run_progress_tell(&s->progress, &s->at, s->res.gpu, s->policy.max_s, why, sizeof why);
    return status == WHORL_OK ? run_keep_now_and_then(s, err) : run_keep_stop(s, status, why, err);
}

// ---- a walk ---------------------------------------------------------------------------------------------------------

// The batch may grow until its submit would take a slice's time.
static bool batch_is_long(const struct run_policy *p, const struct run_resources *r) {
    const struct run_batch *b = &r->batch;
    if (p->each_waits || run_launch_full(b)) return true;
    if (p->slice_ms == 0) return false;
    if (b->guess_ns * 1e-6 > p->slice_ms * run_guess_share(r->gpu)) return true;
    if (b->work_ns * 1e-6 > p->slice_ms) return true;
    if (r->dispatch_ns == 0) return b->count >= RUN_FIRST_BATCH;
    return b->count * r->dispatch_ns * 1e-6 > p->slice_ms * 0.7;
}

// `ratio`: the batch took so many times its estimate. The same is taken of each kernel in it that was only guessed at.
// The items of a batch that was emptied are still there.
static void correct_guesses(struct whorl_session *s, uint32_t count, double ratio) {
    for (uint32_t i = 0; i < count; i++) {
        const struct run_dispatch *item = &s->res.batch.items[i];
        struct run_kernel *kernel = &s->res.kernels[item->kernel];
        const struct plan_kernel *k = &s->plan->kernels[item->kernel];
        double iterations = (double)item->groups_x * item->groups_y * k->workgroup_size * (k->rounds ? k->rounds : 1);
        if (kernel->ns_per_work == 0) kernel->ns_per_work = ratio * run_slice_guess_ns(s, item->kernel, iterations);
    }
}

static enum whorl_status flush(struct whorl_session *s, double work, bool *out_cut, struct whorl_error *err) {
    *out_cut = false;
    if (s->res.batch.count == 0 && s->flight.words.count == 0) return WHORL_OK;
    double start = run_now_s();
    uint32_t count = s->res.batch.count, control[PLAN_CONTROL_WORDS];
    uint32_t only = s->res.batch.items[0].kernel;
    double estimate_ns = s->res.batch.work_ns;
    bool has_guess = s->res.batch.guess_ns > 0;
    enum whorl_status status = run_launch_submit(s, true, err);
    if (status == WHORL_OK) status = run_watch(s, control, out_cut, err);
    if (status != WHORL_OK || *out_cut) return status;
    if (count == 0) return run_slice_done(s, err); // a while can be left even where nothing is in it
    double ns = (run_now_s() - start) * 1e9, wait_ns = s->device->info.wait_us * 1e3;
    ns = ns > 2 * wait_ns ? ns - wait_ns : ns / 2; // of a short batch most is the wait
    s->res.dispatch_ns = ns / count;
    if (count == 1 && work > 0) s->res.kernels[only].ns_per_work = ns / work;
    if (has_guess && estimate_ns > 0) correct_guesses(s, count, ns / estimate_ns);
    s->at.work_done += work;
    return run_slice_done(s, err);
}

// The rest of one call, in as few submits as its length allows.
enum whorl_status run_execute_walk(struct whorl_session *s, bool *out_cut, struct whorl_error *err) {
    struct run_place *at = &s->at.place;
    struct run_item *item = &at->item;
    enum whorl_status status;
    bool done = false;
    double work = 0; // in the batch
    *out_cut = false;
    at->walk.one_by_one = s->policy.each_waits;
    for (;;) {
        if (!at->has_item) {
            status = run_walk_next(&s->scalars, &at->walk, item, &done, err);
            if (status != WHORL_OK) return status;
            at->has_item = !done;
        }
        if (!done && item->is_test) {
            run_walk_words(s->plan, &at->walk, &s->flight.words);
            status = flush(s, work, out_cut, err);
            work = 0;
            if (status != WHORL_OK || *out_cut) return status;
            run_walk_decide(&s->scalars, &at->walk, &s->flight.words);
            at->has_item = false;
            continue;
        }
        bool whole = !done && !at->in_item && run_slice_whole(s, item);
        if (done || !whole || batch_is_long(&s->policy, &s->res)) {
            status = flush(s, work, out_cut, err);
            work = 0;
            if (status != WHORL_OK || *out_cut || done) return status;
            if (!s->policy.each_waits) run_walk_tighten(&at->walk);
        }
        if (whole) {
            run_launch_add(s, item->kernel, (struct run_call){0, item->iterations, PLAN_NO_LIMIT, 0});
            s->res.batch.work_ns += run_slice_estimate_ns(s, item);
            if (s->res.kernels[item->kernel].ns_per_work == 0) s->res.batch.guess_ns += run_slice_estimate_ns(s, item);
            work += run_item_work(s->plan, item);
            at->has_item = false;
            if (!s->nan) continue;
            status = flush(s, work, out_cut, err);
            work = 0;
        } else {
            status = run_slice_item(s, out_cut, err);
        }
        if (status == WHORL_OK && !*out_cut) status = run_nan_look(s, &at->walk, item->kernel, err);
        if (status != WHORL_OK || *out_cut) return status;
    }
}

enum whorl_status run_execute_tree(struct whorl_session *s, const struct plan_node *root, bool *out_cut,
                                   struct whorl_error *err) {
    const struct plan_strategy *strategy = run_strategy_of(s->plan, s->strategy);
    s->at.place = (struct run_place){.kind = RUN_AT_TREE, .fallback = root == strategy->fallback};
    run_walk_start(&s->at.place.walk, root);
    s->flight.scratch_cleared = false;
    enum whorl_status status = run_nan_begin(s, err);
    if (status == WHORL_OK) status = run_execute_walk(s, out_cut, err);
    return status == WHORL_OK && !*out_cut ? run_nan_end(s, err) : status;
}

// Many calls in flight: possible where one call is one batch and nothing needs slicing.
static bool queue_calls(struct whorl_session *s, const struct plan_node *root, enum whorl_status *out_status,
                        struct whorl_error *err) {
    struct run_walk walk;
    struct run_item item;
    bool done = false, fits = !s->policy.each_waits;
    run_walk_start(&walk, root);
    walk.one_by_one = true; // what depends on data is not known in advance
    while (fits) {
        *out_status = run_walk_next(&s->scalars, &walk, &item, &done, err);
        if (*out_status != WHORL_OK) return true;
        if (done) break;
        fits = !item.is_test && !run_launch_full(&s->res.batch) && run_slice_whole(s, &item);
        if (fits) run_launch_add(s, item.kernel, (struct run_call){0, item.iterations, PLAN_NO_LIMIT, 0});
    }
    if (!fits || s->res.batch.count == 0) {
        run_launch_empty(&s->res.batch);
        return false;
    }
    return true;
}

static bool is_grid(const struct whorl_session *s) {
    return s->res.grid && run_session_root(s) == &s->res.grid->strategy->root;
}

static void start_run(struct whorl_session *s, const struct plan_node *root) {
    double dispatches;
    run_walk_sum(&s->scalars, root, &dispatches, &s->at.work_total);
    if (is_grid(s)) s->at.work_total = (double)s->plan->kernels[s->res.grid->kernel].ticks; // 0: the end is not known
    s->at.work_done = 0;
    run_launch_begin(s);
}

static enum whorl_status run_calls(struct whorl_session *s, uint32_t calls, bool can_restart, bool *out_cut,
                                   struct whorl_error *err) {
    const struct plan_node *root = run_session_root(s);
    enum whorl_status status = WHORL_OK;
    *out_cut = false;
    start_run(s, root);
    if (calls > 1) {
        s->policy.slice_ms = 0; // unsliced, but for a driver's loop cap
        if (!is_grid(s) && queue_calls(s, root, &status, err))
            return status != WHORL_OK ? status : run_launch_repeat(s, calls, err);
    }
    s->at.work_total *= calls;
    if (s->at.place.kind != RUN_AT_START) {
        s->at.work_done = s->at.place.fraction * s->at.work_total;
        s->flight.scratch_cleared = true; // scratch arrays hold what was made before
    }
    if (s->at.place.kind == RUN_AT_END) return WHORL_OK;
    if (s->at.place.kind == RUN_AT_TREE) return run_execute_walk(s, out_cut, err);
    if (s->at.place.kind == RUN_AT_GRID && !is_grid(s)) return run_grid_leave(s, false, out_cut, err);
    if (is_grid(s)) return run_grid_calls(s, calls, can_restart, out_cut, err);
    for (uint32_t i = 0; i < calls && status == WHORL_OK && !*out_cut; i++)
        status = run_execute_tree(s, root, out_cut, err);
    return status;
}

static bool fall_back(struct whorl_session *s, struct whorl_stats *stats) {
    if (s->strategy != WHORL_SINGLE || !s->plan->steps.exists || s->plan->single.same_as_steps) return false;
    s->strategy = WHORL_STEPS;
    run_keep_drop(s); // its copy is of the other strategy
    stats->fell_back = true;
    snprintf(stats->note, sizeof stats->note,
             "the device cut a loop of the single dispatch short; steps finished the work");
    return true;
}

enum whorl_status run_execute(struct whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                              run_restore_fn *restore, void *user, struct whorl_stats *stats, struct whorl_error *err) {
    run_progress_begin(&s->progress, options, s->res.gpu);
    s->policy = make_policy(s, options, 0, s->keep ? s->keep->losses : 0);
    enum whorl_status status = WHORL_OK;
    if (s->res.grid && s->at.place.kind == RUN_AT_START) { // each run tries it anew
        bool is_too_long = !s->choice.parts && run_grid_is_too_long(s);
        s->res.grid->abandoned = s->choice.parts || is_too_long;
        if (is_too_long) status = run_session_prepare(s, s->res.grid->strategy->fallback, err);
        if (status != WHORL_OK) return status;
    }
    int cuts = 0;
    for (;;) {
        bool cut = false, was_grid = is_grid(s);
        s->policy = make_policy(s, options, cuts, s->keep ? s->keep->losses : 0);
        status = run_calls(s, calls, restore != NULL, &cut, err);
        if (status != WHORL_OK || !cut) break;
        if (!restore) {
            status = cut_error(s, err);
            break;
        }
        if (!was_grid && ++cuts >= MAX_CUTS) {
            if (!fall_back(s, stats)) {
                status = cut_error(s, err);
                break;
            }
            cuts = 0;
        }
        status = restore(s, user, err);
        if (status != WHORL_OK) break;
    }
    run_notes_end(s, calls, stats);
    return status;
}
