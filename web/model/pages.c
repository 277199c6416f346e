// What the readers of models ask of the system, in a page: the twin of src/model/file/map.c. A file is mapped when its
// beginning is there: readers look at headers, and bytes of tensors stay with the page until it brings them piece by
// piece.
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "model/file/work.h"
#include "web.h"

void model_map_open(struct model_work *w, const char *path, struct model_map *out) {
    size_t there, whole;
    const char *data = web_files_data(path, &there, &whole);
    *out = (struct model_map){0};
    if (!data) model_refuse(w, WHORL_IO, "cannot be read: no such file here");
    if (whole == 0) model_refuse(w, WHORL_IO, "cannot be read: it is empty");
    if (whole > UINTPTR_MAX - (uintptr_t)data) // places in it are pointers
        model_refuse(w, WHORL_LIMIT, "it is larger than WebAssembly can address; a page reads files of up to 3.9 GB");
    *out = (struct model_map){(const unsigned char *)data, whole, there};
}

void model_map_close(struct model_map *map) { *map = (struct model_map){0}; }

size_t model_text_read(struct model_work *w, const char *path, char *out, size_t size_bytes) {
    size_t there, whole;
    const char *data = web_files_data(path, &there, &whole);
    if (!data) model_refuse(w, WHORL_IO, "cannot be read: no such file here");
    size_t size = there < size_bytes ? there : size_bytes;
    memcpy(out, data, size);
    return size;
}

static uint64_t seed_bits;

// From the page's source of random numbers, before anything is opened.
WEB_EXPORT(seed) void web_seed(uint32_t low, uint32_t high) { seed_bits = (uint64_t)high << 32 | low; }

uint64_t model_random_seed(void) { return seed_bits; }

// There is no clock without an import: one search has its limit of steps, and the page ends a worker that takes too
// long.
int clock_gettime(clockid_t clock, struct timespec *out) {
    (void)clock;
    *out = (struct timespec){0};
    return 0;
}
