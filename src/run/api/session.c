// The public session.
#include <math.h>
#include <string.h>

#include "run/api/api.h"
#include "run/api/session_words.h"
#include "run/execute/execute.h"
#include "run/probe/probe.h"
#include "run/report/log.h"
#include "run/report/notes.h"
#include "run/session/buffers.h"
#include "run/state/checkpoint.h"

enum whorl_status run_take_options(struct whorl_run_options *own, const struct whorl_run_options *given,
                                   struct whorl_error *err) {
    enum whorl_status status = base_take_options(own, sizeof *own, given, "WHORL_RUN_OPTIONS_INIT", err);
    if (status == WHORL_OK)
        status = base_check_names(own->scalars, own->scalar_count, sizeof *own->scalars, "scalars", err);
    if (status != WHORL_OK) return status;
    if ((unsigned)own->strategy > WHORL_CPU)
        return base_set_error(err, WHORL_INVALID, "call", "there is no strategy %d", (int)own->strategy);
    if (isnan(own->slice_ms)) return base_set_error(err, WHORL_INVALID, "call", "slice_ms is NaN");
    if (!(own->max_s >= 0) || !(own->checkpoint_every_s >= 0))
        return base_set_error(err, WHORL_INVALID, "call", "%s is %g: seconds, or 0 for none",
                              own->max_s >= 0 ? "checkpoint_every_s" : "max_s",
                              own->max_s >= 0 ? own->checkpoint_every_s : own->max_s);
    return WHORL_OK;
}

// ---- strategy ----
static enum whorl_status check_strategy(const struct whorl_device *device, const struct whorl_program *program,
                                        enum whorl_strategy asked, enum whorl_strategy strategy,
                                        struct whorl_error *err) {
    const struct plan *plan = program->plan;
    if ((unsigned)strategy > WHORL_CPU)
        return base_set_error(err, WHORL_INVALID, "run", "there is no strategy %d", (int)strategy);
    if (strategy == WHORL_CPU) return WHORL_OK;
    if (program->cpu_only)
        return base_set_error(err, WHORL_INVALID, "run",
                              "the program was compiled for the CPU alone (target.cpu_only)");
    if (!device->gpu)
        return base_set_error(err, WHORL_INVALID, "run", "the CPU device runs only the strategy cpu, not %s",
                              whorl_strategy_name(asked));
    if (!run_strategy_of(plan, strategy)->exists)
        return base_set_error(err, WHORL_INVALID, "run", "the plan has no strategy %s%s", whorl_strategy_name(strategy),
                              strategy == WHORL_STEPS && plan->steps.note ? plan->steps.note : "");
    return WHORL_OK;
}

// A grid kernel that is not taken is still opened, for its fallback.
static enum whorl_strategy opened_for(const struct plan *plan, const struct run_choice *choice) {
    return choice->parts && !plan->single.fallback ? WHORL_STEPS : WHORL_SINGLE;
}

// A run that goes on from a checkpoint goes on as it was, whatever has been measured since.
static void choose_strategy(struct whorl_session *s, const struct whorl_run_options *options,
                            const struct run_choice *forced) {
    s->opened = s->asked;
    if (s->asked == WHORL_SINGLE && !s->plan->single.exists) s->opened = WHORL_STEPS;
    if (s->asked == WHORL_AUTO && !s->device->gpu) s->opened = WHORL_CPU;
    if (s->opened == WHORL_AUTO) {
        if (forced)
            s->choice = *forced;
        else if (options && options->resume)
            s->choice.parts = run_checkpoint_strategy(options->resume) == WHORL_STEPS;
        else
            run_choice_find(s->device, s->plan, s->scalars.values, &s->choice);
        s->opened = opened_for(s->plan, &s->choice);
    }
}

