// Structs that hold pointers and go to functions of the file. In the program the function has a parameter for each
// member that it uses, and for those that the functions use which it hands the struct on to:
//
//     void nodes(struct domain *d, int i, double *v) |  void nodes(double *d__x, int i, double *v)
//         v[k] = d->x[at[k]];                        |      v[k] = d__x[at[k]];
//     nodes(domain, i, own);                         |  nodes(domain__x, i, own);
//
// What the region hands over are its own variables for members (members.c). A number that a function sets is handed
// over by its address, to all functions that take a pointer to such a struct: two of them may lead to one. A function
// that changes another member itself, or does anything else with the struct, cannot be called so.
#include <string.h>

#include "cc/members.h"

enum { DEEPEST = 8 };

const struct cc_name *cc_param_at(const struct cc_source *s, const struct cc_function *f, uint32_t which,
                                  struct cc_derivation *out) {
    const struct cc_name *own = NULL;
    for (uint32_t i = 0; i < s->declared_count && !own; i++)
        if (s->declared[i]->text == f->name && s->declared[i]->at >= f->start && s->declared[i]->at < f->from)
            own = s->declared[i];
    if (!own || own->kind != CC_ROUTINE) return NULL;
    uint32_t from = own->derive[0].from, end = own->derive[0].to, to;
    for (; (to = cc_behind_argument(s, from, end)) < end && which; which--)
        from = to + 1;
    if (which) return NULL;
    *out = (struct cc_derivation){.from = from, .to = to};
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (!n->is_param || n->kind != CC_VARIABLE) continue;
        bool is_old = cc_is_old(s, f) && n->at > end && n->at < f->from && n->text == s->tokens[from].text;
        if (is_old || (n->at >= from && n->at < to)) return n;
    }
    return NULL;
}

uint32_t cc_behind_argument(const struct cc_source *s, uint32_t at, uint32_t to) {
    while (at < to && cc_kind(s, at) != FRONT_P_COMMA) {
        bool opens =
            cc_kind(s, at) == FRONT_P_LPAREN || cc_kind(s, at) == FRONT_P_LBRACKET || cc_kind(s, at) == FRONT_P_LBRACE;
        at = opens ? cc_skip_group(s, at) : at + 1;
    }
    return at;
}

// ---- arguments ------------------------------------------------------------------------------------------------------

// The call, of a function of the file, that these tokens are an argument of.
struct argument {
    const struct cc_function *function;
    uint32_t which, from, to;
    bool is_address; // &s
};

static void unwrap(const struct cc_source *s, struct argument *a) {
    while (cc_kind(s, a->from - 1) == FRONT_P_LPAREN && cc_kind(s, a->to) == FRONT_P_RPAREN &&
           cc_kind(s, a->from - 2) != FRONT_TOK_IDENT)
        a->from--, a->to++;
}

static bool find_argument(const struct cc_source *s, uint32_t from, uint32_t to, struct argument *out) {
    struct argument a = {.from = from, .to = to};
    unwrap(s, &a);
    if (cc_kind(s, a.from - 1) == FRONT_P_AMP) {
        a.is_address = true;
        a.from--;
        unwrap(s, &a);
    }
    enum front_token_kind before = cc_kind(s, a.from - 1), behind = cc_kind(s, a.to);
    if (before != FRONT_P_LPAREN && before != FRONT_P_COMMA) return false;
    if (behind != FRONT_P_RPAREN && behind != FRONT_P_COMMA) return false;
    uint32_t at = a.from - 1, depth = 0;
    for (; at > 1; at--) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE) return false;
        if (kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACKET) depth++;
        if (kind == FRONT_P_COMMA && !depth) a.which++;
        if (kind != FRONT_P_LPAREN && kind != FRONT_P_LBRACKET) continue;
        if (!depth) break;
        depth--;
    }
    a.function = cc_kind(s, at) == FRONT_P_LPAREN ? cc_called(s, at - 1) : NULL;
    *out = a;
    return a.function && a.function->body;
}

