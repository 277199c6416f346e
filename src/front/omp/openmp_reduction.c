// `declare reduction(name : types : combiner) initializer(...)` (OpenMP 5.0, section 2.19.5.7). For each type the
// combiner becomes a function of the unit, `T name(T omp_out, T omp_in)` that returns what is then in omp_out, and the
// initializer `T name(T omp_orig)`, which returns omp_priv. So all that is done with functions - types, doubles,
// names - is done with them, too.
#include <string.h>

#include "front/omp/openmp.h"

// Names are compared by their addresses: this one as the directive has it, if it does.
static const char *spelled_here(const struct front_parser *p, const char *name) {
    for (uint32_t at = p->at; p->tokens[at].kind != FRONT_TOK_PRAGMA_END; at++)
        if (strcmp(p->tokens[at].text, name) == 0) return p->tokens[at].text;
    return name;
}

static struct front_symbol *value_symbol(struct front_parser *p, enum front_symbol_kind kind, const char *name,
                                         struct front_type *type, uint32_t token) {
    struct front_symbol *s = front_new_symbol(p, kind, spelled_here(p, name), type, token);
    front_bind(p, s);
    return s;
}

// A function of `count` values of the type, without a body yet; its scope is open.
static struct front_function *begin_function(struct front_parser *p, const char *name, struct front_type *type,
                                             const char *const *params, uint32_t count, uint32_t token) {
    struct front_type *of = base_alloc(p->cx, sizeof *of);
    *of = (struct front_type){.kind = FRONT_FUNCTION, .base = type, .param_count = count, .depth = type->depth + 1};
    of->params = base_alloc_array(p->cx, count + 1, sizeof(struct front_type *));
    struct front_function *f = base_alloc(p->cx, sizeof *f);
    bool is_word = *name == '_' || ((*name | 32) >= 'a' && (*name | 32) <= 'z');
    const char *full = base_format(p->cx, "%s.reduction", is_word ? name : "operator"); // the program has no such name
    f->symbol = front_new_symbol(p, FRONT_SYM_FUNCTION, full, of, token);
    f->symbol->function = f;
    f->symbol->is_static = f->symbol->used = true;
    f->loc = f->symbol->loc;
    f->params = base_alloc_array(p->cx, count + 1, sizeof(struct front_symbol *));
    f->param_count = count;
    BASE_RESERVE(p->cx, p->ast->functions, p->ast->function_count, p->ast->function_cap);
    p->ast->functions[p->ast->function_count++] = f;
    front_open_scope(p);
    for (uint32_t i = 0; i < count; i++) {
        of->params[i] = type;
        f->params[i] = value_symbol(p, FRONT_SYM_PARAM, params[i], type, token);
    }
    return f;
}

// `own`: symbols from here on are the combiner's or initializer's.
struct outside {
    struct front_parser *p;
    uint32_t own;
};
static void check_outside(void *user, struct front_node **place) {
    const struct outside *q = user;
    const struct front_node *n = *place;
    bool is_local = n->kind == FRONT_VAR && (n->symbol->kind == FRONT_SYM_LOCAL || n->symbol->kind == FRONT_SYM_PARAM);
    if (is_local && n->symbol->id < q->own)
        base_error(q->p->cx, n->loc,
                   "'declare reduction' cannot use '%s', a variable of the function: it has omp_out, omp_in, omp_priv "
                   "and omp_orig",
                   n->symbol->name);
}

static struct front_node *statement(struct front_parser *p, enum front_node_kind kind, struct front_node *a,
                                    struct front_node *next) {
    struct front_node *n = front_node(p, kind, a->token);
    n->a = a;
    n->next = next;
    front_set_height(p, n);
    return n;
}

// { statements; return result; }
static void end_function(struct front_parser *p, struct front_function *f, struct front_node *first,
                         struct front_symbol *result, uint32_t token) {
    struct front_node *value = front_expr(p, FRONT_VAR, token, result->type, NULL, NULL);
    value->symbol = result;
    value->flags |= FRONT_FLAG_LVALUE;
    result->used = true;
    struct front_node *last = statement(p, FRONT_RETURN, value, NULL);
    struct front_node **tail = &first;
    while (*tail)
        tail = &(*tail)->next;
    *tail = last;
    f->body = statement(p, FRONT_BLOCK, first, NULL);
    struct outside q = {p, f->symbol->id};
    front_walk(&f->body, check_outside, &q);
    front_close_scope(p);
}

static struct front_function *parse_combiner(struct front_parser *p, const char *name, struct front_type *type) {
    static const char *const params[] = {"omp_out", "omp_in"};
    uint32_t token = p->at;
    struct front_function *f = begin_function(p, name, type, params, 2, token), *around = p->function;
    p->function = f;
    struct front_node *combiner = statement(p, FRONT_EXPR, front_parse_expr(p), NULL);
    end_function(p, f, combiner, f->params[0], token);
    p->function = around;
    return f;
}

