// whorl_rows - runs one workload of make_inputs.py's folder through whorl.h and times it as bench/peers/harness.py
// times its peers.
//
// usage: whorl_rows FOLDER WORKLOAD [--form FORM] [--strategies single,steps,submit,eager,cpu,auto,hand] [--table FILE]
//                   [--register-budget N] [--workgroup-size N] [--lanes N] [--brief 1] [--fast-math 1] [--pass-off PASSES]
//                   [--label WORD]
//
// "hand" among the strategies: the kernels of bench/hand. "submit": eager's dispatches, not waited for one by one: as
// many share a submit as fit. --brief 1: fewer samples, for points of a curve. --label: a word behind the names of rows,
// of what was done to them from outside (another CC). Started in the repository's root. For each strategy the outputs of the first run are written as FOLDER/WORKLOAD/PEER.ARRAY.npy
// (PEER: whorl-single, whorl-step-eager, whorl-single-r300 ...), so that a wrong result can be refused, and one JSON
// line is printed: the fields of harness.py and what happened on the device. A time is only printed where the device's
// outputs, spoiled before the timed calls, came out of them with the bits of the first run (what a call reads and
// overwrites is put back before each, outside of the clock); and where no call fell back to another strategy. Exit
// status 1: some strategy failed, its line has "error".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cli/npy.h"
#include "rows.h"

struct row {
    struct rows_row out;
    struct rows_job *job;
    enum whorl_strategy strategy;
    bool one_submit; // eager's dispatches in few submits
    char peer[96];
    whorl_session *session;
    void *first[ROWS_MAX_PARAMS]; // outputs of the first run
};

static enum whorl_status fail(struct whorl_error *err, enum whorl_status status, const char *message) {
    memset(err, 0, sizeof *err);
    err->status = status;
    snprintf(err->stage, sizeof err->stage, "bench");
    snprintf(err->message, sizeof err->message, "%s", message);
    return status;
}

static const char *strategy_name(const struct row *row) {
    return row->one_submit ? "submit" : whorl_strategy_name(row->strategy);
}

static void name_row(struct row *row) {
    const struct rows_options *o = row->job->options;
    bool main_form = strcmp(o->form, "individual") == 0 || strcmp(o->form, "whole") == 0;
    int n = snprintf(row->peer, sizeof row->peer, "whorl%s%.16s-%s", main_form ? "" : "-", main_form ? "" : o->form,
                     strategy_name(row));
    if (o->register_budget) n += snprintf(row->peer + n, sizeof row->peer - (size_t)n, "-r%u", o->register_budget);
    if (o->workgroup_size) n += snprintf(row->peer + n, sizeof row->peer - (size_t)n, "-w%u", o->workgroup_size);
    if (o->lanes) n += snprintf(row->peer + n, sizeof row->peer - (size_t)n, "-l%u", o->lanes);
    if (o->fast_math) n += snprintf(row->peer + n, sizeof row->peer - (size_t)n, "-fast");
    if (o->pass_off) n += snprintf(row->peer + n, sizeof row->peer - (size_t)n, "-without-%.24s", o->pass_off);
    if (o->label) snprintf(row->peer + n, sizeof row->peer - (size_t)n, "-%.16s", o->label);
}

// What ran then was not what was asked for: a row without a time.
static enum whorl_status fell_back(const char *note, struct whorl_error *err) {
    char text[300];
    snprintf(text, sizeof text, "fell back%s%s", note[0] ? ": " : "", note);
    return fail(err, WHORL_DEVICE, text);
}

// ---- one strategy ----

static bool is_output(const struct row *row, size_t p) {
    const struct whorl_param *param = whorl_program_param(row->job->program, p);
    return param->is_array && param->is_output;
}

static enum whorl_status first_run(struct row *row, whorl_device *device, struct whorl_error *err) {
    struct rows_job *job = row->job;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.one_submit = row->one_submit;
    double start = rows_now_ms();
    enum whorl_status status = whorl_session_create(device, job->program, row->strategy, &row->session, err);
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++)
        if (job->start[p]) status = whorl_session_write(row->session, p, job->start[p], job->size_bytes[p], err);
    if (status == WHORL_OK) status = whorl_session_run(row->session, 1, &options, &row->out.first, err);
    row->out.ready_ms = rows_now_ms() - start;
    if (status == WHORL_OK && row->out.first.fell_back) status = fell_back(row->out.first.note, err);
    return status;
}

static enum whorl_status keep_outputs(struct row *row, struct whorl_error *err) {
    struct rows_job *job = row->job;
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++) {
        char path[1024];
        if (!is_output(row, p)) continue;
        const struct whorl_param *param = whorl_program_param(job->program, p);
        row->first[p] = malloc(job->size_bytes[p] + 1);
        if (!row->first[p]) return fail(err, WHORL_MEMORY, "out of memory");
        status = whorl_session_read(row->session, p, row->first[p], job->size_bytes[p], err);
        snprintf(path, sizeof path, "%s/%s/%s.%s.npy", job->options->folder, job->options->workload, row->peer,
                 param->name);
        if (status == WHORL_OK) status = npy_write(path, param->dtype, param->ndims, param->dims, row->first[p], err);
    }
    return status;
}