// ---- what a function uses of one ------------------------------------------------------------------------------------

static bool add_edit(struct cc_source *s, struct cc_handed *h, uint32_t from, uint32_t to, const char *text) {
    BASE_RESERVE(s->cx, h->edits, h->edit_count, h->edit_cap);
    h->edits[h->edit_count++] = (struct cc_handed_edit){from, to, text};
    return true;
}

// Is a member set, or its address taken? What stands before it in the statement may belong to something else.
static bool may_be_set(const struct cc_source *s, uint32_t at) {
    uint32_t behind = at + 1;
    while (cc_kind(s, behind) == FRONT_P_LBRACKET || cc_kind(s, behind) == FRONT_P_DOT)
        behind = cc_kind(s, behind) == FRONT_P_DOT ? behind + 2 : cc_skip_group(s, behind);
    if (cc_is_step(cc_kind(s, behind)) || cc_is_assignment(cc_kind(s, behind))) return true;
    for (at--;; at--) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE) return false;
        if (kind == FRONT_P_AMP || cc_is_step(kind)) return true;
    }
}

static bool is_member(const struct cc_source *s, uint32_t at) {
    enum front_token_kind before = cc_kind(s, at - 1);
    return cc_kind(s, at) == FRONT_TOK_IDENT && (before == FRONT_P_DOT || before == FRONT_P_ARROW);
}

// `&list[i].x`, perhaps: whoever gets that pointer may set the member without a word of it.
static bool is_addressed(const struct cc_source *s, uint32_t at) {
    for (uint32_t depth = 0; at > 0;) {
        enum front_token_kind kind = cc_kind(s, --at);
        if (kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE) return false;
        if (kind == FRONT_P_RBRACKET || kind == FRONT_P_RPAREN) depth++;
        if (depth > 0) {
            depth -= kind == FRONT_P_LBRACKET || kind == FRONT_P_LPAREN;
            continue;
        }
        if (kind == FRONT_P_COMMA || cc_is_assignment(kind)) return false;
        if (kind == FRONT_P_AMP) return true;
    }
    return false;
}

static void add_set(struct cc_region *r, uint32_t at) {
    BASE_RESERVE(r->source->cx, r->set_members, r->set_member_count, r->set_member_cap);
    r->set_members[r->set_member_count++] = r->source->tokens[at].text;
}

static bool is_set_somewhere(struct cc_region *r, const char *text) {
    struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    for (uint32_t at = r->node->from + 1; at < r->node->to && !r->knows_set_members; at++)
        if (is_member(s, at) && is_addressed(s, at)) add_set(r, at);
    for (uint32_t i = 0; i < s->function_count && !r->knows_set_members; i++)
        for (uint32_t at = s->functions[i].from + 1; reached[i] && at < s->functions[i].to; at++)
            if (is_member(s, at) && may_be_set(s, at)) add_set(r, at);
    r->knows_set_members = true;
    for (uint32_t i = 0; i < r->set_member_count; i++)
        if (r->set_members[i] == text) return true;
    return false;
}

// Is it named without an index, as what is handed on as a pointer?
static bool is_named_whole(const struct cc_source *s, const char *text, uint32_t from, uint32_t to) {
    for (uint32_t at = from + 1; at < to; at++)
        if (s->tokens[at].text == text && is_member(s, at) && cc_kind(s, at + 1) != FRONT_P_LBRACKET) return true;
    return false;
}

// An array of a struct by value is the program's own array, of which the function has a copy: both must stay the same.
static bool is_copy_changed(struct cc_region *r, const struct cc_name *member) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    if (is_set_somewhere(r, member->text) || is_named_whole(s, member->text, r->node->from, r->node->to)) return true;
    for (uint32_t i = 0; i < s->function_count; i++)
        if (reached[i] && is_named_whole(s, member->text, s->functions[i].from, s->functions[i].to)) return true;
    return false;
}

static bool is_number(const struct cc_source *s, const struct cc_name *member) {
    return !member->derive_count && !cc_struct_body(s, member);
}

