// The header of a safetensors file. It is believed only where it leaves no freedom: every byte after it belongs to
// exactly one tensor, whose size follows from its shape and type in checked arithmetic.
#include "model/file/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "model/file/json_checked.h"

enum { MAX_TENSORS = 1 << 16 };

static uint64_t u64_at(const unsigned char *p) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

static void read_shape(struct model_work *w, yyjson_val *shape, struct model_tensor *t) {
    if (!yyjson_is_arr(shape)) model_invalid(w, "\"%.200s\" has no list \"shape\"", t->name);
    if (yyjson_arr_size(shape) > MODEL_MAX_DIMS)
        model_refuse(w, WHORL_UNSUPPORTED, "\"%.200s\" has more than %d dimensions", t->name, MODEL_MAX_DIMS);
    yyjson_arr_iter iter = yyjson_arr_iter_with(shape);
    for (yyjson_val *dim; (dim = yyjson_arr_iter_next(&iter));) {
        if (!yyjson_is_uint(dim)) model_invalid(w, "\"%.200s\" has a dimension that is no whole number", t->name);
        t->dims[t->ndims++] = yyjson_get_uint(dim);
    }
}

static void read_tensor(struct model_work *w, yyjson_val *value, const struct model_map *body, struct model_tensor *t) {
    if (!yyjson_is_obj(value) || yyjson_obj_size(value) != 3)
        model_invalid(w, "\"%.200s\" is not an object of dtype, shape and data_offsets", t->name);
    yyjson_val *dtype = yyjson_obj_get(value, "dtype"), *offsets = yyjson_obj_get(value, "data_offsets");
    if (!yyjson_is_str(dtype)) model_invalid(w, "\"%.200s\" has no text \"dtype\"", t->name);
    t->type = model_element_of_safetensors(yyjson_get_str(dtype));
    if (t->type == MODEL_ELEMENTS)
        model_refuse(w, WHORL_UNSUPPORTED, "\"%.200s\" has the dtype \"%.40s\", which whorl does not know", t->name,
                     yyjson_get_str(dtype));
    read_shape(w, yyjson_obj_get(value, "shape"), t);
    const char *wrong = model_tensor_measure(t);
    if (wrong) model_invalid(w, "\"%.200s\": %s", t->name, wrong);
    yyjson_val *begin = yyjson_arr_get(offsets, 0), *end = yyjson_arr_get(offsets, 1);
    if (yyjson_arr_size(offsets) != 2 || !yyjson_is_uint(begin) || !yyjson_is_uint(end))
        model_invalid(w, "\"%.200s\" has no two numbers \"data_offsets\"", t->name);
    uint64_t from = yyjson_get_uint(begin), to = yyjson_get_uint(end);
    if (from > to || to > body->size_bytes)
        model_invalid(w, "\"%.200s\" ends at byte %llu of %llu: the file was cut, or its header is wrong", t->name,
                      (unsigned long long)to, (unsigned long long)body->size_bytes);
    if (to - from != t->size_bytes)
        model_invalid(w, "\"%.200s\" has %llu bytes; its shape and type need %llu", t->name,
                      (unsigned long long)(to - from), (unsigned long long)t->size_bytes);
    t->data = body->data + from;
}

static void read_metadata(struct model_work *w, yyjson_val *metadata) {
    yyjson_obj_iter iter = yyjson_obj_iter_with(metadata);
    if (!yyjson_is_obj(metadata)) model_invalid(w, "\"__metadata__\" is not an object");
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));)
        if (!yyjson_is_str(yyjson_obj_iter_get_val(key))) model_invalid(w, "\"__metadata__\" holds more than texts");
}

static int compare_places(const void *a, const void *b) {
    const struct model_tensor *x = a, *y = b;
    if (x->data != y->data) return x->data < y->data ? -1 : 1;
    return x->size_bytes < y->size_bytes ? -1 : x->size_bytes > y->size_bytes; // empty ones first
}

static void check_cover(struct model_work *w, const struct model_tensors *tensors, const struct model_map *body) {
    const unsigned char *end = body->data;
    for (uint32_t i = 0; i < tensors->count; i++) {
        const struct model_tensor *t = &tensors->items[i];
        if (t->data != end)
            model_invalid(w, "\"%.200s\" %s", t->name,
                          t->data < end ? "shares bytes with another tensor" : "begins behind bytes of no tensor");
        end = t->data + t->size_bytes;
    }
    size_t left = body->size_bytes - (size_t)(end - body->data);
    if (left) model_invalid(w, "it ends with %zu bytes that belong to no tensor", left);
}

void safetensors_read(struct model_work *w, const struct model_map *map, struct model_tensors *out) {
    uint64_t header = map->there_bytes >= 8 ? u64_at(map->data) : 0;
    if (map->there_bytes < 8) model_invalid(w, "it is too short for a safetensors file");
    if (header > map->size_bytes - 8)
        model_invalid(w, "it is no safetensors file, or was cut: its header would have %llu bytes",
                      (unsigned long long)header);
    if (header > SAFETENSORS_HEADER_BYTES)
        model_refuse(w, WHORL_LIMIT, "its header has more than %d MiB", SAFETENSORS_HEADER_BYTES >> 20);
    if (header > map->there_bytes - 8) model_refuse(w, WHORL_IO, "%s", model_more_needed);
    const char *text = (const char *)map->data + 8;
    if (header < 2 || text[0] != '{') model_invalid(w, "it is no safetensors file: its header is no JSON object");
    yyjson_val *root = model_json_parse(w, text, (size_t)header);
    if (yyjson_obj_size(root) > MAX_TENSORS) model_refuse(w, WHORL_LIMIT, "it holds more than %d tensors", MAX_TENSORS);
    const struct model_map body = {map->data + 8 + header, map->size_bytes - 8 - (size_t)header, 0};
    *out = (struct model_tensors){base_alloc_array(&w->cx, yyjson_obj_size(root), sizeof *out->items), 0};
    yyjson_obj_iter iter = yyjson_obj_iter_with(root);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        if (yyjson_equals_str(key, "__metadata__")) {
            read_metadata(w, value);
            continue;
        }
        struct model_tensor *t = &out->items[out->count++];
        t->name = model_json_text(w, key, "a tensor's name");
        read_tensor(w, value, &body, t);
    }
    model_json_drop(w);
    if (out->count) qsort(out->items, out->count, sizeof *out->items, compare_places);
    check_cover(w, out, &body);
}
