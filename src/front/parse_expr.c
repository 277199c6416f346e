// The grammar of expressions: recursive descent, binary operators by precedence. Types are build_expr.c's and build_ops.c's.
#include "front/parse.h"

#include <math.h>
#include <string.h>

static struct front_node *parse_cast(struct front_parser *p);

// ---- names and calls --------------------------------------------------------------------------------------------------------------

static const char *header_of(const char *name) {
    static const char *const known[][2] = {
        {"<stdlib.h>", " malloc calloc free abs exit "},
        {"<string.h>", " memset memcpy "},
        {"<stdio.h>", " printf puts fprintf "},
        {"<omp.h>", " omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime omp_set_num_threads "},
        {"<math.h>", " sqrt exp log sin cos tan tanh pow fabs floor ceil fmin fmax round trunc fmod exp2 log2 log10 sinh cosh asin acos "
                     "atan atan2 hypot cbrt erf erfc expm1 log1p fma isnan isinf isfinite signbit copysign rint nearbyint "
                     "tgamma lgamma lround lrint ldexp "},
    };
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t cut = 0; cut < 2 && cut < len; cut++) { // sqrtf as sqrt
            if (cut && name[len - 1] != 'f')
                break;
            for (const char *at = known[i][1]; (at = strchr(at, ' ')) != NULL; at++)
                if (strncmp(at + 1, name, len - cut) == 0 && at[1 + len - cut] == ' ')
                    return known[i][0];
        }
    return NULL;
}

static struct front_node *undeclared(struct front_parser *p, uint32_t token) {
    const char *name = p->tokens[token].text;
    base_loc loc = p->tokens[token].loc;
    bool call = front_is(p, FRONT_P_LPAREN);
    const char *header = call ? header_of(name) : NULL;
    const char *similar = header ? NULL : front_similar_name(p, name);
    const char *what = call ? "call to undeclared function" : "use of undeclared identifier";
    if (header)
        base_error(p->cx, loc, "%s '%s': include the header %s", what, name, header);
    else if (similar)
        base_error(p->cx, loc, "%s '%s'; did you mean '%s'?", what, name, similar);
    else
        base_error(p->cx, loc, "%s '%s'", what, name);
    front_bind(p, front_new_symbol(p, FRONT_SYM_LOCAL, name, p->error_type, token)); // said once a scope
    return front_error_node(p, token);
}

static struct front_node *parse_args(struct front_parser *p, uint32_t *out_count) {
    struct front_node *first = NULL, **tail = &first;
    *out_count = 0;
    front_next(p);
    if (!front_is(p, FRONT_P_RPAREN))
        do {
            struct front_node *arg = front_parse_assign(p);
            *tail = arg;
            tail = &arg->next;
            ++*out_count;
        } while (front_accept(p, FRONT_P_COMMA));
    if (!front_is(p, FRONT_P_RPAREN))
        front_expect(p, FRONT_P_RPAREN, "the arguments");
    return first;
}

static void wrong_count(struct front_parser *p, const struct front_symbol *f, uint32_t want, uint32_t have, base_loc loc, bool variadic) {
    base_error(p->cx, loc, "too %s arguments to function call, expected %s%u, have %u", have < want ? "few" : "many",
               variadic ? "at least " : "", want, have);
    base_note(p->cx, f->loc, "'%s' declared here", f->name);
}

// An argument without a parameter's type: float is promoted to double, small integers to int.
static struct front_node *promote_variadic(struct front_parser *p, struct front_node *arg) {
    arg = front_promote(p, front_value(p, arg));
    if (!front_is_error(arg) && front_is_float(arg->type))
        arg = front_convert(p, arg, front_basic_type(FRONT_F64));
    return arg;
}

static struct front_node *parse_call(struct front_parser *p, struct front_node *callee) {
    uint32_t token = p->at, count = 0, i = 0;
    struct front_node *args = parse_args(p, &count);
    base_loc close = front_here(p);
    front_next(p);
    if (front_is_error(callee))
        return front_error_node(p, token);
    if (callee->kind != FRONT_VAR || callee->type->kind != FRONT_FUNCTION) {
        if (callee->type->kind == FRONT_POINTER && callee->type->base->kind == FRONT_FUNCTION)
            base_unsupported(p->cx, callee->loc, "calls through function pointers are not supported: choose with if or switch");
        base_error(p->cx, callee->loc, "called object type '%s' is not a function", front_type_name(p->cx, callee->type));
        return front_error_node(p, token);
    }
    struct front_symbol *f = callee->symbol;
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
    if (bad)
        return front_error_node(p, token);
    call->symbol = f;
    call->type = front_unqualified(p, type->base);
    front_set_height(p, call);
    return call;
}

