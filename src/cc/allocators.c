// Functions of the file that do nothing but allocate memory, or free it, as programs have them for malloc that may not
// fail, or for vectors that count from 1. A call of one means the allocation in it (scratch.c):
//
//     float *vector(long low, long high)            |
//     {                                             |
//         float *v;                                 |  float *v = vector(1, n);
//         v = malloc((high - low + 1) * sizeof *v); |      is
//         if (!v) stop("no memory");                |  float *v = malloc(((n) - (1) + 1) * sizeof(float)) - (1);
//         return v - low;                           |
//     }                                             |
//
// What is done where there is no memory is no matter: an array of the program is there.
#include <string.h>

#include "cc/region.h"

enum { DEEPEST = 4 };
struct allocator {
    const struct cc_function *function;
    const struct cc_name *own; // the variable that the memory is in; NULL: it is returned at once
    uint32_t call, end;        // the allocation in it
    uint32_t from, to;         // what is added to the pointer, as tokens
};

static bool is_text(const struct cc_source *s, uint32_t at, const char *text) {
    return cc_kind(s, at) == FRONT_TOK_IDENT && strcmp(s->tokens[at].text, text) == 0;
}

static uint32_t behind_casts(const struct cc_source *s, uint32_t at) {
    while (cc_kind(s, at) == FRONT_P_LPAREN && cc_kind(s, at + 1) != FRONT_P_LPAREN)
        at = cc_skip_group(s, at);
    return at;
}

// Behind `sizeof *t` and `sizeof t[0]`, also in parentheses: the size of an element; 0: it is something else.
static uint32_t behind_size(const struct cc_source *s, const struct cc_name *name, uint32_t at, uint32_t *out_stars) {
    if (!name || cc_kind(s, at) != FRONT_KW_SIZEOF) return 0;
    uint32_t depth = 0;
    for (at++; cc_kind(s, at) == FRONT_P_LPAREN; at++)
        depth++;
    uint32_t steps = 0; // to what the pointer leads to, and of a table further
    for (; cc_kind(s, at) == FRONT_P_STAR; at++)
        steps++;
    if (s->tokens[at].text != name->text) return 0;
    for (at++; cc_kind(s, at) == FRONT_P_LBRACKET; steps++)
        at = cc_skip_group(s, at);
    if (!steps || steps > name->derive_count) return 0;
    *out_stars = name->derive_count - steps;
    for (; depth > 0; depth--, at++)
        if (cc_kind(s, at) != FRONT_P_RPAREN) return 0;
    enum front_token_kind kind = cc_kind(s, at); // of a part of the element
    return kind == FRONT_P_DOT || kind == FRONT_P_ARROW || kind == FRONT_P_LBRACKET ? 0 : at;
}

uint32_t cc_behind_own_size(const struct cc_source *s, const struct cc_name *name, uint32_t at) {
    uint32_t stars;
    return behind_size(s, name, at, &stars);
}

// What a number of the function is, which it is given once: `long rows = high - low + 1;`.
static bool value_of(const struct cc_source *s, const struct cc_function *f, const struct cc_name *name,
                     struct cc_derivation *out) {
    if (!f || name->is_param || name->is_file || name->kind != CC_VARIABLE || name->derive_count) return false;
    if (name->at < f->from || name->at >= f->to) return false;
    uint32_t set = name->has_init ? name->end : 0;
    for (uint32_t at = f->from; at < f->to; at++) {
        if (s->tokens[at].text != name->text || at == name->at || !cc_is_changed_at(s, at, at + 1)) continue;
        const struct cc_node *n = cc_statement_at(f->body, at);
        if (set || cc_kind(s, at + 1) != FRONT_P_ASSIGN || n->from != at || n->parent != f->body) return false;
        set = at + 1;
    }
    if (!set) return false;
    out->from = out->to = set + 1;
    while (cc_kind(s, out->to) != FRONT_P_SEMI && cc_kind(s, out->to) != FRONT_P_COMMA)
        out->to = cc_kind(s, out->to) == FRONT_P_LPAREN ? cc_skip_group(s, out->to) : out->to + 1;
    return true;
}

