// whorl_run: a session for one call. Its inputs are the caller's memory, which stays as it is until the run has
// succeeded. So a run can always begin again. From a copy of its state (checkpoint.h) it goes on where it was: in a
// later process, or, when the device is lost, on the same adapter opened anew.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/api/api.h"
#include "run/execute/execute.h"
#include "run/report/log.h"
#include "run/report/nan.h"
#include "run/report/notes.h"
#include "run/session/buffers.h"
#include "run/state/checkpoint.h"

struct one_run {
    void *const *arrays;
    const size_t *size_bytes;
    const struct whorl_run_options *options;
};

// ---- arrays ---------------------------------------------------------------------------------------------------------

static enum whorl_status check_arrays(const struct whorl_session *s, const struct one_run *run,
                                      struct whorl_error *err) {
    for (uint32_t i = 0; i < s->plan->param_count; i++) {
        const struct plan_array *a;
        if (!s->plan->params[i].is_array) continue;
        enum whorl_status status = run_session_find_array(s, i, run->size_bytes[i], &a, err);
        if (status != WHORL_OK) return status;
        if (!run->arrays[i] && run->size_bytes[i])
            return base_set_error(err, WHORL_INVALID, "run", "array '%s' has no memory", a->name);
    }
    return WHORL_OK;
}

static enum whorl_status upload_all(struct whorl_session *s, const struct one_run *run, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < s->plan->param_count && status == WHORL_OK; i++)
        if (s->plan->params[i].is_array)
            status =
                run_array_write(s, &s->plan->arrays[s->plan->params[i].index], run->arrays[i], run->size_bytes[i], err);
    return status;
}

static bool is_output(const struct plan *plan, uint32_t param) {
    return plan->params[param].is_array && plan->arrays[plan->params[param].index].kind == PLAN_INOUT;
}

// Everything is fetched, and what the program says heard, before anything of the caller's is overwritten.
static enum whorl_status download_all(struct whorl_session *s, const struct one_run *run, struct whorl_error *err) {
    size_t total = 0, at = 0;
    const struct plan *plan = s->plan;
    for (uint32_t i = 0; i < plan->param_count; i++)
        if (is_output(plan, i) && !base_add_size(total, run->size_bytes[i], &total))
            return base_set_error(err, WHORL_MEMORY, "run", "out of memory for the results");
    unsigned char *copy = base_heap_alloc(total);
    if (!copy) return base_set_error(err, WHORL_MEMORY, "run", "out of memory for %zu bytes of results", total);
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < plan->param_count && status == WHORL_OK; i++) {
        if (!is_output(plan, i)) continue;
        status = run_array_read(s, &plan->arrays[plan->params[i].index], copy + at, run->size_bytes[i], err);
        at += run->size_bytes[i];
    }
    if (status == WHORL_OK) status = run_log_finish(s, run->options, err);
    at = 0;
    for (uint32_t i = 0; i < plan->param_count && status == WHORL_OK; i++) {
        if (!is_output(plan, i)) continue;
        if (run->size_bytes[i]) memcpy(run->arrays[i], copy + at, run->size_bytes[i]);
        at += run->size_bytes[i];
    }
    base_heap_free(copy);
    return status;
}

// ---- checkpoints ----------------------------------------------------------------------------------------------------

static void identify(const struct whorl_session *s, const struct one_run *run, struct run_identity *out) {
    const struct plan *plan = s->plan;
    const char *text = s->program->plan_json;
    *out = (struct run_identity){.strategy = s->opened};
    out->plan = run_sum(0, text, strlen(text));
    for (uint32_t i = 0; i < plan->scalar_count; i++)
        if (plan->scalars[i].kind == PLAN_UNIFORM) out->scalars = run_sum(out->scalars, &s->scalars.values[i], 8);
    for (uint32_t i = 0; i < plan->param_count; i++)
        if (plan->params[i].is_array) out->inputs = run_sum(out->inputs, run->arrays[i], run->size_bytes[i]);
}

