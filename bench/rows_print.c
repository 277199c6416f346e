// One row as one line of JSON: the fields of bench/peers/harness.py, and what happened on the device.
#include <stdio.h>
#include <stdlib.h>

#include "rows.h"

static void add_samples(yyjson_mut_doc *doc, const char *key, const struct rows_samples *samples) {
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, yyjson_mut_doc_get_root(doc), key);
    for (size_t i = 0; i < samples->count; i++)
        yyjson_mut_arr_add_real(doc, list, samples->ms[i]);
}

static void add_times(yyjson_mut_doc *doc, const struct rows_row *row) {
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    const struct rows_times *t = &row->times;
    uint64_t calls = t->calls ? t->calls : 1;
    yyjson_mut_obj_add_real(doc, root, "compile_s", (row->job->compile_ms + row->ready_ms) * 1e-3);
    yyjson_mut_obj_add_real(doc, root, "compile_ms", row->job->compile_ms);
    yyjson_mut_obj_add_real(doc, root, "pipeline_ms", row->first.pipeline_ms);
    // Of one timed call; "first_slices" also shows how carefully an unknown kernel was started.
    yyjson_mut_obj_add_real(doc, root, "dispatches", (double)t->dispatches / (double)calls);
    yyjson_mut_obj_add_real(doc, root, "submits", (double)t->submits / (double)calls);
    yyjson_mut_obj_add_real(doc, root, "slices", (double)t->slices / (double)calls);
    yyjson_mut_obj_add_uint(doc, root, "first_slices", row->first.slices);
    yyjson_mut_obj_add_strcpy(doc, root, "note", row->first.note);
    add_samples(doc, "samples_ms", &t->waited);
    add_samples(doc, "in_flight_ms", &t->in_flight);
    add_samples(doc, "batch_ms", &t->batch);
}

// What auto was chosen from, and what ran.
static void add_tuning(yyjson_mut_doc *doc, const struct rows_row *row) {
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc), *list = yyjson_mut_obj_add_arr(doc, root, "tuned");
    yyjson_mut_obj_add_str(doc, root, "taken", whorl_strategy_name(row->first.strategy));
    for (uint32_t i = 0; i < row->tuning->count; i++) {
        const struct whorl_candidate *c = &row->tuning->candidates[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_str(doc, one, "strategy", whorl_strategy_name(c->strategy));
        yyjson_mut_obj_add_uint(doc, one, "groups", c->groups);
        yyjson_mut_obj_add_real(doc, one, "ms", c->time.ns * 1e-6);
        yyjson_mut_obj_add_real(doc, one, "low_ms", c->time.low_ns * 1e-6);
        yyjson_mut_obj_add_real(doc, one, "high_ms", c->time.high_ns * 1e-6);
        yyjson_mut_obj_add_bool(doc, one, "same_bits", c->same_bits);
        yyjson_mut_obj_add_bool(doc, one, "chosen", i == row->tuning->chosen);
    }
}

void rows_print(const struct rows_row *row, const struct whorl_device_info *info) {
    const struct rows_job *job = row->job;
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_strcpy(doc, root, "peer", row->peer);
    yyjson_mut_obj_add_str(doc, root, "version", whorl_version());
    yyjson_mut_obj_add_strcpy(doc, root, "device", info ? info->name : "");
    yyjson_mut_obj_add_strcpy(doc, root, "library", info ? info->library : "");
    yyjson_mut_obj_add_strcpy(doc, root, "driver", info ? info->driver : "");
    yyjson_mut_obj_add_bool(doc, root, "is_software", info && info->is_software);
    yyjson_mut_obj_add_strcpy(doc, root, "workload", job->options->workload);
    yyjson_mut_obj_add_strcpy(doc, root, "form", job->options->form);
    if (row->strategy) yyjson_mut_obj_add_str(doc, root, "strategy", row->strategy);
    if (row->auto_takes) yyjson_mut_obj_add_str(doc, root, "auto_takes", row->auto_takes);
    yyjson_mut_obj_add_uint(doc, root, "register_budget", job->target.register_words);
    yyjson_mut_obj_add_uint(doc, root, "workgroup_size", row->workgroup_size);
    yyjson_mut_obj_add_strcpy(doc, root, "unit", yyjson_get_str(yyjson_obj_get(job->entry, "unit")));
    yyjson_mut_obj_add_real(doc, root, "per_call", rows_per_call(job));
    struct whorl_work work;
    if (whorl_program_work(job->program, &work)) {
        yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, root, "work");
        yyjson_mut_obj_add_real(doc, one, "float_ops", work.float_ops);
        yyjson_mut_obj_add_real(doc, one, "functions", work.functions);
        yyjson_mut_obj_add_real(doc, one, "integer_ops", work.integer_ops);
        yyjson_mut_obj_add_real(doc, one, "bytes", work.bytes);
        yyjson_mut_obj_add_bool(doc, one, "is_exact", work.is_exact);
    }
    yyjson_mut_obj_add_int(doc, root, "protocol", ROWS_PROTOCOL);
    if (job->options->brief) yyjson_mut_obj_add_bool(doc, root, "brief", true);
    if (row->status == WHORL_OK) add_times(doc, row);
    if (row->status == WHORL_OK && row->tuning) add_tuning(doc, row);
    if (row->status != WHORL_OK) yyjson_mut_obj_add_strcpy(doc, root, "error", row->error);
    char *text = yyjson_mut_write(doc, 0, NULL);
    printf("%s\n", text ? text : "{}");
    fflush(stdout);
    free(text);
    yyjson_mut_doc_free(doc);
}