static bool is_plain_in(const struct cc_source *s, const struct cc_function *f, const struct cc_name *own,
                        uint32_t from, uint32_t to, uint32_t depth) {
    for (uint32_t at = from; at < to; at++) {
        uint32_t behind = cc_behind_own_size(s, own, at);
        if (behind) {
            at = behind - 1;
            continue;
        }
        enum front_token_kind kind = cc_kind(s, at);
        if (cc_is_step(kind) || cc_is_assignment(kind) || kind == FRONT_P_COMMA || kind == FRONT_P_LBRACE) return false;
        if (kind != FRONT_TOK_IDENT) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (cc_kind(s, at + 1) == FRONT_P_LPAREN) return false;
        bool is_param = f && name && name->is_param && name->at >= f->start && name->at < f->from;
        bool is_known = name && (name->kind == CC_TYPE || name->kind == CC_CONSTANT) && name->is_file;
        struct cc_derivation value;
        bool is_local = name && depth < DEEPEST && value_of(s, f, name, &value) &&
                        is_plain_in(s, f, own, value.from, value.to, depth + 1);
        if (f && !is_param && !is_known && !is_local) return false;
    }
    return true;
}

// Parameters, numbers, types and what is computed from them: evaluating it twice changes nothing.
static bool is_plain(const struct cc_source *s, const struct allocator *a, uint32_t from, uint32_t to) {
    return is_plain_in(s, a ? a->function : NULL, a ? a->own : NULL, from, to, 0);
}

bool cc_is_plain_given(const struct cc_source *s, const struct cc_function *f, const struct cc_name *own, uint32_t from,
                       uint32_t to) {
    return is_plain_in(s, f, own, from, to, 0);
}

static bool find_allocator(const struct cc_source *s, const struct cc_function *f, uint32_t depth,
                           struct allocator *out);

// malloc(E), calloc(N, E), or a function that is one: the call's name, behind casts; 0: it is none.
static uint32_t allocation_at(const struct cc_source *s, uint32_t at, uint32_t depth, uint32_t *out_end) {
    at = behind_casts(s, at);
    if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_LPAREN) return 0;
    const struct cc_function *f = cc_called(s, at);
    struct allocator a;
    bool is_library = !f && (is_text(s, at, "malloc") || is_text(s, at, "calloc"));
    if (!is_library && !(f && find_allocator(s, f, depth + 1, &a))) return 0;
    *out_end = cc_skip_group(s, at + 1);
    for (uint32_t k = at + 2, to; !is_library && k < *out_end - 1; k = to + 1) {
        to = cc_behind_argument(s, k, *out_end - 1);
        if (!is_plain(s, NULL, k, to)) return 0;
    }
    enum front_token_kind behind = cc_kind(s, *out_end);
    return behind == FRONT_P_SEMI || behind == FRONT_P_COMMA ? at : 0;
}

uint32_t cc_allocation_at(const struct cc_source *s, uint32_t at, uint32_t *out_end) {
    return allocation_at(s, at, 0, out_end);
}

static bool takes_allocation(const struct cc_source *s, struct allocator *a, uint32_t at, uint32_t depth) {
    a->call = allocation_at(s, at, depth, &a->end);
    return a->call && cc_kind(s, a->end) == FRONT_P_SEMI;
}

// `if (v == NULL) stop();`, which nobody comes to, and `assert(v)`.
bool cc_is_null_check(const struct cc_source *s, const struct cc_node *n, const struct cc_name *own) {
    bool asserts = false;
    if (n->kind == CC_BRANCH) {
        uint32_t at = n->from + 2, end = cc_skip_group(s, n->from + 1) - 1;
        if (cc_kind(s, at) == FRONT_P_NOT) return at + 2 == end && s->tokens[at + 1].text == own->text;
        bool is_equal = false, names = false;
        for (; at < end; at++) {
            is_equal = is_equal || cc_kind(s, at) == FRONT_P_EQ;
            names = names || s->tokens[at].text == own->text;
            bool is_null = cc_kind(s, at) == FRONT_TOK_INT || cc_kind(s, at) == FRONT_P_LPAREN ||
                           cc_kind(s, at) == FRONT_P_RPAREN || cc_kind(s, at) == FRONT_P_STAR ||
                           cc_kind(s, at) == FRONT_KW_VOID || cc_kind(s, at) == FRONT_P_EQ;
            if (!is_null && s->tokens[at].text != own->text && !is_text(s, at, "NULL")) return false;
        }
        for (const struct cc_node *c = n->child; c; c = c->next)
            if (c->next) return false; // an else
        return is_equal && names;
    }
    for (uint32_t at = n->from; at < n->to; at++) {
        asserts = asserts || is_text(s, at, "__assert_fail");
        if (cc_is_step(cc_kind(s, at)) || cc_is_assignment(cc_kind(s, at))) return false;
    }
    return asserts && n->kind == CC_SIMPLE;
}

