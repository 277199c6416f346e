// Members of structs in an array that iterations go through, where the structs hold pointers:
//
//     struct point { double weight, *at; };         |
//     p->points[i].weight += p->points[k].at[d];    |  p__points__each__weight[i] += p__points__each__at[k][d];
//
// Each member is an array of the program: the runtime gathers it from the structs, and scatters what the region wrote.
// So it is with structs that the pointers of an array lead to, `list[i]->x`, of which the members are numbers.
// A pointer is a row of an array of rows, which stays what it is. A struct may have another name, `own = &list[i]`, and
// go to functions of the file that only use members (handed_structs.c).
#include <string.h>

#include "cc/members.h"
#include "cc/team.h"

// The program can have it as an array: a number, an array of numbers, or a pointer to numbers or structs of numbers.
bool cc_can_be_field(struct cc_source *s, const struct cc_name *member) {
    struct cc_name element = *member;
    if (member->is_odd || member->is_volatile || member->derive_count + 1 >= CC_MAX_DERIVE) return false;
    element.derive_count = 0;
    bool is_pointer = cc_is_pointer(member);
    for (uint32_t i = 0; i < member->derive_count && !is_pointer; i++)
        if (member->derive[i].kind != CC_ARRAY || !cc_is_constant(s, &member->derive[i])) return false;
    return is_pointer ? !cc_holds_pointers(s, &element) : !cc_struct_body(s, &element);
}

// Numbers and enumerators, also such of the function: the size is asked where the region stands.
static bool is_known_there(const struct cc_source *s, const struct cc_derivation *bound) {
    for (uint32_t at = bound->from; at < bound->to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (!name || name->kind != CC_CONSTANT) return false;
    }
    return bound->from < bound->to;
}

const char *cc_bytes_of_fields(const struct cc_uses *u, const struct cc_name *type) {
    const struct cc_name *base = u->base;
    bool is_sized = type->at == base->at && base->derive_count == type->derive_count &&
                    base->derive[0].kind == CC_ARRAY && is_known_there(u->region->source, &base->derive[0]);
    return is_sized ? base_format(u->region->source->cx, "sizeof(%s)", base->text) : NULL;
}

const char *cc_bytes_from(struct cc_source *s, const char *bytes, const char *each, const char *member) {
    return bytes ? base_format(s->cx, "%s - __builtin_offsetof(__typeof__(%s), %s)", bytes, each, member) : NULL;
}

struct cc_name cc_field_of(const struct cc_name *member, const char *each) {
    struct cc_name field = *member;
    memmove(field.derive + 1, member->derive, member->derive_count * sizeof *field.derive);
    field.derive[0] = (struct cc_derivation){.kind = CC_POINTER};
    field.derive_count++;
    field.is_param = field.has_init = field.is_unfolded = false;
    field.each = each;
    return field;
}

// The array of a member, of which `way` says where the first struct is.
static struct cc_name *field_of(struct cc_uses *u, struct cc_way way, const char *text, const char *said,
                                const struct cc_name *member, const char *bytes) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    if (!cc_can_be_field(s, member) || strstr(said, "->") || strchr(said, '[')) return NULL;
    struct cc_name field = cc_field_of(member, way.said);
    if (way.is_pointed && cc_is_pointer(member)) return NULL;
    field.each_bytes = way.is_pointed ? bytes : cc_bytes_from(s, bytes, way.said, said);
    field.pointed = way.is_pointed ? said : NULL;
    const char *full = cc_intern(s, base_format(s->cx, "%s%s%s", way.said, way.is_pointed ? "->" : ".", said));
    cc_note_pointers(r, way.is_pointed ? way.said : full);
    return cc_member_variable(r, cc_intern(s, base_format(s->cx, "%s__%s", way.text, text)), full, &field);
}

static const char *behind_path(struct cc_source *s, const char *path, const char *step, const char *last) {
    return path ? cc_intern(s, base_format(s->cx, "%s%s%s", path, step, last)) : last;
}

