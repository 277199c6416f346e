// Variables of which each thread has its own (threadprivate, _Thread_local) and which are nothing but room to work in:
// every region sets them before it uses them, and nothing else in the file reads them. Then it does not matter which
// threads a region has, nor what is left in them: on the device its team has copies of its own. What looks like it here
// is proven where the region's program has been read (leftover.c), or the variable keeps what is in it after all:
// cc_note_kept.
//
// Others have to keep what is in them (threads_kept.c). Of a variable that other files name, too, each file that makes
// such a use says so by a symbol (rewrite_file.c), and regions that need it to be room look for that.
#include <stdlib.h>
#include <string.h>

#include "cc/region.h"

enum { DEEPEST = 20 };
enum first_use { UNUSED, SET, USED };

// Elements and members that were set one by one, as `t[0] = x;` and `d.x = y;`: what stands behind the name.
struct elements {
    struct cc_derivation *items;
    uint32_t count, cap;
};

// The variable at file scope, or a parameter that is its elements.
struct own {
    struct cc_source *source;
    const char *text;
    const struct cc_name *param; // NULL: at file scope
    const struct cc_node *root;  // statements around
    uint32_t depth;
    struct elements *elements;
    const struct cc_node *changes; // where an element must be changed for its old value to matter; NULL: nowhere
    bool is_proven;                // leftover.c has the last word: members and filled memory count, too
    uint32_t *found;               // the use that may see what was left; 0: none yet
};

static bool is_it(const struct own *o, uint32_t at) {
    const struct cc_source *s = o->source;
    if (cc_kind(s, at) != FRONT_TOK_IDENT || s->tokens[at].text != o->text) return false;
    if (cc_kind(s, at - 1) == FRONT_P_DOT || cc_kind(s, at - 1) == FRONT_P_ARROW) return false;
    const struct cc_name *name = cc_find(s, o->text, at);
    return o->param ? name == o->param : name && name->is_file && name->kind == CC_VARIABLE;
}

static bool is_certain(const struct own *o, uint32_t at) {
    const struct cc_source *s = o->source;
    for (const struct cc_node *n = o->root; n; n = cc_child_at(n, at))
        if (n->kind == CC_BRANCH || n->kind == CC_LOOP) return false;
    for (; at > o->root->from; at--) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE) break;
        if (kind == FRONT_P_QUESTION || kind == FRONT_P_ANDAND || kind == FRONT_P_OROR) return false;
    }
    return true;
}

static enum first_use first_in(const struct own *o, uint32_t from, uint32_t to);

// The parameter of a function that gets an argument; NULL: not known.
static const struct cc_name *param_of(const struct cc_source *s, const struct cc_function *f, uint32_t index) {
    if (cc_kind(s, f->from - 1) == FRONT_P_SEMI) return NULL; // declared in an order of their own
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (!n->is_param || n->to <= f->from || n->from >= f->from || n->to > f->to) continue;
        if (index-- == 0) return n;
    }
    return NULL;
}

// `f(..., v, ...)`: the function's parameter that gets it, and where that is; NULL: not known.
static const struct cc_name *handed_to(const struct own *o, uint32_t at, struct cc_source **out_source,
                                       const struct cc_function **out_function) {
    const struct cc_source *s = o->source;
    uint32_t index = 0, depth = 0;
    for (; at > o->root->from; at--) {
        enum front_token_kind kind = cc_kind(s, at - 1);
        if (kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACKET) depth++;
        if (depth == 0 && kind == FRONT_P_COMMA) index++;
        if (depth == 0 && kind == FRONT_P_LPAREN) break;
        if (kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET) depth--;
    }
    const struct cc_function *f = at > 1 ? cc_called(s, at - 2) : NULL;
    const struct cc_import *import = !f && at > 1 && cc_kind(s, at - 2) == FRONT_TOK_IDENT
                                         ? cc_find_import(o->source, s->tokens[at - 2].text)
                                         : NULL;
    *out_source = import ? import->source : o->source;
    *out_function = f = import ? import->function : f;
    return f && f->body && o->depth < DEEPEST ? param_of(*out_source, f, index) : NULL;
}

