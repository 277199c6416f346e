// Members of structs that hold pointers. The device has no such structs, but a region that says s->x[i] needs the
// pointer s->x alone: it becomes a variable of the region's program, "s__x", with the member's type. So each way
// through members that begins at one variable is one, if the region uses that variable for nothing else. The same is
// done with structs of numbers if the region names an integer of it: a scalar's value is known when the region is
// compiled, and numbers of iterations mostly are such members.
#include <stdlib.h>
#include <string.h>

#include "cc/members.h"

enum { DEEPEST = 8, LARGE = 1024, FEW = 16 }; // FEW: members that are worth a variable each

// ---- structs --------------------------------------------------------------------------------------------------------

// Where the braces of the struct open that a name is of; 0: it is none, or not known.
static uint32_t body_of(const struct cc_source *s, const struct cc_name *name, uint32_t depth) {
    for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
        if (cc_kind(s, at) == FRONT_KW_UNION) return 0;
        if (cc_kind(s, at) == FRONT_KW_STRUCT) {
            uint32_t tag = at + 1;
            if (cc_kind(s, tag) == FRONT_P_LBRACE) return tag;
            if (cc_kind(s, tag) != FRONT_TOK_IDENT) return 0;
            for (uint32_t k = 0; k < s->tag_count; k++)
                if (s->tags[k].text == s->tokens[tag].text) return s->tags[k].brace;
            return 0;
        }
        if (cc_kind(s, at) != FRONT_TOK_IDENT) continue;
        const struct cc_name *type = cc_find(s, s->tokens[at].text, at);
        bool is_plain = type && type->kind == CC_TYPE && !type->derive_count && depth < DEEPEST;
        return is_plain ? body_of(s, type, depth + 1) : 0;
    }
    return 0;
}

struct pointer_query {
    struct cc_source *source;
    uint32_t depth;
};

static bool holds_pointer(void *user, const struct cc_name *member) {
    const struct pointer_query *q = user;
    for (uint32_t i = 0; i < member->derive_count; i++)
        if (member->derive[i].kind == CC_POINTER) return true;
    uint32_t body = q->depth < DEEPEST ? body_of(q->source, member, 0) : 0;
    struct pointer_query inner = {q->source, q->depth + 1};
    return body && cc_each_member(q->source, body, holds_pointer, &inner);
}

// By its words alone: no pointer, array or struct.
static bool is_integer(const struct cc_source *s, const struct cc_name *name, uint32_t depth) {
    bool found = false;
    if (name->derive_count) return false;
    for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_KW_DOUBLE || kind == FRONT_KW_FLOAT || kind == FRONT_KW_STRUCT || kind == FRONT_KW_UNION)
            return false;
        found = found || kind == FRONT_KW_INT || kind == FRONT_KW_LONG || kind == FRONT_KW_UNSIGNED;
        const struct cc_name *type = kind == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        if (type && type->kind == CC_TYPE && depth < DEEPEST) found = found || is_integer(s, type, depth + 1);
    }
    return found;
}

uint32_t cc_struct_body(const struct cc_source *s, const struct cc_name *name) { return body_of(s, name, 0); }

bool cc_holds_pointers(struct cc_source *s, const struct cc_name *name) {
    struct pointer_query q = {.source = s};
    uint32_t body = name->derive_count && !cc_is_pointer(name) ? 0 : body_of(s, name, 0);
    return body && cc_each_member(s, body, holds_pointer, &q);
}

static bool holds_function(void *user, const struct cc_name *member) {
    const struct pointer_query *q = user;
    for (uint32_t i = 0; i < member->derive_count; i++)
        if (member->derive[i].kind == CC_FUNCTION) return true;
    uint32_t body = q->depth < DEEPEST ? body_of(q->source, member, 0) : 0;
    struct pointer_query inner = {q->source, q->depth + 1};
    return body && cc_each_member(q->source, body, holds_function, &inner);
}

// The structs that it is, or leads to, hold pointers to functions.
bool cc_holds_functions(struct cc_source *s, const struct cc_name *name) {
    struct pointer_query q = {.source = s};
    uint32_t body = cc_is_function_pointer(name) ? 0 : body_of(s, name, 0);
    return body && cc_each_member(s, body, holds_function, &q);
}

struct member_query {
    struct cc_source *source;
    const char *text;
    struct cc_name found;
};

static bool is_named(void *user, const struct cc_name *member) {
    struct member_query *q = user;
    uint32_t body = member->text ? 0 : body_of(q->source, member, 0); // its members are the struct's
    if (body) return cc_each_member(q->source, body, is_named, q);
    if (member->text != q->text) return false;
    q->found = *member;
    return true;
}

bool cc_is_member_named(struct cc_source *s, uint32_t body, const char *text, struct cc_name *out) {
    struct member_query q = {.source = s, .text = text};
    if (!body || !cc_each_member(s, body, is_named, &q)) return false;
    *out = q.found;
    return true;
}

