// Does what a region computes depend on how many threads it has? It does where a thread takes something from one
// iteration to the next, as the state of a generator of random numbers, or from a loop to what is behind it, and where
// each thread adds what is no share of the whole:
//
//     unsigned seed = 7;                            |  float own = 0, best = 0;
// #pragma omp for reduction(+ : hits)               |  #pragma omp for
//     for (int i = 0; i < n; i++)                   |      for (int i = 0; i < n; i++)
//         hits += next(&seed) > limit;              |          own += x[i];
// #pragma omp atomic                                |  #pragma omp atomic
//     threads++;                                    |      total += own;
//
// The left one does, the right one does not: sums of shares, and the best of the best, are the same for any number of
// threads, and the region may have as many as the device likes. Where this file is not sure, it does depend: that
// costs time, never a result.
#include <stdlib.h>
#include <string.h>

#include "cc/team.h"

struct team {
    struct cc_source *source;
    const struct cc_node *node; // the directive, or the body of a function that the team calls
};

// ---- tokens ---------------------------------------------------------------------------------------------------------

static bool is_word(const struct cc_source *s, const struct cc_node *n, const char *word) {
    return n->kind == CC_PRAGMA && strcmp(s->tokens[n->from + 1].text, word) == 0;
}

static bool is_worksharing(const struct cc_source *s, const struct cc_node *n) {
    return n->kind == CC_PRAGMA &&
           (cc_has_word(s, n, "for") || cc_has_word(s, n, "loop") || cc_has_word(s, n, "sections"));
}

// The variable that a token names; NULL: none.
static const struct cc_name *name_at(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return NULL;
    if (cc_kind(s, at - 1) == FRONT_P_DOT || cc_kind(s, at - 1) == FRONT_P_ARROW) return NULL;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return name && name->kind == CC_VARIABLE ? name : NULL;
}

// Behind the call, where each thread allocates memory for itself that scratch.c makes an array of; 0: it does not.
static uint32_t behind_allocation(const struct team *t, const struct cc_name *name) {
    uint32_t end;
    bool is_own = cc_is_pointer(name) && name->has_init && name->from >= t->node->from && name->from < t->node->to;
    return is_own && cc_allocation_at(t->source, name->end + 1, &end) ? end : 0;
}

// A pointer of which nobody knows whose memory it leads to.
static bool is_to_others(const struct team *t, const struct cc_name *name) {
    return name->derive_count && name->derive[0].kind == CC_POINTER && !behind_allocation(t, name);
}

static bool is_freed(const struct cc_source *s, const struct cc_node *n, uint32_t at) {
    return n->kind == CC_SIMPLE && at == n->from + 2 && cc_is_free(s, n->from);
}

static bool names(const struct cc_source *s, uint32_t from, uint32_t to, const struct cc_name *name) {
    for (; from < to; from++)
        if (name_at(s, from) == name) return true;
    return false;
}

// Without the brackets around all of it.
static struct cc_derivation strip(const struct cc_source *s, uint32_t from, uint32_t to) {
    while (from + 2 < to && cc_kind(s, from) == FRONT_P_LPAREN && cc_skip_group(s, from) == to)
        from++, to--;
    return (struct cc_derivation){.from = from, .to = to};
}

// A place goes on: v[k], v.x, v->x
static bool continues(const struct cc_source *s, uint32_t at) {
    enum front_token_kind kind = cc_kind(s, at);
    return kind == FRONT_P_LBRACKET || kind == FRONT_P_DOT || kind == FRONT_P_ARROW;
}

static bool same(const struct cc_source *s, struct cc_derivation a, struct cc_derivation b) {
    a = strip(s, a.from, a.to), b = strip(s, b.from, b.to);
    if (a.to - a.from != b.to - b.from) return false;
    for (uint32_t i = 0; i < a.to - a.from; i++)
        if (strcmp(s->tokens[a.from + i].text, s->tokens[b.from + i].text) != 0) return false;
    return true;
}

// The first operator of one of these kinds outside of brackets; `to`: none.
static uint32_t find_operator(const struct cc_source *s, uint32_t at, uint32_t to, const enum front_token_kind *kinds,
                              uint32_t count) {
    while (at < to) {
        for (uint32_t i = 0; i < count; i++)
            if (cc_kind(s, at) == kinds[i]) return at;
        bool opens = cc_kind(s, at) == FRONT_P_LPAREN || cc_kind(s, at) == FRONT_P_LBRACKET;
        at = opens ? cc_skip_group(s, at) : at + 1;
    }
    return to;
}