// ... what f does with it first.
static enum first_use first_by_argument(const struct own *o, uint32_t at) {
    struct cc_source *its;
    const struct cc_function *f;
    const struct cc_name *param = handed_to(o, at, &its, &f);
    if (!param || !param->derive_count) return USED; // by its value: what f sets is its own
    struct elements *known = its == o->source ? o->elements : &(struct elements){0}; // places in one file
    struct own inner = {.source = its, .text = param->text, .param = param, .root = f->body, .elements = known};
    inner.depth = o->depth + 1;
    inner.is_proven = o->is_proven;
    enum first_use first = first_in(&inner, f->from, f->to);
    return first == SET && !is_certain(o, at) ? USED : first;
}

// A struct of the function: each of its members is set by itself.
static bool has_members(const struct own *o) { return o->param && !o->param->derive_count; }

// Behind the subscripts and members of an element.
static uint32_t behind_element(const struct own *o, uint32_t at) {
    const struct cc_source *s = o->source;
    for (at++;;) {
        if (cc_kind(s, at) == FRONT_P_LBRACKET)
            at = cc_skip_group(s, at);
        else if ((o->is_proven || has_members(o)) && cc_kind(s, at) == FRONT_P_DOT)
            at += 2;
        else
            return at;
    }
}

// `memset(v, 0, sizeof v);`, `memcpy(&v[k], from, bytes);`: a statement, since the call gives the address to others.
static bool is_filled(const struct own *o, uint32_t at, uint32_t end) {
    static const char *const fills[] = {"memset", "memcpy", "memmove"};
    const struct cc_source *s = o->source;
    uint32_t open = cc_kind(s, at - 1) == FRONT_P_AMP ? at - 2 : at - 1;
    bool is = false;
    if (!o->is_proven || cc_kind(s, open) != FRONT_P_LPAREN || cc_kind(s, end) != FRONT_P_COMMA) return false;
    enum front_token_kind before = cc_kind(s, open - 2);
    if (before != FRONT_P_SEMI && before != FRONT_P_LBRACE && before != FRONT_P_RBRACE &&
        before != FRONT_TOK_PRAGMA_END)
        return false;
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++)
        is = is || (strcmp(s->tokens[open - 1].text, fills[i]) == 0 && !cc_called(s, open - 1));
    for (uint32_t k = end; is && k < cc_skip_group(s, open); k++)
        is = !is_it(o, k) || cc_is_measured(s, k);
    return is;
}

static bool is_constant_element(const struct cc_source *s, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(s, at) == FRONT_P_DOT)
            at++;
        else if (cc_kind(s, at) != FRONT_TOK_INT && cc_kind(s, at) != FRONT_P_LBRACKET &&
                 cc_kind(s, at) != FRONT_P_RBRACKET)
            return false;
    }
    return from < to;
}

static bool is_same(const struct cc_source *s, uint32_t from, uint32_t to, uint32_t other, uint32_t end) {
    bool same = to - from == end - other;
    for (uint32_t k = 0; same && k < to - from; k++)
        same = strcmp(s->tokens[from + k].text, s->tokens[other + k].text) == 0;
    return same;
}

// ... or what it is a part of.
static bool was_set(const struct own *o, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < o->elements->count; i++) {
        const struct cc_derivation *d = &o->elements->items[i];
        uint32_t size = d->to - d->from;
        if (size <= to - from && is_same(o->source, d->from, d->to, from, from + size)) return true;
    }
    return false;
}

