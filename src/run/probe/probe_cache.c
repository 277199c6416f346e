// Probe results on disk, one sealed JSON file a device: keyed by what may change them, written whole or not at all,
// ignored when damaged.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "run/probe/probe.h"

enum { PROBE_VERSION = 9, MAX_BYTES = 64 << 10 };

struct field {
    const char *name;
    double *value;
};
enum { FIELDS = 23 };

// The file's numbers, as doubles while they travel.
struct numbers {
    double loop_cap, subgroup_size, subgroup_lanes, register_words, dispatch_us, submit_us, wait_us, read_gbps,
        copy_gbps, ops_per_s, latency_ns;
    double grid_ok, fences_needed, grid_groups, grid_groups_max, grid_tested, spins_per_ms, barrier_ns;
    double litmus_messages, litmus_stale, litmus_plain_stale;
    double coherent_memory, coherent_stale;
};
static void list_fields(struct numbers *n, struct field out[FIELDS]) {
    const struct field fields[FIELDS] = {
        {"loop_cap", &n->loop_cap},
        {"subgroup_size", &n->subgroup_size},
        {"subgroup_lanes", &n->subgroup_lanes},
        {"dispatch_us", &n->dispatch_us},
        {"submit_us", &n->submit_us},
        {"wait_us", &n->wait_us},
        {"read_gbps", &n->read_gbps},
        {"copy_gbps", &n->copy_gbps},
        {"ops_per_s", &n->ops_per_s},
        {"latency_ns", &n->latency_ns},
        {"register_words", &n->register_words},
        {"grid_ok", &n->grid_ok},
        {"fences_needed", &n->fences_needed},
        {"grid_groups", &n->grid_groups},
        {"grid_groups_max", &n->grid_groups_max},
        {"grid_tested", &n->grid_tested},
        {"spins_per_ms", &n->spins_per_ms},
        {"barrier_ns", &n->barrier_ns},
        {"litmus_messages", &n->litmus_messages},
        {"litmus_stale", &n->litmus_stale},
        {"litmus_plain_stale", &n->litmus_plain_stale},
        {"coherent_memory", &n->coherent_memory},
        {"coherent_stale", &n->coherent_stale},
    };
    memcpy(out, fields, sizeof fields);
}

static bool same_text(yyjson_val *root, const char *key, const char *text) {
    const char *value = yyjson_get_str(yyjson_obj_get(root, key));
    return value && strcmp(value, text) == 0;
}

// "builtins": one [name, worst_ulp, wrong] for each function, or none at all.
static bool take_builtins(yyjson_val *root, struct run_probe *out) {
    yyjson_val *list = yyjson_obj_get(root, "builtins");
    size_t count = yyjson_arr_size(list);
    if (!yyjson_is_arr(list) || (count != 0 && count != WHORL_BUILTINS)) return false;
    for (uint32_t i = 0; i < count; i++) {
        yyjson_val *one = yyjson_arr_get(list, i), *wrong = yyjson_arr_get(one, 2);
        const char *name = yyjson_get_str(yyjson_arr_get(one, 0));
        double worst_ulp = yyjson_get_num(yyjson_arr_get(one, 1));
        if (!name || strcmp(name, run_probe_builtin(i)) != 0 || !yyjson_is_num(yyjson_arr_get(one, 1)) ||
            !yyjson_is_uint(wrong) || yyjson_get_uint(wrong) > UINT32_MAX || !(worst_ulp >= 0 && worst_ulp <= 1e18))
            return false;
        out->builtins[i] = (struct whorl_builtin){run_probe_builtin(i), worst_ulp, (uint32_t)yyjson_get_uint(wrong)};
    }
    out->builtin_count = (uint32_t)count;
    return true;
}

