// A long run under `auto` finds out on its way what is faster here: one dispatch, or its parts.
//
// At a resume point the same stretch of the program is done by the grid kernel and by its fallback, three times each in
// turn, each time from the device's copy of the state before it. Everything that both write is compared: only if the
// bits are the same, and the fallback is clearly faster, does the run go on in it; else it goes on as if nothing had
// been. So the clock decides about time and never about results. Where integers differ that must not
// (plan_array.exact), single is wrong: the run begins again with its parts, and says so. A trial takes less than a
// twentieth of what is left of the run, once: what it found is kept for later runs of the same plan.
#include <string.h>

#include "run/execute/grid.h"
#include "run/state/checkpoint.h"

enum { TRIES = 3 };
static const double stretch_ms = 10, most_share = 1.0 / 20, most_bytes = 256 << 20;
static const double read_bytes_per_ms = 1e6; // slower than any real device reads back

struct trial {
    struct whorl_session *s;
    uint32_t groups, ticks;
    uint32_t *from, *to; // the kernel's saved words at both ends of the stretch
    bool has_copy;       // of the state at `from`, in the shadows
    uint64_t sums[2];    // of what both wrote
    void **exact;        // by array of the plan: what single wrote, where its parts must write the same
    char disagreement[RUN_DISAGREEMENT];
    double ns[2][TRIES];
    struct whorl_error *err;
};

static const struct plan_kernel *kernel_of(const struct whorl_session *s) { return &s->plan->kernels[s->grid->kernel]; }

// ---- is it time? ----------------------------------------------------------------------------------------------------

static const struct plan_node *node_of(const struct plan_node *node, uint32_t point) {
    const struct plan_node *found = node->kind == PLAN_LOOP && node->resume == point ? node : NULL;
    for (uint32_t i = 0; node->kind != PLAN_DISPATCH && i < node->child_count && !found; i++)
        found = node_of(&node->children[i], point);
    return found;
}

static bool tree_writes(const struct plan *p, const struct plan_node *node, uint32_t buffer) {
    if (node->kind == PLAN_DISPATCH) {
        const struct plan_kernel *k = &p->kernels[node->kernel];
        for (uint32_t b = 0; b < k->binding_count; b++)
            if (k->bindings[b].buffer == buffer && k->bindings[b].writable) return true;
    }
    for (uint32_t i = 0; node->kind != PLAN_DISPATCH && i < node->child_count; i++)
        if (tree_writes(p, &node->children[i], buffer)) return true;
    return false;
}

// Arrays that both write: a buffer may hold others too. What the state buffer holds is in the saved words.
static bool is_compared(const struct whorl_session *s, const struct plan_array *a, size_t *out_bytes) {
    bool by_kernel = false;
    const struct plan_kernel *k = kernel_of(s);
    for (uint32_t b = 0; b < k->binding_count; b++)
        by_kernel |= k->bindings[b].buffer == a->buffer && k->bindings[b].writable;
    *out_bytes = 0;
    if (!by_kernel || a->one_form || (a->kind != PLAN_INOUT && a->kind != PLAN_SCRATCH) ||
        a->buffer == s->plan->state_buffer || !tree_writes(s->plan, s->grid->strategy->fallback, a->buffer) ||
        !run_array_bytes(s->plan, a, s->values, out_bytes))
        return false;
    if (a->wide) *out_bytes = *out_bytes / whorl_dtype_size(a->dtype) * 4;
    *out_bytes = (*out_bytes + 3) & ~(size_t)3;
    return *out_bytes > 0;
}

static double compared_bytes(const struct whorl_session *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->plan->array_count; i++) {
        size_t bytes;
        if (is_compared(s, &s->plan->arrays[i], &bytes)) sum += (double)bytes;
    }
    return sum;
}

static uint32_t stretch_ticks(const struct whorl_session *s) {
    double ticks = stretch_ms * 1e6 / s->kernels[s->grid->kernel].ns_per_work;
    if (s->device->grid_test.trial) return s->device->grid_test.trial;
    return ticks < 1 ? 1 : ticks > 1e9 ? 1000000000u : (uint32_t)ticks;
}

// Where the end is not known, as much as lies behind is taken to lie ahead.
static double ms_left(const struct whorl_session *s, uint64_t ticks) {
    uint64_t all = kernel_of(s)->ticks;
    if (all == 0) return (run_now_s() - s->start_s) * 1e3;
    return all > ticks ? (double)(all - ticks) * s->kernels[s->grid->kernel].ns_per_work * 1e-6 : 0;
}

