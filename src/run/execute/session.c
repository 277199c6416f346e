// The public session.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/execute/grid.h"
#include "run/report/log.h"
#include "run/report/nan.h"
#include "run/state/checkpoint.h"

const char *whorl_strategy_name(enum whorl_strategy strategy) {
    static const char *const names[] = {"auto", "single", "steps", "eager", "cpu"};
    return (size_t)strategy < sizeof names / sizeof *names ? names[strategy] : "?";
}

const struct plan_strategy *run_strategy_of(const struct plan *plan, enum whorl_strategy strategy) {
    return strategy == WHORL_SINGLE ? &plan->single : strategy == WHORL_EAGER ? &plan->eager : &plan->steps;
}

// ---- scalars ----
static bool to_bits(enum whorl_dtype dtype, double value, int64_t *out) {
    if (dtype == WHORL_F32) {
        if (isfinite(value) && isinf((float)value)) return false;
        *out = (int64_t)base_float_bits((float)value);
        return true;
    }
    double low = dtype == WHORL_I32 ? INT32_MIN : 0, high = dtype == WHORL_I32 ? INT32_MAX : UINT32_MAX;
    if (!(value >= low && value <= high) || value != floor(value)) return false;
    *out = (int64_t)value;
    return true;
}

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

enum whorl_status run_take_scalars(const struct plan *plan, const struct whorl_scalar *scalars, size_t count,
                                   int64_t *values, struct whorl_error *err) {
    for (uint32_t i = 0; i < plan->scalar_count; i++) {
        const struct plan_scalar *s = &plan->scalars[i];
        values[i] = s->dtype == WHORL_I32 ? (int64_t)(int32_t)s->bits : (int64_t)s->bits;
    }
    for (size_t c = 0; c < count; c++) {
        uint32_t i = 0;
        while (i < plan->scalar_count &&
               (!plan->scalars[i].is_param || strcmp(plan->scalars[i].name, scalars[c].name) != 0))
            i++;
        if (i == plan->scalar_count)
            return base_set_error(err, WHORL_INVALID, "run", "'%s' is no scalar parameter of %s", scalars[c].name,
                                  plan->entry);
        const struct plan_scalar *s = &plan->scalars[i];
        int64_t value;
        if (!to_bits(s->dtype, scalars[c].value, &value))
            return base_set_error(err, WHORL_INVALID, "run", "%g is no value for '%s' (%s)", scalars[c].value, s->name,
                                  whorl_dtype_name(s->dtype));
        if (s->kind == PLAN_SPECIALISED && value != values[i])
            return base_set_error(
                err, WHORL_INVALID, "run",
                "the program was compiled for another value of '%s'; compile it again, or keep it uniform", s->name);
        values[i] = value;
    }
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
            run_choice_find(s->device, s->plan, s->values, &s->choice);
        s->opened = opened_for(s->plan, &s->choice);
    }
    s->strategy = s->opened;
}

void run_choice_note(const struct whorl_session *s, struct whorl_stats *stats) {
    run_choice_words(s->plan, &s->choice, stats->note, sizeof stats->note);
}

void run_session_note(const struct whorl_session *s, struct whorl_stats *stats) {
    const struct plan *plan = s->plan;
    stats->strategy = s->strategy;
    stats->fell_back = s->asked == WHORL_SINGLE && s->strategy == WHORL_STEPS;
    const char *note = "";
    if (s->strategy == WHORL_SINGLE && plan->single.same_as_steps)
        note = "same plan as steps";
    else if ((s->asked == WHORL_SINGLE || s->asked == WHORL_AUTO) && s->strategy != WHORL_CPU && plan->single.note)
        note = plan->single.note;
    snprintf(stats->note, sizeof stats->note, "%s", note);
    bool measured = s->choice.from == RUN_CHOICE_TUNED;
    if (s->asked != WHORL_AUTO || (!measured && !s->choice.parts) || !run_choice_exists(plan)) return;
    run_choice_note(s, stats);
    if (s->choice.parts) stats->strategy = WHORL_STEPS;
}

