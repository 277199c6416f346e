// The grammar of expressions: recursive descent, binary operators by precedence. What they end in is
// parse_primary.c's, types are build_expr.c's and build_ops.c's.
#include <string.h>

#include "front/parse/parse.h"

static struct front_node *parse_cast(struct front_parser *p);

// ---- calls ----------------------------------------------------------------------------------------------------------

static struct front_node *parse_args(struct front_parser *p, uint32_t *out_count) {
    struct front_node *first = NULL, **tail = &first;
    *out_count = 0;
    front_next(p);
    if (!front_is(p, FRONT_P_RPAREN)) do {
            struct front_node *arg = front_parse_assign(p);
            *tail = arg;
            tail = &arg->next;
            ++*out_count;
        } while (front_accept(p, FRONT_P_COMMA));
    if (!front_is(p, FRONT_P_RPAREN)) front_expect(p, FRONT_P_RPAREN, "the arguments");
    return first;
}

static void wrong_count(struct front_parser *p, const struct front_symbol *f, uint32_t want, uint32_t have,
                        base_loc loc, bool variadic) {
    base_error(p->cx, loc, "too %s arguments to function call, expected %s%u, have %u", have < want ? "few" : "many",
               variadic ? "at least " : "", want, have);
    base_note(p->cx, f->loc, "'%s' declared here", f->name);
}

// An argument without a parameter's type: float is promoted to double, small integers to int.
static struct front_node *promote_variadic(struct front_parser *p, struct front_node *arg) {
    arg = front_promote(p, front_value(p, arg));
    if (!front_is_error(arg) && front_is_float(arg->type)) arg = front_convert(p, arg, front_basic_type(FRONT_F64));
    return arg;
}

// Asked before the arguments are looked at: the name of a function there is an error of its own, with another remedy.
static void refuse_comparing(struct front_parser *p, const struct front_node *callee) {
    if (front_is_error(callee) || callee->kind != FRONT_VAR || !callee->symbol->builtin) return;
    const char *name = callee->symbol->name;
    if (strcmp(name, "qsort") == 0 || strcmp(name, "bsearch") == 0)
        base_unsupported(p->cx, callee->loc,
                         "'%s' is not supported, as it calls a function by its address: write it as loops of this "
                         "program",
                         name);
}

static struct front_node *parse_call(struct front_parser *p, struct front_node *callee) {
    uint32_t token = p->at, count = 0, i = 0;
    refuse_comparing(p, callee);
    struct front_node *args = parse_args(p, &count);
    base_loc close = front_here(p);
    front_next(p);
    if (front_is_error(callee)) return front_error_node(p, token);
    if (callee->kind != FRONT_VAR || callee->type->kind != FRONT_FUNCTION) {
        if (callee->type->kind == FRONT_POINTER && callee->type->base->kind == FRONT_VOID)
            base_unsupported(p->cx, callee->loc,
                             "calls through function pointers are not supported: choose with if or switch");
        base_error(p->cx, callee->loc, "called object type '%s' is not a function",
                   front_type_name(p->cx, callee->type));
        return front_error_node(p, token);
    }
    struct front_symbol *f = front_complex_function(p, callee->symbol, callee->token);
    const struct front_type *type = f->type;
    f->used = true;
    bool fixed = !type->variadic && !type->no_prototype;
    if (count < type->param_count || (fixed && count > type->param_count)) {
        base_loc loc = close;
        if (count > type->param_count) {
            const struct front_node *extra = args;
            for (uint32_t k = 0; k < type->param_count; k++)
                extra = extra->next;
            loc = extra->loc;
        }
        wrong_count(p, f, type->param_count, count, loc, type->variadic);
        return front_error_node(p, token);
    }
    struct front_node *call = front_node(p, FRONT_CALL, callee->token);
    struct front_node **tail = &call->a;
    bool bad = false;
    for (struct front_node *arg = args, *next; arg; arg = next, i++) {
        next = arg->next;
        arg->next = NULL;
        if (i < type->param_count)
            arg = front_convert_assign(p, arg, type->params[i], FRONT_PASSING);
        else
            arg = promote_variadic(p, arg);
        bad = bad || front_is_error(arg);
        *tail = arg;
        tail = &arg->next;
    }
    if (bad) return front_error_node(p, token);
    call->symbol = f;
    call->type = front_unqualified(p, type->base);
    front_set_height(p, call);
    return call;
}

// ---- postfix, unary, cast -------------------------------------------------------------------------------------------

static struct front_node *parse_postfix_ops(struct front_parser *p, struct front_node *n) {
    for (;;) {
        uint32_t token = p->at;
        switch (front_peek(p)->kind) {
        case FRONT_P_LBRACKET: {
            front_next(p);
            struct front_node *index = front_parse_expr(p);
            front_expect(p, FRONT_P_RBRACKET, "the subscript");
            n = front_build_index(p, n, index, token);
            break;
        }
        case FRONT_P_LPAREN: n = parse_call(p, n); break;
        case FRONT_P_DOT:
        case FRONT_P_ARROW: {
            front_next(p);
            if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of a member");
            uint32_t name = front_next(p);
            n = front_build_member(p, n, p->tokens[name].text, name, token, p->tokens[token].kind == FRONT_P_ARROW);
            break;
        }
        case FRONT_P_INC:
        case FRONT_P_DEC:
            front_next(p);
            n = front_build_step(p, p->tokens[token].kind == FRONT_P_INC ? FRONT_OP_ADD : FRONT_OP_SUB, n, token, true);
            break;
        default: return n;
        }
    }
}

