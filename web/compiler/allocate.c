// malloc for a module that does one job and is thrown away: blocks of sizes in steps of a quarter, freed ones kept by size for
// the next of that size, memory grown as needed. The C library's own is three times as long.
#ifdef __wasm__
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 65536, SMALLEST = 16, CLASSES = 113 };

struct block { // in front of what is given out, which stands at a multiple of 16
    uint32_t size_bytes, class;
    struct block *next; // of the free ones of its class
    uint32_t unused;
};

extern char __heap_base;
static struct block *freed[CLASSES];
static uintptr_t top, end; // of memory that nobody had yet

// The class of blocks that hold so many bytes, and their size: 16, 20, 24, 28, 32, 40 ... rounded up to 16.
static uint32_t class_of(size_t size_bytes, uint32_t *out_size) {
    uint32_t size = size_bytes < SMALLEST ? SMALLEST : (uint32_t)size_bytes;
    uint32_t log = 31 - (uint32_t)__builtin_clz(size), quarter = (size >> (log - 2)) & 3;
    uint32_t floor = (4 + quarter) << (log - 2);
    if (floor < size) quarter++;
    *out_size = (((4 + quarter) << (log - 2)) + 15) & ~15u;
    return (log - 4) * 4 + quarter;
}

static struct block *fresh(uint32_t size) {
    if (!top) {
        top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        end = __builtin_wasm_memory_size(0) * (uintptr_t)PAGE;
    }
    uint32_t whole = size + (uint32_t)sizeof(struct block);
    if (whole > end - top) {
        uint32_t pages = (whole - (uint32_t)(end - top) + PAGE - 1) / PAGE, more = pages < 16 ? 16 : pages;
        if (__builtin_wasm_memory_grow(0, more) == SIZE_MAX) {
            more = pages;
            if (__builtin_wasm_memory_grow(0, more) == SIZE_MAX) return NULL;
        }
        end += more * (uintptr_t)PAGE; // 0 where memory is all of 4 GiB: sizes of that kind are refused before
    }
    struct block *b = (struct block *)top;
    top += whole;
    return b;
}

static void *take(size_t size_bytes, bool zeroed) {
    uint32_t size, class;
    if (size_bytes > (size_t)3 << 30) goto none;
    class = class_of(size_bytes, &size);
    struct block *b = freed[class];
    if (b)
        freed[class] = b->next;
    else if (zeroed = false, !(b = fresh(size))) // it is zero as it comes
        goto none;
    b->size_bytes = size;
    b->class = class;
    return zeroed ? memset(b + 1, 0, size_bytes) : b + 1;
none:
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size_bytes) { return take(size_bytes, false); }

void free(void *p) {
    if (!p) return;
    struct block *b = (struct block *)p - 1;
    b->next = freed[b->class];
    freed[b->class] = b;
}

void *calloc(size_t count, size_t each_bytes) {
    size_t size_bytes;
    return __builtin_mul_overflow(count, each_bytes, &size_bytes) ? NULL : take(size_bytes, true);
}

void *realloc(void *p, size_t size_bytes) {
    if (!p) return malloc(size_bytes);
    uint32_t had = ((struct block *)p - 1)->size_bytes;
    if (size_bytes <= had) return p;
    void *larger = malloc(size_bytes);
    if (!larger) return NULL;
    memcpy(larger, p, had);
    free(p);
    return larger;
}
#endif
