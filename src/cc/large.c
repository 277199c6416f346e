// Constants that are beyond a float's range, in regions whose doubles are pairs of floats: DBL_MAX, 1e100, with which
// searches begin. A constant of the program cannot be such a pair, but a number that the program brings along can (see
// offload/doubles.c: it keeps its place among others, and what is made of it is noticed). So each of them is a
// parameter, which the entry puts into a variable at file scope, where functions find it, too.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cc/region.h"

// Its value where it is a constant of double, or one of long double that is made double at once, as DBL_MAX is; 0: it
// is none.
static double double_at(const struct cc_source *s, uint32_t at) {
    const struct cc_token *t = &s->tokens[at];
    if (t->kind != FRONT_TOK_FLOAT || at < 3) return 0;
    char last = t->text[strlen(t->text) - 1];
    bool is_long = last == 'l' || last == 'L', is_hex = t->text[0] == '0' && (t->text[1] | 32) == 'x';
    bool is_cast = cc_kind(s, at - 1) == FRONT_P_RPAREN && cc_kind(s, at - 2) == FRONT_KW_DOUBLE &&
                   cc_kind(s, at - 3) == FRONT_P_LPAREN;
    bool is_float = (last | 32) == 'f' && !is_hex;
    return is_float || (is_long && !is_cast) ? 0 : strtod(t->text, NULL);
}

// A constant of long double that is one of double without its last letter.
bool cc_is_cast_long(const struct cc_source *s, uint32_t at) {
    double value = double_at(s, at);
    char last = value == 0 ? 0 : s->tokens[at].text[s->tokens[at].size - 1];
    return last == 'l' || last == 'L';
}

static void find(struct cc_region *r, uint32_t from, uint32_t to, bool *seen) {
    const struct cc_source *s = r->source;
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(s, at);
        double value = double_at(s, at);
        if (f && f->body && !seen[f - s->functions]) {
            seen[f - s->functions] = true;
            find(r, f->from, f->to, seen);
        }
        if (!isfinite(value) || !isinf((float)value)) continue;
        uint32_t which = 0;
        while (which < r->large_count && r->large[which].value != value)
            which++;
        if (which == UINT8_MAX) {
            cc_refuse(r, s->tokens[at].line, "more than %u constants beyond a float's range: put them into an array",
                      (unsigned)UINT8_MAX);
            return;
        }
        BASE_RESERVE(s->cx, r->large_uses, r->large_use_count, r->large_use_cap);
        r->large_uses[r->large_use_count++] = (struct cc_derivation){.kind = (uint8_t)which, .from = at, .to = at + 1};
        if (which < r->large_count) continue;
        BASE_RESERVE(s->cx, r->large, r->large_count, r->large_cap);
        r->large[r->large_count++] = (struct cc_large){value, base_format(s->cx, "%.17g", value)};
    }
}

void cc_find_large(struct cc_region *r) {
    const struct cc_source *s = r->source;
    r->large_count = r->large_use_count = 0;
    if (!s->options || !s->options->double_as_pair) return;
    find(r, r->node->from, r->node->to, base_alloc_array(s->cx, s->function_count + 1, sizeof(bool)));
}
