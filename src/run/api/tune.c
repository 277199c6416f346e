// whorl_tune: which of the ways that `auto` can take is the fastest, by the clock.
//
// All candidates run whole calls on copies of the arrays, from the same inputs. They take turns, so that a clock that
// drifts drifts for all. Before that each runs for a while, since GPUs idle at low clocks. A call that would take long
// is stopped and counts by the part of the work that it did.
#include <stdio.h>
#include <string.h>

#include "run/api/api.h"
#include "run/session/buffers.h"
#include "run/session/grid_slice.h"
#include "run/state/checkpoint.h"

enum { MOST_ROUNDS = 101, FEWEST_ROUNDS = 6 };
static const double warm_s = 0.3, wanted_s = 2, patience_s = 20, longest_call_s = 1.5;

struct candidate {
    struct whorl_session *session; // several may share one
    struct run_choice choice;
    double samples[MOST_ROUNDS];
    uint64_t sum;      // of the outputs
    uint32_t is_at;    // in the tuning
    bool gave_outputs; // a call was not stopped
};

struct tuner {
    struct whorl_device *device;
    const struct whorl_program *program;
    void *const *arrays;
    const size_t *size_bytes;
    struct whorl_run_options options;
    struct candidate items[WHORL_CANDIDATES];
    uint32_t count;
    double fraction; // of the call that is running
    void **exact;    // by parameter: the outputs of the first candidate that gave any, where all must give the same
    const char *first;
    char disagreement[RUN_DISAGREEMENT];
    struct whorl_error *err;
};

// ---- one call -------------------------------------------------------------------------------------------------------

static bool listen(void *user, const struct whorl_progress *p) {
    struct tuner *t = user;
    t->fraction = p->fraction;
    return !t->options.progress || t->options.progress(t->options.user, &(struct whorl_progress){.slice = p->slice});
}

static enum whorl_status upload(struct tuner *t, struct whorl_session *s, bool outputs_alone) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < s->plan->param_count && status == WHORL_OK; i++) {
        const struct plan_array *a;
        if (!s->plan->params[i].is_array) continue;
        status = run_session_find_array(s, i, t->size_bytes[i], &a, t->err);
        if (status == WHORL_OK && !t->arrays[i] && t->size_bytes[i])
            status = base_set_error(t->err, WHORL_INVALID, "run", "array '%s' has no memory", a->name);
        if (status == WHORL_OK && (a->kind == PLAN_INOUT || !outputs_alone))
            status = run_array_write(s, a, t->arrays[i], t->size_bytes[i], t->err);
    }
    return status;
}

static const char *name_of(const struct candidate *c) { return c->choice.parts ? "steps" : "single"; }

// Takes `data`.
static void judge(struct tuner *t, const struct candidate *c, uint32_t param, void *data) {
    const struct plan *plan = c->session->plan;
    const struct plan_array *a = &plan->arrays[plan->params[param].index];
    if (a->exact && !t->exact[param]) {
        t->exact[param] = data;
        t->first = name_of(c);
        return;
    }
    const struct run_view views[2] = {{t->first, t->exact[param]}, {name_of(c), data}};
    if (a->exact && !t->disagreement[0])
        (void)run_agree(&c->session->scalars, a, views, t->size_bytes[param], t->disagreement);
    base_heap_free(data);
}

static enum whorl_status sum_outputs(struct tuner *t, struct candidate *c) {
    enum whorl_status status = WHORL_OK;
    const struct plan *plan = c->session->plan;
    c->sum = 0;
    for (uint32_t i = 0; i < plan->param_count && status == WHORL_OK; i++) {
        if (!plan->params[i].is_array || plan->arrays[plan->params[i].index].kind != PLAN_INOUT) continue;
        const struct plan_array *a = &plan->arrays[plan->params[i].index];
        unsigned char *data = base_heap_alloc(t->size_bytes[i] + 1);
        if (!data) return base_set_error(t->err, WHORL_MEMORY, "run", "out of memory");
        status = run_array_read(c->session, a, data, t->size_bytes[i], t->err);
        if (status == WHORL_OK) c->sum = run_sum(c->sum, data, t->size_bytes[i]);
        if (status == WHORL_OK)
            judge(t, c, i, data);
        else
            base_heap_free(data);
    }
    c->gave_outputs = status == WHORL_OK;
    return status;
}

// *out_ns: of a whole call; *out_alike: what ran was the candidate, not what it fell back to.
static enum whorl_status call(struct tuner *t, struct candidate *c, double *out_ns, bool *out_alike) {
    struct whorl_session *s = c->session;
    struct whorl_run_options options = t->options;
    struct whorl_stats stats = {0};
    options.progress = listen;
    options.user = t;
    options.max_s = longest_call_s;
    if (options.slice_ms == 0) options.slice_ms = 250;
    enum whorl_status status = upload(t, s, true);
    s->choice = c->choice;
    t->fraction = 0;
    double start = run_now_s();
    if (status == WHORL_OK) status = run_session_run(s, 1, &options, false, &stats, t->err);
    double ns = (run_now_s() - start) * 1e9;
    *out_alike = stats.fell_back == false &&
                 (!s->res.grid || c->choice.parts || !c->choice.groups || s->device->grid_test.ran == c->choice.groups);
    if (status == WHORL_STOPPED) {
        if (!(t->fraction > 0))
            return base_set_error(t->err, WHORL_LIMIT, "run",
                                  "a call takes more than %g s and does not know how much is left; tune smaller sizes",
                                  longest_call_s);
        *out_ns = ns / t->fraction;
        return WHORL_OK;
    }
    *out_ns = ns;
    return status == WHORL_OK && !c->gave_outputs ? sum_outputs(t, c) : status;
}

