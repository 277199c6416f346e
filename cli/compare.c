// `whorl run --compare`: the ladder cpu, eager, steps, single. Every rung is checked against the CPU before any is
// timed; one that is wrong is not timed. Timing: each rung warms up for half a second, then the rungs take turns, so
// that a clock that drifts drifts for all; shown are the median and the range.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "commands.h"
#include "outcome.h"
#include "outputs.h"
#include "progress.h"
#include "verdict.h"

enum { RUNGS = 4, MOST_SAMPLES = 101, FEWEST_SAMPLES = 3 };
static const enum whorl_strategy ladder[RUNGS] = {WHORL_CPU, WHORL_EAGER, WHORL_STEPS, WHORL_SINGLE};
static const double warm_s = 0.5, budget_s = 6,
                    patience_s = 60; // of all rungs together: wanted, and the most for FEWEST_SAMPLES

struct rung {
    enum whorl_strategy strategy;
    whorl_device *device;
    whorl_session *session;
    struct whorl_stats stats; // of the checked run
    bool ran, right, same_plan;
    char problem[256]; // why it is not timed
    double samples[MOST_SAMPLES], median, low, high;
    size_t count;
};

static void status_line(const struct job *job, const char *what, const char *rung) {
    if (!job->options->quiet && cli_is_terminal(stderr)) {
        fprintf(stderr, "\r\033[K%s%s%s", what, *what ? " " : "", rung);
        fflush(stderr);
    }
}

// ---- checking ----

static void keep_verdict(void *user, const struct whorl_param *param, const struct check_rule *rule,
                         const struct check_verdict *verdict) {
    struct rung *rung = user;
    char text[512];
    if (verdict->holds || rung->problem[0]) return;
    check_say(rule, verdict, param, text, sizeof text);
    snprintf(rung->problem, sizeof rung->problem, "%.60s: %.180s", param->name, text);
}

// Whatever the file's rules allow: integers that no float has had to do with are the same, or whorl is wrong.
static enum whorl_status check_exact(const struct job *job, struct rung *rung, void *const *got, void *const *want,
                                     struct whorl_error *err) {
    const struct check_rule rule = {.kind = CHECK_EXACT};
    for (size_t p = 0; p < job->param_count; p++) {
        const struct whorl_param *param = whorl_program_param(job->program, p);
        struct check_verdict verdict;
        char text[512];
        if (!param->is_output || !param->is_exact) continue;
        if (!check_compare(&rule, param, got[p], want[p], &verdict))
            return base_set_error(err, WHORL_MEMORY, "data", "out of memory comparing `%s`", param->name);
        if (verdict.holds) continue;
        check_say(&rule, &verdict, param, text, sizeof text);
        snprintf(rung->problem, sizeof rung->problem,
                 "internal error: %.60s: %.120s; integers alone: a mistake of whorl, or a race (--race)", param->name,
                 text);
        rung->right = false;
        return WHORL_OK;
    }
    return WHORL_OK;
}

// Runs the rung once into fresh arrays, which the CPU's become the judge.
static enum whorl_status check_rung(const struct job *job, struct rung *rung, void ***reference,
                                    struct whorl_error *err) {
    void **arrays = NULL;
    struct whorl_run_options r = cli_run_options(job->options);
    struct progress progress = {.name = whorl_strategy_name(rung->strategy), .quiet = job->options->quiet};
    if (rung->strategy == WHORL_CPU) r.max_s = 0;
    r.strategy = rung->strategy;
    r.progress = progress_step;
    r.user = &progress;
    cli_begin_run(job, rung->device, rung->strategy);
    enum whorl_status status = job_results_create(job, &arrays, err);
    if (status == WHORL_OK)
        status = whorl_run(rung->device, job->program, arrays, job->size_bytes, &r, &rung->stats, err);
    progress_end(&progress);
    if (status == WHORL_OK && guard_stopped()) status = base_set_error(err, WHORL_CANCELLED, "run", "cancelled");
    rung->ran = status == WHORL_OK;
    if (status == WHORL_OK && rung->strategy == WHORL_CPU) {
        *reference = arrays;
        rung->right = true;
        return WHORL_OK;
    }
    if (status == WHORL_OK)
        status = check_outputs(job->directives.checks, job->directives.check_count, job->program, arrays, *reference,
                               keep_verdict, rung, &rung->right, err);
    if (status == WHORL_OK) status = check_exact(job, rung, arrays, *reference, err);
    job_results_destroy(job, arrays);
    if (status == WHORL_OK && rung->stats.fell_back) {
        rung->right = false;
        snprintf(rung->problem, sizeof rung->problem, "%s", rung->stats.note);
    }
    return status;
}

// ---- timing ----

static enum whorl_status write_arrays(const struct job *job, struct rung *rung, bool only_outputs,
                                      struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++) {
        const struct whorl_param *param = whorl_program_param(job->program, p);
        if (param->is_array && (param->is_output || !only_outputs))
            status = whorl_session_write(rung->session, p, job->start[p], job->size_bytes[p], err);
    }
    return status;
}

static bool keep_going(void *user, const struct whorl_progress *p) {
    (void)user;
    (void)p;
    return !guard_stopped();
}

