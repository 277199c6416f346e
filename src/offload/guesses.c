// Arrays in memory that nobody knows: of other functions, on the stack, and those whose size is the word of a
// parameter's declaration. The region's program may show which of their elements it uses. The first look at such an
// array takes some elements of the stack for it, or what was declared; the next one those that are used, as memory may
// end behind them.
#define _GNU_SOURCE // pthread_getattr_np
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "offload/offload.h"

enum { STACK_ELEMENTS = 4096, DECLARED = 1 << 30 }; // at first; less

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

// Bytes of this thread's stack from an address on; 0: it is elsewhere.
static size_t stack_bytes(const void *at) {
    uintptr_t from = (uintptr_t)__builtin_frame_address(0), end = (uintptr_t)stack_end(), p = (uintptr_t)at;
    return p > from && p < end ? end - p : 0;
}

size_t offload_guessed_bytes(const struct offload_state *state, int i, const struct whorl_cc_arg *arg) {
    size_t unit = (size_t)arg->unit_bytes, wanted = state->used_elements[i], most = SIZE_MAX;
    bool is_declared = arg->integer > 0 && arg->integer < DECLARED; // f(float x[100])
    if (!arg->at || !unit) return 0;
    if (!is_declared) most = stack_bytes(arg->at) / unit;
    if (!wanted) wanted = is_declared ? (size_t)arg->integer : STACK_ELEMENTS;
    return (most < wanted ? most : wanted) * unit;
}

// The kernel reads them, and says so where it cannot.
static bool can_be_written_out(const char *at, size_t bytes) {
    enum { PIECE = 1024 }; // that a pipe takes
    char back[PIECE];
    int ends[2];
    bool ok = pipe(ends) == 0, opened = ok;
    for (size_t done = 0, size; ok && done < bytes; done += size) {
        size = bytes - done < PIECE ? bytes - done : PIECE;
        ok = write(ends[1], at + done, size) == (ssize_t)size && read(ends[0], back, size) == (ssize_t)size;
    }
    if (opened) {
        close(ends[0]);
        close(ends[1]);
    }
    return ok;
}

bool offload_is_readable(const void *at, size_t bytes) {
    struct offload_block block;
    if (!at || bytes <= stack_bytes(at)) return at != NULL;
    if (offload_find_block(at, &block)) return bytes <= block.bytes - (size_t)((const char *)at - block.base);
    return can_be_written_out(at, bytes);
}

bool offload_fit_guesses(struct offload_state *state, const struct offload_variant *v,
                         const struct offload_array *arrays) {
    bool changed = false;
    for (int i = 0; i < state->region->param_count; i++) {
        if (!arrays[i].is_guessed) continue;
        const struct offload_reach *r = v ? &v->reach[i] : NULL;
        bool fits = r && r->known && r->first <= r->last && (uint64_t)r->last < arrays[i].outer;
        uint64_t wanted = fits ? (uint64_t)r->last + 1 : 0;
        changed = changed || (wanted ? wanted != arrays[i].outer : state->used_elements[i] != 0);
        state->used_elements[i] = wanted;
    }
    return changed;
}
