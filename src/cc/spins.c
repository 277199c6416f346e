// Locks that are made of compare and swap, or of an exchange:
//
//     while (!__sync_bool_compare_and_swap(&lock, 0, 1))
//         ;
//
// On a GPU the iteration that has the lock may wait for the one that asks for it. What goes on from pass to pass, to
// another place or with what it has just seen, waits for nobody: then somebody else got further.
#include <string.h>

#include "cc/region.h"

static bool is_exchange(const struct cc_source *s, uint32_t at, bool *out_compares) {
    static const char *const names[] = {"__sync_bool_compare_and_swap", "__sync_val_compare_and_swap",
                                        "__atomic_compare_exchange_n", "__atomic_exchange_n"};
    if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_LPAREN) return false;
    size_t i = 0;
    while (i < sizeof names / sizeof *names && strcmp(s->tokens[at].text, names[i]) != 0)
        i++;
    *out_compares = i < 3;
    return i < sizeof names / sizeof *names;
}

// The loop whose next pass may do the same again; NULL: none around it in its iteration.
static const struct cc_node *loop_of(const struct cc_source *s, const struct cc_node *n) {
    while (n && n->kind != CC_FOR && n->kind != CC_LOOP)
        n = n->parent;
    bool is_shared = n && n->parent && n->parent->kind == CC_PRAGMA && cc_has_word(s, n->parent, "for");
    return is_shared ? NULL : n;
}

// Another value in each pass, and not one constant.
static bool changes(const struct cc_source *s, const struct cc_node *loop, const char *text) {
    bool is_handed = false, is_reset = false;
    for (uint32_t at = loop->from; at < loop->to; at++) {
        if (s->tokens[at].text != text) continue;
        enum front_token_kind before = cc_kind(s, at - 1), next = cc_kind(s, at + 1), end = cc_kind(s, at + 3);
        bool is_constant = cc_kind(s, at + 2) == FRONT_TOK_INT && (end == FRONT_P_SEMI || end == FRONT_P_COMMA);
        bool steps = before == FRONT_P_INC || before == FRONT_P_DEC || next == FRONT_P_INC || next == FRONT_P_DEC ||
                     (next >= FRONT_P_STAR_ASSIGN && next <= FRONT_P_PIPE_ASSIGN);
        if (steps || (next == FRONT_P_ASSIGN && !is_constant)) return true;
        is_reset = is_reset || next == FRONT_P_ASSIGN;
        is_handed = is_handed || before == FRONT_P_AMP;
    }
    return is_handed && !is_reset;
}

// Its place and what it compares with stay the same in all passes.
static bool waits(const struct cc_source *s, uint32_t at, const struct cc_node *loop, bool compares) {
    uint32_t end = cc_skip_group(s, at + 1) - 1, commas = 0;
    for (uint32_t i = at + 2; i < end && commas < 1 + (uint32_t)compares; i++) {
        enum front_token_kind kind = cc_kind(s, i);
        bool is_group = kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET;
        uint32_t behind = is_group ? cc_skip_group(s, i) : i + 1;
        commas += kind == FRONT_P_COMMA;
        for (; i < behind; i++)
            if (cc_kind(s, i) == FRONT_TOK_IDENT && (i > at + 3 || cc_kind(s, i - 1) != FRONT_P_AMP) &&
                changes(s, loop, s->tokens[i].text))
                return false;
        i--;
    }
    return true;
}

static bool check(struct cc_region *r, const struct cc_node *body) {
    const struct cc_source *s = r->source;
    bool compares;
    for (uint32_t at = body->from; at < body->to; at++) {
        if (!is_exchange(s, at, &compares)) continue;
        const struct cc_node *loop = loop_of(s, cc_statement_at(body, at));
        if (loop && loop->from >= body->from && waits(s, at, loop, compares))
            return cc_refuse(r, s->tokens[at].line,
                             "`%s` waits here for what another iteration does, which on a GPU may wait, too: use "
                             "atomic, or reduction",
                             s->tokens[at].text);
    }
    return true;
}

bool cc_check_spins(struct cc_region *r) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    if (!check(r, r->node)) return false;
    for (uint32_t i = 0; i < s->function_count; i++)
        if (reached[i] && s->functions[i].body && !check(r, s->functions[i].body)) return false;
    return true;
}