// One element is set; what of the others?
static enum first_use set_element(const struct own *o, const struct cc_name *name, uint32_t from, uint32_t to) {
    const struct cc_source *s = o->source;
    struct elements *e = o->elements;
    uint64_t all = 1;
    if (!was_set(o, from, to)) {
        BASE_RESERVE(s->cx, e->items, e->count, e->cap);
        e->items[e->count++] = (struct cc_derivation){.from = from, .to = to};
    }
    if (has_members(o)) return UNUSED;
    for (uint32_t d = 0; name && d < name->derive_count && all <= e->count; d++) {
        const struct cc_derivation *size = &name->derive[d];
        bool is_number =
            size->kind == CC_ARRAY && size->to == size->from + 1 && cc_kind(s, size->from) == FRONT_TOK_INT;
        all = is_number ? all * strtoull(s->tokens[size->from].text, NULL, 0) : UINT32_MAX;
    }
    return name && all <= e->count ? SET : UNUSED;
}

// Elements that no statement may change hold what they held before.
static bool stays(const struct own *o, uint32_t from, uint32_t to) {
    const struct cc_source *s = o->source;
    if (!o->changes || !is_constant_element(s, from, to)) return false;
    for (uint32_t at = o->changes->from, end; at < o->changes->to; at++) {
        if (!is_it(o, at)) continue;
        uint32_t depth = 0;
        for (end = at + 1; cc_kind(s, end) == FRONT_P_LBRACKET; depth++)
            end = cc_skip_group(s, end);
        bool is_all = depth == o->param->derive_count && cc_kind(s, end) != FRONT_P_DOT;
        bool is_other = is_constant_element(s, at + 1, end) && !is_same(s, at + 1, end, from, to);
        if (!is_all || (cc_is_changed_at(s, at, end) && !is_other)) return false;
    }
    return true;
}

// What stands before the brackets that end at a token.
static enum front_token_kind before_cast(const struct cc_source *s, uint32_t at) {
    uint32_t depth = 1;
    while (depth && at > 1) {
        at--;
        depth += cc_kind(s, at) == FRONT_P_RPAREN;
        depth -= cc_kind(s, at) == FRONT_P_LPAREN;
    }
    return cc_kind(s, at - 1);
}

// `for (i = 1; ...) t[i] = t[i - 1] + ...`, of which t[0] is set: so is what it reads, from `from` to `to`.
static bool follows_on(const struct own *o, uint32_t at, uint32_t from, uint32_t to) {
    const struct cc_source *s = o->source;
    const struct cc_node *loop = NULL;
    const char *counter = s->tokens[at + 2].text;
    bool has_first = false;
    for (const struct cc_node *n = o->root; n; n = cc_child_at(n, at))
        if (n->kind == CC_FOR) loop = n;
    for (uint32_t i = 0; i < o->elements->count; i++)
        has_first = has_first || (o->elements->items[i].to - o->elements->items[i].from == 3 &&
                                  strcmp(s->tokens[o->elements->items[i].from + 1].text, "0") == 0);
    uint32_t head = loop ? loop->from + 2 : 0;
    while (loop && head < loop->to && cc_kind(s, head) != FRONT_P_ASSIGN)
        head++;
    if (!has_first || !loop || s->tokens[head - 1].text != counter || strcmp(s->tokens[head + 1].text, "1") != 0 ||
        cc_kind(s, head + 2) != FRONT_P_SEMI || cc_kind(s, at + 3) != FRONT_P_RBRACKET)
        return false;
    for (uint32_t k = from; k < to; k++) {
        if (!is_it(o, k)) continue;
        bool is_last = cc_kind(s, k + 1) == FRONT_P_LBRACKET && s->tokens[k + 2].text == counter &&
                       cc_kind(s, k + 3) == FRONT_P_MINUS && strcmp(s->tokens[k + 4].text, "1") == 0 &&
                       cc_kind(s, k + 5) == FRONT_P_RBRACKET;
        if (!is_last) return false;
    }
    return true;
}