bool run_trial_is_due(const struct whorl_session *s, uint64_t ticks) {
    const struct run_grid *g = s->grid;
    double ns = s->kernels[g->kernel].ns_per_work, bytes = compared_bytes(s);
    if (s->plan->log) return false; // its lines come in another order, which is no sign of other bits
    if (s->asked != WHORL_AUTO || !s->keep || g->tried || s->choice.from != RUN_CHOICE_NONE || s->policy.shrink > 1 ||
        s->keep->losses || bytes == 0 || bytes > most_bytes || !node_of(g->strategy->fallback, g->saved[0]))
        return false;
    if (s->device->grid_test.trial) return kernel_of(s)->ticks > ticks + s->device->grid_test.trial;
    double cost_ms = 3.0 * TRIES * stretch_ticks(s) * ns * 1e-6 + 2 * bytes / read_bytes_per_ms;
    return s->policy.force_ticks == 0 && cost_ms < most_share * ms_left(s, ticks);
}

// ---- one stretch ----------------------------------------------------------------------------------------------------

static double clock_s(const struct whorl_session *s) {
    return s->device->grid_test.clock_s ? s->device->grid_test.clock_s() : run_now_s();
}

// What single wrote is kept where it must be right, and then compared with what its parts wrote. Takes `data`.
static void judge(struct trial *t, uint32_t array, void *data, size_t bytes) {
    const struct plan_array *a = &t->s->plan->arrays[array];
    enum whorl_dtype words =
        a->dtype == WHORL_U16 || a->dtype == WHORL_U8 || a->dtype == WHORL_BOOL ? WHORL_U32 : WHORL_I32;
    if (a->exact && !t->exact[array]) {
        t->exact[array] = data;
        return;
    }
    const struct run_view views[2] = {{"single", t->exact[array]}, {"steps", data}};
    if (a->exact && !t->disagreement[0])
        (void)run_agree(t->s, a, a->wide ? words : a->dtype, views, bytes, t->disagreement);
    base_heap_free(data);
}

static enum whorl_status sum_arrays(struct trial *t, uint64_t *out) {
    struct whorl_session *s = t->s;
    enum whorl_status status = WHORL_OK;
    *out = 0;
    for (uint32_t i = 0; i < s->plan->array_count && status == WHORL_OK; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        int64_t offset;
        size_t bytes;
        if (!is_compared(s, a, &bytes) || !plan_eval(s->plan, a->offset_bytes, s->values, &offset)) continue;
        unsigned char *data = base_heap_alloc(bytes);
        if (!data) return base_set_error(t->err, WHORL_MEMORY, "run", "out of memory");
        status = run_raw_read(s, s->buffers[a->buffer], (uint64_t)offset, data, bytes, t->err);
        if (status == WHORL_OK) *out = run_sum(*out, data, bytes);
        if (status == WHORL_OK)
            judge(t, i, data, bytes);
        else
            base_heap_free(data);
    }
    return status;
}

// The tree keeps the shared scalars in its state buffer, the kernel among its saved words.
static enum whorl_status compare_state(struct trial *t, bool *io_same) {
    const struct plan_grid *grid = kernel_of(t->s)->grid;
    enum whorl_status status = WHORL_OK;
    for (uint32_t w = 1; w < grid->saved_count && status == WHORL_OK && *io_same; w++) {
        uint32_t word = 0;
        if (grid->saved[w].kind != PLAN_SAVED_STATE) continue;
        status = run_raw_read(t->s, t->s->buffers[t->s->plan->state_buffer], (uint64_t)grid->saved[w].index * 4, &word,
                              4, t->err);
        *io_same = word == t->to[w];
    }
    return status;
}

static enum whorl_status go_back(struct trial *t) {
    struct whorl_session *s = t->s;
    enum whorl_status status = t->has_copy ? run_grid_put_back(s, t->err) : WHORL_OK;
    if (status != WHORL_OK || !t->has_copy) return status;
    return run_raw_write(s, s->kernels[s->grid->kernel].saved, 0, t->from, (size_t)kernel_of(s)->resume_words * 4,
                         t->err);
}

static enum whorl_status by_single(struct trial *t, int turn, bool *out_good) {
    struct run_grid *g = t->s->grid;
    bool first = !t->has_copy;
    enum whorl_status status = go_back(t);
    double start = clock_s(t->s);
    if (status == WHORL_OK) status = run_grid_stretch(t->s, t->groups, t->ticks, first, out_good, t->err);
    t->ns[0][turn] = (clock_s(t->s) - start) * 1e9;
    t->has_copy |= first && status == WHORL_OK;
    if (status == WHORL_OK && *out_good && turn == 0) {
        memcpy(t->to, g->found, (size_t)kernel_of(t->s)->resume_words * 4);
        *out_good = node_of(g->strategy->fallback, t->to[0]) != NULL;
        status = sum_arrays(t, &t->sums[0]);
    }
    return status;
}