// ---- making and destroying ----
static enum whorl_status get_pipelines(struct whorl_session *s, const struct plan_node *node, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    if (node->kind == PLAN_DISPATCH && !s->kernels[node->kernel].pipeline)
        return run_pipeline_get(s->device, &s->plan->kernels[node->kernel], s->plan->param_words,
                                &s->kernels[node->kernel].pipeline, err);
    for (uint32_t i = 0; node->kind != PLAN_DISPATCH && i < node->child_count && status == WHORL_OK; i++)
        status = get_pipelines(s, &node->children[i], err);
    return status;
}

enum whorl_status run_session_prepare(struct whorl_session *s, const struct plan_node *root, struct whorl_error *err) {
    enum whorl_status status = get_pipelines(s, root, err);
    return status == WHORL_OK ? run_groups_create(s, err) : status;
}

const struct plan_node *run_session_root(const struct whorl_session *s) {
    const struct plan_strategy *strategy = run_strategy_of(s->plan, s->strategy);
    bool abandoned = s->grid && s->grid->strategy == strategy && s->grid->abandoned;
    return abandoned ? strategy->fallback : &strategy->root;
}

static void *zeroed(size_t count, size_t each) {
    size_t bytes;
    void *p = base_mul_size(count ? count : 1, each, &bytes) ? base_heap_alloc(bytes) : NULL;
    if (p) memset(p, 0, bytes);
    return p;
}

static enum whorl_status open_gpu(struct whorl_session *s, struct whorl_error *err) {
    const struct plan *plan = s->plan;
    s->buffers = zeroed(plan->buffer_count, sizeof *s->buffers);
    s->sizes = zeroed(plan->buffer_count, sizeof *s->sizes);
    s->kernels = zeroed(plan->kernel_count, sizeof *s->kernels);
    if (!s->buffers || !s->sizes || !s->kernels) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    enum whorl_status status = run_buffers_create(s, err);
    double start = run_now_s();
    size_t known = s->device->pipelines.count;
    if (status == WHORL_OK) status = run_grid_create(s, run_strategy_of(plan, s->strategy), err);
    if (status == WHORL_OK) status = get_pipelines(s, run_session_root(s), err);
    if (s->device->pipelines.count != known) s->pipeline_ms = (run_now_s() - start) * 1e3;
    return status == WHORL_OK ? run_groups_create(s, err) : status;
}

static void close_gpu(struct whorl_session *s) {
    run_buffers_destroy(s);
    base_heap_free(s->buffers);
    base_heap_free(s->sizes);
    base_heap_free(s->kernels);
    s->buffers = NULL;
    s->sizes = NULL;
    s->kernels = NULL;
    s->batch = (struct run_batch){0};
    s->staging_bytes = 0;
}

// Times that were measured are of the same hardware, but buffers and kernels share their structs: they are measured
// anew.
enum whorl_status run_session_rebuild(struct whorl_session *s, struct whorl_error *err) {
    close_gpu(s);
    s->gpu = s->device->gpu;
    s->dispatch_ns = 0;
    return open_gpu(s, err);
}

