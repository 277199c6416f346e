// Directives whose region one thread runs: `num_threads(1)`, and `if(C)` where C does not hold. Its iterations may
// depend on each other, which no other thread's could. So such a region is for the CPU. What C is, is known at the
// call; of a directive inside of a loop that is moved as a whole the program asserts it (exits.c says what becomes of
// that).
#include <stdlib.h>
#include <string.h>

#include "cc/region.h"

static bool is_text(const struct cc_source *s, uint32_t at, const char *word) {
    return s->tokens[at].text && strcmp(s->tokens[at].text, word) == 0;
}

// The tokens between the brackets of a clause's words, behind the name of a directive that it is for; false: there is
// none, or it is for another part of the directive.
bool cc_find_clause(const struct cc_source *s, uint32_t pragma, const char *word, struct cc_derivation *out) {
    for (uint32_t at = pragma + 1; cc_kind(s, at) != FRONT_TOK_PRAGMA_END && cc_kind(s, at) != FRONT_TOK_END; at++) {
        if (cc_kind(s, at) == FRONT_P_LPAREN) at = cc_skip_group(s, at) - 1; // which may have no partner
        if (!is_text(s, at, word) || cc_kind(s, at + 1) != FRONT_P_LPAREN) continue;
        *out = (struct cc_derivation){.from = at + 2, .to = cc_skip_group(s, at + 1) - 1};
        bool has_name = cc_kind(s, out->from) == FRONT_TOK_IDENT && cc_kind(s, out->from + 1) == FRONT_P_COLON;
        if (!has_name) return true;
        bool counts = is_text(s, out->from, "parallel");
        out->from += 2;
        if (counts) return true;
    }
    return false;
}

static bool is_word(const struct cc_source *s, const struct cc_derivation *d, const char *word) {
    return d->from + 1 == d->to && is_text(s, d->from, word);
}

// What is asked once more must change nothing. *out_library: OpenMP's library is asked, whose threads mean nothing.
bool cc_can_be_asked(const struct cc_source *s, const struct cc_derivation *d, bool *out_library) {
    *out_library = false;
    for (uint32_t at = d->from; at < d->to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        bool changes = cc_is_step(kind) || cc_is_assignment(kind);
        const char *text = s->tokens[at].text;
        bool is_library = text && strncmp(text, "omp_", 4) == 0;
        bool calls = kind == FRONT_TOK_IDENT && cc_kind(s, at + 1) == FRONT_P_LPAREN;
        if (changes || (calls && !is_library)) return false;
        *out_library = *out_library || is_library;
    }
    return true;
}

// As the user's function says it, or as the program does, where members of structs are variables.
const char *cc_clause_text(const struct cc_region *r, const struct cc_derivation *d, bool in_program) {
    const struct cc_source *s = r->source;
    struct base_text t;
    base_text_init(&t, s->cx);
    for (uint32_t at = d->from; at < d->to; at++) {
        const struct cc_member_use *member = in_program ? cc_member_at(r, at) : NULL;
        base_text_format(&t, "%s%s", at > d->from ? " " : "",
                         member               ? member->text
                         : s->tokens[at].text ? s->tokens[at].text
                                              : "");
        if (member) at = member->to - 1;
    }
    return t.data ? t.data : "1";
}

// `0` or `-3`.
static bool is_none(const struct cc_source *s, const struct cc_derivation *d) {
    uint32_t at = d->from;
    bool is_negative = cc_kind(s, at) == FRONT_P_MINUS;
    at += is_negative;
    return at + 1 == d->to && cc_kind(s, at) == FRONT_TOK_INT &&
           (is_negative || strtoull(s->tokens[at].text, NULL, 0) == 0);
}

// False: the region has a reason now.
static bool check(struct cc_region *r, const struct cc_node *n) {
    const struct cc_source *s = r->source;
    struct cc_derivation clause;
    bool library;
    if (cc_is_parallel(s, n)) {
        uint32_t line = s->tokens[n->from].line;
        if (cc_find_clause(s, n->from, "num_threads", &clause) && is_word(s, &clause, "1"))
            return cc_refuse(r, line, "num_threads(1): one thread alone runs it");
        if (cc_find_clause(s, n->from, "num_threads", &clause) && is_none(s, &clause))
            return cc_refuse(r, line, "argument to 'num_threads' clause must be a strictly positive integer value");
        if (cc_find_clause(s, n->from, "if", &clause) && is_word(s, &clause, "0"))
            return cc_refuse(r, line, "if(0): one thread alone runs it");
        if (cc_find_clause(s, n->from, "if", &clause) && !cc_can_be_asked(s, &clause, &library))
            return cc_refuse(r, line, "the condition of its `if` does more than compare: use a variable");
        return true;
    }
    for (n = n->child; n; n = n->next)
        if (!check(r, n)) return false;
    return true;
}

bool cc_check_alone(struct cc_region *r) { return check(r, r->node); }

const struct cc_derivation *cc_if_clause(const struct cc_region *r, struct cc_derivation *out) {
    return !r->is_loop && cc_find_clause(r->source, r->node->from, "if", out) ? out : NULL;
}

const char *cc_if_condition(const struct cc_region *r) {
    struct cc_derivation clause;
    return cc_if_clause(r, &clause) ? cc_clause_text(r, &clause, false) : NULL;
}

void cc_each_alone(const struct cc_region *r, const struct cc_node *n,
                   void (*take)(void *user, const struct cc_node *n, const char *condition), void *user) {
    const struct cc_source *s = r->source;
    struct cc_derivation clause;
    bool library;
    if (cc_is_parallel(s, n)) {
        bool is_one = cc_find_clause(s, n->from, "num_threads", &clause) && is_word(s, &clause, "1");
        if (is_one)
            take(user, n, "0");
        else if (cc_find_clause(s, n->from, "if", &clause) && cc_can_be_asked(s, &clause, &library) && !library)
            take(user, n, cc_clause_text(r, &clause, true));
        return;
    }
    for (n = n->child; n; n = n->next)
        cc_each_alone(r, n, take, user);
}