// ---- ways through members -------------------------------------------------------------------------------------------

// (s)->x and (*s).x, as macros leave them: the token behind parentheses around *io_from up to before `end`, if a member
// follows them and they are no call's. *out_star: a star stands in them.
static uint32_t unwrapped(const struct cc_source *s, uint32_t *io_from, uint32_t end, bool *out_star) {
    uint32_t from = *io_from, to = end;
    bool star = *out_star = false;
    while (from > 2 && cc_kind(s, to) == FRONT_P_RPAREN) {
        bool has_star = cc_kind(s, from - 1) == FRONT_P_STAR && cc_kind(s, from - 2) == FRONT_P_LPAREN;
        if (cc_kind(s, from - 1) != FRONT_P_LPAREN && (!has_star || star)) break;
        star = star || has_star;
        from -= has_star ? 2 : 1;
        to++;
    }
    enum front_token_kind step = cc_kind(s, to);
    bool steps = step == FRONT_P_DOT || (step == FRONT_P_ARROW && !star);
    if (from == *io_from || !steps || cc_is_called_with(s, from)) return end;
    *io_from = from;
    *out_star = star;
    return to;
}

static bool is_outer(const struct cc_region *r, const struct cc_name *name) {
    return name && name->kind == CC_VARIABLE && !name->is_thread && name->from < r->node->from;
}

// In a clause that leaves a name its value.
static bool is_passed_on(const struct cc_source *s, uint32_t at) {
    while (cc_kind(s, at) != FRONT_P_LPAREN && cc_kind(s, at) != FRONT_TOK_PRAGMA)
        at--;
    const char *clause = at ? s->tokens[at - 1].text : "";
    return cc_kind(s, at) == FRONT_P_LPAREN && (strcmp(clause, "shared") == 0 || strcmp(clause, "firstprivate") == 0);
}

static bool is_changed_in(const struct cc_source *s, const struct cc_name *name, uint32_t from, uint32_t to) {
    bool in_pragma = false;
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) in_pragma = true;
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA_END) in_pragma = false;
        if (s->tokens[at].text != name->text || cc_find(s, name->text, at) != name) continue;
        bool leads =
            cc_is_pointer(name) && (cc_kind(s, at + 1) == FRONT_P_ARROW || cc_kind(s, at + 1) == FRONT_P_LBRACKET);
        if (in_pragma ? !is_passed_on(s, at) : !leads && cc_is_changed_at(s, at, at + 1)) return true; // &p->x: not p
    }
    return false;
}

// An index that is the same while the region runs: sums and products of numbers and of variables that it leaves alone.
static bool is_fixed(struct cc_region *r, uint32_t from, uint32_t to) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        bool is_plain = kind == FRONT_TOK_INT || kind == FRONT_P_PLUS || kind == FRONT_P_MINUS ||
                        kind == FRONT_P_STAR || kind == FRONT_P_LPAREN || kind == FRONT_P_RPAREN;
        if (is_plain) continue;
        const struct cc_name *name = kind == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        if (!name || (name->kind != CC_CONSTANT && (!is_outer(r, name) || name->derive_count))) return false;
        if (name->kind == CC_CONSTANT) continue;
        if (is_changed_in(s, name, r->node->from, r->node->to)) return false;
        for (uint32_t i = 0; i < s->function_count; i++)
            if (reached[i] && is_changed_in(s, name, s->functions[i].from, s->functions[i].to)) return false;
    }
    return from < to;
}

// `levels[k]`, where the struct, or the one that a pointer there leads to, holds pointers: the token behind it; 0: not.
static uint32_t behind_index(struct cc_region *r, struct cc_name *io_now, uint32_t at) {
    struct cc_source *s = r->source;
    struct cc_name inner = *io_now;
    if (cc_kind(s, at) != FRONT_P_LBRACKET || !inner.derive_count || inner.derive[0].kind == CC_FUNCTION) return 0;
    inner.derive_count--;
    memmove(inner.derive, inner.derive + 1, inner.derive_count * sizeof *inner.derive);
    uint32_t end = cc_skip_group(s, at);
    enum front_token_kind next = cc_kind(s, end);
    bool is_way = next == FRONT_P_DOT || next == FRONT_P_ARROW || next == FRONT_P_COMMA || next == FRONT_P_RPAREN ||
                  next == FRONT_P_SEMI;
    if (!is_way || !cc_holds_pointers(s, &inner) || !is_fixed(r, at + 1, end - 1)) return 0;
    *io_now = inner;
    return end;
}

