// Timing as bench/peers/harness.py times its peers: at least half a second of warm-up, because GPU clocks idle low;
// then single calls, each waited for; and where a call is short and leaves its inputs as they are, many calls that are
// waited for once: with a submit each, as a peer's launches are, and as one batch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/samples.h"
#include "rows.h"

static const double warm_ms = 500, wanted_ms = 1000, patience_ms = 3000, short_ms = 1, brief_ms = 300;
enum { FEWEST = 9, FEWEST_MIDDLE = 7, FEWEST_LONG = 3 };

double rows_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double median(const struct rows_samples *samples) {
    double sorted[ROWS_MAX_SAMPLES];
    memcpy(sorted, samples->ms, samples->count * sizeof *sorted);
    base_sort_samples(sorted, samples->count);
    return base_median(sorted, samples->count);
}

// Enough samples, whose calls took so long together.
static bool is_enough(size_t count, double spent_ms, bool brief) {
    if (brief) return count >= ROWS_MAX_SAMPLES || (count >= FEWEST_LONG && spent_ms > brief_ms);
    return count >= ROWS_MAX_SAMPLES || (count >= FEWEST_MIDDLE && spent_ms > wanted_ms) ||
           (count >= FEWEST_LONG && spent_ms > patience_ms);
}

// One sample: the calls alone are timed, not the restoring before them.
static enum whorl_status sample(const struct rows_contestant *what, uint32_t calls, uint32_t per_submit,
                                struct rows_times *out, struct whorl_stats *stats, double *out_ms,
                                struct whorl_error *err) {
    enum whorl_status status = what->restore ? what->restore(what->user, err) : WHORL_OK;
    if (status != WHORL_OK) return status;
    double start = rows_now_ms();
    status = what->run(what->user, calls, per_submit, stats, err);
    *out_ms = (rows_now_ms() - start) / calls;
    if (status == WHORL_OK && stats->fell_back) {
        out->fell_back = true;
        snprintf(out->note, sizeof out->note, "%s", stats->note);
    }
    return status;
}

static enum whorl_status time_many(const struct rows_contestant *what, uint32_t per_submit, struct rows_times *out,
                                   struct rows_samples *samples, struct whorl_error *err) {
    struct whorl_stats stats;
    enum whorl_status status = WHORL_OK;
    while (status == WHORL_OK && samples->count < (size_t)(what->brief ? FEWEST_LONG : FEWEST)) {
        status = sample(what, ROWS_IN_FLIGHT, per_submit, out, &stats, &samples->ms[samples->count], err);
        samples->count += status == WHORL_OK;
    }
    return status;
}

enum whorl_status rows_time(const struct rows_contestant *what, struct rows_times *out, struct whorl_error *err) {
    struct whorl_stats stats;
    struct rows_samples *waited = &out->waited;
    double ms, spent_ms = 0, start = rows_now_ms();
    enum whorl_status status;
    status = WHORL_OK;
    memset(out, 0, sizeof *out);
    while (status == WHORL_OK && rows_now_ms() - start < warm_ms - what->warmed_ms)
        status = sample(what, 1, 0, out, &stats, &ms, err);
    while (status == WHORL_OK && !is_enough(waited->count, spent_ms, what->brief)) {
        status = sample(what, 1, 0, out, &stats, &ms, err);
        if (status != WHORL_OK) break;
        waited->ms[waited->count++] = ms;
        spent_ms += ms;
        out->calls++;
        out->dispatches += stats.dispatches;
        out->submits += stats.submits;
        out->slices += stats.slices;
    }
    if (status != WHORL_OK || what->restore || median(waited) >= short_ms) return status;
    status = time_many(what, 1, out, &out->in_flight, err);
    return status == WHORL_OK ? time_many(what, 0, out, &out->batch, err) : status;
}
