// Reads what `whorl probe --json` wrote of a device. See probe_file.h.
#include "probe_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"

enum { MOST_BYTES = 1 << 20 };

struct limit {
    const char *name;
    uint64_t least, most; // 0, which stands for what every device has, is right beside these
};

// What whorl_device_info.target of a GPU can be.
static bool take_number(yyjson_val *target, struct limit limit, uint64_t *out) {
    yyjson_val *value = yyjson_obj_get(target, limit.name);
    if (!yyjson_is_uint(value)) return false;
    *out = yyjson_get_uint(value);
    return *out == 0 || (*out >= limit.least && *out <= limit.most);
}

static const char *take_target(yyjson_val *target, struct whorl_target *out) {
    static const struct limit limits[] = {{"register_words", 1, 65536},       {"busy_invocations", 1, 1 << 28},
                                          {"subgroup_lanes", 1, 32},          {"workgroup_bytes", 16384, 1 << 24},
                                          {"storage_buffers", 8, UINT32_MAX}, {"binding_bytes", 1 << 27, UINT64_MAX}};
    enum { LIMITS = sizeof limits / sizeof *limits };
    uint64_t values[LIMITS];
    for (int i = 0; i < LIMITS; i++)
        if (!take_number(target, limits[i], &values[i])) return limits[i].name;
    if (!yyjson_is_bool(yyjson_obj_get(target, "coherent_memory"))) return "coherent_memory";
    yyjson_val *atomics = yyjson_obj_get(target, "float_atomics"); // older files do not have it: false
    if (atomics && !yyjson_is_bool(atomics)) return "float_atomics";
    *out = (struct whorl_target){.register_words = (uint32_t)values[0],
                                 .busy_invocations = (uint32_t)values[1],
                                 .subgroup_lanes = (uint32_t)values[2],
                                 .workgroup_bytes = (uint32_t)values[3],
                                 .storage_buffers = (uint32_t)values[4],
                                 .binding_bytes = values[5],
                                 .coherent_memory = yyjson_get_bool(yyjson_obj_get(target, "coherent_memory")),
                                 .float_atomics = yyjson_get_bool(atomics)};
    return NULL;
}

static enum whorl_status take(const char *path, yyjson_val *root, struct whorl_device_info *out,
                              struct whorl_error *err) {
    yyjson_val *device = yyjson_obj_get(root, "device"), *target = yyjson_obj_get(device, "target");
    const char *name = yyjson_get_str(yyjson_obj_get(device, "name"));
    yyjson_val *software = yyjson_obj_get(device, "is_software");
    if (!name || !yyjson_is_bool(software) || !yyjson_is_obj(target))
        return base_set_error(err, WHORL_INVALID, "data",
                              "%s is no device that `whorl probe --json FILE` described: it has no \"device\" with "
                              "\"name\", \"is_software\" and \"target\"",
                              path);
    const char *wrong = take_target(target, &out->target);
    if (wrong)
        return base_set_error(err, WHORL_INVALID, "data", "%s: \"%s\" of the device's target is missing or wrong", path,
                              wrong);
    snprintf(out->name, sizeof out->name, "%s", name);
    const char *backend = yyjson_get_str(yyjson_obj_get(device, "backend"));
    snprintf(out->backend, sizeof out->backend, "%s", backend ? backend : "gpu");
    out->is_software = yyjson_get_bool(software);
    return WHORL_OK;
}

enum whorl_status probe_file_read(const char *path, struct whorl_device_info **out, struct whorl_error *err) {
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    enum whorl_status status = base_read_file(path, MOST_BYTES, &text, &size, err);
    if (status != WHORL_OK) return status;
    yyjson_alc memory = base_json_heap();
    yyjson_doc *doc = yyjson_read_opts(text, size, 0, &memory, NULL);
    struct whorl_device_info *info = calloc(1, sizeof *info);
    if (!info)
        status = base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    else if (!doc)
        status = base_set_error(err, WHORL_INVALID, "data", "%s is no JSON", path);
    else
        status = take(path, yyjson_doc_get_root(doc), info, err);
    yyjson_doc_free(doc);
    base_heap_free(text);
    if (status == WHORL_OK)
        *out = info;
    else
        free(info);
    return status;
}