// other: a session whose arrays it shares; NULL: none.
static enum whorl_status open_session(struct whorl_device *device, const struct whorl_program *program,
                                      const struct whorl_run_options *options, enum whorl_strategy strategy,
                                      const struct run_choice *choice, struct whorl_session *other,
                                      struct whorl_session **out, struct whorl_error *err) {
    if (!out) return base_set_error(err, WHORL_INVALID, "run", "no place for the session");
    *out = NULL;
    if (!device || !program || !program->plan)
        return base_set_error(err, WHORL_INVALID, "run", "no device, or a program without a plan");
    struct whorl_session *s;
    enum whorl_status status = run_session_new(device, program, options ? options->scalars : NULL,
                                               options ? options->scalar_count : 0, &s, err);
    if (status != WHORL_OK) return status;
    s->asked = strategy;
    choose_strategy(s, options, choice);
    device->opened = s->opened;
    status = check_strategy(device, program, strategy, s->opened, err);
    if (status == WHORL_OK && device->gpu && s->opened != WHORL_CPU && run_has_pairs(s->plan))
        status = run_probe_pairs(device, err);
    if (status == WHORL_OK) {
        s->strategy = s->opened;
        status = other ? run_session_fill_beside(s, other, err) : run_session_fill(s, err);
    }
    if (status == WHORL_OK)
        *out = s;
    else
        run_session_drop(s);
    return status;
}

enum whorl_status run_session_open_for(struct whorl_device *device, const struct whorl_program *program,
                                       const struct whorl_run_options *options, enum whorl_strategy strategy,
                                       const struct run_choice *choice, struct whorl_session **out,
                                       struct whorl_error *err) {
    return open_session(device, program, options, strategy, choice, NULL, out, err);
}

enum whorl_status run_session_open(struct whorl_device *device, const struct whorl_program *program,
                                   const struct whorl_run_options *options, enum whorl_strategy strategy,
                                   struct whorl_session **out, struct whorl_error *err) {
    return run_session_open_for(device, program, options, strategy, NULL, out, err);
}

enum whorl_status whorl_session_create(whorl_device *device, const whorl_program *program, enum whorl_strategy strategy,
                                       whorl_session **out_session, struct whorl_error *err) {
    return run_session_open(device, program, NULL, strategy, out_session, err);
}

enum whorl_status whorl_session_create_beside(whorl_device *device, const whorl_program *program,
                                              enum whorl_strategy strategy, whorl_session *other,
                                              whorl_session **out_session, struct whorl_error *err) {
    if (out_session) *out_session = NULL;
    if (!other) return base_set_error(err, WHORL_INVALID, "run", "no session beside this one");
    return open_session(device, program, NULL, strategy, NULL, other, out_session, err);
}

void whorl_session_destroy(whorl_session *s) { run_session_drop(s); }

// ---- arrays ----
// A run of another session may have found the device lost, and opened it again.
static bool is_lost(const struct whorl_session *s) {
    if (s->strategy == WHORL_CPU) return run_cpu_is_given_up(s->host.cpu);
    return s->res.gpu && (s->res.gpu != s->device->gpu || s->res.gpu->lost);
}

static enum whorl_status lost_error(const struct whorl_session *s, struct whorl_error *err) {
    return base_set_error(err, WHORL_DEVICE, "run",
                          s->strategy == WHORL_CPU ? "a call of this session was given up; make a new one"
                                                   : "the device was lost; open it again");
}

enum whorl_status run_session_find_array(const struct whorl_session *s, size_t param, size_t size_bytes,
                                         const struct plan_array **out, struct whorl_error *err) {
    const struct plan *plan = s->plan;
    if (param >= plan->param_count || !plan->params[param].is_array)
        return base_set_error(err, WHORL_INVALID, "run", "parameter %zu of %s is no array", param, plan->entry);
    const struct plan_array *a = &plan->arrays[plan->params[param].index];
    size_t bytes;
    if (!run_array_bytes(plan, a, s->scalars.values, &bytes))
        return base_set_error(err, WHORL_INVALID, "run", "the size of '%s' is out of range for these scalars", a->name);
    if (bytes != size_bytes)
        return base_set_error(err, WHORL_INVALID, "run", "array '%s' has %zu bytes, %zu were given", a->name, bytes,
                              size_bytes);
    *out = a;
    return WHORL_OK;
}