static const struct cc_name *declared_in(const struct cc_source *s, const struct cc_node *n) {
    const struct cc_name *found = NULL;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *name = s->declared[i];
        if (name->is_file || name->at < n->from || name->at >= n->to) continue;
        if (found) return NULL;
        found = name;
    }
    return found && !found->is_static && cc_is_pointer(found) ? found : NULL;
}

// `return v - low;`, or the allocation itself.
static bool take_return(const struct cc_source *s, struct allocator *a, const struct cc_node *n, uint32_t depth) {
    uint32_t at = n->from + 1, end = n->to - 1;
    if (!a->own) return !a->call && takes_allocation(s, a, at, depth) && a->end == end;
    if (cc_kind(s, at) == FRONT_P_LPAREN && cc_skip_group(s, at) == end) at++, end--;
    at = s->tokens[at].text == a->own->text ? at : behind_casts(s, at);
    if (!a->call || s->tokens[at].text != a->own->text) return false;
    a->from = at + 1;
    a->to = end;
    enum front_token_kind sign = cc_kind(s, at + 1);
    return at + 1 == end || ((sign == FRONT_P_PLUS || sign == FRONT_P_MINUS) && is_plain(s, a, a->from, a->to));
}

static bool find_allocator(const struct cc_source *s, const struct cc_function *f, uint32_t depth,
                           struct allocator *out) {
    struct allocator a = {.function = f};
    bool returns = false;
    if (depth > DEEPEST || !f->body || f->body->kind != CC_BLOCK) return false;
    for (const struct cc_node *n = f->body->child; n; n = n->next) {
        if (returns) return false;
        if (n->kind == CC_DECLARATION && !a.own) {
            a.own = declared_in(s, n);
            bool is_set = a.own && cc_kind(s, a.own->end) == FRONT_P_ASSIGN;
            if (!a.own || (is_set && !takes_allocation(s, &a, a.own->end + 1, depth))) return false;
        } else if (cc_kind(s, n->from) == FRONT_KW_RETURN) {
            returns = take_return(s, &a, n, depth);
            if (!returns) return false;
        } else if (a.own && !a.call && n->kind == CC_SIMPLE && s->tokens[n->from].text == a.own->text &&
                   cc_kind(s, n->from + 1) == FRONT_P_ASSIGN) {
            if (!takes_allocation(s, &a, n->from + 2, depth)) return false;
        } else if (!a.own || !a.call || !cc_is_null_check(s, n, a.own)) {
            return false;
        }
    }
    *out = a;
    for (uint32_t k = a.call + 2, to; returns && k < a.end - 1; k = to + 1) {
        to = cc_behind_argument(s, k, a.end - 1);
        returns = is_plain(s, &a, k, to);
    }
    return returns;
}

// ---- as text --------------------------------------------------------------------------------------------------------

static void put_tokens(struct base_text *out, const struct cc_source *s, const struct cc_name *own, uint32_t from,
                       uint32_t to, const struct cc_given *given);

static bool put_argument(struct base_text *out, const struct cc_source *s, const struct cc_given *given, uint32_t at) {
    struct cc_derivation part;
    const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
    if (!given->function || !name) return false;
    if (value_of(s, given->function, name, &part)) {
        base_text_put(out, "((");
        cc_put_type(out, s, name, false);
        base_text_put(out, ")(");
        put_tokens(out, s, NULL, part.from, part.to, given);
        base_text_put(out, ")) ");
        return true;
    }
    if (!name->is_param) return false;
    uint32_t from = given->call + 2, end = cc_skip_group(s, given->call + 1) - 1, which = 0;
    while (cc_param_at(s, given->function, which, &part) != name)
        if (which++ > 32) return false;
    for (uint32_t to = cc_behind_argument(s, from, end); which > 0; which--, to = cc_behind_argument(s, from, end))
        from = to + 1;
    base_text_put(out, "((");
    if (!name->derive_count) cc_put_type(out, s, name, false);
    base_text_put(out, name->derive_count ? "void *)(" : ")(");
    put_tokens(out, s, given->name, from, cc_behind_argument(s, from, end), given->outer);
    base_text_put(out, ")) ");
    return true;
}

