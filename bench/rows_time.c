// Timing as bench/peers/harness.py times its peers: at least half a second of warm-up, because GPU clocks idle low; then single calls,
// each waited for; and where a call takes less than 1 ms, means over calls that are waited for once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rows.h"

static const double warm_ms = 500, wanted_ms = 2000, patience_ms = 8000, short_ms = 1, brief_ms = 300;
enum { FEWEST = 9, FEWEST_LONG = 3 };

double rows_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *values, size_t count) {
    double sorted[ROWS_MAX_SAMPLES];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, by_size);
    return sorted[count / 2];
}

static bool is_enough(size_t count, double spent_ms, bool brief) {
    if (brief) return count >= ROWS_MAX_SAMPLES || (count >= FEWEST_LONG && spent_ms > brief_ms);
    return count >= ROWS_MAX_SAMPLES || (count >= FEWEST && spent_ms > wanted_ms) ||
           (count >= FEWEST_LONG && spent_ms > patience_ms);
}

static enum whorl_status time_calls(rows_run *run, void *user, uint32_t calls, struct whorl_stats *stats,
                                    double *out_ms, struct whorl_error *err) {
    double start = rows_now_ms();
    enum whorl_status status = run(user, calls, stats, err);
    *out_ms = (rows_now_ms() - start) / calls;
    return status;
}

static void note_fallback(struct rows_times *out, const struct whorl_stats *stats) {
    if (!stats->fell_back) return;
    out->fell_back = true;
    snprintf(out->note, sizeof out->note, "%s", stats->note);
}

enum whorl_status rows_time(rows_run *run, void *user, bool brief, struct rows_times *out, struct whorl_error *err) {
    struct whorl_stats stats;
    double ms, start = rows_now_ms();
    enum whorl_status status;
    memset(out, 0, sizeof *out);
    do {
        status = time_calls(run, user, 1, &stats, &ms, err);
        if (status == WHORL_OK) note_fallback(out, &stats);
    } while (status == WHORL_OK && rows_now_ms() - start < warm_ms);
    start = rows_now_ms();
    while (status == WHORL_OK && !is_enough(out->sample_count, rows_now_ms() - start, brief)) {
        status = time_calls(run, user, 1, &stats, &ms, err);
        if (status != WHORL_OK) break;
        out->samples_ms[out->sample_count++] = ms;
        out->calls++;
        out->dispatches += stats.dispatches;
        out->submits += stats.submits;
        out->slices += stats.slices;
        note_fallback(out, &stats);
    }
    if (status != WHORL_OK || median(out->samples_ms, out->sample_count) >= short_ms) return status;
    while (status == WHORL_OK && out->in_flight_count < (size_t)(brief ? FEWEST_LONG : FEWEST)) {
        status = time_calls(run, user, ROWS_IN_FLIGHT, &stats, &ms, err);
        if (status == WHORL_OK) out->in_flight_ms[out->in_flight_count++] = ms;
        if (status == WHORL_OK) note_fallback(out, &stats);
    }
    return status;
}
