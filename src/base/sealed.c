// Files of the cache: what they hold, then a hash of it in 16 hex digits, so that a cut file or a changed bit is seen
// before anybody believes it, or loads it as code. Such a file is none: whatever was in it is made again.
#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum { SEAL_BYTES = 17 };

static void seal_of(const char *data, size_t size, char out[SEAL_BYTES + 1]) {
    snprintf(out, SEAL_BYTES + 1, "%016llx\n", (unsigned long long)base_hash(BASE_HASH_START, data, size));
}

bool base_seal_holds(const char *data, size_t *io_size) {
    char seal[SEAL_BYTES + 1];
    if (*io_size < SEAL_BYTES) return false;
    seal_of(data, *io_size - SEAL_BYTES, seal);
    if (memcmp(seal, data + *io_size - SEAL_BYTES, SEAL_BYTES) != 0) return false;
    *io_size -= SEAL_BYTES;
    return true;
}

bool base_sealed_read(const char *path, size_t limit_bytes, char **out_data, size_t *out_size, bool *out_damaged) {
    if (out_damaged) *out_damaged = false;
    if (base_read_file(path, limit_bytes, out_data, out_size, NULL) != WHORL_OK) return false;
    if (base_seal_holds(*out_data, out_size)) return true;
    base_heap_free(*out_data);
    *out_data = NULL;
    if (out_damaged) *out_damaged = true;
    return false;
}

enum whorl_status base_sealed_write(const char *path, const void *data, size_t size_bytes, struct whorl_error *err) {
    char seal[SEAL_BYTES + 1];
    seal_of(data, size_bytes, seal);
    const struct base_span spans[] = {{data, size_bytes}, {seal, SEAL_BYTES}};
    return base_write_file(path, spans, 2, err);
}