// The member that the tokens from a variable's on lead to; false: none that is known. *io_from: its token, and then the
// first of all. *out_end: the token behind it. `r`: the region whose variable it is, NULL: none's.
bool cc_follow(struct cc_source *s, struct cc_region *r, const struct cc_name *base, uint32_t *io_from,
               struct cc_name *out, uint32_t *out_end) {
    struct cc_name now = *base;
    bool by_star; // (*s).x
    uint32_t at = *io_from, first = unwrapped(s, io_from, at + 1, &by_star), end = first;
    bool is_const = base->is_const && !cc_is_pointer(base); // of what the tokens up to here are
    for (;;) {
        uint32_t behind = r ? behind_index(r, &now, end) : 0;
        if (behind) end = behind;
        if (cc_kind(s, end) != FRONT_P_DOT && cc_kind(s, end) != FRONT_P_ARROW) break;
        bool by_pointer = by_star || cc_kind(s, end) == FRONT_P_ARROW;
        uint32_t body =
            by_pointer ? cc_is_pointer(&now) && body_of(s, &now, 0) : !now.derive_count && body_of(s, &now, 0);
        if (!body || cc_kind(s, end + 1) != FRONT_TOK_IDENT) return false;
        is_const = by_pointer ? now.is_const : is_const;
        if (!cc_is_member_named(s, body_of(s, &now, 0), s->tokens[end + 1].text, &now)) return false;
        is_const = is_const || (now.is_const && !cc_is_pointer(&now));
        end = unwrapped(s, io_from, end + 2, &by_star);
    }
    if (end == first) return false;
    *out = now;
    out->is_const = cc_is_pointer(&now) ? now.is_const : is_const;
    *out_end = end;
    return true;
}

static bool is_use(const struct cc_region *r, const struct cc_name *base, uint32_t at) {
    const struct cc_source *s = r->source;
    if (s->tokens[at].text != base->text || cc_kind(s, at) != FRONT_TOK_IDENT) return false;
    enum front_token_kind before = at ? cc_kind(s, at - 1) : FRONT_TOK_END;
    const struct cc_name *name = cc_find(s, base->text, at);
    bool is_it = name == base || (name && name->is_file && base->is_file); // declared several times
    return before != FRONT_P_DOT && before != FRONT_P_ARROW && is_it;
}

// A name in shared(...) or firstprivate(...), whose place the members take.
static bool is_listed(const struct cc_region *r, uint32_t at, bool *io_copied) {
    const struct cc_source *s = r->source;
    if (cc_kind(s, at - 1) != FRONT_P_LPAREN && cc_kind(s, at - 1) != FRONT_P_COMMA) return false;
    if (cc_kind(s, at + 1) != FRONT_P_RPAREN && cc_kind(s, at + 1) != FRONT_P_COMMA) return false;
    while (at > r->node->from && cc_kind(s, at) != FRONT_P_LPAREN && cc_kind(s, at) != FRONT_P_SEMI)
        at--;
    const char *clause = s->tokens[at - 1].text;
    bool is_clause =
        cc_kind(s, at) == FRONT_P_LPAREN && (strcmp(clause, "shared") == 0 || strcmp(clause, "firstprivate") == 0);
    *io_copied = *io_copied || clause[0] == 'f';
    while (is_clause && at > r->node->from && cc_kind(s, at) != FRONT_TOK_PRAGMA && cc_kind(s, at) != FRONT_P_SEMI)
        at--;
    return is_clause && cc_kind(s, at) == FRONT_TOK_PRAGMA;
}

// "s__x" of the tokens "s->x" or "(*s).x", and "s->x" itself; "s_k_17_1__x" of "s[k+1].x".
const char *cc_joined(const struct cc_source *s, uint32_t from, uint32_t to, bool as_said) {
    struct base_text t;
    uint32_t depth = 0, stars[DEEPEST], count = 0; // how deep in parentheses they stand
    base_text_init(&t, s->cx);
    for (uint32_t at = from; at < to; at++) {
        uint32_t behind = cc_kind(s, at) == FRONT_P_LBRACKET ? cc_skip_group(s, at) : at;
        for (; at < behind; at++) {
            enum front_token_kind kind = cc_kind(s, at);
            bool is_word = as_said || kind == FRONT_TOK_IDENT || kind == FRONT_TOK_INT;
            if (is_word)
                base_text_format(&t, "%s%s", as_said ? "" : "_", s->tokens[at].text);
            else if (kind != FRONT_P_LBRACKET && kind != FRONT_P_RBRACKET)
                base_text_format(&t, "_%u", (unsigned)kind);
        }
        if (at == to) break;
        enum front_token_kind kind = cc_kind(s, at);
        bool is_step = kind == FRONT_P_DOT || kind == FRONT_P_ARROW,
             by_star = is_step && count && depth < stars[count - 1];
        depth += kind == FRONT_P_LPAREN;
        depth -= kind == FRONT_P_RPAREN;
        if (kind == FRONT_P_STAR && count < DEEPEST) stars[count++] = depth;
        if (by_star) count--;
        if (kind == FRONT_P_LPAREN || kind == FRONT_P_RPAREN || kind == FRONT_P_STAR) continue;
        base_text_put(&t, is_step && !as_said ? "__" : by_star ? "->" : s->tokens[at].text);
    }
    return front_intern(s->names, t.data, t.size);
}

