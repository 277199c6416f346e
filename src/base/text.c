// Text that grows in the arena, for printers and emitters. It doubles, so building n bytes costs O(n).
#include <stdio.h>
#include <string.h>

#include "base/base.h"

void base_text_init(struct base_text *t, struct base_cx *cx) {
    t->cx = cx;
    t->size = 0;
    t->cap = 256;
    t->data = base_alloc(cx, t->cap);
}

// Makes room for `more` bytes and the NUL.
static void make_room(struct base_text *t, size_t more) {
    if (more < t->cap - t->size) return;
    size_t cap = t->cap;
    while (cap <= SIZE_MAX / 2 && cap - t->size <= more)
        cap *= 2;
    if (cap - t->size <= more) base_fatal(t->cx, 0, "a text of %zu bytes is too long", more);
    char *larger = base_alloc(t->cx, cap);
    memcpy(larger, t->data, t->size);
    t->data = larger;
    t->cap = cap;
}

void base_text_add(struct base_text *t, const char *text, size_t size) {
    make_room(t, size);
    if (size) memcpy(t->data + t->size, text, size);
    t->size += size;
    t->data[t->size] = 0;
}

void base_text_put(struct base_text *t, const char *text) { base_text_add(t, text, strlen(text)); }

void base_text_format(struct base_text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(t->data + t->size, t->cap - t->size, format, args);
    va_end(args);
    if (size > 0 && (size_t)size >= t->cap - t->size) {
        make_room(t, (size_t)size);
        vsnprintf(t->data + t->size, t->cap - t->size, format, again);
    }
    va_end(again);
    if (size > 0) t->size += (size_t)size;
    t->data[t->size] = 0;
}
