// `whorl profile`: where the time of the one dispatch goes, as a table and as JSON.
#include <string.h>

#include "commands.h"
#include "measured.h"
#include "outcome.h"
#include "tuning.h"

// What is left of the whole without loops and waiting. Its interval is as wide as those of all parts together.
static struct whorl_time rest_of(const struct whorl_profile *p) {
    struct whorl_time rest = {p->whole.ns - p->wait.ns, p->whole.low_ns - p->wait.high_ns,
                              p->whole.high_ns - p->wait.low_ns};
    for (uint32_t i = 0; i < p->phase_count; i++) {
        double calls = (double)p->phases[i].calls;
        rest.ns -= calls * p->phases[i].one.ns;
        rest.low_ns -= calls * p->phases[i].one.high_ns;
        rest.high_ns -= calls * p->phases[i].one.low_ns;
    }
    return rest;
}

enum { NAME = 28 };

// "1.2 ms .. 1.4 ms"; no time is below 0.
static const char *interval(double low_ns, double high_ns, char *out, size_t size) {
    char low[32], high[32];
    snprintf(out, size, "%s .. %s", cli_duration((low_ns < 0 ? 0 : low_ns) * 1e-6, low),
             cli_duration(high_ns * 1e-6, high));
    return out;
}

static void row(const char *name, const char *calls, const struct whorl_time *one, const struct whorl_time *all,
                double whole_ns) {
    char single[32] = "", every[32], range[80];
    if (one) cli_duration(one->ns * 1e-6, single);
    printf("  %-*s%9s%11s%11s   %-24s%6.1f %%\n", NAME, name, calls, single, cli_duration(all->ns * 1e-6, every),
           interval(all->low_ns, all->high_ns, range, sizeof range), 100 * all->ns / whole_ns);
}

// Loops that take longer alone than inside of the one dispatch leave less than nothing.
static void print_rest(const struct whorl_profile *p, const struct whorl_time *rest) {
    const char *name = p->barriers ? "barriers and the rest" : "the rest";
    char text[32], most[40];
    if (rest->ns >= 0) {
        row(name, "", NULL, rest, p->whole.ns);
    } else if (rest->high_ns > 0) {
        snprintf(most, sizeof most, "0 .. %s", cli_duration(rest->high_ns * 1e-6, text));
        printf("  %-*s%9s%11s%11s   %s\n", NAME, name, "", "", "0", most);
    } else {
        printf("  %-*s%9s%11s%11s\n", NAME, name, "", "", "0");
    }
    if (rest->ns < 0)
        printf("\n  Alone, as measured here, the loops take %s longer than inside of the one dispatch%s.\n"
               "  The shares are of their sum.\n",
               cli_duration(-rest->ns * 1e-6, text), rest->high_ns > 0 ? "; that may be chance" : "");
}

static void print_profile(const struct job *job, const whorl_device *device, const struct whorl_profile *p) {
    char words[300], count[32], text[32], range[80];
    struct whorl_time rest = rest_of(p);
    double sum_ns = rest.ns < 0 ? p->whole.ns - rest.ns : p->whole.ns; // of what the table has
    cli_device_words(whorl_device_get_info(device), words, sizeof words);
    printf("%s%s%s on %s:\n", cli_style(stdout, CLI_BOLD), cli_job_name(job), cli_style(stdout, CLI_PLAIN), words);
    printf("  single, %s dispatch%s: %s%s%s (%s)\n\n", cli_thousands(p->dispatches, count),
           p->dispatches == 1 ? "" : "es", cli_style(stdout, CLI_GREEN), cli_duration(p->whole.ns * 1e-6, text),
           cli_style(stdout, CLI_PLAIN), interval(p->whole.low_ns, p->whole.high_ns, range, sizeof range));
    printf("  %-*s%9s%11s%11s   %-24s%8s\n", NAME, "", "calls", "one", "all", "95% interval of all", "share");
    for (uint32_t i = 0; i < p->phase_count; i++) {
        const struct whorl_phase *f = &p->phases[i];
        const char *slash = strrchr(f->origin, '/');
        char name[64];
        double n = (double)f->calls;
        struct whorl_time all = {n * f->one.ns, n * f->one.low_ns, n * f->one.high_ns};
        snprintf(name, sizeof name, "%.40s%s", slash ? slash + 1 : f->origin, f->sequential ? " (one thread)" : "");
        cli_clean(name);
        row(name, cli_thousands(f->calls, count), &f->one, &all, sum_ns);
    }
    row("submit and wait", "", NULL, &p->wait, sum_ns);
    print_rest(p, &rest);
    if (p->barriers)
        printf("\n  %s barrier%s between %u workgroup%s at the cost of one that the probe measured: %s\n",
               cli_thousands(p->barriers, count), base_s(p->barriers), p->groups, base_s(p->groups),
               cli_duration((double)p->barriers * p->barrier_ns * 1e-6, text));
}

