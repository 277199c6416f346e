// `whorl run`: compile, run, and say what happened and what came out.
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "outcome.h"
#include "outputs.h"
#include "probe_file.h"
#include "progress.h"
#include "summary.h"
#include "teacher.h"
#include "tuning.h"

void cli_warnings(const struct job *job) {
    const char *text =
        job->program && !job->options->quiet ? whorl_program_text(job->program, WHORL_TEXT_WARNINGS) : "";
    cli_print(stderr, text);
    if (*text && text[strlen(text) - 1] != '\n') fputc('\n', stderr);
}

static void say_warning(void *user, const char *text) {
    (void)user;
    char line[1024];
    snprintf(line, sizeof line, "%s", text);
    cli_hint("%s", cli_clean(line));
}

enum whorl_status cli_open(const struct cli_options *options, const char *select, whorl_device **out_device,
                           struct whorl_error *err) {
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    d.select = select;
    d.fresh_probe = options->fresh;
    d.kernel_s = options->kernel_time;
    if (!options->quiet) d.warning = say_warning;
    guard_stage(GUARD_OPENING);
    return whorl_device_open(&d, out_device, err);
}

// A GPU's strategy without a GPU is to fail as such, not to end up on the CPU.
enum whorl_status cli_open_device(const struct cli_options *options, whorl_device **out_device,
                                  struct whorl_error *err) {
    bool wants_gpu = options->find_nan || options->checkpoint || options->resume ||
                     (options->strategy >= WHORL_SINGLE && options->strategy <= WHORL_EAGER) ||
                     (options->check && options->strategy == WHORL_AUTO); // the CPU would be compared with itself
    const char *otherwise = options->strategy == WHORL_CPU ? "cpu" : wants_gpu ? "gpu" : "auto";
    return cli_open(options, options->device ? options->device : otherwise, out_device, err);
}

enum whorl_status cli_compile(const struct cli_options *options, const char *select, struct job *out_job,
                              whorl_device **out_device, struct whorl_error *err) {
    enum whorl_status status = job_open(options, out_job, err);
    if (status == WHORL_OK && options->probe && (options->device || options->portable))
        status = base_set_error(err, WHORL_INVALID, "call", "--probe says for which device: leave out %s",
                                options->device ? "--device" : "--portable");
    if (status == WHORL_OK && options->probe) status = probe_file_read(options->probe, &out_job->described, err);
    if (status == WHORL_OK)
        status = select ? cli_open(options, select, out_device, err) : cli_open_device(options, out_device, err);
    if (status == WHORL_OK) status = job_compile(out_job, *out_device, err);
    cli_warnings(out_job);
    return status;
}

