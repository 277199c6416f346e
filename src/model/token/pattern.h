// Regular expressions of tokenizers, by PCRE2 with limits of its work and memory and without its compiler to machine
// code.
#ifndef WHORL_MODEL_PATTERN_H
#define WHORL_MODEL_PATTERN_H

#include "model/file/work.h"

struct pattern; // freed by pattern_free
struct pattern *pattern_make(struct model_work *w, const char *text, size_t size_bytes);
struct pattern *pattern_make_literal(struct model_work *w, const char *text, size_t size_bytes);
void pattern_free(struct pattern *p); // NULL is fine

// A text is searched from front to back: begins its clock.
void pattern_begin(struct pattern *p);
// The first match that is not empty, at or after *io_at. False: there is none.
bool pattern_next(struct model_work *w, struct pattern *p, const char *text, size_t size_bytes, size_t *io_at,
                  size_t *out_end);

#endif
