// Reading GGUF: a cursor that never passes the end. Counts come from the file, so each is first held against the bytes
// that are left: as many entries as it promises must fit in there before memory is taken for them.
#include "model/file/gguf.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_NAME_BYTES = 1024,
    MAX_ENTRIES = 1 << 16, // metadata, tensors
    MIN_VALUE_BYTES = 8 + 1 + 4 + 1,
    MIN_TENSOR_BYTES = 8 + 1 + 4 + 8 + 4 + 8,
    MAX_ALIGNMENT = 1 << 16,
    MAX_GGUF_DIMS = 4
};

struct cursor {
    struct model_work *w;
    const unsigned char *at;
    const struct model_map *map;
};

// Bytes of the file that come behind the cursor.
static uint64_t left(const struct cursor *c) { return c->map->size_bytes - (size_t)(c->at - c->map->data); }

static const unsigned char *take(struct cursor *c, uint64_t size_bytes, const char *what) {
    if (size_bytes > left(c))
        model_invalid(c->w, "it ends inside of %s: the file was cut, or a length in it is wrong", what);
    if (size_bytes > c->map->there_bytes - (size_t)(c->at - c->map->data))
        model_refuse(c->w, WHORL_IO, "%s", model_more_needed);
    const unsigned char *data = c->at;
    c->at += size_bytes;
    return data;
}