// `t[count++] = x`, `t[count] = x; count++`: under conditions, too, what is read later may be such elements alone.
static bool appends(const struct own *o, uint32_t at, uint32_t end) {
    const struct cc_source *s = o->source;
    if (!o->is_proven || cc_kind(s, at + 1) != FRONT_P_LBRACKET || cc_kind(s, at + 2) != FRONT_TOK_IDENT) return false;
    if (cc_kind(s, at + 3) == FRONT_P_INC) return cc_kind(s, at + 4) == FRONT_P_RBRACKET;
    while (cc_kind(s, end) != FRONT_P_SEMI && cc_kind(s, end) != FRONT_TOK_END)
        end++;
    return cc_kind(s, at + 3) == FRONT_P_RBRACKET && s->tokens[end + 1].text == s->tokens[at + 2].text &&
           cc_kind(s, end + 2) == FRONT_P_INC;
}

static enum first_use first_at(const struct own *o, uint32_t at) {
    const struct cc_source *s = o->source;
    uint32_t end = behind_element(o, at);
    if (o->is_proven && cc_is_measured(s, at)) return UNUSED;
    if (first_in(o, at + 1, end) != UNUSED) return USED;
    if (is_filled(o, at, end)) return is_certain(o, at) ? SET : USED;
    enum front_token_kind before = cc_kind(s, at - 1), behind = cc_kind(s, end);
    if (before != FRONT_P_AMP && (was_set(o, at + 1, end) || stays(o, at + 1, end))) return UNUSED;
    if (before == FRONT_P_RPAREN) before = before_cast(s, at - 1);
    bool is_argument =
        (before == FRONT_P_LPAREN || before == FRONT_P_COMMA) && (behind == FRONT_P_COMMA || behind == FRONT_P_RPAREN);
    if (end == at + 1 && is_argument && strcmp(s->tokens[at - 2].text, "free") == 0) return UNUSED;
    if (end == at + 1 && is_argument) return first_by_argument(o, at);
    if (behind != FRONT_P_ASSIGN || before == FRONT_P_STAR || before == FRONT_P_AMP) return USED;
    if (!is_certain(o, at) && !appends(o, at, end)) return USED;
    uint32_t stop = end + 1;
    while (cc_kind(s, stop) != FRONT_P_SEMI && cc_kind(s, stop) != FRONT_P_COMMA && cc_kind(s, stop) != FRONT_P_RPAREN)
        stop = cc_kind(s, stop) == FRONT_P_LPAREN || cc_kind(s, stop) == FRONT_P_LBRACKET ? cc_skip_group(s, stop)
                                                                                          : stop + 1;
    if (first_in(o, end + 1, stop) != UNUSED) return follows_on(o, at, end + 1, stop) ? SET : USED;
    if (!is_constant_element(s, at + 1, end)) return has_members(o) && end > at + 1 ? UNUSED : SET;
    return set_element(o, o->param ? o->param : cc_find(s, o->text, at), at + 1, end);
}

// In the order of the text, through calls of functions of the file.
static enum first_use first_in(const struct own *o, uint32_t from, uint32_t to) {
    const struct cc_source *s = o->source;
    bool in_pragma = false;
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) in_pragma = true;
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA_END) in_pragma = false;
        if (is_it(o, at)) {
            enum first_use first = in_pragma ? USED : first_at(o, at);
            if (first == USED && o->found && !*o->found) *o->found = at;
            if (first != UNUSED) return first;
            continue;
        }
        const struct cc_function *f = cc_called(s, at);
        if (!f || !f->body || o->param) continue;
        uint32_t behind = cc_skip_group(s, at + 1);
        enum first_use first = first_in(o, at + 2, behind - 1);
        if (first != UNUSED) return first;
        struct own inner = {.source = o->source, .text = o->text, .root = f->body, .depth = o->depth + 1};
        inner.elements = o->elements;
        inner.is_proven = o->is_proven;
        inner.found = o->found;
        first = o->depth < DEEPEST ? first_in(&inner, f->from, f->to) : USED;
        if (first != UNUSED) return first == SET && !is_certain(o, at) ? USED : first;
        at = behind - 1;
    }
    return UNUSED;
}

static bool are_regions_good(const struct own *o, const struct cc_node *n) {
    if (cc_is_parallel(o->source, n)) {
        struct own inner = *o;
        inner.root = n;
        inner.elements = &(struct elements){0};
        return first_in(&inner, n->from, n->to) != USED;
    }
    for (n = n->child; n; n = n->next)
        if (!are_regions_good(o, n)) return false;
    return true;
}

