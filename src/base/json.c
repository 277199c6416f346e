// The two allocators that yyjson is given.
#include <string.h>

#include "base/json.h"

static void *arena_malloc(void *ctx, size_t size) { return base_alloc(ctx, size); }

static void *arena_realloc(void *ctx, void *old, size_t old_size, size_t size) {
    if (size <= old_size) return old;
    void *moved = base_alloc(ctx, size);
    memcpy(moved, old, old_size);
    return moved;
}

static void arena_free(void *ctx, void *p) {
    (void)ctx;
    (void)p;
}

yyjson_alc base_json_arena(struct base_cx *cx) { return (yyjson_alc){arena_malloc, arena_realloc, arena_free, cx}; }

static void *heap_malloc(void *ctx, size_t size) {
    (void)ctx;
    return base_heap_alloc(size);
}

static void *heap_realloc(void *ctx, void *old, size_t old_size, size_t size) {
    (void)ctx;
    (void)old_size;
    return base_heap_realloc(old, size);
}

static void heap_free(void *ctx, void *p) {
    (void)ctx;
    base_heap_free(p);
}

yyjson_alc base_json_heap(void) { return (yyjson_alc){heap_malloc, heap_realloc, heap_free, NULL}; }
