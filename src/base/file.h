// Whole files in and out, for what outlives a compile: sources, plans, arrays, caches. Errors are a status and a filled
// `err` (stage "file", may be NULL) that names the path and the system's reason.
#ifndef WHORL_FILE_H
#define WHORL_FILE_H

#include "base/base.h"

// Reads the file, which must be at most limit_bytes long (0: no limit). *out_data is NUL-terminated after its *out_size
// bytes and freed by base_heap_free. Pipes are read to their end. On failure *out_data is NULL.
enum whorl_status base_read_file(const char *path, size_t limit_bytes, char **out_data, size_t *out_size,
                                 struct whorl_error *err);

// Whether what was read from it is gone then, as from a pipe.
bool base_reads_once(const char *path);

struct base_span {
    const void *data;
    size_t size;
};
// Writes the spans one after the other. The file appears whole or not at all: they go to a temporary file beside it,
// which is flushed to the disk and then takes its name. A path that exists and is no regular file (/dev/stdout) is
// written directly.
enum whorl_status base_write_file(const char *path, const struct base_span *spans, size_t count,
                                  struct whorl_error *err);

// The same for a file that one process writes again and again: the temporary file always has the same name, PATH.tmp,
// so that processes that are killed do not leave more than one. A link is followed; what is no regular file is refused.
enum whorl_status base_replace_file(const char *path, const struct base_span *spans, size_t count,
                                    struct whorl_error *err);

// sealed.c: files of a cache. What is read has the hash that it was written with; data is freed by base_heap_free.
// *out_damaged (may be NULL): there was a file, and it has not.
bool base_seal_holds(const char *data, size_t *io_size); // of a whole file's bytes; then *io_size is without the seal
bool base_sealed_read(const char *path, size_t limit_bytes, char **out_data, size_t *out_size, bool *out_damaged);
enum whorl_status base_sealed_write(const char *path, const void *data, size_t size_bytes, struct whorl_error *err);

// Makes the directory and those above it; fine where it exists already.
enum whorl_status base_make_dirs(const char *path, struct whorl_error *err);

#endif