struct cc_name *cc_member_variable(struct cc_region *r, const char *text, const char *said,
                                   const struct cc_name *member) {
    for (uint32_t i = 0; i < r->member_count; i++) // a.b__c is not a.b.c: a program with both is none
        if (r->members[i].name && r->members[i].name->text == text && r->members[i].name->said == said)
            return r->members[i].name;
    struct cc_name *name = base_alloc(r->source->cx, sizeof *name);
    *name = *member;
    name->text = text;
    name->said = said;
    name->is_file = name->is_static = name->is_extern = false;
    return name;
}

struct cc_member_use *cc_replace(struct cc_region *r, uint32_t from, uint32_t to, struct cc_name *name,
                                 const char *text) {
    BASE_RESERVE(r->source->cx, r->members, r->member_count, r->member_cap);
    struct cc_member_use *use = &r->members[r->member_count++];
    *use = (struct cc_member_use){.from = from, .to = to, .name = name, .text = text};
    return use;
}

// Is one way the beginning of another? Then a pointer might change under the longer one.
static bool is_within(const char *way, const char *longer) {
    size_t size = strlen(way);
    return strncmp(way, longer, size) == 0 && strncmp(longer + size, "__", 2) == 0;
}

// And of an array in the struct the program has no copy for each thread.
static bool are_apart(const struct cc_region *r, uint32_t first, bool copied) {
    for (uint32_t i = first; i < r->member_count; i++) {
        const struct cc_name *name = r->members[i].name;
        if (!name) continue;
        if (copied && name->derive_count && name->derive[0].kind == CC_ARRAY) return false;
        for (uint32_t k = first; k < r->member_count; k++)
            if (r->members[k].name && is_within(name->text, r->members[k].name->text)) return false;
    }
    return true;
}

// A struct of numbers that goes to a function by its address, and a member of it: that is one of the struct's.
static void take_whole(struct cc_region *r, uint32_t first) {
    struct cc_source *s = r->source;
    for (uint32_t i = first; i < r->member_count; i++) {
        struct cc_name *whole = r->members[i].name;
        if (!whole || whole->derive_count || whole->each || !body_of(s, whole, 0) || cc_holds_pointers(s, whole))
            continue;
        size_t size = strlen(whole->said);
        for (uint32_t k = first; k < r->member_count; k++) {
            struct cc_member_use *use = &r->members[k];
            if (!use->name || use->handed || !is_within(whole->text, use->name->text)) continue;
            if (strncmp(use->name->said, whole->said, size) != 0 || use->name->said[size] != '.') continue;
            whole->is_set |= use->name->is_set;
            whole->in_copy |= use->name->in_copy;
            use->text = base_format(s->cx, "%s%s", whole->text, use->name->said + size);
            use->name = whole;
        }
    }
}

static const char *all_members(struct cc_region *r, uint32_t first) {
    struct base_text t;
    base_text_init(&t, r->source->cx);
    for (uint32_t i = first; i < r->member_count; i++) {
        bool seen = !r->members[i].name;
        for (uint32_t k = first; k < i && !seen; k++)
            seen = r->members[k].name == r->members[i].name;
        if (!seen) base_text_format(&t, "%s%s", t.size ? ", " : "", r->members[i].name->text);
    }
    return t.data;
}

// ---- pointers on the way --------------------------------------------------------------------------------------------

// A region may follow none of them, where it has no iterations or under a condition: then they may lead anywhere. So
// the runtime is asked before the region.
static void note_way(struct cc_region *r, const char *way) {
    for (uint32_t i = 0; i < r->followed_count; i++)
        if (r->followed[i] == way) return;
    BASE_RESERVE(r->source->cx, r->followed, r->followed_count, r->followed_cap);
    r->followed[r->followed_count++] = way;
}