static struct front_node *parse_compound(struct front_parser *p, struct front_type *type, uint32_t token) {
    struct front_node *n = front_expr(p, FRONT_COMPOUND, token, type, NULL, NULL);
    struct front_inits *inits = base_alloc(p->cx, sizeof *inits);
    if (front_is_variable(type))
        base_error(p->cx, p->tokens[token].loc, "compound literal of a type with a length that is not constant");
    struct front_node *value = front_parse_initializer(p, &n->type, inits);
    if (value) { // (float){x}
        BASE_RESERVE(p->cx, inits->items, inits->count, inits->cap);
        inits->items[inits->count++] = (struct front_init){.value = value};
    }
    n->inits = inits;
    n->flags = FRONT_FLAG_LVALUE | FRONT_FLAG_HAS_INITS;
    front_set_height(p, n);
    return type == p->error_type ? front_error_node(p, token) : n;
}

static struct front_node *parse_sizeof(struct front_parser *p) {
    uint32_t token = front_next(p);
    bool align = p->tokens[token].kind == FRONT_KW_ALIGNOF;
    uint32_t aligns = p->aligns;
    struct front_type *type;
    if (front_is(p, FRONT_P_LPAREN) && front_starts_type(p, front_peek_at(p, 1))) {
        uint32_t open = front_next(p);
        type = front_parse_type_name(p);
        front_expect(p, FRONT_P_RPAREN, "the type");
        if (front_is(p, FRONT_P_LBRACE) && !align) type = parse_postfix_ops(p, parse_compound(p, type, open))->type;
    } else {
        struct front_node *n = parse_cast(p); // a cast cannot come: that was the case above
        if (front_is_error(n)) return n;
        type = n->type;
    }
    front_need_layout(p, type, token);
    if (align && p->aligns != aligns)
        base_unsupported(p->cx, p->tokens[token].loc,
                         "what `aligned` makes of the alignment of a type is not known here");
    if (align) return front_int_node(p, FRONT_U64, front_type_align(type), token);
    if (front_has_doubles(type)) {
        struct front_ast *ast = p->ast;
        BASE_RESERVE(p->cx, ast->double_sizes, ast->double_size_count, ast->double_size_cap);
        ast->double_sizes[ast->double_size_count++] = token;
    }
    return front_build_sizeof(p, type, token);
}

static struct front_node *parse_unary(struct front_parser *p) {
    uint32_t token = p->at;
    enum front_op op;
    struct front_node *n;
    switch (front_peek(p)->kind) {
    case FRONT_TOK_IDENT:
        if (front_is_part_word(front_peek(p)->text)) {
            front_next(p);
            return front_complex_part(p, parse_cast(p), p->tokens[token].text[2] == 'i', token);
        }
        n = front_parse_primary(p);
        return parse_postfix_ops(p, n);
    case FRONT_P_INC:
    case FRONT_P_DEC:
        front_next(p);
        op = p->tokens[token].kind == FRONT_P_INC ? FRONT_OP_ADD : FRONT_OP_SUB;
        return front_build_step(p, op, parse_cast(p), token, false);
    case FRONT_P_AMP: front_next(p); return front_build_addr(p, parse_cast(p), token);
    case FRONT_P_STAR: front_next(p); return front_build_deref(p, parse_cast(p), token);
    case FRONT_P_PLUS: op = FRONT_OP_NONE; break;
    case FRONT_P_MINUS: op = FRONT_OP_NEG; break;
    case FRONT_P_TILDE: op = FRONT_OP_BITNOT; break;
    case FRONT_P_NOT: op = FRONT_OP_NOT; break;
    case FRONT_P_ANDAND: base_unsupported(p->cx, front_here(p), "labels as values are not supported: use switch");
    case FRONT_KW_SIZEOF:
    case FRONT_KW_ALIGNOF: return parse_sizeof(p);
    case FRONT_KW_EXTENSION: front_next(p); return parse_cast(p);
    default: n = front_parse_primary(p); return parse_postfix_ops(p, n);
    }
    front_next(p);
    return front_build_unary(p, op, parse_cast(p), token);
}

static struct front_node *parse_cast(struct front_parser *p) {
    struct front_node *n;
    front_enter(p);
    if (front_is(p, FRONT_P_LPAREN) && front_starts_type(p, front_peek_at(p, 1))) {
        uint32_t token = front_next(p);
        struct front_type *type = front_parse_type_name(p);
        front_expect(p, FRONT_P_RPAREN, "the type");
        if (front_is(p, FRONT_P_LBRACE))
            n = parse_postfix_ops(p, parse_compound(p, type, token));
        else
            n = front_build_cast(p, type, parse_cast(p), token);
    } else {
        n = parse_unary(p);
    }
    front_leave(p);
    return n;
}