// ---- the candidates -------------------------------------------------------------------------------------------------

static void add(struct tuner *t, struct whorl_session *session, bool parts, uint32_t groups) {
    if (t->count == WHORL_CANDIDATES) return;
    t->items[t->count++] =
        (struct candidate){.session = session, .choice = {.from = RUN_CHOICE_TUNED, .parts = parts, .groups = groups}};
}

// Half and twice as many workgroups as the device's own number, which the first call has found out. Not in software:
// how many run side by side there depends on the processors that are free at the moment.
static void add_groups(struct tuner *t, struct whorl_session *s) {
    uint32_t own = s->res.grid->groups, most = t->device->probe.grid_groups_max;
    if (t->device->gpu->is_software || !t->device->probe.grid_ok || own < 2 || t->options.groups) return;
    add(t, s, false, own / 2);
    if (own * 2 <= most) add(t, s, false, own * 2);
}

static enum whorl_status warm_up(struct tuner *t, struct candidate *c, bool *out_alike) {
    double ns, start = run_now_s();
    enum whorl_status status;
    do
        status = call(t, c, &ns, out_alike);
    while (status == WHORL_OK && *out_alike && run_now_s() - start < warm_s);
    return status;
}

// Opens what is needed and drops what does not run as it should.
static enum whorl_status find_candidates(struct tuner *t, struct whorl_session **first, struct whorl_session **second) {
    const struct run_choice single = {.from = RUN_CHOICE_TUNED}, parts = {.from = RUN_CHOICE_TUNED, .parts = true};
    const struct plan *plan = t->program->plan;
    enum whorl_status status =
        run_session_open_for(t->device, t->program, &t->options, WHORL_AUTO, &single, first, t->err);
    if (status == WHORL_OK) status = upload(t, *first, false);
    if (status != WHORL_OK) return status;
    add(t, *first, false, 0);
    if (plan->single.fallback) {
        status = run_session_prepare(*first, plan->single.fallback, t->err);
        add(t, *first, true, 0);
    } else {
        status = run_session_open_for(t->device, t->program, &t->options, WHORL_AUTO, &parts, second, t->err);
        if (status == WHORL_OK) status = upload(t, *second, false);
        if (status == WHORL_OK) add(t, *second, true, 0);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->count && status == WHORL_OK; i++) {
        bool alike;
        status = warm_up(t, &t->items[i], &alike);
        if (i == 0 && alike && (*first)->res.grid) add_groups(t, *first);
        if (alike) t->items[kept++] = t->items[i];
    }
    t->count = kept;
    return status;
}

// ---- measuring ------------------------------------------------------------------------------------------------------

static enum whorl_status measure(struct tuner *t, struct whorl_tuning *out) {
    enum whorl_status status = WHORL_OK;
    uint32_t rounds = 0;
    double start = run_now_s();
    for (; rounds < MOST_ROUNDS && status == WHORL_OK; rounds++) {
        double spent = run_now_s() - start;
        if (rounds >= FEWEST_ROUNDS ? spent > wanted_s : rounds > 2 && spent > patience_s) break;
        for (uint32_t i = 0; i < t->count && status == WHORL_OK; i++) {
            bool alike;
            status = call(t, &t->items[i], &t->items[i].samples[rounds], &alike);
        }
    }
    for (uint32_t i = 0; i < t->count && status == WHORL_OK; i++) {
        struct candidate *c = &t->items[i];
        out->candidates[i] = (struct whorl_candidate){
            .strategy = c->choice.parts ? WHORL_STEPS : WHORL_SINGLE,
            .groups = c->choice.groups,
            .time = run_median(c->samples, rounds),
            .same_bits = c->gave_outputs && t->items[0].gave_outputs && c->sum == t->items[0].sum,
        };
    }
    out->count = t->count;
    out->samples = rounds;
    return status;
}