const char *cli_job_name(const struct job *job) {
    static char name[256];
    const char *slash = strrchr(job->options->files.items[0], '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : job->options->files.items[0]);
    return cli_clean(name);
}

void cli_device_words(const struct whorl_device_info *info, char *out, size_t size) {
    if (info->is_cpu)
        snprintf(out, size, "the CPU");
    else
        snprintf(out, size, "%s (%s%s)", info->name, info->is_software ? "software, " : "", info->backend);
}

struct whorl_run_options cli_run_options(const struct cli_options *options) {
    struct whorl_run_options r = WHORL_RUN_OPTIONS_INIT;
    r.strategy = options->strategy;
    r.slice_ms = options->slice_ms;
    r.slice_iterations = options->slice_iterations;
    r.slice_ticks = options->slice_ticks;
    r.find_nan = options->find_nan;
    if (r.find_nan) r.strategy = WHORL_EAGER;
    r.groups = (uint32_t)options->groups;
    r.max_s = guard_left_s();
    r.resume = options->resume;
    r.checkpoint = options->checkpoint ? options->checkpoint : options->resume;
    double minutes = options->checkpoint_every == 0 ? 5 : options->checkpoint_every;
    if (r.checkpoint && minutes > 0) r.checkpoint_every_s = minutes * 60;
    return r;
}

// ---- what the guard is to know ----

// Whether what --device says leaves the choice of the device to whorl.
static bool may_take_cpu(const struct cli_options *o) {
    return (!o->device || strcmp(o->device, "auto") == 0) && o->strategy == WHORL_AUTO && !o->check && !o->find_nan;
}

// The way of the command if a GPU's driver falls over, or takes memory without end.
static enum guard_way way_after(const struct cli_options *o, bool has_device) {
    if (o->checkpoint || o->resume || o->compare || o->tune || o->find_nan) return GUARD_AS_ASKED;
    if (has_device && guard_chosen() == GUARD_AS_ASKED && (o->strategy == WHORL_SINGLE || o->strategy == WHORL_AUTO))
        return GUARD_STEPS;
    return guard_chosen() != GUARD_CPU && may_take_cpu(o) ? GUARD_CPU : GUARD_AS_ASKED;
}

void cli_begin_run(const struct job *job, const whorl_device *device, enum whorl_strategy strategy) {
    guard_expect(whorl_program_buffer_bytes(job->program));
    guard_stage(strategy == WHORL_CPU || whorl_device_get_info(device)->is_cpu ? GUARD_ON_CPU : GUARD_STARTING);
}

// ---- what happened ----

// "single, 1 dispatch in each of 3 slices, 1.2 s", "steps, 300 dispatches in 3 slices, 1.2 s"
static void outcome_words(const struct whorl_stats *stats, char *out, size_t size) {
    char work[96], dispatches[32], slices[32], time[32];
    cli_duration(stats->execute_ms, time);
    cli_thousands(stats->dispatches, dispatches);
    cli_thousands(stats->slices, slices);
    const char *plural = stats->dispatches == 1 ? "" : "es";
    if (stats->slices <= 1)
        snprintf(work, sizeof work, "%s dispatch%s", dispatches, plural);
    else if (stats->dispatches == stats->slices)
        snprintf(work, sizeof work, "1 dispatch in each of %s slices", slices);
    else
        snprintf(work, sizeof work, "%s dispatch%s in %s slices", dispatches, plural, slices);
    if (stats->strategy == WHORL_CPU)
        snprintf(out, size, "%s", time);
    else
        snprintf(out, size, "%s, %s, %s", whorl_strategy_name(stats->strategy), work, time);
}

// Why there were several slices; "" where the user asked for them.
static const char *why_slices(const struct cli_options *o, const struct whorl_stats *stats) {
    double slice_ms = o->slice_ms > 0 ? o->slice_ms : 1000;
    if (stats->slices <= 1 || o->slice_ticks || o->slice_iterations) return "";
    return stats->execute_ms > slice_ms
               ? "slices: a system may end a dispatch that takes longer (--slice-ms)"
               : "slices: the first are short, as long as nobody knows how long the program takes (--slice-ms=-1: one)";
}

static void print_line(enum cli_style style, const char *label, const char *text) {
    int at = 2 + (int)strlen(label);
    printf("  %s%s", cli_style(stdout, style), label);
    cli_wrap(stdout, text, at, 4, cli_width(stdout));
    fputs(cli_style(stdout, CLI_PLAIN), stdout);
}

static void print_outcome(const struct job *job, const whorl_device *device, const struct whorl_stats *stats) {
    char words[300], outcome[160];
    const struct cli_options *o = job->options;
    bool on_cpu = stats->strategy == WHORL_CPU; // asked for as the strategy, whatever the device
    if (on_cpu)
        snprintf(words, sizeof words, "the CPU");
    else
        cli_device_words(whorl_device_get_info(device), words, sizeof words);
    outcome_words(stats, outcome, sizeof outcome);
    int used =
        printf("%s%s%s on %s:", cli_style(stdout, CLI_BOLD), cli_job_name(job), cli_style(stdout, CLI_PLAIN), words) -
        (int)strlen(cli_style(stdout, CLI_BOLD)) - (int)strlen(cli_style(stdout, CLI_PLAIN));
    bool fits = used + 1 + (int)strlen(outcome) <= cli_width(stdout);
    printf("%s%s%s%s\n", fits ? " " : "\n  ", cli_style(stdout, CLI_GREEN), outcome, cli_style(stdout, CLI_PLAIN));
    if (stats->note[0])
        print_line(stats->fell_back ? CLI_YELLOW : CLI_PLAIN, stats->fell_back ? "fell back: " : "note: ", stats->note);
    if (*why_slices(o, stats)) print_line(CLI_DIM, "", why_slices(o, stats));
    bool is_auto = (!o->device || strcmp(o->device, "auto") == 0) && o->strategy == WHORL_AUTO && !o->check;
    if ((is_auto || o->verbose) && on_cpu == whorl_device_get_info(device)->is_cpu)
        print_line(CLI_DIM, "", whorl_device_reason(device));
    if (!o->verbose) return;
    char text[4][32];
    const struct whorl_device_info *info = whorl_device_get_info(device);
    printf("  library: %s; driver: %s\n", info->library, *info->driver ? info->driver : "-");
    printf("  compile %s, kernels %s, upload to download %s; submits: %s\n", cli_duration(job->compile_ms, text[0]),
           cli_duration(stats->pipeline_ms, text[1]), cli_duration(stats->wall_ms, text[2]),
           cli_thousands(stats->submits, text[3]));
    printf("  bytes up: %s, down: %s\n", cli_thousands(stats->bytes_uploaded, text[0]),
           cli_thousands(stats->bytes_downloaded, text[1]));
}

static void print_inputs(const struct job *job) {
    for (size_t i = 0; i < job->input_count; i++)
        printf("  -i %s=%s%s%s\n", job->inputs[i].name, job->inputs[i].text,
               strcmp(job->inputs[i].from, "-i") == 0 ? "" : "  from ",
               strcmp(job->inputs[i].from, "-i") == 0 ? "" : job->inputs[i].from);
}

static void print_results(const struct job *job, void *const *arrays) {
    int pad = 8, width = cli_width(stdout);
    for (size_t p = 0; p < job->param_count; p++) {
        const struct whorl_param *param = whorl_program_param(job->program, p);
        if (param->is_output && (int)strlen(param->name) > pad && strlen(param->name) < 20)
            pad = (int)strlen(param->name);
    }
    for (size_t p = 0; p < job->param_count; p++)
        if (whorl_program_param(job->program, p)->is_output)
            summary_print(stdout, whorl_program_param(job->program, p), arrays[p], pad, width);
}

// ---- the command ----

static enum whorl_status write_json(const struct job *job, const whorl_device *device, const struct whorl_stats *stats,
                                    void *const *arrays, bool checked, bool holds, struct whorl_error *err) {
    yyjson_mut_doc *doc = json_create("run", job);
    yyjson_mut_val *root = doc ? yyjson_mut_doc_get_root(doc) : NULL;
    json_add_device(doc, doc ? yyjson_mut_obj_add_obj(doc, root, "device") : NULL, whorl_device_get_info(device),
                    whorl_device_reason(device));
    json_add_stats(doc, doc ? yyjson_mut_obj_add_obj(doc, root, "stats") : NULL, stats);
    bool known;
    uint64_t promised;
    if (doc &&
        directives_dispatches(&job->directives, stats->strategy, job->scalars, job->scalar_count, &known, &promised,
                              err) == WHORL_OK &&
        known)
        yyjson_mut_obj_add_uint(doc, root, "promised_dispatches", promised);
    if (doc && stats->strategy == WHORL_SINGLE && job->program) {
        yyjson_mut_obj_add_uint(doc, root, "barriers", whorl_program_barriers(job->program));
        if (job->directives.barriers)
            yyjson_mut_obj_add_uint(doc, root, "promised_barriers", strtoul(job->directives.barriers, NULL, 10));
    }
    char hash[17];
    if (doc) yyjson_mut_obj_add_strcpy(doc, root, "kernels", job_kernels_hash(job, hash));
    if (doc && checked) yyjson_mut_obj_add_bool(doc, root, "check", holds);
    if (doc && checked && job->directives.step_check_count)
        yyjson_mut_obj_add_uint(doc, root, "checked_steps", TEACHER_STEPS);
    json_add_results(doc, job, arrays);
    return json_write(doc, job->options->json, err);
}

// A run that was stopped: what there is to go on from.
static void say_how_to_go_on(const struct whorl_run_options *r, const struct whorl_stats *stats,
                             enum whorl_status status, struct whorl_error *err) {
    size_t used = strlen(err->message), room = sizeof err->message - used;
    bool stopped = status == WHORL_CANCELLED || status == WHORL_STOPPED;
    if (stopped && !r->checkpoint)
        snprintf(err->message + used, room, "; nothing was written (--checkpoint FILE makes a run one can go on with)");
    else if (status != WHORL_OK && stats->checkpoints && r->resume && strcmp(r->resume, r->checkpoint) == 0)
        snprintf(err->message + used, room, "\nwhorl: to go on: the same command again");
    else if (status != WHORL_OK && stats->checkpoints)
        snprintf(err->message + used, room, "\nwhorl: to go on: the same command with --resume %s", r->checkpoint);
}

// Where a kernel was not made in time, and something else is left to be tried.
static void begin_anew(const struct whorl_stats *stats) {
    bool was_steps = guard_chosen() == GUARD_STEPS;
    if (!stats->note[0] || (stats->strategy == WHORL_AUTO && !was_steps)) return;
    if (stats->strategy == WHORL_CPU) guard_instead(GUARD_CPU);
    guard_begin_anew(stats->note);
}

static enum whorl_status run_job(const struct job *job, whorl_device *device, struct cli_verdict *out,
                                 struct whorl_error *err) {
    const struct cli_options *o = job->options;
    struct progress progress = {.name = cli_job_name(job), .quiet = o->quiet, .is_resumed = o->resume != NULL};
    struct whorl_run_options r = cli_run_options(o);
    bool on_cpu = whorl_device_get_info(device)->is_cpu || o->strategy == WHORL_CPU;
    struct whorl_stats stats = {0};
    void **arrays = NULL;
    r.progress = progress_step;
    r.user = &progress;
    r.print = progress_print;
    r.print_user = &progress;
    progress.saves = r.checkpoint != NULL;
    r.no_fallback = guard_begins_anew(); // in a process that has no driver at work
    if (on_cpu) r.max_s = 0;             // it has no slices: there the guard ends it, and nothing was written yet
    enum whorl_status status = job_results_create(job, &arrays, err);
    cli_begin_run(job, device, o->strategy);
    if (status == WHORL_OK) {
        status = whorl_run(device, job->program, arrays, job->size_bytes, &r, &stats, err);
        progress_end(&progress);
        if (status == WHORL_TIMEOUT && r.no_fallback) begin_anew(&stats);
    }
    if (guard_chosen() != GUARD_AS_ASKED && !stats.fell_back) {
        stats.fell_back = true;
        snprintf(stats.note, sizeof stats.note, "%.200s; %s finished the work",
                 *guard_why() ? guard_why() : "the GPU's driver fell over",
                 guard_chosen() == GUARD_CPU ? "the CPU" : "steps");
    }
    guard_instead(GUARD_AS_ASKED); // what follows is no driver's
    guard_stage(GUARD_WRITING);
    say_how_to_go_on(&r, &stats, status, err);
    if (status == WHORL_OK && !o->quiet) {
        print_outcome(job, device, &stats);
        if (o->verbose) print_inputs(job);
        print_results(job, arrays);
        if (o->find_nan) printf("  no element became NaN or infinite\n");
    }
    bool checked = o->check && stats.strategy != WHORL_CPU;
    if (status == WHORL_OK && o->check && !checked && !o->quiet)
        printf("  check: this was the CPU itself, there is nothing to compare it with\n");
    if (status == WHORL_OK && checked) status = cli_check_against_cpu(job, device, arrays, out, err);
    guard_stage(GUARD_WRITING);
    if (status == WHORL_OK) status = outputs_write(&o->outputs, job->program, arrays, err);
    if (status == WHORL_OK && o->json) status = write_json(job, device, &stats, arrays, checked, out->holds, err);
    job_results_destroy(job, arrays);
    return status;
}

// Says no before gigabytes of inputs are made for nothing.
static enum whorl_status check_sizes(const struct job *job, const whorl_device *device, struct whorl_error *err) {
    const struct whorl_device_info *info = whorl_device_get_info(device);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), total = 0;
    for (size_t i = 0; i < whorl_program_param_count(job->program); i++) {
        const struct whorl_param *p = whorl_program_param(job->program, i);
        double bytes = p->is_array ? (double)whorl_dtype_size(p->dtype) : 0;
        for (uint32_t d = 0; d < p->ndims; d++)
            bytes *= (double)p->dims[d];
        if (!info->is_cpu && bytes > (double)info->max_binding_bytes)
            return base_set_error(err, WHORL_LIMIT, "data",
                                  "array '%s' needs a buffer of %.0f bytes; the device's limit is %.0f", p->name, bytes,
                                  (double)info->max_binding_bytes);
        total += p->is_output ? 2 * bytes : bytes; // what it begins with and what it becomes
    }
    if (memory > 0 && total > memory)
        return base_set_error(err, WHORL_LIMIT, "data", "the arrays take %.3g GB, this machine has %.3g GB of memory",
                              total * 1e-9, memory * 1e-9);
    return WHORL_OK;
}

