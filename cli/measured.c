// Measurements in words and as JSON. The fields are those of struct whorl_device_info (include/whorl.h).
#include "measured.h"
#include "math_cache.h"

const char *measured_number(double value, char *out) {
    if (value >= 999.5 && value < 1e18) return cli_thousands((uint64_t)(value + 0.5), out);
    snprintf(out, 32, "%.3g", value);
    return out;
}

void measured_barriers(const struct whorl_device_info *info, char *out, size_t size) {
    const struct whorl_grid *g = &info->grid;
    char most[32], us[32];
    if (!g->ok)
        snprintf(out, size, "no barriers between workgroups%s%s", g->note[0] ? ": " : "", g->note);
    else if (g->groups < 2)
        snprintf(out, size, "%s workgroups can wait for each other at barriers; one is used",
                 cli_thousands(g->groups_max, most));
    else
        snprintf(out, size, "%s workgroups can wait for each other at barriers; %u are used, %s us a barrier",
                 cli_thousands(g->groups_max, most), g->groups, measured_number(g->barrier_ns * 1e-3, us));
}

void measured_builtin(const struct whorl_builtin *b, char *out, size_t size) {
    snprintf(out, size, "%s %.*f%s", b->name, b->worst_ulp < 100 ? 1 : 0, b->worst_ulp,
             b->wrong ? " (NaN or infinite)" : "");
}

bool measured_math(const struct whorl_device_info *info, char *out, size_t size) {
    struct cli_math math;
    if (!cli_math_cached(info, &math)) return false;
    if (math.wrong)
        snprintf(out, size, "%llu wrong results, measured %s", (unsigned long long)math.wrong, math.measured);
    else
        snprintf(out, size, "worst %.1f ulp (%s), measured %s", math.worst_ulp, math.function, math.measured);
    return true;
}

static void add_limits(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info) {
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, object, "limits");
    yyjson_mut_obj_add_uint(doc, one, "invocations", info->max_invocations);
    yyjson_mut_obj_add_uint(doc, one, "storage_buffers", info->max_storage_buffers);
    yyjson_mut_obj_add_uint(doc, one, "groups", info->max_groups);
    yyjson_mut_obj_add_uint(doc, one, "workgroup_bytes", info->workgroup_bytes);
    yyjson_mut_obj_add_uint(doc, one, "binding_bytes", info->max_binding_bytes);
    yyjson_mut_obj_add_uint(doc, one, "buffer_bytes", info->max_buffer_bytes);
    yyjson_mut_obj_add_bool(doc, object, "has_f16", info->has_f16);
    yyjson_mut_obj_add_bool(doc, object, "has_subgroups", info->has_subgroups);
    yyjson_mut_obj_add_bool(doc, object, "has_timestamps", info->has_timestamps);
    yyjson_mut_obj_add_bool(doc, object, "coherent_memory", info->target.coherent_memory);
    yyjson_mut_obj_add_bool(doc, object, "float_atomics", info->target.float_atomics);
}

// What programs are compiled for: `--probe` reads it again (probe_file.c).
static void add_target(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_target *t) {
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, object, "target");
    yyjson_mut_obj_add_uint(doc, one, "register_words", t->register_words);
    yyjson_mut_obj_add_uint(doc, one, "busy_invocations", t->busy_invocations);
    yyjson_mut_obj_add_uint(doc, one, "subgroup_lanes", t->subgroup_lanes);
    yyjson_mut_obj_add_uint(doc, one, "workgroup_bytes", t->workgroup_bytes);
    yyjson_mut_obj_add_uint(doc, one, "storage_buffers", t->storage_buffers);
    yyjson_mut_obj_add_uint(doc, one, "binding_bytes", t->binding_bytes);
    yyjson_mut_obj_add_bool(doc, one, "coherent_memory", t->coherent_memory);
    yyjson_mut_obj_add_bool(doc, one, "float_atomics", t->float_atomics);
}

static void add_grid(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_grid *g) {
    if (g->groups == 0) return;
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, object, "grid");
    yyjson_mut_obj_add_bool(doc, one, "ok", g->ok);
    yyjson_mut_obj_add_bool(doc, one, "fences_needed", g->fences_needed);
    yyjson_mut_obj_add_uint(doc, one, "groups", g->groups);
    yyjson_mut_obj_add_uint(doc, one, "groups_max", g->groups_max);
    yyjson_mut_obj_add_uint(doc, one, "tested", g->tested);
    yyjson_mut_obj_add_real(doc, one, "barrier_ns", g->barrier_ns);
    yyjson_mut_obj_add_real(doc, one, "spins_per_ms", g->spins_per_ms);
    yyjson_mut_obj_add_uint(doc, one, "messages", g->messages);
    yyjson_mut_obj_add_uint(doc, one, "stale", g->stale);
    yyjson_mut_obj_add_uint(doc, one, "plain_stale", g->plain_stale);
    yyjson_mut_obj_add_strcpy(doc, one, "note", g->note);
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, one, "sizes");
    for (uint32_t i = 0; i < g->size_count; i++) {
        yyjson_mut_val *size = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_uint(doc, size, "groups", g->sizes[i].groups);
        yyjson_mut_obj_add_real(doc, size, "barrier_ns", g->sizes[i].barrier_ns);
    }
}

static void add_builtins(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info) {
    if (info->builtin_count == 0) return;
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, object, "builtins");
    for (uint32_t i = 0; i < info->builtin_count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_strcpy(doc, one, "name", info->builtins[i].name);
        yyjson_mut_obj_add_real(doc, one, "worst_ulp", info->builtins[i].worst_ulp);
        yyjson_mut_obj_add_uint(doc, one, "wrong", info->builtins[i].wrong);
    }
}

static void add_math(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info) {
    struct cli_math math;
    if (!cli_math_cached(info, &math)) return;
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, object, "math");
    yyjson_mut_obj_add_real(doc, one, "worst_ulp", math.worst_ulp);
    yyjson_mut_obj_add_strcpy(doc, one, "function", math.function);
    yyjson_mut_obj_add_uint(doc, one, "wrong", math.wrong);
    yyjson_mut_obj_add_strcpy(doc, one, "measured", math.measured);
}

void measured_add_json(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info) {
    if (!doc || !object || info->is_cpu) return;
    add_limits(doc, object, info);
    add_target(doc, object, &info->target);
    yyjson_mut_obj_add_uint(doc, object, "register_words", info->target.register_words);
    yyjson_mut_obj_add_real(doc, object, "ops_per_s", info->ops_per_s);
    yyjson_mut_obj_add_real(doc, object, "latency_ns", info->latency_ns);
    add_grid(doc, object, &info->grid);
    add_builtins(doc, object, info);
    add_math(doc, object, info);
}
