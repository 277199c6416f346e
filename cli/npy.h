// NumPy's .npy files: reading what whorl can compute with, refusing the rest by name, and writing.
#ifndef WHORL_CLI_NPY_H
#define WHORL_CLI_NPY_H

#include "base/file.h"

enum { NPY_MAX_DIMS = 8 };

struct npy {
    enum whorl_dtype dtype;
    uint32_t ndims;
    uint64_t dims[NPY_MAX_DIMS];
    size_t offset_bytes; // of the elements in the file
    size_t size_bytes;   // of the elements
};

// Reads the header that `data` begins with; the elements must then fill the rest exactly. Nothing is allocated and
// nothing beyond data[0..size_bytes) is touched. `name` is for messages. Fails with WHORL_INVALID.
enum whorl_status npy_parse(const char *name, const void *data, size_t size_bytes, struct npy *out,
                            struct whorl_error *err);

// Reads the whole file; *out_data holds the elements, freed by base_heap_free.
enum whorl_status npy_read(const char *path, struct npy *out, void **out_data, struct whorl_error *err);

// Writes version 1.0, C order. The file appears whole or not at all.
enum whorl_status npy_write(const char *path, enum whorl_dtype dtype, uint32_t ndims, const uint64_t *dims,
                            const void *data, struct whorl_error *err);

// Writes the spans: a regular file whole or not at all, through a link to the file that it names; what lies in /dev or
// /proc, and "-" (standard output), directly and never replaced.
enum whorl_status npy_write_spans(const char *path, const struct base_span *spans, size_t count,
                                  struct whorl_error *err);

// "f32[64][163]", "f32" for no dimensions; in `out`, cut to `size`.
void npy_describe(enum whorl_dtype dtype, uint32_t ndims, const uint64_t *dims, char *out, size_t size);

#endif