static bool is_in_region(const struct cc_source *s, const struct cc_function *f, uint32_t at) {
    for (const struct cc_node *n = f->body; n; n = cc_child_at(n, at))
        if (cc_is_parallel(s, n)) return true;
    return false;
}

static const struct cc_function *function_at(const struct cc_source *s, uint32_t at) {
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].from <= at && at < s->functions[i].to) return &s->functions[i];
    return NULL;
}

// Is a token reached by the threads of regions alone, as far as the file says?
static bool is_of_regions(const struct cc_source *s, uint32_t at, uint32_t depth) {
    const struct cc_function *f = function_at(s, at);
    if (!f || !f->body || depth > DEEPEST) return false;
    if (is_in_region(s, f, at)) return true;
    const struct cc_name *name = cc_find(s, f->name, f->from);
    if (!name || !name->is_static) return false;
    for (uint32_t k = 0; k + 1 < s->count; k++) {
        if (s->tokens[k].text != f->name || !function_at(s, k)) continue;
        if (cc_called(s, k) != f || !is_of_regions(s, k, depth + 1)) return false;
    }
    return true;
}

// A use that sets the variable, or elements of it, also through functions: what is left in it after that nobody reads.
static bool only_sets(const struct own *o, uint32_t at) {
    const struct cc_source *s = o->source;
    struct cc_source *its;
    const struct cc_function *f;
    uint32_t end = behind_element(o, at);
    enum front_token_kind before = cc_kind(s, at - 1), behind = cc_kind(s, end);
    if (cc_is_measured(s, at) || is_filled(o, at, end)) return true;
    bool begins = before == FRONT_P_SEMI || before == FRONT_P_LBRACE || before == FRONT_P_RBRACE ||
                  before == FRONT_P_RPAREN || before == FRONT_P_LPAREN;
    if (behind == FRONT_P_ASSIGN) return begins;
    bool is_argument =
        (before == FRONT_P_LPAREN || before == FRONT_P_COMMA) && (behind == FRONT_P_COMMA || behind == FRONT_P_RPAREN);
    const struct cc_name *param = is_argument && end == at + 1 ? handed_to(o, at, &its, &f) : NULL;
    if (!param) return false;
    struct own inner = {.source = its, .text = param->text, .param = param, .root = f->body, .depth = o->depth + 1};
    inner.is_proven = true;
    for (uint32_t k = f->from; k < f->to; k++)
        if (is_it(&inner, k) && !only_sets(&inner, k)) return false;
    return true;
}

void cc_note_kept(struct cc_source *s, const char *text, uint32_t at) {
    for (uint32_t i = 0; i < s->declared_count; i++) {
        struct cc_name *n = s->declared[i];
        if (!n->is_file || n->text != text) continue;
        n->room = 2;
        n->kept_at = at;
    }
}

// *out_at: where not.
static bool is_room(struct cc_source *s, const struct cc_name *name, uint32_t *out_at) {
    struct own o = {.source = s, .text = name->text, .elements = &(struct elements){0}};
    o.is_proven = true;
    o.found = out_at;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (n->is_file && n->text == name->text && n->kind != CC_VARIABLE) return false;
    }
    if (name->derive_count && name->derive[0].kind != CC_ARRAY) return false;
    for (uint32_t i = 0; i < s->function_count; i++) {
        const struct cc_function *f = &s->functions[i];
        o.root = f->body;
        for (uint32_t at = f->from; at < f->to; at++) {
            if (!is_it(&o, at) || is_of_regions(s, at, 0) || (f->body && only_sets(&o, at))) continue;
            *out_at = at;
            return false;
        }
        if (f->body && !are_regions_good(&o, f->body)) return false;
    }
    return true;
}

// ---- a variable of the function -------------------------------------------------------------------------------------

static enum first_use first_of(struct own *o, const struct cc_node *n);