// No call, no change: it may stand there several times, and names nothing that the program has by another name.
static bool is_plain(const struct cc_source *s, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        bool calls = kind == FRONT_TOK_IDENT && cc_kind(s, at + 1) == FRONT_P_LPAREN;
        if (calls || kind == FRONT_P_DOT || kind == FRONT_P_ARROW || cc_is_step(kind) || cc_is_assignment(kind))
            return false;
    }
    return true;
}

// The struct goes to a function. Its index is the tokens from `open` on, which stay for the last member, or `index`.
struct place {
    uint32_t from, open, close, end; // of tokens: `list` [ i ]
    const char *index;
    const char *path, *path_said; // a struct in the struct; NULL: itself
    bool in_copy;
};
static bool take_handed(struct cc_uses *u, struct cc_way way, const struct place *p, const struct cc_name *type,
                        const char *bytes) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_derivation part;
    struct cc_handed *h = cc_hand_struct(r, p->from, p->end, type, &part);
    if (!h || (!p->index && h->count > 1 && !is_plain(s, p->open + 1, p->close))) return false;
    const char *index = p->index ? p->index : cc_joined_tokens(s, p->open + 1, p->close);
    struct cc_name **names = base_alloc_array(s->cx, h->count + 1, sizeof *names);
    struct base_text list;
    base_text_init(&list, s->cx);
    for (uint32_t i = 0; i < h->count; i++) {
        const struct cc_handed_member *m = &h->members[i];
        if (cc_has_rows(&m->member)) return false;
        names[i] = field_of(u, way, behind_path(s, p->path, "__", m->text), behind_path(s, p->path_said, ".", m->said),
                            &m->member, bytes);
        if (!names[i]) return false;
        names[i]->in_copy |= p->in_copy;
        names[i]->is_set |= m->member.is_set;
        bool stays = !p->index && i + 1 == h->count;
        base_text_format(&list, "%s%s%s[%s%s", i ? ", " : "", m->by_address ? "&" : "", names[i]->text,
                         stays ? "" : index, stays ? "" : "]");
    }
    if (!h->count) base_text_put(&list, "0");
    bool is_open = !p->index && h->count;
    for (uint32_t i = 0; i < h->count || i == 0; i++)
        cc_replace(r, part.from, is_open ? p->open + 1 : part.to, names[i], list.data)->handed = h;
    if (is_open) cc_replace(r, p->close, part.to, NULL, "]");
    return true;
}

// `struct point *own = &list[i];`, or `own = list + i`, or `own = list[i]` of pointers (`is_pointed`), becomes
// `const int ccv_own_is = (i);`. `open`: the bracket or the sign.
bool cc_find_each_alias(struct cc_source *s, const struct cc_node *within, uint32_t from, uint32_t open,
                        uint32_t behind, bool copies, bool is_pointed, struct cc_each_alias *out) {
    const struct cc_node *n = cc_statement_at(within, from);
    bool is_sum = cc_kind(s, open) == FRONT_P_PLUS;
    uint32_t end = is_sum ? n->to - 1 : cc_skip_group(s, open);
    for (uint32_t at = open + 1; is_sum && at < end; at++) { // as in `list + i == other`, of which it is no index
        enum front_token_kind kind = cc_kind(s, at);
        bool is_plain = kind == FRONT_TOK_IDENT || kind == FRONT_TOK_INT || kind == FRONT_P_PLUS ||
                        kind == FRONT_P_MINUS || kind == FRONT_P_STAR || kind == FRONT_P_LPAREN ||
                        kind == FRONT_P_RPAREN || kind == FRONT_P_LBRACKET || kind == FRONT_P_RBRACKET;
        if (!is_plain) return false;
    }
    uint32_t last = behind ? behind : end;
    const struct cc_name *name = cc_other_name(s, within, from, last, is_sum || is_pointed), *copy = NULL;
    if (!name && !is_sum && copies && !is_pointed) name = copy = cc_copy_name(s, within, from, last, false);
    if (!name) return false;
    const char *index = cc_intern(s, base_format(s->cx, CC_PREFIX "%s_is", name->text));
    *out = (struct cc_each_alias){.name = name, .index = index, .from = n->from, .to = n->to, .is_copy = copy};
    out->close = is_sum ? end : end - 1;
    out->text = base_format(s->cx, "const int %s = (", index);
    return true;
}
// `end`: behind the member that it is a name of; 0: of the struct itself.
static bool take_alias(struct cc_uses *u, struct cc_way way, uint32_t from, uint32_t open, uint32_t end,
                       const char *bytes) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_each_alias a;
    for (uint32_t at = r->node->from; at < r->node->to; at++) // names of a thread are team.c's
        if (cc_asks_number(s, at)) return false;
    if (!cc_find_each_alias(s, u->within, from, open, end, true, way.is_pointed, &a)) return false;
    BASE_RESERVE(s->cx, u->aliases, u->count, u->cap);
    u->aliases[u->count++] =
        (struct cc_alias){.path = end ? cc_joined(s, cc_skip_group(s, open) + 1, end, false) : NULL,
                          .path_said = end ? cc_joined(s, cc_skip_group(s, open) + 1, end, true) : NULL,

                          .name = a.name,
                          .text = way.text,
                          .said = way.said,
                          .index = a.index,
                          .bytes = bytes,
                          .is_pointed = way.is_pointed,
                          .is_copy = a.is_copy};
    cc_replace(r, a.from, open + 1, NULL, a.text);
    cc_replace(r, a.close, a.to, NULL, ");");
    return true;
}

