// The one door to the heap, with a counter that lets tests fail any single allocation; and checked sizes.
//
// The counters are atomic, since executors allocate from several threads. Counting and failing are one step: the
// allocation whose ticket number equals `fail_ticket` fails, so exactly one does, whichever thread makes it.
#include <stdatomic.h>
#include <stdlib.h>

#include "base/base.h"

static atomic_uint_fast64_t tickets = 0;     // allocations since the program started
static atomic_uint_fast64_t fail_ticket = 0; // the ticket that fails; tickets start at 1, so 0 is never drawn
static atomic_uint_fast64_t counted_from = 0;

static bool may_allocate(void) {
    uint_fast64_t ticket = atomic_fetch_add(&tickets, 1) + 1;
    return ticket != atomic_load(&fail_ticket);
}

void *base_heap_alloc(size_t size_bytes) { return may_allocate() ? malloc(size_bytes ? size_bytes : 1) : NULL; }

void *base_heap_zeroed(size_t size_bytes) { return may_allocate() ? calloc(1, size_bytes ? size_bytes : 1) : NULL; }

void *base_heap_realloc(void *old, size_t size_bytes) {
    return may_allocate() ? realloc(old, size_bytes ? size_bytes : 1) : NULL;
}

void base_heap_free(void *p) { free(p); }

uint64_t base_heap_fail_at(uint64_t nth) {
    uint_fast64_t now = atomic_load(&tickets);
    atomic_store(&fail_ticket, nth ? now + nth : 0);
    return (uint64_t)(now - atomic_exchange(&counted_from, now));
}

bool base_mul_size(size_t a, size_t b, size_t *out) {
    if (b != 0 && a > SIZE_MAX / b) return false;
    *out = a * b;
    return true;
}

bool base_add_size(size_t a, size_t b, size_t *out) {
    if (a > SIZE_MAX - b) return false;
    *out = a + b;
    return true;
}