static void add_time(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *name, const struct whorl_time *t) {
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, object, name);
    yyjson_mut_obj_add_real(doc, one, "ns", t->ns);
    yyjson_mut_obj_add_real(doc, one, "low_ns", t->low_ns);
    yyjson_mut_obj_add_real(doc, one, "high_ns", t->high_ns);
}

static enum whorl_status write_profile(const struct job *job, const whorl_device *device, const struct whorl_profile *p,
                                       struct whorl_error *err) {
    yyjson_mut_doc *doc = json_create("profile", job);
    yyjson_mut_val *root = doc ? yyjson_mut_doc_get_root(doc) : NULL;
    json_add_device(doc, doc ? yyjson_mut_obj_add_obj(doc, root, "device") : NULL, whorl_device_get_info(device),
                    whorl_device_reason(device));
    if (doc) {
        yyjson_mut_obj_add_uint(doc, root, "dispatches", p->dispatches);
        yyjson_mut_obj_add_uint(doc, root, "groups", p->groups);
        yyjson_mut_obj_add_uint(doc, root, "barriers", p->barriers);
        yyjson_mut_obj_add_real(doc, root, "barrier_ns", p->barrier_ns);
        add_time(doc, root, "whole", &p->whole);
        add_time(doc, root, "wait", &p->wait);
        struct whorl_time rest = rest_of(p);
        add_time(doc, root, "rest", &rest);
        yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "loops");
        for (uint32_t i = 0; i < p->phase_count; i++) {
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
            yyjson_mut_obj_add_strcpy(doc, one, "origin", p->phases[i].origin);
            yyjson_mut_obj_add_bool(doc, one, "sequential", p->phases[i].sequential);
            yyjson_mut_obj_add_uint(doc, one, "calls", p->phases[i].calls);
            add_time(doc, one, "one", &p->phases[i].one);
        }
    }
    return json_write(doc, job->options->json, err);
}

enum cli_exit cli_profile(const struct cli_options *options) {
    if (options->device && strcmp(options->device, "cpu") == 0) {
        cli_error("a profile needs a GPU: leave `--device cpu` out");
        return CLI_USAGE;
    }
    struct whorl_error err = {0};
    struct job job = {0};
    whorl_device *device = NULL;
    struct whorl_run_options run = cli_run_options(options);
    static struct whorl_profile profile;
    enum whorl_status status = cli_compile(options, options->device ? options->device : "gpu", &job, &device, &err);
    if (status == WHORL_OK) status = job_fill(&job, &err);
    if (status == WHORL_OK) cli_begin_run(&job, device, WHORL_AUTO);
    if (status == WHORL_OK)
        status = whorl_profile(device, job.program, job.start, job.size_bytes, &run, &profile, &err);
    if (status == WHORL_OK && !options->quiet) {
        print_profile(&job, device, &profile);
        putchar('\n');
        cli_say_choice(stdout, &job, device);
    }
    if (status == WHORL_OK && options->json) status = write_profile(&job, device, &profile, &err);
    err.status = status;
    enum cli_exit code = status == WHORL_OK ? CLI_OK : cli_report(&err);
    whorl_device_destroy(device);
    job_deinit(&job);
    return code;
}
