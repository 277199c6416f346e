// Added tokens: texts that are found before a tokenizer does anything else.
#ifndef WHORL_MODEL_ADDED_H
#define WHORL_MODEL_ADDED_H

#include "model/token/unicode.h"

enum { ADDED_MAX_BYTES = 256, ADDED_MOST = 1 << 16 };
struct added_token {
    const char *text;
    uint32_t size_bytes, id;
    bool single_word, strip_left, strip_right;
};
struct added_tokens {
    struct added_token *items; // sorted by text once added_sort was called
    uint32_t count, cap;
    bool begins[256]; // some token begins with this byte
};
void added_add(struct model_work *w, struct added_tokens *all, const struct added_token *one);
void added_sort(struct added_tokens *all);

struct added_match {
    size_t begin, end; // with the spaces that the token takes along
    uint32_t id;
};
// The next match at or behind `from`, the leftmost and of these the longest. False: there is none.
bool added_next(const struct added_tokens *all, struct unicode_text text, size_t from, struct added_match *out);

#endif
