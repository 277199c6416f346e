// Arrays of functions, behind pointers: nobody knows how large they are, but the region's program may show which of
// their elements it uses. The first look at such an array takes some elements of the stack for it; the next one those
// that are used.
#define _GNU_SOURCE // pthread_getattr_np
#include <pthread.h>
#include <stdint.h>

#include "offload/offload.h"

enum { STACK_ELEMENTS = 4096 }; // at first

static char *stack_end(void) {
    static __thread char *end;
    static __thread bool asked;
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (asked || pthread_getattr_np(pthread_self(), &attributes) != 0) return end;
    asked = true;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) end = (char *)low + size;
    pthread_attr_destroy(&attributes);
    return end;
}

size_t offload_stack_bytes(const struct offload_state *state, int i, const void *at, size_t unit) {
    const char *from = __builtin_frame_address(0), *end = stack_end(), *p = at;
    if (!end || !unit || (uintptr_t)p <= (uintptr_t)from || (uintptr_t)p >= (uintptr_t)end) return 0;
    size_t most = (size_t)(end - p) / unit, wanted = state->stack_elements[i];
    if (!wanted) wanted = STACK_ELEMENTS;
    return (most < wanted ? most : wanted) * unit;
}

bool offload_fit_stack(struct offload_state *state, const struct offload_variant *v,
                       const struct offload_array *arrays) {
    bool changed = false;
    for (int i = 0; i < state->region->param_count; i++) {
        if (!arrays[i].is_on_stack) continue;
        const struct offload_reach *r = v ? &v->reach[i] : NULL;
        bool fits = r && r->known && r->first <= r->last && (uint64_t)r->last < arrays[i].outer;
        uint64_t wanted = fits ? (uint64_t)r->last + 1 : 0;
        changed = changed || (wanted ? wanted != arrays[i].outer : state->stack_elements[i] != 0);
        state->stack_elements[i] = wanted;
    }
    return changed;
}
