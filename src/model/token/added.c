// Finding added tokens. At each place the sorted list is narrowed byte by byte, so a place costs at most the longest
// token's bytes, however many tokens there are.
#include "model/token/added.h"

#include <stdlib.h>
#include <string.h>

void added_add(struct model_work *w, struct added_tokens *all, const struct added_token *one) {
    if (one->size_bytes == 0) return;
    if (one->size_bytes > ADDED_MAX_BYTES)
        model_refuse(w, WHORL_LIMIT, "it has an added token of more than %d bytes", ADDED_MAX_BYTES);
    if (all->count == ADDED_MOST) model_refuse(w, WHORL_LIMIT, "it has more than %d added tokens", ADDED_MOST);
    BASE_RESERVE(&w->cx, all->items, all->count, all->cap);
    all->items[all->count++] = *one;
    all->begins[(unsigned char)one->text[0]] = true;
}

static int compare(const void *a, const void *b) {
    const struct added_token *x = a, *y = b;
    uint32_t shorter = x->size_bytes < y->size_bytes ? x->size_bytes : y->size_bytes;
    int order = memcmp(x->text, y->text, shorter);
    if (order) return order;
    if (x->size_bytes != y->size_bytes) return x->size_bytes < y->size_bytes ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

void added_sort(struct added_tokens *all) {
    if (all->count) qsort(all->items, all->count, sizeof *all->items, compare);
}

// The first of [low, high), all with the same first `at` bytes, whose byte there is at least `byte`; one that ends
// before has none and comes first.
static uint32_t bound(const struct added_tokens *all, uint32_t low, uint32_t high, uint32_t at, int byte) {
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct added_token *t = &all->items[middle];
        int own = t->size_bytes > at ? (unsigned char)t->text[at] : -1;
        if (own < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct added_token *longest_at(const struct added_tokens *all, struct unicode_text text, size_t from) {
    const struct added_token *found = NULL;
    uint32_t low = 0, high = all->count;
    for (uint32_t at = 0; low < high && at < text.size_bytes - from; at++) {
        int byte = (unsigned char)text.text[from + at];
        low = bound(all, low, high, at, byte);
        high = bound(all, low, high, at, byte + 1);
        if (low < high && all->items[low].size_bytes == at + 1) found = &all->items[low];
    }
    return found;
}

static size_t before(const char *text, size_t at) {
    do
        at--;
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80);
    return at;
}

static bool stands_alone(struct unicode_text text, size_t begin, size_t end) {
    size_t left = begin ? before(text.text, begin) : 0, right = end;
    if (begin && unicode_is_word(unicode_next(text.text, &left))) return false;
    return end == text.size_bytes || !unicode_is_word(unicode_next(text.text, &right));
}

static void take_spaces(const struct added_token *t, struct unicode_text text, size_t from, struct added_match *m) {
    while (t->strip_left && m->begin > from) {
        size_t at = before(text.text, m->begin), next = at;
        if (!unicode_is_space(unicode_next(text.text, &next))) break;
        m->begin = at;
    }
    while (t->strip_right && m->end < text.size_bytes) {
        size_t next = m->end;
        if (!unicode_is_space(unicode_next(text.text, &next))) break;
        m->end = next;
    }
}

bool added_next(const struct added_tokens *all, struct unicode_text text, size_t from, struct added_match *out) {
    for (size_t at = from; at < text.size_bytes; at++) {
        if (!all->begins[(unsigned char)text.text[at]]) continue;
        const struct added_token *t = longest_at(all, text, at);
        if (!t) continue;
        if (t->single_word && !stands_alone(text, at, at + t->size_bytes)) {
            at += t->size_bytes - 1;
            continue;
        }
        *out = (struct added_match){at, at + t->size_bytes, t->id};
        take_spaces(t, text, from, out);
        return true;
    }
    return false;
}