// ---- compiler builtins ------------------------------------------------------------------------------------------------------------

static struct front_node *float_node(struct front_parser *p, enum front_type_kind kind, double value, uint32_t token) {
    struct front_node *n = front_expr(p, FRONT_FLOAT, token, front_basic_type(kind), NULL, NULL);
    n->real = value;
    return n;
}

static struct front_node *parse_offsetof(struct front_parser *p, uint32_t token) {
    uint64_t offset = 0;
    front_expect(p, FRONT_P_LPAREN, "'offsetof'");
    struct front_type *type = front_parse_type_name(p);
    front_expect(p, FRONT_P_COMMA, "the type");
    do {
        if (!front_is(p, FRONT_TOK_IDENT))
            front_syntax_error(p, "the name of a member");
        uint32_t name = front_next(p);
        struct front_node *base = front_expr(p, FRONT_COMPOUND, name, type, NULL, NULL);
        struct front_node *n = front_build_member(p, base, p->tokens[name].text, name, name, false);
        if (front_is_error(n))
            type = p->error_type;
        else
            type = n->type;
        for (; !front_is_error(n) && n->kind == FRONT_MEMBER; n = n->a)
            offset += n->field->offset_bytes;
        while (front_accept(p, FRONT_P_LBRACKET)) {
            int64_t index = front_parse_constant(p, "an index");
            front_expect(p, FRONT_P_RBRACKET, "the index");
            if (type->kind != FRONT_ARRAY)
                base_fatal(p->cx, p->tokens[name].loc, "'%s' is not an array", p->tokens[name].text);
            type = type->base;
            offset += (uint64_t)index * front_type_size(type);
        }
    } while (front_accept(p, FRONT_P_DOT));
    front_expect(p, FRONT_P_RPAREN, "the member");
    return front_int_node(p, FRONT_U64, offset, token);
}

// NULL: no builtin of ours.
static struct front_node *parse_builtin(struct front_parser *p, uint32_t token) {
    static const struct {
        const char *name;
        enum front_type_kind result, param;
        uint32_t count;
    } functions[] = {
        {"__builtin_popcount", FRONT_I32, FRONT_U32, 1}, {"__builtin_clz", FRONT_I32, FRONT_U32, 1},
        {"__builtin_ctz", FRONT_I32, FRONT_U32, 1},      {"__builtin_isnan", FRONT_I32, FRONT_F32, 1},
        {"__builtin_isinf", FRONT_I32, FRONT_F32, 1},    {"__builtin_isfinite", FRONT_I32, FRONT_F32, 1},
        {"__builtin_signbit", FRONT_I32, FRONT_F32, 1},  {"__builtin_isnormal", FRONT_I32, FRONT_F32, 1},
        {"__builtin_isgreater", FRONT_I32, FRONT_F32, 2}, {"__builtin_isgreaterequal", FRONT_I32, FRONT_F32, 2},
        {"__builtin_isless", FRONT_I32, FRONT_F32, 2},   {"__builtin_islessequal", FRONT_I32, FRONT_F32, 2},
        {"__builtin_islessgreater", FRONT_I32, FRONT_F32, 2}, {"__builtin_isunordered", FRONT_I32, FRONT_F32, 2},
    };
    const char *name = p->tokens[token].text;
    if (strncmp(name, "__builtin_", 10) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(name, functions[i].name) == 0) {
            struct front_type *type = base_alloc(p->cx, sizeof *type);
            type->kind = FRONT_FUNCTION;
            type->base = front_basic_type(functions[i].result);
            type->param_count = functions[i].count;
            type->params = base_alloc_array(p->cx, type->param_count, sizeof *type->params);
            for (uint32_t k = 0; k < type->param_count; k++)
                type->params[k] = front_basic_type(functions[i].param);
            struct front_symbol *s = front_new_symbol(p, FRONT_SYM_FUNCTION, name, type, token);
            s->builtin = true;
            front_bind(p, s);
            struct front_node *n = front_expr(p, FRONT_VAR, token, type, NULL, NULL);
            n->symbol = s;
            return n;
        }
    if (strcmp(name, "__builtin_offsetof") == 0)
        return parse_offsetof(p, token);
    static const char *const constants[] = {"__builtin_nanf", "__builtin_nan", "__builtin_inff", "__builtin_inf", "__builtin_huge_valf",
                                            "__builtin_huge_val"};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(name, constants[i]) == 0) {
            front_expect(p, FRONT_P_LPAREN, name);
            front_accept(p, FRONT_TOK_STRING);
            front_expect(p, FRONT_P_RPAREN, "the arguments");
            return float_node(p, i % 2 ? FRONT_F64 : FRONT_F32, i < 2 ? NAN : INFINITY, token);
        }
    if (strcmp(name, "__builtin_expect") == 0) {
        front_expect(p, FRONT_P_LPAREN, name);
        struct front_node *value = front_convert_assign(p, front_parse_assign(p), front_basic_type(FRONT_I64), FRONT_PASSING);
        front_expect(p, FRONT_P_COMMA, "the value");
        front_parse_assign(p);
        front_expect(p, FRONT_P_RPAREN, "the arguments");
        return value;
    }
    return NULL;
}