// Better now than after hours.
static enum whorl_status check_folder(const char *path, struct whorl_error *err) {
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = base_heap_alloc(size + 1);
    if (!folder) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    memcpy(folder, slash ? path : ".", size);
    folder[size] = 0;
    enum whorl_status status = WHORL_OK;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        status = base_set_error(err, WHORL_IO, "run", "checkpoints cannot be written to %s: it is a folder", path);
    else if (access(folder, W_OK) != 0)
        status = base_set_error(err, WHORL_IO, "run", "checkpoints cannot be written to %s: the folder %s", path,
                                access(folder, F_OK) == 0 ? "is read-only" : "is not there");
    base_heap_free(folder);
    return status;
}

static enum whorl_status begin_keep(struct whorl_session *s, const struct one_run *run, struct run_keep *keep,
                                    struct whorl_error *err) {
    const struct whorl_run_options *o = run->options;
    enum whorl_status status = WHORL_OK;
    s->keep = keep;
    *keep = (struct run_keep){.path = o->checkpoint, .every_s = o->checkpoint_every_s};
    keep->is_for_loss = true;
    keep->copy_every = s->device->copy_each_slice ? -1 : 5;
    if (!o->checkpoint && !o->resume) return WHORL_OK;
    if (!s->program->plan_json)
        return base_set_error(err, WHORL_INVALID, "run", "a program without its plan's text has no checkpoints");
    identify(s, run, &keep->identity);
    if (o->checkpoint) status = check_folder(o->checkpoint, err);
    if (status != WHORL_OK || !o->resume) return status;
    status = run_checkpoint_read(s, o->resume, &keep->copy, err);
    if (status != WHORL_OK) return status;
    keep->is_written = o->checkpoint && strcmp(o->checkpoint, o->resume) == 0;
    if (run_copy_place(s, &keep->copy)) return WHORL_OK;
    return base_set_error(err, WHORL_INVALID, "run",
                          "%s is damaged: its state is none of this program; start again without it", o->resume);
}

// ---- going on -------------------------------------------------------------------------------------------------------

// Puts the session where the run goes on: at the last copy, or at the inputs. Makes the kernels for that.
static enum whorl_status bring_back(struct whorl_session *s, void *user, struct whorl_error *err) {
    const struct one_run *run = user;
    s->at.place = (struct run_place){.kind = RUN_AT_START};
    enum whorl_status status = run_session_prepare(s, run_session_root(s), err);
    if (status == WHORL_OK) status = upload_all(s, run, err);
    if (status != WHORL_OK || !s->keep->copy.data) return status;
    return run_copy_put(s, &s->keep->copy, err);
}

static enum whorl_status too_many_losses(const struct whorl_session *s, struct whorl_error *err) {
    char why[300], slice[64] = "of any length";
    snprintf(why, sizeof why, "%.290s", err->message);
    if (s->policy.slice_ms > 0) snprintf(slice, sizeof slice, "of up to %g ms", s->policy.slice_ms);
    return base_set_error(err, WHORL_DEVICE, "run",
                          "the device was lost %u times in this run, the last time with slices %s (%s); shorter ones "
                          "(--slice-ms, slice_ms) may help if a watchdog did it",
                          s->keep->losses, slice, why);
}

// A new device in the place of one that was lost. `err` says how it was, and stays if that is the end.
static enum whorl_status recover(struct whorl_session *s, enum whorl_status status, struct whorl_error *err) {
    struct run_keep *keep = s->keep;
    struct whorl_error trouble = {0};
    struct run_gpu *g = s->device->gpu;
    if (status != WHORL_DEVICE && status != WHORL_MEMORY) return status;
    if (!run_gpu_was_lost(g, err) || g->stuck) return status;
    bool progress = s->progress.slices > keep->slices_at_loss;
    keep->slices_at_loss = s->progress.slices;
    keep->losses++;
    if (keep->losses >= RUN_MAX_LOSSES || (keep->losses > 1 && !progress)) return too_many_losses(s, err);
    double ago = run_now_s() - (keep->copy.data ? keep->copy.taken_s : s->progress.start_s);
    snprintf(s->progress.warning, sizeof s->progress.warning,
             "%.200s; on a new one the run goes on from %s %.1f s before", err->message,
             keep->copy.data ? "its state of" : "its beginning,", ago);
    if (run_device_renew(s->device, &trouble) != WHORL_OK) {
        size_t used = strlen(err->message);
        snprintf(err->message + used, sizeof err->message - used, "; and it could not be opened again: %s",
                 trouble.message);
        return status;
    }
    status = run_session_rebuild(s, &trouble);
    if (status != WHORL_OK) *err = trouble;
    return status;
}

