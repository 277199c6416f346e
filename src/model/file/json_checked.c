// The scan before the parser, duplicate keys, and typed values.
#include "model/file/json_checked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { VALUES_MAX = 2000000 }; // 16 bytes each

// Counts what will become values, and how deep they stand. Text that is no JSON is the parser's to refuse.
static void scan(struct model_work *w, const char *text, size_t size_bytes) {
    size_t values = 1, depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < size_bytes; i++) {
        char c = text[i];
        if (in_string) {
            if (c == '\\') i++;
            if (c == '"') in_string = false;
            continue;
        }
        switch (c) {
        case '"': in_string = true; break;
        case '[':
        case '{':
            values++;
            if (++depth > MODEL_JSON_DEPTH)
                model_refuse(w, WHORL_LIMIT, "its JSON is nested more than %d deep", MODEL_JSON_DEPTH);
            break;
        case ']':
        case '}': depth -= depth > 0; break;
        case ',':
        case ':': values++; break;
        default: break;
        }
    }
    if (values > VALUES_MAX) model_refuse(w, WHORL_LIMIT, "its JSON holds more than %d values", VALUES_MAX);
}

static int compare_keys(const void *a, const void *b) {
    yyjson_val *const *x = a, *const *y = b;
    size_t xs = yyjson_get_len(*x), ys = yyjson_get_len(*y);
    if (xs != ys) return xs < ys ? -1 : 1;
    return memcmp(yyjson_get_str(*x), yyjson_get_str(*y), xs);
}

// keys: room for every key of the largest object
static void check_object(struct model_work *w, yyjson_val *object, yyjson_val **keys) {
    yyjson_obj_iter iter = yyjson_obj_iter_with(object);
    size_t count = 0;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));)
        keys[count++] = key;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (compare_keys(&keys[i - 1], &keys[i]) == 0)
            model_invalid(w, "its JSON has the key \"%.60s\" twice in one object", yyjson_get_str(keys[i]));
}

// The parser lays all values of a document side by side, the root first.
static void check_keys(struct model_work *w) {
    yyjson_val *root = yyjson_doc_get_root(w->doc);
    size_t count = yyjson_doc_get_val_count(w->doc), most = 0;
    for (size_t i = 0; i < count; i++)
        if (yyjson_is_obj(root + i) && yyjson_obj_size(root + i) > most) most = yyjson_obj_size(root + i);
    struct base_scratch scratch = base_scratch_begin(&w->cx);
    yyjson_val **keys = base_alloc_array(&w->cx, most + 1, sizeof *keys);
    for (size_t i = 0; i < count; i++)
        if (yyjson_is_obj(root + i)) check_object(w, root + i, keys);
    base_scratch_end(&w->cx, &scratch);
}

static yyjson_val *parse(struct model_work *w, char *text, size_t size_bytes, yyjson_read_flag flags) {
    scan(w, text, size_bytes);
    yyjson_alc heap = base_json_heap();
    yyjson_read_err why;
    model_json_drop(w);
    w->doc = yyjson_read_opts(text, size_bytes, flags, &heap, &why);
    if (!w->doc && why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION) model_refuse(w, WHORL_MEMORY, "out of memory");
    if (!w->doc) model_invalid(w, "its JSON is wrong at byte %zu: %s", why.pos, why.msg);
    check_keys(w);
    return yyjson_doc_get_root(w->doc);
}

yyjson_val *model_json_parse(struct model_work *w, const char *text, size_t size_bytes) {
    return parse(w, (char *)(uintptr_t)text, size_bytes, YYJSON_READ_NOFLAG);
}

yyjson_val *model_json_parse_own(struct model_work *w, char *text, size_t size_bytes) {
    memset(text + size_bytes, 0, YYJSON_PADDING_SIZE);
    return parse(w, text, size_bytes, YYJSON_READ_INSITU);
}

// The whole file is read, not mapped: the parser works in its text, so that there is one copy.
yyjson_val *model_json_read(struct model_work *w, const char *path, bool *out_missing) {
    struct stat info;
    if (out_missing) *out_missing = false;
    if (stat(path, &info) != 0) {
        if (out_missing && (errno == ENOENT || errno == ENOTDIR)) {
            *out_missing = true;
            return NULL;
        }
        model_refuse(w, WHORL_IO, "cannot be read: %s", strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) model_refuse(w, WHORL_IO, "cannot be read: it is no regular file");
    if (info.st_size > MODEL_JSON_BYTES)
        model_refuse(w, WHORL_LIMIT, "it has more than %d MiB; no tokenizer or configuration is that large",
                     MODEL_JSON_BYTES >> 20);
    size_t size = (size_t)info.st_size;
    char *text = base_alloc(&w->cx, size + YYJSON_PADDING_SIZE);
    if (model_text_read(w, path, text, size) != size)
        model_refuse(w, WHORL_IO, "cannot be read: it was cut while it was read");
    return model_json_parse_own(w, text, size);
}

void model_json_drop(struct model_work *w) {
    if (w->doc) yyjson_doc_free(w->doc);
    w->doc = NULL;
}

// ---- typed values ----

yyjson_val *model_json_get(yyjson_val *object, const char *key) {
    yyjson_val *value = yyjson_obj_get(object, key);
    return yyjson_is_null(value) ? NULL : value;
}

const char *model_json_text(struct model_work *w, yyjson_val *value, const char *what) {
    if (!yyjson_is_str(value)) model_invalid(w, "%s is not a string", what);
    const char *text = yyjson_get_str(value);
    size_t size = yyjson_get_len(value);
    if (memchr(text, 0, size)) model_invalid(w, "%s contains a NUL", what);
    return base_strndup(&w->cx, text, size);
}

uint64_t model_json_uint(struct model_work *w, yyjson_val *object, const char *key, uint64_t max, uint64_t otherwise) {
    yyjson_val *value = model_json_get(object, key);
    if (!value) return otherwise;
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > max)
        model_invalid(w, "\"%s\" is not an integer from 0 to %llu", key, (unsigned long long)max);
    return yyjson_get_uint(value);
}

double model_json_real(struct model_work *w, yyjson_val *object, const char *key, double otherwise) {
    yyjson_val *value = model_json_get(object, key);
    if (!value) return otherwise;
    if (!yyjson_is_num(value)) model_invalid(w, "\"%s\" is not a number", key);
    return yyjson_get_num(value);
}

bool model_json_bool(struct model_work *w, yyjson_val *object, const char *key, bool otherwise) {
    yyjson_val *value = model_json_get(object, key);
    if (!value) return otherwise;
    if (!yyjson_is_bool(value)) model_invalid(w, "\"%s\" is neither true nor false", key);
    return yyjson_get_bool(value);
}
