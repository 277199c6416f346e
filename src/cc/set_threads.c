// omp_set_num_threads in a loop that is moved as a whole, as programs have it in front of each region. How many threads
// there are means nothing to the loop's program, which only keeps the last number that was set; the process takes it
// over when the loop is done.
#include "cc/region.h"

struct search {
    struct cc_region *r;
    bool *seen; // by function, twice: called inside of a region or not. Such a call says nothing new
};

static bool is_within_region(const struct cc_source *s, const struct cc_node *n) {
    for (; n; n = n->parent)
        if (cc_is_parallel(s, n)) return true;
    return false;
}

static bool is_setting(const struct cc_source *s, uint32_t at) {
    return cc_kind(s, at) == FRONT_TOK_IDENT && strcmp(s->tokens[at].text, "omp_set_num_threads") == 0 &&
           cc_kind(s, at + 1) == FRONT_P_LPAREN && !cc_function_of(s, s->tokens[at].text);
}

static void take(struct cc_region *r, uint32_t at) {
    for (uint32_t i = 0; i < r->setting_count; i++)
        if (r->settings[i] == at) return;
    BASE_RESERVE(r->source->cx, r->settings, r->setting_count, r->setting_cap);
    r->settings[r->setting_count++] = at;
}

// In a region a call is about the regions inside of it; and it must be a statement of its own. False: one is not so.
static bool find_in(struct search *x, const struct cc_node *body, bool in_region) {
    const struct cc_source *s = x->r->source;
    for (uint32_t at = body->from; at < body->to; at++) {
        const struct cc_function *f = cc_called(s, at);
        bool sets = is_setting(s, at);
        if (!sets && (!f || !f->body || !f->has_parallel)) continue;
        const struct cc_node *n = cc_statement_at(body, at);
        bool is_inside = in_region || is_within_region(s, n);
        if (f) {
            bool *seen = &x->seen[2 * (f - s->functions) + is_inside], was = *seen;
            *seen = true;
            if (!was && !find_in(x, f->body, is_inside)) return false;
        }
        if (!sets) continue;
        if (is_inside || n->kind != CC_SIMPLE || n->from != at || cc_skip_group(s, at + 1) + 1 != n->to) return false;
        take(x->r, at);
    }
    return true;
}

void cc_find_settings(struct cc_region *r) {
    struct search x = {.r = r};
    r->setting_count = 0;
    if (!r->is_loop) return;
    x.seen = base_alloc_array(r->source->cx, 2 * (size_t)r->source->function_count, sizeof *x.seen);
    if (!find_in(&x, r->node, false)) r->setting_count = 0;
}
