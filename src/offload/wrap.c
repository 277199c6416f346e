// The allocation functions of the program, by the linker's --wrap: each does what it did, and the registry knows.
#include <errno.h>
#include <stdio.h>
#include <sys/types.h>

#include "offload/marks.h"
#include "offload/place.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void *__real_memalign(size_t alignment, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);

ssize_t __real_getdelim(char **line, size_t *size, int end, FILE *file);
ssize_t __wrap_getdelim(char **line, size_t *size, int end, FILE *file);
ssize_t __wrap_getline(char **line, size_t *size, FILE *file);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void *__wrap_memalign(size_t alignment, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);

static void *noted(void *p, size_t size) {
    offload_note_alloc(p, size, false);
    return p;
}

// A large one gets pages of its own, so that all of it can be a place (place.h). Any `free` takes it.
static void *get(size_t alignment, size_t size) {
    size_t whole = (size + OFFLOAD_PAGE - 1) / OFFLOAD_PAGE * OFFLOAD_PAGE;
    void *p = __real_memalign(alignment > OFFLOAD_PAGE ? alignment : OFFLOAD_PAGE, whole);
    offload_note_alloc(p, size, p != NULL);
    return p;
}
static bool is_large(size_t size) { return size >= OFFLOAD_LARGE && size <= SIZE_MAX / 2; }

static __attribute__((noinline, cold)) void *malloc_large(size_t size) {
    void *p = is_large(size) ? get(0, size) : NULL;
    return p ? p : noted(__real_malloc(size), size);
}

void *__wrap_malloc(size_t size) {
    if (__builtin_expect(size >= OFFLOAD_LARGE, 0)) return malloc_large(size);
    void *p = __real_malloc(size);
    offload_note_small(p, size);
    return p;
}

void *__wrap_calloc(size_t count, size_t size) {
    void *p = __real_calloc(count, size);
    return noted(p, count * size); // no overflow where there is memory
}

// The old address is forgotten before the call, because from then on another thread may be given it.
void *__wrap_realloc(void *old, size_t size) {
    size_t bytes = offload_noted_bytes(old);
    if (bytes >= OFFLOAD_LARGE) offload_touch(old, bytes, OFFLOAD_WRITES); // what is there goes along
    if (bytes) offload_note_free(old);
    void *p = __real_realloc(old, size);
    if (!p && size && bytes) offload_note_alloc(old, bytes, false);
    return noted(p, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return __wrap_realloc(old, bytes);
}

void __wrap_free(void *p) {
    offload_forget(p);
    __real_free(p);
}

// They resize the program's memory inside of the library.
ssize_t __wrap_getdelim(char **line, size_t *size, int end, FILE *file) {
    char *old = line ? *line : NULL;
    ssize_t got = __real_getdelim(line, size, end, file);
    if (line && *line != old) {
        offload_note_free(old);
        noted(*line, *size);
    }
    return got;
}
ssize_t __wrap_getline(char **line, size_t *size, FILE *file) { return __wrap_getdelim(line, size, '\n', file); }

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    bool usual = alignment && (alignment & (alignment - 1)) == 0 && size % alignment == 0;
    void *p = usual && is_large(size) ? get(alignment, size) : NULL;
    return p ? p : noted(__real_aligned_alloc(alignment, size), size);
}

void *__wrap_memalign(size_t alignment, size_t size) { return noted(__real_memalign(alignment, size), size); }

int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
    bool usual = alignment % sizeof(void *) == 0 && alignment && (alignment & (alignment - 1)) == 0;
    void *p = usual && is_large(size) ? get(alignment, size) : NULL;
    if (p) *out = p;
    if (p) return 0;
    int status = __real_posix_memalign(out, alignment, size);
    if (status == 0) offload_note_alloc(*out, size, false);
    return status;
}
