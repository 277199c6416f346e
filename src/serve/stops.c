#include <string.h>

#include "serve/stops.h"

// Does text[at ..] begin with `stop`, as far as it goes? *out_whole: all of it is there.
static bool begins(const char *text, size_t size, size_t at, const char *stop, bool *out_whole) {
    size_t length = strlen(stop), there = size - at < length ? size - at : length;
    *out_whole = there == length;
    return memcmp(text + at, stop, there) == 0;
}

size_t stops_look(const struct stops *s, const char *text, size_t from, size_t size_bytes, bool *out_found) {
    *out_found = false;
    for (size_t at = from; at < size_bytes; at++) {
        bool may_be = false;
        for (size_t i = 0; i < s->count; i++) {
            bool whole;
            if (!begins(text, size_bytes, at, s->texts[i], &whole)) continue;
            may_be = true;
            *out_found |= whole;
        }
        if (may_be) return at;
    }
    return size_bytes;
}
