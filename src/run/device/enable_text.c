// Statements that sleep in a kernel's text until a device is good for them.
//
// The library functions of a plan are right on every device. Where a device can do better, a line of them says so:
//     //! int64: if (true) { return u32((u64(a) * u64(b)) >> 32u); }
//     //! exp2 2.85: if (true) { return ...; }
// The first is for devices with 64-bit integers in shaders, the second for those whose own exp2 was measured to be
// within 2.85 units in the last place (probe_math.c). For anybody else, other readers of plans included, it is a
// comment.
//
// The mark of coherent memory is taken out where the library does not know it.
#include <stdlib.h>
#include <string.h>

#include "run/device/device.h"

#define SLEEPS "//! "
#define COHERENT "@coherent "

static bool is_good_for(const struct whorl_device *device, const char *word, size_t size) {
    const char *limit = memchr(word, ' ', size);
    if (!limit) return size == 5 && memcmp(word, "int64", 5) == 0 && device->gpu->has_int64;
    size_t name = (size_t)(limit - word);
    for (uint32_t i = 0; i < device->probe.builtin_count; i++) {
        const struct whorl_builtin *b = &device->probe.builtins[i];
        if (strlen(b->name) == name && memcmp(b->name, word, name) == 0)
            return b->wrong == 0 && b->worst_ulp <= strtod(limit, NULL);
    }
    return false;
}

char *run_wake(const struct whorl_device *device, const char *text) {
    size_t size = strlen(text) + 1;
    char *out = base_heap_alloc(size);
    if (!out) return NULL;
    memcpy(out, text, size);
    for (char *p = out; (p = strstr(p, SLEEPS)) != NULL;) {
        char *word = p + strlen(SLEEPS), *colon = strchr(word, ':'), *end = strchr(word, '\n');
        if (colon && end && colon < end && is_good_for(device, word, (size_t)(colon - word)))
            memset(p, ' ', (size_t)(colon + 1 - p));
        p = word;
    }
    for (char *p = out; !device->gpu->has_coherent && (p = strstr(p, COHERENT)) != NULL;)
        memset(p, ' ', strlen(COHERENT)); // one workgroup runs such a kernel then, and needs no mark
    return out;
}