static bool can_be_param(const struct cc_region *r, const struct cc_name *member) {
    if (member->is_odd || member->is_volatile) return false;
    for (uint32_t d = 0; d < member->derive_count; d++) {
        if (member->derive[d].kind == CC_FUNCTION) return false;
        if (d && member->derive[d].kind == CC_POINTER && !cc_has_rows(member)) return false;
        if (d && member->derive[d].kind == CC_ARRAY && !cc_is_constant(r->source, &member->derive[d])) return false;
    }
    return true;
}

static bool add_member(struct cc_region *r, struct cc_handed *h, const char *text, const char *said,
                       const struct cc_name *member) {
    if (!can_be_param(r, member)) return false;
    bool changes = is_number(r->source, member) && is_set_somewhere(r, member->text);
    if (changes && !cc_is_pointer(h->param) && strstr(said, "->")) return false; // a copy of a pointer to it
    bool is_copy = !cc_is_pointer(h->param) && !strstr(said, "->");
    bool is_array = member->derive_count && (member->derive[0].kind == CC_ARRAY || strchr(said, '['));
    if (is_copy && is_array && is_copy_changed(r, member)) return false;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->members[i].text == text) {
            h->members[i].member.is_set |= member->is_set;
            return h->members[i].said == said;
        }
    BASE_RESERVE(r->source->cx, h->members, h->count, h->cap);
    h->members[h->count++] = (struct cc_handed_member){text, said, *member, changes && cc_is_pointer(h->param)};
    return true;
}

static const char *joined(struct cc_source *s, const char *first, const char *step, const char *last) {
    return cc_intern(s, first[0] ? base_format(s->cx, "%s%s%s", first, step, last) : last);
}

static bool has_address(const struct cc_handed *h, const char *text) {
    for (uint32_t i = 0; h && i < h->count; i++)
        if (h->members[i].text == text) return h->members[i].by_address;
    return false;
}

const char *cc_handed_list(struct cc_region *r, const struct cc_handed *h, const char *way,
                           const struct cc_handed *caller) {
    struct base_text t;
    base_text_init(&t, r->source->cx);
    size_t own = caller ? strlen(caller->param->text) : 0;
    const char *inner = caller && way[own] ? way + own + 2 : "";
    for (uint32_t i = 0; i < h->count; i++) {
        const struct cc_handed_member *m = &h->members[i];
        if (i) base_text_put(&t, ", ");
        for (uint32_t d = 1; cc_has_rows(&m->member) && d < m->member.derive_count; d++)
            base_text_format(&t, CC_PREFIX "%s__%s_%u, ", way, m->text, d);
        bool has = caller && has_address(caller, joined(r->source, inner, "__", m->text));
        if (has && !m->by_address)
            base_text_format(&t, "(*%s__%s)", way, m->text);
        else
            base_text_format(&t, "%s%s__%s", m->by_address && !has ? "&" : "", way, m->text);
    }
    return t.size ? t.data : "0";
}

void cc_put_handed(struct base_text *out, const struct cc_source *s, const struct cc_handed *h) {
    const char *way = h->param->text;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct cc_name *m = &h->members[i].member;
        const char *name = h->members[i].text;
        if (i) base_text_put(out, ", ");
        for (uint32_t d = 1; cc_has_rows(m) && d < m->derive_count; d++)
            base_text_format(out, "int " CC_PREFIX "%s__%s_%u, ", way, name, d);
        cc_put_type(out, s, m, true);
        base_text_format(out, m->derive_count || h->members[i].by_address ? "(*%s__%s)" : "%s__%s", way, name);
        for (uint32_t d = 1; d < m->derive_count; d++) {
            base_text_put(out, "[");
            if (cc_has_rows(m)) base_text_format(out, CC_PREFIX "%s__%s_%u", way, name, d);
            for (uint32_t at = m->derive[d].from; at < m->derive[d].to && !cc_has_rows(m); at++)
                base_text_format(out, "%s ", s->tokens[at].text);
            base_text_put(out, "]");
        }
    }
    if (!h->count) base_text_format(out, "int " CC_PREFIX "no_%s", way);
}

