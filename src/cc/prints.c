// What regions print. The device keeps it in a log, which the runtime prints when the region is done, in the order that
// one thread has. So a print must come as often as on the CPU, whatever the number of threads: in iterations of a
// worksharing loop, in a section, or by one thread alone,
//
//     #pragma omp master
//     printf("%d: %g\n", step, residual);
//
// or in a function whose calls stand so. A loop around regions that prints stays where it is: it says how far it is.
#include <string.h>

#include "cc/region.h"
#include "front/text/printers.h"

bool cc_is_print(const char *name, bool to_stdout) {
    const struct front_print *print = front_find_print(name);
    return print && (print->file == FRONT_NO_FILE || to_stdout);
}

// Is stdout the first argument of these brackets, or the last one?
static bool names_stdout(const struct cc_source *s, uint32_t open) {
    uint32_t close = cc_skip_group(s, open) - 1;
    bool is_first = cc_kind(s, open + 1) == FRONT_TOK_IDENT && strcmp(s->tokens[open + 1].text, "stdout") == 0;
    bool is_last = cc_kind(s, close - 1) == FRONT_TOK_IDENT && strcmp(s->tokens[close - 1].text, "stdout") == 0;
    return (is_first && (open + 2 == close || cc_kind(s, open + 2) == FRONT_P_COMMA)) ||
           (is_last && cc_kind(s, close - 2) == FRONT_P_COMMA);
}

static bool is_print_at(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_LPAREN) return false;
    if (!cc_is_print(s->tokens[at].text, names_stdout(s, at + 1))) return false;
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
    for (const struct cc_node *n = cc_statement_at(r->node, at); n; n = n->parent) {
        if (is_once(s, n)) return true;
        if (n == r->node) break;
    }
    return false;
}

static bool is_statement(const struct cc_region *r, uint32_t at) { // its result is not used
    const struct cc_node *n = cc_statement_at(r->node, at);
    return n && n->kind == CC_SIMPLE && n->from == at;
}

// How many statements of these functions print. Counts each function once.
static uint32_t count_in(const struct cc_source *s, const struct cc_function *f, bool *io_counted) {
    if (!f || !f->body || io_counted[f - s->functions]) return 0;
    io_counted[f - s->functions] = true;
    uint32_t count = 0;
    for (uint32_t at = f->from; at < f->to; at++) {
        const struct cc_exit *end = cc_exit_at(s, at);
        if (end)
            at = end->to - 1;
        else
            count += is_print_at(s, at) + count_in(s, cc_called(s, at), io_counted);
    }
    return count;
}

// Does it print, or what it calls? io_known: by function, what was found before.
static bool prints(const struct cc_source *s, const struct cc_function *f, uint8_t *io_known) {
    enum { UNKNOWN, SILENT, PRINTS };
    if (!f) return false;
    uint8_t *known = &io_known[f - s->functions];
    if (*known == UNKNOWN)
        *known = count_in(s, f, base_alloc_array(s->cx, s->function_count, sizeof(bool))) ? PRINTS : SILENT;
    return *known == PRINTS;
}

void cc_find_prints(struct cc_region *r) {
    const struct cc_source *s = r->source;
    bool *counted = base_alloc_array(s->cx, s->function_count + 1, sizeof *counted);
    uint8_t *known = base_alloc_array(s->cx, s->function_count + 1, sizeof *known);
    r->print_count = 0;
    if (r->node->kind != CC_PRAGMA) return;
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        const struct cc_derivation *aside = cc_aside_at(r, at);
        if (aside) at = aside->to - 1;
        if (aside || cc_exit_at(s, at) || cc_switch_at(r, at)) continue;
        bool is_print = is_print_at(s, at);
        const struct cc_function *f = is_print ? NULL : cc_called(s, at);
        if (!is_print && !prints(s, f, known)) continue;
        if (!comes_once(r, at) || (is_print && !is_statement(r, at))) {
            r->print_count = 0;
            return;
        }
        r->print_count += is_print + count_in(s, f, counted);
    }
}

bool cc_is_stdout(const struct cc_region *r, uint32_t at) {
    const struct cc_source *s = r->source;
    if (!r->print_count || cc_kind(s, at) != FRONT_TOK_IDENT || strcmp(s->tokens[at].text, "stdout") != 0) return false;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return name && name->is_file && !s->is_user[s->tokens[name->at].file];
}
