// Functions whose parameters are declared behind the list of their names. The front-end reads those of today, so in the
// program the definition of one that a region calls has such a list (handed_rows.c):
//
//     float at(t, i) float **t; int i; { ... }      |  float at(float **t, int i) { ... }
#include "cc/region.h"

// Of a declarator with its stars and parentheses, the first token.
static uint32_t begin_of(const struct cc_source *s, const struct cc_name *name) {
    uint32_t at = name->at;
    for (;; at--) {
        enum front_token_kind before = cc_kind(s, at - 1), further = cc_kind(s, at - 2);
        bool is_word = before == FRONT_KW_CONST || before == FRONT_KW_RESTRICT || before == FRONT_KW_VOLATILE;
        if (before == FRONT_P_STAR || before == FRONT_P_LPAREN) continue;
        if (!is_word || further != FRONT_P_STAR) return at;
    }
}

void cc_put_old_param(struct base_text *out, const struct cc_source *s, const struct cc_name *param) {
    const struct cc_name *first = param; // of its declaration
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (n->is_param && n->said_from == param->said_from && n->at < first->at) first = n;
    }
    for (uint32_t at = param->said_from, to = begin_of(s, first); at < to; at++)
        base_text_format(out, "%s ", s->tokens[at].text);
    for (uint32_t at = begin_of(s, param); at < param->end; at++)
        base_text_format(out, "%s ", s->tokens[at].text);
}