// Two sides of a comparison, the larger one first; false: it is none.
static bool compares(const struct cc_source *s, struct cc_derivation d, struct cc_derivation out[2]) {
    static const enum front_token_kind kinds[] = {FRONT_P_LT, FRONT_P_GT, FRONT_P_LE, FRONT_P_GE};
    d = strip(s, d.from, d.to);
    uint32_t at = find_operator(s, d.from, d.to, kinds, 4);
    bool is_less = cc_kind(s, at) == FRONT_P_LT || cc_kind(s, at) == FRONT_P_LE;
    out[is_less] = (struct cc_derivation){.from = d.from, .to = at};
    out[!is_less] = (struct cc_derivation){.from = at + 1, .to = d.to};
    return at > d.from && at + 1 < d.to;
}

// ---- the best of all ------------------------------------------------------------------------------------------------

// `place = E`: its sides.
static bool is_setting(const struct cc_source *s, const struct cc_node *n, struct cc_derivation out[2]) {
    static const enum front_token_kind sets[] = {FRONT_P_ASSIGN};
    uint32_t at = n->kind == CC_SIMPLE ? find_operator(s, n->from, n->to, sets, 1) : n->to;
    out[0] = (struct cc_derivation){.from = n->from, .to = at};
    out[1] = (struct cc_derivation){.from = at + 1, .to = n->to - 1};
    return at < n->to;
}

// The place that keeps the best, and whether that is the largest.
struct best {
    struct cc_derivation place;
    bool is_largest;
};

// best = E > best ? E : best;
static bool keeps_best(const struct cc_source *s, const struct cc_node *n, struct best *out) {
    static const enum front_token_kind asks[] = {FRONT_P_QUESTION}, parts[] = {FRONT_P_COLON};
    struct cc_derivation of[2], sides[2];
    if (!is_setting(s, n, of)) return false;
    struct cc_derivation all = strip(s, of[1].from, of[1].to);
    uint32_t ask = find_operator(s, all.from, all.to, asks, 1), part = find_operator(s, ask, all.to, parts, 1);
    if (part >= all.to || !compares(s, (struct cc_derivation){.from = all.from, .to = ask}, sides)) return false;
    struct cc_derivation first = {.from = ask + 1, .to = part}, second = {.from = part + 1, .to = all.to};
    bool is_largest = same(s, sides[0], first) && same(s, sides[1], second);
    bool is_least = same(s, sides[0], second) && same(s, sides[1], first);
    *out = (struct best){of[0], is_largest};
    bool first_is_it = same(s, sides[0], of[0]);
    const struct cc_derivation *other = &sides[first_is_it];
    const struct cc_name *name = name_at(s, of[0].from);
    return (is_largest || is_least) && (first_is_it || same(s, sides[1], of[0])) && name &&
           !names(s, other->from, other->to, name);
}

// Settings of variables alone: what they leave is of the best, or of nobody.
static bool sets_variables(const struct cc_source *s, const struct cc_node *list) {
    struct cc_derivation of[2];
    for (const struct cc_node *c = list; c; c = c->next)
        if (!is_setting(s, c, of) || of[0].to - of[0].from != 1) return false;
    return true;
}

// if (E > best) { best = E; at = i; }: `n` is this, or a statement in it.
static bool is_in_best(const struct team *t, const struct cc_node *n, struct best *out) {
    const struct cc_source *s = t->source;
    static const enum front_token_kind ands[] = {FRONT_P_ANDAND};
    const struct cc_node *branch = n;
    while (branch != t->node && branch->kind != CC_BRANCH)
        branch = branch->parent;
    if (branch->kind != CC_BRANCH || cc_kind(s, branch->from) != FRONT_KW_IF || branch->child->next) return false;
    uint32_t end = cc_skip_group(s, branch->from + 1) - 1;
    const struct cc_node *list = branch->child->kind == CC_BLOCK ? branch->child->child : branch->child;
    for (uint32_t from = branch->from + 2, to; from < end; from = to + 1) {
        struct cc_derivation sides[2], of[2];
        to = find_operator(s, from, end, ands, 1);
        if (!compares(s, (struct cc_derivation){.from = from, .to = to}, sides)) continue;
        for (const struct cc_node *c = list; c; c = c->next) {
            if (!is_setting(s, c, of)) continue;
            bool is_largest = same(s, of[1], sides[0]) && same(s, of[0], sides[1]);
            *out = (struct best){of[0], is_largest};
            if (is_largest || (same(s, of[1], sides[1]) && same(s, of[0], sides[0]))) return sets_variables(s, list);
        }
    }
    return false;
}

// ---- shares of a sum ------------------------------------------------------------------------------------------------

// Types whose sums wrap early, and of real numbers.
static const enum front_token_kind narrow[] = {FRONT_KW_CHAR, FRONT_KW_SHORT, FRONT_KW_BOOL},
                                   real[] = {FRONT_KW_FLOAT, FRONT_KW_DOUBLE},
                                   integer[] = {FRONT_KW_INT, FRONT_KW_LONG, FRONT_KW_UNSIGNED};