// `asked`: before a driver fell over.
static enum cli_exit run(const struct cli_options *asked, const struct cli_options *options) {
    struct whorl_error err = {0};
    struct job job = {0};
    whorl_device *device = NULL;
    struct cli_verdict verdict = {.holds = true};
    guard_instead(way_after(asked, false));
    enum whorl_status status = cli_compile(options, NULL, &job, &device, &err);
    if (status == WHORL_OK) status = outputs_check(&options->outputs, job.program, &err);
    if (status == WHORL_OK) status = check_sizes(&job, device, &err);
    if (status == WHORL_OK) status = job_fill(&job, &err);
    if (status == WHORL_OK) {
        bool on_gpu = !whorl_device_get_info(device)->is_cpu && options->strategy != WHORL_CPU;
        guard_instead(on_gpu ? way_after(asked, true) : GUARD_AS_ASKED);
        if (options->tune) status = cli_tune(&job, device, &err);
        if (options->verbose && options->strategy == WHORL_AUTO) cli_say_choice(stderr, &job, device);
    }
    if (status == WHORL_OK) status = run_job(&job, device, &verdict, &err);
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    if (status == WHORL_OK && !verdict.holds) {
        cli_error("the results are not those of the CPU");
        if (job.directives.check_count)
            cli_hint("the rules are the `// check:` lines of %s; `whorl explain` says what was changed", job.path);
        else if (verdict.floats_differ)
            cli_hint("%s has no `// check:` line, so floats may miss 1e-4 of their value and of a tenth of the largest "
                     "in their array (docs/language.md); `whorl explain` says what was changed",
                     job.path);
        if (options->fast_math)
            cli_hint("without --fast-math functions have small errors (docs/math.md): try that first");
        cli_hint("`whorl run %s --race` looks for iterations that use what others change: their results differ, too",
                 job.path);
        code = CLI_WRONG;
    }
    guard_done(cli_flush(code));
    whorl_device_destroy(device);
    job_deinit(&job);
    return code;
}