static enum whorl_status run_to_end(struct whorl_session *s, struct one_run *run, struct whorl_stats *stats,
                                    struct whorl_error *err) {
    for (;;) {
        enum whorl_status status = bring_back(s, run, err);
        if (status == WHORL_OK) status = run_execute(s, 1, run->options, bring_back, run, stats, err);
        if (status == WHORL_OK) status = download_all(s, run, err);
        if (status == WHORL_OK) return WHORL_OK;
        status = recover(s, status, err);
        if (status != WHORL_OK) return status;
    }
}

static enum whorl_status run_on_gpu(struct whorl_session *s, struct one_run *run, struct whorl_stats *stats,
                                    struct whorl_error *err) {
    struct run_keep keep;
    struct whorl_error own;
    if (!err) err = &own; // losses are told by their messages too
    err->message[0] = 0;
    s->progress.start_s = s->res.gpu->patience.start_s;
    enum whorl_status status = begin_keep(s, run, &keep, err);
    if (status == WHORL_OK && run->options->find_nan && !(s->nan = run_nan_create(s)))
        status = base_set_error(err, WHORL_MEMORY, "run", "out of memory for --find-nan");
    if (status == WHORL_OK) {
        status = run_to_end(s, run, stats, err);
        if (status == WHORL_DEVICE || status == WHORL_TIMEOUT || status == WHORL_MEMORY) run_keep_fail(s, err);
    }
    if (keep.losses && status == WHORL_OK) {
        size_t used = strlen(stats->note);
        snprintf(stats->note + used, sizeof stats->note - used, "%sthe device was lost %u time%s and opened again",
                 used ? "; " : "", keep.losses, keep.losses == 1 ? "" : "s");
    }
    if (status == WHORL_OK) base_set_error(err, WHORL_OK, "run", "%s", ""); // losses that were made good
    stats->losses = keep.losses;
    stats->checkpoints = keep.checkpoints;
    run_keep_drop(s);
    s->keep = NULL;
    run_nan_destroy(s->nan);
    s->nan = NULL;
    return status;
}

static enum whorl_status run_on_cpu(struct whorl_session *s, const struct one_run *run, struct whorl_stats *stats,
                                    struct whorl_error *err) {
    struct whorl_run_options o = *run->options;
    double deadline_s = s->device->gpu ? s->device->gpu->patience.deadline_s : 0;
    if (o.checkpoint || o.resume)
        return base_set_error(err, WHORL_INVALID, "run",
                              "the CPU device cannot stop on the way: checkpoints need a GPU (--device gpu)");
    if (deadline_s > 0) o.max_s = fmax(deadline_s - run_now_s(), 1e-3); // a GPU may have been tried before
    return run_session_direct_cpu(s, run->arrays, run->size_bytes, &o, stats, err);
}

// ---- one attempt, and the next --------------------------------------------------------------------------------------

void run_patience_begin(struct whorl_device *device, const struct whorl_run_options *options, bool gives_up) {
    double now = run_now_s(), max_s = gives_up ? options->max_s : 0;
    if (device->gpu)
        device->gpu->patience = (struct run_patience){
            .start_s = now, .deadline_s = max_s > 0 ? now + max_s : 0, .options = options, .asked_s = now};
}

void run_patience_end(struct whorl_device *device) {
    if (device->gpu) device->gpu->patience = (struct run_patience){0};
}

static enum whorl_status attempt(whorl_device *device, const whorl_program *program, struct one_run *run,
                                 enum whorl_strategy strategy, struct whorl_stats *stats, struct whorl_error *err) {
    struct whorl_session *s;
    enum whorl_status status = run_session_open(device, program, run->options, strategy, &s, err);
    if (status != WHORL_OK) return status;
    status = check_arrays(s, run, err);
    run_notes_begin(s, stats);
    stats->pipeline_ms = s->progress.pipeline_ms;
    if (status == WHORL_OK)
        status = s->strategy == WHORL_CPU ? run_on_cpu(s, run, stats, err) : run_on_gpu(s, run, stats, err);
    stats->bytes_uploaded += s->progress.uploaded;
    stats->bytes_downloaded += s->progress.downloaded;
    whorl_session_destroy(s);
    return status;
}

