// Flushes. Kernels and barriers make writes visible, so a flush is nothing more there, and the program goes without.
// But in a loop in which a thread waits for what another one sets,
//
//     while (!is_there[id - 1]) {
//         #pragma omp flush(is_there)
//     }
//
// it is left to the front-end, which does not take it: threads of a device need not run at the same time. GNU C's
// __sync_synchronize() and __atomic_thread_fence(order) are the same.
#include <string.h>

#include "cc/source.h"

static bool is_pragma(const struct cc_source *s, const struct cc_node *n, const char *word) {
    return cc_kind(s, n->from) == FRONT_TOK_PRAGMA && strcmp(s->tokens[n->from + 1].text, word) == 0;
}

static bool is_fence(const struct cc_source *s, const struct cc_node *n) {
    const char *name = s->tokens[n->from].text;
    return n->kind == CC_SIMPLE && cc_kind(s, n->from + 1) == FRONT_P_LPAREN &&
           cc_skip_group(s, n->from + 1) + 1 == n->to &&
           (strcmp(name, "__sync_synchronize") == 0 || strcmp(name, "__atomic_thread_fence") == 0);
}

// All threads meet in this statement.
static bool has_barrier(const struct cc_source *s, const struct cc_node *n) {
    static const char *const words[] = {"for", "single", "sections"};
    if (is_pragma(s, n, "barrier")) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_pragma(s, n, words[i])) return !cc_has_word(s, n, "nowait");
    for (const struct cc_node *c = n->child; c; c = c->next)
        if (has_barrier(s, c)) return true;
    return false;
}

// The loop around it, if a statement may be a pass of one in which a thread waits.
static bool may_wait(const struct cc_source *s, const struct cc_node *n) {
    for (n = n->parent; n; n = n->parent) {
        if (n->kind == CC_PRAGMA && cc_has_word(s, n, "for")) return false;
        bool is_shared = n->parent && n->parent->kind == CC_PRAGMA && cc_has_word(s, n->parent, "for");
        if ((n->kind == CC_FOR || n->kind == CC_LOOP) && !is_shared) return !has_barrier(s, n);
    }
    return false;
}

static void find_flushes(struct cc_source *s, const struct cc_node *n) {
    if ((is_pragma(s, n, "flush") || is_fence(s, n)) && !may_wait(s, n)) cc_say_instead(s, n->from, n->to, ";");
    for (const struct cc_node *c = n->child; c; c = c->next)
        find_flushes(s, c);
}

void cc_find_flushes(struct cc_source *s) {
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].body) find_flushes(s, s->functions[i].body);
}
