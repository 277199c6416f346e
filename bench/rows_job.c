// A workload from its files: the table says which program and where sizes come from, the folder of make_inputs.py has
// the arrays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cli/npy.h"
#include "base/base.h"
#include "rows.h"

static enum whorl_status read_json(const char *path, yyjson_doc **out, struct whorl_error *err) {
    yyjson_read_err problem;
    *out = yyjson_read_file(path, 0, NULL, &problem);
    return *out ? WHORL_OK : base_set_error(err, WHORL_INVALID, "data", "%s: %s", path, problem.msg);
}

static void path_of(const struct rows_job *job, const char *file, const char *suffix, char *out, size_t size) {
    snprintf(out, size, "%s/%s/%s%s", job->options->folder, job->options->workload, file, suffix);
}

static enum whorl_status find_entry(struct rows_job *job, struct whorl_error *err) {
    const struct rows_options *o = job->options;
    char path[1024];
    size_t i, n;
    yyjson_val *one;
    path_of(job, "scalars", ".json", path, sizeof path);
    enum whorl_status status = read_json(o->table, &job->table, err);
    if (status == WHORL_OK) status = read_json(path, &job->given, err);
    if (status != WHORL_OK) return status;
    yyjson_arr_foreach(yyjson_obj_get(yyjson_doc_get_root(job->table), "workloads"), i, n, one) {
        if (yyjson_equals_str(yyjson_obj_get(one, "name"), o->workload)) job->entry = one;
    }
    job->path = yyjson_get_str(yyjson_obj_get(yyjson_obj_get(yyjson_obj_get(job->entry, "forms"), o->form), "program"));
    if (job->path) return WHORL_OK;
    return base_set_error(err, WHORL_INVALID, "data", "%s: no workload %s in the %s form", o->table, o->workload,
                          o->form);
}

// ---- scalars ----

// The table's "w.0" is the first dimension of the array w.
static enum whorl_status scalar_from_shape(const struct rows_job *job, const char *name, double *out,
                                           struct whorl_error *err) {
    const char *text = yyjson_get_str(yyjson_obj_get(yyjson_obj_get(job->entry, "dims"), name));
    const char *dot = text ? strrchr(text, '.') : NULL;
    char array[64], path[1024];
    struct npy npy;
    void *data = NULL;
    if (!dot) return base_set_error(err, WHORL_INVALID, "data", "no value for the scalar %s", name);
    snprintf(array, sizeof array, "%.*s", (int)(dot - text), text);
    path_of(job, array, ".npy", path, sizeof path);
    enum whorl_status status = npy_read(path, &npy, &data, err);
    base_heap_free(data);
    if (status != WHORL_OK) return status;
    unsigned long dim = strtoul(dot + 1, NULL, 10);
    if (dim >= npy.ndims) return base_set_error(err, WHORL_INVALID, "data", "%s has no dimension %lu", path, dim);
    *out = (double)npy.dims[dim];
    return WHORL_OK;
}

static enum whorl_status take_scalars(struct rows_job *job, struct whorl_error *err) {
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    whorl_program *declared = NULL;
    enum whorl_status status = whorl_inspect(job->path, NULL, &options, &declared, err);
    size_t count = status == WHORL_OK ? whorl_program_param_count(declared) : 0;
    if (count > ROWS_MAX_PARAMS)
        status = base_set_error(err, WHORL_LIMIT, "data", "more than %d parameters", ROWS_MAX_PARAMS);
    for (size_t p = 0; p < count && status == WHORL_OK; p++) {
        const struct whorl_param *param = whorl_program_param(declared, p);
        if (param->is_array) continue;
        yyjson_val *given = yyjson_obj_get(yyjson_doc_get_root(job->given), param->name);
        size_t k = job->scalar_count++;
        snprintf(job->names[k], sizeof job->names[k], "%s", param->name);
        job->scalars[k] = (struct whorl_scalar){job->names[k], yyjson_get_num(given)};
        if (!given) status = scalar_from_shape(job, param->name, &job->scalars[k].value, err);
    }
    whorl_program_destroy(declared);
    return status;
}

// ---- arrays ----

static bool same_shape(const struct whorl_param *param, const struct npy *npy) {
    if (param->dtype != npy->dtype || param->ndims != npy->ndims) return false;
    for (uint32_t d = 0; d < npy->ndims; d++)
        if (param->dims[d] != npy->dims[d]) return false;
    return true;
}

