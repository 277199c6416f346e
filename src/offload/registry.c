// Which allocation a pointer points into. Most allocations are small and nobody ever asks for them, so noting one is
// two loads and a store: a byte for each 16 bytes of address space says where one begins. From a pointer into its
// middle, its beginning is the nearest mark before, and the library knows how long it is. Those of 64 KiB and more are
// in a sorted list.
//
// The tables' memory comes from the system and not from malloc, which calls us.
#include <malloc.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "offload/place.h"

enum { GRAIN = 16, SPAN_BITS = 26, SPANS = 1 << (47 - SPAN_BITS), LARGE = OFFLOAD_LARGE };
// A mark: what begins there. Of a small one the last five bits of its bytes, too: what the library gives is larger, by
// less than that.
enum { NOTHING, LARGE_ONE, SMALL_ONE = 32, LAST_BITS = 31 };
static const size_t span_marks = ((size_t)1 << SPAN_BITS) / GRAIN;

struct entry {
    uintptr_t base;
    size_t bytes : 62;
    size_t has_pages : 1; // nothing else is in the pages of its bytes
    size_t is_place : 1;  // its end has to be told
};
typedef _Atomic unsigned char mark;
static _Atomic(mark *) spans[SPANS]; // 16 MB of zeros, of which a few pages are ever touched
static atomic_flag large_lock;
static struct entry *large; // by address
static size_t large_count, large_cap;
static atomic_bool is_full; // memory ran out once: what is not known here stays unknown

static void take(atomic_flag *lock) {
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        ;
}
static void give(atomic_flag *lock) { atomic_flag_clear_explicit(lock, memory_order_release); }

static void *from_system(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}
static struct entry *new_table(size_t count) { return from_system(count * sizeof(struct entry)); }
static void drop_table(struct entry *table, size_t count) {
    if (table) munmap(table, count * sizeof *table);
}

// ---- marks ----------------------------------------------------------------------------------------------------------

static mark *mark_of(uintptr_t p) {
    if (p >> SPAN_BITS >= SPANS) return NULL;
    mark *marks = atomic_load_explicit(&spans[p >> SPAN_BITS], memory_order_acquire);
    return marks ? marks + (p & (((uintptr_t)1 << SPAN_BITS) - 1)) / GRAIN : NULL;
}

static mark *new_span(uintptr_t p) {
    mark *none = NULL, *marks = p >> SPAN_BITS < SPANS ? from_system(span_marks) : NULL;
    if (!marks) {
        atomic_store(&is_full, true);
        return NULL;
    }
    if (!atomic_compare_exchange_strong(&spans[p >> SPAN_BITS], &none, marks)) munmap(marks, span_marks);
    return mark_of(p);
}

// The beginning of the nearest allocation at or before p that may reach so far; 0: none.
static uintptr_t small_before(uintptr_t p) {
    uintptr_t base = p / GRAIN * GRAIN;
    for (size_t k = 0; k < LARGE / GRAIN + 2 && base >= GRAIN; k++, base -= GRAIN) {
        const mark *m = mark_of(base);
        unsigned char found = m ? atomic_load_explicit(m, memory_order_relaxed) : NOTHING;
        if (found) return found & SMALL_ONE ? base : 0;
    }
    return 0;
}

// ---- large ones -----------------------------------------------------------------------------------------------------

static size_t large_after(uintptr_t p) { // how many begin at or before p
    size_t lo = 0, hi = large_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (large[mid].base <= p)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void add_large(struct entry e) {
    take(&large_lock);
    size_t i = large_after(e.base);
    if (i && large[i - 1].base == e.base) {
        large[i - 1] = e;
    } else {
        if (large_count == large_cap) {
            size_t cap = large_cap ? large_cap * 2 : 256;
            struct entry *table = new_table(cap);
            if (!table) {
                atomic_store(&is_full, true);
                give(&large_lock);
                return;
            }
            if (large) memcpy(table, large, large_count * sizeof *table);
            drop_table(large, large_cap);
            large = table;
            large_cap = cap;
        }
        memmove(large + i + 1, large + i, (large_count - i) * sizeof *large);
        large[i] = e;
        large_count++;
    }
    give(&large_lock);
}

static void remove_large(uintptr_t base) {
    bool was_place = false;
    take(&large_lock);
    size_t i = large_after(base);
    if (i && large[i - 1].base == base) {
        was_place = large[i - 1].is_place;
        memmove(large + i - 1, large + i, (large_count - i) * sizeof *large);
        large_count--;
    }
    give(&large_lock);
    if (was_place) offload_place_drop((void *)base);
}

// ---- public ---------------------------------------------------------------------------------------------------------

void offload_note_alloc(void *base, size_t bytes, bool has_pages) {
    if (!base) return;
    mark *m = mark_of((uintptr_t)base);
    if (!m && !(m = new_span((uintptr_t)base))) return;
    // it is there if it was freed where nobody saw it
    if (atomic_load_explicit(m, memory_order_relaxed) == LARGE_ONE) remove_large((uintptr_t)base);
    unsigned char now = bytes >= LARGE ? LARGE_ONE : (unsigned char)(SMALL_ONE | (bytes & LAST_BITS));
    atomic_store_explicit(m, now, memory_order_relaxed);
    if (bytes >= LARGE) add_large((struct entry){(uintptr_t)base, bytes, has_pages, 0});
}

void offload_note_free(void *base) {
    mark *m = mark_of((uintptr_t)base);
    unsigned char found = m ? atomic_load_explicit(m, memory_order_relaxed) : NOTHING;
    if (!found) return;
    atomic_store_explicit(m, NOTHING, memory_order_relaxed);
    if (found == LARGE_ONE) remove_large((uintptr_t)base);
}

size_t offload_noted_bytes(const void *base) {
    const mark *m = mark_of((uintptr_t)base);
    unsigned char found = m ? atomic_load_explicit(m, memory_order_relaxed) : NOTHING;
    if (found != LARGE_ONE) return found;
    take(&large_lock);
    size_t i = large_after((uintptr_t)base), bytes = i && large[i - 1].base == (uintptr_t)base ? large[i - 1].bytes : 0;
    give(&large_lock);
    return bytes;
}

bool offload_watch_free(const void *base) {
    take(&large_lock);
    size_t i = large_after((uintptr_t)base);
    bool found = i && large[i - 1].base == (uintptr_t)base;
    if (found) large[i - 1].is_place = 1;
    give(&large_lock);
    return found;
}

static bool holds(const struct entry *e, uintptr_t p, struct offload_block *out) {
    if (p - e->base >= e->bytes) return false;
    *out =
        (struct offload_block){.base = (char *)e->base, .bytes = e->bytes, .is_heap = true, .has_pages = e->has_pages};
    return true;
}

bool offload_find_block(const void *pointer, struct offload_block *out) {
    uintptr_t p = (uintptr_t)pointer;
    if (atomic_load(&is_full)) return false; // one that is missing could be taken for the one before it
    take(&large_lock);
    size_t i = large_after(p);
    bool ok = i && holds(&large[i - 1], p, out);
    give(&large_lock);
    uintptr_t base = ok ? 0 : small_before(p);
    if (base) {
        size_t room = malloc_usable_size((void *)base), last = *mark_of(base) & LAST_BITS;
        struct entry e = {base, room - ((room - last) & LAST_BITS), 0, 0};
        ok = holds(&e, p, out);
    }
    return ok || offload_find_symbol(pointer, out);
}

void offload_registry_lock(void) { take(&large_lock); }
void offload_registry_unlock(void) { give(&large_lock); }