// One call on fresh in/outs; *out_ms is its time without the upload.
static enum whorl_status time_once(const struct job *job, struct rung *rung, double *out_ms, struct whorl_error *err) {
    struct whorl_run_options r = cli_run_options(job->options);
    struct whorl_stats stats;
    if (rung->strategy == WHORL_CPU) r.max_s = 0;
    r.strategy = rung->strategy;
    r.progress = keep_going;
    cli_begin_run(job, rung->device, rung->strategy);
    enum whorl_status status = write_arrays(job, rung, true, err);
    if (status == WHORL_OK) status = whorl_session_run(rung->session, 1, &r, &stats, err);
    if (status == WHORL_OK && guard_stopped()) status = base_set_error(err, WHORL_CANCELLED, "run", "cancelled");
    if (status == WHORL_OK) *out_ms = stats.execute_ms > 0 ? stats.execute_ms : stats.wall_ms;
    return status;
}

static enum whorl_status warm_up(const struct job *job, struct rung *rung, struct whorl_error *err) {
    status_line(job, "warming up", whorl_strategy_name(rung->strategy));
    enum whorl_status status = whorl_session_create(rung->device, job->program, rung->strategy, &rung->session, err);
    if (status == WHORL_OK) status = write_arrays(job, rung, false, err);
    double ms, start = cli_now_s();
    do
        status = status == WHORL_OK ? time_once(job, rung, &ms, err) : status;
    while (status == WHORL_OK && cli_now_s() - start < warm_s);
    return status;
}

static bool is_timed(const struct rung *rung) { return rung->right && !rung->same_plan; }

static enum whorl_status time_rungs(const struct job *job, struct rung *rungs, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (int k = 0; k < RUNGS && status == WHORL_OK; k++)
        if (is_timed(&rungs[k])) status = warm_up(job, &rungs[k], err);
    double start = cli_now_s();
    for (size_t turn = 0; turn < MOST_SAMPLES && status == WHORL_OK; turn++) {
        double spent = cli_now_s() - start;
        if (turn && spent > (turn < FEWEST_SAMPLES ? patience_s : budget_s)) break;
        status_line(job, "timing", "all strategies in turn");
        for (int k = 0; k < RUNGS && status == WHORL_OK; k++)
            if (is_timed(&rungs[k])) status = time_once(job, &rungs[k], &rungs[k].samples[rungs[k].count++], err);
    }
    for (int k = 0; k < RUNGS && status == WHORL_OK; k++) {
        struct rung *r = &rungs[k];
        if (!is_timed(r)) continue;
        double sorted[MOST_SAMPLES];
        memcpy(sorted, r->samples, r->count * sizeof *sorted);
        base_sort_samples(sorted, r->count);
        r->median = base_median(sorted, r->count);
        r->low = sorted[0];
        r->high = sorted[r->count - 1];
    }
    for (int k = 0; k < RUNGS; k++) {
        whorl_session_destroy(rungs[k].session);
        rungs[k].session = NULL;
    }
    return status;
}

// ---- the table ----

static const struct rung *rung_of(const struct rung *rungs, enum whorl_strategy strategy) {
    int k = 0;
    while (ladder[k] != strategy)
        k++;
    return &rungs[k];
}

static void print_rung(const struct rung *r, bool wide) {
    char dispatches[32], submits[32], median[32], low[32], high[32];
    bool on_gpu = r->strategy != WHORL_CPU;
    printf("  %s%-8s%s%12s%12s", cli_style(stdout, CLI_BOLD), whorl_strategy_name(r->strategy),
           cli_style(stdout, CLI_PLAIN), on_gpu && r->ran ? cli_thousands(r->stats.dispatches, dispatches) : "-",
           on_gpu && r->ran ? cli_thousands(r->stats.submits, submits) : "-");
    if (r->same_plan) {
        printf("%s  same plan as steps\n", wide ? "" : "\n         ");
    } else if (!r->right) {
        printf("\n    %snot timed:%s %s\n", cli_style(stdout, CLI_RED), cli_style(stdout, CLI_PLAIN), r->problem);
    } else {
        printf("%12s%s%s .. %s\n", cli_duration(r->median, median), wide ? "   " : "\n          ",
               cli_duration(r->low, low), cli_duration(r->high, high));
    }
}

static void print_ratio(const struct rung *slow, const struct rung *fast) {
    if (!slow->right || !fast->right || slow == fast) return;
    double ratio = slow->median / fast->median;
    if (ratio >= 1)
        printf("  %s is %.3g times as fast as %s\n", whorl_strategy_name(fast->strategy), ratio,
               whorl_strategy_name(slow->strategy));
    else
        printf("  %s is %.3g times as fast as %s\n", whorl_strategy_name(slow->strategy), 1 / ratio,
               whorl_strategy_name(fast->strategy));
}