static bool has_word_of(const struct cc_source *s, const struct cc_name *name, const enum front_token_kind *words,
                        uint32_t count) {
    for (uint32_t at = name->spec_from; at < name->spec_to; at++)
        for (uint32_t i = 0; i < count; i++)
            if (cc_kind(s, at) == words[i]) return true;
    return false;
}

// Tokens that stand behind a `+` and all of which it adds: no operator among them that binds less.
static bool is_added(const struct cc_source *s, uint32_t from, uint32_t to) {
    static const enum front_token_kind others[] = {FRONT_P_QUESTION, FRONT_P_OROR, FRONT_P_ANDAND, FRONT_P_PIPE,
                                                   FRONT_P_CARET,    FRONT_P_AMP,  FRONT_P_LT,     FRONT_P_GT,
                                                   FRONT_P_LE,       FRONT_P_GE,   FRONT_P_EQ,     FRONT_P_NE,
                                                   FRONT_P_SHL,      FRONT_P_SHR,  FRONT_P_COMMA,  FRONT_P_ASSIGN};
    return find_operator(s, from, to, others, sizeof others / sizeof *others) == to;
}

// `place += E;`, `place++;`: the operator that adds, 0: it is none. *out_value: the tokens of E, none for 1.
static enum front_token_kind update_of(const struct cc_source *s, const struct cc_node *n, uint32_t at,
                                       struct cc_derivation *out_value) {
    uint32_t behind = at + 1;
    while (continues(s, behind))
        behind = cc_kind(s, behind) == FRONT_P_LBRACKET ? cc_skip_group(s, behind) : behind + 2;
    enum front_token_kind before = cc_kind(s, at - 1), next = cc_kind(s, behind);
    bool steps = cc_is_step(before);
    *out_value = (struct cc_derivation){.from = n->to, .to = n->to};
    if (n->kind != CC_SIMPLE || n->from != at - steps) return FRONT_TOK_END;
    if (steps || cc_is_step(next)) return behind + 1 + !steps == n->to ? FRONT_P_PLUS_ASSIGN : FRONT_TOK_END;
    *out_value = (struct cc_derivation){.from = behind + 1, .to = n->to - 1};
    if (next == FRONT_P_ASSIGN) { // v = v + E
        struct cc_derivation place = {.from = at, .to = behind};
        uint32_t from = behind + 1, end = from + (behind - at);
        bool again = end < n->to && same(s, place, (struct cc_derivation){.from = from, .to = end});
        if (!again || cc_kind(s, end) != FRONT_P_PLUS || !is_added(s, end, n->to)) return FRONT_TOK_END;
        out_value->from = end + 1;
        return FRONT_P_PLUS_ASSIGN;
    }
    if (next == FRONT_P_MINUS_ASSIGN) return FRONT_P_PLUS_ASSIGN;
    bool folds = next == FRONT_P_PLUS_ASSIGN || next == FRONT_P_STAR_ASSIGN || next == FRONT_P_AMP_ASSIGN ||
                 next == FRONT_P_PIPE_ASSIGN || next == FRONT_P_CARET_ASSIGN;
    return folds ? next : FRONT_TOK_END;
}

// ---- sums of structs ------------------------------------------------------------------------------------------------

enum { MOST_SUMMED = 16 };
// v = (T){v.a + E, v.b + F}: the names of its members in order, and what each takes.
struct member_sums {
    const struct cc_source *source;
    const struct cc_name *place; // v
    const char *names[MOST_SUMMED];
    bool cuts[MOST_SUMMED]; // it is an integer
    struct cc_derivation values[MOST_SUMMED];
    uint32_t count, known;
};

// True: one whose sums wrap early, or no name.
static bool take_member(void *user, const struct cc_name *member) {
    struct member_sums *x = user;
    bool is_plain = member->text && !member->derive_count && !member->is_odd;
    if (x->known == MOST_SUMMED || !is_plain || has_word_of(x->source, member, narrow, 3)) return true;
    x->cuts[x->known] = has_word_of(x->source, member, integer, 3);
    x->names[x->known++] = member->text;
    return false;
}

// `v.a` or `(v).a` at a token: behind it; 0: something else.
static uint32_t behind_member(const struct cc_source *s, uint32_t at, const struct cc_name *v, const char *member) {
    bool in_brackets = cc_kind(s, at) == FRONT_P_LPAREN && cc_kind(s, at + 2) == FRONT_P_RPAREN;
    uint32_t dot = at + 1 + 2 * in_brackets;
    bool is = name_at(s, at + in_brackets) == v && cc_kind(s, dot) == FRONT_P_DOT;
    return is && strcmp(s->tokens[dot + 1].text, member) == 0 ? dot + 2 : 0;
}

