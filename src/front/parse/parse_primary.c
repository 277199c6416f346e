// What expressions are made of: names, constants, strings, parentheses, _Generic, and the compiler builtins that
// headers use.
#include "front/parse/parse.h"

#include <math.h>
#include <string.h>

// ---- names ----------------------------------------------------------------------------------------------------------

static const char *header_of(const char *name) {
    static const char *const known[][2] = {
        {"<stdlib.h>", " malloc calloc free abs exit "},
        {"<string.h>", " memset memcpy "},
        {"<stdio.h>", " printf puts putchar fprintf fputs fputc putc fflush "},
        {"<omp.h>", " omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime omp_set_num_threads "},
        {"<math.h>",
         " sqrt exp log sin cos tan tanh pow fabs floor ceil fmin fmax round trunc fmod exp2 log2 log10 sinh cosh asin "
         "acos "
         "atan atan2 hypot cbrt erf erfc expm1 log1p fma isnan isinf isfinite signbit copysign rint nearbyint "
         "tgamma lgamma lround lrint ldexp "},
    };
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t cut = 0; cut < 2 && cut < len; cut++) { // sqrtf as sqrt
            if (cut && name[len - 1] != 'f') break;
            for (const char *at = known[i][1]; (at = strchr(at, ' ')) != NULL; at++)
                if (strncmp(at + 1, name, len - cut) == 0 && at[1 + len - cut] == ' ') return known[i][0];
        }
    return NULL;
}

// Of GNU C's operations those that are for threads which wait; NULL: another name.
static const char *waiting(const char *name) {
    static const char lock[] = "on a device the iteration that has a lock may wait for the one that asks for it: use "
                               "'atomic', 'critical' or 'reduction'";
    static const char fence[] = "use 'barrier', or leave it out: a parallel loop's end makes all writes visible";
    static const char *const known[][2] = {{"__sync_lock_test_and_set", lock}, {"__sync_lock_release", lock},
                                           {"__atomic_test_and_set", lock},    {"__atomic_clear", lock},
                                           {"__sync_synchronize", fence},      {"__atomic_thread_fence", fence}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0) return known[i][1];
    return NULL;
}

static struct front_node *undeclared(struct front_parser *p, uint32_t token) {
    const char *name = p->tokens[token].text;
    base_loc loc = p->tokens[token].loc;
    bool call = front_is(p, FRONT_P_LPAREN);
    const char *header = call ? header_of(name) : NULL, *instead = call ? waiting(name) : NULL;
    const char *similar = header ? NULL : front_similar_name(p, name);
    const char *what = call ? "call to undeclared function" : "use of undeclared identifier";
    if (instead)
        base_error(p->cx, loc, "'%s' is not supported: %s", name, instead);
    else if (header)
        base_error(p->cx, loc, "%s '%s': include the header %s", what, name, header);
    else if (similar)
        base_error(p->cx, loc, "%s '%s'; did you mean '%s'?", what, name, similar);
    else
        base_error(p->cx, loc, "%s '%s'", what, name);
    front_bind(p, front_new_symbol(p, FRONT_SYM_LOCAL, name, p->error_type, token)); // said once a scope
    return front_error_node(p, token);
}

// ---- compiler builtins ----------------------------------------------------------------------------------------------

static struct front_node *float_node(struct front_parser *p, enum front_type_kind kind, double value, uint32_t token) {
    struct front_node *n = front_expr(p, FRONT_FLOAT, token, front_basic_type(kind), NULL, NULL);
    n->real = value;
    return n;
}

void front_need_layout(struct front_parser *p, const struct front_type *type, uint32_t token) {
    if (front_is_laid_out(type))
        base_unsupported(p->cx, p->tokens[token].loc,
                         "how large a struct with `packed`, `aligned` or `#pragma pack` is, is not known here: leave "
                         "them out, and pad by members of their own");
}

