// tax_native - runs a plan from its file through whorl.h and times it, as web/tools/tax_time.js does in a page: half a second of calls
// to warm up, then single calls, each waited for (bench/rows_time.c).
//
//   tax_native FOLDER PLAN.json STRATEGY SLICE_MS
//
// FOLDER/N.in has the bytes of array parameter N. FOLDER/N.out gets those that the first call left. What a call overwrites is put back
// before each, outside of the clock; after the last one the outputs must have the bits of the first. Prints one line of JSON: the device,
// each call as its caller saw it (samples_ms) and from its first submit to its last completion (execute_ms), what it was made of.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/rows.h"
#include "base/base.h"
#include "base/file.h"
#include "base/samples.h"

enum { RECENT = 64 }; // at least ROWS_MAX_SAMPLES

static struct {
    const char *folder;
    double slice_ms;
    whorl_program *program;
    whorl_session *session;
    size_t count, size_bytes[ROWS_MAX_PARAMS];
    char *start[ROWS_MAX_PARAMS]; // NULL: a scalar
    char *first[ROWS_MAX_PARAMS]; // what the first call left; NULL: no output
    double execute_ms[RECENT];    // of the last calls, in a ring
    size_t calls;
} job;

static enum whorl_status take_array(size_t p, struct whorl_error *err) {
    const struct whorl_param *param = whorl_program_param(job.program, p);
    size_t size = whorl_dtype_size(param->dtype), got;
    char path[1024];
    if (!param->is_array) return WHORL_OK;
    for (uint32_t d = 0; d < param->ndims; d++)
        size *= (size_t)param->dims[d]; // whoever read the plan checked the product
    job.size_bytes[p] = size;
    snprintf(path, sizeof path, "%s/%zu.in", job.folder, p);
    enum whorl_status status = base_read_file(path, 0, &job.start[p], &got, err);
    if (status == WHORL_OK && got != size)
        status = base_set_error(err, WHORL_INVALID, "data", "%s has %zu bytes, not %zu", path, got, size);
    if (status == WHORL_OK && param->is_output && !(job.first[p] = malloc(size + 1)))
        status = base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    return status;
}

static enum whorl_status write_arrays(bool all, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job.count && status == WHORL_OK; p++)
        if (job.start[p] && (all || job.first[p]))
            status = whorl_session_write(job.session, p, job.start[p], job.size_bytes[p], err);
    return status;
}

// Of rows_contestant. A write waits for the next submit, so the smallest of what was written is read back.
static enum whorl_status restore(void *user, struct whorl_error *err) {
    (void)user;
    size_t smallest = job.count;
    enum whorl_status status = write_arrays(false, err);
    for (size_t p = 0; p < job.count; p++)
        if (job.first[p] && (smallest == job.count || job.size_bytes[p] < job.size_bytes[smallest])) smallest = p;
    if (status != WHORL_OK || smallest == job.count) return status;
    char *seen = malloc(job.size_bytes[smallest] + 1);
    if (!seen) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    status = whorl_session_read(job.session, smallest, seen, job.size_bytes[smallest], err);
    free(seen);
    return status;
}

static enum whorl_status run(void *user, uint32_t calls, uint32_t per_submit, struct whorl_stats *stats,
                             struct whorl_error *err) {
    (void)user, (void)per_submit;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.slice_ms = job.slice_ms;
    enum whorl_status status = whorl_session_run(job.session, calls, &options, stats, err);
    if (status == WHORL_OK) job.execute_ms[job.calls++ % RECENT] = stats->execute_ms;
    return status;
}

static enum whorl_status keep_outputs(struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job.count && status == WHORL_OK; p++) {
        if (!job.first[p]) continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/%zu.out", job.folder, p);
        status = whorl_session_read(job.session, p, job.first[p], job.size_bytes[p], err);
        if (status == WHORL_OK)
            status = base_write_file(path, &(struct base_span){job.first[p], job.size_bytes[p]}, 1, err);
    }
    return status;
}

static enum whorl_status outputs_are_same(struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (size_t p = 0; p < job.count && status == WHORL_OK; p++) {
        if (!job.first[p]) continue;
        char *now = malloc(job.size_bytes[p] + 1);
        if (!now) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
        status = whorl_session_read(job.session, p, now, job.size_bytes[p], err);
        if (status == WHORL_OK && memcmp(now, job.first[p], job.size_bytes[p]) != 0)
            status = base_set_error(err, WHORL_DEVICE, "bench", "the last call did not leave what the first one left");
        free(now);
    }
    return status;
}