void cc_note_pointers(struct cc_region *r, const char *said) {
    for (const char *step = said; *step; step++) {
        const char *way =
            base_format(r->source->cx, "%s%.*s", *step == ']' ? "&" : "", (int)(step - said) + (*step == ']'), said);
        if (*step == ']' || strncmp(step, "->", 2) == 0) note_way(r, cc_intern(r->source, way));
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

static struct cc_way way_of(const struct cc_uses *u, const struct cc_alias *alias, uint32_t from, uint32_t end,
                            bool is_member, const struct cc_name *type) {
    struct cc_source *s = u->region->source;
    struct cc_way w = {"", "", type->derive_count ? "->" : ".", false};
    if (!alias || is_member) w.text = cc_joined(s, from, end, false), w.said = cc_joined(s, from, end, true);
    if (!alias) return w;
    size_t own = strlen(alias->name->text);
    const char *step = alias->is_address ? "." : "->";
    if (!is_member) return (struct cc_way){alias->text, alias->said, step, false};
    w.text = cc_intern(s, base_format(s->cx, "%s%s", alias->text, w.text + own));
    w.said = cc_intern(s, base_format(s->cx, "%s%s%s", alias->said, step, w.said + own + (alias->is_copy ? 1 : 2)));
    return w;
}

// The one name that is declared by the statement, whose = is the token `sign`.
static const struct cc_name *set_once(struct cc_source *s, const struct cc_node *within, uint32_t sign, uint32_t end) {
    uint32_t declared = 0;
    const struct cc_node *n = cc_statement_at(within, sign);
    const struct cc_name *name = NULL;
    if (n->kind != CC_DECLARATION || cc_kind(s, sign) != FRONT_P_ASSIGN || cc_kind(s, end) != FRONT_P_SEMI) return NULL;
    for (uint32_t i = 0; i < s->declared_count; i++)
        if (s->declared[i]->at >= n->from && s->declared[i]->at < n->to) name = s->declared[i], declared++;
    return declared == 1 && name->end == sign && !name->is_static && cc_holds_pointers(s, name) ? name : NULL;
}

const struct cc_name *cc_other_name(struct cc_source *s, const struct cc_node *within, uint32_t from, uint32_t end,
                                    bool by_pointer) {
    bool is_address = cc_kind(s, from - 1) == FRONT_P_AMP;
    const struct cc_name *name = by_pointer == is_address ? NULL : set_once(s, within, from - 1 - is_address, end);
    return name && cc_is_pointer(name) && !is_changed_in(s, name, name->end + 1, within->to) ? name : NULL;
}

const struct cc_name *cc_copy_name(struct cc_source *s, const struct cc_node *within, uint32_t from, uint32_t end,
                                   bool by_pointer) {
    const struct cc_name *name =
        by_pointer == (cc_kind(s, from - 1) == FRONT_P_STAR) ? set_once(s, within, from - 1 - by_pointer, end) : NULL;
    return name && !name->derive_count ? name : NULL;
}

static bool is_array(const struct cc_name *member) {
    return member->derive_count && member->derive[0].kind == CC_ARRAY;
}

void cc_note_member(const struct cc_source *s, struct cc_name *name, const struct cc_name *member, bool in_copy,
                    uint32_t from, uint32_t end) {
    bool is_element = false;
    while (is_array(member) && (cc_kind(s, end) == FRONT_P_LBRACKET || cc_kind(s, end) == FRONT_P_DOT)) {
        end = cc_kind(s, end) == FRONT_P_DOT ? end + 2 : cc_skip_group(s, end);
        is_element = true;
    }
    name->in_copy |= in_copy;
    name->is_set |= cc_is_changed_at(s, from, end) || is_array(member) != is_element;
}

static bool take_alias(struct cc_uses *u, struct cc_way way, uint32_t from, uint32_t end, const struct cc_name *type) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    const struct cc_name *name = cc_other_name(s, u->within, from, end, cc_is_pointer(type)), *copy = NULL;
    if (!name) name = copy = cc_copy_name(s, u->within, from, end, cc_is_pointer(type));
    if (!name) return false;
    const struct cc_node *n = cc_statement_at(u->within, from);
    BASE_RESERVE(s->cx, u->aliases, u->count, u->cap);
    bool is_address = copy ? !cc_is_pointer(type) : cc_kind(s, from - 1) == FRONT_P_AMP;
    u->aliases[u->count++] = (struct cc_alias){
        .name = name, .text = way.text, .said = way.said, .is_address = is_address, .is_copy = copy != NULL};
    cc_replace(r, n->from, n->to, NULL, ";");
    return true;
}

// The members of a struct, or of one that a pointer leads to, that a function uses which it is handed to.
static bool take_handed(struct cc_uses *u, struct cc_way way, uint32_t from, uint32_t end, const struct cc_name *type,
                        bool in_copy) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_derivation part;
    struct cc_handed *h = cc_hand_struct(r, from, end, type, &part);
    if (!h) return false;
    const char *list = cc_handed_list(r, h, way.text, NULL);
    for (uint32_t i = 0; i < h->count || i == 0; i++) {
        struct cc_name *name = NULL;
        if (i < h->count) {
            const struct cc_handed_member *m = &h->members[i];
            const char *own = cc_intern(s, base_format(s->cx, "%s__%s", way.text, m->text));
            struct cc_name member = m->member;
            const char *each = member.each, *step = m->said[0] == '[' ? "" : way.step;
            const char *said = cc_intern(s, base_format(s->cx, "%s%s%s", way.said, step, m->said));
            if (each) member.each = cc_intern(s, base_format(s->cx, "%s%s%s", way.said, step, each));
            if (each && strncmp(m->said, "[0].", 4) == 0 && !strchr(m->said + 4, '['))
                member.each_bytes = cc_bytes_from(s, cc_bytes_of_fields(u, type), member.each, m->said + 4);
            name = cc_member_variable(r, own, said, &member);
            name->is_set |= m->member.is_set;
            name->in_copy |= in_copy;
            cc_note_pointers(r, said);
        }
        cc_replace(r, part.from, part.to, name, list)->handed = h;
    }
    return true;
}

