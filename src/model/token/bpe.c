// Byte-pair encoding of one piece. Symbols are a list; possible merges stand in a heap, lowest rank first, then
// leftmost. A merge makes at most two new candidates, so a piece of n bytes takes n log n steps, even where it is a
// whole book of one letter. Candidates that were overtaken stay in the heap and are recognised when they come up.
#include <string.h>

#include "model/token/unicode.h"
#include "model/token/vocab.h"

struct symbol {
    uint32_t id; // VOCAB_NONE: swallowed
    uint32_t before, after;
};
struct candidate {
    uint32_t rank, at, result;
};
struct merging {
    struct model_work *w;
    const struct vocab *v;
    struct symbol *symbols;
    uint32_t count, cap;
    struct candidate *heap;
    uint32_t heap_count;
};

static bool goes_first(const struct candidate *a, const struct candidate *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void heap_add(struct merging *m, struct candidate c) {
    uint32_t at = m->heap_count++;
    while (at > 0 && goes_first(&c, &m->heap[(at - 1) / 2])) {
        m->heap[at] = m->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    m->heap[at] = c;
}

static struct candidate heap_take(struct merging *m) {
    struct candidate first = m->heap[0], last = m->heap[--m->heap_count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < m->heap_count; at = child) {
        if (child + 1 < m->heap_count && goes_first(&m->heap[child + 1], &m->heap[child])) child++;
        if (!goes_first(&m->heap[child], &last)) break;
        m->heap[at] = m->heap[child];
    }
    m->heap[at] = last;
    return first;
}

static void consider(struct merging *m, uint32_t at) {
    if (at == VOCAB_NONE || m->symbols[at].after == VOCAB_NONE) return;
    const struct vocab_merge *merge = vocab_merge_of(m->v, m->symbols[at].id, m->symbols[m->symbols[at].after].id);
    if (merge) heap_add(m, (struct candidate){merge->rank, at, merge->result});
}

static void apply(struct merging *m, const struct candidate *c) {
    struct symbol *s = &m->symbols[c->at];
    if (s->id == VOCAB_NONE || s->after == VOCAB_NONE) return;
    struct symbol *next = &m->symbols[s->after];
    const struct vocab_merge *merge = vocab_merge_of(m->v, s->id, next->id);
    if (!merge || merge->result != c->result) return; // one of the two became something else
    s->id = c->result;
    s->after = next->after;
    next->id = VOCAB_NONE;
    if (s->after != VOCAB_NONE) m->symbols[s->after].before = c->at;
    consider(m, s->before);
    consider(m, c->at);
}

// ---- the first symbols ----

static void add_symbol(struct merging *m, uint32_t id) {
    BASE_RESERVE(&m->w->cx, m->symbols, m->count, m->cap);
    m->symbols[m->count++] = (struct symbol){.id = id};
}

static bool has_bytes(const struct vocab *v, const char *text, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++)
        if (v->bytes[(unsigned char)text[i]] == VOCAB_NONE) return false;
    return v->byte_fallback;
}

static void add_symbols(struct merging *m, const char *text, size_t size_bytes) {
    const struct vocab *v = m->v;
    bool unknown_before = false;
    for (size_t at = 0; at < size_bytes;) {
        size_t begin = at;
        if (v->byte_level)
            at++;
        else
            (void)unicode_next(text, &at);
        uint32_t id = vocab_find(v, text + begin, at - begin);
        bool unknown = id == VOCAB_NONE && !has_bytes(v, text + begin, at - begin);
        if (id != VOCAB_NONE) add_symbol(m, id);
        for (size_t i = begin; id == VOCAB_NONE && !unknown && i < at; i++)
            add_symbol(m, v->bytes[(unsigned char)text[i]]);
        if (unknown && v->unknown != VOCAB_NONE && !(v->fuse_unknown && unknown_before)) add_symbol(m, v->unknown);
        unknown_before = unknown;
    }
}

static void add_id(struct model_work *w, struct vocab_ids *out, uint32_t id) {
    BASE_RESERVE(&w->cx, out->ids, out->count, out->cap);
    out->ids[out->count++] = id;
}

void vocab_encode(struct model_work *w, const struct vocab *v, const char *text, size_t size_bytes,
                  struct vocab_ids *out) {
    if (size_bytes == 0) return;
    uint32_t whole = v->ignore_merges ? vocab_find(v, text, size_bytes) : VOCAB_NONE;
    if (whole != VOCAB_NONE) {
        add_id(w, out, whole);
        return;
    }
    struct symbol few[64]; // most pieces are words
    struct candidate few_candidates[3 * 64];
    struct merging m = {.w = w, .v = v, .symbols = few, .cap = 64, .heap = few_candidates};
    add_symbols(&m, text, size_bytes);
    // at most one candidate for each pair in the beginning, and two for each merge
    if (m.count > 64) m.heap = base_alloc_array(&w->cx, 3 * (size_t)m.count, sizeof *m.heap);
    for (uint32_t i = 0; i < m.count; i++) {
        m.symbols[i].before = i ? i - 1 : VOCAB_NONE;
        m.symbols[i].after = i + 1 < m.count ? i + 1 : VOCAB_NONE;
    }
    for (uint32_t i = 0; i + 1 < m.count; i++)
        consider(&m, i);
    while (m.heap_count) {
        struct candidate c = heap_take(&m);
        apply(&m, &c);
    }
    for (uint32_t i = 0; i < m.count; i++)
        if (m.symbols[i].id != VOCAB_NONE) add_id(w, out, m.symbols[i].id);
}
