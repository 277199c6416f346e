// Functions of the C library that are large there, because they are fast or serve what no page asks: found here first
// by the linker.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
// One instruction each.
void *memcpy(void *restrict to, const void *restrict from, size_t size) { return __builtin_memcpy(to, from, size); }
void *memset(void *to, int byte, size_t size) { return __builtin_memset(to, byte, size); }

// A byte at a time, where the library takes words.
size_t strlen(const char *text) {
    size_t size = 0;
    while (text[size])
        size++;
    return size;
}

void *memchr(const void *bytes, int byte, size_t size) {
    for (const unsigned char *at = bytes; size; size--, at++)
        if (*at == (unsigned char)byte) return (void *)at;
    return NULL;
}

char *strchr(const char *text, int c) {
    for (; *text != (char)c; text++)
        if (!*text) return NULL;
    return (char *)text;
}

size_t strspn(const char *text, const char *set) {
    size_t size = 0;
    while (text[size] && strchr(set, text[size]))
        size++;
    return size;
}

size_t strcspn(const char *text, const char *set) {
    size_t size = 0;
    while (text[size] && !strchr(set, text[size]))
        size++;
    return size;
}

char *strstr(const char *text, const char *part) {
    size_t size = strlen(part);
    for (; *text || !size; text++)
        if (strncmp(text, part, size) == 0) return (char *)text;
    return NULL;
}

// What printf asks for %m and %lc; npy.c asks the first, of files that a page opens: they exist or do not.
char *strerror(int code) { return (void)code, "cannot be opened"; }
int wctomb(char *to, wchar_t c) { return (void)to, (void)c, -1; }

// ---- a heap sort ----------------------------------------------------------------------------------------------------

static void swap(char *a, char *b, size_t size) {
    for (; size; size--, a++, b++) {
        char kept = *a;
        *a = *b;
        *b = kept;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *items = base;
    for (size_t heads = count / 2, end = count; end > 1;) {
        if (heads)
            heads--; // still making the heap
        else
            swap(items, items + --end * size, size);
        for (size_t at = heads, child; (child = 2 * at + 1) < end; at = child) {
            if (child + 1 < end && compare(items + child * size, items + (child + 1) * size) < 0) child++;
            if (compare(items + at * size, items + child * size) >= 0) break;
            swap(items + at * size, items + child * size, size);
        }
    }
}

// ---- large angles ---------------------------------------------------------------------------------------------------

// Of sinf, cosf and tanf, which pass one x[0] of 24 bits: x[0] * 2^exponent is quarter turns and y[0] from the nearest of
// them. The library's own has 2/pi in 16,000 bits, for long doubles; a float's largest exponent needs 200.
int __rem_pio2_large(double *x, double *y, int exponent, int count, int precision);
int __rem_pio2_large(double *x, double *y, int exponent, int count, int precision) {
    static const uint32_t two_by_pi[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
                                         0xDB629599, 0x3C439041, 0xFE5163AB};
    (void)count, (void)precision;
    uint64_t words[3], m = (uint64_t)x[0];
    uint32_t skip = (uint32_t)exponent - 2; // bits of 2/pi that only make whole turns
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t *at = two_by_pi + skip / 32 + i;
        words[i] = (((uint64_t)at[0] << 32 | at[1]) << skip % 32) >> 32;
    }
    uint64_t angle = (m * words[0] << 32) + m * words[1] + (m * words[2] >> 32); // in units of 2^-62 quarter turns
    uint64_t quarters = (angle + (1ull << 61)) >> 62;
    y[0] = (double)(int64_t)(angle - (quarters << 62)) * 0x1.921fb54442d18p-62;
    return (int)quarters;
}
#endif