// Of statements that run in turn.
static enum first_use first_of_list(struct own *o, const struct cc_node *n) {
    enum first_use first = UNUSED;
    for (; n && first == UNUSED; n = n->next)
        first = first_of(o, n);
    return first;
}

// Statements that may leave a loop, or a pass, before its end.
static bool may_leave(const struct cc_source *s, const struct cc_node *n) {
    for (uint32_t at = n->from; at < n->to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_KW_BREAK || kind == FRONT_KW_CONTINUE || kind == FRONT_KW_GOTO) return true;
    }
    return false;
}

// `for (k = 0; k < SIZE; k++)`, where that is the size of a dimension. *out_counter: its variable's token.
static bool counts_through(const struct own *o, const struct cc_node *n, const struct cc_derivation *size,
                           uint32_t *out_counter) {
    const struct cc_source *s = o->source;
    uint32_t at = n->from + 2;
    while (at < n->to && cc_kind(s, at) != FRONT_P_ASSIGN)
        at++;
    if (n->kind != CC_FOR || at + 4 >= n->to || strcmp(s->tokens[at + 1].text, "0") != 0 ||
        cc_kind(s, at + 2) != FRONT_P_SEMI || cc_kind(s, at + 4) != FRONT_P_LT)
        return false;
    uint32_t from = at + 5, to = from;
    while (to < n->to && cc_kind(s, to) != FRONT_P_SEMI)
        to++;
    bool by_one = cc_kind(s, to + 1) == FRONT_P_INC || cc_kind(s, to + 2) == FRONT_P_INC;
    *out_counter = at - 1;
    return by_one && size->kind == CC_ARRAY && is_same(s, size->from, size->to, from, to);
}

// ... of one of the array's.
static bool counts_all(const struct own *o, const struct cc_node *n) {
    uint32_t counter;
    for (uint32_t d = 0; d < o->param->derive_count; d++)
        if (counts_through(o, n, &o->param->derive[d], &counter)) return true;
    return false;
}

// What the passes of a loop do first, of which there may be none. An array is set by loops over all of it; whether
// others set what is read later, nobody knows.
static enum first_use first_of_passes(struct own *o, const struct cc_node *n) {
    uint32_t known = o->elements->count;
    enum first_use first = first_of_list(o, n->child);
    o->elements->count = known;
    if (first != SET) return first;
    if (!o->param->derive_count) return UNUSED;
    return counts_all(o, n) && !may_leave(o->source, n) ? SET : USED;
}

static enum first_use first_of(struct own *o, const struct cc_node *n) {
    const struct cc_source *s = o->source;
    enum first_use first, second = UNUSED;
    uint32_t head = n->child ? n->child->from : n->to;
    o->root = n;
    if (n->kind == CC_PRAGMA && cc_is_in_clause(s, n, "private", o->text)) return UNUSED; // another one
    if (!n->child) return n->kind == CC_BLOCK ? UNUSED : first_in(o, n->from, n->to);
    bool is_if = cc_kind(s, n->from) == FRONT_KW_IF, is_do = cc_kind(s, n->from) == FRONT_KW_DO;
    struct cc_node alone = {.kind = CC_SIMPLE, .from = n->from, .to = head}; // its head
    o->root = &alone;
    first = n->kind == CC_BLOCK ? UNUSED : first_in(o, n->from, head);
    if (first != UNUSED) return first;
    if (n->kind == CC_FOR || (n->kind == CC_LOOP && !is_do)) return first_of_passes(o, n);
    if (n->kind != CC_BRANCH) first = first_of_list(o, n->child);
    if (is_do && first == SET && may_leave(s, n->child)) return USED;
    if (is_do && first == UNUSED) {
        struct cc_node end = {.kind = CC_SIMPLE, .from = n->child->to, .to = n->to};
        o->root = &end;
        first = first_in(o, end.from, end.to);
    }
    if (n->kind != CC_BRANCH) return first;
    uint32_t known = o->elements->count;
    first = first_of(o, n->child);
    o->elements->count = known;
    if (n->child->next) second = first_of(o, n->child->next);
    o->elements->count = known;
    if (first == USED || second == USED) return USED;
    return is_if && first == SET && second == SET ? SET : UNUSED;
}