static struct cc_handed *hand(struct cc_region *r, const struct argument *a, uint32_t depth);

// The tokens from `from` to `end` are a struct, or a pointer to one, of which `member` says the type: it is handed on.
static struct cc_handed *hand_on(struct cc_region *r, uint32_t from, uint32_t end, const struct cc_name *member,
                                 uint32_t depth, struct argument *out) {
    struct cc_source *s = r->source;
    struct cc_derivation part;
    if (depth > DEEPEST || !find_argument(s, from, end, out)) return NULL;
    const struct cc_name *param = cc_param_at(s, out->function, out->which, &part);
    if (!param || (out->is_address && member->derive_count)) return NULL;
    bool is_whole = !param->derive_count && cc_struct_body(s, param);
    if (cc_is_pointer(param) ? !cc_is_pointer(member) && !out->is_address : !is_whole || member->derive_count)
        return NULL;
    return hand(r, out, depth + 1);
}

// The parameter, and other names for what it leads to: `const struct table *t = d->phi;`.
struct other {
    const struct cc_name *name;
    const char *text, *said, *step; // from the parameter on; `step`: to a member
    const char *index;              // a variable: which struct of an array (each.c) it is; else NULL
};
struct others {
    struct other *items;
    uint32_t count, cap;
};

static bool take_other(struct cc_region *r, struct cc_handed *h, struct others *others, struct other way, uint32_t from,
                       uint32_t end) {
    struct cc_source *s = r->source;
    way.name = cc_other_name(s, h->function->body, from, end, way.step[0] == '-');
    if (!way.name) return false;
    const struct cc_node *n = cc_statement_at(h->function->body, from);
    BASE_RESERVE(s->cx, others->items, others->count, others->cap);
    others->items[others->count++] = way;
    return add_edit(s, h, n->from, n->to, ";");
}

// A struct as a whole: it gets another name, or is handed on.
static bool take_whole(struct cc_region *r, struct cc_handed *h, struct others *others, struct other way, uint32_t from,
                       uint32_t end, const struct cc_name *type, uint32_t depth) {
    struct cc_source *s = r->source;
    struct argument a;
    if (take_other(r, h, others, way, from, end)) return true;
    struct cc_handed *on = hand_on(r, from, end, type, depth, &a);
    if (!on) return false;
    for (uint32_t i = 0; i < on->count; i++) {
        const struct cc_handed_member *m = &on->members[i];
        struct cc_name member = m->member;
        const char *step = m->said[0] == '[' ? "" : way.step;
        if (member.each) member.each = joined(s, way.said, step, member.each);
        if (!add_member(r, h, joined(s, way.text, "__", m->text), joined(s, way.said, step, m->said), &member))
            return false;
    }
    BASE_RESERVE(s->cx, h->on, h->on_count, h->on_cap);
    h->on[h->on_count++] = on;
    const char *name = base_format(s->cx, "%s%s%s", h->param->text, way.text[0] ? "__" : "", way.text);
    return add_edit(s, h, a.from, a.to, cc_handed_list(r, on, name, h));
}

// A member of each struct of an array, whose tokens are those from `path` to `behind`.
static bool take_field(struct cc_region *r, struct cc_handed *h, struct other way, uint32_t from, uint32_t path,
                       uint32_t behind, const struct cc_name *member, const char **out_text) {
    struct cc_source *s = r->source;
    const char *text = joined(s, way.text, "__", cc_joined(s, path, behind, false));
    const char *said = joined(s, way.said, ".", cc_joined(s, path, behind, true));
    if (!cc_can_be_field(s, member)) return false;
    struct cc_name field = cc_field_of(member, way.said);
    cc_note_member(s, &field, member, false, from, behind);
    *out_text = base_format(s->cx, "%s__%s", h->param->text, text);
    return add_member(r, h, text, said, &field);
}

