// Tables of rows of which a region sets the pointers, as steps do that go from one to the other. In the program such a
// table is a pointer to rows, so all that may lead to each other have rows of one width, as the runtime finds out:
//
//     float **t = a;     |  float (*t)[ccv_1width] = a;
//     a = b;             |  a = b;
//     b = t;             |  b = t;
//
// Seen on tokens: each of them is set by nothing but the name of another one.
#include <string.h>

#include "cc/region.h"

enum { MOST_TABLES = 32 };
struct tables {
    const struct cc_name *items[MOST_TABLES];
    uint32_t count;
};

// float **a: the table that tokens name, also as a member, s->a. *out_end: behind them.
static const struct cc_name *table_at(const struct cc_region *r, uint32_t at, uint32_t *out_end) {
    const struct cc_source *s = r->source;
    const struct cc_member_use *member = cc_member_at(r, at);
    const struct cc_name *name = NULL;
    *out_end = member ? member->to : at + 1;
    if (member) {
        name = member->handed ? NULL : member->name;
    } else if (cc_kind(s, at) == FRONT_TOK_IDENT && cc_kind(s, at - 1) != FRONT_P_DOT &&
               cc_kind(s, at - 1) != FRONT_P_ARROW) {
        name = cc_find(s, s->tokens[at].text, at);
    }
    bool is_table = name && name->kind == CC_VARIABLE && name->derive_count == 2 && !name->is_unfolded && !name->each &&
                    name->derive[0].kind == CC_POINTER && name->derive[1].kind == CC_POINTER;
    return is_table ? name : NULL;
}

static bool has(const struct tables *t, const struct cc_name *name) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->items[i] == name) return true;
    return false;
}

static bool add(struct tables *t, const struct cc_name *name) {
    if (has(t, name)) return true;
    if (t->count == MOST_TABLES) return false;
    t->items[t->count++] = name;
    return true;
}

// False: more than there is room for.
static bool find(const struct cc_region *r, struct tables *out) {
    const struct cc_source *s = r->source;
    out->count = 0;
    for (uint32_t at = r->node->from, end, behind; at + 2 < r->node->to; at++) {
        const struct cc_name *left = table_at(r, at, &end), *right = NULL;
        if (left && cc_kind(s, end) == FRONT_P_ASSIGN) right = table_at(r, end + 1, &behind);
        if (!right || (cc_kind(s, behind) != FRONT_P_SEMI && cc_kind(s, behind) != FRONT_P_COMMA)) continue;
        if (!add(out, left) || !add(out, right)) return false;
    }
    return true;
}

// A function of the region gets a table that it names as a parameter (handed_rows.c), so it must not set it.
static bool is_set_in_calls(struct cc_region *r, const struct cc_name *name) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    for (uint32_t i = 0; i < s->function_count; i++)
        for (uint32_t at = s->functions[i].from, end; reached[i] && at < s->functions[i].to; at++)
            if (table_at(r, at, &end) == name && (cc_is_changed_at(s, at, end) || cc_kind(s, at - 1) == FRONT_P_AMP))
                return true;
    return false;
}

void cc_find_exchanged(struct cc_region *r) {
    struct tables t;
    if (!find(r, &t)) return;
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (!has(&t, r->vars[i].name)) continue;
        if (r->vars[i].form != CC_REACH || (r->vars[i].in_calls && is_set_in_calls(r, r->vars[i].name))) return;
    }
    for (uint32_t i = 0; i < r->var_count; i++)
        r->vars[i].is_exchanged = has(&t, r->vars[i].name);
}

const char *cc_width_name(const struct cc_region *r, const struct cc_name *name, uint32_t d) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].name == name && r->vars[i].is_exchanged) return CC_COMMON_WIDTH;
    return base_format(r->source->cx, CC_PREFIX "%s_%u", name->text, d);
}

void cc_point_exchanged(struct cc_region *r, cc_take_edit *take, void *user) {
    const struct cc_source *s = r->source;
    struct tables t;
    bool any = false;
    for (uint32_t i = 0; i < r->var_count; i++)
        any = any || r->vars[i].is_exchanged;
    if (!any || !find(r, &t)) return;
    for (uint32_t i = 0; i < t.count; i++) {
        const struct cc_name *n = t.items[i];
        if (n->at < r->node->from || n->at >= r->node->to) continue;
        if (cc_kind(s, n->at - 1) != FRONT_P_STAR || cc_kind(s, n->at - 2) != FRONT_P_STAR) continue;
        take(user, n->at - 2, n->at + 1, base_format(s->cx, "(*%s)[" CC_COMMON_WIDTH "]", n->text));
    }
}
