// What a program does only if it was told to: `if (timers) start_timer(3);`, `if (debug) print_all();`. Where such a
// statement is for the CPU alone and its condition is known before the region, and stays what it is, the region's
// program has it not; and where the condition holds at a call, the CPU runs the region.
#include <string.h>

#include "cc/region.h"

enum { DEEPEST = 20 };

static bool is_call(const struct cc_source *s, uint32_t at) {
    return cc_kind(s, at) == FRONT_TOK_IDENT && cc_kind(s, at + 1) == FRONT_P_LPAREN;
}

// Functions of the library that are not of math.h, and functions of other files.
static bool is_for_cpu(const struct cc_source *s, uint32_t from, uint32_t to, uint32_t depth) {
    for (uint32_t at = from; at < to; at++) {
        if (!is_call(s, at)) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        const struct cc_function *f = cc_called(s, at);
        if (f && (depth == DEEPEST || is_for_cpu(s, f->from, f->to, depth + 1))) return true;
        if (!f && name && name->kind == CC_ROUTINE && !strstr(s->files[s->tokens[name->at].file], "math")) return true;
    }
    return false;
}

// ---- functions that a region reaches --------------------------------------------------------------------------------

struct reach {
    struct cc_region *region;
    bool *functions; // by number
};

static void reach(struct reach *x, uint32_t from, uint32_t to) {
    const struct cc_source *s = x->region->source;
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(s, at);
        if (!f || x->functions[f - s->functions]) continue;
        x->functions[f - s->functions] = true;
        reach(x, f->from, f->to);
    }
}

// Set where the region runs, or by a pointer from anywhere.
static bool may_change(const struct reach *x, const struct cc_name *v) {
    const struct cc_source *s = x->region->source;
    const struct cc_node *own = x->region->node;
    for (uint32_t i = 0; i < s->function_count; i++) {
        const struct cc_function *f = &s->functions[i];
        for (uint32_t at = f->from; at < f->to; at++) {
            if (s->tokens[at].text != v->text || !cc_is_changed_at(s, at, at + 1)) continue;
            const struct cc_name *name = cc_find(s, v->text, at);
            bool is_it = v->is_file ? name && name->is_file : name == v;
            bool counts = x->functions[i] || (own->from <= at && at < own->to) || cc_kind(s, at - 1) == FRONT_P_AMP;
            if (is_it && counts) return true;
        }
    }
    return false;
}

// ---- conditions -----------------------------------------------------------------------------------------------------

// Integers, compared, that can be named where the region begins.
static bool is_known(const struct reach *x, uint32_t from, uint32_t to) {
    const struct cc_source *s = x->region->source;
    bool any = false;
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        bool is_operator = kind == FRONT_P_LPAREN || kind == FRONT_P_RPAREN || kind == FRONT_P_NOT ||
                           kind == FRONT_P_ANDAND || kind == FRONT_P_OROR || kind == FRONT_P_EQ || kind == FRONT_P_NE ||
                           kind == FRONT_P_LT || kind == FRONT_P_LE || kind == FRONT_P_GT || kind == FRONT_P_GE;
        if (is_operator || kind == FRONT_TOK_INT) continue;
        if (kind != FRONT_TOK_IDENT || is_call(s, at)) return false;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (!name || name->from >= x->region->node->from || cc_find(s, name->text, x->region->node->from) != name)
            return false;
        if (name->kind == CC_CONSTANT && name->is_file) continue;
        if (name->kind != CC_VARIABLE || name->derive_count || name->is_volatile || name->is_thread) return false;
        if (may_change(x, name)) return false;
        any = true;
    }
    return any;
}

static void find(struct reach *x, const struct cc_node *n) {
    struct cc_region *r = x->region;
    const struct cc_source *s = r->source;
    bool is_if = n->kind == CC_BRANCH && cc_kind(s, n->from) == FRONT_KW_IF;
    uint32_t behind = is_if ? cc_skip_group(s, n->from + 1) : 0;
    if (is_if && !n->leaves && n->child && !n->child->next && is_for_cpu(s, n->child->from, n->child->to, 0) &&
        is_known(x, n->from + 2, behind - 1)) {
        BASE_RESERVE(s->cx, r->switches, r->switch_count, r->switch_cap);
        r->switches[r->switch_count++] = (struct cc_derivation){.from = n->from, .to = n->to};
        return;
    }
    for (n = n->child; n; n = n->next)
        find(x, n);
}

bool cc_find_switches(struct cc_region *r) {
    struct cc_source *s = r->source;
    struct reach x = {.region = r, .functions = base_alloc_array(s->cx, s->function_count + 1, sizeof(bool))};
    reach(&x, r->node->from, r->node->to);
    find(&x, r->node);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (x.functions[i] && s->functions[i].body) find(&x, s->functions[i].body);
    return r->switch_count > 0;
}

const struct cc_derivation *cc_switch_at(const struct cc_region *r, uint32_t at) {
    for (uint32_t i = 0; i < r->switch_count; i++)
        if (r->switches[i].from <= at && at < r->switches[i].to) return &r->switches[i];
    return NULL;
}

// "(timers) || (debug > 1)": one of the conditions holds.
const char *cc_switched(const struct cc_region *r) {
    const struct cc_source *s = r->source;
    struct base_text all;
    base_text_init(&all, s->cx);
    for (uint32_t i = 0; i < r->switch_count; i++) {
        uint32_t from = r->switches[i].from + 1, to = cc_skip_group(s, from);
        struct base_text one;
        base_text_init(&one, s->cx);
        for (uint32_t at = from; at < to; at++)
            base_text_format(&one, "%s%s", at > from + 1 && at + 1 < to ? " " : "", s->tokens[at].text);
        if (!all.data || !strstr(all.data, one.data)) base_text_format(&all, "%s%s", all.size ? " || " : "", one.data);
    }
    return all.data;
}
