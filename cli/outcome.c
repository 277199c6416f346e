// The fields are those of the structs that they copy, which include/whorl.h documents. Numbers that JSON cannot say
// (NaN) are null.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"
#include "outcome.h"
#include "summary.h"
#include "verdict.h"

static void put_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double value) {
    if (isfinite(value))
        yyjson_mut_obj_add_real(doc, object, key, value);
    else
        yyjson_mut_obj_add_null(doc, object, key);
}

yyjson_mut_doc *json_create(const char *command, const struct job *job) {
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    if (!doc || !root) return NULL;
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "whorl", whorl_version());
    yyjson_mut_obj_add_str(doc, root, "command", command);
    if (!job) return doc;
    yyjson_mut_obj_add_strcpy(doc, root, "file", job->path);
    if (job->entry) yyjson_mut_obj_add_strcpy(doc, root, "entry", job->entry);
    put_number(doc, root, "compile_ms", job->compile_ms);
    yyjson_mut_val *scalars = yyjson_mut_obj_add_obj(doc, root, "scalars");
    for (size_t i = 0; i < job->scalar_count; i++) {
        yyjson_mut_val *key = yyjson_mut_strcpy(doc, job->scalars[i].name);
        yyjson_mut_obj_add(scalars, key, yyjson_mut_real(doc, job->scalars[i].value));
    }
    return doc;
}

void json_add_device(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info,
                     const char *reason) {
    if (!doc || !object) return;
    yyjson_mut_obj_add_strcpy(doc, object, "name", info->name);
    yyjson_mut_obj_add_strcpy(doc, object, "library", info->library);
    yyjson_mut_obj_add_strcpy(doc, object, "driver", info->driver);
    yyjson_mut_obj_add_strcpy(doc, object, "backend", info->backend);
    yyjson_mut_obj_add_bool(doc, object, "is_cpu", info->is_cpu);
    yyjson_mut_obj_add_bool(doc, object, "is_software", info->is_software);
    yyjson_mut_obj_add_uint(doc, object, "loop_cap", info->loop_cap);
    yyjson_mut_obj_add_uint(doc, object, "subgroup_size", info->subgroup_size);
    put_number(doc, object, "dispatch_us", info->dispatch_us);
    put_number(doc, object, "submit_us", info->submit_us);
    put_number(doc, object, "wait_us", info->wait_us);
    put_number(doc, object, "read_gbps", info->read_gbps);
    put_number(doc, object, "copy_gbps", info->copy_gbps);
    if (reason) yyjson_mut_obj_add_strcpy(doc, object, "reason", reason);
}

void json_add_stats(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_stats *stats) {
    if (!doc || !object) return;
    yyjson_mut_obj_add_str(doc, object, "strategy", whorl_strategy_name(stats->strategy));
    yyjson_mut_obj_add_bool(doc, object, "fell_back", stats->fell_back);
    yyjson_mut_obj_add_strcpy(doc, object, "note", stats->note);
    yyjson_mut_obj_add_uint(doc, object, "dispatches", stats->dispatches);
    yyjson_mut_obj_add_uint(doc, object, "submits", stats->submits);
    yyjson_mut_obj_add_uint(doc, object, "slices", stats->slices);
    yyjson_mut_obj_add_uint(doc, object, "bytes_uploaded", stats->bytes_uploaded);
    yyjson_mut_obj_add_uint(doc, object, "bytes_downloaded", stats->bytes_downloaded);
    put_number(doc, object, "wall_ms", stats->wall_ms);
    put_number(doc, object, "execute_ms", stats->execute_ms);
    put_number(doc, object, "pipeline_ms", stats->pipeline_ms);
    yyjson_mut_obj_add_uint(doc, object, "losses", stats->losses);
    yyjson_mut_obj_add_uint(doc, object, "checkpoints", stats->checkpoints);
}

void json_add_results(yyjson_mut_doc *doc, const struct job *job, void *const *arrays) {
    yyjson_mut_val *list = doc ? yyjson_mut_obj_add_arr(doc, yyjson_mut_doc_get_root(doc), "results") : NULL;
    for (size_t p = 0; list && p < job->param_count; p++) {
        const struct whorl_param *param = whorl_program_param(job->program, p);
        if (!param->is_output) continue;
        struct summary s = summary_of(param, arrays[p], NULL);
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_strcpy(doc, one, "name", param->name);
        yyjson_mut_obj_add_str(doc, one, "dtype", whorl_dtype_name(param->dtype));
        yyjson_mut_val *words = param->words ? yyjson_mut_obj_add_arr(doc, one, "words") : NULL;
        for (size_t w = 0; words && w < param->dims[param->ndims - 1]; w++)
            yyjson_mut_arr_add_str(doc, words, whorl_dtype_name(param->words[w]));
        yyjson_mut_val *shape = yyjson_mut_obj_add_arr(doc, one, "shape");
        for (uint32_t d = 0; d < param->ndims; d++)
            yyjson_mut_arr_add_uint(doc, shape, param->dims[d]);
        put_number(doc, one, "min", s.min);
        put_number(doc, one, "mean", s.mean);
        put_number(doc, one, "max", s.max);
        yyjson_mut_obj_add_uint(doc, one, "nan", s.nan_count);
        char hash[20];
        snprintf(hash, sizeof hash, "%016" PRIx64, s.hash);
        yyjson_mut_obj_add_strcpy(doc, one, "hash", hash);
    }
}

enum whorl_status json_write(yyjson_mut_doc *doc, const char *path, struct whorl_error *err) {
    size_t size = 0;
    char *text = doc ? yyjson_mut_write(doc, YYJSON_WRITE_PRETTY | YYJSON_WRITE_NEWLINE_AT_END, &size) : NULL;
    enum whorl_status status = base_set_error(err, WHORL_MEMORY, "data", "out of memory writing %s", path);
    if (text) {
        struct base_span span = {text, size};
        status = npy_write_spans(path, &span, 1, err);
    }
    free(text);
    yyjson_mut_doc_free(doc);
    return status;
}