// ---- binary, conditional, assignment --------------------------------------------------------------------------------

static const struct {
    uint8_t level, op;
} binary[FRONT_TOK_COUNT] = {
    [FRONT_P_STAR] = {10, FRONT_OP_MUL}, [FRONT_P_SLASH] = {10, FRONT_OP_DIV},  [FRONT_P_PERCENT] = {10, FRONT_OP_REM},
    [FRONT_P_PLUS] = {9, FRONT_OP_ADD},  [FRONT_P_MINUS] = {9, FRONT_OP_SUB},   [FRONT_P_SHL] = {8, FRONT_OP_SHL},
    [FRONT_P_SHR] = {8, FRONT_OP_SHR},   [FRONT_P_LT] = {7, FRONT_OP_LT},       [FRONT_P_GT] = {7, FRONT_OP_GT},
    [FRONT_P_LE] = {7, FRONT_OP_LE},     [FRONT_P_GE] = {7, FRONT_OP_GE},       [FRONT_P_EQ] = {6, FRONT_OP_EQ},
    [FRONT_P_NE] = {6, FRONT_OP_NE},     [FRONT_P_AMP] = {5, FRONT_OP_AND},     [FRONT_P_CARET] = {4, FRONT_OP_XOR},
    [FRONT_P_PIPE] = {3, FRONT_OP_OR},   [FRONT_P_ANDAND] = {2, FRONT_OP_LAND}, [FRONT_P_OROR] = {1, FRONT_OP_LOR},
};

static struct front_node *parse_binary(struct front_parser *p, uint32_t lowest) {
    struct front_node *left = parse_cast(p);
    for (;;) {
        uint32_t level = binary[front_peek(p)->kind].level;
        if (level < lowest || level == 0) return left;
        uint32_t token = front_next(p);
        struct front_node *right = parse_binary(p, level + 1);
        left = front_build_binary(p, binary[p->tokens[token].kind].op, left, right, token);
    }
}

struct front_node *front_parse_conditional(struct front_parser *p) {
    struct front_node *a = parse_binary(p, 1);
    if (!front_is(p, FRONT_P_QUESTION)) return a;
    front_enter(p);
    uint32_t token = front_next(p);
    if (front_is(p, FRONT_P_COLON))
        base_unsupported(p->cx, front_here(p), "'?:' without its middle operand is not C: write it out");
    struct front_node *b = front_parse_expr(p);
    front_expect(p, FRONT_P_COLON, "the second operand of '?'");
    struct front_node *c = front_parse_conditional(p);
    front_leave(p);
    return front_build_cond(p, a, b, c, token);
}

struct front_node *front_parse_assign(struct front_parser *p) {
    static const uint8_t ops[FRONT_TOK_COUNT] = {
        [FRONT_P_STAR_ASSIGN] = FRONT_OP_MUL,    [FRONT_P_SLASH_ASSIGN] = FRONT_OP_DIV,
        [FRONT_P_PERCENT_ASSIGN] = FRONT_OP_REM, [FRONT_P_PLUS_ASSIGN] = FRONT_OP_ADD,
        [FRONT_P_MINUS_ASSIGN] = FRONT_OP_SUB,   [FRONT_P_SHL_ASSIGN] = FRONT_OP_SHL,
        [FRONT_P_SHR_ASSIGN] = FRONT_OP_SHR,     [FRONT_P_AMP_ASSIGN] = FRONT_OP_AND,
        [FRONT_P_CARET_ASSIGN] = FRONT_OP_XOR,   [FRONT_P_PIPE_ASSIGN] = FRONT_OP_OR,
    };
    struct front_node *a = front_parse_conditional(p);
    enum front_token_kind kind = front_peek(p)->kind;
    if (kind != FRONT_P_ASSIGN && !ops[kind]) return a;
    uint32_t token = front_next(p);
    front_enter(p);
    struct front_node *b = front_parse_assign(p);
    front_leave(p);
    return front_build_assign(p, ops[kind], a, b, token);
}

struct front_node *front_parse_expr(struct front_parser *p) {
    struct front_node *a = front_parse_assign(p);
    while (front_is(p, FRONT_P_COMMA)) {
        uint32_t token = front_next(p);
        struct front_node *b = front_value(p, front_parse_assign(p));
        if (front_is_error(a) || front_is_error(b))
            a = front_error_node(p, token);
        else
            a = front_expr(p, FRONT_COMMA, token, front_unqualified(p, b->type), a, b);
    }
    return a;
}

int64_t front_parse_constant(struct front_parser *p, const char *what) {
    struct front_node *n = front_value(p, front_parse_conditional(p));
    struct front_constant c;
    if (front_is_error(n)) return 0;
    if (!front_is_integer(n->type)) {
        base_error(p->cx, n->loc, "%s must be an integer, it has type '%s'", what, front_type_name(p->cx, n->type));
        return 0;
    }
    if (!front_evaluate(n, false, &c)) {
        base_error(p->cx, n->loc, "%s must be a constant that the compiler knows", what);
        return 0;
    }
    return (int64_t)c.integer;
}