// What a copy of an array needs: that it may be made at all, the array, and on the CPU its memory.
static enum whorl_status begin_copy(whorl_session *s, size_t param, const void *data, size_t size_bytes,
                                    const struct plan_array **out, struct whorl_error *err) {
    if (!s || !data) return base_set_error(err, WHORL_INVALID, "run", "no session, or no data");
    enum whorl_status status = run_session_find_array(s, param, size_bytes, out, err);
    if (status != WHORL_OK) return status;
    if (is_lost(s)) return lost_error(s, err);
    return s->strategy == WHORL_CPU ? run_host_memory(s, err) : WHORL_OK;
}

enum whorl_status whorl_session_write(whorl_session *s, size_t param, const void *data, size_t size_bytes,
                                      struct whorl_error *err) {
    const struct plan_array *a;
    enum whorl_status status = begin_copy(s, param, data, size_bytes, &a, err);
    if (status != WHORL_OK) return status;
    if (s->strategy != WHORL_CPU) return run_array_write(s, a, data, size_bytes, err);
    memcpy(s->host.memory[param], data, size_bytes);
    return WHORL_OK;
}

enum whorl_status whorl_session_read(whorl_session *s, size_t param, void *data, size_t size_bytes,
                                     struct whorl_error *err) {
    const struct plan_array *a;
    enum whorl_status status = begin_copy(s, param, data, size_bytes, &a, err);
    if (status != WHORL_OK) return status;
    if (s->strategy != WHORL_CPU) return run_array_read(s, a, data, size_bytes, err);
    memcpy(data, s->host.memory[param], size_bytes);
    return WHORL_OK;
}

// A part of array `param`, which must not be widened on the device.
static enum whorl_status begin_part(whorl_session *s, size_t param, size_t offset, const void *data, size_t size_bytes,
                                    const struct plan_array **out, struct whorl_error *err) {
    size_t bytes = 0;
    if (!s || !data) return base_set_error(err, WHORL_INVALID, "run", "no session, or no data");
    if (param < s->plan->param_count && s->plan->params[param].is_array)
        (void)run_array_bytes(s->plan, &s->plan->arrays[s->plan->params[param].index], s->scalars.values, &bytes);
    enum whorl_status status = begin_copy(s, param, data, bytes, out, err);
    if (status != WHORL_OK) return status;
    if (whorl_dtype_size((*out)->dtype) < 4)
        return base_set_error(err, WHORL_INVALID, "run", "array '%s' has elements of less than 4 bytes", (*out)->name);
    size_t each = (*out)->pairs ? 8 : 4;
    if (offset % each != 0 || size_bytes % each != 0 || offset > bytes || size_bytes > bytes - offset)
        return base_set_error(err, WHORL_INVALID, "run",
                              "array '%s' has %zu bytes; %zu from %zu on are no part of it in words", (*out)->name,
                              bytes, size_bytes, offset);
    return WHORL_OK;
}

enum whorl_status whorl_session_write_part(whorl_session *s, size_t param, size_t offset, const void *data,
                                           size_t size_bytes, struct whorl_error *err) {
    const struct plan_array *a;
    enum whorl_status status = begin_part(s, param, offset, data, size_bytes, &a, err);
    if (status != WHORL_OK || size_bytes == 0) return status;
    if (s->strategy != WHORL_CPU) return run_array_write_part(s, a, offset, data, size_bytes, err);
    memcpy((unsigned char *)s->host.memory[param] + offset, data, size_bytes);
    return WHORL_OK;
}

enum whorl_status whorl_session_read_part(whorl_session *s, size_t param, size_t offset, void *data, size_t size_bytes,
                                          struct whorl_error *err) {
    const struct plan_array *a;
    enum whorl_status status = begin_part(s, param, offset, data, size_bytes, &a, err);
    if (status != WHORL_OK || size_bytes == 0) return status;
    if (s->strategy != WHORL_CPU) return run_array_read_part(s, a, offset, data, size_bytes, err);
    memcpy(data, (const unsigned char *)s->host.memory[param] + offset, size_bytes);
    return WHORL_OK;
}