// What is fastest, unless one of them is wrong: then the parts.
static enum whorl_status choose(struct tuner *t, struct whorl_tuning *out) {
    struct whorl_time times[WHORL_CANDIDATES];
    struct run_choice choice;
    for (uint32_t i = 0; i < out->count; i++)
        times[i] = out->candidates[i].time;
    out->chosen = run_choice_pick(times, out->count);
    memcpy(out->disagreement, t->disagreement, sizeof out->disagreement);
    if (t->disagreement[0]) {
        for (out->chosen = 0; out->chosen < out->count && !t->items[out->chosen].choice.parts;)
            out->chosen++;
        if (out->chosen == out->count)
            return base_set_error(t->err, WHORL_INTERNAL, "run", "%s (it does not run here)", t->disagreement);
    }
    choice = t->items[out->chosen].choice;
    if (t->disagreement[0]) choice.from = RUN_CHOICE_WRONG;
    // The time that is kept of single: of the chosen number of workgroups, or of the default.
    for (uint32_t i = out->count; i-- > 0;)
        *(out->candidates[i].strategy == WHORL_SINGLE ? &choice.single_ns : &choice.parts_ns) = times[i].ns;
    *(choice.parts ? &choice.parts_ns : &choice.single_ns) = times[out->chosen].ns;
    out->kept =
        run_choices_store(t->device, run_choice_key(t->program->plan, t->items[0].session->scalars.values), &choice);
    return WHORL_OK;
}

// ---- the public functions -------------------------------------------------------------------------------------------

enum whorl_status whorl_tune(whorl_device *device, const whorl_program *program, void *const *arrays,
                             const size_t *size_bytes, const struct whorl_run_options *given, struct whorl_tuning *out,
                             struct whorl_error *err) {
    struct tuner *t;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_session *first = NULL, *second = NULL;
    if (!device || !program || !program->plan || !arrays || !size_bytes || !out)
        return base_set_error(err, WHORL_INVALID, "run",
                              "no device, no program, no arrays, or no place for the answer");
    memset(out, 0, sizeof *out);
    enum whorl_status status = run_take_options(&options, given, err);
    if (status != WHORL_OK) return status;
    options.checkpoint = options.resume = NULL;
    options.print = NULL;
    if (!device->gpu || !run_choice_exists(program->plan)) return WHORL_OK; // there is one way to run it
    t = base_heap_alloc(sizeof *t);
    if (!t) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    *t = (struct tuner){.device = device,
                        .program = program,
                        .arrays = arrays,
                        .size_bytes = size_bytes,
                        .options = options,
                        .err = err};
    size_t bytes = (program->plan->param_count + 1) * sizeof *t->exact;
    t->exact = base_heap_alloc(bytes);
    status = t->exact ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    if (t->exact) memset(t->exact, 0, bytes);
    if (status == WHORL_OK) status = find_candidates(t, &first, &second);
    if (status == WHORL_OK && t->count == 0)
        status = base_set_error(err, WHORL_DEVICE, "run", "no strategy ran to its end as it should");
    if (status == WHORL_OK) status = measure(t, out);
    if (status == WHORL_OK) status = choose(t, out);
    whorl_session_destroy(first);
    whorl_session_destroy(second);
    for (uint32_t i = 0; t->exact && i < program->plan->param_count; i++)
        base_heap_free(t->exact[i]);
    base_heap_free(t->exact);
    base_heap_free(t);
    return status;
}

enum whorl_status whorl_auto(whorl_device *device, const whorl_program *program, const struct whorl_run_options *given,
                             struct whorl_choice *out, struct whorl_error *err) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    if (!device || !program || !program->plan || !out)
        return base_set_error(err, WHORL_INVALID, "run", "no device, no program, or no place for the answer");
    *out = (struct whorl_choice){.strategy = WHORL_CPU};
    enum whorl_status status = run_take_options(&options, given, err);
    if (status != WHORL_OK) return status;
    if (!device->gpu) {
        snprintf(out->why, sizeof out->why, "cpu: the device is the CPU");
        return WHORL_OK;
    }
    int64_t *values = base_heap_alloc((program->plan->scalar_count + 1) * sizeof *values);
    if (!values) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    struct run_choice choice;
    status = run_take_scalars(program->plan, options.scalars, options.scalar_count, values, err);
    if (status == WHORL_OK) {
        run_choice_find(device, program->plan, values, &choice);
        out->strategy = choice.parts ? WHORL_STEPS : WHORL_SINGLE;
        out->groups = choice.parts ? 0 : choice.groups;
        out->measured = choice.from == RUN_CHOICE_TUNED;
        run_choice_words(program->plan, &choice, out->why, sizeof out->why);
    }
    base_heap_free(values);
    return status;
}

enum whorl_status whorl_predict(const struct whorl_device_info *info, const whorl_program *program,
                                struct whorl_choice *out, struct whorl_error *err) {
    struct run_choice choice;
    if (!info || !program || !program->plan || !out)
        return base_set_error(err, WHORL_INVALID, "run", "no device, no program, or no place for the answer");
    *out = (struct whorl_choice){.strategy = WHORL_CPU};
    if (info->is_cpu) {
        snprintf(out->why, sizeof out->why, "cpu: the device is the CPU");
        return WHORL_OK;
    }
    run_choice_predict(info->is_software, program->plan, &choice);
    out->strategy = choice.parts ? WHORL_STEPS : WHORL_SINGLE;
    run_choice_words(program->plan, &choice, out->why, sizeof out->why);
    return WHORL_OK;
}