// "grid_sizes": one [groups, barrier_ns] for each number of workgroups that was measured; "grid_note": a text.
static bool take_grid(yyjson_val *root, const struct numbers *n, struct run_probe *out) {
    yyjson_val *list = yyjson_obj_get(root, "grid_sizes");
    const char *note = yyjson_get_str(yyjson_obj_get(root, "grid_note"));
    size_t count = yyjson_arr_size(list);
    if (!note || !yyjson_is_arr(list) || count > WHORL_GRID_SIZES || n->grid_groups < 1 ||
        n->grid_groups > n->grid_groups_max || n->grid_groups_max > 65535 || n->grid_tested > UINT32_MAX ||
        n->spins_per_ms > 1e9)
        return false;
    for (size_t i = 0; i < count; i++) {
        yyjson_val *one = yyjson_arr_get(list, i), *groups = yyjson_arr_get(one, 0), *ns = yyjson_arr_get(one, 1);
        if (!yyjson_is_uint(groups) || yyjson_get_uint(groups) > 65535 || !yyjson_is_num(ns) ||
            !(yyjson_get_num(ns) >= 0))
            return false;
        out->grid_sizes[i] = (struct whorl_grid_size){(uint32_t)yyjson_get_uint(groups), yyjson_get_num(ns)};
    }
    out->grid_size_count = (uint32_t)count;
    out->grid_ok = n->grid_ok == 1;
    out->fences_needed = n->fences_needed != 0;
    out->grid_groups = (uint32_t)n->grid_groups;
    out->grid_groups_max = (uint32_t)n->grid_groups_max;
    out->grid_tested = (uint32_t)n->grid_tested;
    out->spins_per_ms = n->spins_per_ms;
    out->barrier_ns = n->barrier_ns;
    out->litmus_messages = (uint64_t)n->litmus_messages;
    out->litmus_stale = (uint64_t)n->litmus_stale;
    out->litmus_plain_stale = (uint64_t)n->litmus_plain_stale;
    out->coherent_memory = n->coherent_memory == 1;
    out->coherent_stale = (uint64_t)n->coherent_stale;
    snprintf(out->grid_note, sizeof out->grid_note, "%s", note);
    return true;
}

static bool take(const struct whorl_device *d, yyjson_val *root, struct run_probe *out) {
    if (yyjson_get_uint(yyjson_obj_get(root, "whorl_probe")) != PROBE_VERSION ||
        !same_text(root, "device", d->info.name) || !same_text(root, "driver", d->info.driver) ||
        !same_text(root, "library", d->info.library))
        return false;
    struct numbers n;
    struct field fields[FIELDS];
    list_fields(&n, fields);
    for (int i = 0; i < FIELDS; i++) {
        yyjson_val *value = yyjson_obj_get(root, fields[i].name);
        if (!yyjson_is_num(value)) return false;
        *fields[i].value = yyjson_get_num(value);
        if (!(*fields[i].value >= 0 && *fields[i].value <= 1e18)) return false;
    }
    if (n.loop_cap > UINT32_MAX || (n.loop_cap > 0 && n.loop_cap < 256) || n.subgroup_size > 1024 ||
        n.subgroup_lanes > 32 || n.register_words > 65536)
        return false;
    *out = (struct run_probe){.loop_cap = (uint32_t)n.loop_cap,
                              .subgroup_size = (uint32_t)n.subgroup_size,
                              .subgroup_lanes = (uint32_t)n.subgroup_lanes,
                              .register_words = (uint32_t)n.register_words,
                              .dispatch_us = n.dispatch_us,
                              .submit_us = n.submit_us,
                              .wait_us = n.wait_us,
                              .read_gbps = n.read_gbps,
                              .copy_gbps = n.copy_gbps,
                              .ops_per_s = n.ops_per_s,
                              .latency_ns = n.latency_ns};
    return take_builtins(root, out) && take_grid(root, &n, out);
}

static bool add_builtins(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct run_probe *probe) {
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "builtins");
    bool ok = list != NULL;
    for (uint32_t i = 0; i < probe->builtin_count && ok; i++) {
        const struct whorl_builtin *b = &probe->builtins[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_arr(doc, list);
        ok = yyjson_mut_arr_add_str(doc, one, b->name) && yyjson_mut_arr_add_real(doc, one, b->worst_ulp) &&
             yyjson_mut_arr_add_uint(doc, one, b->wrong);
    }
    return ok;
}