// The array stands before the pointer whose elements' size is asked.
static void put_tokens(struct base_text *out, const struct cc_source *s, const struct cc_name *own, uint32_t from,
                       uint32_t to, const struct cc_given *given) {
    for (uint32_t at = from; at < to; at++) {
        uint32_t stars, behind = behind_size(s, own, at, &stars);
        if (behind) {
            base_text_put(out, "sizeof(");
            cc_put_type(out, s, own, false);
            base_text_put(out, stars ? "*) " : ") ");
            at = behind - 1;
        } else if (!given || !put_argument(out, s, given, at)) {
            base_text_format(out, "%s ", s->tokens[at].text);
        }
    }
}

static void put_allocation(struct base_text *bytes, struct base_text *shift, const struct cc_source *s,
                           const struct cc_name *own, uint32_t call, uint32_t end, const struct cc_given *given,
                           bool *out_clears) {
    const struct cc_function *f = cc_called(s, call);
    struct allocator a;
    if (f && find_allocator(s, f, 1, &a)) {
        const struct cc_given inner = {f, call, own, given};
        put_allocation(bytes, shift, s, a.own, a.call, a.end, &inner, out_clears);
        put_tokens(shift, s, NULL, a.from, a.to, &inner);
        return;
    }
    uint32_t comma = is_text(s, call, "calloc") ? cc_behind_argument(s, call + 2, end - 1) : 0;
    *out_clears = comma > 0;
    base_text_put(bytes, "(");
    put_tokens(bytes, s, own, call + 2, comma ? comma : end - 1, given);
    if (comma) base_text_put(bytes, ") * (");
    if (comma) put_tokens(bytes, s, own, comma + 1, end - 1, given);
    base_text_put(bytes, ")");
}

void cc_put_given(struct base_text *out, const struct cc_source *s, const struct cc_name *own, uint32_t from,
                  uint32_t to, const struct cc_given *given) {
    put_tokens(out, s, own, from, to, given);
}

struct cc_allocation cc_allocation_given(const struct cc_source *s, const struct cc_name *name, uint32_t call,
                                         uint32_t end, const struct cc_given *given) {
    struct base_text bytes, shift;
    struct cc_allocation out = {0};
    base_text_init(&bytes, s->cx);
    base_text_init(&shift, s->cx);
    put_allocation(&bytes, &shift, s, name, call, end, given, &out.clears);
    out.bytes = bytes.data;
    out.shift = shift.size ? shift.data : "";
    return out;
}

struct cc_allocation cc_allocation_of(const struct cc_source *s, const struct cc_name *name, uint32_t call,
                                      uint32_t end) {
    return cc_allocation_given(s, name, call, end, NULL);
}

// ---- frees ----------------------------------------------------------------------------------------------------------

// free(p), or a function that does nothing but that with its first parameter.
bool cc_is_free(const struct cc_source *s, uint32_t at) {
    const struct cc_function *f = cc_called(s, at);
    if (!f) return is_text(s, at, "free") && cc_kind(s, at + 1) == FRONT_P_LPAREN;
    const struct cc_node *n = f->body && f->body->kind == CC_BLOCK ? f->body->child : NULL;
    struct cc_derivation part;
    const struct cc_name *param = cc_param_at(s, f, 0, &part);
    if (!n || n->next || !param || n->kind != CC_SIMPLE || !is_text(s, n->from, "free") || cc_called(s, n->from))
        return false;
    uint32_t end = cc_skip_group(s, n->from + 1), names = 0;
    for (uint32_t k = n->from + 2; k < end - 1; k++) {
        names += s->tokens[k].text == param->text;
        bool calls = cc_kind(s, k) == FRONT_TOK_IDENT && cc_kind(s, k + 1) == FRONT_P_LPAREN;
        if (cc_is_step(cc_kind(s, k)) || cc_is_assignment(cc_kind(s, k)) || calls) return false;
    }
    return end + 1 == n->to && names == 1;
}