// Arrays of many numbers in a struct are better arrays of their own: the struct as a whole would go along in one piece.
static bool is_large(const struct cc_source *s, const struct cc_name *member) {
    unsigned long size = 1;
    for (uint32_t i = 0; i < member->derive_count; i++) {
        const struct cc_derivation *d = &member->derive[i];
        if (d->kind != CC_ARRAY || !cc_is_constant(s, d)) return false;
        unsigned long bound = d->to - d->from == 1 ? strtoul(s->tokens[d->from].text, NULL, 0) : 0;
        size *= bound > 0 && bound < LARGE ? bound : LARGE; // what is computed counts as many
        if (size >= LARGE) return true;
    }
    return false;
}

// Functions of the region know the struct by its name.
static bool is_named_in_calls(struct cc_region *r, const struct cc_name *base) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    for (uint32_t i = 0; i < s->function_count && base->is_file; i++)
        for (uint32_t at = s->functions[i].from; reached[i] && at < s->functions[i].to; at++)
            if (s->tokens[at].text == base->text && is_use(r, base, at)) return true;
    return false;
}

static void take_use(struct cc_uses *u, const struct cc_name *base, const struct cc_alias *alias, uint32_t at) {
    struct cc_region *r = u->region;
    struct cc_source *s = r->source;
    struct cc_name member;
    uint32_t from = at, end;
    if (alias && alias->index) {
        u->all = cc_take_each_alias(u, alias, at) && u->all;
        return;
    }
    bool is_index_fixed = !u->each_only && u->within == r->node;
    bool is_member = cc_follow(s, is_index_fixed ? r : NULL, base, &from, &member, &end), is_struct = false;
    if (!is_member) member = *base, end = at + 1;
    struct cc_way way = way_of(u, alias, from, end, is_member, &member);
    if (!alias && is_listed(r, at, &u->copied)) {
        cc_replace(r, at, at + 1, NULL, NULL);
        return;
    }
    if (cc_take_each(u, way, from, end, &member)) {
        u->pays = true;
        return;
    }
    struct cc_name first = member; // of an array
    if (first.derive_count == 1 && is_array(&first)) first.derive[0].kind = CC_POINTER;
    if (cc_holds_pointers(s, &first))
        is_struct =
            take_alias(u, way, from, end, &first) || take_handed(u, way, from, end, &first, alias && alias->is_copy);
    if (is_struct) {
        u->pays = true;
    } else if (is_member && cc_kind(s, end - 1) != FRONT_P_RBRACKET) {
        struct cc_name *name = cc_member_variable(r, way.text, way.said, &member);
        u->pays = u->pays || is_integer(s, &member, 0) || (is_large(s, &member) && !is_named_in_calls(r, base));
        cc_note_member(s, name, &member, alias && alias->is_copy, from, end);
        cc_replace(r, from, end, name, name->text);
        cc_note_pointers(r, way.said);
    } else {
        u->all = false;
    }
}

// A struct of an array by its own name, and members of all structs of that array (each.c), might be one.
static bool meets_each(const struct cc_region *r, uint32_t first) {
    for (uint32_t i = first; i < r->member_count; i++) {
        const struct cc_name *all = r->members[i].name;
        if (!all || !all->each) continue;
        size_t size = strlen(all->each) - 3; // without "[0]"
        for (uint32_t k = first; k < r->member_count; k++) {
            const struct cc_name *one = r->members[k].name;
            if (one && !one->each && strncmp(one->said, all->each, size) == 0 && one->said[size] == '[') return true;
        }
    }
    return false;
}

static void take_uses_in(struct cc_uses *u, const struct cc_node *within) {
    struct cc_region *r = u->region;
    const struct cc_source *s = r->source;
    const uint32_t first = u->count;
    u->within = within;
    for (uint32_t at = within->from; at < within->to; at++) {
        if (cc_names_lock(s, at) || cc_exit_at(s, at) || cc_switch_at(r, at)) continue;
        if (is_use(r, u->base, at)) take_use(u, u->base, NULL, at);
        for (uint32_t i = first; i < u->count; i++) {
            const struct cc_alias alias = u->aliases[i];
            if (at > alias.name->at && is_use(r, alias.name, at)) take_use(u, alias.name, &alias, at);
        }
    }
}

// `in_calls`: in functions of the region, too.
static bool take_uses(struct cc_uses *u, bool in_calls) {
    struct cc_region *r = u->region;
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    take_uses_in(u, r->node);
    for (uint32_t i = 0; i < s->function_count && in_calls; i++) {
        if (reached[i] && &s->functions[i] == r->function) u->all = false; // the region is in it
        if (reached[i] && u->all) take_uses_in(u, s->functions[i].body);
    }
    return u->all && u->pays && !(in_calls && u->copied);
}

