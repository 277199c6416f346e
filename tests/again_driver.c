// The same call again and again: every one must leave the bits of the first. What goes wrong once in a million barriers
// is seen here, and nowhere else (docs/memory-model.md, A3).
//
//   again SECONDS FILE [OPTION...]    options of `whorl run`; the strategy is single unless they say another
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../cli/inputs.h"
#include "base/samples.h"

static struct cli_options options;
static struct job job;

enum { TOLD = 3, TIMED = 4096 }; // calls that differ; calls whose time is kept

struct tally {
    uint32_t calls, differ, fell_back;
    double ms[TIMED]; // of calls, without what is written and read
};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum whorl_status call(whorl_session *session, void **out, struct tally *tally, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    struct whorl_run_options how = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    for (size_t p = 0; p < job.param_count && status == WHORL_OK; p++) {
        if (!job.start[p] || (tally->calls > 0 && !whorl_program_param(job.program, p)->is_output)) continue;
        status = whorl_session_write(session, p, job.start[p], job.size_bytes[p], err);
    }
    double start = now_s();
    if (status == WHORL_OK) status = whorl_session_run(session, 1, &how, &stats, err);
    tally->ms[tally->calls % TIMED] = (now_s() - start) * 1e3;
    for (size_t p = 0; p < job.param_count && status == WHORL_OK; p++)
        if (whorl_program_param(job.program, p)->is_output)
            status = whorl_session_read(session, p, out[p], job.size_bytes[p], err);
    tally->fell_back += status == WHORL_OK && stats.fell_back;
    tally->calls += status == WHORL_OK;
    return status;
}

static bool same(void **first, void **now) {
    for (size_t p = 0; p < job.param_count; p++)
        if (whorl_program_param(job.program, p)->is_output && memcmp(first[p], now[p], job.size_bytes[p]) != 0)
            return false;
    return true;
}

// What differs, and where it begins: that is where the search for the cause begins, too.
static void tell(uint32_t call, void **first, void **now) {
    for (size_t p = 0; p < job.param_count; p++) {
        const struct whorl_param *param = whorl_program_param(job.program, p);
        if (!param->is_output) continue;
        size_t width = whorl_dtype_size(param->dtype), count = job.size_bytes[p] / width, differ = 0, begin = 0;
        for (size_t i = count; i-- > 0;) {
            if (memcmp((char *)first[p] + i * width, (char *)now[p] + i * width, width) == 0) continue;
            differ++;
            begin = i;
        }
        if (differ)
            printf("  call %u: %zu of %zu elements of %s, from %zu on\n", call, differ, count, param->name, begin);
    }
}

static enum whorl_status repeat(double seconds, whorl_device *device, struct tally *tally, struct whorl_error *err) {
    whorl_session *session = NULL;
    void **first = NULL, **now = NULL;
    enum whorl_strategy strategy = options.strategy == WHORL_AUTO ? WHORL_SINGLE : options.strategy;
    enum whorl_status status = whorl_session_create(device, job.program, strategy, &session, err);
    if (status == WHORL_OK) status = job_results_create(&job, &first, err);
    if (status == WHORL_OK) status = job_results_create(&job, &now, err);
    if (status == WHORL_OK) status = call(session, first, tally, err);
    for (double end = now_s() + seconds; status == WHORL_OK && now_s() < end;) {
        status = call(session, now, tally, err);
        if (status != WHORL_OK || same(first, now)) continue;
        if (tally->differ++ < TOLD) tell(tally->calls, first, now);
    }
    job_results_destroy(&job, first);
    job_results_destroy(&job, now);
    whorl_session_destroy(session);
    return status;
}

static double median_ms(struct tally *tally) {
    size_t n = tally->calls < TIMED ? tally->calls : TIMED;
    base_sort_samples(tally->ms, n);
    return base_median(tally->ms, n);
}

int main(int count, char **args) {
    struct whorl_error err = {0};
    struct whorl_device_options how = WHORL_DEVICE_OPTIONS_INIT;
    static struct tally tally;
    whorl_device *device = NULL;
    double seconds = count > 2 ? atof(args[1]) : 0;
    if (seconds <= 0) {
        fprintf(stderr, "usage: again SECONDS FILE [OPTION...]\n");
        return 2;
    }
    if (!cli_options_parse(CLI_RUN, count - 2, args + 2, &options)) return 2;
    how.select = "gpu";
    enum whorl_status status = whorl_device_open(&how, &device, &err);
    if (status == WHORL_OK) status = job_open(&options, &job, &err);
    if (status == WHORL_OK) status = job_compile(&job, device, &err);
    if (status == WHORL_OK) status = job_fill(&job, &err);
    if (status == WHORL_OK) status = repeat(seconds, device, &tally, &err);
    bool right = status == WHORL_OK && tally.differ == 0 && tally.fell_back == 0 && tally.calls > 1;
    printf("%s %s: %u calls of %.3g ms, %u differ from the first, %u fell back%s%s\n", right ? "right" : "FAIL",
           args[2], tally.calls, median_ms(&tally), tally.differ, tally.fell_back, status == WHORL_OK ? "" : ": ",
           status == WHORL_OK ? "" : err.message);
    job_deinit(&job);
    whorl_device_destroy(device);
    cli_options_deinit(&options);
    return right ? 0 : 1;
}