// An integer that takes a real number loses its fraction each time: how much depends on what the thread has by then.
// Brackets and casts hide what is in them.
static bool is_cut(const struct cc_source *s, struct cc_derivation value) {
    static const enum front_token_kind asks[] = {FRONT_P_LT, FRONT_P_GT,     FRONT_P_LE,   FRONT_P_GE,      FRONT_P_EQ,
                                                 FRONT_P_NE, FRONT_P_ANDAND, FRONT_P_OROR, FRONT_P_QUESTION};
    struct cc_derivation d = strip(s, value.from, value.to);
    bool is_real = false;
    if (find_operator(s, d.from, d.to, asks, sizeof asks / sizeof *asks) < d.to) return false;
    for (uint32_t at = d.from; at < d.to;) {
        enum front_token_kind kind = cc_kind(s, at), inner = cc_kind(s, at + 1);
        bool opens = kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET;
        for (size_t i = 0; kind == FRONT_P_LPAREN && i < 3; i++)
            if (inner == integer[i]) return false;
        const struct cc_name *name = name_at(s, at);
        is_real = is_real || kind == FRONT_TOK_FLOAT || (name && has_word_of(s, name, real, 2));
        at = opens ? cc_skip_group(s, at) : at + 1;
    }
    return is_real;
}

// The value of one member: a sum that begins with what it was.
static bool take_sum(struct member_sums *x, uint32_t from, uint32_t to) {
    const struct cc_source *s = x->source;
    if (x->count == x->known) return false;
    uint32_t plus = behind_member(s, from, x->place, x->names[x->count]);
    if (!plus || cc_kind(s, plus) != FRONT_P_PLUS || !is_added(s, plus, to)) return false;
    x->values[x->count] = (struct cc_derivation){.from = plus + 1, .to = to};
    bool cut = x->cuts[x->count] && is_cut(s, x->values[x->count]);
    x->count++;
    return !cut && !names(s, plus + 1, to, x->place);
}

static bool sums_members(struct cc_source *s, const struct cc_node *n, struct member_sums *out) {
    struct cc_derivation of[2];
    *out = (struct member_sums){.source = s};
    if (!is_setting(s, n, of) || of[0].to - of[0].from != 1 || cc_kind(s, of[1].from) != FRONT_P_LPAREN) return false;
    uint32_t open = cc_skip_group(s, of[1].from), end = open;
    out->place = name_at(s, n->from);
    uint32_t body = out->place && !out->place->derive_count ? cc_struct_body(s, out->place) : 0;
    if (!body || cc_kind(s, open) != FRONT_P_LBRACE || cc_skip_group(s, open) != of[1].to) return false;
    if (cc_each_member(s, body, take_member, out)) return false;
    for (uint32_t from = open + 1; end + 1 < of[1].to; from = end + 1) {
        end = cc_behind_argument(s, from, of[1].to - 1);
        if (!take_sum(out, from, end)) return false;
    }
    return out->count == out->known && out->count > 0;
}

// all = (T){all.a + own.a, all.b + own.b}: own; NULL: something else.
static const struct cc_name *handed_on(struct cc_source *s, const struct cc_node *n) {
    struct member_sums x;
    if (!sums_members(s, n, &x)) return NULL;
    const struct cc_name *own = name_at(s, x.values[0].from + (cc_kind(s, x.values[0].from) == FRONT_P_LPAREN));
    if (own && (own->derive_count || cc_struct_body(s, own) != cc_struct_body(s, x.place))) return NULL; // of one type
    for (uint32_t i = 0; i < x.count && own; i++)
        if (behind_member(s, x.values[i].from, own, x.names[i]) != x.values[i].to) return NULL;
    return own;
}

static const struct cc_node *sharing_at(const struct team *t, uint32_t at) {
    for (const struct cc_node *n = t->node; n; n = cc_child_at(n, at))
        if (is_worksharing(t->source, n)) return n;
    return NULL;
}

static bool is_critical(const struct team *t, const struct cc_node *n) {
    for (; n != t->node; n = n->parent)
        if (is_word(t->source, n, "critical")) return true;
    return false;
}

static bool is_directive_at(const struct cc_node *n, uint32_t at) {
    return n->kind == CC_PRAGMA && (!n->child || at < n->child->from);
}

// What a thread's variable has been seen to be.
struct share {
    const struct team *team;
    const struct cc_name *name;
    enum front_token_kind op; // of a sum
    bool is_largest, is_least;
    bool is_set;   // to what is not nothing: each thread would add it
    bool is_place; // set with the best of a share
};