// A pointer stays what it is; of all members the address may be taken but for a pointer's.
bool cc_is_field_kept(const struct cc_source *s, const struct cc_name *member, uint32_t from, uint32_t end) {
    enum front_token_kind before = cc_kind(s, from - 1), next = cc_kind(s, end);
    if (!cc_is_pointer(member)) return next != FRONT_P_DOT && next != FRONT_P_ARROW;
    bool is_element = next == FRONT_P_LBRACKET;
    bool changes = cc_is_step(next) || cc_is_assignment(next) || cc_is_step(before) || before == FRONT_P_AMP;
    return is_element || (!changes && next != FRONT_P_ARROW);
}

uint32_t cc_follow_members(struct cc_source *s, struct cc_name *io_now, uint32_t end) {
    uint32_t first = end;
    while (cc_kind(s, end) == FRONT_P_DOT && cc_kind(s, end + 1) == FRONT_TOK_IDENT) {
        uint32_t body = io_now->derive_count ? 0 : cc_struct_body(s, io_now);
        if (!body || !cc_is_member_named(s, body, s->tokens[end + 1].text, io_now)) return 0;
        end += 2;
    }
    return end > first ? end : 0;
}

// `list[i]->x`, up to the last member.
static uint32_t follow_pointed(struct cc_source *s, struct cc_name *io_now, uint32_t end) {
    if (cc_kind(s, end) != FRONT_P_ARROW || cc_kind(s, end + 1) != FRONT_TOK_IDENT) return 0;
    if (!cc_is_member_named(s, cc_struct_body(s, io_now), s->tokens[end + 1].text, io_now)) return 0;
    uint32_t behind = cc_follow_members(s, io_now, end + 2);
    return behind ? behind : end + 2;
}

