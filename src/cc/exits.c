// Where a program gives up: `assert`, as the system's header has it, and statements that say what is wrong and end the
// process:
//
//     if (n > room) {
//         fprintf(stderr, "no room\n");
//         exit(1);
//     }
//
// On the device both are asserts. Where one fails nothing of the region is stored, and the CPU runs it again from its
// beginning: it says what there is to say, and ends. So are lines to stderr under a condition, where nothing else keeps
// a region on the CPU: what they warn of is rare.
#include <stdlib.h>
#include <string.h>

#include "cc/source.h"

#define FAILS "__whorl_assert(0, \"exit\");"
#define WARNS "{ __whorl_assert(0, \"a line to stderr\"); }"

void cc_say_instead(struct cc_source *s, uint32_t from, uint32_t to, const char *text) {
    BASE_RESERVE(s->cx, s->exits, s->exit_count, s->exit_cap);
    s->exits[s->exit_count++] = (struct cc_exit){.from = from, .to = to, .text = text};
}

// ---- exit -----------------------------------------------------------------------------------------------------------

// `name(...);`, of one of these functions of the library.
static bool calls(const struct cc_source *s, const struct cc_node *n, const char *const *names) {
    if (n->kind != CC_SIMPLE || cc_kind(s, n->from) != FRONT_TOK_IDENT || cc_kind(s, n->from + 1) != FRONT_P_LPAREN)
        return false;
    const char *text = s->tokens[n->from].text;
    const struct cc_name *name = cc_find(s, text, n->from);
    if (!name || name->kind != CC_ROUTINE || s->is_user[s->tokens[name->at].file]) return false;
    uint32_t end = cc_skip_group(s, n->from + 1);
    while (*names && strcmp(*names, text) != 0)
        names++;
    return *names && cc_kind(s, end) == FRONT_P_SEMI && end + 1 == n->to;
}

static bool ends_process(const struct cc_source *s, const struct cc_node *n) {
    static const char *const names[] = {"exit", "_Exit", "_exit", "abort", NULL};
    return n && calls(s, n, names);
}

// Nothing but words before the end.
static bool says_and_ends(const struct cc_source *s, const struct cc_node *n) {
    static const char *const names[] = {"printf", "fprintf", "puts", "fputs", "putchar", "perror", "fflush", NULL};
    if (n->kind != CC_BLOCK || !ends_process(s, n->last)) return false;
    for (const struct cc_node *c = n->child; c != n->last; c = c->next)
        if (!calls(s, c, names)) return false;
    return true;
}

static bool has_no_condition(const struct cc_source *s, const struct cc_node *loop) {
    if (loop->kind != CC_FOR) return true; // some condition, that the end of the process may stand for
    uint32_t at = loop->from + 2;
    while (cc_kind(s, at) != FRONT_P_SEMI && at < loop->to)
        at = cc_kind(s, at) == FRONT_P_LPAREN ? cc_skip_group(s, at) : at + 1;
    return cc_kind(s, at + 1) == FRONT_P_SEMI;
}

// The device goes on behind an assert that failed: a loop that nothing else ends has to be left.
static void replace_end(struct cc_source *s, const struct cc_node *n) {
    const struct cc_node *p = n->parent;
    bool in_switch = false;
    while (p && p->kind != CC_FOR && p->kind != CC_LOOP) {
        in_switch = in_switch || cc_kind(s, p->from) == FRONT_KW_SWITCH;
        p = p->parent;
    }
    bool leaves = p && has_no_condition(s, p);
    if (!leaves || !in_switch) cc_say_instead(s, n->from, n->to, leaves ? "{ " FAILS " break; }" : "{ " FAILS " }");
}

// ---- lines to stderr ------------------------------------------------------------------------------------------------

static bool is_under_condition(const struct cc_node *n) {
    while (n && n->kind != CC_BRANCH && n->kind != CC_FOR && n->kind != CC_LOOP)
        n = n->parent;
    return n && n->kind == CC_BRANCH;
}

static bool warns(const struct cc_source *s, const struct cc_node *n) {
    static const char *const first[] = {"fprintf", "fflush", NULL}, *const last[] = {"fputs", "fputc", "putc", NULL},
                             *const always[] = {"perror", NULL};
    if (!is_under_condition(n)) return false;
    if (calls(s, n, always)) return true;
    bool is_first = calls(s, n, first);
    if (!is_first && !calls(s, n, last)) return false;
    uint32_t close = cc_skip_group(s, n->from + 1) - 1, at = is_first ? n->from + 2 : close - 1;
    enum front_token_kind beside = cc_kind(s, is_first ? at + 1 : at - 1);
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return cc_kind(s, at) == FRONT_TOK_IDENT && strcmp(s->tokens[at].text, "stderr") == 0 &&
           (beside == FRONT_P_COMMA || beside == FRONT_P_RPAREN) && name && name->is_file &&
           !s->is_user[s->tokens[name->at].file];
}

