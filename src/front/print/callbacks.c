// Pointers to functions whose callee is in the text: a parameter that every call gives the name of a function, and a
// local variable that is one from its declaration on. The function that takes such a parameter is written once for each
// function that it is given, without the parameter:
//
//     double sum(double (*f)(double), int n) { ... f(x) ... }   |  double sum__sin(int n) { ... sin(x) ... }
//     ... sum(sin, n), sum(&cube, n)                            |  ... sum__sin(n), sum__cube(n)
//
// This works on the tokens that the entry needs, so that the parser, and the C compiler for the CPU, see a program
// without pointers. A copy stands in front of the function that calls it first. Where anything is not of this form
// nothing is changed, and the parser says what is not supported.
#include "front/print/callbacks.h"

#include <string.h>

enum { MOST_PARAMS = 24, MOST_BOUND = 16, MOST_COPIES = 200, MOST_DEPTH = 32 };

struct range {
    uint32_t from, to;
};
struct function {
    uint32_t item, name, open, body, end; // tokens; the item's first, `(`, `{`, behind `}`
    struct range params[MOST_PARAMS];
    const char *pointers[MOST_PARAMS]; // the name of a parameter that is a pointer to a function; NULL: another one
    uint32_t param_count;
    bool takes; // there is one
};
// What a name stands for, up to a token.
struct bound {
    const char *name, *callee;
    uint32_t until;
};
struct copy {
    const struct function *of;
    const char *callees[MOST_PARAMS], *name;
};
struct callbacks {
    struct base_cx *cx;
    struct front_names *names;
    const struct front_token *tokens;
    uint32_t count;
    struct function *functions;
    uint32_t function_count, function_cap;
    const char **types; // of `typedef double (*name)(double);`
    uint32_t type_count, type_cap;
    struct front_token *out;
    uint32_t out_count, out_cap;
    struct copy copies[MOST_COPIES];
    uint32_t copy_count, depth;
    uint32_t at; // the function at hand
    bool found, failed;
};
struct body {
    struct bound bound[MOST_BOUND];
    uint32_t bound_count;
};

static enum front_token_kind kind_at(const struct callbacks *c, uint32_t at) {
    return at < c->count ? c->tokens[at].kind : FRONT_TOK_END;
}

// Behind the partner of an opening bracket.
static uint32_t skip(const struct callbacks *c, uint32_t at) {
    uint32_t depth = 0;
    for (; at < c->count; at++) {
        enum front_token_kind kind = kind_at(c, at);
        depth += kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACE || kind == FRONT_P_LBRACKET;
        if (kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACE || kind == FRONT_P_RBRACKET)
            if (--depth == 0) return at + 1;
    }
    return at;
}

// ---- what there is --------------------------------------------------------------------------------------------------

// `( * name ) (`: the name; 0: another token begins here.
static uint32_t pointer_at(const struct callbacks *c, uint32_t at) {
    uint32_t name = at + 2 + (kind_at(c, at + 2) == FRONT_KW_CONST);
    bool is = kind_at(c, at) == FRONT_P_LPAREN && kind_at(c, at + 1) == FRONT_P_STAR &&
              kind_at(c, name) == FRONT_TOK_IDENT && kind_at(c, name + 1) == FRONT_P_RPAREN &&
              kind_at(c, name + 2) == FRONT_P_LPAREN;
    return is ? name : 0;
}

static bool is_type(const struct callbacks *c, uint32_t at) {
    for (uint32_t i = 0; i < c->type_count; i++)
        if (c->types[i] == c->tokens[at].text) return true;
    return false;
}

// The name that a parameter, or a declaration up to its `=`, gives to a pointer to a function; 0: it is another one.
static uint32_t declared_pointer(const struct callbacks *c, struct range r) {
    uint32_t at = r.from;
    while (at < r.to && (kind_at(c, at) == FRONT_KW_CONST || kind_at(c, at) == FRONT_KW_REGISTER))
        at++;
    if (at < r.to && is_type(c, at)) {
        at += 1 + (kind_at(c, at + 1) == FRONT_KW_CONST);
        return at + 1 == r.to && kind_at(c, at) == FRONT_TOK_IDENT ? at : 0;
    }
    for (; at < r.to; at++) {
        uint32_t name = pointer_at(c, at);
        if (name) return skip(c, name + 2) == r.to ? name : 0;
        bool is_function = kind_at(c, at) == FRONT_TOK_IDENT && kind_at(c, at + 1) == FRONT_P_LPAREN;
        if (is_function && skip(c, at + 1) == r.to) return at; // `double f(double)`
        if (kind_at(c, at) == FRONT_P_LPAREN) return 0;
    }
    return 0;
}