// ---- words ----
static enum whorl_status begin_words(whorl_session *s, size_t param, size_t offset, const void *data, size_t size_bytes,
                                     const struct plan_array **out, struct whorl_error *err) {
    enum whorl_status status = begin_part(s, param, offset, data, size_bytes, out, err);
    if (status == WHORL_OK && s->strategy == WHORL_CPU)
        status = base_set_error(err, WHORL_INVALID, "run", "the CPU device has no words of its own");
    return status;
}

enum whorl_status run_session_write_words(whorl_session *s, size_t param, size_t offset, const void *data,
                                          size_t size_bytes, struct whorl_error *err) {
    const struct plan_array *a;
    enum whorl_status status = begin_words(s, param, offset, data, size_bytes, &a, err);
    return status == WHORL_OK ? run_array_write_words(s, a, offset, data, size_bytes, err) : status;
}

enum whorl_status run_session_read_words(whorl_session *s, size_t param, size_t offset, void *data, size_t size_bytes,
                                         struct whorl_error *err) {
    const struct plan_array *a;
    enum whorl_status status = begin_words(s, param, offset, data, size_bytes, &a, err);
    return status == WHORL_OK ? run_array_read_words(s, a, offset, data, size_bytes, err) : status;
}

uint32_t run_session_unsaid(const whorl_session *s) { return s->unsaid; }

// Two arrays of one form, of one device.
static enum whorl_status begin_pair(whorl_session *s, size_t param, whorl_session *other, size_t other_param,
                                    const struct plan_array **out, const struct plan_array **out_other,
                                    struct whorl_error *err) {
    size_t bytes = 0;
    if (!s || !other) return base_set_error(err, WHORL_INVALID, "run", "no two sessions");
    if (s->device != other->device || (s->strategy == WHORL_CPU) != (other->strategy == WHORL_CPU))
        return base_set_error(err, WHORL_INVALID, "run", "the sessions are of two devices");
    if (param < s->plan->param_count && s->plan->params[param].is_array)
        (void)run_array_bytes(s->plan, &s->plan->arrays[s->plan->params[param].index], s->scalars.values, &bytes);
    enum whorl_status status = begin_copy(s, param, s, bytes, out, err);
    if (status == WHORL_OK) status = begin_copy(other, other_param, other, bytes, out_other, err);
    if (status == WHORL_OK && ((*out)->dtype != (*out_other)->dtype || (*out)->wide != (*out_other)->wide ||
                               !plan_same_pairs(*out, *out_other)))
        status = base_set_error(err, WHORL_INVALID, "run", "arrays '%s' and '%s' are of two types", (*out)->name,
                                (*out_other)->name);
    return status;
}

enum whorl_status whorl_session_copy(whorl_session *to, size_t to_param, whorl_session *from, size_t from_param,
                                     struct whorl_error *err) {
    const struct plan_array *a, *b;
    if (to == from) return base_set_error(err, WHORL_INVALID, "run", "no two sessions");
    enum whorl_status status = begin_pair(to, to_param, from, from_param, &a, &b, err);
    if (status != WHORL_OK) return status;
    if (to->strategy == WHORL_CPU) {
        size_t bytes;
        (void)run_array_bytes(to->plan, a, to->scalars.values, &bytes);
        memmove(to->host.memory[to_param], from->host.memory[from_param], bytes);
        return WHORL_OK;
    }
    if (to->res.buffers[a->buffer] == from->res.buffers[b->buffer])
        return base_set_error(err, WHORL_INVALID, "run", "arrays '%s' and '%s' share a buffer", a->name, b->name);
    return run_array_copy(to, a, from, b, err);
}

