// Parallel loops whose variable is a pointer. On the device a loop counts by numbers:
//
//     #pragma omp parallel for                |  { float *ccv_first_7 = a; int ccv_by_7 = 1;
//     for (float *p = a; p < a + n; p++)      |  #pragma omp parallel for
//         *p *= 2;                            |  for (int ccv_pass_7 = 0; ccv_pass_7 < ccv_passes_7; ccv_pass_7++) {
//                                             |      float *p = ccv_first_7 + ccv_pass_7 * ccv_by_7; *p *= 2; } }
//
// The forms are those that OpenMP takes. Other loops are left to the front-end, which says what it takes.
#include <string.h>

#include "cc/region.h"

struct pointer_loop {
    const struct cc_name *name;
    struct cc_derivation begin, end, by; // tokens; `by` of none: 1
    enum front_token_kind relation;
    bool is_down;
};

static const char *text_of(const struct cc_region *r, const struct cc_derivation *d) {
    struct base_text t;
    base_text_init(&t, r->source->cx);
    for (uint32_t at = d->from; at < d->to; at++) {
        const struct cc_member_use *member = cc_member_at(r, at);
        base_text_format(&t, "%s ", member && member->text ? member->text : r->source->tokens[at].text);
        if (member && member->text) at = member->to - 1;
    }
    return t.data;
}

static void edit(struct cc_region *r, uint32_t at, uint32_t size, const char *text) {
    BASE_RESERVE(r->source->cx, r->edits, r->edit_count, r->edit_cap);
    r->edits[r->edit_count++] = (struct cc_team_edit){at, size, text};
}

static bool names(const struct cc_source *s, const struct cc_name *name, const struct cc_derivation *d) {
    for (uint32_t at = d->from; at < d->to; at++)
        if (s->tokens[at].text == name->text) return true;
    return d->from >= d->to;
}

// The token behind what ends at a semicolon, or at the loop's bracket.
static uint32_t part_end(const struct cc_source *s, uint32_t at, uint32_t end) {
    while (at < end && cc_kind(s, at) != FRONT_P_SEMI)
        at = cc_kind(s, at) == FRONT_P_LPAREN || cc_kind(s, at) == FRONT_P_LBRACKET ? cc_skip_group(s, at) : at + 1;
    return at;
}

static bool is_name(const struct cc_source *s, const struct cc_name *name, uint32_t at) {
    return cc_kind(s, at) == FRONT_TOK_IDENT && s->tokens[at].text == name->text;
}

static bool read_step(const struct cc_source *s, struct pointer_loop *p, uint32_t from, uint32_t end) {
    bool first = is_name(s, p->name, from);
    enum front_token_kind kind = cc_kind(s, first ? from + 1 : from);
    if (!first && !is_name(s, p->name, from + 1)) return false;
    p->is_down = kind == FRONT_P_DEC || kind == FRONT_P_MINUS_ASSIGN;
    if (kind == FRONT_P_INC || kind == FRONT_P_DEC) return end == from + 2;
    if (!first || (kind != FRONT_P_PLUS_ASSIGN && kind != FRONT_P_MINUS_ASSIGN)) return false;
    p->by = (struct cc_derivation){.from = from + 2, .to = end};
    return !names(s, p->name, &p->by);
}