// What stands between the commas of a list in parentheses.
static uint32_t split(const struct callbacks *c, uint32_t open, struct range out[MOST_PARAMS]) {
    uint32_t count = 0, from = open + 1, end = skip(c, open) - 1;
    for (uint32_t at = from; at <= end && count < MOST_PARAMS; at++) {
        enum front_token_kind kind = kind_at(c, at);
        if (at < end && (kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET || kind == FRONT_P_LBRACE))
            at = skip(c, at) - 1;
        else if (at == end || kind == FRONT_P_COMMA) {
            if (at > from) out[count++] = (struct range){from, at};
            from = at + 1;
        }
    }
    return count;
}

static void note_function(struct callbacks *c, uint32_t item, uint32_t name, uint32_t body) {
    BASE_RESERVE(c->cx, c->functions, c->function_count, c->function_cap);
    struct function *f = &c->functions[c->function_count++];
    *f = (struct function){.item = item, .name = name, .open = name + 1, .body = body, .end = skip(c, body)};
    f->param_count = split(c, f->open, f->params);
    for (uint32_t i = 0; i < f->param_count; i++) {
        uint32_t pointer = declared_pointer(c, f->params[i]);
        if (pointer) f->pointers[i] = c->tokens[pointer].text;
        f->takes |= pointer != 0;
    }
    f->takes = f->takes && f->param_count < MOST_PARAMS; // else there may be more
    c->found |= f->takes;
}

// Types and functions at file scope.
static void find_items(struct callbacks *c) {
    for (uint32_t at = 0, item = 0, name = 0; at < c->count; at++) {
        enum front_token_kind kind = kind_at(c, at);
        if (kind == FRONT_P_SEMI || kind == FRONT_TOK_PRAGMA_END || kind == FRONT_TOK_PRAGMA_OTHER) {
            item = at + 1, name = 0;
        } else if (kind == FRONT_KW_TYPEDEF && at == item) {
            uint32_t end = at, pointer = 0;
            for (; end < c->count && kind_at(c, end) != FRONT_P_SEMI; end++) {
                if (kind_at(c, end) == FRONT_P_LBRACE) end = skip(c, end) - 1;
                if (!pointer) pointer = pointer_at(c, end);
            }
            if (!pointer || skip(c, pointer + 2) != end) continue;
            BASE_RESERVE(c->cx, c->types, c->type_count, c->type_cap);
            c->types[c->type_count++] = c->tokens[pointer].text;
            c->found = true;
        } else if (kind == FRONT_TOK_IDENT && !name && kind_at(c, at + 1) == FRONT_P_LPAREN) {
            name = at;
            at = skip(c, at + 1) - 1;
        } else if (kind == FRONT_P_LBRACE) {
            if (name) note_function(c, item, name, at);
            at = skip(c, at) - 1;
            if (name) item = at + 1, name = 0;
        }
    }
}

// A name that is declared as a function: of the file, or of the library.
static bool is_function(const struct callbacks *c, const char *name) {
    for (uint32_t i = 0; i < c->function_count; i++)
        if (c->tokens[c->functions[i].name].text == name) return !c->functions[i].takes;
    for (uint32_t at = 0; at < c->count; at++)
        if (c->tokens[at].text == name && c->tokens[at].flags & FRONT_TOKEN_BUILTIN &&
            kind_at(c, at + 1) == FRONT_P_LPAREN)
            return true;
    return false;
}

static const struct function *taker_at(const struct callbacks *c, uint32_t at) {
    for (uint32_t i = 0; i < c->function_count && kind_at(c, at + 1) == FRONT_P_LPAREN; i++)
        if (c->functions[i].takes && c->tokens[c->functions[i].name].text == c->tokens[at].text)
            return &c->functions[i];
    return NULL;
}

// ---- writing --------------------------------------------------------------------------------------------------------

static void put(struct callbacks *c, struct front_token token) {
    BASE_RESERVE(c->cx, c->out, c->out_count, c->out_cap);
    c->out[c->out_count++] = token;
}

static void put_name(struct callbacks *c, uint32_t at, const char *name) {
    struct front_token token = c->tokens[at];
    token.kind = FRONT_TOK_IDENT;
    token.text = name;
    token.len = (uint32_t)strlen(name);
    token.flags |= FRONT_TOKEN_SPACE;
    put(c, token);
}