// What is tried next: a session was opened with `strategy`, and the driver did not come to an end with a kernel of it.
// AUTO: nothing.
static enum whorl_strategy next_strategy(const struct whorl_device *device, const whorl_program *program,
                                         const struct whorl_run_options *o, enum whorl_strategy strategy) {
    bool is_asked = o->strategy == WHORL_AUTO || o->strategy == WHORL_SINGLE;
    if (!is_asked || o->resume || strategy == WHORL_CPU) return WHORL_AUTO;
    if (strategy != WHORL_STEPS && program->plan->steps.exists && !program->plan->single.same_as_steps)
        return WHORL_STEPS;
    bool has_cpu = device->is_free && device->cc.version[0] && program->c_text && !o->checkpoint;
    return o->strategy == WHORL_AUTO && has_cpu ? WHORL_CPU : WHORL_AUTO;
}

// The second may have waited for the first, which the driver was still at.
static enum whorl_status both_gave_up(const struct whorl_device *device, const char *first, struct whorl_error *err) {
    return base_set_error(err, WHORL_TIMEOUT, "device",
                          "%s and was given up (--kernel-time, kernel_s); with steps %s, too", first, device->gave_up);
}

// Nothing of the caller's is overwritten before a run has succeeded, so that another strategy can begin anew.
static enum whorl_status attempts(whorl_device *device, const whorl_program *program, struct one_run *run,
                                  struct whorl_stats *stats, struct whorl_error *err) {
    enum whorl_strategy strategy = run->options->strategy;
    char why[sizeof stats->note] = "", first[sizeof device->gave_up] = "";
    device->gave_up[0] = 0;
    enum whorl_status status = attempt(device, program, run, strategy, stats, err);
    while (status == WHORL_TIMEOUT && device->gave_up[0]) {
        strategy = next_strategy(device, program, run->options, device->opened);
        stats->strategy = strategy;
        memcpy(stats->note, device->gave_up, sizeof device->gave_up);
        if (run->options->no_fallback) return status;
        if (strategy == WHORL_AUTO && first[0]) return both_gave_up(device, first, err);
        if (strategy == WHORL_AUTO) return status;
        if (!first[0]) memcpy(first, device->gave_up, sizeof first);
        snprintf(why, sizeof why, "%s; %s finished the work", first, strategy == WHORL_CPU ? "the CPU" : "steps");
        device->gave_up[0] = 0;
        if (run_device_renew(device, err) != WHORL_OK && strategy != WHORL_CPU) return status;
        status = attempt(device, program, run, strategy, stats, err);
    }
    if (status == WHORL_TIMEOUT) stats->note[0] = 0; // no kernel was to blame
    if (!why[0] || status != WHORL_OK) return status;
    stats->fell_back = true;
    memcpy(stats->note, why, sizeof why);
    base_set_error(err, WHORL_OK, "run", "%s", "");
    return status;
}

enum whorl_status whorl_run(whorl_device *device, const whorl_program *program, void *const *arrays,
                            const size_t *size_bytes, const struct whorl_run_options *given,
                            struct whorl_stats *out_stats, struct whorl_error *err) {
    struct whorl_run_options own = WHORL_RUN_OPTIONS_INIT, *options = &own;
    struct whorl_stats stats = {0};
    double start = run_now_s();
    struct one_run run = {arrays, size_bytes, options};
    enum whorl_status status = run_take_options(&own, given, err);
    if (status != WHORL_OK) return status;
    if (!arrays || !size_bytes) return base_set_error(err, WHORL_INVALID, "run", "no arrays");
    if (options->find_nan && (options->strategy != WHORL_EAGER || options->checkpoint || options->resume))
        return base_set_error(err, WHORL_INVALID, "run", "find_nan needs the strategy eager, and has no checkpoints");
    if (!device || !program || !program->plan)
        return base_set_error(err, WHORL_INVALID, "run", "no device, or a program without a plan");
    run_patience_begin(device, options, true);
    status = attempts(device, program, &run, &stats, err);
    run_patience_end(device);
    stats.wall_ms = (run_now_s() - start) * 1e3;
    if (out_stats) *out_stats = stats;
    return status;
}
