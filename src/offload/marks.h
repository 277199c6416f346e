// Which small allocations there are, as the wrappers of malloc and free note it: a few instructions that stand in them,
// because a program may allocate a million times and never ask.
//
// A byte for each 32 bytes of address space says what begins there. So few fit into it because the C library's blocks
// have 32 bytes or more. Where another library's are smaller, the second one in such a cell hides the first, which is
// unknown then.
#ifndef WHORL_OFFLOAD_MARKS_H
#define WHORL_OFFLOAD_MARKS_H

#include "offload/offload.h"
#include <stdatomic.h>

enum { OFFLOAD_CELL = 32, OFFLOAD_SPAN_BITS = 26, OFFLOAD_SPANS = 1 << (47 - OFFLOAD_SPAN_BITS) };
// A mark: nothing, one of the list of large ones, or a small one: in which half of the cell it begins, and the last
// six bits of its bytes. (What the library gives is larger, by less than that: aligned blocks by up to 47.)
enum { OFFLOAD_NO_MARK, OFFLOAD_LARGE_MARK, OFFLOAD_SMALL_MARK = 128, OFFLOAD_HALF = 64, OFFLOAD_LAST_BITS = 63 };

typedef _Atomic unsigned char offload_mark;
typedef _Atomic(offload_mark *) offload_span;
extern offload_span offload_spans[OFFLOAD_SPANS] __attribute__((visibility("hidden")));

// registry.c: what the quick ways below leave over.
void offload_note_slow(void *base, size_t bytes, bool has_pages);
void offload_forget_slow(void *base);

static inline offload_mark *offload_mark_of(uintptr_t p) {
    offload_mark *marks =
        atomic_load_explicit(&offload_spans[p >> OFFLOAD_SPAN_BITS & (OFFLOAD_SPANS - 1)], memory_order_acquire);
    return marks ? marks + (p & (((uintptr_t)1 << OFFLOAD_SPAN_BITS) - 1)) / OFFLOAD_CELL : NULL;
}
static inline unsigned char offload_small_mark(uintptr_t p, size_t bytes) {
    return (unsigned char)(OFFLOAD_SMALL_MARK | (p << 2 & OFFLOAD_HALF) | (bytes & OFFLOAD_LAST_BITS));
}

// Of less than OFFLOAD_LARGE bytes. NULL: nothing.
static inline void offload_note_small(void *base, size_t bytes) {
    offload_mark *m = offload_mark_of((uintptr_t)base);
    if (__builtin_expect(!m || atomic_load_explicit(m, memory_order_relaxed) == OFFLOAD_LARGE_MARK, 0))
        offload_note_slow(base, bytes, false); // the first one here, or a large one was freed where nobody saw it
    else
        atomic_store_explicit(m, offload_small_mark((uintptr_t)base, bytes), memory_order_relaxed);
}
static inline void offload_forget(void *base) {
    offload_mark *m = offload_mark_of((uintptr_t)base);
    if (__builtin_expect(!m, 0)) return;
    if (__builtin_expect(atomic_load_explicit(m, memory_order_relaxed) == OFFLOAD_LARGE_MARK, 0))
        offload_forget_slow(base);
    else
        atomic_store_explicit(m, OFFLOAD_NO_MARK, memory_order_relaxed);
}

#endif
