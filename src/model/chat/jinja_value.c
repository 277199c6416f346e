// Values: making, comparing, asking. The rules are Python's, as far as templates can tell.
#include <math.h>
#include <string.h>

#include "model/chat/jinja.h"
#include "model/token/unicode.h"

struct jinja_value jinja_undefined(void) {
    return (struct jinja_value){.kind = JINJA_UNDEFINED};
}
struct jinja_value jinja_bool(bool truth) {
    return (struct jinja_value){.kind = JINJA_BOOL, .as.truth = truth};
}
struct jinja_value jinja_int(int64_t integer) {
    return (struct jinja_value){.kind = JINJA_INT, .as.integer = integer};
}
struct jinja_value jinja_real(double real) {
    return (struct jinja_value){.kind = JINJA_FLOAT, .as.real = real};
}

struct jinja_value jinja_text_of(const char *text, size_t size_bytes) {
    return (struct jinja_value){.kind = JINJA_TEXT, .size_bytes = (uint32_t)size_bytes, .as.text = text};
}

struct jinja_value jinja_text(const char *text) {
    return jinja_text_of(text, strlen(text));
}

struct jinja_value jinja_list_make(struct jinja *j) {
    return (struct jinja_value){.kind = JINJA_LIST, .as.list = base_alloc(&j->w->cx, sizeof(struct jinja_list))};
}

struct jinja_value jinja_dict_make(struct jinja *j, enum jinja_kind kind) {
    return (struct jinja_value){.kind = kind, .as.dict = base_alloc(&j->w->cx, sizeof(struct jinja_dict))};
}

void jinja_list_add(struct jinja *j, struct jinja_list *list, struct jinja_value value) {
    jinja_step(j, 1);
    BASE_RESERVE(&j->w->cx, list->items, list->count, list->cap);
    list->items[list->count++] = value;
}

static bool same_text(const struct jinja_value *a, const struct jinja_value *b) {
    return a->size_bytes == b->size_bytes && memcmp(a->as.text, b->as.text, a->size_bytes) == 0;
}

const struct jinja_value *jinja_dict_find(const struct jinja_dict *dict, const struct jinja_value *key) {
    for (uint32_t i = 0; i < dict->count; i++) {
        const struct jinja_value *own = &dict->keys[i];
        bool texts = own->kind == JINJA_TEXT && key->kind == JINJA_TEXT;
        if (texts ? same_text(own, key)
                  : jinja_is_number(own) && jinja_is_number(key) && jinja_number(own) == jinja_number(key))
            return &dict->values[i];
    }
    return NULL;
}

static void add_entry(struct jinja *j, struct jinja_dict *dict, struct jinja_value key, struct jinja_value value) {
    BASE_RESERVE(&j->w->cx, dict->keys, dict->count, dict->cap);
    if (dict->value_cap < dict->cap) {
        struct jinja_value *values = base_alloc_array(&j->w->cx, dict->cap, sizeof *values);
        if (dict->count) memcpy(values, dict->values, dict->count * sizeof *values);
        dict->values = values;
        dict->value_cap = dict->cap;
    }
    dict->keys[dict->count] = key;
    dict->values[dict->count++] = value;
}

void jinja_dict_set(struct jinja *j, struct jinja_dict *dict, struct jinja_value key, struct jinja_value value) {
    jinja_step(j, 1 + dict->count / 4);
    struct jinja_value *old = (struct jinja_value *)(uintptr_t)jinja_dict_find(dict, &key);
    if (old)
        *old = value;
    else
        add_entry(j, dict, key, value);
}

// No key of an object stands there twice: json_checked has seen to that.
struct jinja_value jinja_of_json(struct jinja *j, yyjson_val *value) {
    struct jinja_value out = {.kind = JINJA_NONE};
    if (yyjson_is_bool(value)) return jinja_bool(yyjson_get_bool(value));
    if (yyjson_is_str(value)) return jinja_text_of(yyjson_get_str(value), yyjson_get_len(value));
    if (yyjson_is_real(value)) return jinja_real(yyjson_get_real(value));
    if (yyjson_is_uint(value) && yyjson_get_uint(value) > INT64_MAX) return jinja_real((double)yyjson_get_uint(value));
    if (yyjson_is_int(value)) return jinja_int(yyjson_get_sint(value));
    if (yyjson_is_arr(value)) {
        yyjson_arr_iter iter = yyjson_arr_iter_with(value);
        out = jinja_list_make(j);
        for (yyjson_val *item; (item = yyjson_arr_iter_next(&iter));)
            jinja_list_add(j, out.as.list, jinja_of_json(j, item));
    } else if (yyjson_is_obj(value)) {
        yyjson_obj_iter iter = yyjson_obj_iter_with(value);
        out = jinja_dict_make(j, JINJA_DICT);
        for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter));) {
            struct jinja_value name = jinja_text_of(yyjson_get_str(key), yyjson_get_len(key));
            add_entry(j, out.as.dict, name, jinja_of_json(j, yyjson_obj_iter_get_val(key)));
        }
    }
    return out;
}

// ---- asking ----

bool jinja_is_number(const struct jinja_value *v) {
    return v->kind == JINJA_INT || v->kind == JINJA_FLOAT || v->kind == JINJA_BOOL;
}

double jinja_number(const struct jinja_value *v) {
    return v->kind == JINJA_FLOAT ? v->as.real : v->kind == JINJA_BOOL ? v->as.truth : (double)v->as.integer;
}