// Tokens that say 0, also in braces: a sum that begins with nothing.
static bool is_nothing(const struct cc_source *s, uint32_t from, uint32_t to) {
    bool is_literal = from < to && cc_kind(s, from) == FRONT_P_LPAREN;
    if (is_literal && cc_kind(s, cc_skip_group(s, from)) == FRONT_P_LBRACE) from = cc_skip_group(s, from); // (T){0}
    for (; from < to; from++) {
        enum front_token_kind kind = cc_kind(s, from);
        if (kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE || kind == FRONT_P_COMMA) continue;
        if ((kind != FRONT_TOK_INT && kind != FRONT_TOK_FLOAT) || strtod(s->tokens[from].text, NULL) != 0) return false;
    }
    return true;
}

static void note_declaration(struct share *x) {
    const struct cc_source *s = x->team->source;
    uint32_t from = x->name->end + 1, to = from;
    if (behind_allocation(x->team, x->name)) return;
    while (x->name->has_init && cc_kind(s, to) != FRONT_P_SEMI && cc_kind(s, to) != FRONT_P_COMMA)
        to = cc_kind(s, to) == FRONT_P_LBRACE || cc_kind(s, to) == FRONT_P_LPAREN ? cc_skip_group(s, to) : to + 1;
    x->is_set |= !is_nothing(s, from, to);
}

// All updates of a share are by one operator.
static bool combines(struct share *x, enum front_token_kind op) {
    if (op == FRONT_TOK_END || (x->op != FRONT_TOK_END && x->op != op)) return false;
    x->op = op;
    return true;
}

// A use in a loop that is shared out.
static bool takes_share(struct share *x, const struct cc_node *n, uint32_t at) {
    const struct cc_source *s = x->team->source;
    struct cc_derivation value, of[2];
    struct best best;
    if (is_in_best(x->team, n, &best)) {
        bool is_best = names(s, best.place.from, best.place.to, x->name);
        x->is_largest |= is_best && best.is_largest;
        x->is_least |= is_best && !best.is_largest;
        if (n->kind == CC_BRANCH) return is_best;
        x->is_place |= !is_best;
        return is_setting(s, n, of) && at < of[0].to && !names(s, of[1].from, of[1].to, x->name);
    }
    if (keeps_best(s, n, &best)) {
        x->is_largest |= best.is_largest;
        x->is_least |= !best.is_largest;
        return names(s, best.place.from, best.place.to, x->name);
    }
    struct member_sums sums;
    if (sums_members(x->team->source, n, &sums) && sums.place == x->name) return combines(x, FRONT_P_PLUS_ASSIGN);
    bool again = n->kind == CC_SIMPLE && name_at(s, n->from) == x->name; // own = own + E
    enum front_token_kind op = update_of(s, n, again ? n->from : at, &value);
    if (!combines(x, op)) return false;
    return !names(s, value.from, value.to, x->name) && !(has_word_of(s, x->name, integer, 3) && is_cut(s, value));
}

// A use outside of such loops: it is set, or goes to all.
static bool gives_share(struct share *x, const struct cc_node *n, uint32_t at) {
    const struct cc_source *s = x->team->source;
    struct cc_derivation value, of[2];
    struct best best;
    bool is_in = is_in_best(x->team, n, &best);
    if (is_in || keeps_best(s, n, &best)) {
        if (!is_in || n->kind == CC_BRANCH) {
            x->is_largest |= best.is_largest;
            x->is_least |= !best.is_largest;
        }
        return is_critical(x->team, n) && (n->kind == CC_BRANCH || is_setting(s, n, of));
    }
    bool is_memset = n->kind == CC_SIMPLE && strcmp(s->tokens[n->from].text, "memset") == 0;
    if (is_memset && cc_is_measured(s, at)) return true;
    if (is_memset && at == n->from + 2 && cc_kind(s, at + 1) == FRONT_P_COMMA) return is_nothing(s, at + 2, at + 3);
    if (is_setting(s, n, of) && at < of[0].to && !names(s, of[1].from, of[1].to, x->name)) {
        x->is_set |= !is_nothing(s, of[1].from, of[1].to);
        return true;
    }
    if (handed_on(x->team->source, n) == x->name) return combines(x, FRONT_P_PLUS_ASSIGN);
    enum front_token_kind op = update_of(s, n, n->from, &value); // total += own
    if (value.from != at || !combines(x, op)) return false;
    const struct cc_name *all = name_at(s, n->from); // each thread's sum would be rounded by itself
    if (all && has_word_of(s, all, real, 2) != has_word_of(s, x->name, real, 2)) return false;
    for (uint32_t k = at + 1; k < value.to;) {
        if (!continues(s, k)) return false;
        k = cc_kind(s, k) == FRONT_P_LBRACKET ? cc_skip_group(s, k) : k + 2;
    }
    return true;
}

