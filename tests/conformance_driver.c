// The cases that every executor of plans runs: a plan, inputs, and the outputs of the C compiler's program on the CPU.
//
//   conformance_driver make FOLDER FILE [OPTION...]    options of `whorl run`; --test is taken
//   conformance_driver check FOLDER GOT FILE [OPTION...]
//
// FOLDER gets plan.json, case.json (name, type and size of each array parameter, in the plan's order), N.in and N.out, the
// bytes of parameter N. `check` compares GOT/N.out by the file's own `// check:` lines and prints "ok", or what differs.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../cli/inputs.h"

static struct cli_options options;
static struct job job;

static enum whorl_status write_one(const char *folder, const char *name, const void *data, size_t size,
                                   struct whorl_error *err) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return base_write_file(path, &(struct base_span){data, size}, 1, err);
}

static enum whorl_status read_one(const char *folder, size_t param, void *out, size_t size, struct whorl_error *err) {
    char path[1024], *data;
    size_t got;
    snprintf(path, sizeof path, "%s/%zu.out", folder, param);
    enum whorl_status status = base_read_file(path, 0, &data, &got, err);
    if (status != WHORL_OK) return status;
    if (got == size)
        memcpy(out, data, size);
    else
        status = base_set_error(err, WHORL_INVALID, "data", "%s has %zu bytes, not %zu", path, got, size);
    base_heap_free(data);
    return status;
}

static enum whorl_status write_case(const char *folder, struct whorl_error *err) {
    char text[8192];
    int used = snprintf(text, sizeof text, "{\"params\":[");
    const char *comma = "";
    for (size_t p = 0; p < job.param_count; p++) {
        const struct whorl_param *param = whorl_program_param(job.program, p);
        if (!param->is_array) continue;
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "%s\n {\"index\":%zu,\"name\":\"%s\",\"type\":\"%s\",\"bytes\":%zu,\"output\":%s,\"exact\":%s}",
                     comma, p, param->name, whorl_dtype_name(param->dtype), job.size_bytes[p],
                     param->is_output ? "true" : "false", param->is_exact ? "true" : "false");
        comma = ",";
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "\n]}\n");
    return write_one(folder, "case.json", text, (size_t)used, err);
}

static enum whorl_status run_cpu(void **arrays, struct whorl_error *err) {
    struct whorl_device_options how = WHORL_DEVICE_OPTIONS_INIT;
    whorl_device *cpu = NULL;
    how.select = "cpu";
    enum whorl_status status = whorl_device_open(&how, &cpu, err);
    if (status == WHORL_OK) status = whorl_run(cpu, job.program, arrays, job.size_bytes, NULL, NULL, err);
    whorl_device_destroy(cpu);
    return status;
}

static enum whorl_status make(const char *folder, struct whorl_error *err) {
    void **arrays = NULL;
    const char *plan = whorl_program_text(job.program, WHORL_TEXT_PLAN);
    enum whorl_status status = base_make_dirs(folder, err);
    if (status == WHORL_OK) status = job_results_create(&job, &arrays, err);
    if (status == WHORL_OK) status = run_cpu(arrays, err);
    if (status == WHORL_OK) status = write_one(folder, "plan.json", plan, strlen(plan), err);
    if (status == WHORL_OK) status = write_case(folder, err);
    for (size_t p = 0; p < job.param_count && status == WHORL_OK; p++) {
        const struct whorl_param *param = whorl_program_param(job.program, p);
        char name[40];
        if (!param->is_array) continue;
        snprintf(name, sizeof name, "%zu.in", p);
        status = write_one(folder, name, job.start[p], job.size_bytes[p], err);
        snprintf(name, sizeof name, "%zu.out", p);
        if (status == WHORL_OK && param->is_output) status = write_one(folder, name, arrays[p], job.size_bytes[p], err);
    }
    job_results_destroy(&job, arrays);
    return status;
}

static void say(void *user, const struct whorl_param *param, const struct check_rule *rule,
                const struct check_verdict *verdict) {
    (void)user;
    char line[512];
    check_say(rule, verdict, param, line, sizeof line);
    if (!verdict->holds) printf("%s: %s\n", param->name, line);
}

static enum whorl_status check(const char *folder, const char *got_folder, bool *out_holds, struct whorl_error *err) {
    void **want = NULL, **got = NULL;
    enum whorl_status status = job_results_create(&job, &want, err);
    if (status == WHORL_OK) status = job_results_create(&job, &got, err);
    for (size_t p = 0; p < job.param_count && status == WHORL_OK; p++) {
        if (!whorl_program_param(job.program, p)->is_output) continue;
        status = read_one(folder, p, want[p], job.size_bytes[p], err);
        if (status == WHORL_OK) status = read_one(got_folder, p, got[p], job.size_bytes[p], err);
    }
    const struct directives *d = &job.directives;
    if (status == WHORL_OK)
        status = check_outputs(d->checks, d->check_count, job.program, got, want, say, NULL, out_holds, err);
    job_results_destroy(&job, want);
    job_results_destroy(&job, got);
    return status;
}

int main(int count, char **args) {
    struct whorl_error err = {0};
    bool makes = count > 3 && strcmp(args[1], "make") == 0, holds = true;
    int first = makes ? 3 : 4;
    if (!makes && (count < 5 || strcmp(args[1], "check") != 0)) {
        fprintf(stderr, "usage: conformance_driver make FOLDER FILE... | check FOLDER GOT FILE...\n");
        return 2;
    }
    if (!cli_options_parse(CLI_RUN, count - first, args + first, &options)) return 2;
    options.test = true;
    enum whorl_status status = job_open(&options, &job, &err);
    if (status == WHORL_OK) status = job_compile(&job, NULL, &err);
    if (status == WHORL_OK) status = job_fill(&job, &err);
    if (status == WHORL_OK) status = makes ? make(args[2], &err) : check(args[2], args[3], &holds, &err);
    if (status != WHORL_OK)
        printf("%s\n", err.message);
    else if (holds)
        printf("ok\n");
    job_deinit(&job);
    cli_options_deinit(&options);
    return status == WHORL_OK && holds ? 0 : 1;
}
