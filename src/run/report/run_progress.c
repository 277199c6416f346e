// Progress: how much is done, said to the caller between two slices, and what the caller or the clock says to that.
#include <stdio.h>

#include "run/report/run_progress.h"

void run_progress_begin(struct run_progress *p, const struct whorl_run_options *options, const struct run_gpu *gpu) {
    p->tell = options->progress;
    p->user = options->user;
    p->first_submit_s = p->last_done_s = 0;
    p->dispatches_before = gpu->counts.dispatches;
    p->submits_before = gpu->counts.submits;
}

double run_progress_fraction(const struct run_position *at) {
    double fraction = at->work_total > 0 ? at->work_done / at->work_total : 0;
    return fraction < 1 ? fraction : 1;
}

static bool is_at_end(const struct run_place *place) {
    return place->kind == RUN_AT_END || (place->kind == RUN_AT_TREE && place->walk.depth == 0 && !place->has_item);
}

static void say_done(const struct run_position *at, const struct whorl_progress *p, char *out, size_t size) {
    if (at->work_total > 0)
        snprintf(out, size, "%.0f%% of the work", 100 * p->fraction);
    else
        snprintf(out, size, "%llu dispatch%s, %.1f s", (unsigned long long)p->dispatches,
                 p->dispatches == 1 ? "" : "es", p->elapsed_s);
}

enum whorl_status run_progress_tell(struct run_progress *p, const struct run_position *at, struct run_gpu *gpu,
                                    double max_s, char *out, size_t size) {
    char done[80];
    struct whorl_progress now = {.fraction = run_progress_fraction(at),
                                 .slice = ++p->slices,
                                 .elapsed_s = run_now_s() - p->start_s,
                                 .dispatches = gpu->counts.dispatches - p->dispatches_before,
                                 .warning = p->warning[0] ? p->warning : NULL};
    gpu->patience.fraction = now.fraction;
    gpu->patience.slice = now.slice;
    gpu->patience.dispatches = now.dispatches;
    bool goes_on = !p->tell || p->tell(p->user, &now);
    p->warning[0] = 0;
    say_done(at, &now, done, sizeof done);
    if (!goes_on) {
        snprintf(out, size, "cancelled after %s", done);
        return WHORL_CANCELLED;
    }
    if (max_s > 0 && now.elapsed_s >= max_s && !is_at_end(&at->place)) {
        snprintf(out, size, "stopped after %s: the time given to it is over", done);
        return WHORL_STOPPED;
    }
    return WHORL_OK;
}
