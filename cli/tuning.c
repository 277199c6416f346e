// `whorl run --tune`: measures what `auto` can take, keeps the answer, and shows it.
#include "tuning.h"

#include "commands.h"

static bool keep_going(void *user, const struct whorl_progress *p) {
    (void)user;
    (void)p;
    return !guard_stopped();
}

static void print_tuning(const struct whorl_tuning *t) {
    char median[32], low[32], high[32], groups[48];
    if (t->count == 0) {
        printf("  --tune: nothing was measured, as there is only one strategy to take here\n");
        return;
    }
    printf("  measured: %u calls of each in turn, medians with 95%% intervals:\n", t->samples);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct whorl_candidate *c = &t->candidates[i];
        groups[0] = 0;
        if (c->groups) snprintf(groups, sizeof groups, ", %u workgroup%s", c->groups, base_s(c->groups));
        cli_duration(c->time.ns * 1e-6, median);
        cli_duration(c->time.low_ns * 1e-6, low);
        cli_duration(c->time.high_ns * 1e-6, high);
        printf("    %s%-24s%s%12s   %s .. %s%s%s\n", i == t->chosen ? cli_style(stdout, CLI_GREEN) : "",
               groups[0] ? groups + 2 : whorl_strategy_name(c->strategy), cli_style(stdout, CLI_PLAIN), median, low,
               high, i == t->chosen ? "   taken" : "",
               c->same_bits              ? ""
               : t->disagreement[0] != 0 ? "   other results"
                                         : "   other last bits");
    }
    if (!t->kept) cli_hint("the cache folder cannot be written, so this holds for this run only");
}

enum whorl_status cli_tune(const struct job *job, whorl_device *device, struct whorl_error *err) {
    struct whorl_run_options r = cli_run_options(job->options);
    struct whorl_tuning tuning;
    r.progress = keep_going;
    cli_begin_run(job, device, WHORL_AUTO);
    enum whorl_status status = whorl_tune(device, job->program, job->start, job->size_bytes, &r, &tuning, err);
    if (status == WHORL_OK && !job->options->quiet) print_tuning(&tuning);
    if (status == WHORL_OK && tuning.disagreement[0]) cli_error("internal error: %s", tuning.disagreement);
    return status;
}

void cli_say_choice(FILE *out, const struct job *job, whorl_device *device) {
    struct whorl_choice choice;
    enum whorl_status status = job->described ? whorl_predict(job->described, job->program, &choice, NULL)
                                              : whorl_auto(device, job->program, NULL, &choice, NULL);
    if (status == WHORL_OK) fprintf(out, "  auto: %s\n", choice.why);
}