// Of a struct of numbers that the region hands to functions as a whole, and leaves as it is: its integers, where the
// region names them, are variables beside it. For many a number of iterations has to be known.
static void take_integers(struct cc_region *r, const struct cc_name *base) {
    struct cc_source *s = r->source;
    const uint32_t first = r->member_count;
    for (uint32_t at = r->node->from; at < r->node->to; at++) {
        struct cc_uses u = {.region = r};
        struct cc_name member = *base;
        uint32_t from = at, end = at + 1, behind;
        if (!is_use(r, base, at)) continue;
        bool is_member = cc_follow(s, NULL, base, &from, &member, &end), copied = false;
        for (behind = end; cc_kind(s, behind) == FRONT_P_LBRACKET || cc_kind(s, behind) == FRONT_P_DOT;)
            behind = cc_kind(s, behind) == FRONT_P_DOT ? behind + 2 : cc_skip_group(s, behind);
        if (is_listed(r, at, &copied) || cc_kind(s, from - 1) == FRONT_P_AMP || cc_is_changed_at(s, from, behind)) {
            r->member_count = first;
            return;
        }
        if (!is_member || behind != end || !is_integer(s, &member, 0)) continue;
        struct cc_way way = way_of(&u, NULL, from, end, true, &member);
        struct cc_name *name = cc_member_variable(r, way.text, way.said, &member);
        cc_replace(r, from, end, name, name->text);
    }
}

static uint32_t variable_count(const struct cc_region *r, uint32_t first) {
    uint32_t count = 0;
    for (uint32_t i = first; i < r->member_count; i++) {
        bool seen = !r->members[i].name;
        for (uint32_t k = first; k < i && !seen; k++)
            seen = r->members[k].name == r->members[i].name;
        count += !seen;
    }
    return count;
}

// Uses of a struct, all of them or none. `in_calls`: also those by its name in functions.
static bool take_all(struct cc_region *r, const struct cc_name *base, bool pays, bool in_calls) {
    uint32_t first = r->member_count, followed = r->followed_count;
    for (uint32_t pass = 0; pass < 2; pass++) { // where they meet, none has a name of its own
        struct cc_uses u = {.region = r, .base = base, .all = true, .pays = pays, .each_only = pass == 1};
        bool taken = take_uses(&u, in_calls), meets = meets_each(r, first);
        take_whole(r, first);
        for (uint32_t i = first; i < r->member_count; i++) // a copy may have been made before
            taken = taken && !(r->members[i].name && r->members[i].name->in_copy && r->members[i].name->is_set);
        taken = taken && (pays || !in_calls || variable_count(r, first) <= FEW);
        if (taken && !meets && are_apart(r, first, u.copied)) return true;
        r->member_count = first;
        r->followed_count = followed;
        if (!meets) return false;
    }
    return false;
}

// Functions that know a struct of numbers by its name need not know its members: then it goes along as a whole.
static void take_base(struct cc_region *r, const struct cc_name *base) {
    struct cc_source *s = r->source;
    struct pointer_query q = {.source = s};
    uint32_t body = body_of(s, base, 0), first = r->member_count;
    if (!body) return;
    bool pays = cc_each_member(s, body, holds_pointer, &q), in_calls = is_named_in_calls(r, base);
    in_calls = in_calls && (pays || !base->derive_count);
    bool taken = take_all(r, base, pays, in_calls);
    if (!taken && in_calls && !pays) taken = take_all(r, base, pays, in_calls = false);
    if (!taken && !pays && !base->derive_count) take_integers(r, base);
    for (uint32_t i = first; i < r->member_count && taken; i++) {
        if (!r->members[i].text) r->members[i].text = all_members(r, first);
        if (in_calls && r->members[i].name) r->members[i].name->is_file = true, r->members[i].name->base = base;
    }
}

// `grids[level]`, where four pointers lead to a number: a table of planes and rows, if each use in the region has such
// an index, which is the same while it runs.
static void take_levels(struct cc_region *r, const struct cc_name *base) {
    struct cc_source *s = r->source;
    const uint32_t first = r->member_count, followed = r->followed_count;
    struct cc_name inner = *base;
    bool copied = false, all = true;
    inner.derive_count--;
    memmove(inner.derive, inner.derive + 1, inner.derive_count * sizeof *inner.derive);
    for (uint32_t at = r->node->from; at < r->node->to && all; at++) {
        if (!is_use(r, base, at)) continue;
        uint32_t end = cc_kind(s, at + 1) == FRONT_P_LBRACKET ? cc_skip_group(s, at + 1) : at;
        if (is_listed(r, at, &copied)) {
            cc_replace(r, at, at + 1, NULL, NULL);
            continue;
        }
        all = end > at && cc_kind(s, end) == FRONT_P_LBRACKET && is_fixed(r, at + 2, end - 1);
        if (!all) break;
        const char *said = cc_joined(s, at, end, true);
        const char *text = cc_intern(s, base_format(s->cx, "%s__", cc_joined(s, at, end, false)));
        cc_replace(r, at, end, cc_member_variable(r, text, said, &inner), text);
        cc_note_pointers(r, said);
    }
    if (!all) r->member_count = first, r->followed_count = followed;
    for (uint32_t i = first; i < r->member_count; i++)
        if (!r->members[i].text) r->members[i].text = all_members(r, first);
}