static enum whorl_status take_array(struct rows_job *job, size_t p, struct whorl_error *err) {
    const struct whorl_param *param = whorl_program_param(job->program, p);
    char path[1024], wanted[160], found[160];
    struct npy npy;
    void *data = NULL;
    job->size_bytes[p] = whorl_dtype_size(param->dtype);
    for (uint32_t d = 0; d < param->ndims; d++)
        job->size_bytes[p] *= (size_t)param->dims[d]; // compiled: whoever made the buffers checked the product
    job->start[p] = calloc(job->size_bytes[p] + 1, 1);
    if (!job->start[p]) return base_set_error(err, WHORL_MEMORY, "data", "out of memory for %s", param->name);
    path_of(job, param->name, ".npy", path, sizeof path);
    if (param->is_output && access(path, F_OK) != 0) return WHORL_OK; // written only
    job->goes_on[p] = param->is_output;
    enum whorl_status status = npy_read(path, &npy, &data, err);
    if (status == WHORL_OK && !same_shape(param, &npy)) {
        npy_describe(param->dtype, param->ndims, param->dims, wanted, sizeof wanted);
        npy_describe(npy.dtype, npy.ndims, npy.dims, found, sizeof found);
        status = base_set_error(err, WHORL_INVALID, "data", "%s is %s, the program wants %s", path, found, wanted);
    }
    if (status == WHORL_OK && npy.size_bytes) memcpy(job->start[p], data, npy.size_bytes);
    base_heap_free(data);
    return status;
}

// ---- the job ----

static bool same_text(const whorl_program *a, const whorl_program *b, enum whorl_text what) {
    return strcmp(whorl_program_text(a, what), whorl_program_text(b, what)) == 0;
}

// A pass that changes nothing here is not worth a measurement: WHORL_SOURCE.
static enum whorl_status must_differ(const struct rows_job *job, struct whorl_compile_options options,
                                     struct whorl_error *err) {
    whorl_program *whole = NULL;
    options.pass_off = NULL;
    enum whorl_status status = whorl_compile(job->path, NULL, &options, &whole, err);
    if (status == WHORL_OK && same_text(whole, job->program, WHORL_TEXT_WGSL) &&
        same_text(whole, job->program, WHORL_TEXT_PLAN))
        status = base_set_error(err, WHORL_SOURCE, "bench", "the pass '%s' changes nothing", job->options->pass_off);
    whorl_program_destroy(whole);
    return status;
}

static enum whorl_status compile(struct rows_job *job, struct whorl_error *err) {
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    options.scalars = job->scalars;
    options.scalar_count = job->scalar_count;
    options.target = job->target;
    options.lanes = job->options->lanes;
    options.fast_math = job->options->fast_math;
    options.pass_off = job->options->pass_off;
    options.workgroup_size = job->options->workgroup_size;
    double start = rows_now_ms();
    enum whorl_status status = whorl_compile(job->path, NULL, &options, &job->program, err);
    job->compile_ms = rows_now_ms() - start;
    if (status == WHORL_OK && options.pass_off) status = must_differ(job, options, err);
    return status;
}

enum whorl_status rows_job_init(const struct rows_options *options, const whorl_device *device, struct rows_job *job,
                                struct whorl_error *err) {
    memset(job, 0, sizeof *job);
    job->options = options;
    if (device) job->target = whorl_device_get_info(device)->target;
    if (options->register_budget) job->target.register_words = options->register_budget;
    enum whorl_status status = find_entry(job, err);
    if (status == WHORL_OK) status = take_scalars(job, err);
    if (status == WHORL_OK) status = compile(job, err);
    if (status == WHORL_OK) job->param_count = whorl_program_param_count(job->program);
    for (size_t p = 0; p < job->param_count && status == WHORL_OK; p++)
        if (whorl_program_param(job->program, p)->is_array) status = take_array(job, p, err);
    return status;
}

void rows_job_deinit(struct rows_job *job) {
    for (size_t p = 0; p < job->param_count; p++)
        free(job->start[p]);
    whorl_program_destroy(job->program);
    yyjson_doc_free(job->given);
    yyjson_doc_free(job->table);
}

double rows_per_call(const struct rows_job *job) {
    yyjson_val *value = yyjson_obj_get(job->entry, "per_call");
    for (size_t k = 0; k < job->scalar_count; k++)
        if (yyjson_equals_str(value, job->scalars[k].name)) return job->scalars[k].value;
    return yyjson_get_num(value);
}
