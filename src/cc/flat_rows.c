// Tables of pointers to rows in two forms. In one of them, rows are those of an array, `float (*a)[ccv_a_1]`, which the
// compiler knows to be apart. In the other, `#ifdef ccv_flat`, they are places in one memory, and where each begins is
// in an array of numbers: what C says of pointers, whatever the indices are. The runtime asks for it where nobody knows
// whether indices stay inside of their rows.
//
//     a[i][j]    |    ccv_row(a, ccv_a_rows, (i))[j]    is    a[(i)][j]    or    (a + ccv_a_rows[(i)])[j]
//     f(a + 1)   |    f(ccv_a_1, ccv_a_rows + 1, ccv_part(a, + 1))
#include <string.h>

#include "cc/region.h"

const char *cc_flat_macros(void) {
    return "#ifdef " CC_PREFIX "flat\n#define " CC_PREFIX
           "row(table, starts, i) (table + starts[i])\n#define " CC_PREFIX "width(n)\n#define " CC_PREFIX
           "part(table, by) table\n#else\n#define " CC_PREFIX "row(table, starts, i) table[i]\n#define " CC_PREFIX
           "width(n) [n]\n#define " CC_PREFIX "part(table, by) table + (by)\n#endif\n";
}

static bool is_edited(const struct cc_region *r, uint32_t from, uint32_t to, cc_is_edited *edited, void *user) {
    const struct cc_token *first = &r->source->tokens[from], *last = &r->source->tokens[to - 1];
    uint32_t begin = first->at, end = last->at + last->size;
    for (uint32_t i = 0; i < r->edit_count; i++)
        if (r->edits[i].at < end && begin < r->edits[i].at + r->edits[i].size) return true;
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].from < to && from < r->members[i].to && r->members[i].from != from) return true;
    return edited(user, begin, end);
}

uint32_t cc_behind_table(const struct cc_region *r, const struct cc_name *name, uint32_t at) {
    const struct cc_source *s = r->source;
    const struct cc_member_use *member = cc_member_at(r, at);
    if (member) return member->name == name ? member->to : 0;
    if (name->said || cc_kind(s, at) != FRONT_TOK_IDENT || s->tokens[at].text != name->text) return 0;
    enum front_token_kind before = cc_kind(s, at - 1);
    bool is_member = before == FRONT_P_DOT || before == FRONT_P_ARROW;
    const struct cc_name *here = is_member ? NULL : cc_find(s, s->tokens[at].text, at);
    return here && (here == name || (here->is_file && name->is_file)) ? at + 1 : 0; // which several lines may declare
}

bool cc_finds_row(struct cc_region *r, uint32_t at, uint32_t behind, cc_is_edited *edited, void *user) {
    const struct cc_source *s = r->source;
    if (cc_kind(s, behind) != FRONT_P_LBRACKET) return false;
    uint32_t end = cc_skip_group(s, behind);
    return !is_edited(r, at, behind + 1, edited, user) && !is_edited(r, end - 1, end, edited, user);
}

const char *cc_starts_name(const struct cc_region *r, const struct cc_name *name) {
    return base_format(r->source->cx, CC_PREFIX "%s_rows", name->text);
}

void cc_flatten_row(struct cc_region *r, const struct cc_name *name, uint32_t at, uint32_t behind, cc_take_edit *take,
                    void *user) {
    uint32_t end = cc_skip_group(r->source, behind);
    take(user, at, at, CC_PREFIX "row(");
    take(user, behind, behind + 1, base_format(r->source->cx, ", %s, (", cc_starts_name(r, name)));
    take(user, end - 1, end, "))");
}

bool cc_has_flat_shape(const struct cc_variable *v) {
    bool is_table = (v->form == CC_REACH || v->form == CC_WHOLE) && cc_has_rows(v->name) && v->name->derive_count == 2;
    return is_table && !v->through && !v->moves && !v->is_written && !v->is_compared && !v->is_exchanged &&
           !v->name->each;
}

// All that the region does with the table is finding a row by its number.
static bool can_be_flat(struct cc_region *r, const struct cc_variable *v, cc_is_edited *edited, void *user) {
    const struct cc_source *s = r->source;
    const struct cc_name *name = v->name;
    if (!cc_has_flat_shape(v) || v->in_calls || (name->said && r->handed_count)) return false;
    uint32_t uses = 0;
    bool in_pragma = false;
    for (uint32_t at = r->node->from, behind; at < r->node->to; at++) {
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) in_pragma = true;
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA_END) in_pragma = false;
        if (!(behind = cc_behind_table(r, name, at)) || in_pragma) continue;
        if (!cc_finds_row(r, at, behind, edited, user)) return false;
        uses++;
    }
    return uses > 0;
}

// default(none): where rows begin stands in no clause.
static void put_defaults(const struct cc_region *r, cc_take_edit *take, void *user) {
    const struct cc_source *s = r->source;
    for (uint32_t at = r->node->from; at + 3 < r->node->to; at++)
        if (cc_kind(s, at) == FRONT_KW_DEFAULT && strcmp(s->tokens[at + 2].text, "none") == 0)
            take(user, at + 2, at + 3, "shared");
}

void cc_flatten_rows(struct cc_region *r, cc_is_edited *edited, cc_take_edit *take, void *user) {
    const struct cc_source *s = r->source;
    r->has_flat = false;
    for (uint32_t i = 0; i < r->var_count; i++) {
        struct cc_variable *v = &r->vars[i];
        v->is_flat = v->is_flat || can_be_flat(r, v, edited, user); // or handed_rows.c said so
        r->has_flat |= v->is_flat;
        for (uint32_t at = r->node->from, behind; v->is_flat && at < r->node->to; at++) {
            if (!(behind = cc_behind_table(r, v->name, at)) || cc_kind(s, behind) != FRONT_P_LBRACKET) continue;
            bool is_part = cc_kind(s, at - 1) == FRONT_P_AMP && is_edited(r, at - 1, at, edited, user); // handed_rows.c
            if (!is_part) cc_flatten_row(r, v->name, at, behind, take, user);
        }
    }
    if (r->has_flat) put_defaults(r, take, user);
}