// The innermost one.
static const char *bound_to(const struct body *b, const char *name) {
    for (uint32_t i = b->bound_count; i > 0; i--)
        if (b->bound[i - 1].name == name) return b->bound[i - 1].callee;
    return NULL;
}

static void leave_blocks(struct body *b, uint32_t at) {
    while (b->bound_count && b->bound[b->bound_count - 1].until <= at)
        b->bound_count--;
}

// The `}` of the block around a token.
static uint32_t block_end(const struct callbacks *c, uint32_t at) {
    while (at < c->count && kind_at(c, at) != FRONT_P_RBRACE)
        at = kind_at(c, at) == FRONT_P_LBRACE ? skip(c, at) : at + 1;
    return at;
}

// `name`, `&name`, or a pointer that is known: the function; NULL: something else.
static const char *callee_of(const struct callbacks *c, const struct body *b, struct range r) {
    uint32_t at = r.from + (kind_at(c, r.from) == FRONT_P_AMP);
    if (at + 1 != r.to || kind_at(c, at) != FRONT_TOK_IDENT) return NULL;
    const char *name = c->tokens[at].text, *callee = bound_to(b, name);
    return callee ? callee : is_function(c, name) ? name : NULL;
}

// In its body the name means something else, or it has variables that all calls share.
static bool is_hidden(const struct callbacks *c, const struct function *f, const struct body *b, const char *callee) {
    for (uint32_t at = f->open; at < f->end; at++) {
        enum front_token_kind before = kind_at(c, at - 1), kind = kind_at(c, at);
        if (kind == FRONT_KW_STATIC && at > f->body) return true;
        if (c->tokens[at].text != callee || bound_to(b, callee) || before == FRONT_P_DOT || before == FRONT_P_ARROW ||
            before == FRONT_P_ASSIGN)
            continue;
        if (kind_at(c, at + 1) != FRONT_P_LPAREN && kind_at(c, at + 1) != FRONT_P_COMMA &&
            kind_at(c, at + 1) != FRONT_P_RPAREN)
            return true;
        if (at < f->body) return true; // a parameter
    }
    return false;
}

static void rewrite(struct callbacks *c, struct range r, struct body *b);
static void put_copies_for(struct callbacks *c, struct range r, const struct body *b);

static void bind_params(struct callbacks *c, const struct copy *copy, struct body *b) {
    const struct function *f = copy->of;
    for (uint32_t i = 0; i < f->param_count && !c->failed; i++) {
        if (!f->pointers[i]) continue;
        c->failed |= b->bound_count == MOST_BOUND;
        if (!c->failed) b->bound[b->bound_count++] = (struct bound){f->pointers[i], copy->callees[i], UINT32_MAX};
    }
    for (uint32_t i = 0; i < b->bound_count; i++)
        c->failed |= is_hidden(c, f, b, b->bound[i].callee);
}

// Up to the end of its parameters.
static void put_head(struct callbacks *c, const struct copy *copy, struct body *b) {
    const struct function *f = copy->of;
    uint32_t left = 0;
    rewrite(c, (struct range){f->item, f->name}, b);
    put_name(c, f->name, copy->name);
    put(c, c->tokens[f->open]);
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (f->pointers[i]) continue;
        if (left++) put(c, c->tokens[f->params[i].from - 1]);
        rewrite(c, f->params[i], b);
    }
    put(c, c->tokens[skip(c, f->open) - 1]);
}

static void put_copy(struct callbacks *c, const struct copy *copy) {
    struct body b = {.bound_count = 0};
    struct range body = {copy->of->body, copy->of->end};
    bind_params(c, copy, &b);
    put_copies_for(c, body, &b);
    put_head(c, copy, &b);
    rewrite(c, body, &b);
}

// In front of its caller, where the function itself comes later.
static void put_prototype(struct callbacks *c, const struct copy *copy) {
    struct body b = {.bound_count = 0};
    struct front_token end = c->tokens[copy->of->open];
    bind_params(c, copy, &b);
    put_head(c, copy, &b);
    end.kind = FRONT_P_SEMI;
    end.text = front_intern(c->names, ";", 1);
    end.len = 1;
    put(c, end);
}

static bool is_taken(const struct callbacks *c, const char *name) {
    for (uint32_t i = 0; i < c->copy_count; i++)
        if (c->copies[i].name == name) return true;
    for (uint32_t at = 0; at < c->count; at++)
        if (c->tokens[at].text == name) return true;
    return false;
}

