// Normalising and splitting. A split never moves bytes, so it only makes a longer list of pieces; the two steps that
// put something in write the whole text anew.
#include "model/token/split.h"

#include <string.h>

void split_steps_free(struct split_steps *steps) {
    for (uint32_t i = 0; i < steps->normal_count; i++)
        pattern_free(steps->normals[i].pattern);
    for (uint32_t i = 0; i < steps->split_count; i++)
        pattern_free(steps->splits[i].pattern);
    steps->normal_count = steps->split_count = 0;
}

// ---- normalisers ----

static struct unicode_text text_of(const struct base_text *text) {
    return (struct unicode_text){text->data, text->size};
}

static struct unicode_text replace(struct model_work *w, const struct normal_step *step, struct unicode_text in) {
    struct base_text out;
    size_t from = 0, at = 0, end;
    base_text_init(&out, &w->cx);
    pattern_begin(step->pattern);
    while (pattern_next(w, step->pattern, in.text, in.size_bytes, &at, &end)) {
        base_text_add(&out, in.text + from, at - from);
        base_text_add(&out, step->text, step->size_bytes);
        from = at = end;
    }
    if (from == 0) return in;
    base_text_add(&out, in.text + from, in.size_bytes - from);
    return text_of(&out);
}

static struct unicode_text prepend(struct model_work *w, const char *text, size_t size_bytes, struct unicode_text in) {
    struct base_text out;
    base_text_init(&out, &w->cx);
    base_text_add(&out, text, size_bytes);
    base_text_add(&out, in.text, in.size_bytes);
    return text_of(&out);
}

struct unicode_text split_normalise(struct model_work *w, const struct split_steps *steps, struct unicode_text text) {
    for (uint32_t i = 0; i < steps->normal_count; i++) {
        const struct normal_step *step = &steps->normals[i];
        if (text.size_bytes == 0) break;
        switch (step->kind) {
        case NORMAL_FORM: text = unicode_normal(w, text, step->form); break;
        case NORMAL_PREPEND: text = prepend(w, step->text, step->size_bytes, text); break;
        case NORMAL_REPLACE: text = replace(w, step, text); break;
        }
    }
    return text;
}

// ---- splits ----

static void add_piece(struct model_work *w, struct split_pieces *out, size_t begin, size_t end) {
    if (begin == end) return;
    BASE_RESERVE(&w->cx, out->items, out->count, out->cap);
    out->items[out->count++] = (struct split_piece){begin, end - begin};
}

// Ranges of one piece, matching and not, in turn; the behaviour says which belong together.
struct ranges {
    struct model_work *w;
    const struct split_step *step;
    struct split_pieces *out;
    size_t begin, end; // of what is not handed out yet
    bool pending, pending_matched;
};

static void flush(struct ranges *r) {
    if (r->pending) add_piece(r->w, r->out, r->begin, r->end);
    r->pending = false;
}

static void add_range(struct ranges *r, size_t begin, size_t end, bool matched) {
    bool joins = false;
    if (begin == end) return;
    switch (r->step->behavior) {
    case SPLIT_ISOLATED: break;
    case SPLIT_REMOVED:
        if (matched) {
            flush(r);
            return;
        }
        break;
    case SPLIT_WITH_PREVIOUS: joins = matched && !r->pending_matched; break;
    case SPLIT_WITH_NEXT: joins = !matched && r->pending_matched; break;
    case SPLIT_CONTIGUOUS: joins = matched == r->pending_matched; break;
    }
    if (!(joins && r->pending)) {
        flush(r);
        r->begin = begin;
    }
    r->end = end;
    r->pending = true;
    r->pending_matched = matched;
}

static void split_piece(struct model_work *w, const struct split_step *step, const char *text, struct split_piece piece,
                        struct split_pieces *out) {
    struct ranges r = {.w = w, .step = step, .out = out};
    size_t from = 0, at = 0, end;
    const char *own = text + piece.at; // the pattern sees the piece alone
    while (at < piece.size_bytes && pattern_next(w, step->pattern, own, piece.size_bytes, &at, &end)) {
        add_range(&r, piece.at + from, piece.at + at, step->invert);
        add_range(&r, piece.at + at, piece.at + end, !step->invert);
        from = at = end;
    }
    add_range(&r, piece.at + from, piece.at + piece.size_bytes, step->invert);
    flush(&r);
}

static void split_all(struct model_work *w, const struct split_step *step, struct split_pieces *pieces) {
    struct split_pieces out = {.text = pieces->text};
    pattern_begin(step->pattern);
    for (uint32_t i = 0; i < pieces->count; i++)
        split_piece(w, step, pieces->text.text, pieces->items[i], &out);
    *pieces = out;
}

// A space in front of each piece that has none.
static void add_spaces(struct model_work *w, struct split_pieces *pieces) {
    struct base_text out;
    base_text_init(&out, &w->cx);
    for (uint32_t i = 0; i < pieces->count; i++) {
        struct split_piece *p = &pieces->items[i];
        const char *own = pieces->text.text + p->at;
        size_t begin = out.size;
        if (own[0] != ' ') base_text_put(&out, " ");
        base_text_add(&out, own, p->size_bytes);
        *p = (struct split_piece){begin, out.size - begin};
    }
    pieces->text = text_of(&out);
}

static bool begins_with(const char *text, size_t size_bytes, const char *part) {
    size_t size = strlen(part);
    return size_bytes >= size && memcmp(text, part, size) == 0;
}

static void add_metaspaces(struct model_work *w, const struct split_step *step, bool begins,
                           struct split_pieces *pieces) {
    struct base_text out;
    base_text_init(&out, &w->cx);
    for (uint32_t i = 0; i < pieces->count; i++) {
        struct split_piece *p = &pieces->items[i];
        const char *own = pieces->text.text + p->at;
        size_t begin = out.size;
        bool wanted = step->prepend == SPLIT_PREPEND_ALWAYS ||
                      (step->prepend == SPLIT_PREPEND_FIRST && begins && i == 0 && p->at == 0);
        if (wanted && own[0] != ' ' && !begins_with(own, p->size_bytes, step->text)) base_text_put(&out, step->text);
        for (size_t from = 0; from < p->size_bytes;) {
            const char *space = memchr(own + from, ' ', p->size_bytes - from);
            size_t to = space ? (size_t)(space - own) : p->size_bytes;
            base_text_add(&out, own + from, to - from);
            if (space) base_text_put(&out, step->text);
            from = to + (space != NULL);
        }
        *p = (struct split_piece){begin, out.size - begin};
    }
    pieces->text = text_of(&out);
    if (step->pattern) split_all(w, step, pieces);
}

void split_text(struct model_work *w, const struct split_steps *steps, struct unicode_text text, bool begins,
                struct split_pieces *out) {
    *out = (struct split_pieces){.text = text};
    add_piece(w, out, 0, text.size_bytes);
    for (uint32_t i = 0; i < steps->split_count && out->count; i++) {
        const struct split_step *step = &steps->splits[i];
        switch (step->kind) {
        case SPLIT_PATTERN: split_all(w, step, out); break;
        case SPLIT_PREFIX_SPACE: add_spaces(w, out); break;
        case SPLIT_METASPACE: add_metaspaces(w, step, begins, out); break;
        }
    }
}