static bool has_levels(const struct cc_name *name) {
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < name->derive_count; i++)
        pointers += name->derive[i].kind == CC_POINTER || i == 0;
    return pointers == 4 && name->derive_count == 4 && name->derive[0].kind != CC_FUNCTION;
}

static bool leads_to_pointer(const struct cc_name *name) {
    return !name->is_file && name->derive_count > 1 && name->derive[0].kind == CC_POINTER &&
           name->derive[1].kind == CC_POINTER;
}

// `(*cells)[i]`, where all that the region does with `cells` is finding that pointer, which may be another function's
// variable: it is a variable of the program.
static void take_pointed(struct cc_region *r, const struct cc_name *base) {
    struct cc_source *s = r->source;
    const uint32_t first = r->member_count;
    struct cc_name inner = *base;
    bool copied = false, all = true;
    inner.derive_count--;
    memmove(inner.derive, inner.derive + 1, inner.derive_count * sizeof *inner.derive);
    inner.is_param = false;
    const char *text = cc_intern(s, base_format(s->cx, "%s__0", base->text));
    struct cc_name *name = NULL;
    for (uint32_t at = r->node->from; at < r->node->to && all; at++) {
        if (!is_use(r, base, at)) continue;
        enum front_token_kind next = cc_kind(s, at + 1);
        if (is_listed(r, at, &copied)) {
            cc_replace(r, at, at + 1, NULL, NULL);
            continue;
        }
        bool goes_on = next == FRONT_P_LBRACKET || next == FRONT_P_LPAREN || next == FRONT_P_DOT ||
                       next == FRONT_P_ARROW || cc_is_step(next);
        all = cc_kind(s, at - 1) == FRONT_P_STAR && !goes_on;
        if (!name) name = cc_member_variable(r, text, base_format(s->cx, "(*%s)", base->text), &inner);
        cc_replace(r, at - 1, at + 1, name, text);
    }
    if (!all || !name) {
        r->member_count = first;
        return;
    }
    note_way(r, base->text);
    for (uint32_t i = first; i < r->member_count; i++)
        if (!r->members[i].text) r->members[i].text = text;
}

static bool is_taken(const struct cc_region *r, uint32_t at) {
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].from <= at && at < r->members[i].to) return true;
    return false;
}

struct bases { // that were looked at
    const struct cc_name **items;
    uint32_t count, cap;
};

static bool is_known(struct bases *b, const struct cc_name *base) {
    for (uint32_t i = 0; i < b->count; i++)
        if (b->items[i] == base || (base->is_file && b->items[i]->is_file && b->items[i]->text == base->text))
            return true;
    return false;
}

// Variables of which these tokens name members, or which they hand on. Of a function: those at file scope that the
// region does not name.
static void find_bases(struct cc_region *r, uint32_t from, uint32_t to, bool in_function, struct bases *b) {
    struct cc_source *s = r->source;
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_exit_at(s, at) || cc_switch_at(r, at)) continue;
        bool star;
        uint32_t first = at, behind = unwrapped(s, &first, at + 1, &star);
        bool steps = cc_kind(s, behind) == FRONT_P_DOT || cc_kind(s, behind) == FRONT_P_ARROW;
        bool is_argument = cc_kind(s, behind) == FRONT_P_COMMA || cc_kind(s, behind) == FRONT_P_RPAREN;
        bool is_index = cc_kind(s, behind) == FRONT_P_LBRACKET || cc_kind(s, behind) == FRONT_P_PLUS ||
                        cc_kind(s, behind) == FRONT_P_SEMI; // own = *s;
        if (!steps && !is_argument && !is_index) continue;
        const struct cc_name *base = cc_find(s, s->tokens[at].text, at);
        if (!is_outer(r, base) || !is_use(r, base, at) || is_taken(r, at) || is_known(b, base)) continue;
        if (in_function && (!base->is_file || has_levels(base))) continue;
        BASE_RESERVE(s->cx, b->items, b->count, b->cap);
        b->items[b->count++] = base;
        if (has_levels(base))
            take_levels(r, base);
        else
            take_base(r, base);
        if (!is_taken(r, at) && leads_to_pointer(base)) take_pointed(r, base);
    }
}

void cc_find_members(struct cc_region *r) {
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    struct bases b = {0};
    find_bases(r, r->node->from, r->node->to, false, &b);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (reached[i]) find_bases(r, s->functions[i].from, s->functions[i].to, true, &b);
}

const struct cc_member_use *cc_member_at(const struct cc_region *r, uint32_t at) {
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].from == at) return &r->members[i];
    return NULL;
}