// initializer(omp_priv = value), or a call that sets it.
static struct front_function *parse_initializer(struct front_parser *p, const char *name, struct front_type *type) {
    static const char *const params[] = {"omp_orig"};
    uint32_t token = p->at;
    struct front_function *f = begin_function(p, name, type, params, 1, token), *around = p->function;
    struct front_symbol *private = value_symbol(p, FRONT_SYM_LOCAL, "omp_priv", type, token);
    struct front_node *declared = front_node(p, FRONT_DECL, token);
    declared->symbol = private;
    p->function = f;
    if (strcmp(front_peek(p)->text, "omp_priv") == 0 && front_peek_at(p, 1)->kind == FRONT_P_ASSIGN) {
        struct front_inits *inits = base_alloc(p->cx, sizeof *inits);
        front_next(p);
        front_next(p);
        declared->a = front_parse_initializer(p, &type, inits);
        private->has_init = true;
        if (!declared->a) {
            declared->inits = inits;
            declared->flags = FRONT_FLAG_HAS_INITS;
        }
    } else {
        struct front_node *call = front_parse_expr(p);
        if (!front_is_error(call) && call->kind != FRONT_CALL)
            base_error(p->cx, call->loc, "an initializer is 'omp_priv = value', or the call of a function");
        declared->next = statement(p, FRONT_EXPR, call, NULL);
    }
    front_set_height(p, declared);
    end_function(p, f, declared, private, token);
    p->function = around;
    return f;
}

static struct front_type *parse_reduced_type(struct front_parser *p) {
    base_loc loc = front_here(p);
    struct front_type *type = front_parse_type_name(p);
    if (type != p->error_type && !front_is_arithmetic(type) && type->kind != FRONT_STRUCT)
        base_error(p->cx, loc, "'declare reduction' is for numbers and structs, not for '%s'",
                   front_type_name(p->cx, type));
    else if (type->kind == FRONT_STRUCT && !type->record->complete)
        base_fatal(p->cx, loc, "'%s' is not complete here", front_type_name(p->cx, type));
    return type;
}

// Those that a clause knows, for types that they do not know.
static bool is_operator(enum front_token_kind kind) {
    return kind == FRONT_P_PLUS || kind == FRONT_P_MINUS || kind == FRONT_P_STAR || kind == FRONT_P_AMP ||
           kind == FRONT_P_PIPE || kind == FRONT_P_CARET || kind == FRONT_P_ANDAND || kind == FRONT_P_OROR;
}

bool front_parse_declared_reduction(struct front_parser *p) {
    enum { MOST_TYPES = 16 };
    struct front_type *types[MOST_TYPES];
    uint32_t count = 0;
    if (strcmp(front_peek(p)->text, "declare") != 0 || strcmp(front_peek_at(p, 1)->text, "reduction") != 0)
        return false;
    front_next(p);
    front_next(p);
    front_expect(p, FRONT_P_LPAREN, "'declare reduction'");
    if (!front_is(p, FRONT_TOK_IDENT) && !is_operator(front_peek(p)->kind))
        front_syntax_error(p, "the name of a reduction");
    base_loc loc = front_here(p);
    const char *name = p->tokens[front_next(p)].text;
    front_expect(p, FRONT_P_COLON, "the name of a reduction");
    do {
        if (count == MOST_TYPES)
            base_unsupported(p->cx, front_here(p), "'declare reduction' of more than %d types", MOST_TYPES);
        types[count++] = parse_reduced_type(p);
    } while (front_accept(p, FRONT_P_COMMA));
    front_expect(p, FRONT_P_COLON, "the types of a reduction");
    uint32_t combiner = p->at, first = p->declared_count, initializer = 0;
    for (uint32_t i = 0; i < count; i++) {
        p->at = combiner;
        const struct front_declared_reduction *old = front_find_reduction(p, name, types[i]);
        if (old && old->scope == p->scope) {
            base_error(p->cx, loc, "redeclaration of reduction '%s' for type '%s'", name,
                       front_type_name(p->cx, types[i]));
            base_note(p->cx, old->loc, "the first one is here");
        }
        struct front_function *combine = parse_combiner(p, name, types[i]);
        BASE_RESERVE(p->cx, p->declared, p->declared_count, p->declared_cap);
        p->declared[p->declared_count++] =
            (struct front_declared_reduction){name, types[i], combine, NULL, p->scope, loc};
    }
    front_expect(p, FRONT_P_RPAREN, "the combiner");
    front_accept(p, FRONT_P_COMMA);
    if (strcmp(front_peek(p)->text, "initializer") == 0) {
        front_next(p);
        front_expect(p, FRONT_P_LPAREN, "'initializer'");
        initializer = p->at;
        for (uint32_t i = 0; i < count; i++) {
            p->at = initializer;
            p->declared[first + i].begin = parse_initializer(p, name, types[i]);
        }
        front_expect(p, FRONT_P_RPAREN, "the initializer");
    }
    front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
    return true;
}

const struct front_declared_reduction *front_find_reduction(const struct front_parser *p, const char *name,
                                                            const struct front_type *type) {
    for (uint32_t i = p->declared_count; i-- > 0;)
        if (strcmp(p->declared[i].name, name) == 0 && (!type || front_type_same(p->declared[i].type, type)))
            return &p->declared[i];
    return NULL;
}
