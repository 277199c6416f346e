// Whether a region's pointers can only end where some of them began: then no value is missing afterwards (offload's
// transfer.c need not be careful). Seen on tokens: each of them is set by nothing but `p = q`.
#include "cc/region.h"

enum { MAX_NAMES = 32 };
struct names {
    const char *items[MAX_NAMES];
    uint32_t count;
};

static bool changes(enum front_token_kind kind) {
    return kind == FRONT_P_INC || kind == FRONT_P_DEC || kind == FRONT_P_PLUS_ASSIGN || kind == FRONT_P_MINUS_ASSIGN;
}

static bool add(struct names *names, const char *name) {
    for (uint32_t i = 0; i < names->count; i++)
        if (names->items[i] == name) return true;
    if (names->count == MAX_NAMES) return false;
    names->items[names->count++] = name;
    return true;
}

static bool is_swapped(const struct cc_region *r, const char *name, struct names *names) {
    const struct cc_source *s = r->source;
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        if (s->tokens[at].text != name || cc_kind(s, at) != FRONT_TOK_IDENT) continue;
        enum front_token_kind before = cc_kind(s, at - 1), next = cc_kind(s, at + 1);
        if (changes(before) || changes(next) || before == FRONT_P_AMP) return false;
        if (next != FRONT_P_ASSIGN) continue;
        enum front_token_kind end = cc_kind(s, at + 3);
        if (cc_kind(s, at + 2) != FRONT_TOK_IDENT || (end != FRONT_P_SEMI && end != FRONT_P_COMMA)) return false;
        if (!add(names, s->tokens[at + 2].text)) return false;
    }
    return true;
}

bool cc_only_swaps(const struct cc_region *r) {
    struct names names = {.count = 0};
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (r->vars[i].moves && r->vars[i].through) return false;
        if (r->vars[i].moves && !add(&names, r->vars[i].name->text)) return false;
    }
    for (uint32_t i = 0; i < names.count; i++) // those that are found on the way follow
        if (!is_swapped(r, names.items[i], &names)) return false;
    return true;
}