// A thread's variable that only has a share of a sum, which then goes to all (`is_all_its_own`: or anywhere), or the
// best of a share.
static bool has_share(const struct team *t, const struct cc_name *name, bool is_all_its_own) {
    const struct cc_source *s = t->source;
    struct share x = {.team = t, .name = name, .op = FRONT_TOK_END};
    const uint32_t allocated = behind_allocation(t, name);
    if (name->at >= t->node->from && name->at < t->node->to) note_declaration(&x);
    for (uint32_t at = t->node->from; at < t->node->to; at++) {
        if (name_at(s, at) != name || name->at == at || (at > name->at && at < allocated)) continue;
        const struct cc_node *n = cc_statement_at(t->node, at);
        if (allocated && is_freed(s, n, at)) continue;
        if (is_directive_at(n, at)) {
            x.is_set |= cc_is_in_clause(s, n, "firstprivate", name->text);
            continue;
        }
        bool is_shared = sharing_at(t, at) != NULL;
        if (!is_shared && is_all_its_own) continue;
        if (!(is_shared ? takes_share : gives_share)(&x, n, at)) return false;
    }
    if (is_all_its_own) return true;
    bool is_sum = x.op != FRONT_TOK_END;
    if (is_sum && (x.is_place || has_word_of(s, name, narrow, sizeof narrow / sizeof *narrow))) return false;
    bool begins = x.op == FRONT_P_STAR_ASSIGN || x.op == FRONT_P_AMP_ASSIGN || x.is_set;
    return !(is_sum && (begins || x.is_largest || x.is_least)) && !(x.is_largest && x.is_least);
}

// Only what all threads run, and loops that they share out, and what hands their shares on.
static bool is_for_all(const struct cc_source *s, const struct cc_node *n) {
    static const char *const words[] = {"for", "atomic", "critical", "barrier"};
    bool is = n->kind != CC_PRAGMA;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is = is || strcmp(s->tokens[n->from + 1].text, words[i]) == 0;
    return is;
}

bool cc_is_share(struct cc_source *s, const struct cc_node *region, const struct cc_name *name) {
    const struct team t = {s, region};
    if (!is_word(s, region, "parallel") || is_worksharing(s, region)) return false;
    for (uint32_t at = region->from; at < region->to; at++) {
        if (name_at(s, at) != name) continue;
        for (const struct cc_node *n = cc_statement_at(region, at); n != region; n = n->parent)
            if (!is_for_all(s, n)) return false;
    }
    return cc_is_cleared(s, name, region) && has_share(&t, name, false);
}

// ---- what is taken on -----------------------------------------------------------------------------------------------

static bool is_own(const struct team *t, const struct cc_node *loop, const struct cc_name *name) {
    static const char *const clauses[] = {"private", "firstprivate"};
    for (size_t i = 0; i < 2; i++)
        if (cc_is_in_clause(t->source, loop, clauses[i], name->text) ||
            cc_is_in_clause(t->source, t->node, clauses[i], name->text))
            return true;
    return !name->is_static && !name->is_file && name->from >= t->node->from && name->from < t->node->to;
}

// `h[k]` in a branch, or in an expression with one.
static bool is_in_branch(const struct cc_source *s, const struct cc_node *body, uint32_t at) {
    static const enum front_token_kind parts[] = {FRONT_P_QUESTION, FRONT_P_ANDAND, FRONT_P_OROR};
    const struct cc_node *n = body;
    for (const struct cc_node *c = body; c; c = cc_child_at(c, at))
        if ((n = c)->kind == CC_BRANCH) return true;
    return n->kind != CC_FOR && n->kind != CC_LOOP && find_operator(s, n->from, n->to, parts, 3) < n->to;
}

// A loop whose iterations may know that they are the first of their thread, as every 16th of schedule(static, 16) is:
// if it uses the array in a branch, what stands there may be done by those alone. Of other schedules that is believed
// where the first use stands in none.
bool cc_may_know_first(const struct cc_source *s, const struct cc_node *loop, const struct cc_name *name) {
    const struct cc_node *body = loop->child;
    bool is_dealt = false, in_schedule = false; // in pieces of a size
    for (uint32_t at = loop->from; at < body->from; at++) {
        if (cc_kind(s, at) == FRONT_P_RPAREN) in_schedule = false;
        in_schedule |= strcmp(s->tokens[at].text, "schedule") == 0;
        is_dealt |= in_schedule && cc_kind(s, at) == FRONT_P_COMMA;
    }
    for (uint32_t at = body->from; at < body->to; at++) {
        if (name_at(s, at) != name) continue;
        if (is_in_branch(s, body, at)) return true;
        if (!is_dealt) return false;
    }
    return false;
}