// What the first run wrote, with every bit turned over, onto the device: whatever does not write it again is seen.
static enum whorl_status spoil(struct row *row, struct whorl_error *err) {
    struct rows_job *job = row->job;
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++) {
        if (!is_output(row, p) || job->goes_on[p]) continue;
        size_t size = job->size_bytes[p];
        unsigned char *memory = malloc(size + 1);
        if (!memory) return fail(err, WHORL_MEMORY, "out of memory");
        for (size_t i = 0; i < size; i++)
            memory[i] = (unsigned char)~((unsigned char *)row->first[p])[i];
        status = whorl_session_write(row->session, p, memory, size, err);
        free(memory);
    }
    return status;
}

// Of rows_contestant. A write waits for the next submit, so the smallest of what was written is read back: then all of
// it is there.
static enum whorl_status restore(void *user, struct whorl_error *err) {
    struct row *row = user;
    struct rows_job *job = row->job;
    enum whorl_status status = WHORL_OK;
    size_t smallest = job->param_count;
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++) {
        if (!job->goes_on[p]) continue;
        status = whorl_session_write(row->session, p, job->start[p], job->size_bytes[p], err);
        if (smallest == job->param_count || job->size_bytes[p] < job->size_bytes[smallest]) smallest = p;
    }
    if (status != WHORL_OK) return status;
    void *seen = malloc(job->size_bytes[smallest] + 1);
    if (!seen) return fail(err, WHORL_MEMORY, "out of memory");
    status = whorl_session_read(row->session, smallest, seen, job->size_bytes[smallest], err);
    free(seen);
    return status;
}

// The CPU's threads may add in another order each time: there, only that something was written is looked at.
static bool is_wrong(const struct row *row, size_t p, const unsigned char *now) {
    const unsigned char *first = row->first[p];
    size_t size = row->job->size_bytes[p], same = 0;
    if (row->strategy != WHORL_CPU) return memcmp(now, first, size) != 0;
    while (!row->job->goes_on[p] && same < size && (now[same] ^ first[same]) == 0xff)
        same++;
    return size > 0 && same == size;
}

static enum whorl_status outputs_are_right(struct row *row, struct whorl_error *err) {
    struct rows_job *job = row->job;
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++) {
        if (!is_output(row, p)) continue;
        size_t size = job->size_bytes[p];
        unsigned char *now = malloc(size + 1);
        if (!now) return fail(err, WHORL_MEMORY, "out of memory");
        status = whorl_session_read(row->session, p, now, size, err);
        if (status == WHORL_OK && is_wrong(row, p, now))
            status = fail(err, WHORL_DEVICE, "the timed calls did not write what the first run wrote");
        free(now);
    }
    return status;
}

static enum whorl_status run_session(void *user, uint32_t calls, uint32_t per_submit, struct whorl_stats *stats,
                                     struct whorl_error *err) {
    struct row *row = user;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.calls_per_submit = per_submit;
    options.one_submit = row->one_submit;
    return whorl_session_run(row->session, calls, &options, stats, err);
}

static enum whorl_status measure(struct row *row, whorl_device *device, struct whorl_error *err) {
    struct rows_contestant what = {.user = row, .run = run_session, .brief = row->job->options->brief};
    for (size_t p = 0; p < row->job->param_count; p++)
        if (row->job->goes_on[p]) what.restore = restore;
    enum whorl_status status = first_run(row, device, err);
    what.warmed_ms = row->strategy == WHORL_CPU ? row->out.first.execute_ms : 0;
    if (status == WHORL_OK) status = keep_outputs(row, err);
    if (status == WHORL_OK) status = spoil(row, err);
    if (status == WHORL_OK) status = rows_time(&what, &row->out.times, err);
    if (status == WHORL_OK && row->out.times.fell_back) status = fell_back(row->out.times.note, err);
    if (status == WHORL_OK) status = outputs_are_right(row, err);
    return status;
}

// Workgroup size of the largest kernel, as the plan has it: 0 if it cannot be told.
static uint64_t planned_workgroup_size(const whorl_program *program) {
    const char *text = whorl_program_text(program, WHORL_TEXT_PLAN);
    yyjson_doc *plan = yyjson_read(text, strlen(text), 0);
    uint64_t size = 0, most = 0;
    size_t i, n;
    yyjson_val *kernel;
    yyjson_arr_foreach(yyjson_obj_get(yyjson_doc_get_root(plan), "kernels"), i, n, kernel) {
        uint64_t iterations = yyjson_get_uint(yyjson_obj_get(kernel, "iterations"));
        if (iterations < most) continue;
        most = iterations;
        size = yyjson_get_uint(yyjson_obj_get(kernel, "workgroup_size"));
    }
    yyjson_doc_free(plan);
    return size;
}