// ---- primary ----------------------------------------------------------------------------------------------------------------------

static struct front_node *parse_identifier(struct front_parser *p) {
    uint32_t token = front_next(p);
    struct front_symbol *s = front_lookup(p, p->tokens[token].text);
    if (!s) {
        struct front_node *builtin = parse_builtin(p, token);
        return builtin ? builtin : undeclared(p, token);
    }
    if (s->type == p->error_type)
        return front_error_node(p, token);
    if (s->kind == FRONT_SYM_TYPEDEF) {
        base_fatal(p->cx, p->tokens[token].loc, "unexpected type name '%s': expected expression", s->name);
    }
    if (s->kind == FRONT_SYM_ENUM)
        return front_int_node(p, s->type->kind, (uint64_t)s->value, token);
    s->used = true;
    struct front_node *n = front_expr(p, FRONT_VAR, token, s->type, NULL, NULL);
    n->symbol = s;
    n->flags = s->kind == FRONT_SYM_FUNCTION ? 0 : FRONT_FLAG_LVALUE;
    return n;
}

static struct front_node *parse_float(struct front_parser *p, uint32_t token, const struct front_number *number) {
    const struct front_token *t = &p->tokens[token];
    if (number->type == FRONT_NUM_LDOUBLE)
        base_unsupported(p->cx, t->loc, "long double is not supported: write the constant with the suffix f");
    if (number->type == FRONT_NUM_FLOAT)
        return float_node(p, FRONT_F32, number->real, token);
    if (!p->double_as_float || (t->flags & FRONT_TOKEN_BUILTIN))
        return float_node(p, FRONT_F64, number->real, token);
    return float_node(p, FRONT_F32, front_float_constant(p, token, &p->ast->edits[token]), token);
}

static struct front_node *parse_number(struct front_parser *p) {
    static const enum front_type_kind kinds[] = {FRONT_I32, FRONT_U32, FRONT_I64, FRONT_U64, FRONT_I64, FRONT_U64};
    struct front_number number;
    uint32_t token = front_next(p);
    front_parse_number(p->cx, &p->tokens[token], &number);
    if (number.type >= FRONT_NUM_FLOAT)
        return parse_float(p, token, &number);
    return front_int_node(p, kinds[number.type], number.integer, token);
}

static struct front_node *parse_string(struct front_parser *p) {
    uint32_t token = p->at;
    struct base_text text;
    base_text_init(&text, p->cx);
    while (front_is(p, FRONT_TOK_STRING)) {
        const char *bytes;
        size_t size;
        if (front_parse_string(p->cx, front_peek(p), &bytes, &size))
            base_text_add(&text, bytes, size);
        front_next(p);
    }
    struct front_type *type = base_alloc(p->cx, sizeof *type);
    *type = (struct front_type){.kind = FRONT_ARRAY, .base = front_basic_type(FRONT_I8), .length = text.size + 1, .depth = 1};
    struct front_node *n = front_expr(p, FRONT_STRING, token, type, NULL, NULL);
    n->string = text.data ? text.data : "";
    n->string_size = (uint32_t)text.size;
    n->flags = FRONT_FLAG_LVALUE;
    return n;
}