// An array that nobody has set when a loop begins, which the threads come to once: what an iteration reads it has set
// itself, for each may be the first of its thread. What tells it that it is not is a variable that goes on, and seen.
static bool holds_nothing(const struct team *t, const struct cc_node *loop, const struct cc_name *name) {
    const struct cc_source *s = t->source;
    static const char copied[] = "firstprivate";
    uint32_t end;
    const uint32_t allocated = behind_allocation(t, name);
    uint32_t call = allocated ? cc_allocation_at(s, name->end + 1, &end) : 0;
    bool is_clear = call && cc_allocation_of(s, name, call, end).clears;
    if (!name->derive_count || (allocated ? is_clear : name->has_init) ||
        cc_is_in_clause(s, t->node, copied, name->text))
        return false;
    if (cc_is_in_clause(s, loop, copied, name->text) || cc_may_know_first(s, loop, name)) return false;
    if (cc_is_in_clause(s, loop, "private", name->text)) return true;
    for (const struct cc_node *n = t->node; n && n != loop; n = cc_child_at(n, loop->from))
        if (n->kind == CC_FOR || n->kind == CC_LOOP) return false;
    for (uint32_t at = t->node->child ? t->node->child->from : loop->from; at < loop->from; at++)
        if (name_at(s, at) == name && at != name->at && !(at > name->at && at < allocated)) return false;
    return true;
}

static bool is_changed(const struct cc_source *s, const struct cc_node *n, const struct cc_name *name) {
    for (uint32_t at = n->from; at < n->to; at++) {
        if (name_at(s, at) != name) continue;
        uint32_t behind = at + 1;
        while (continues(s, behind))
            behind = cc_kind(s, behind) == FRONT_P_LBRACKET ? cc_skip_group(s, behind) : behind + 2;
        bool hands_on = name->derive_count && behind == at + 1; // to a function, or another pointer
        if (hands_on || cc_is_changed_at(s, at, behind)) return true;
    }
    return false;
}

// The counter of a loop that is shared out, or of one around it that `collapse` takes in.
static bool is_counter(const struct cc_source *s, const struct cc_node *loop, const struct cc_name *name) {
    return loop->child && loop->child->kind == CC_FOR && name_at(s, loop->child->from + 2) == name;
}

// Whether an iteration sets all elements that it reads is looked at when the region's program has been read.
static void note_unsure(struct cc_source *s, const struct cc_name *name) {
    for (uint32_t i = 0; i < s->unsure_count; i++)
        if (s->unsure[i] == name) return;
    BASE_RESERVE(s->cx, s->unsure, s->unsure_count, s->unsure_cap);
    s->unsure[s->unsure_count++] = name;
}

static bool loop_carries(const struct team *t, const struct cc_node *loop, enum cc_carried least) {
    struct cc_source *s = t->source;
    const struct cc_node *body = loop->child && loop->child->kind == CC_FOR ? loop->child->child : loop->child;
    if (!body) return false;
    for (uint32_t at = body->from; at < body->to; at++) {
        const struct cc_name *name = name_at(s, at);
        if (!name || (name->from >= loop->from && name->from < loop->to) || names(s, body->from, at, name)) continue;
        if (!is_own(t, loop, name) || is_counter(s, loop, name) || !is_changed(s, body, name)) continue;
        if (is_to_others(t, name)) continue;
        if (holds_nothing(t, loop, name)) continue;
        if (cc_is_set_first(s, name, body)) {
            if (name->derive_count) note_unsure(s, name);
            continue;
        }
        if (least != CC_ANYTHING && has_share(t, name, least == CC_STATE)) continue;
        if (least != CC_NO_SHARE || !behind_allocation(t, name)) return true;
        note_unsure(s, name);
    }
    return false;
}

// ---- what is left behind --------------------------------------------------------------------------------------------

// A thread may use the variable behind the loop, or in the next pass of one around it, before it sets it again.
static bool is_used_behind(const struct team *t, const struct cc_node *loop, const struct cc_name *name) {
    struct cc_source *s = t->source;
    for (const struct cc_node *n = loop, *around; n != t->node; n = around) {
        around = n->parent;
        if (around->kind != CC_BRANCH && cc_is_used_unset(s, name, n->next)) return true;
        if (around->kind != CC_FOR && around->kind != CC_LOOP) continue;
        const struct cc_node *body = around->child;
        if (names(s, around->from, body->from, name) || names(s, body->to, around->to, name)) return true;
        if (cc_is_used_unset(s, name, body->kind == CC_BLOCK ? body->child : body)) return true;
    }
    return false;
}