static struct front_node *parse_offsetof(struct front_parser *p, uint32_t token) {
    uint64_t offset = 0;
    front_expect(p, FRONT_P_LPAREN, "'offsetof'");
    struct front_type *type = front_parse_type_name(p);
    front_need_layout(p, type, token);
    front_expect(p, FRONT_P_COMMA, "the type");
    do {
        if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of a member");
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

static const struct {
    const char *name;
    enum front_type_kind result, param;
    uint32_t count;
} functions[] = {
    {"__builtin_popcountl", FRONT_I32, FRONT_U64, 1},
    {"__builtin_popcountll", FRONT_I32, FRONT_U64, 1},
    {"__builtin_clzl", FRONT_I32, FRONT_U64, 1},
    {"__builtin_clzll", FRONT_I32, FRONT_U64, 1},
    {"__builtin_ctzl", FRONT_I32, FRONT_U64, 1},
    {"__builtin_ctzll", FRONT_I32, FRONT_U64, 1},
    {"__builtin_popcount", FRONT_I32, FRONT_U32, 1},
    {"__builtin_clz", FRONT_I32, FRONT_U32, 1},
    {"__builtin_ctz", FRONT_I32, FRONT_U32, 1},
    {"__builtin_bswap16", FRONT_U16, FRONT_U16, 1},
    {"__builtin_bswap32", FRONT_U32, FRONT_U32, 1},
    {"__builtin_bswap64", FRONT_U64, FRONT_U64, 1},
    {"__builtin_parity", FRONT_I32, FRONT_U32, 1},
    {"__builtin_parityl", FRONT_I32, FRONT_U64, 1},
    {"__builtin_parityll", FRONT_I32, FRONT_U64, 1},
    {"__builtin_ffs", FRONT_I32, FRONT_I32, 1},
    {"__builtin_ffsl", FRONT_I32, FRONT_I64, 1},
    {"__builtin_ffsll", FRONT_I32, FRONT_I64, 1},
    {"__builtin_isnan", FRONT_I32, FRONT_F32, 1},
    {"__builtin_isinf", FRONT_I32, FRONT_F32, 1},
    {"__builtin_isfinite", FRONT_I32, FRONT_F32, 1},
    {"__builtin_isinf_sign", FRONT_I32, FRONT_F32, 1},
    {"__builtin_signbit", FRONT_I32, FRONT_F32, 1},
    {"__builtin_isnormal", FRONT_I32, FRONT_F32, 1},
    {"__builtin_isgreater", FRONT_I32, FRONT_F32, 2},
    {"__builtin_isgreaterequal", FRONT_I32, FRONT_F32, 2},
    {"__builtin_isless", FRONT_I32, FRONT_F32, 2},
    {"__builtin_islessequal", FRONT_I32, FRONT_F32, 2},
    {"__builtin_islessgreater", FRONT_I32, FRONT_F32, 2},
    {"__builtin_isunordered", FRONT_I32, FRONT_F32, 2},
};

// __builtin_assume_aligned(p, 64) is p. __builtin_prefetch(p), __builtin_unreachable() and __builtin_constant_p(x),
// which asks what an optimiser knows, are 0. NULL: it is none of these.
static struct front_node *parse_advice(struct front_parser *p, uint32_t token) {
    static const char *const names[] = {"assume_aligned", "prefetch", "unreachable", "constant_p"};
    size_t at = 0;
    while (at < 4 && strcmp(p->tokens[token].text + 10, names[at]) != 0)
        at++;
    if (at == 4) return NULL;
    front_expect(p, FRONT_P_LPAREN, names[at]);
    struct front_node *first = NULL;
    while (!front_is(p, FRONT_P_RPAREN)) {
        struct front_node *value = front_value(p, front_parse_assign(p));
        if (front_has_effects(value))
            base_unsupported(p->cx, value->loc, "what changes something cannot stand in '%s'", p->tokens[token].text);
        if (!first) first = value;
        if (!front_accept(p, FRONT_P_COMMA)) break;
    }
    front_expect(p, FRONT_P_RPAREN, "the arguments");
    return at == 0 && first ? first : front_int_node(p, FRONT_I32, 0, token);
}

static struct front_node *parse_complex(struct front_parser *p, uint32_t token) {
    front_expect(p, FRONT_P_LPAREN, "__builtin_complex");
    struct front_node *re = front_value(p, front_parse_assign(p));
    front_expect(p, FRONT_P_COMMA, "the real part");
    struct front_node *im = front_value(p, front_parse_assign(p));
    front_expect(p, FRONT_P_RPAREN, "the imaginary part");
    return front_is_error(re) || front_is_error(im) ? front_error_node(p, token) : front_make_complex(p, re, im, token);
}

// NULL: no builtin of ours.
static struct front_node *parse_builtin(struct front_parser *p, uint32_t token) {
    const char *name = p->tokens[token].text;
    if (strncmp(name, "__builtin_", 10) != 0) return NULL;
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
    if (strcmp(name, "__builtin_offsetof") == 0) return parse_offsetof(p, token);
    if (strcmp(name, "__builtin_complex") == 0) return parse_complex(p, token);
    struct front_node *advice = parse_advice(p, token);
    if (advice) return advice;
    static const char *const constants[] = {"__builtin_nanf", "__builtin_nan",       "__builtin_inff",
                                            "__builtin_inf",  "__builtin_huge_valf", "__builtin_huge_val"};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(name, constants[i]) == 0) {
            front_expect(p, FRONT_P_LPAREN, name);
            front_accept(p, FRONT_TOK_STRING);
            front_expect(p, FRONT_P_RPAREN, "the arguments");
            return float_node(p, i % 2 ? FRONT_F64 : FRONT_F32, i < 2 ? NAN : INFINITY, token);
        }
    if (strcmp(name, "__builtin_expect") == 0) {
        front_expect(p, FRONT_P_LPAREN, name);
        struct front_node *value =
            front_convert_assign(p, front_parse_assign(p), front_basic_type(FRONT_I64), FRONT_PASSING);
        front_expect(p, FRONT_P_COMMA, "the value");
        front_parse_assign(p);
        front_expect(p, FRONT_P_RPAREN, "the arguments");
        return value;
    }
    return NULL;
}

// ---- primary --------------------------------------------------------------------------------------------------------

static struct front_node *parse_identifier(struct front_parser *p) {
    uint32_t token = front_next(p);
    struct front_symbol *s = front_lookup(p, p->tokens[token].text);
    if (!s) {
        struct front_node *builtin = parse_builtin(p, token);
        return builtin ? builtin : undeclared(p, token);
    }
    if (s->type == p->error_type) return front_error_node(p, token);
    if (s->kind == FRONT_SYM_TYPEDEF) {
        base_fatal(p->cx, p->tokens[token].loc, "unexpected type name '%s': expected expression", s->name);
    }
    if (s->kind == FRONT_SYM_ENUM) return front_int_node(p, s->type->kind, (uint64_t)s->value, token);
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
    if (number->type == FRONT_NUM_FLOAT) return float_node(p, FRONT_F32, number->real, token);
    if (!p->double_as_float || (t->flags & FRONT_TOKEN_BUILTIN)) return float_node(p, FRONT_F64, number->real, token);
    return float_node(p, FRONT_F32, front_float_constant(p, token, &p->ast->edits[token]), token);
}

static struct front_node *parse_number(struct front_parser *p) {
    static const enum front_type_kind kinds[] = {FRONT_I32, FRONT_U32, FRONT_I64, FRONT_U64, FRONT_I64, FRONT_U64};
    struct front_number number;
    uint32_t token = front_next(p);
    front_parse_number(p->cx, &p->tokens[token], &number);
    bool is_whole = number.type < FRONT_NUM_FLOAT;
    if (number.is_imaginary) { // its text is not a double's
        bool is_float = number.type == FRONT_NUM_FLOAT || !p->double_as_pair;
        struct front_node *n = is_whole ? front_int_node(p, kinds[number.type], number.integer, token)
                                        : float_node(p, is_float ? FRONT_F32 : FRONT_F64,
                                                     is_float ? (double)(float)number.real : number.real, token);
        return front_imaginary(p, n);
    }
    if (!is_whole) return parse_float(p, token, &number);
    return front_int_node(p, kinds[number.type], number.integer, token);
}

static struct front_node *parse_string(struct front_parser *p) {
    uint32_t token = p->at;
    struct base_text text;
    base_text_init(&text, p->cx);
    while (front_is(p, FRONT_TOK_STRING)) {
        const char *bytes;
        size_t size;
        if (front_parse_string(p->cx, front_peek(p), &bytes, &size)) base_text_add(&text, bytes, size);
        front_next(p);
    }
    struct front_type *type = base_alloc(p->cx, sizeof *type);
    *type = (struct front_type){
        .kind = FRONT_ARRAY, .base = front_basic_type(FRONT_I8), .length = text.size + 1, .depth = 1};
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
        if (!front_accept(p, FRONT_KW_DEFAULT)) type = front_parse_type_name(p);
        front_expect(p, FRONT_P_COLON, "the type");
        struct front_node *value = front_parse_assign(p);
        if (!type)
            other = value;
        else if (!bad && !chosen && type->quals == 0 && front_type_same(type, control->type))
            chosen = value;
    }
    front_expect(p, FRONT_P_RPAREN, "the associations");
    if (!chosen) chosen = other;
    if (!chosen && !bad)
        base_error(p->cx, p->tokens[token].loc,
                   "controlling expression type '%s' not compatible with any generic association type",
                   front_type_name(p->cx, control->type));
    return chosen && !bad ? chosen : front_error_node(p, token);
}

struct front_node *front_parse_primary(struct front_parser *p) {
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
        struct front_node *n = front_is(p, FRONT_P_LBRACE) ? front_parse_block_value(p) : front_parse_expr(p);
        front_expect(p, FRONT_P_RPAREN, NULL);
        n->flags |= FRONT_FLAG_PAREN;
        return n;
    }
    case FRONT_TOK_PRAGMA: base_fatal(p->cx, front_here(p), "a pragma cannot stand inside an expression");
    default: front_syntax_error(p, "expression");
    }
}