static bool add_grid(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct run_probe *probe) {
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "grid_sizes");
    bool ok = list && yyjson_mut_obj_add_str(doc, root, "grid_note", probe->grid_note);
    for (uint32_t i = 0; i < probe->grid_size_count && ok; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_arr(doc, list);
        ok = yyjson_mut_arr_add_uint(doc, one, probe->grid_sizes[i].groups) &&
             yyjson_mut_arr_add_real(doc, one, probe->grid_sizes[i].barrier_ns);
    }
    return ok;
}

void run_probe_forget(const struct whorl_device *d) {
    char path[RUN_PATH_MAX + 64];
    if (run_cache_file(d, "probe", path, sizeof path)) unlink(path);
}

bool run_probe_load(const struct whorl_device *d, struct run_probe *out) {
    char path[RUN_PATH_MAX + 64], *text;
    size_t size;
    bool damaged = false;
    if (!run_cache_file(d, "probe", path, sizeof path)) return false;
    if (!base_sealed_read(path, MAX_BYTES, &text, &size, &damaged)) {
        if (damaged) run_warn_damaged(&d->warning, path);
        return false;
    }
    yyjson_alc memory = base_json_heap();
    yyjson_doc *doc = yyjson_read_opts(text, size, 0, &memory, NULL);
    bool ok = doc && take(d, yyjson_doc_get_root(doc), out);
    yyjson_doc_free(doc);
    base_heap_free(text);
    return ok;
}

void run_probe_store(const struct whorl_device *d, const struct run_probe *probe) {
    char path[RUN_PATH_MAX + 64];
    if (!run_cache_file(d, "probe", path, sizeof path)) return;
    yyjson_alc memory = base_json_heap();
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&memory);
    if (!doc) return;
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    struct numbers n = {.loop_cap = probe->loop_cap,
                        .subgroup_size = probe->subgroup_size,
                        .subgroup_lanes = probe->subgroup_lanes,
                        .register_words = probe->register_words,
                        .dispatch_us = probe->dispatch_us,
                        .submit_us = probe->submit_us,
                        .wait_us = probe->wait_us,
                        .read_gbps = probe->read_gbps,
                        .copy_gbps = probe->copy_gbps,
                        .ops_per_s = probe->ops_per_s,
                        .latency_ns = probe->latency_ns,
                        .grid_ok = probe->grid_ok,
                        .fences_needed = probe->fences_needed,
                        .grid_groups = probe->grid_groups,
                        .grid_groups_max = probe->grid_groups_max,
                        .grid_tested = probe->grid_tested,
                        .spins_per_ms = probe->spins_per_ms,
                        .barrier_ns = probe->barrier_ns,
                        .litmus_messages = (double)probe->litmus_messages,
                        .litmus_stale = (double)probe->litmus_stale,
                        .litmus_plain_stale = (double)probe->litmus_plain_stale,
                        .coherent_memory = probe->coherent_memory,
                        .coherent_stale = (double)probe->coherent_stale};
    struct field fields[FIELDS];
    list_fields(&n, fields);
    bool ok = yyjson_mut_obj_add_uint(doc, root, "whorl_probe", PROBE_VERSION) &&
              yyjson_mut_obj_add_str(doc, root, "device", d->info.name) &&
              yyjson_mut_obj_add_str(doc, root, "driver", d->info.driver) &&
              yyjson_mut_obj_add_str(doc, root, "library", d->info.library);
    for (int i = 0; i < FIELDS && ok; i++)
        ok = yyjson_mut_obj_add_real(doc, root, fields[i].name, *fields[i].value);
    ok = ok && add_builtins(doc, root, probe) && add_grid(doc, root, probe);
    size_t size = 0;
    char *text = ok ? yyjson_mut_write_opts(doc, YYJSON_WRITE_PRETTY, &memory, &size, NULL) : NULL;
    if (text) {
        (void)base_sealed_write(path, text, size, NULL); // a cache that cannot be written is measured again next time
        base_heap_free(text);
    }
    yyjson_mut_doc_free(doc);
}