static bool read_loop(const struct cc_source *s, const struct cc_node *loop, struct pointer_loop *p) {
    uint32_t open = loop->from + 1, close = cc_skip_group(s, open) - 1;
    uint32_t first = part_end(s, open + 1, close), second = part_end(s, first + 1, close), at = open + 1;
    while (at < first && cc_kind(s, at) != FRONT_P_ASSIGN)
        at++;
    if (at == first || second >= close || cc_kind(s, at - 1) != FRONT_TOK_IDENT) return false;
    *p = (struct pointer_loop){.name = cc_find(s, s->tokens[at - 1].text, at + 1)};
    const struct cc_name *name = p->name;
    bool is_declared = name && name->at == at - 1;
    if (!name || name->kind != CC_VARIABLE || name->derive_count != 1 || name->derive[0].kind != CC_POINTER)
        return false;
    if (!is_declared && at != open + 2) return false;
    for (uint32_t k = at; k < first; k = cc_kind(s, k) == FRONT_P_LPAREN ? cc_skip_group(s, k) : k + 1)
        if (cc_kind(s, k) == FRONT_P_COMMA) return false; // it declares several
    p->begin = (struct cc_derivation){.from = at + 1, .to = first};
    p->end = (struct cc_derivation){.from = first + 3, .to = second};
    p->relation = cc_kind(s, first + 2);
    if (!is_name(s, name, first + 1) || names(s, name, &p->begin) || names(s, name, &p->end)) return false;
    if (!read_step(s, p, second + 1, close)) return false;
    bool up = p->relation == FRONT_P_LT || p->relation == FRONT_P_LE;
    bool down = p->relation == FRONT_P_GT || p->relation == FRONT_P_GE;
    bool until = p->relation == FRONT_P_NE && p->by.from == p->by.to;
    return until || (p->is_down ? down : up);
}

// How many passes there are.
static const char *passes_of(struct cc_region *r, const struct pointer_loop *p, const char *begin, const char *end,
                             const char *by) {
    bool includes = p->relation == FRONT_P_LE || p->relation == FRONT_P_GE;
    return base_format(r->source->cx, "((%s) != 0 ? ((%s) - (%s) + (%s)%s) / (%s) : 0)", by, p->is_down ? begin : end,
                       p->is_down ? end : begin, by, includes ? "" : " - 1", by);
}

// All that begins the region comes to the directive.
static bool is_always_met(const struct cc_region *r, const struct cc_node *pragma) {
    for (const struct cc_node *n = pragma->parent; n && n != r->node; n = n->parent)
        if (n->kind != CC_BLOCK && n->kind != CC_PRAGMA) return false;
    return r->node->kind == CC_PRAGMA;
}

// What the region leaves alone is known before it.
static bool is_known_before(const struct cc_region *r, const struct cc_derivation *d) {
    const struct cc_source *s = r->source;
    for (uint32_t at = d->from; at < d->to; at++) {
        enum front_token_kind before = cc_kind(s, at - 1);
        if (cc_kind(s, at) == FRONT_P_LPAREN && cc_kind(s, at - 1) == FRONT_TOK_IDENT) return false;
        if (cc_kind(s, at) != FRONT_TOK_IDENT || before == FRONT_P_DOT || before == FRONT_P_ARROW) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (!name || (name->at >= r->node->from && name->at < r->node->to)) return false;
        for (uint32_t k = r->node->from; k < r->node->to; k++) {
            if (s->tokens[k].text != name->text) continue;
            const struct cc_member_use *member = cc_member_at(r, k);
            if (cc_is_changed_at(s, k, member ? member->to : k + 1) || cc_kind(s, k - 1) == FRONT_P_AMP) return false;
        }
    }
    for (const struct cc_node *n = r->node; n; n = n->kind == CC_PRAGMA ? n->child : NULL)
        for (uint32_t at = d->from; at < d->to; at++)
            if (cc_is_in_clause(s, n, "private", s->tokens[at].text)) return false;
    return true;
}

// The two ends may be pointers that the device has arrays of their own for, so the call says how many passes there are.
static void know_passes(struct cc_region *r, const struct pointer_loop *p, const char *name) {
    struct base_cx *cx = r->source->cx;
    const char *by = p->by.from < p->by.to ? cc_joined_tokens(r->source, p->by.from, p->by.to) : "1";
    BASE_RESERVE(cx, r->passes, r->passes_count, r->passes_cap);
    r->passes[r->passes_count++] =
        (struct cc_passes){name,
                           passes_of(r, p, cc_joined_tokens(r->source, p->begin.from, p->begin.to),
                                     cc_joined_tokens(r->source, p->end.from, p->end.to), by),
                           p->end};
}