static bool run_strategy(struct rows_job *job, whorl_device *device, enum whorl_strategy strategy, bool one_submit) {
    struct row row = {.job = job, .strategy = strategy, .one_submit = one_submit};
    struct whorl_error err;
    name_row(&row);
    row.out.job = job;
    row.out.peer = row.peer;
    row.out.strategy = strategy_name(&row);
    row.out.workgroup_size = planned_workgroup_size(job->program);
    struct whorl_tuning tuning;
    enum whorl_status status = WHORL_OK;
    struct whorl_run_options how = WHORL_RUN_OPTIONS_INIT;
    struct whorl_choice choice;
    if (strategy == WHORL_SINGLE && whorl_auto(device, job->program, &how, &choice, &err) == WHORL_OK &&
        !choice.measured)
        row.out.auto_takes = whorl_strategy_name(choice.strategy);
    if (strategy == WHORL_AUTO) {
        status = whorl_tune(device, job->program, job->start, job->size_bytes, NULL, &tuning, &err);
        row.out.tuning = &tuning;
    }
    if (status == WHORL_OK) status = measure(&row, device, &err);
    row.out.status = status;
    row.out.error = err.message;
    rows_print(&row.out, whorl_device_get_info(device));
    whorl_session_destroy(row.session);
    for (size_t p = 0; p < job->param_count; p++)
        free(row.first[p]);
    return status == WHORL_OK;
}

// ---- the command ----

static bool asks_for(const char *list, const char *name) {
    size_t size = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, size) == 0 && (at[size] == ',' || !at[size])) return true;
    return false;
}

static int complain(const struct whorl_error *err) {
    fprintf(stderr, "whorl_rows: %s: %s\n", err->stage, err->message);
    return 1;
}

static whorl_device *open_device(const char *select) {
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_error err;
    whorl_device *device = NULL;
    d.select = select;
    if (whorl_device_open(&d, &device, &err) != WHORL_OK) complain(&err);
    return device;
}

static bool run_all(struct rows_job *job, whorl_device *gpu, whorl_device *cpu) {
    static const enum whorl_strategy order[] = {WHORL_SINGLE, WHORL_STEPS, WHORL_EAGER, WHORL_CPU, WHORL_AUTO};
    const char *wanted = job->options->strategies;
    bool all = true;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        whorl_device *device = order[k] == WHORL_CPU ? cpu : gpu;
        if (!asks_for(wanted, whorl_strategy_name(order[k]))) continue;
        all &= device && run_strategy(job, device, order[k], false);
    }
    if (asks_for(wanted, "submit")) all &= gpu && run_strategy(job, gpu, WHORL_EAGER, true);
    return asks_for(wanted, "hand") ? rows_run_hand(job, gpu) && all : all;
}

static int usage(void) {
    fprintf(stderr,
            "usage: whorl_rows FOLDER WORKLOAD [--form FORM] [--strategies single,steps,submit,eager,cpu,auto,hand]\n"
            "                  [--table FILE] [--register-budget N] [--workgroup-size N] [--lanes N]\n"
            "                  [--brief 1] [--fast-math 1] [--pass-off PASSES] [--label WORD]\n");
    return 2;
}

int main(int argc, char **argv) {
    struct rows_options o = {.form = "individual", .table = "bench/workloads.json", .strategies = "single,steps"};
    for (int i = 3; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--form") == 0)
            o.form = value;
        else if (strcmp(name, "--table") == 0)
            o.table = value;
        else if (strcmp(name, "--strategies") == 0)
            o.strategies = value;
        else if (strcmp(name, "--register-budget") == 0)
            o.register_budget = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--workgroup-size") == 0)
            o.workgroup_size = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--brief") == 0)
            o.brief = strcmp(value, "1") == 0;
        else if (strcmp(name, "--fast-math") == 0)
            o.fast_math = strcmp(value, "1") == 0;
        else if (strcmp(name, "--pass-off") == 0)
            o.pass_off = value;
        else if (strcmp(name, "--label") == 0)
            o.label = value;
        else if (strcmp(name, "--lanes") == 0)
            o.lanes = (uint32_t)strtoul(value, NULL, 10);
        else
            return usage();
    }
    if (argc < 3 || argc % 2 == 0) return usage();
    o.folder = argv[1];
    o.workload = argv[2];
    struct rows_job job;
    struct whorl_error err;
    const char *wanted = o.strategies;
    bool on_gpu = asks_for(wanted, "eager") || asks_for(wanted, "hand") || asks_for(wanted, "steps") ||
                  asks_for(wanted, "submit") || asks_for(wanted, "single") || asks_for(wanted, "auto");
    whorl_device *gpu = on_gpu ? open_device("gpu") : NULL, *cpu = asks_for(wanted, "cpu") ? open_device("cpu") : NULL;
    if (on_gpu && !gpu) return 1;
    int code = rows_job_init(&o, gpu, &job, &err) != WHORL_OK ? complain(&err) : run_all(&job, gpu, cpu) ? 0 : 1;
    rows_job_deinit(&job);
    whorl_device_destroy(gpu);
    whorl_device_destroy(cpu);
    return code;
}
