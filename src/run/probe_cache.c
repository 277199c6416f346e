// Probe results on disk, one JSON file a device: keyed by what may change them, written whole or not at all, ignored
// when damaged.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "run/probe.h"

enum { PROBE_VERSION = 3, MAX_BYTES = 64 << 10 };

struct field {
    const char *name;
    double *value;
};
enum { FIELDS = 8 };

// The file's numbers, as doubles while they travel.
struct numbers {
    double loop_cap, subgroup_size, register_words, dispatch_us, submit_us, wait_us, read_gbps, ops_per_s;
};
static void list_fields(struct numbers *n, struct field out[FIELDS]) {
    const struct field fields[FIELDS] = {
        {"loop_cap", &n->loop_cap},       {"subgroup_size", &n->subgroup_size},
        {"dispatch_us", &n->dispatch_us}, {"submit_us", &n->submit_us},
        {"wait_us", &n->wait_us},         {"read_gbps", &n->read_gbps},
        {"ops_per_s", &n->ops_per_s},     {"register_words", &n->register_words},
    };
    memcpy(out, fields, sizeof fields);
}

static bool file_name(const struct whorl_device *d, char *out, size_t size) {
    uint64_t hash = RUN_HASH_START;
    const char *keys[] = {d->info.name, d->info.driver, d->info.library, d->info.backend};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = run_hash(hash, keys[i], strlen(keys[i]) + 1);
    if (!d->cache_dir[0]) return false;
    snprintf(out, size, "%s/probe-%016llx.json", d->cache_dir, (unsigned long long)hash);
    return true;
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
        n.register_words > 65536)
        return false;
    *out = (struct run_probe){.loop_cap = (uint32_t)n.loop_cap,
                              .subgroup_size = (uint32_t)n.subgroup_size,
                              .register_words = (uint32_t)n.register_words,
                              .dispatch_us = n.dispatch_us,
                              .submit_us = n.submit_us,
                              .wait_us = n.wait_us,
                              .read_gbps = n.read_gbps,
                              .ops_per_s = n.ops_per_s};
    return take_builtins(root, out);
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

bool run_probe_load(const struct whorl_device *d, struct run_probe *out) {
    char path[RUN_PATH_MAX + 64], *text;
    size_t size;
    if (!file_name(d, path, sizeof path) || base_read_file(path, MAX_BYTES, &text, &size, NULL) != WHORL_OK)
        return false;
    yyjson_alc memory = base_json_heap();
    yyjson_doc *doc = yyjson_read_opts(text, size, 0, &memory, NULL);
    bool ok = doc && take(d, yyjson_doc_get_root(doc), out);
    yyjson_doc_free(doc);
    base_heap_free(text);
    return ok;
}

void run_probe_store(const struct whorl_device *d, const struct run_probe *probe) {
    char path[RUN_PATH_MAX + 64];
    if (!file_name(d, path, sizeof path)) return;
    yyjson_alc memory = base_json_heap();
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&memory);
    if (!doc) return;
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    struct numbers n = {probe->loop_cap,  probe->subgroup_size, probe->register_words, probe->dispatch_us,
                        probe->submit_us, probe->wait_us,       probe->read_gbps,      probe->ops_per_s};
    struct field fields[FIELDS];
    list_fields(&n, fields);
    bool ok = yyjson_mut_obj_add_uint(doc, root, "whorl_probe", PROBE_VERSION) &&
              yyjson_mut_obj_add_str(doc, root, "device", d->info.name) &&
              yyjson_mut_obj_add_str(doc, root, "driver", d->info.driver) &&
              yyjson_mut_obj_add_str(doc, root, "library", d->info.library);
    for (int i = 0; i < FIELDS && ok; i++)
        ok = yyjson_mut_obj_add_real(doc, root, fields[i].name, *fields[i].value);
    ok = ok && add_builtins(doc, root, probe);
    size_t size = 0;
    char *text = ok ? yyjson_mut_write_opts(doc, YYJSON_WRITE_PRETTY, &memory, &size, NULL) : NULL;
    if (text) {
        struct base_span span = {text, size};
        (void)base_write_file(path, &span, 1, NULL); // a cache that cannot be written is measured again next time
        base_heap_free(text);
    }
    yyjson_mut_doc_free(doc);
}