static void take_loop(struct cc_region *r, const struct cc_node *pragma, const struct cc_node *loop,
                      const struct pointer_loop *p) {
    struct cc_source *s = r->source;
    const struct cc_token *t = s->tokens, *first = &t[pragma->from], *last = &t[loop->to - 1];
    uint32_t id = loop->from, close = cc_skip_group(s, loop->from + 1) - 1;
    struct base_text text;
    base_text_init(&text, s->cx);
    cc_put_type(&text, s, p->name, true);
    const char *type = text.data, *a = base_format(s->cx, CC_PREFIX "first_%u", id);
    const char *by = base_format(s->cx, CC_PREFIX "by_%u", id), *i = base_format(s->cx, CC_PREFIX "pass_%u", id);
    const char *passes = base_format(s->cx, CC_PREFIX "passes_%u", id);
    base_text_init(&text, s->cx);
    base_text_format(&text, "{ %s*%s = %s; int %s = %s; ", type, a, text_of(r, &p->begin), by,
                     p->by.from < p->by.to ? text_of(r, &p->by) : "1");
    if (pragma == r->node || (is_always_met(r, pragma) && is_known_before(r, &p->begin) &&
                              is_known_before(r, &p->end) && is_known_before(r, &p->by)))
        know_passes(r, p, passes);
    else
        base_text_format(&text, "int %s = %s;", passes, passes_of(r, p, a, text_of(r, &p->end), by));
    base_text_format(&text, "\n# %u \"%s\"\n", first->line, s->files[first->file]);
    edit(r, first->at, 0, text.data);
    if (p->name->at < r->node->from) { // the program has one of that name, and no use for it
        const struct cc_token *begin = &t[r->node->from];
        edit(r, begin->at, 0,
             base_format(s->cx, "%s = 0;\n# %u \"%s\"\n", p->name->text, begin->line, s->files[begin->file]));
        BASE_RESERVE(s->cx, r->counters, r->counter_count, r->counter_cap);
        r->counters[r->counter_count++] = p->name;
    }
    edit(r, t[loop->from].at, t[close].at + t[close].size - t[loop->from].at,
         base_format(s->cx, "for (int %s = 0; %s < %s; %s++) { %s*%s = %s %s %s * %s;\n# %u \"%s\"\n", i, i, passes, i,
                     type, p->name->text, a, p->is_down ? "-" : "+", i, by, t[close].line, s->files[t[close].file]));
    edit(r, last->at + last->size, 0, " } }");
    for (uint32_t at = r->node->from; at + 2 < r->node->to; at++) // what is new stands in no clause
        if (cc_kind(s, at) == FRONT_KW_DEFAULT && strcmp(t[at + 2].text, "none") == 0)
            edit(r, t[at + 2].at, t[at + 2].size, "shared");
}

static void find(struct cc_region *r, const struct cc_node *n) {
    const struct cc_source *s = r->source;
    const struct cc_node *loop = n->kind == CC_PRAGMA ? n->child : NULL;
    struct pointer_loop p;
    if (loop && loop->kind == CC_FOR && cc_has_word(s, n, "for") && !cc_has_word(s, n, "collapse") &&
        !cc_has_word(s, n, "simd") && read_loop(s, loop, &p) && !cc_is_in_clause(s, n, "lastprivate", p.name->text) &&
        !cc_is_in_clause(s, n, "linear", p.name->text))
        take_loop(r, n, loop, &p);
    for (n = n->child; n; n = n->next)
        find(r, n);
}

// Of the program's own variable nothing comes back.
void cc_check_counters(struct cc_region *r) {
    for (uint32_t i = 0; i < r->var_count; i++)
        for (uint32_t k = 0; k < r->counter_count; k++)
            if (r->vars[i].name == r->counters[k] && !r->vars[i].is_scratch)
                cc_refuse(r, 0, "'%s' counts a parallel loop, and is used elsewhere: declare it in the loop",
                          r->counters[k]->text);
}

void cc_count_pointer_loops(struct cc_region *r) {
    r->passes_count = r->counter_count = 0;
    find(r, r->node);
}