// The copy for the functions that a call gives; NULL: they are not known.
static const struct copy *copy_for(struct callbacks *c, const struct function *f, uint32_t open, const struct body *b,
                                   bool *out_is_new) {
    struct range args[MOST_PARAMS];
    struct copy want = {.of = f};
    const char *name = c->tokens[f->name].text;
    if (split(c, open, args) != f->param_count) return NULL;
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (!f->pointers[i]) continue;
        want.callees[i] = callee_of(c, b, args[i]);
        if (!want.callees[i]) return NULL;
        name = base_format(c->cx, "%s__%s", name, want.callees[i]);
    }
    *out_is_new = false;
    for (uint32_t i = 0; i < c->copy_count; i++)
        if (c->copies[i].of == f && memcmp(c->copies[i].callees, want.callees, sizeof want.callees) == 0)
            return &c->copies[i];
    if (c->copy_count == MOST_COPIES) return NULL;
    want.name = front_intern(c->names, name, strlen(name));
    while (is_taken(c, want.name)) {
        name = base_format(c->cx, "%s_", name);
        want.name = front_intern(c->names, name, strlen(name));
    }
    *out_is_new = true;
    c->copies[c->copy_count] = want;
    return &c->copies[c->copy_count++];
}

// `double (*g)(double) = half;`, `fn g = half;` at the beginning of a statement, where nothing else sets it: behind
// it, and *out; else `at`.
static uint32_t skip_alias(const struct callbacks *c, struct range r, uint32_t at, const struct body *b,
                           struct bound *out) {
    uint32_t end = at, name;
    enum front_token_kind before = kind_at(c, at - 1);
    bool begins = before == FRONT_P_SEMI || before == FRONT_P_LBRACE || before == FRONT_P_RBRACE;
    while (begins && end < r.to && kind_at(c, end) != FRONT_P_ASSIGN && kind_at(c, end) != FRONT_P_SEMI &&
           kind_at(c, end) != FRONT_P_LBRACE)
        end = kind_at(c, end) == FRONT_P_LPAREN ? skip(c, end) : end + 1;
    if (!begins || kind_at(c, end) != FRONT_P_ASSIGN || !(name = declared_pointer(c, (struct range){at, end})))
        return at;
    uint32_t value = end + 1, behind = value + 1 + (kind_at(c, value) == FRONT_P_AMP);
    const char *callee = callee_of(c, b, (struct range){value, behind}), *text = c->tokens[name].text;
    if (!callee || kind_at(c, behind) != FRONT_P_SEMI) return at;
    for (uint32_t k = r.from; k < r.to; k++)
        if (k != name && c->tokens[k].text == text && kind_at(c, k + 1) == FRONT_P_ASSIGN) return at;
    *out = (struct bound){text, callee, block_end(c, behind)};
    return behind + 1;
}

// Copies that the range calls, before it.
static void put_copies_for(struct callbacks *c, struct range r, const struct body *b) {
    struct body inner = *b;
    if (++c->depth > MOST_DEPTH) c->failed = true;
    for (uint32_t at = r.from; at < r.to && !c->failed; at++) {
        struct bound alias;
        leave_blocks(&inner, at);
        uint32_t behind = skip_alias(c, r, at, &inner, &alias);
        if (behind > at && inner.bound_count < MOST_BOUND) inner.bound[inner.bound_count++] = alias;
        const struct function *f = taker_at(c, at);
        bool is_new = false;
        const struct copy *copy = f ? copy_for(c, f, at + 1, &inner, &is_new) : NULL;
        c->failed |= f && !copy;
        if (!c->failed && is_new) (f->item < c->at ? put_copy : put_prototype)(c, copy);
    }
    c->depth--;
}

static uint32_t rewrite_call(struct callbacks *c, const struct function *f, uint32_t at, struct body *b) {
    struct range args[MOST_PARAMS];
    bool is_new, first = true;
    const struct copy *copy = copy_for(c, f, at + 1, b, &is_new);
    uint32_t count = split(c, at + 1, args), end = skip(c, at + 1);
    c->failed |= !copy || is_new;
    if (c->failed) return end;
    put_name(c, at, copy->name);
    put(c, c->tokens[at + 1]);
    for (uint32_t i = 0; i < count; i++) {
        if (f->pointers[i]) continue;
        if (!first) put(c, c->tokens[args[i].from - 1]);
        rewrite(c, args[i], b);
        first = false;
    }
    put(c, c->tokens[end - 1]);
    return end;
}