bool cc_take_each(struct cc_uses *u, struct cc_way way, uint32_t from, uint32_t end, const struct cc_name *type) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_name now = *type;
    bool is_sum = cc_kind(s, end) == FRONT_P_PLUS;
    if (!is_sum && cc_kind(s, end) != FRONT_P_LBRACKET) return false;
    way.is_pointed = type->derive_count == 2 && type->derive[1].kind == CC_POINTER;
    if ((type->derive_count != 1 && !way.is_pointed) || type->derive[0].kind == CC_FUNCTION) return false;
    if (is_sum && way.is_pointed) return false;
    const char *bytes = cc_bytes_of_fields(u, type);
    now.derive_count = 0;
    way.text = cc_intern(s, base_format(s->cx, "%s__each", way.text));
    way.said = cc_intern(s, base_format(s->cx, "%s[0]", way.said));
    if (!cc_holds_pointers(s, &now)) return false;
    if (is_sum) return take_alias(u, way, from, end, 0, bytes);
    struct place p = {.from = from, .open = end, .end = cc_skip_group(s, end)};
    p.close = p.end - 1;
    if (p.open + 1 == p.close) return false;
    struct cc_name element = now; // of the array
    if (way.is_pointed) element.derive_count = 1, element.derive[0] = type->derive[1];
    uint32_t behind = way.is_pointed ? follow_pointed(s, &now, p.end) : cc_follow_members(s, &now, p.end);
    if (!behind) return take_alias(u, way, from, end, 0, bytes) || take_handed(u, way, &p, &element, bytes);
    bool is_addressed = cc_kind(s, from - 1) == FRONT_P_AMP && cc_struct_body(s, &now);
    if (!now.derive_count && (is_addressed || cc_holds_pointers(s, &now))) { // a struct in the struct
        p.path = cc_joined(s, p.end + 1, behind, false);
        p.path_said = cc_joined(s, p.end + 1, behind, true);
        p.end = behind;
        return take_alias(u, way, from, end, behind, bytes) || take_handed(u, way, &p, &now, bytes);
    }
    if (!cc_is_field_kept(s, &now, from, behind)) return false;
    struct cc_name *field =
        field_of(u, way, cc_joined(s, p.end + 1, behind, false), cc_joined(s, p.end + 1, behind, true), &now, bytes);
    if (!field) return false;
    cc_note_member(s, field, &now, false, from, behind);
    cc_replace(r, from, p.open + 1, field, base_format(s->cx, "%s[", field->text));
    cc_replace(r, p.close, behind, NULL, "]");
    return true;
}

// `inner = &own->grid;`, `inner = own->grid;`.
static bool take_inner_alias(struct cc_uses *u, const struct cc_alias *alias, const struct place *p) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_alias inner = *alias;
    inner.name = cc_other_name(s, u->within, p->from, p->end, false);
    inner.is_copy |= !inner.name;
    if (!inner.name) inner.name = cc_copy_name(s, u->within, p->from, p->end, false);
    if (!inner.name) return false;
    inner.path = p->path;
    inner.path_said = p->path_said;
    const struct cc_node *n = cc_statement_at(u->within, p->from);
    BASE_RESERVE(s->cx, u->aliases, u->count, u->cap);
    u->aliases[u->count++] = inner;
    cc_replace(r, n->from, n->to, NULL, ";");
    return true;
}

bool cc_take_each_alias(struct cc_uses *u, const struct cc_alias *alias, uint32_t at) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_way way = {alias->text, alias->said, ".", alias->is_pointed};
    struct cc_name now = *alias->name;
    uint32_t end = at + 1;
    now.derive_count = 0;
    if (cc_kind(s, end) != (alias->is_copy ? FRONT_P_DOT : FRONT_P_ARROW)) {
        struct place p = {.from = at,
                          .end = end,
                          .index = alias->index,
                          .path = alias->path,
                          .path_said = alias->path_said,
                          .in_copy = alias->is_copy};
        return take_handed(u, way, &p, alias->name, alias->bytes);
    }
    if (!cc_is_member_named(s, cc_struct_body(s, &now), s->tokens[end + 1].text, &now)) return false;
    uint32_t path = end + 1, more = cc_follow_members(s, &now, end + 2), behind = more ? more : end + 2;
    const char *text = behind_path(s, alias->path, "__", cc_joined(s, path, behind, false));
    const char *said = behind_path(s, alias->path_said, ".", cc_joined(s, path, behind, true));
    bool is_addressed = cc_kind(s, at - 1) == FRONT_P_AMP && cc_struct_body(s, &now);
    if (!now.derive_count && (is_addressed || cc_holds_pointers(s, &now))) {
        struct place p = {.from = at,
                          .end = behind,
                          .index = alias->index,
                          .path = text,
                          .path_said = said,
                          .in_copy = alias->is_copy};
        return take_inner_alias(u, alias, &p) || take_handed(u, way, &p, &now, alias->bytes);
    }
    struct cc_name *field = field_of(u, way, text, said, &now, alias->bytes);
    if (!field || !cc_is_field_kept(s, &now, at, behind)) return false;
    cc_note_member(s, field, &now, alias->is_copy, at, behind);
    cc_replace(r, at, behind, field, base_format(s->cx, "%s[%s]", field->text, alias->index));
    return true;
}
