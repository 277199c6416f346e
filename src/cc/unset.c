// Integers that are declared without a value, of which it is not seen that they are set before they are used:
//
//     int at;                                       |  int at = 0;
//     float best = FLT_MAX;
//     for (int i = 0; i < n; i++)
//         if (d[i] < best) best = d[i], at = i;
//     count[at]++;
//
// Nobody may ask for what is in such a variable, so in the program it is 0: then it is known where `at` stays.
#include "cc/region.h"

static bool is_integer(const struct cc_source *s, const struct cc_name *name, uint32_t depth) {
    for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_TOK_IDENT && depth < 9) {
            const struct cc_name *type = cc_find(s, s->tokens[at].text, at);
            bool is_type = type && type->kind == CC_TYPE && !type->derive_count && !type->is_odd;
            if (!is_type || !is_integer(s, type, depth + 1)) return false;
        } else if (kind != FRONT_KW_INT && kind != FRONT_KW_LONG && kind != FRONT_KW_SHORT && kind != FRONT_KW_CHAR &&
                   kind != FRONT_KW_UNSIGNED && kind != FRONT_KW_SIGNED && kind != FRONT_KW_TYPEDEF) {
            return false;
        }
    }
    return name->spec_from < name->spec_to;
}

static void find(struct cc_region *r, const struct cc_node *body, uint32_t from, uint32_t to, cc_take_edit *take,
                 void *user) {
    struct cc_source *s = r->source;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (n->at < from || n->at >= to || n->kind != CC_VARIABLE || n->derive_count || n->has_init) continue;
        if (n->is_param || n->is_file || n->is_static || n->is_extern || !is_integer(s, n, 0)) continue;
        const struct cc_node *at = cc_statement_at(body, n->at);
        if (at->kind != CC_DECLARATION || !cc_is_used_unset(s, n, at->next)) continue;
        take(user, n->at, n->at + 1, base_format(s->cx, "%s = 0", n->text));
    }
}

void cc_set_unset(struct cc_region *r, cc_take_edit *take, void *user) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    find(r, r->node, r->node->from, r->node->to, take, user);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (reached[i]) find(r, s->functions[i].body, s->functions[i].from, s->functions[i].to, take, user);
}