// ---- all statements -------------------------------------------------------------------------------------------------

static void find_ends(struct cc_source *s, const struct cc_node *n) {
    if (ends_process(s, n) || says_and_ends(s, n)) {
        replace_end(s, n);
        return;
    }
    if (warns(s, n)) {
        cc_say_instead(s, n->from, n->to, WARNS);
        s->exits[s->exit_count - 1].is_warning = s->has_warnings = true;
    }
    for (const struct cc_node *c = n->child; c; c = c->next)
        find_ends(s, c);
}

// ---- assert ---------------------------------------------------------------------------------------------------------

// Steps over so many tokens of these kinds.
static bool reads(const struct cc_source *s, uint32_t *io_at, const enum front_token_kind *kinds, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (cc_kind(s, *io_at + i) != kinds[i]) return false;
    *io_at += count;
    return true;
}

// From a `(` on, what the header leaves of assert(C), in GNU's C and in the standard's:
//     ((void) sizeof ((C) ? 1 : 0), __extension__ ({ if (C) ; else __assert_fail (...); }))
//     ((C) ? (void) (0) : __assert_fail (...))
static uint32_t find_assert(struct cc_source *s, uint32_t at) {
    static const enum front_token_kind sizeof_words[] = {FRONT_P_LPAREN, FRONT_P_LPAREN,  FRONT_KW_VOID,
                                                         FRONT_P_RPAREN, FRONT_KW_SIZEOF, FRONT_P_LPAREN},
                                       if_words[] = {FRONT_P_COMMA, FRONT_KW_EXTENSION, FRONT_P_LPAREN, FRONT_P_LBRACE,
                                                     FRONT_KW_IF},
                                       else_words[] = {FRONT_P_SEMI, FRONT_KW_ELSE, FRONT_TOK_IDENT},
                                       end_words[] = {FRONT_P_SEMI, FRONT_P_RBRACE, FRONT_P_RPAREN, FRONT_P_RPAREN},
                                       or_words[] = {FRONT_P_QUESTION, FRONT_P_LPAREN, FRONT_KW_VOID,
                                                     FRONT_P_RPAREN,   FRONT_P_LPAREN, FRONT_TOK_INT,
                                                     FRONT_P_RPAREN,   FRONT_P_COLON,  FRONT_TOK_IDENT};
    uint32_t from = at, open;
    bool is_gnu = reads(s, &at, sizeof_words, 6);
    at = is_gnu ? cc_skip_group(s, at - 1) : from + 1;
    if (is_gnu && !reads(s, &at, if_words, 5)) return from;
    open = at;
    if (cc_kind(s, at) != FRONT_P_LPAREN) return from;
    uint32_t behind = at = cc_skip_group(s, at);
    if (!(is_gnu ? reads(s, &at, else_words, 3) : reads(s, &at, or_words, 9))) return from;
    if (strcmp(s->tokens[at - 1].text, "__assert_fail") != 0 || cc_kind(s, at) != FRONT_P_LPAREN) return from;
    const char *text = cc_kind(s, at + 1) == FRONT_TOK_STRING ? s->tokens[at + 1].text : "\"assert\"";
    at = cc_skip_group(s, at);
    if (is_gnu ? !reads(s, &at, end_words, 4) : cc_kind(s, at++) != FRONT_P_RPAREN) return from;
    cc_say_instead(s, from, open, "__whorl_assert(");
    cc_say_instead(s, behind, at, base_format(s->cx, " ? 1 : 0, %s)", text));
    return at;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b) {
    const struct cc_exit *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

void cc_find_exits(struct cc_source *s) {
    for (uint32_t at = 0; at + 1 < s->count; at++)
        if (cc_kind(s, at) == FRONT_P_LPAREN) find_assert(s, at);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].body) find_ends(s, s->functions[i].body);
    cc_find_flushes(s);
    if (s->exit_count) qsort(s->exits, s->exit_count, sizeof *s->exits, by_place);
}

bool cc_is_exit(const struct cc_source *s, const struct cc_exit *e) { return !e->is_warning || s->leaves_at_warnings; }

const struct cc_exit *cc_exit_at(const struct cc_source *s, uint32_t at) {
    uint32_t lo = 0, hi = s->exit_count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->exits[mid].from <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && at < s->exits[lo - 1].to && cc_is_exit(s, &s->exits[lo - 1]) ? &s->exits[lo - 1] : NULL;
}