static void rewrite(struct callbacks *c, struct range r, struct body *b) {
    for (uint32_t at = r.from; at < r.to && !c->failed;) {
        struct bound alias;
        leave_blocks(b, at);
        uint32_t pointer = pointer_at(c, at), behind = skip_alias(c, r, at, b, &alias);
        const struct function *f = taker_at(c, at);
        const char *callee = kind_at(c, at) == FRONT_TOK_IDENT ? bound_to(b, c->tokens[at].text) : NULL;
        enum front_token_kind before = at ? kind_at(c, at - 1) : FRONT_TOK_END;
        if (before == FRONT_P_DOT || before == FRONT_P_ARROW) callee = NULL;
        if (behind > at) {
            c->failed |= b->bound_count == MOST_BOUND;
            if (!c->failed) b->bound[b->bound_count++] = alias;
            at = behind;
        } else if (pointer && bound_to(b, c->tokens[pointer].text)) { // (*f)(x)
            put_name(c, pointer, bound_to(b, c->tokens[pointer].text));
            at = pointer + 2;
        } else if (f) {
            at = rewrite_call(c, f, at, b);
        } else if (callee) {
            c->failed |= kind_at(c, at + 1) != FRONT_P_LPAREN;
            put_name(c, at++, callee);
        } else {
            put(c, c->tokens[at++]);
        }
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

// A type of pointers, or a prototype of a function that takes some: nobody names these any more.
static uint32_t skip_dropped(const struct callbacks *c, uint32_t at) {
    uint32_t end = at, pointer = 0, taker = 0;
    enum front_token_kind before = at ? kind_at(c, at - 1) : FRONT_P_SEMI;
    if (before != FRONT_P_SEMI && before != FRONT_P_RBRACE && before != FRONT_TOK_PRAGMA_END &&
        before != FRONT_TOK_PRAGMA_OTHER)
        return at;
    for (; end < c->count && kind_at(c, end) != FRONT_P_SEMI && kind_at(c, end) != FRONT_P_LBRACE; end++) {
        if (!pointer) pointer = pointer_at(c, end);
        if (!taker && taker_at(c, end)) taker = end;
        if (kind_at(c, end) == FRONT_P_LPAREN) end = skip(c, end) - 1;
    }
    bool is_type = kind_at(c, at) == FRONT_KW_TYPEDEF && pointer && skip(c, pointer + 2) == end;
    bool is_prototype = taker && skip(c, taker + 1) == end;
    return kind_at(c, end) == FRONT_P_SEMI && (is_type || is_prototype) ? end + 1 : at;
}

static void put_function(struct callbacks *c, const struct function *f) {
    struct body none = {.bound_count = 0};
    if (!f->takes) put_copies_for(c, (struct range){f->body, f->end}, &none);
    if (!f->takes) rewrite(c, (struct range){f->item, f->end}, &none);
    for (uint32_t i = 0; i < c->copy_count && f->takes && !c->failed; i++) // that have their prototypes
        if (c->copies[i].of == f) put_copy(c, &c->copies[i]);
}

static void rewrite_file(struct callbacks *c) {
    uint32_t next = 0;
    for (uint32_t at = 0; at < c->count && !c->failed;) {
        const struct function *f = next < c->function_count ? &c->functions[next] : NULL;
        if (f && at == f->item) {
            c->at = f->item;
            put_function(c, f);
            at = f->end;
            next++;
            continue;
        }
        uint32_t behind = skip_dropped(c, at);
        if (behind == at) put(c, c->tokens[at++]);
        at = behind > at ? behind : at;
    }
}

void front_callbacks(struct base_cx *cx, struct front_outline *io, struct front_names *names) {
    struct callbacks *c = base_alloc(cx, sizeof *c);
    *c = (struct callbacks){.cx = cx, .names = names, .tokens = io->tokens, .count = io->count};
    if (!io->entry) return;
    find_items(c);
    for (uint32_t at = 0; at < c->count && !c->found; at++)
        c->found = pointer_at(c, at) && !(c->tokens[at].flags & FRONT_TOKEN_BUILTIN);
    for (uint32_t i = 0; i < c->function_count && c->found; i++)
        c->failed |= c->functions[i].takes && c->tokens[c->functions[i].name].text == io->entry;
    if (!c->found || c->failed) return;
    rewrite_file(c);
    for (uint32_t at = 0; at < c->out_count; at++)
        for (uint32_t i = 0; i < c->type_count; i++)
            c->failed |= c->out[at].text == c->types[i];
    if (c->failed) return;
    io->tokens = c->out;
    io->count = c->out_count;
}
