// UTF-8, classes of characters, normal forms.
#ifndef WHORL_MODEL_UNICODE_H
#define WHORL_MODEL_UNICODE_H

#include "model/file/work.h"

// The character at *at, which is moved behind it; of text that unicode_check has passed.
int32_t unicode_next(const char *text, size_t *at);
size_t unicode_put(int32_t character, char *out); // bytes written, at most 4
// The byte at which text is no longer UTF-8 (RFC 3629); size_bytes: it is.
size_t unicode_check(const char *text, size_t size_bytes);

// Where part stands in text first, or NULL; in linear time.
const char *unicode_find(const char *text, size_t size_bytes, const char *part, size_t part_bytes);

bool unicode_is_space(int32_t character); // White_Space
bool unicode_is_word(int32_t character);  // a letter, mark, number or connector

enum unicode_form { UNICODE_NFC, UNICODE_NFD, UNICODE_NFKC, UNICODE_NFKD };
// The text in that form, in the arena. Linear but for sorting runs of marks, however long they are.
struct unicode_text {
    const char *text;
    size_t size_bytes;
};
struct unicode_text unicode_normal(struct model_work *w, struct unicode_text in, enum unicode_form form);

#endif
