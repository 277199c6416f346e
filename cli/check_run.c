// `--check`: the results of a run beside the CPU's, by the file's `// check:` lines.
#include "base/dtype.h"
#include "commands.h"
#include "teacher.h"
#include "verdict.h"

static void say_wrong(const struct whorl_param *param, const char *when, const char *text,
                      const struct check_rule *rule, const struct check_verdict *verdict) {
    char line[256];
    cli_error("check of `%s`%s: %s", param->name, when, text);
    if (check_accepting(rule, verdict, param, line, sizeof line))
        cli_hint("if that is right all the same: the line `// check: %s` would accept it", line);
}

struct listener {
    struct cli_verdict *out;
    bool quiet;
};

static void say_verdict(void *user, const struct whorl_param *param, const struct check_rule *rule,
                        const struct check_verdict *verdict) {
    char text[512];
    struct listener *l = user;
    check_say(rule, verdict, param, text, sizeof text);
    if (!verdict->holds) l->out->floats_differ |= base_dtype_is_float(check_type(param, (size_t)verdict->worst));
    if (!verdict->holds)
        say_wrong(param, "", text, rule, verdict);
    else if (!l->quiet)
        printf("  check of %s: %s%s%s\n", param->name, cli_style(stdout, CLI_GREEN), text,
               cli_style(stdout, CLI_PLAIN));
}

static void say_step(void *user, int step, const struct whorl_param *param, const struct check_rule *rule,
                     const struct check_verdict *verdict) {
    char text[512], when[48];
    const struct cli_options *o = user;
    check_say(rule, verdict, param, text, sizeof text);
    snprintf(when, sizeof when, " in step %d after the run", step);
    if (!verdict->holds)
        say_wrong(param, when, text, rule, verdict);
    else if (o->verbose && !o->quiet)
        printf("  check of %s in step %d after the run: %s\n", param->name, step, text);
}

enum whorl_status cli_check_against_cpu(const struct job *job, whorl_device *device, void *const *got,
                                        struct cli_verdict *out, struct whorl_error *err) {
    struct whorl_run_options r = WHORL_RUN_OPTIONS_INIT;
    whorl_device *cpu = NULL;
    void **want = NULL;
    bool quiet = job->options->quiet;
    struct listener listener = {out, quiet};
    r.strategy = WHORL_CPU;
    enum whorl_status status = cli_open(job->options, "cpu", &cpu, err);
    cli_begin_run(job, device, WHORL_CPU);
    if (status == WHORL_OK) status = job_results_create(job, &want, err);
    if (status == WHORL_OK) status = whorl_run(cpu, job->program, want, job->size_bytes, &r, NULL, err);
    if (status == WHORL_OK)
        status = check_outputs(job->directives.checks, job->directives.check_count, job->program, got, want,
                               say_verdict, &listener, &out->holds, err);
    bool steps_hold = true;
    if (status == WHORL_OK)
        status = teacher_check(job, device, cpu, got, say_step, (void *)job->options, &steps_hold, err);
    if (status == WHORL_OK && steps_hold && job->directives.step_check_count && !quiet)
        printf("  check of %d more steps, each by the CPU from the same state: %sok%s\n", TEACHER_STEPS,
               cli_style(stdout, CLI_GREEN), cli_style(stdout, CLI_PLAIN));
    out->floats_differ |= !steps_hold;
    out->holds = out->holds && steps_hold;
    job_results_destroy(job, want);
    whorl_device_destroy(cpu);
    return status;
}
