// The arena of a compile: memory is cut from blocks and freed all at once. Also strings and arrays that live in it.
//
// Running out ends the compile through cx->bail, so callers never see NULL. Under AddressSanitizer whatever was not
// handed out is poisoned and allocations are kept apart, which makes an overrun inside a block as visible as one on the
// heap.
//
// Scratch memory is cut from blocks of its own, which stand in front of the others in the arena's one list: so a
// compile that ends in between frees them with the rest.
#include <stdio.h>
#include <string.h>

#include "base/base.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#if defined(ARENA_ASAN)
#include <sanitizer/asan_interface.h>
#define RED_ZONE 16u
#define POISON(p, size) __asan_poison_memory_region(p, size)
#define UNPOISON(p, size) __asan_unpoison_memory_region(p, size)
#else
#define RED_ZONE 0u
#define POISON(p, size) ((void)0)
#define UNPOISON(p, size) ((void)0)
#endif

enum { ALIGN = 16, FIRST_BLOCK = 64 << 10, SCRATCH_BLOCK = 4 << 10, LARGEST_BLOCK = 4 << 20 };

struct base_block {
    struct base_block *next;
    size_t used, cap; // of data
    _Alignas(16) unsigned char data[];
};

// Position 0 is "nowhere". It is never written: the first base_add_loc moves the table into the arena.
static struct base_position nowhere;

void base_cx_init(struct base_cx *cx) {
    memset(cx, 0, sizeof *cx);
    cx->locs = &nowhere;
    cx->loc_count = cx->loc_cap = 1;
}

static void free_blocks(struct base_block *block, const struct base_block *stop) {
    while (block != stop) {
        struct base_block *next = block->next;
        base_heap_free(block);
        block = next;
    }
}

void base_cx_deinit(struct base_cx *cx) {
    free_blocks(cx->arena.head, NULL);
    base_cx_init(cx);
}

static _Noreturn void out_of_memory(struct base_cx *cx) {
    cx->status = WHORL_MEMORY;
    longjmp(cx->bail, 1);
}

// In front of *head. What was not cut from it stays zero; fresh memory of the system's is without more work.
static void add_block(struct base_cx *cx, struct base_block **head, size_t cap) {
    size_t total;
    if (!base_add_size(cap, sizeof **head, &total)) out_of_memory(cx);
    struct base_block *block = base_heap_zeroed(total);
    if (!block) out_of_memory(cx);
    block->next = *head;
    block->used = 0;
    block->cap = cap;
    POISON(block->data, cap);
    *head = block;
}

// From the block *head, or a new one in front of it.
static void *cut(struct base_cx *cx, struct base_block **head, size_t size_bytes) {
    struct base_arena *arena = &cx->arena;
    size_t need;
    if (!base_add_size(size_bytes ? size_bytes : 1, ALIGN - 1 + RED_ZONE, &need)) out_of_memory(cx);
    need &= ~(size_t)(ALIGN - 1);
    if (arena->limit_bytes && (need > arena->limit_bytes || arena->used_bytes > arena->limit_bytes - need)) {
        size_t limit = arena->limit_bytes;
        arena->limit_bytes = 0; // the message itself needs room
        base_error(cx, 0, "the program is too large: compiling it needs more than %zu MiB", limit >> 20);
        cx->status = WHORL_LIMIT;
        longjmp(cx->bail, 1);
    }
    if (!*head || (*head)->cap - (*head)->used < need) {
        size_t cap = *head ? (*head)->cap * 2 : FIRST_BLOCK;
        if (cap > LARGEST_BLOCK) cap = LARGEST_BLOCK;
        add_block(cx, head, cap < need ? need : cap);
    }
    void *p = (*head)->data + (*head)->used;
    (*head)->used += need;
    arena->used_bytes += need;
    if (arena->used_bytes > arena->most_bytes) arena->most_bytes = arena->used_bytes;
    UNPOISON(p, size_bytes);
    return p;
}

void *base_alloc(struct base_cx *cx, size_t size_bytes) { return cut(cx, &cx->arena.head, size_bytes); }

struct base_scratch base_scratch_begin(struct base_cx *cx) {
    struct base_scratch scratch = {cx->arena.head, cx->arena.used_bytes};
    add_block(cx, &cx->arena.head, SCRATCH_BLOCK); // some are made for each pair of phases, and clearing has its price
    return scratch;
}

void *base_scratch_keep(struct base_cx *cx, struct base_scratch *scratch, const void *data, size_t size_bytes) {
    struct base_block **head = &cx->arena.head;
    while (*head != scratch->outer)
        head = &(*head)->next;
    size_t before = cx->arena.used_bytes;
    void *copy = cut(cx, head, size_bytes);
    scratch->outer = *head;
    scratch->used_bytes += cx->arena.used_bytes - before;
    if (size_bytes) memcpy(copy, data, size_bytes);
    return copy;
}

void base_scratch_end(struct base_cx *cx, const struct base_scratch *scratch) {
    free_blocks(cx->arena.head, scratch->outer);
    cx->arena.head = scratch->outer;
    cx->arena.used_bytes = scratch->used_bytes;
}

void *base_alloc_array(struct base_cx *cx, size_t count, size_t each_bytes) {
    size_t size_bytes;
    if (!base_mul_size(count, each_bytes, &size_bytes)) out_of_memory(cx);
    return base_alloc(cx, size_bytes);
}

char *base_strndup(struct base_cx *cx, const char *text, size_t size) {
    size_t with_nul;
    if (!base_add_size(size, 1, &with_nul)) out_of_memory(cx);
    char *copy = base_alloc(cx, with_nul);
    if (size) memcpy(copy, text, size);
    return copy;
}

char *base_format(struct base_cx *cx, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = base_vformat(cx, format, args);
    va_end(args);
    return text;
}

char *base_vformat(struct base_cx *cx, const char *format, va_list args) {
    va_list again;
    char short_one[256]; // most are: then nothing is formatted twice
    va_copy(again, args);
    int size = vsnprintf(short_one, sizeof short_one, format, args);
    if (size < 0) {
        va_end(again);
        out_of_memory(cx);
    }
    char *text = base_alloc(cx, (size_t)size + 1);
    if ((size_t)size < sizeof short_one)
        memcpy(text, short_one, (size_t)size);
    else
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

void *base_grow(struct base_cx *cx, void *items, uint32_t count, uint32_t *cap, size_t each_bytes) {
    if (*cap > UINT32_MAX / 2) out_of_memory(cx);
    uint32_t larger = *cap < 8 ? 8 : *cap * 2;
    void *moved = base_alloc_array(cx, larger, each_bytes);
    if (count) memcpy(moved, items, count * each_bytes);
    *cap = larger;
    return moved;
}
