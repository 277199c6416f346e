// utf8proc knows the characters. Its own decomposition of a text sorts marks by swapping neighbours, which takes
// quadratic time on long runs; so characters are decomposed one by one and runs of marks are sorted here.
#define _GNU_SOURCE // memmem
#include "model/token/unicode.h"

#include <stdlib.h>
#include <string.h>

#include "utf8proc.h"

int32_t unicode_next(const char *text, size_t *at) {
    const unsigned char *p = (const unsigned char *)text + *at;
    if (p[0] < 0x80) return *at += 1, p[0];
    if (p[0] < 0xe0) return *at += 2, (p[0] & 31) << 6 | (p[1] & 63);
    if (p[0] < 0xf0) return *at += 3, (p[0] & 15) << 12 | (p[1] & 63) << 6 | (p[2] & 63);
    return *at += 4, (p[0] & 7) << 18 | (p[1] & 63) << 12 | (p[2] & 63) << 6 | (p[3] & 63);
}

size_t unicode_put(int32_t character, char *out) {
    return (size_t)utf8proc_encode_char(character, (utf8proc_uint8_t *)out);
}

size_t unicode_check(const char *text, size_t size_bytes) {
    const unsigned char *p = (const unsigned char *)text;
    size_t at = 0;
    while (at < size_bytes) {
        unsigned char c = p[at];
        size_t more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : (c & 0xf0) == 0xe0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 9;
        if (more > size_bytes - at - 1) return at;
        for (size_t i = 1; i <= more; i++)
            if ((p[at + i] & 0xc0) != 0x80) return at;
        if ((c == 0xe0 && p[at + 1] < 0xa0) || (c == 0xed && p[at + 1] > 0x9f)) return at; // too long; surrogates
        if ((c == 0xf0 && p[at + 1] < 0x90) || (c == 0xf4 && p[at + 1] > 0x8f)) return at; // too long; too large
        at += more + 1;
    }
    return size_bytes;
}

const char *unicode_find(const char *text, size_t size_bytes, const char *part, size_t part_bytes) {
    return memmem(text, size_bytes, part, part_bytes);
}

bool unicode_is_space(int32_t c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
    utf8proc_category_t category = utf8proc_category(c);
    return c == 0x85 || category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

bool unicode_is_word(int32_t c) {
    utf8proc_category_t category = utf8proc_category(c);
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) || category == UTF8PROC_CATEGORY_PC;
}

enum { UNICODE_MOST = 256 << 20 }; // characters of a text in its normal form

// ---- normal forms ----

struct mark {
    int32_t character;
    uint32_t order; // combining class, then place
};

static int compare_marks(const void *a, const void *b) {
    const struct mark *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static unsigned class_of(int32_t c) { return (unsigned)utf8proc_get_property(c)->combining_class; }

static void sort_run(struct model_work *w, int32_t *run, size_t count) {
    if (count == 2) {
        if (class_of(run[0]) > class_of(run[1])) {
            int32_t first = run[0];
            run[0] = run[1];
            run[1] = first;
        }
        return;
    }
    if (count >= 1u << 24) model_refuse(w, WHORL_LIMIT, "the text has more than 16 million marks in a row");
    struct base_scratch scratch = base_scratch_begin(&w->cx);
    struct mark *marks = base_alloc_array(&w->cx, count, sizeof *marks);
    for (size_t i = 0; i < count; i++)
        marks[i] = (struct mark){run[i], class_of(run[i]) << 24 | (uint32_t)i};
    qsort(marks, count, sizeof *marks, compare_marks);
    for (size_t i = 0; i < count; i++)
        run[i] = marks[i].character;
    base_scratch_end(&w->cx, &scratch);
}

static void sort_marks(struct model_work *w, int32_t *characters, size_t count) {
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && class_of(characters[end]))
            end++;
        if (end > i + 1) sort_run(w, characters + i, end - i);
        i = end + 1;
    }
}

// Characters of the text, decomposed; *out may be NULL to count them.
static size_t decompose(struct unicode_text in, int options, int32_t *out, size_t room) {
    size_t count = 0;
    for (size_t at = 0; at < in.size_bytes;) {
        int boundary = 0;
        utf8proc_ssize_t some =
            utf8proc_decompose_char(unicode_next(in.text, &at), out ? out + count : NULL,
                                    (utf8proc_ssize_t)(out ? room - count : 0), (utf8proc_option_t)options, &boundary);
        count += some > 0 ? (size_t)some : 0;
    }
    return count;
}

static bool is_ascii(struct unicode_text in) {
    for (size_t i = 0; i < in.size_bytes; i++)
        if ((unsigned char)in.text[i] >= 0x80) return false;
    return true;
}

struct unicode_text unicode_normal(struct model_work *w, struct unicode_text in, enum unicode_form form) {
    bool compose = form == UNICODE_NFC || form == UNICODE_NFKC;
    int options = UTF8PROC_STABLE | (compose ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE);
    if (form == UNICODE_NFKC || form == UNICODE_NFKD) options |= UTF8PROC_COMPAT;
    if (is_ascii(in)) return in;
    // composing does not read the option DECOMPOSE, but single characters only come apart with it
    int apart = (options & ~UTF8PROC_COMPOSE) | UTF8PROC_DECOMPOSE;
    size_t count = decompose(in, apart, NULL, 0);
    if (count > UNICODE_MOST) model_refuse(w, WHORL_LIMIT, "the text is too long in its normal form");
    struct base_scratch scratch = base_scratch_begin(&w->cx);
    int32_t *characters = base_alloc_array(&w->cx, count, sizeof *characters);
    count = decompose(in, apart, characters, count);
    sort_marks(w, characters, count);
    if (compose)
        count = (size_t)utf8proc_normalize_utf32(characters, (utf8proc_ssize_t)count, (utf8proc_option_t)options);
    char *text = base_alloc_array(&w->cx, count, 4);
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += unicode_put(characters[i], text + size);
    text = base_scratch_keep(&w->cx, &scratch, text, size);
    base_scratch_end(&w->cx, &scratch);
    return (struct unicode_text){text, size};
}