bool jinja_truth(const struct jinja_value *v) {
    switch (v->kind) {
    case JINJA_UNDEFINED:
    case JINJA_NONE: return false;
    case JINJA_BOOL: return v->as.truth;
    case JINJA_INT: return v->as.integer != 0;
    case JINJA_FLOAT: return v->as.real != 0;
    case JINJA_TEXT: return v->size_bytes != 0;
    case JINJA_LIST: return v->as.list->count != 0;
    case JINJA_DICT: return v->as.dict->count != 0;
    default: return true;
    }
}

const char *jinja_kind_name(const struct jinja_value *v) {
    static const char *const names[] = {"undefined", "none",      "a boolean",   "an integer", "a float",  "a string",
                                        "a list",    "a mapping", "a namespace", "a function", "a method", "a macro"};
    return names[v->kind];
}

static bool equal_lists(struct jinja *j, const struct jinja_list *a, const struct jinja_list *b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!jinja_equal(j, &a->items[i], &b->items[i])) return false;
    return true;
}

static bool equal_dicts(struct jinja *j, const struct jinja_dict *a, const struct jinja_dict *b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        jinja_step(j, b->count);
        const struct jinja_value *other = jinja_dict_find(b, &a->keys[i]);
        if (!other || !jinja_equal(j, &a->values[i], other)) return false;
    }
    return true;
}

bool jinja_equal(struct jinja *j, const struct jinja_value *a, const struct jinja_value *b) {
    jinja_step(j, 1);
    if (jinja_is_number(a) && jinja_is_number(b)) {
        if (a->kind == JINJA_INT && b->kind == JINJA_INT) return a->as.integer == b->as.integer;
        return jinja_number(a) == jinja_number(b);
    }
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case JINJA_TEXT: jinja_step(j, a->size_bytes / 64); return same_text(a, b);
    case JINJA_LIST: return equal_lists(j, a->as.list, b->as.list);
    case JINJA_DICT: return equal_dicts(j, a->as.dict, b->as.dict);
    case JINJA_NAMESPACE: return a->as.dict == b->as.dict;
    default: return a->kind == JINJA_UNDEFINED || a->kind == JINJA_NONE;
    }
}

int jinja_compare(struct jinja *j, const struct jinja_value *a, const struct jinja_value *b) {
    if (jinja_is_number(a) && jinja_is_number(b)) {
        double x = jinja_number(a), y = jinja_number(b);
        return x < y ? -1 : x > y;
    }
    if (a->kind != JINJA_TEXT || b->kind != JINJA_TEXT)
        jinja_fail(j, "%s and %s have no order", jinja_kind_name(a), jinja_kind_name(b));
    uint32_t shorter = a->size_bytes < b->size_bytes ? a->size_bytes : b->size_bytes;
    int order = memcmp(a->as.text, b->as.text, shorter); // of UTF-8, the order of characters
    return order ? order : a->size_bytes < b->size_bytes ? -1 : a->size_bytes > b->size_bytes;
}

static bool text_contains(struct jinja *j, const struct jinja_value *whole, const struct jinja_value *part) {
    jinja_step(j, whole->size_bytes / 16);
    if (part->size_bytes == 0) return true;
    return unicode_find(whole->as.text, whole->size_bytes, part->as.text, part->size_bytes) != NULL;
}

bool jinja_contains(struct jinja *j, const struct jinja_value *whole, const struct jinja_value *part) {
    switch (whole->kind) {
    case JINJA_UNDEFINED: return false;
    case JINJA_TEXT:
        if (part->kind != JINJA_TEXT) jinja_fail(j, "%s is looked for in a string", jinja_kind_name(part));
        return text_contains(j, whole, part);
    case JINJA_LIST:
        for (uint32_t i = 0; i < whole->as.list->count; i++)
            if (jinja_equal(j, &whole->as.list->items[i], part)) return true;
        return false;
    case JINJA_DICT:
    case JINJA_NAMESPACE:
        jinja_step(j, whole->as.dict->count / 4);
        return jinja_dict_find(whole->as.dict, part) != NULL;
    default: jinja_fail(j, "%s contains nothing", jinja_kind_name(whole));
    }
}

size_t jinja_length(struct jinja *j, const struct jinja_value *v) {
    size_t count = 0;
    switch (v->kind) {
    case JINJA_UNDEFINED: return 0;
    case JINJA_TEXT:
        jinja_step(j, v->size_bytes / 16);
        for (size_t at = 0; at < v->size_bytes; count++)
            (void)unicode_next(v->as.text, &at);
        return count;
    case JINJA_LIST: return v->as.list->count;
    case JINJA_DICT: return v->as.dict->count;
    default: jinja_fail(j, "%s has no length", jinja_kind_name(v));
    }
}

struct jinja_list *jinja_items(struct jinja *j, const struct jinja_value *v) {
    if (v->kind == JINJA_LIST) return v->as.list;
    struct jinja_value out = jinja_list_make(j);
    if (v->kind == JINJA_TEXT) {
        for (size_t at = 0, begin = 0; at < v->size_bytes; begin = at) {
            (void)unicode_next(v->as.text, &at);
            jinja_list_add(j, out.as.list, jinja_text_of(v->as.text + begin, at - begin));
        }
    } else if (v->kind == JINJA_DICT) {
        for (uint32_t i = 0; i < v->as.dict->count; i++)
            jinja_list_add(j, out.as.list, v->as.dict->keys[i]);
    } else if (v->kind != JINJA_UNDEFINED) {
        jinja_fail(j, "%s cannot be looped over", jinja_kind_name(v));
    }
    return out.as.list;
}