enum whorl_status run_session_open_for(struct whorl_device *device, const struct whorl_program *program,
                                       const struct whorl_run_options *options, enum whorl_strategy strategy,
                                       const struct run_choice *choice, struct whorl_session **out,
                                       struct whorl_error *err) {
    if (!out) return base_set_error(err, WHORL_INVALID, "run", "no place for the session");
    *out = NULL;
    if (!device || !program || !program->plan)
        return base_set_error(err, WHORL_INVALID, "run", "no device, or a program without a plan");
    if (device->gpu && device->gpu->lost)
        return base_set_error(err, WHORL_DEVICE, "run", "the device was lost; open it again");
    struct whorl_session *s = zeroed(1, sizeof *s);
    int64_t *values = zeroed((size_t)program->plan->scalar_count * 2, sizeof *values);
    if (!s || !values) {
        base_heap_free(s);
        base_heap_free(values);
        return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    }
    s->device = device;
    s->gpu = device->gpu;
    s->program = program;
    s->plan = program->plan;
    s->asked = strategy;
    s->strategy = device->gpu ? WHORL_STEPS : WHORL_CPU; // for closing it, until there is one
    s->values = values;
    enum whorl_status status =
        run_take_scalars(s->plan, options ? options->scalars : NULL, options ? options->scalar_count : 0, values, err);
    if (status == WHORL_OK) choose_strategy(s, options, choice);
    device->opened = s->opened;
    if (status == WHORL_OK) status = check_strategy(device, program, strategy, s->strategy, err);
    if (status == WHORL_OK) status = s->strategy == WHORL_CPU ? run_session_open_cpu(s, err) : open_gpu(s, err);
    if (status != WHORL_OK) {
        whorl_session_destroy(s);
        return status;
    }
    *out = s;
    return WHORL_OK;
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

void whorl_session_destroy(whorl_session *s) {
    if (!s) return;
    if (s->strategy == WHORL_CPU)
        run_session_close_cpu(s);
    else
        close_gpu(s);
    base_heap_free(s->values);
    run_nan_destroy(s->nan);
    base_heap_free(s);
}

// ---- arrays ----
// A run of another session may have found the device lost, and opened it again.
static bool is_lost(const struct whorl_session *s) {
    if (s->strategy == WHORL_CPU) return run_cpu_is_given_up(s->cpu);
    return s->gpu && (s->gpu != s->device->gpu || s->gpu->lost);
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
    if (!run_array_bytes(plan, a, s->values, &bytes))
        return base_set_error(err, WHORL_INVALID, "run", "the size of '%s' is out of range for these scalars", a->name);
    if (bytes != size_bytes)
        return base_set_error(err, WHORL_INVALID, "run", "array '%s' has %zu bytes, %zu were given", a->name, bytes,
                              size_bytes);
    *out = a;
    return WHORL_OK;
}

enum whorl_status whorl_session_write(whorl_session *s, size_t param, const void *data, size_t size_bytes,
                                      struct whorl_error *err) {
    const struct plan_array *a;
    if (!s || !data) return base_set_error(err, WHORL_INVALID, "run", "no session, or no data");
    enum whorl_status status = run_session_find_array(s, param, size_bytes, &a, err);
    if (status != WHORL_OK) return status;
    if (is_lost(s)) return lost_error(s, err);
    if (s->strategy != WHORL_CPU) return run_array_write(s, a, data, size_bytes, err);
    status = run_session_memory_cpu(s, err);
    if (status == WHORL_OK) memcpy(s->memory[param], data, size_bytes);
    return status;
}

enum whorl_status whorl_session_read(whorl_session *s, size_t param, void *data, size_t size_bytes,
                                     struct whorl_error *err) {
    const struct plan_array *a;
    if (!s || !data) return base_set_error(err, WHORL_INVALID, "run", "no session, or no data");
    enum whorl_status status = run_session_find_array(s, param, size_bytes, &a, err);
    if (status != WHORL_OK) return status;
    if (is_lost(s)) return lost_error(s, err);
    if (s->strategy != WHORL_CPU) return run_array_read(s, a, data, size_bytes, err);
    status = run_session_memory_cpu(s, err);
    if (status == WHORL_OK) memcpy(data, s->memory[param], size_bytes);
    return status;
}

// ---- running ----
// New values are tried beside the old ones: they may not change what the buffers were made for.
static enum whorl_status change_scalars(struct whorl_session *s, const struct whorl_run_options *options,
                                        struct whorl_error *err) {
    if (!options || options->scalar_count == 0) return WHORL_OK;
    int64_t *fresh = s->values + s->plan->scalar_count;
    enum whorl_status status = run_take_scalars(s->plan, options->scalars, options->scalar_count, fresh, err);
    if (status != WHORL_OK) return status;
    for (uint32_t i = 0; i < s->plan->array_count; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        size_t before, after;
        int64_t from, to;
        if (!run_array_bytes(s->plan, a, s->values, &before) || !run_array_bytes(s->plan, a, fresh, &after) ||
            before != after || !plan_eval(s->plan, a->offset_bytes, s->values, &from) ||
            !plan_eval(s->plan, a->offset_bytes, fresh, &to) || from != to)
            return base_set_error(err, WHORL_INVALID, "run",
                                  "these scalars change the size of '%s'; make a new session", a->name);
    }
    memcpy(s->values, fresh, s->plan->scalar_count * sizeof *fresh);
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
    run_session_note(s, &stats);
    stats.pipeline_ms = s->pipeline_ms;
    s->pipeline_ms = 0;
    s->at = (struct run_place){.kind = RUN_AT_START};
    s->slices = 0;
    s->start_s = start;
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