static struct front_node *parse_generic(struct front_parser *p) {
    uint32_t token = front_next(p);
    front_expect(p, FRONT_P_LPAREN, "'_Generic'");
    struct front_node *control = front_value(p, front_parse_assign(p)), *chosen = NULL, *other = NULL;
    bool bad = front_is_error(control);
    while (front_accept(p, FRONT_P_COMMA)) {
        struct front_type *type = NULL;
        if (!front_accept(p, FRONT_KW_DEFAULT))
            type = front_parse_type_name(p);
        front_expect(p, FRONT_P_COLON, "the type");
        struct front_node *value = front_parse_assign(p);
        if (!type)
            other = value;
        else if (!bad && !chosen && type->quals == 0 && front_type_same(type, control->type))
            chosen = value;
    }
    front_expect(p, FRONT_P_RPAREN, "the associations");
    if (!chosen)
        chosen = other;
    if (!chosen && !bad)
        base_error(p->cx, p->tokens[token].loc, "controlling expression type '%s' not compatible with any generic association type",
                   front_type_name(p->cx, control->type));
    return chosen && !bad ? chosen : front_error_node(p, token);
}

static struct front_node *parse_primary(struct front_parser *p) {
    switch (front_peek(p)->kind) {
    case FRONT_TOK_IDENT: return parse_identifier(p);
    case FRONT_TOK_INT:
    case FRONT_TOK_FLOAT: return parse_number(p);
    case FRONT_TOK_STRING: return parse_string(p);
    case FRONT_KW_GENERIC: return parse_generic(p);
    case FRONT_TOK_CHAR: {
        int32_t value = 0;
        uint32_t token = front_next(p);
        front_parse_char(p->cx, &p->tokens[token], &value);
        return front_int_node(p, FRONT_I32, (uint64_t)(int64_t)value, token);
    }
    case FRONT_P_LPAREN: {
        front_next(p);
        if (front_is(p, FRONT_P_LBRACE))
            base_unsupported(p->cx, front_here(p), "statement expressions are not supported: write a function");
        struct front_node *n = front_parse_expr(p);
        front_expect(p, FRONT_P_RPAREN, NULL);
        n->flags |= FRONT_FLAG_PAREN;
        return n;
    }
    case FRONT_TOK_PRAGMA:
        base_fatal(p->cx, front_here(p), "a pragma cannot stand inside an expression");
    default: front_syntax_error(p, "expression");
    }
}

// ---- postfix, unary, cast -----------------------------------------------------------------------------------------------------------

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
            if (!front_is(p, FRONT_TOK_IDENT))
                front_syntax_error(p, "the name of a member");
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
    struct front_type *type;
    if (front_is(p, FRONT_P_LPAREN) && front_starts_type(p, front_peek_at(p, 1))) {
        uint32_t open = front_next(p);
        type = front_parse_type_name(p);
        front_expect(p, FRONT_P_RPAREN, "the type");
        if (front_is(p, FRONT_P_LBRACE) && !align)
            type = parse_postfix_ops(p, parse_compound(p, type, open))->type;
    } else {
        struct front_node *n = parse_cast(p); // a cast cannot come: that was the case above
        if (front_is_error(n))
            return n;
        type = n->type;
    }
    if (align)
        return front_int_node(p, FRONT_U64, front_type_align(type), token);
    return front_build_sizeof(p, type, token);
}