enum whorl_status whorl_session_exchange(whorl_session *s, size_t param, whorl_session *other, size_t other_param,
                                         struct whorl_error *err) {
    const struct plan_array *a, *b;
    enum whorl_status status = begin_pair(s, param, other, other_param, &a, &b, err);
    if (status != WHORL_OK || (s == other && param == other_param)) return status;
    if (s->strategy != WHORL_CPU) return run_array_exchange(s, a, other, b, err);
    if (s->host.borrowed[param] || other->host.borrowed[other_param])
        return base_set_error(err, WHORL_UNSUPPORTED, "run", "'%s' or '%s' is another session's", a->name, b->name);
    void *own = s->host.memory[param];
    s->host.memory[param] = other->host.memory[other_param];
    other->host.memory[other_param] = own;
    return WHORL_OK;
}

// ---- running ----
// New values are tried beside the old ones: they may not change what the buffers were made for.
static enum whorl_status change_scalars(struct whorl_session *s, const struct whorl_run_options *options,
                                        struct whorl_error *err) {
    if (!options || options->scalar_count == 0) return WHORL_OK;
    int64_t *fresh = s->scalars.values + s->plan->scalar_count;
    enum whorl_status status = run_take_scalars(s->plan, options->scalars, options->scalar_count, fresh, err);
    if (status != WHORL_OK) return status;
    for (uint32_t i = 0; i < s->plan->array_count; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        size_t before, after;
        int64_t from, to;
        if (!run_array_bytes(s->plan, a, s->scalars.values, &before) || !run_array_bytes(s->plan, a, fresh, &after) ||
            before != after || !plan_eval(s->plan, a->offset_bytes, s->scalars.values, &from) ||
            !plan_eval(s->plan, a->offset_bytes, fresh, &to) || from != to)
            return base_set_error(err, WHORL_INVALID, "run",
                                  "these scalars change the size of '%s'; make a new session", a->name);
    }
    memcpy(s->scalars.values, fresh, s->plan->scalar_count * sizeof *fresh);
    return WHORL_OK;
}

enum whorl_status whorl_session_run(whorl_session *s, uint32_t calls, const struct whorl_run_options *given,
                                    struct whorl_stats *out_stats, struct whorl_error *err) {
    struct whorl_run_options own = WHORL_RUN_OPTIONS_INIT;
    enum whorl_status status = run_take_options(&own, given, err);
    return status == WHORL_OK ? run_session_run(s, calls, &own, true, out_stats, err) : status;
}

enum whorl_status run_session_run(whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                  bool gives_up, struct whorl_stats *out_stats, struct whorl_error *err) {
    struct whorl_stats stats = {0};
    if (!s || calls == 0) return base_set_error(err, WHORL_INVALID, "run", "no session, or no calls");
    if (is_lost(s)) return lost_error(s, err);
    double start = run_now_s();
    enum whorl_status status = change_scalars(s, options, err);
    if (status == WHORL_OK && (options->checkpoint || options->resume))
        status = base_set_error(err, WHORL_INVALID, "run", "a session has no checkpoints; whorl_run has");
    // a call that was given up goes on, and nobody could free the arrays
    for (uint32_t i = 0; s->strategy == WHORL_CPU && i < s->plan->param_count && status == WHORL_OK; i++)
        if (s->host.borrowed[i] && options->max_s > 0)
            status = base_set_error(err, WHORL_INVALID, "run",
                                    "a session with arrays of another one has no max_s on the CPU device");
    run_notes_begin(s, &stats);
    stats.pipeline_ms = s->progress.pipeline_ms;
    s->progress.pipeline_ms = 0;
    s->at.place = (struct run_place){.kind = RUN_AT_START};
    s->progress.slices = 0;
    s->progress.start_s = start;
    run_patience_begin(s->device, options, gives_up);
    if (status == WHORL_OK)
        status = s->strategy == WHORL_CPU ? run_session_call_cpu(s, calls, options, &stats, err)
                                          : run_execute(s, calls, options, NULL, NULL, &stats, err);
    if (status == WHORL_OK && s->strategy != WHORL_CPU) status = run_log_finish(s, options, err);
    run_patience_end(s->device);
    stats.wall_ms = (run_now_s() - start) * 1e3;
    if (out_stats) *out_stats = stats;
    return status;
}