static void print(whorl_device *device, const struct whorl_stats *first, const struct rows_times *times) {
    const struct whorl_device_info *info = whorl_device_get_info(device);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    size_t count = times->waited.count;
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_strcpy(doc, root, "device", info->name);
    yyjson_mut_obj_add_strcpy(doc, root, "library", info->library);
    yyjson_mut_obj_add_strcpy(doc, root, "driver", info->driver);
    yyjson_mut_obj_add_bool(doc, root, "is_software", info->is_software);
    yyjson_mut_obj_add_strcpy(doc, root, "strategy", whorl_strategy_name(first->strategy));
    yyjson_mut_obj_add_uint(doc, root, "groups", info->grid.groups);
    yyjson_mut_obj_add_real(doc, root, "dispatches", (double)times->dispatches / (double)times->calls);
    yyjson_mut_obj_add_real(doc, root, "slices", (double)times->slices / (double)times->calls);
    yyjson_mut_val *samples = yyjson_mut_obj_add_arr(doc, root, "samples_ms");
    for (size_t i = 0; i < count; i++)
        yyjson_mut_arr_add_real(doc, samples, times->waited.ms[i]);
    yyjson_mut_val *execute = yyjson_mut_obj_add_arr(doc, root, "execute_ms");
    for (size_t i = 0; i < count; i++)
        yyjson_mut_arr_add_real(doc, execute, job.execute_ms[(job.calls - count + i) % RECENT]);
    char *text = yyjson_mut_write(doc, 0, NULL);
    printf("%s\n", text ? text : "{}");
    free(text);
    yyjson_mut_doc_free(doc);
}

static enum whorl_status measure(whorl_device *device, const char *plan, enum whorl_strategy strategy,
                                 struct whorl_error *err) {
    struct rows_contestant what = {.run = run, .restore = restore};
    struct whorl_stats first = {0};
    struct rows_times times;
    char *text = NULL;
    size_t size;
    enum whorl_status status = base_read_file(plan, 0, &text, &size, err);
    if (status == WHORL_OK) status = whorl_plan_read(text, size, &job.program, err);
    base_heap_free(text);
    if (status != WHORL_OK) return status;
    job.count = whorl_program_param_count(job.program);
    if (job.count > ROWS_MAX_PARAMS) return base_set_error(err, WHORL_LIMIT, "data", "too many parameters");
    for (size_t p = 0; p < job.count && status == WHORL_OK; p++)
        status = take_array(p, err);
    if (status == WHORL_OK) status = whorl_session_create(device, job.program, strategy, &job.session, err);
    if (status == WHORL_OK) status = write_arrays(true, err);
    if (status == WHORL_OK) status = run(NULL, 1, 0, &first, err);
    if (status == WHORL_OK) status = keep_outputs(err);
    if (status == WHORL_OK) status = rows_time(&what, &times, err);
    if (status == WHORL_OK && (first.fell_back || times.fell_back))
        status = base_set_error(err, WHORL_DEVICE, "bench", "fell back: %s", times.fell_back ? times.note : first.note);
    if (status == WHORL_OK) status = outputs_are_same(err);
    if (status == WHORL_OK) print(device, &first, &times);
    return status;
}

int main(int count, char **args) {
    static const enum whorl_strategy all[] = {WHORL_SINGLE, WHORL_STEPS, WHORL_EAGER};
    struct whorl_device_options how = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_error err;
    whorl_device *device = NULL;
    size_t k = 0;
    while (count == 5 && k < 3 && strcmp(args[3], whorl_strategy_name(all[k])) != 0)
        k++;
    if (count != 5 || k == 3) {
        fprintf(stderr, "usage: tax_native FOLDER PLAN.json single|steps|eager SLICE_MS\n");
        return 2;
    }
    job.folder = args[1];
    job.slice_ms = strtod(args[4], NULL);
    how.select = "gpu";
    enum whorl_status status = whorl_device_open(&how, &device, &err);
    if (status == WHORL_OK) status = measure(device, args[2], all[k], &err);
    if (status != WHORL_OK) fprintf(stderr, "tax_native: %s: %s\n", err.stage, err.message);
    whorl_session_destroy(job.session);
    whorl_program_destroy(job.program);
    for (size_t p = 0; p < ROWS_MAX_PARAMS; p++) {
        base_heap_free(job.start[p]);
        free(job.first[p]);
    }
    whorl_device_destroy(device);
    return status != WHORL_OK;
}
