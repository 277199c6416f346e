// Texts at which an answer ends. What may be the beginning of one waits until it is known.
#ifndef WHORL_SERVE_STOPS_H
#define WHORL_SERVE_STOPS_H

#include <stdbool.h>
#include <stddef.h>

enum { STOPS_MOST = 16, STOPS_BYTES = 256 };
struct stops {
    char *texts[STOPS_MOST]; // NUL-terminated UTF-8, none empty; freed by whoever owns this
    size_t count;
};

// text[from .. size): not given away yet. Returns where that ends which can be given away now: what is behind it may
// become a stop text. *out_found: the answer ends there. All of it is looked at again in the next call, with more.
size_t stops_look(const struct stops *s, const char *text, size_t from, size_t size_bytes, bool *out_found);

#endif
