// The steps after a run: see teacher.h. A step is a job of its own, because some of its scalars are compiled in; those
// that change from step to step are not, so that all steps share kernels.
#include <stdio.h>
#include <string.h>

#include "teacher.h"

struct teacher {
    struct cli_options options; // the run's, with the scalars of the first step behind its inputs
    char inputs[DIRECTIVES_STEP_SCALARS][128];
    struct directive_step scalars[DIRECTIVES_STEP_SCALARS];
    size_t scalar_count;
    struct job job;
    whorl_session *sessions[2]; // of the GPU and the CPU
    void **results[2];
    void (*say)(void *user, int step, const struct whorl_param *param, const struct check_rule *rule,
                const struct check_verdict *verdict);
    void *user;
    int step;
};

static void pass_on(void *user, const struct whorl_param *param, const struct check_rule *rule,
                    const struct check_verdict *verdict) {
    const struct teacher *t = user;
    t->say(t->user, t->step, param, rule, verdict);
}

static enum whorl_status compile_step(struct teacher *t, const struct job *run, whorl_device *device,
                                      struct whorl_error *err) {
    const struct cli_options *o = run->options;
    t->options = *o;
    t->options.inputs = t->options.uniforms = (struct cli_list){0};
    for (size_t i = 0; i < o->inputs.count; i++)
        cli_list_add(&t->options.inputs, o->inputs.items[i]);
    for (size_t i = 0; i < o->uniforms.count; i++)
        cli_list_add(&t->options.uniforms, o->uniforms.items[i]);
    enum whorl_status status =
        directives_step(&run->directives, run->scalars, run->scalar_count, t->scalars, &t->scalar_count, err);
    for (size_t i = 0; i < t->scalar_count && status == WHORL_OK; i++) {
        snprintf(t->inputs[i], sizeof t->inputs[i], "%s=%.17g", t->scalars[i].name, t->scalars[i].value);
        cli_list_add(&t->options.inputs, t->inputs[i]);
        if (!t->scalars[i].is_number) cli_list_add(&t->options.uniforms, t->scalars[i].name);
    }
    if (status == WHORL_OK) status = job_open(&t->options, &t->job, err);
    if (status == WHORL_OK) status = job_compile(&t->job, device, err);
    if (status == WHORL_OK) status = job_fill(&t->job, err);
    return status;
}

// The next step begins where the one before ended.
static void hand_over(const struct job *before, void *const *results, struct job *after) {
    for (size_t p = 0; p < after->param_count; p++) {
        const struct whorl_param *to = whorl_program_param(after->program, p);
        for (size_t q = 0; to->is_array && q < before->param_count; q++) {
            const struct whorl_param *from = whorl_program_param(before->program, q);
            if (from->is_array && strcmp(from->name, to->name) == 0 && before->size_bytes[q] == after->size_bytes[p] &&
                results[q] != after->start[p])
                memcpy(after->start[p], results[q], after->size_bytes[p]);
        }
    }
}

static enum whorl_status next_scalars(struct teacher *t, struct whorl_error *err) {
    enum whorl_status status =
        directives_step(&t->job.directives, t->job.scalars, t->job.scalar_count, t->scalars, &t->scalar_count, err);
    for (size_t i = 0; i < t->scalar_count && status == WHORL_OK; i++)
        for (size_t k = 0; k < t->job.scalar_count; k++)
            if (strcmp(t->job.scalars[k].name, t->scalars[i].name) == 0) t->job.scalars[k].value = t->scalars[i].value;
    return status;
}

static enum whorl_status run_step(struct teacher *t, int where, struct whorl_error *err) {
    struct whorl_run_options r = cli_run_options(&t->options);
    struct whorl_scalar scalars[DIRECTIVES_STEP_SCALARS];
    struct whorl_stats stats;
    enum whorl_status status = WHORL_OK;
    if (where == 1) {
        r.strategy = WHORL_CPU;
        r.max_s = 0;
    }
    r.scalars = scalars;
    for (size_t i = 0; i < t->scalar_count; i++)
        if (!t->scalars[i].is_number)
            scalars[r.scalar_count++] = (struct whorl_scalar){t->scalars[i].name, t->scalars[i].value};
    for (size_t p = 0; p < t->job.param_count && status == WHORL_OK; p++)
        if (whorl_program_param(t->job.program, p)->is_array)
            status = whorl_session_write(t->sessions[where], p, t->job.start[p], t->job.size_bytes[p], err);
    if (status == WHORL_OK) status = whorl_session_run(t->sessions[where], 1, &r, &stats, err);
    for (size_t p = 0; p < t->job.param_count && status == WHORL_OK; p++)
        if (whorl_program_param(t->job.program, p)->is_output)
            status = whorl_session_read(t->sessions[where], p, t->results[where][p], t->job.size_bytes[p], err);
    return status;
}

enum whorl_status teacher_check(const struct job *job, whorl_device *device, whorl_device *cpu, void *const *results,
                                void (*say)(void *user, int step, const struct whorl_param *param,
                                            const struct check_rule *rule, const struct check_verdict *verdict),
                                void *user, bool *out_holds, struct whorl_error *err) {
    struct teacher t = {.say = say, .user = user, .step = 1};
    const struct directives *d = &job->directives;
    *out_holds = true;
    if (!d->step_check_count) return WHORL_OK;
    enum whorl_status status = compile_step(&t, job, device, err);
    if (status == WHORL_OK) hand_over(job, results, &t.job);
    for (int where = 0; where < 2 && status == WHORL_OK; where++) {
        status = job_results_create(&t.job, &t.results[where], err);
        if (status == WHORL_OK)
            status = whorl_session_create(where ? cpu : device, t.job.program, where ? WHORL_CPU : t.options.strategy,
                                          &t.sessions[where], err);
    }
    for (; t.step <= TEACHER_STEPS && status == WHORL_OK; t.step++) {
        bool holds = true;
        for (int where = 0; where < 2 && status == WHORL_OK; where++)
            status = run_step(&t, where, err);
        if (status == WHORL_OK)
            status = check_outputs(d->step_checks, d->step_check_count, t.job.program, t.results[0], t.results[1],
                                   pass_on, &t, &holds, err);
        *out_holds = *out_holds && holds;
        hand_over(&t.job, t.results[0], &t.job);
        if (status == WHORL_OK) status = next_scalars(&t, err);
    }
    for (int where = 0; where < 2; where++) {
        whorl_session_destroy(t.sessions[where]);
        job_results_destroy(&t.job, t.results[where]);
    }
    job_deinit(&t.job);
    cli_list_deinit(&t.options.inputs);
    cli_list_deinit(&t.options.uniforms);
    return status;
}
