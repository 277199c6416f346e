// Which allocation a pointer points into. Most allocations are small and nobody ever asks for them, so noting one is
// two loads and a store (marks.h): a byte says where one begins. From a pointer into its middle, its beginning is the
// nearest mark before, and the library knows how long it is. Those of 64 KiB and more are in a sorted list.
//
// The tables' memory comes from the system and not from malloc, which calls us.
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

#include "offload/marks.h"
#include "offload/place.h"

enum { LARGE = OFFLOAD_LARGE };
static const size_t span_marks = ((size_t)1 << OFFLOAD_SPAN_BITS) / OFFLOAD_CELL;

struct entry {
    uintptr_t base;
    size_t bytes : 62;
    size_t has_pages : 1; // nothing else is in the pages of its bytes
    size_t is_place : 1;  // its end has to be told
};
offload_span offload_spans[OFFLOAD_SPANS]; // 16 MB of zeros, of which a few pages are ever touched
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

static offload_mark *new_span(uintptr_t p) {
    uintptr_t span = p >> OFFLOAD_SPAN_BITS;
    offload_mark *none = NULL, *marks = span < OFFLOAD_SPANS ? from_system(span_marks) : NULL;
    if (!marks) {
        atomic_store(&is_full, true);
        return NULL;
    }
    if (!atomic_compare_exchange_strong(&offload_spans[span], &none, marks)) munmap(marks, span_marks);
    return offload_mark_of(p);
}

// What was given at `base`; 0: nothing begins there. A block that was freed where nobody saw it keeps its mark,
// and others may lie over that; the library's own question would then take what stands there for a length, and read at
// its end. In glibc a block's length stands before it, a multiple of 16 with three flags: the second is of those that
// have a mapping to themselves, and none of ours are so small.
static size_t room_at(uintptr_t base) {
#ifdef __GLIBC__
    size_t head = ((const size_t *)base)[-1], size = head & ~(size_t)7;
    bool is_block = size % 16 == 0 && size >= 32 && size <= LARGE + 64 && !(head & 2);
    return is_block ? size - sizeof size : 0;
#else
    return malloc_usable_size((void *)base);
#endif
}

// The nearest allocation that begins at or before p, if it is a small one that holds p.
static bool find_small(uintptr_t p, struct entry *out) {
    enum { CELLS = LARGE / OFFLOAD_CELL + 2 };
    uintptr_t cell = p / OFFLOAD_CELL * OFFLOAD_CELL;
    for (size_t k = 0; k < CELLS && cell >= OFFLOAD_CELL; k++, cell -= OFFLOAD_CELL) {
        const offload_mark *m = offload_mark_of(cell);
        unsigned char found = m ? atomic_load_explicit(m, memory_order_relaxed) : OFFLOAD_NO_MARK;
        uintptr_t base = cell + (found & OFFLOAD_HALF ? OFFLOAD_CELL / 2 : 0);
        if (found == OFFLOAD_NO_MARK || (found & OFFLOAD_SMALL_MARK && base > p)) continue;
        if (!(found & OFFLOAD_SMALL_MARK)) return false;
        if (offload_is_in_place((const char *)base - sizeof(size_t), sizeof(size_t)))
            return false; // left of a freed one
        size_t room = room_at(base), last = found & OFFLOAD_LAST_BITS;
        if (!room) return false;
        *out = (struct entry){base, room - ((room - last) & OFFLOAD_LAST_BITS), 0, 0};
        return true;
    }
    return false;
}

// Its length stands before it, so that nobody's elements of that size do.
static bool has_head(const struct offload_block *b, size_t unit) {
#ifdef __GLIBC__
    if (unit > sizeof(size_t) || offload_is_in_place(b->base - sizeof(size_t), sizeof(size_t))) return false;
    size_t size = ((const size_t *)b->base)[-1] & ~(size_t)7;
    return size >= b->bytes + sizeof size && size - b->bytes <= 2 * LARGE;
#else
    (void)b, (void)unit;
    return false;
#endif
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

void offload_note_slow(void *base, size_t bytes, bool has_pages) {
    if (!base) return;
    offload_mark *m = offload_mark_of((uintptr_t)base);
    if (!m && !(m = new_span((uintptr_t)base))) return;
    // it is there if it was freed where nobody saw it
    if (atomic_load_explicit(m, memory_order_relaxed) == OFFLOAD_LARGE_MARK) remove_large((uintptr_t)base);
    unsigned char now = bytes >= LARGE ? OFFLOAD_LARGE_MARK : offload_small_mark((uintptr_t)base, bytes);
    atomic_store_explicit(m, now, memory_order_relaxed);
    if (bytes >= LARGE) add_large((struct entry){(uintptr_t)base, bytes, has_pages, 0});
}

void offload_note_alloc(void *base, size_t bytes, bool has_pages) {
    if (bytes < LARGE)
        offload_note_small(base, bytes);
    else
        offload_note_slow(base, bytes, has_pages);
}

void offload_forget_slow(void *base) {
    atomic_store_explicit(offload_mark_of((uintptr_t)base), OFFLOAD_NO_MARK, memory_order_relaxed);
    remove_large((uintptr_t)base);
}
void offload_note_free(void *base) { offload_forget(base); }

size_t offload_noted_bytes(const void *base) {
    const offload_mark *m = offload_mark_of((uintptr_t)base);
    unsigned char found = m ? atomic_load_explicit(m, memory_order_relaxed) : OFFLOAD_NO_MARK;
    if (found != OFFLOAD_LARGE_MARK) return found;
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
    struct entry e;
    if (!ok && find_small(p, &e)) ok = holds(&e, p, out);
    return ok || offload_find_local(pointer, out) || offload_find_symbol(pointer, out);
}

bool offload_find_next_block(const void *p, size_t unit, struct offload_block *out, bool *out_certain) {
    struct offload_block own;
    const char *next = (const char *)p + unit;
    bool is_own = offload_find_block(p, &own);
    if (is_own && (own.is_heap || own.base == p)) return false;
    if (!unit || !offload_find_block(next, out) || out->base != next) return false;
    *out_certain =
        out->is_heap ? has_head(out, unit) : !is_own && !out->is_local && unit >= sizeof(int); // "" has no symbol
    return true;
}

void offload_registry_lock(void) { take(&large_lock); }
void offload_registry_unlock(void) { give(&large_lock); }
