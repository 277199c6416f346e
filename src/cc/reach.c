// Which functions of the file a region reaches, and which its program can go without.
#include "cc/region.h"

const struct cc_function *cc_function_of(const struct cc_source *s, const char *text) {
    uint32_t i = s->function_hash[cc_hash_of(text)];
    while (i && s->functions[i - 1].name != text)
        i = s->functions[i - 1].next;
    return i ? &s->functions[i - 1] : NULL;
}

const struct cc_function *cc_called(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_LPAREN) return NULL;
    return cc_function_of(s, s->tokens[at].text);
}

static void mark_reached(const struct cc_source *s, uint32_t from, uint32_t to, bool *io_reached) {
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(s, at);
        if (!f || !f->body || io_reached[f - s->functions]) continue;
        io_reached[f - s->functions] = true;
        mark_reached(s, f->from, f->to, io_reached);
    }
}

const bool *cc_reached(struct cc_region *r) {
    const struct cc_source *s = r->source;
    if (r->reached) return r->reached;
    r->reached = base_alloc_array(s->cx, s->function_count + 1, sizeof *r->reached);
    mark_reached(s, r->node->from, r->node->to, r->reached);
    return r->reached;
}

// ---- what is named --------------------------------------------------------------------------------------------------

// Functions of `s` that tokens of this or another file name, in calls or not, and what those name.
static void mark_named(const struct cc_source *s, const struct cc_source *text, uint32_t from, uint32_t to,
                       bool *io_named) {
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(text, at) != FRONT_TOK_IDENT) continue;
        const struct cc_function *f = cc_function_of(s, text->tokens[at].text);
        const struct cc_name *name = f ? cc_find(text, text->tokens[at].text, at) : NULL;
        bool is_hidden = name && name->kind == CC_VARIABLE; // by a variable of that name
        if (!f || is_hidden || io_named[f - s->functions]) continue;
        io_named[f - s->functions] = true;
        mark_named(s, s, f->from, f->to, io_named);
    }
}

// By what stands outside of all functions, as `declare reduction`; a declaration does not name what it declares.
static void mark_outside(struct cc_source *s) {
    bool *named = s->named_outside = base_alloc_array(s->cx, s->function_count + 1, sizeof *named);
    for (uint32_t at = 0, next = 0; at < s->count; at++) {
        if (next < s->function_count && at == s->functions[next].from) at = s->functions[next++].to;
        if (cc_kind(s, at) != FRONT_TOK_IDENT || !cc_function_of(s, s->tokens[at].text)) continue;
        if (!cc_is_declared_at(s, at)) mark_named(s, s, at, at + 1, named);
    }
}

void cc_name_function(struct cc_region *r, const char *text) {
    const struct cc_source *s = r->source;
    const struct cc_function *f = cc_function_of(s, text);
    if (!f || r->named[f - s->functions]) return;
    r->named[f - s->functions] = true;
    mark_named(s, s, f->from, f->to, r->named);
}

const bool *cc_named(struct cc_region *r) {
    struct cc_source *s = r->source;
    if (r->named) return r->named;
    if (!s->named_outside) mark_outside(s);
    bool *named = r->named = base_alloc_array(s->cx, s->function_count + 1, sizeof *named);
    for (uint32_t i = 0; i < s->function_count; i++)
        named[i] = s->named_outside[i];
    mark_named(s, s, r->node->from, r->node->to, named);
    for (uint32_t i = 0; i < r->repeated_count; i++)
        mark_named(s, s, r->repeated[i].from, r->repeated[i].to, named);
    for (uint32_t i = 0; i < r->import_count; i++)
        mark_named(s, r->imports[i]->source, r->imports[i]->function->from, r->imports[i]->function->to, named);
    return named;
}
