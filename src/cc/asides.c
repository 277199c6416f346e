// Statements of one thread that have nothing to do with the rest of their region, as
//
//     #pragma omp master
//     printf("%d threads\n", omp_get_num_threads());
//
// They are left out of the region's program, and once that ran on the GPU the CPU runs them in a region of their own,
// with as many threads. So they must come once in each run, name nothing that the region names, and reach no memory
// that it may change.
#include <string.h>

#include "cc/region.h"

// Is there one of these functions, and none but these?
static bool calls_of_process(const struct cc_source *s, uint32_t from, uint32_t to) {
    static const char *const known[] = {"printf",
                                        "fprintf",
                                        "puts",
                                        "putchar",
                                        "fflush",
                                        "omp_get_num_threads",
                                        "omp_get_max_threads",
                                        "omp_get_num_procs",
                                        "omp_get_thread_num",
                                        "omp_get_wtime"};
    bool any = false;
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_LPAREN) continue;
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known = is_known || strcmp(s->tokens[at].text, known[i]) == 0;
        if (!is_known) return false;
        any = true;
    }
    return any;
}

// Statements that say no name of the region's, and follow no pointer.
static bool is_plain(const struct cc_source *s, const struct cc_node *n) {
    if (n->kind == CC_PRAGMA || n->kind == CC_FOR || n->kind == CC_LOOP || n->leaves) return false;
    for (const struct cc_node *c = n->child; c; c = c->next)
        if (!is_plain(s, c)) return false;
    for (uint32_t at = n->from; at < n->to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_STAR || kind == FRONT_P_LBRACKET || kind == FRONT_P_ARROW || kind == FRONT_P_AMP)
            return false;
    }
    return true;
}

// Is it named, outside of this statement, in the region or by its address?
static bool is_elsewhere(const struct cc_region *r, const struct cc_name *name, const struct cc_node *aside) {
    const struct cc_source *s = r->source;
    for (uint32_t at = r->function->from; at < r->function->to; at++) {
        if (s->tokens[at].text != name->text || (aside->from <= at && at < aside->to)) continue;
        if (r->node->from <= at && at < r->node->to) return true;
        if (cc_kind(s, at - 1) == FRONT_P_AMP) return true;
    }
    return false;
}

static bool is_apart(const struct cc_region *r, const struct cc_node *aside) {
    const struct cc_source *s = r->source;
    for (uint32_t at = aside->from; at < aside->to; at++) {
        const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        if (!name || name->kind != CC_VARIABLE) continue;
        bool is_users = s->is_user[s->tokens[name->at].file];
        if (name->is_file && !is_users) continue; // stderr
        bool is_inside = name->from >= aside->from;
        if (name->is_file || name->is_volatile || (!is_inside && name->from >= r->node->from)) return false;
        if (!is_inside && is_elsewhere(r, name, aside)) return false;
    }
    return true;
}

static bool is_aside(const struct cc_region *r, const struct cc_node *n) {
    const struct cc_source *s = r->source;
    if (n->kind != CC_PRAGMA || !n->child) return false;
    const char *first = s->tokens[n->from + 1].text;
    bool is_alone = strcmp(first, "master") == 0 || strcmp(first, "single") == 0;
    for (uint32_t at = n->from + 2; is_alone && cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++)
        is_alone = strcmp(s->tokens[at].text, "nowait") == 0;
    return is_alone && is_plain(s, n->child) && calls_of_process(s, n->child->from, n->to) && is_apart(r, n);
}

void cc_find_asides(struct cc_region *r) {
    const struct cc_source *s = r->source;
    const struct cc_node *block = r->node->child;
    r->aside_count = 0;
    if (r->node->kind != CC_PRAGMA || !block || block->kind != CC_BLOCK) return;
    if (strcmp(s->tokens[r->node->from + 1].text, "parallel") != 0 || cc_has_word(s, r->node, "for") ||
        cc_has_word(s, r->node, "sections") || cc_has_word(s, r->node, "loop"))
        return;
    for (const struct cc_node *n = block->child; n; n = n->next) {
        if (!is_aside(r, n)) continue;
        bool waits = cc_has_word(s, n, "single") && !cc_has_word(s, n, "nowait");
        BASE_RESERVE(s->cx, r->asides, r->aside_count, r->aside_cap);
        r->asides[r->aside_count++] = (struct cc_derivation){.kind = waits, .from = n->from, .to = n->to};
    }
}

const struct cc_derivation *cc_aside_at(const struct cc_region *r, uint32_t at) {
    for (uint32_t i = 0; i < r->aside_count; i++)
        if (r->asides[i].from == at) return &r->asides[i];
    return NULL;
}

static void put_tokens(struct base_text *out, const struct cc_source *s, uint32_t from, uint32_t to) {
    const struct cc_token *first = &s->tokens[from], *last = &s->tokens[to - 1];
    base_text_add(out, s->text + first->at, last->at + last->size - first->at);
}

void cc_put_asides(struct base_text *out, const struct cc_region *r) {
    const struct cc_source *s = r->source;
    if (!r->aside_count) return;
    base_text_put(out, "\n#pragma omp parallel");
    for (uint32_t at = r->node->from + 1; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
        bool decides = strcmp(s->tokens[at].text, "num_threads") == 0 || strcmp(s->tokens[at].text, "if") == 0;
        if (!decides || cc_kind(s, at + 1) != FRONT_P_LPAREN) continue;
        base_text_put(out, " ");
        put_tokens(out, s, at, cc_skip_group(s, at + 1));
    }
    base_text_put(out, "\n{\n");
    for (uint32_t i = 0; i < r->aside_count; i++) {
        put_tokens(out, s, r->asides[i].from, r->asides[i].to);
        base_text_put(out, "\n");
    }
    base_text_put(out, "}\n");
}