// `list[i].x`, of which the tokens of `list` are of `type`; `own = &list[i]`.
static bool take_each(struct cc_region *r, struct cc_handed *h, struct others *others, struct other way, uint32_t from,
                      uint32_t open, const struct cc_name *type) {
    struct cc_source *s = r->source;
    struct cc_name now = *type;
    bool is_sum = cc_kind(s, open) == FRONT_P_PLUS;
    uint32_t end = is_sum ? open : cc_skip_group(s, open);
    const char *text;
    now.derive_count = 0;
    way.text = joined(s, way.text, "__", "each");
    way.said = cc_intern(s, base_format(s->cx, "%s[0]", way.said));
    if (type->derive_count != 1 || !cc_holds_pointers(s, &now) || open + 2 == end) return false;
    uint32_t behind = is_sum ? 0 : cc_follow_members(s, &now, end);
    if (!behind) {
        struct cc_each_alias a;
        if (!cc_find_each_alias(s, h->function->body, from, open, 0, false, false, &a)) return false;
        way.step = ".";
        way.name = a.name;
        way.index = a.index;
        BASE_RESERVE(s->cx, others->items, others->count, others->cap);
        others->items[others->count++] = way;
        return add_edit(s, h, a.from, open + 1, a.text) && add_edit(s, h, a.close, a.to, ");");
    }
    return cc_is_field_kept(s, &now, from, behind) && take_field(r, h, way, from, end + 1, behind, &now, &text) &&
           add_edit(s, h, from, open + 1, base_format(s->cx, "%s[", text)) && add_edit(s, h, end - 1, behind, "]");
}

static bool take_each_use(struct cc_region *r, struct cc_handed *h, struct other base, uint32_t at) {
    struct cc_source *s = r->source;
    struct cc_name now = *base.name;
    const char *text;
    now.derive_count = 0;
    bool is_member = cc_kind(s, at + 1) == FRONT_P_ARROW &&
                     cc_is_member_named(s, cc_struct_body(s, &now), s->tokens[at + 2].text, &now);
    uint32_t more = is_member ? cc_follow_members(s, &now, at + 3) : 0, behind = more ? more : at + 3;
    return is_member && cc_is_field_kept(s, &now, at, behind) &&
           take_field(r, h, base, at, at + 2, behind, &now, &text) &&
           add_edit(s, h, at, behind, base_format(s->cx, "%s[%s]", text, base.index));
}

// One use of the parameter, or of another name. False: it is none that can be.
static bool take_use(struct cc_region *r, struct cc_handed *h, struct others *others, struct other base, uint32_t at,
                     uint32_t depth) {
    struct cc_source *s = r->source;
    struct cc_name member = *base.name;
    uint32_t from = at, end = at + 1;
    if (base.index) return take_each_use(r, h, base, at);
    bool is_member = cc_follow(s, NULL, base.name, &from, &member, &end);
    struct other way = base;
    if (is_member) {
        size_t own = strlen(base.name->text);
        way.text = joined(s, base.text, "__", cc_joined(s, from, end, false) + own + 2);
        way.said =
            joined(s, base.said, base.step, cc_joined(s, from, end, true) + own + (cc_is_pointer(base.name) ? 2 : 1));
        way.step = cc_is_pointer(&member) ? "->" : ".";
    }
    bool is_index = cc_kind(s, end) == FRONT_P_LBRACKET || cc_kind(s, end) == FRONT_P_PLUS;
    if (is_index && take_each(r, h, others, way, from, end, &member)) return true;
    bool is_part =
        is_member && cc_kind(s, from - 1) == FRONT_P_AMP && !member.derive_count && cc_struct_body(s, &member);
    if (!is_member || is_part || cc_holds_pointers(s, &member))
        return take_whole(r, h, others, way, from, end, &member, depth);
    enum front_token_kind before = cc_kind(s, from - 1), next = cc_kind(s, end);
    bool is_element = next == FRONT_P_LBRACKET || next == FRONT_P_DOT;
    bool sets = cc_is_step(before) || cc_is_step(next) || cc_is_assignment(next);
    if ((before == FRONT_P_AMP && !is_element) || (next == FRONT_P_DOT && !member.derive_count)) return false;
    cc_note_member(s, &member, &member, false, from, end);
    if (!add_member(r, h, way.text, way.said, &member)) return false;
    bool by_address = has_address(h, way.text);
    return (by_address || !sets) &&
           add_edit(s, h, from, end, base_format(s->cx, by_address ? "(*%s__%s)" : "%s__%s", h->param->text, way.text));
}

