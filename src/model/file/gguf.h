// GGUF, versions 2 and 3, little-endian: metadata, a list of tensors, then their bytes at aligned offsets.
#ifndef WHORL_MODEL_GGUF_H
#define WHORL_MODEL_GGUF_H

#include "model/file/tensor.h"

enum gguf_type {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64,
    GGUF_TYPES
};
struct gguf_value {
    const char *key;
    enum gguf_type type; // of an array: of its elements
    bool is_array;
    uint64_t count;            // of an array; else 1
    const unsigned char *data; // in the file: `count` elements, strings with their lengths, all seen to be there
};
struct gguf {
    uint32_t version;          // 0: no GGUF file
    struct gguf_value *values; // sorted by key
    uint32_t value_count;
};

void gguf_read(struct model_work *w, const struct model_map *map, struct gguf *out, struct model_tensors *out_tensors);

// Metadata by key; NULL where there is none.
const struct gguf_value *gguf_find(const struct gguf *g, const char *key);
// One scalar, of any type of integers or floats; a missing key gives `otherwise`, another type is refused.
uint64_t gguf_uint(struct model_work *w, const struct gguf *g, const char *key, uint64_t max, uint64_t otherwise);
double gguf_real(struct model_work *w, const struct gguf *g, const char *key, double otherwise);
bool gguf_bool(struct model_work *w, const struct gguf *g, const char *key, bool otherwise);
// A copy without NUL, in the arena; NULL where the key is missing.
const char *gguf_text(struct model_work *w, const struct gguf *g, const char *key);
// An array of this type, or NULL where the key is missing; of another type, or no array: refused.
const struct gguf_value *gguf_array(struct model_work *w, const struct gguf *g, const char *key, enum gguf_type type);

// The string at `at` of an array of strings, and where the next one stands.
struct gguf_string {
    const char *text; // in the file, not NUL-terminated
    size_t size_bytes;
    const unsigned char *next;
};
struct gguf_string gguf_string_at(const unsigned char *at);
uint32_t gguf_u32_at(const unsigned char *at);
float gguf_f32_at(const unsigned char *at);

#endif
