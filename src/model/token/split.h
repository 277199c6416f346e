// How a text falls into the pieces that are encoded each for itself: normalisers first, then splits, each a list of
// steps.
#ifndef WHORL_MODEL_SPLIT_H
#define WHORL_MODEL_SPLIT_H

#include "model/token/pattern.h"
#include "model/token/unicode.h"

enum { SPLIT_MAX_STEPS = 16 };

enum normal_kind { NORMAL_FORM, NORMAL_PREPEND, NORMAL_REPLACE };
struct normal_step {
    enum normal_kind kind;
    enum unicode_form form;
    struct pattern *pattern; // what is replaced
    const char *text;        // put in front, or instead
    size_t size_bytes;
};

enum split_kind { SPLIT_PATTERN, SPLIT_PREFIX_SPACE, SPLIT_METASPACE };
enum split_behavior { SPLIT_ISOLATED, SPLIT_REMOVED, SPLIT_WITH_PREVIOUS, SPLIT_WITH_NEXT, SPLIT_CONTIGUOUS };
enum split_prepend { SPLIT_PREPEND_NEVER, SPLIT_PREPEND_FIRST, SPLIT_PREPEND_ALWAYS };
struct split_step {
    enum split_kind kind;
    struct pattern *pattern; // PATTERN; METASPACE: NULL, or the replacement itself
    enum split_behavior behavior;
    bool invert;
    enum split_prepend prepend; // METASPACE: whether the replacement stands in front
    const char *text;           // METASPACE: the replacement of a space
};

struct split_steps {
    struct normal_step normals[SPLIT_MAX_STEPS];
    uint32_t normal_count;
    struct split_step splits[SPLIT_MAX_STEPS];
    uint32_t split_count;
};
void split_steps_free(struct split_steps *steps); // the patterns

struct unicode_text split_normalise(struct model_work *w, const struct split_steps *steps, struct unicode_text text);

struct split_piece {
    size_t at, size_bytes;
};
struct split_pieces {
    struct unicode_text text; // steps may have made a new one
    struct split_piece *items;
    uint32_t count, cap;
};
// begins: the text is the first of its document
void split_text(struct model_work *w, const struct split_steps *steps, struct unicode_text text, bool begins,
                struct split_pieces *out);

#endif