static bool take_uses(struct cc_region *r, struct cc_handed *h, uint32_t depth) {
    const struct cc_source *s = r->source;
    struct others others = {0};
    BASE_RESERVE(s->cx, others.items, others.count, others.cap);
    others.items[others.count++] = (struct other){h->param, "", "", cc_is_pointer(h->param) ? "->" : ".", NULL};
    for (uint32_t at = h->function->from; at < h->function->to; at++) {
        enum front_token_kind before = cc_kind(s, at - 1);
        if (cc_kind(s, at) != FRONT_TOK_IDENT || before == FRONT_P_DOT || before == FRONT_P_ARROW) continue;
        for (uint32_t i = 0; i < others.count; i++) {
            const struct other base = others.items[i];
            if (s->tokens[at].text != base.name->text || at == base.name->at) continue;
            if (cc_find(s, base.name->text, at) == base.name && !take_use(r, h, &others, base, at, depth)) return false;
        }
    }
    return true;
}

static struct cc_handed *hand(struct cc_region *r, const struct argument *a, uint32_t depth) {
    struct cc_source *s = r->source;
    struct cc_derivation part;
    for (uint32_t i = 0; i < r->handed_count; i++)
        if (r->handed[i]->function == a->function && r->handed[i]->which == a->which)
            return r->handed[i]->is_refused ? NULL : r->handed[i];
    struct cc_handed *h = base_alloc(s->cx, sizeof *h);
    *h = (struct cc_handed){.function = a->function, .which = a->which, .is_refused = true}; // a recursion is none
    BASE_RESERVE(s->cx, r->handed, r->handed_count, r->handed_cap);
    r->handed[r->handed_count++] = h;
    h->param = cc_param_at(s, a->function, a->which, &part);
    if (!take_uses(r, h, depth)) return NULL;
    h->is_refused = false;
    return h;
}

struct cc_handed *cc_hand_struct(struct cc_region *r, uint32_t from, uint32_t end, const struct cc_name *type,
                                 struct cc_derivation *out) {
    struct argument a;
    struct cc_handed *h = hand_on(r, from, end, type, 0, &a);
    if (h) *out = (struct cc_derivation){.from = a.from, .to = a.to};
    return h;
}

// ---- the program ----------------------------------------------------------------------------------------------------

static void mark(struct cc_handed *h) {
    if (h->is_used) return;
    h->is_used = true;
    for (uint32_t i = 0; i < h->on_count; i++)
        mark(h->on[i]);
}

bool cc_edit_handed(struct cc_region *r, cc_take_edit *take, void *user) {
    bool any = false;
    for (uint32_t i = 0; i < r->handed_count; i++)
        r->handed[i]->is_used = false;
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].handed) mark(r->members[i].handed);
    for (uint32_t i = 0; i < r->handed_count; i++) {
        const struct cc_handed *h = r->handed[i];
        any = any || h->is_used;
        for (uint32_t k = 0; k < h->edit_count && h->is_used; k++)
            take(user, h->edits[k].from, h->edits[k].to, h->edits[k].text);
    }
    return any;
}

const struct cc_handed *cc_handed_at(const struct cc_region *r, const struct cc_function *f, uint32_t which) {
    for (uint32_t i = 0; i < r->handed_count; i++)
        if (r->handed[i]->is_used && r->handed[i]->function == f && r->handed[i]->which == which) return r->handed[i];
    return NULL;
}