// The last iteration of its part that sets a thread's variable leaves its value there, for what comes behind the loop.
static bool leaves_value(const struct team *t, const struct cc_node *loop) {
    static const char *const clauses[] = {"private", "firstprivate", "lastprivate", "linear", "reduction"};
    struct cc_source *s = t->source;
    const struct cc_node *body = loop->child && loop->child->kind == CC_FOR ? loop->child->child : loop->child;
    if (!body || loop == t->node) return false;
    for (uint32_t at = body->from; at < body->to; at++) {
        const struct cc_name *name = name_at(s, at);
        if (!name || (name->from >= loop->from && name->from < loop->to) || names(s, body->from, at, name)) continue;
        bool is_loops = is_counter(s, loop, name) || is_to_others(t, name);
        for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
            is_loops = is_loops || cc_is_in_clause(s, loop, clauses[i], name->text);
        if (is_loops || !is_own(t, loop, name) || !is_changed(s, body, name)) continue;
        if (is_used_behind(t, loop, name) && !has_share(t, name, false)) return true;
    }
    return false;
}

// ---- what each thread does once -------------------------------------------------------------------------------------

static bool is_share_room(const struct team *t, const struct cc_name *name) {
    struct cc_name *own = cc_find(t->source, name->text, t->node->from);
    return own == name && cc_is_room(t->source, own) && cc_is_share(t->source, t->node, name);
}

// A statement that all threads run, one after the other: is it anything but to hand on a share?
static bool counts(const struct team *t, const struct cc_node *n) {
    const struct cc_source *s = t->source;
    struct cc_derivation value, of[2];
    struct best best;
    bool is_best = (is_in_best(t, n, &best) && is_setting(s, n, of)) || keeps_best(s, n, &best);
    if (n->kind == CC_SIMPLE && !is_best) {
        bool adds = update_of(s, n, n->from, &value) != FRONT_TOK_END;
        const struct cc_name *own = adds && value.from < value.to ? name_at(s, value.from) : handed_on(t->source, n);
        bool is_its = own && (is_own(t, t->node, own) || is_share_room(t, own));
        if (!is_its || !has_share(t, own, false)) return true;
    }
    for (n = n->child; n; n = n->next)
        if (counts(t, n)) return true;
    return false;
}

// Outside of what threads share out, an update that counts them, or a statement with a variable of the region's own
// reduction that does; and loops that are shared out, in which threads take something on.
static bool depends(const struct team *t, const struct cc_node *n) {
    const struct cc_source *s = t->source;
    if (n != t->node && n->kind == CC_PRAGMA) {
        if (is_word(s, n, "atomic") || is_word(s, n, "critical")) return counts(t, n->child);
        if (is_worksharing(s, n)) return loop_carries(t, n, CC_NO_SHARE) || leaves_value(t, n);
        return false;
    }
    if (n == t->node && is_worksharing(s, n)) return loop_carries(t, n, CC_NO_SHARE);
    bool reduces = n->kind == CC_SIMPLE && cc_kind(s, n->from) == FRONT_TOK_IDENT && t->node->kind == CC_PRAGMA &&
                   cc_is_in_clause(s, t->node, "reduction", s->tokens[n->from].text);
    if (reduces) return counts(t, n);
    for (n = n->child; n; n = n->next)
        if (depends(t, n)) return true;
    return false;
}

// The function's own part of a team that calls it.
static const struct cc_node *find_in_call(struct cc_source *s, const struct cc_function *f, bool *seen);

static const struct cc_node *find_in(struct cc_source *s, const struct cc_node *n, bool in_team, bool *seen) {
    struct team t = {s, n};
    bool is_team = is_word(s, n, "parallel");
    const struct cc_node *found = is_team && depends(&t, n) ? n : NULL;
    for (uint32_t at = n->from; (n->kind == CC_SIMPLE || n->kind == CC_DECLARATION) && at < n->to && !found; at++) {
        const struct cc_function *f = cc_called(s, at);
        if (!f || !f->body) continue;
        if (f->has_parallel && !seen[f - s->functions]) {
            seen[f - s->functions] = true;
            found = find_in(s, f->body, false, seen);
        }
        if (in_team && find_in_call(s, f, seen)) return n;
    }
    bool meets = (in_team || is_team) && !is_worksharing(s, n); // all threads come to what is below
    for (const struct cc_node *c = n->child; c && !found; c = c->next) {
        found = find_in(s, c, meets, seen);
        if (found && is_team) found = n; // the whole region has the threads
    }
    return found;
}

static const struct cc_node *find_in_call(struct cc_source *s, const struct cc_function *f, bool *seen) {
    bool *own = seen + s->function_count;
    struct team t = {s, f->body};
    if (own[f - s->functions]) return NULL;
    own[f - s->functions] = true;
    return depends(&t, f->body) ? f->body : find_in(s, f->body, true, seen);
}

bool cc_takes_on(struct cc_source *s, const struct cc_node *team, const struct cc_node *loop, enum cc_carried least) {
    struct team t = {s, team};
    return loop_carries(&t, loop, least);
}

const struct cc_node *cc_find_threads(struct cc_source *s, const struct cc_node *n) {
    return find_in(s, n, false, base_alloc_array(s->cx, 2 * (size_t)s->function_count + 1, sizeof(bool)));
}