static enum whorl_status by_parts(struct trial *t, int turn, bool *out_good) {
    struct whorl_session *s = t->s;
    bool cut = false;
    enum whorl_status status = go_back(t);
    if (status == WHORL_OK) status = run_grid_enter_tree(s, t->from, out_good, t->err);
    if (status != WHORL_OK || !*out_good) return status;
    s->at.walk.stop = t->to;
    s->at.walk.stop_grid = kernel_of(s)->grid;
    double start = clock_s(s);
    status = run_execute_walk(s, &cut, t->err);
    t->ns[1][turn] = (clock_s(s) - start) * 1e9;
    *out_good = !cut && s->at.walk.stop == NULL;
    if (status == WHORL_OK && *out_good && turn == 0) status = sum_arrays(t, &t->sums[1]);
    return status;
}

// ---- the trial ------------------------------------------------------------------------------------------------------

static enum whorl_status take_turns(struct trial *t, bool *out_good, bool *out_same) {
    enum whorl_status status = run_session_prepare(t->s, t->s->grid->strategy->fallback, t->err);
    *out_good = *out_same = status == WHORL_OK;
    for (int turn = 0; turn < TRIES && status == WHORL_OK && *out_good && *out_same; turn++) {
        status = by_single(t, turn, out_good);
        if (status == WHORL_OK && *out_good) status = by_parts(t, turn, out_good);
        if (status != WHORL_OK || !*out_good || turn > 0) continue;
        *out_same = t->sums[0] == t->sums[1];
        status = compare_state(t, out_same);
    }
    return status;
}

static void decide(struct trial *t, bool same) {
    struct whorl_session *s = t->s;
    bool wrong = t->disagreement[0] != 0;
    struct run_choice choice = {.from = wrong  ? RUN_CHOICE_WRONG
                                        : same ? RUN_CHOICE_TRIED
                                               : RUN_CHOICE_PARTED,
                                .parts = wrong};
    if (same) {
        choice.single_ns = run_median(t->ns[0], TRIES).ns;
        choice.parts_ns = run_median(t->ns[1], TRIES).ns;
        choice.parts = run_choice_is_clear(choice.single_ns, choice.parts_ns);
    }
    s->choice = choice;
    (void)run_choices_store(s->device, run_choice_key(s->plan, s->values), &choice);
}

// Nobody hears of what a trial does: it cannot be stopped or kept in the middle, its end is near.
enum whorl_status run_trial(struct whorl_session *s, uint32_t groups, bool *out_changes, struct whorl_error *err) {
    struct run_grid *g = s->grid;
    size_t words = (size_t)kernel_of(s)->resume_words + 1;
    struct trial t = {.s = s, .groups = groups, .ticks = stretch_ticks(s), .err = err};
    bool good = false, same = false;
    const struct run_policy policy = s->policy;
    const struct run_place at = s->at;
    const uint64_t slices = s->slices;
    const double work_done = s->work_done;
    *out_changes = false;
    g->tried = true;
    t.from = base_heap_alloc(words * 2 * sizeof *t.from);
    t.exact = base_heap_alloc((s->plan->array_count + 1) * sizeof *t.exact);
    if (!t.from || !t.exact) { // it can do without
        base_heap_free(t.from);
        base_heap_free(t.exact);
        return WHORL_OK;
    }
    memset(t.exact, 0, (s->plan->array_count + 1) * sizeof *t.exact);
    t.to = t.from + words;
    memcpy(t.from, g->saved, (words - 1) * sizeof *t.from);
    s->policy.options = NULL;
    if (s->device->grid_test.trial) s->policy.force_ticks = 0;
    enum whorl_status status = take_turns(&t, &good, &same);
    s->policy = policy;
    s->slices = slices;
    s->work_done = work_done;
    if (status == WHORL_OK && good) decide(&t, same);
    if (status == WHORL_OK && good && t.disagreement[0]) { // nothing that single has done so far is believed
        memcpy(s->disagreement, t.disagreement, sizeof s->disagreement);
        g->abandoned = true;
        run_keep_drop(s);
    } else if (status == WHORL_OK && good && s->choice.parts) {
        *out_changes = true;
        s->work_done += t.ticks;
        g->abandoned = true;
        run_grid_measure_rest(s);
    } else if (status == WHORL_OK) {
        s->at = at;
        status = go_back(&t);
    }
    for (uint32_t i = 0; i < s->plan->array_count; i++)
        base_heap_free(t.exact[i]);
    base_heap_free(t.exact);
    base_heap_free(t.from);
    return status;
}