uint32_t gguf_u32_at(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t u64_at(const unsigned char *at) { return gguf_u32_at(at) | (uint64_t)gguf_u32_at(at + 4) << 32; }

float gguf_f32_at(const unsigned char *at) { return base_bits_float(gguf_u32_at(at)); }

static uint32_t take_u32(struct cursor *c, const char *what) { return gguf_u32_at(take(c, 4, what)); }
static uint64_t take_u64(struct cursor *c, const char *what) { return u64_at(take(c, 8, what)); }

static const char *take_name(struct cursor *c, const char *what) {
    uint64_t size = take_u64(c, what);
    const unsigned char *text = take(c, size, what);
    if (size == 0 || size > MAX_NAME_BYTES || memchr(text, 0, (size_t)size))
        model_invalid(c->w, "%s is empty, longer than %d bytes or contains a NUL", what, MAX_NAME_BYTES);
    return base_strndup(&c->w->cx, (const char *)text, (size_t)size);
}

// ---- metadata ----

static uint64_t size_of(enum gguf_type type) { // 0: it depends
    static const uint8_t sizes[GGUF_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return sizes[type];
}

static enum gguf_type take_type(struct cursor *c, const char *key) {
    uint32_t type = take_u32(c, "metadata");
    if (type >= GGUF_TYPES) model_invalid(c->w, "\"%.200s\" has the unknown type %u", key, type);
    return (enum gguf_type)type;
}

static void take_value(struct cursor *c, struct gguf_value *v) {
    v->key = take_name(c, "a key of the metadata");
    v->type = take_type(c, v->key);
    v->count = 1;
    if (v->type == GGUF_ARRAY) {
        v->is_array = true;
        v->type = take_type(c, v->key);
        v->count = take_u64(c, "metadata");
        if (v->type == GGUF_ARRAY) model_refuse(c->w, WHORL_UNSUPPORTED, "\"%.200s\" is an array of arrays", v->key);
    }
    uint64_t each = size_of(v->type);
    if (v->count > left(c) / (each ? each : 8))
        model_invalid(c->w, "\"%.200s\" says that it has %llu elements, more than the file has bytes for", v->key,
                      (unsigned long long)v->count);
    v->data = c->at;
    if (each) take(c, v->count * each, "metadata");
    for (uint64_t i = 0; !each && i < v->count; i++)
        take(c, take_u64(c, "a text of the metadata"), "a text of the metadata");
    for (uint64_t i = 0; v->type == GGUF_BOOL && i < v->count; i++)
        if (v->data[i] > 1) model_invalid(c->w, "\"%.200s\" has a bool that is neither 0 nor 1", v->key);
}

static int compare_values(const void *a, const void *b) {
    const struct gguf_value *x = a, *y = b;
    return strcmp(x->key, y->key);
}

static void take_metadata(struct cursor *c, uint64_t count, struct gguf *out) {
    if (count > MAX_ENTRIES || count > left(c) / MIN_VALUE_BYTES)
        model_invalid(c->w, "it says that it has %llu entries of metadata, more than the file has room for",
                      (unsigned long long)count);
    out->values = base_alloc_array(&c->w->cx, (size_t)count, sizeof *out->values);
    for (; out->value_count < count; out->value_count++)
        take_value(c, &out->values[out->value_count]);
    if (count) qsort(out->values, (size_t)count, sizeof *out->values, compare_values);
    for (uint32_t i = 1; i < out->value_count; i++)
        if (compare_values(&out->values[i - 1], &out->values[i]) == 0)
            model_invalid(c->w, "the key \"%.200s\" is there twice", out->values[i].key);
}

// ---- tensors ----

// Returns its offset; data is set once it is known where the tensors' bytes begin.
static uint64_t take_tensor(struct cursor *c, struct model_tensor *t) {
    t->name = take_name(c, "a tensor's name");
    t->ndims = take_u32(c, "the list of tensors");
    if (t->ndims > MAX_GGUF_DIMS) model_invalid(c->w, "\"%.200s\" has %u dimensions", t->name, t->ndims);
    for (uint32_t d = 0; d < t->ndims; d++) {
        uint64_t dim = take_u64(c, "the list of tensors");
        if (dim == 0) model_invalid(c->w, "\"%.200s\" has a dimension of 0", t->name);
        t->dims[t->ndims - 1 - d] = dim;
    }
    uint32_t code = take_u32(c, "the list of tensors");
    t->type = model_element_of_gguf(code);
    if (t->type == MODEL_ELEMENTS)
        model_refuse(c->w, WHORL_UNSUPPORTED,
                     "\"%.200s\" has the type %u of ggml, which whorl does not read; convert "
                     "the model to f16, q8_0, q4_0 or q4_k_m",
                     t->name, code);
    const char *wrong = model_tensor_measure(t);
    if (wrong) model_invalid(c->w, "\"%.200s\": %s", t->name, wrong);
    return take_u64(c, "the list of tensors");
}

static int compare_places(const void *a, const void *b) {
    const struct model_tensor *x = a, *y = b;
    return x->data < y->data ? -1 : x->data > y->data;
}

// Each tensor begins where the one before it ends, rounded up.
static void check_places(struct cursor *c, struct model_tensors *tensors, const unsigned char *origin, uint64_t align) {
    qsort(tensors->items, tensors->count, sizeof *tensors->items, compare_places);
    uint64_t expected = 0;
    for (uint32_t i = 0; i < tensors->count; i++) {
        const struct model_tensor *t = &tensors->items[i];
        uint64_t at = (uint64_t)(t->data - origin);
        if (at != expected)
            model_invalid(c->w, "\"%.200s\" %s", t->name,
                          at < expected ? "shares bytes with another tensor" : "begins behind bytes of no tensor");
        expected = at + (t->size_bytes + align - 1) / align * align;
    }
    if (left(c) > expected) model_invalid(c->w, "it ends with bytes that belong to no tensor");
}

static void take_tensors(struct cursor *c, const struct model_map *map, uint64_t count, uint64_t align,
                         struct model_tensors *out) {
    if (count > MAX_ENTRIES || count > left(c) / MIN_TENSOR_BYTES)
        model_invalid(c->w, "it says that it has %llu tensors, more than the file has room for",
                      (unsigned long long)count);
    *out = (struct model_tensors){base_alloc_array(&c->w->cx, (size_t)count, sizeof *out->items), 0};
    uint64_t *offsets = base_alloc_array(&c->w->cx, (size_t)count, sizeof *offsets);
    for (; out->count < count; out->count++)
        offsets[out->count] = take_tensor(c, &out->items[out->count]);
    if (count == 0) return; // then nothing need follow
    uint64_t header = (uint64_t)(c->at - map->data), pad = (align - header % align) % align;
    const unsigned char *origin = take(c, pad, "the list of tensors") + pad;
    uint64_t room = left(c);
    for (uint32_t i = 0; i < out->count; i++) {
        struct model_tensor *t = &out->items[i];
        if (offsets[i] % align)
            model_invalid(c->w, "\"%.200s\" is not aligned to %llu bytes", t->name, (unsigned long long)align);
        if (offsets[i] > room || t->size_bytes > room - offsets[i])
            model_invalid(c->w, "\"%.200s\" ends behind the end of the file: it was cut, or an offset is wrong",
                          t->name);
        t->data = origin + offsets[i];
    }
    check_places(c, out, origin, align);
}

void gguf_read(struct model_work *w, const struct model_map *map, struct gguf *out, struct model_tensors *out_tensors) {
    struct cursor c = {w, map->data, map};
    if (memcmp(take(&c, 4, "its first four bytes"), "GGUF", 4) != 0) model_invalid(w, "it is no GGUF file");
    uint32_t version = take_u32(&c, "the version");
    if (version != 2 && version != 3)
        model_refuse(w, WHORL_UNSUPPORTED,
                     version & 0xffff || !version
                         ? "it is GGUF version %u; whorl reads 2 and 3: convert the model again"
                         : "it is a big-endian GGUF file (%u); whorl reads little-endian ones",
                     version);
    uint64_t tensors = take_u64(&c, "the number of tensors"), values = take_u64(&c, "the number of metadata");
    *out = (struct gguf){.version = version};
    take_metadata(&c, values, out);
    uint64_t align = gguf_uint(w, out, "general.alignment", MAX_ALIGNMENT, 32);
    if (align < 8 || (align & (align - 1)))
        model_invalid(w, "\"general.alignment\" is %llu; a power of two from 8 on is expected",
                      (unsigned long long)align);
    if (gguf_uint(w, out, "split.count", UINT16_MAX, 1) > 1)
        model_refuse(w, WHORL_UNSUPPORTED, "it is one part of several; join them first (llama-gguf-split --merge)");
    take_tensors(&c, map, tensors, align, out_tensors);
    model_tensors_sort(w, out_tensors);
}

// ---- values ----

const struct gguf_value *gguf_find(const struct gguf *g, const char *key) {
    struct gguf_value wanted = {.key = key};
    if (!g->value_count) return NULL;
    return bsearch(&wanted, g->values, g->value_count, sizeof wanted, compare_values);
}

// A scalar as a number; false for texts and arrays. Unsigned numbers above 2^53 lose bits: none of a model is so large.
static bool number_of(const struct gguf_value *v, double *out) {
    const unsigned char *p = v->data;
    uint64_t bits = 0;
    double real;
    if (v->is_array || !size_of(v->type)) return false;
    for (uint64_t i = size_of(v->type); i > 0; i--)
        bits = bits << 8 | p[i - 1];
    switch (v->type) {
    case GGUF_I8: *out = (int8_t)bits; break;
    case GGUF_I16: *out = (int16_t)bits; break;
    case GGUF_I32: *out = (int32_t)bits; break;
    case GGUF_I64: *out = (double)(int64_t)bits; break;
    case GGUF_F32: *out = (double)base_bits_float((uint32_t)bits); break;
    case GGUF_F64:
        memcpy(&real, &bits, sizeof real);
        *out = real;
        break;
    default: *out = (double)bits;
    }
    return true;
}

uint64_t gguf_uint(struct model_work *w, const struct gguf *g, const char *key, uint64_t max, uint64_t otherwise) {
    const struct gguf_value *v = gguf_find(g, key);
    double number;
    if (!v) return otherwise;
    if (!number_of(v, &number) || v->type == GGUF_F32 || v->type == GGUF_F64 || v->type == GGUF_BOOL || number < 0 ||
        number > (double)max)
        model_invalid(w, "\"%s\" is not an integer from 0 to %llu", key, (unsigned long long)max);
    return (uint64_t)number;
}

double gguf_real(struct model_work *w, const struct gguf *g, const char *key, double otherwise) {
    const struct gguf_value *v = gguf_find(g, key);
    double number;
    if (!v) return otherwise;
    if (!number_of(v, &number) || v->type == GGUF_BOOL) model_invalid(w, "\"%s\" is not a number", key);
    return number;
}

bool gguf_bool(struct model_work *w, const struct gguf *g, const char *key, bool otherwise) {
    const struct gguf_value *v = gguf_find(g, key);
    if (!v) return otherwise;
    if (v->type != GGUF_BOOL || v->is_array) model_invalid(w, "\"%s\" is not a bool", key);
    return v->data[0] != 0;
}

const char *gguf_text(struct model_work *w, const struct gguf *g, const char *key) {
    const struct gguf_value *v = gguf_find(g, key);
    if (!v) return NULL;
    if (v->type != GGUF_STRING || v->is_array) model_invalid(w, "\"%s\" is not a text", key);
    struct gguf_string s = gguf_string_at(v->data);
    if (memchr(s.text, 0, s.size_bytes)) model_invalid(w, "\"%s\" contains a NUL", key);
    return base_strndup(&w->cx, s.text, s.size_bytes);
}

const struct gguf_value *gguf_array(struct model_work *w, const struct gguf *g, const char *key, enum gguf_type type) {
    const struct gguf_value *v = gguf_find(g, key);
    if (v && (!v->is_array || v->type != type)) model_invalid(w, "\"%s\" is not an array of the expected type", key);
    return v;
}

struct gguf_string gguf_string_at(const unsigned char *at) {
    size_t size = (size_t)u64_at(at);
    return (struct gguf_string){(const char *)at + 8, size, at + 8 + size};
}