enum cli_exit cli_run(const struct cli_options *options) {
    if (options->device && strcmp(options->device, "cpu") == 0 && options->strategy != WHORL_AUTO &&
        options->strategy != WHORL_CPU) {
        cli_error("`--device cpu` runs the strategy cpu only, not %s", whorl_strategy_name(options->strategy));
        return CLI_USAGE;
    }
    if ((options->checkpoint || options->resume) &&
        (options->strategy == WHORL_CPU || (options->device && strcmp(options->device, "cpu") == 0))) {
        cli_error("the CPU device cannot stop on the way: checkpoints need a GPU (--device gpu)");
        return CLI_USAGE;
    }
    if (options->compare && options->device && strcmp(options->device, "cpu") == 0) {
        cli_error("--compare runs the strategies of a GPU beside the CPU: leave `--device cpu` out");
        return CLI_USAGE;
    }
    if (options->compare && options->race) {
        cli_error("`--compare` measures and `--race` looks for races: one at a time");
        return CLI_USAGE;
    }
    if (options->compare && (options->checkpoint || options->resume)) {
        cli_error("--compare runs a program many times: --checkpoint and --resume are for one run");
        return CLI_USAGE;
    }
    if (options->race && (options->checkpoint || options->resume || options->check || options->find_nan ||
                          options->json || options->outputs.count)) {
        cli_error("--race gives no results, so it cannot go with --check, --find-nan, --json, -o, --checkpoint or "
                  "--resume");
        return CLI_USAGE;
    }
    if (options->find_nan &&
        (options->strategy == WHORL_CPU || options->strategy == WHORL_SINGLE || options->strategy == WHORL_STEPS ||
         (options->device && strcmp(options->device, "cpu") == 0))) {
        cli_error("`--find-nan` needs the strategy eager on a GPU, to look at the arrays after every loop");
        return CLI_USAGE;
    }
    if (options->tune && (options->strategy != WHORL_AUTO || options->compare || options->race || options->resume)) {
        cli_error("`--tune` needs the strategy auto, and cannot go with --compare, --race or --resume");
        return CLI_USAGE;
    }
    if (options->compare) return cli_compare(options);
    if (options->race) return cli_race(options);
    struct cli_options own = *options;
    if (guard_chosen() == GUARD_STEPS) own.strategy = WHORL_STEPS;
    if (guard_chosen() == GUARD_CPU) {
        own.strategy = WHORL_CPU;
        own.device = "cpu";
    }
    return run(options, &own);
}
