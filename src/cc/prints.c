// What regions print. The device keeps it in a log, which the runtime prints when the region is done, in the order that
// one thread has. So a print must come as often as on the CPU, whatever the number of threads: in iterations of a
// worksharing loop, in a section, or by one thread alone,
//
//     #pragma omp master
//     printf("%d: %g\n", step, residual);
//
// A loop around regions that prints stays where it is: it says how far it is.
#include <string.h>

#include "cc/region.h"

bool cc_is_print(const char *name) {
    return strcmp(name, "printf") == 0 || strcmp(name, "puts") == 0 || strcmp(name, "putchar") == 0;
}

static bool is_print_at(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_LPAREN) return false;
    if (!cc_is_print(s->tokens[at].text)) return false;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return name && name->kind == CC_ROUTINE && !s->is_user[s->tokens[name->at].file];
}

// Iterations are shared out there, or one thread alone is in it.
static bool is_once(const struct cc_source *s, const struct cc_node *n) {
    static const char *const words[] = {"for", "section", "single", "master", "masked"};
    for (size_t i = 0; n->kind == CC_PRAGMA && n->child && i < sizeof words / sizeof *words; i++)
        if (cc_has_word(s, n, words[i])) return true;
    return false;
}

static bool comes_once(const struct cc_region *r, uint32_t at) {
    const struct cc_source *s = r->source;
    const struct cc_node *n = cc_statement_at(r->node, at);
    if (!n || n->kind != CC_SIMPLE || n->from != at) return false; // its result is used
    for (; n != r->node; n = n->parent)
        if (is_once(s, n)) return true;
    return is_once(s, n);
}

void cc_find_prints(struct cc_region *r) {
    const struct cc_source *s = r->source;
    r->print_count = 0;
    if (r->node->kind != CC_PRAGMA) return;
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        const struct cc_derivation *aside = cc_aside_at(r, at);
        if (aside) at = aside->to - 1;
        if (aside || cc_exit_at(s, at) || cc_switch_at(r, at) || !is_print_at(s, at)) continue;
        if (comes_once(r, at)) {
            r->print_count++;
        } else {
            r->print_count = 0;
            return;
        }
    }
}
