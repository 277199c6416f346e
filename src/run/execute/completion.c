// Waiting for submitted work and judging it. Nothing that a kernel computed is believed before its control words say
// that every workgroup reached its end and no loop was ended early: drivers report success for work that they cut.
#include <stdio.h>
#include <string.h>

#include "run/state/checkpoint.h"

enum whorl_status run_watch(struct whorl_session *s, uint32_t out_control[PLAN_CONTROL_WORDS], bool *out_cut,
                            struct whorl_error *err) {
    struct run_gpu *g = s->device->gpu;
    const void *mapped;
    double timeout_s = g->timeout_s * (s->policy.slice_ms == 0 ? 10 : 1), estimate_s = s->pending_work_ns * 20e-9;
    *out_cut = false;
    enum whorl_status status =
        run_gpu_map(g, s->control_read, RUN_READ_BYTES, timeout_s > estimate_s ? timeout_s : estimate_s, &mapped, err);
    if (status != WHORL_OK) return status;
    memcpy(out_control, mapped, RUN_CONTROL_BYTES);
    memcpy(s->words.values, (const char *)mapped + RUN_CONTROL_BYTES, sizeof s->words.values);
    s->words.count = 0;
    g->lib.BufferUnmap(s->control_read);
    s->last_done_s = run_now_s();
    s->pending = 0;
    s->pending_work_ns = 0;
    s->control_cleared = false;
    *out_cut = out_control[PLAN_CONTROL_GROUPS] != s->expected_groups || out_control[PLAN_CONTROL_FAILED] != 0;
    return WHORL_OK;
}

static bool is_at_end(const struct run_place *at) {
    return at->kind == RUN_AT_END || (at->kind == RUN_AT_TREE && at->walk.depth == 0 && !at->has_item);
}

static void say_done(const struct whorl_session *s, const struct whorl_progress *p, char *out, size_t size) {
    if (s->work_total > 0)
        snprintf(out, size, "%.0f%% of the work", 100 * p->fraction);
    else
        snprintf(out, size, "%llu dispatch%s, %.1f s", (unsigned long long)p->dispatches,
                 p->dispatches == 1 ? "" : "es", p->elapsed_s);
}

enum whorl_status run_watch_progress(struct whorl_session *s, struct whorl_error *err) {
    s->slices++;
    const struct whorl_run_options *options = s->policy.options;
    if (!options) return WHORL_OK;
    double fraction = s->work_total > 0 ? s->work_done / s->work_total : 0; // 0: the end is not known
    struct whorl_progress p = {.fraction = fraction < 1 ? fraction : 1,
                               .slice = s->slices,
                               .elapsed_s = run_now_s() - s->start_s,
                               .dispatches = s->gpu->counts.dispatches - s->dispatches_before};
    char warning[sizeof s->keep->warning] = "", message[160], done[80];
    s->at.fraction = s->gpu->patience.fraction = p.fraction;
    s->gpu->patience.slice = s->slices;
    s->gpu->patience.dispatches = p.dispatches;
    if (s->keep && s->keep->warning[0]) {
        memcpy(warning, s->keep->warning, sizeof warning);
        s->keep->warning[0] = 0;
        p.warning = warning;
    }
    if (options->progress && !options->progress(options->user, &p)) {
        say_done(s, &p, done, sizeof done);
        snprintf(message, sizeof message, "cancelled after %s", done);
        return run_keep_stop(s, WHORL_CANCELLED, message, err);
    }
    if (options->max_s > 0 && p.elapsed_s >= options->max_s && !is_at_end(&s->at)) {
        say_done(s, &p, done, sizeof done);
        snprintf(message, sizeof message, "stopped after %s: the time given to it is over", done);
        return run_keep_stop(s, WHORL_STOPPED, message, err);
    }
    return run_keep_now_and_then(s, err);
}