static struct front_node *parse_unary(struct front_parser *p) {
    uint32_t token = p->at;
    enum front_op op;
    struct front_node *n;
    switch (front_peek(p)->kind) {
    case FRONT_P_INC:
    case FRONT_P_DEC:
        front_next(p);
        op = p->tokens[token].kind == FRONT_P_INC ? FRONT_OP_ADD : FRONT_OP_SUB;
        return front_build_step(p, op, parse_cast(p), token, false);
    case FRONT_P_AMP:
        front_next(p);
        return front_build_addr(p, parse_cast(p), token);
    case FRONT_P_STAR:
        front_next(p);
        return front_build_deref(p, parse_cast(p), token);
    case FRONT_P_PLUS: op = FRONT_OP_NONE; break;
    case FRONT_P_MINUS: op = FRONT_OP_NEG; break;
    case FRONT_P_TILDE: op = FRONT_OP_BITNOT; break;
    case FRONT_P_NOT: op = FRONT_OP_NOT; break;
    case FRONT_P_ANDAND: base_unsupported(p->cx, front_here(p), "labels as values are not supported: use switch");
    case FRONT_KW_SIZEOF:
    case FRONT_KW_ALIGNOF: return parse_sizeof(p);
    case FRONT_KW_EXTENSION:
        front_next(p);
        return parse_cast(p);
    default:
        n = parse_primary(p);
        return parse_postfix_ops(p, n);
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

// ---- binary, conditional, assignment ------------------------------------------------------------------------------------------------

static const struct {
    uint8_t level, op;
} binary[FRONT_TOK_COUNT] = {
    [FRONT_P_STAR] = {10, FRONT_OP_MUL}, [FRONT_P_SLASH] = {10, FRONT_OP_DIV}, [FRONT_P_PERCENT] = {10, FRONT_OP_REM},
    [FRONT_P_PLUS] = {9, FRONT_OP_ADD},  [FRONT_P_MINUS] = {9, FRONT_OP_SUB},  [FRONT_P_SHL] = {8, FRONT_OP_SHL},
    [FRONT_P_SHR] = {8, FRONT_OP_SHR},   [FRONT_P_LT] = {7, FRONT_OP_LT},      [FRONT_P_GT] = {7, FRONT_OP_GT},
    [FRONT_P_LE] = {7, FRONT_OP_LE},     [FRONT_P_GE] = {7, FRONT_OP_GE},      [FRONT_P_EQ] = {6, FRONT_OP_EQ},
    [FRONT_P_NE] = {6, FRONT_OP_NE},     [FRONT_P_AMP] = {5, FRONT_OP_AND},    [FRONT_P_CARET] = {4, FRONT_OP_XOR},
    [FRONT_P_PIPE] = {3, FRONT_OP_OR},   [FRONT_P_ANDAND] = {2, FRONT_OP_LAND}, [FRONT_P_OROR] = {1, FRONT_OP_LOR},
};

static struct front_node *parse_binary(struct front_parser *p, uint32_t lowest) {
    struct front_node *left = parse_cast(p);
    for (;;) {
        uint32_t level = binary[front_peek(p)->kind].level;
        if (level < lowest || level == 0)
            return left;
        uint32_t token = front_next(p);
        struct front_node *right = parse_binary(p, level + 1);
        left = front_build_binary(p, binary[p->tokens[token].kind].op, left, right, token);
    }
}

struct front_node *front_parse_conditional(struct front_parser *p) {
    struct front_node *a = parse_binary(p, 1);
    if (!front_is(p, FRONT_P_QUESTION))
        return a;
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
        [FRONT_P_STAR_ASSIGN] = FRONT_OP_MUL, [FRONT_P_SLASH_ASSIGN] = FRONT_OP_DIV, [FRONT_P_PERCENT_ASSIGN] = FRONT_OP_REM,
        [FRONT_P_PLUS_ASSIGN] = FRONT_OP_ADD, [FRONT_P_MINUS_ASSIGN] = FRONT_OP_SUB, [FRONT_P_SHL_ASSIGN] = FRONT_OP_SHL,
        [FRONT_P_SHR_ASSIGN] = FRONT_OP_SHR,  [FRONT_P_AMP_ASSIGN] = FRONT_OP_AND,   [FRONT_P_CARET_ASSIGN] = FRONT_OP_XOR,
        [FRONT_P_PIPE_ASSIGN] = FRONT_OP_OR,
    };
    struct front_node *a = front_parse_conditional(p);
    enum front_token_kind kind = front_peek(p)->kind;
    if (kind != FRONT_P_ASSIGN && !ops[kind])
        return a;
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
    if (front_is_error(n))
        return 0;
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