bool cc_is_set_first(struct cc_source *s, const struct cc_name *name, const struct cc_node *n) {
    struct own o = {.source = s, .text = name->text, .param = name, .elements = &(struct elements){0}};
    o.changes = n;
    o.is_proven = name->derive_count > 0; // carried.c: it is one that is unsure
    return first_of(&o, n) != USED;
}

// `memset(v, 0, sizeof v);`
static bool fills_all(const struct own *o, const struct cc_node *n, uint32_t at) {
    const struct cc_source *s = o->source;
    uint32_t end = at + 1, size = at + 4, own;
    if (n->kind != CC_SIMPLE || at != n->from + 2 || !o->param->derive_count || !is_filled(o, at, end)) return false;
    bool brackets = cc_kind(s, size + 1) == FRONT_P_LPAREN; // of `sizeof(v)`: memset's own come behind
    own = size + 1 + brackets;
    return strcmp(s->tokens[n->from].text, "memset") == 0 && cc_kind(s, at + 3) == FRONT_P_COMMA &&
           cc_kind(s, size) == FRONT_KW_SIZEOF && is_it(o, own) && cc_kind(s, own + 1) == FRONT_P_RPAREN &&
           (!brackets || cc_kind(s, own + 2) == FRONT_P_RPAREN);
}

bool cc_is_cleared(struct cc_source *s, const struct cc_name *name, const struct cc_node *region) {
    struct own o = {.source = s, .text = name->text, .param = name, .is_proven = true};
    uint32_t at = region->child ? region->child->from : region->to, counter;
    while (at < region->to && !is_it(&o, at))
        at++;
    const struct cc_node *n = at < region->to ? cc_statement_at(region, at) : region, *loop;
    if (fills_all(&o, n, at))
        return n->parent == region || (n->parent->kind == CC_BLOCK && n->parent->parent == region);
    if (n->kind != CC_SIMPLE || n->from != at) return false;
    for (loop = n->parent; loop != region; loop = loop->parent)
        if ((loop->kind != CC_BLOCK && loop->kind != CC_FOR) || may_leave(s, loop)) return false;
    uint32_t end = at + 1;
    for (uint32_t d = 0; d < name->derive_count; d++, end += 3) { // for each subscript a loop around
        if (cc_kind(s, end) != FRONT_P_LBRACKET || cc_kind(s, end + 2) != FRONT_P_RBRACKET) return false;
        for (loop = n->parent; loop != region; loop = loop->parent)
            if (counts_through(&o, loop, &name->derive[d], &counter) &&
                s->tokens[counter].text == s->tokens[end + 1].text)
                break;
        bool is_new = loop != region;
        for (uint32_t before = at + 1; before < end; before += 3)
            is_new = is_new && s->tokens[before + 1].text != s->tokens[end + 1].text;
        if (!is_new) return false;
    }
    for (loop = n->parent; loop != region; loop = loop->parent) { // and none is around that may make no pass
        bool counts = loop->kind == CC_BLOCK;
        for (uint32_t d = 0; d < name->derive_count; d++)
            counts = counts || counts_through(&o, loop, &name->derive[d], &counter);
        if (!counts) return false;
    }
    return cc_kind(s, end) == FRONT_P_ASSIGN;
}

bool cc_is_used_unset(struct cc_source *s, const struct cc_name *name, const struct cc_node *list) {
    struct own o = {.source = s, .text = name->text, .param = name, .elements = &(struct elements){0}};
    return first_of_list(&o, list) == USED;
}

// ---- all ------------------------------------------------------------------------------------------------------------

bool cc_is_room(struct cc_source *s, struct cc_name *name) {
    if (!name->is_file || name->kind != CC_VARIABLE || !name->is_thread) return false;
    if (!name->room) name->room = is_room(s, name, &name->kept_at) ? 1 : 2;
    return name->room == 1;
}