static void print_table(const struct job *job, const struct rung *rungs) {
    char words[300];
    bool wide = cli_width(stdout) >= 76;
    const struct rung *single = rung_of(rungs, WHORL_SINGLE), *steps = rung_of(rungs, WHORL_STEPS);
    cli_device_words(whorl_device_get_info(single->device), words, sizeof words);
    printf("%s%s%s on %s,\n", cli_style(stdout, CLI_BOLD), cli_job_name(job), cli_style(stdout, CLI_PLAIN), words);
    cli_device_words(whorl_device_get_info(rungs[0].device), words, sizeof words);
    printf("every strategy checked against %s:\n\n", words);
    printf("  %-8s%12s%12s%s\n", "", "dispatches", "submits", wide ? "      median   range" : "");
    for (int k = 0; k < RUNGS; k++)
        print_rung(&rungs[k], wide);
    putchar('\n');
    const struct rung *best = single->same_plan ? steps : single;
    print_ratio(rung_of(rungs, WHORL_EAGER), best);
    if (!single->same_plan) print_ratio(steps, single);
    print_ratio(rung_of(rungs, WHORL_CPU), best);
}

static enum whorl_status write_json(const struct job *job, const struct rung *rungs, void *const *reference,
                                    struct whorl_error *err) {
    yyjson_mut_doc *doc = json_create("compare", job);
    yyjson_mut_val *root = doc ? yyjson_mut_doc_get_root(doc) : NULL,
                   *list = doc ? yyjson_mut_obj_add_arr(doc, root, "ladder") : NULL;
    const whorl_device *device = rung_of(rungs, WHORL_SINGLE)->device;
    json_add_device(doc, doc ? yyjson_mut_obj_add_obj(doc, root, "device") : NULL, whorl_device_get_info(device),
                    whorl_device_reason(device));
    for (int k = 0; k < RUNGS && list; k++) {
        const struct rung *r = &rungs[k];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_str(doc, one, "asked", whorl_strategy_name(r->strategy));
        yyjson_mut_obj_add_bool(doc, one, "right", r->right);
        yyjson_mut_obj_add_bool(doc, one, "same_plan", r->same_plan);
        yyjson_mut_obj_add_str(doc, one, "problem", r->problem);
        json_add_stats(doc, yyjson_mut_obj_add_obj(doc, one, "stats"), &r->stats);
        if (r->count) yyjson_mut_obj_add_real(doc, one, "median_ms", r->median);
        yyjson_mut_val *samples = yyjson_mut_obj_add_arr(doc, one, "samples_ms");
        for (size_t i = 0; i < r->count; i++)
            yyjson_mut_arr_add_real(doc, samples, r->samples[i]);
    }
    json_add_results(doc, job, reference);
    return json_write(doc, job->options->json, err);
}

// ---- the command ----

static enum whorl_status compare_job(const struct job *job, whorl_device *gpu, whorl_device *cpu, bool *out_right,
                                     struct whorl_error *err) {
    struct rung *rungs = calloc(RUNGS, sizeof *rungs);
    void **reference = NULL;
    enum whorl_status status = rungs ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    for (int k = 0; k < RUNGS && status == WHORL_OK; k++) {
        rungs[k].strategy = ladder[k];
        rungs[k].device = ladder[k] == WHORL_CPU ? cpu : gpu;
        status_line(job, "checking", whorl_strategy_name(ladder[k]));
        status = check_rung(job, &rungs[k], &reference, err);
        rungs[k].same_plan = rungs[k].right && strstr(rungs[k].stats.note, "same plan") != NULL;
        *out_right = *out_right && (rungs[k].right || rungs[k].stats.fell_back);
    }
    if (status == WHORL_OK) status = time_rungs(job, rungs, err);
    status_line(job, "", "");
    if (status == WHORL_OK && !job->options->quiet) print_table(job, rungs);
    if (status == WHORL_OK) status = outputs_write(&job->options->outputs, job->program, reference, err);
    if (status == WHORL_OK && job->options->json) status = write_json(job, rungs, reference, err);
    job_results_destroy(job, reference);
    free(rungs);
    return status;
}

enum cli_exit cli_compare(const struct cli_options *options) {
    struct whorl_error err = {0};
    struct job job = {0};
    whorl_device *gpu = NULL, *cpu = NULL;
    bool right = true;
    const char *select = options->device && strcmp(options->device, "auto") != 0 ? options->device : "gpu";
    enum whorl_status status = cli_compile(options, select, &job, &gpu, &err);
    if (status == WHORL_OK) status = outputs_check(&options->outputs, job.program, &err);
    if (status == WHORL_OK) status = job_fill(&job, &err);
    if (status == WHORL_OK) status = cli_open(options, "cpu", &cpu, &err);
    if (status == WHORL_OK && whorl_device_get_info(gpu)->is_cpu)
        status = base_set_error(&err, WHORL_DEVICE, "device", "--compare needs a GPU to compare the CPU with");
    if (status == WHORL_OK) status = compare_job(&job, gpu, cpu, &right, &err);
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? (right ? CLI_OK : CLI_WRONG) : cli_report(&err);
    if (status == WHORL_OK && !right) cli_error("a strategy's results are not those of the CPU");
    guard_done(cli_flush(code));
    whorl_device_destroy(gpu);
    whorl_device_destroy(cpu);
    job_deinit(&job);
    return code;
}
