// Files for tests, made in memory: a growing list of bytes, with the numbers of GGUF and safetensors.
#ifndef WHORL_MODEL_MADE_TESTING_H
#define WHORL_MODEL_MADE_TESTING_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/file/gguf.h"

struct made {
    unsigned char data[1 << 16];
    size_t size_bytes;
};

__attribute__((unused)) static void made_bytes(struct made *m, const void *data, size_t size_bytes) {
    if (size_bytes > sizeof m->data - m->size_bytes) abort();
    memcpy(m->data + m->size_bytes, data, size_bytes);
    m->size_bytes += size_bytes;
}
__attribute__((unused)) static void made_u32(struct made *m, uint32_t v) {
    for (int i = 0; i < 4; i++, v >>= 8)
        made_bytes(m, &(unsigned char){(unsigned char)v}, 1);
}
__attribute__((unused)) static void made_u64(struct made *m, uint64_t v) {
    made_u32(m, (uint32_t)v);
    made_u32(m, (uint32_t)(v >> 32));
}
__attribute__((unused)) static void made_string(struct made *m, const char *text) {
    made_u64(m, strlen(text));
    made_bytes(m, text, strlen(text));
}
__attribute__((unused)) static void made_zeros(struct made *m, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++)
        made_bytes(m, "", 1);
}
__attribute__((unused)) static void made_pad(struct made *m, size_t align) {
    made_zeros(m, (align - m->size_bytes % align) % align);
}

// ---- GGUF ----

__attribute__((unused)) static void made_gguf(struct made *m, uint32_t version, uint64_t tensors, uint64_t values) {
    m->size_bytes = 0;
    made_bytes(m, "GGUF", 4);
    made_u32(m, version);
    made_u64(m, tensors);
    made_u64(m, values);
}
__attribute__((unused)) static void made_value_u32(struct made *m, const char *key, uint32_t value) {
    made_string(m, key);
    made_u32(m, GGUF_U32);
    made_u32(m, value);
}
__attribute__((unused)) static void made_value_f32(struct made *m, const char *key, float value) {
    made_string(m, key);
    made_u32(m, GGUF_F32);
    made_u32(m, base_float_bits(value));
}
__attribute__((unused)) static void made_value_text(struct made *m, const char *key, const char *value) {
    made_string(m, key);
    made_u32(m, GGUF_STRING);
    made_string(m, value);
}
__attribute__((unused)) static void made_array(struct made *m, const char *key, enum gguf_type type, uint64_t count) {
    made_string(m, key);
    made_u32(m, GGUF_ARRAY);
    made_u32(m, (uint32_t)type);
    made_u64(m, count);
}
// dims: as GGUF has them, the contiguous one first
__attribute__((unused)) static void made_tensor(struct made *m, const char *name, uint32_t ndims, const uint64_t *dims,
                                                uint32_t type, uint64_t offset) {
    made_string(m, name);
    made_u32(m, ndims);
    for (uint32_t d = 0; d < ndims; d++)
        made_u64(m, dims[d]);
    made_u32(m, type);
    made_u64(m, offset);
}

// ---- safetensors ----

__attribute__((unused)) static void made_safetensors(struct made *m, const char *header, size_t body_bytes) {
    m->size_bytes = 0;
    made_u64(m, strlen(header));
    made_bytes(m, header, strlen(header));
    for (size_t i = 0; i < body_bytes; i++)
        made_bytes(m, &(unsigned char){(unsigned char)i}, 1);
}

// ---- files ----

// A folder of the test's own, and files in it.
static char made_root[64];
__attribute__((unused)) static const char *made_path(const char *name) {
    static char paths[4][400];
    static unsigned next;
    if (!made_root[0]) {
        strcpy(made_root, "/tmp/whorl-model-XXXXXX");
        if (!mkdtemp(made_root)) abort();
    }
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", made_root, name);
    return path;
}
__attribute__((unused)) static const char *made_file(const char *name, const void *data, size_t size_bytes) {
    const char *path = made_path(name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(data, 1, size_bytes, out) != size_bytes || fclose(out) != 0) abort();
    return path;
}
__attribute__((unused)) static const char *made_text(const char *name, const char *text) {
    return made_file(name, text, strlen(text));
}
__attribute__((unused)) static void made_drop(void) {
    char command[128];
    if (!made_root[0]) return;
    snprintf(command, sizeof command, "rm -rf '%s'", made_root);
    if (system(command) != 0) abort();
    made_root[0] = 0;
}

#endif
