// Complex numbers. The type is a struct of two numbers, which <complex.h> declares, and what is done with it becomes a
// call of a function there: nobody behind the parser knows of it, neither the doubles that are pairs nor the lowering.
// The C for the CPU keeps the program's own words.
//
// Where doubles are no pairs, all of it is computed in float.
#include <string.h>

#include "front/parse/parse.h"

#define NEEDS_HEADER "complex numbers need <complex.h>"

void front_note_complex(struct front_parser *p, struct front_type *type) {
    struct front_record *record = type->record;
    bool is_double = strcmp(record->tag, "__whorl_complex_double") == 0;
    if (!is_double && strcmp(record->tag, "__whorl_complex_float") != 0) return;
    record->complex_of = is_double ? FRONT_F64 : FRONT_F32;
    p->complex_types[is_double] = type;
    if (!is_double || !p->double_as_float) return;
    for (uint32_t i = 0; i < 2; i++) {
        record->fields[i].type = front_double_as_float();
        record->fields[i].offset_bytes = sizeof(float) * i;
    }
    record->size_bytes = 2 * sizeof(float);
    record->align = sizeof(float);
}

struct front_type *front_complex_type(struct front_parser *p, enum front_type_kind kind, base_loc loc) {
    if (!p->complex_types[1]) base_unsupported(p->cx, loc, NEEDS_HEADER);
    return p->complex_types[kind == FRONT_F64];
}

bool front_mixes_complex(const struct front_type *a, const struct front_type *b) {
    bool complex = front_is_complex(a) || front_is_complex(b);
    return complex && (front_is_complex(a) || front_is_arithmetic(a)) &&
           (front_is_complex(b) || front_is_arithmetic(b));
}

bool front_names_complex(const struct front_type *function) {
    bool any = front_is_complex(function->base);
    for (uint32_t i = 0; i < function->param_count; i++)
        any = any || front_is_complex(function->params[i]);
    return any;
}

static enum front_type_kind part_kind(const struct front_type *type) {
    return front_is_complex(type) ? type->record->complex_of : type->kind;
}

// Of the numbers that an operation of these has.
static enum front_type_kind common_part(const struct front_parser *p, const struct front_node *a,
                                        const struct front_node *b) {
    bool is_double = part_kind(a->type) == FRONT_F64 || (b && part_kind(b->type) == FRONT_F64);
    return is_double && p->double_as_pair ? FRONT_F64 : FRONT_F32;
}

struct front_type *front_common_complex(struct front_parser *p, const struct front_node *a,
                                        const struct front_node *b) {
    return front_complex_type(p, common_part(p, a, b), a->loc);
}

static struct front_symbol *function_of(struct front_parser *p, enum front_type_kind kind, const char *name,
                                        uint32_t token) {
    const char *full = base_format(p->cx, "__wc%c_%s", kind == FRONT_F64 ? 'd' : 'f', name);
    for (uint32_t i = 0; i < p->ast->function_count; i++)
        if (strcmp(p->ast->functions[i]->symbol->name, full) == 0) return p->ast->functions[i]->symbol;
    base_unsupported(p->cx, p->tokens[token].loc, NEEDS_HEADER);
}

static struct front_node *call(struct front_parser *p, enum front_type_kind kind, const char *name,
                               struct front_node *a, struct front_node *b, uint32_t token) {
    struct front_node *n = front_node(p, FRONT_CALL, token);
    n->symbol = function_of(p, kind, name, token);
    n->symbol->used = true;
    n->type = front_unqualified(p, n->symbol->type->base);
    n->a = a;
    a->next = b;
    front_set_height(p, n);
    return n;
}

struct front_node *front_convert_complex(struct front_parser *p, struct front_node *n, struct front_type *type) {
    if (front_is_complex(type)) {
        enum front_type_kind kind = type->record->complex_of;
        if (!front_is_complex(n->type))
            return call(p, kind, "from_real", front_convert(p, n, type->record->fields[0].type), NULL, n->token);
        return n->type->record == type->record ? n : call(p, kind, "from_other", n, NULL, n->token);
    }
    enum front_type_kind own = n->type->record->complex_of;
    n = call(p, own, type->kind == FRONT_BOOL ? "to_bool" : "to_real", n, NULL, n->token);
    return front_convert(p, n, type);
}

// An operand as an operation of such parts takes it: real numbers stay real.
static struct front_node *as_operand(struct front_parser *p, struct front_node *n, enum front_type_kind kind) {
    if (front_is_complex(n->type)) return front_convert_complex(p, n, front_complex_type(p, kind, n->loc));
    return front_convert(p, n, front_basic_type(kind));
}

static const char *operation(enum front_op op) {
    switch (op) {
    case FRONT_OP_ADD: return "add";
    case FRONT_OP_SUB: return "sub";
    case FRONT_OP_MUL: return "mul";
    case FRONT_OP_DIV: return "div";
    default: return NULL;
    }
}

static struct front_node *negated(struct front_parser *p, struct front_node *n, uint32_t token) {
    return front_build_unary(p, FRONT_OP_NOT, n, token);
}

struct front_node *front_complex_binary(struct front_parser *p, enum front_op op, struct front_node *a,
                                        struct front_node *b, uint32_t token) {
    enum front_type_kind kind = common_part(p, a, b);
    if (op == FRONT_OP_EQ || op == FRONT_OP_NE) {
        struct front_type *type = front_complex_type(p, kind, p->tokens[token].loc);
        struct front_node *n =
            call(p, kind, "eq", front_convert_complex(p, a, type), front_convert_complex(p, b, type), token);
        return op == FRONT_OP_EQ ? n : negated(p, n, token);
    }
    const char *name = operation(op);
    if (!name) return NULL;
    const char *form = !front_is_complex(a->type)   ? base_format(p->cx, "real_%s", name)
                       : !front_is_complex(b->type) ? base_format(p->cx, "%s_real", name)
                                                    : name;
    return call(p, kind, form, as_operand(p, a, kind), as_operand(p, b, kind), token);
}

struct front_node *front_complex_unary(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token) {
    enum front_type_kind kind = common_part(p, a, NULL);
    a = as_operand(p, a, kind);
    if (op == FRONT_OP_NEG) return call(p, kind, "neg", a, NULL, token);
    if (op == FRONT_OP_NONE)
        return call(p, kind, "add_real", a,
                    front_convert(p, front_int_node(p, FRONT_I32, 0, token), front_basic_type(kind)), token);
    return op == FRONT_OP_BITNOT ? call(p, kind, "conj", a, NULL, token) : NULL; // of GNU C
}

// a op= b, either of them complex.
struct front_node *front_complex_update(struct front_parser *p, enum front_op op, struct front_node *a,
                                        struct front_node *b, uint32_t token) {
    const char *name = operation(op);
    if (!name) return NULL;
    bool effects = front_has_effects(a);
    if (effects && front_is_complex(a->type)) {
        enum front_type_kind kind = a->type->record->complex_of;
        struct front_node *at = front_build_addr(p, a, token);
        return call(p, kind, base_format(p->cx, "set_%s", name), at,
                    front_convert_complex(p, b, front_unqualified(p, a->type)), token);
    }
    if (effects)
        base_unsupported(
            p->cx, p->tokens[token].loc,
            "an update by a complex number, through an operand with effects: write them as two statements");
    struct front_node *value = front_complex_binary(p, op, front_copy(p, a), b, token);
    return front_expr(p, FRONT_ASSIGN, token, front_unqualified(p, a->type), a,
                      front_convert_assign(p, value, a->type, FRONT_ASSIGNING));
}

// z++ and z--, of which the value is the old one.
struct front_node *front_complex_step(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token) {
    struct front_node *one = front_int_node(p, FRONT_I32, op == FRONT_OP_ADD ? 1 : (uint64_t)-1, token);
    one = front_convert(p, one, a->type->record->fields[0].type);
    return call(p, a->type->record->complex_of, "post_add", front_build_addr(p, a, token), one, token);
}

struct front_node *front_imaginary(struct front_parser *p, struct front_node *n) {
    enum front_type_kind kind = common_part(p, n, NULL);
    uint32_t token = n->token;
    struct front_node *zero = front_convert(p, front_int_node(p, FRONT_I32, 0, token), front_basic_type(kind));
    return call(p, kind, "make", zero, front_convert(p, n, front_basic_type(kind)), token);
}

// ---- static data ----------------------------------------------------------------------------------------------------

struct parts {
    double re, im;
};

static bool evaluate(const struct front_node *n, struct parts *out) {
    struct front_constant c;
    if (n->kind == FRONT_COMPOUND || n->kind == FRONT_VAR) return false;
    if (!front_is_complex(n->type)) {
        if (!front_evaluate(n, true, &c)) return false;
        bool is_signed = !c.is_float && !front_is_unsigned(n->type);
        *out = (struct parts){c.is_float ? c.real : is_signed ? (double)(int64_t)c.integer : (double)c.integer, 0};
        return true;
    }
    struct parts a, b = {0, 0};
    if (n->kind != FRONT_CALL || !n->a || !evaluate(n->a, &a) || (n->a->next && !evaluate(n->a->next, &b)))
        return false;
    if (strncmp(n->symbol->name, "__wc", 4) != 0) return false;
    const char *name = n->symbol->name + 6, *real = strstr(name, "real_");
    if (real == name) name += 5;
    double size = b.re * b.re + b.im * b.im;
    if (strcmp(name, "make") == 0)
        *out = (struct parts){a.re, b.re};
    else if (strncmp(name, "from", 4) == 0)
        *out = a;
    else if (strcmp(name, "neg") == 0 || strcmp(name, "conj") == 0)
        *out = (struct parts){name[0] == 'n' ? -a.re : a.re, -a.im};
    else if (strncmp(name, "add", 3) == 0)
        *out = (struct parts){a.re + b.re, a.im + b.im};
    else if (strncmp(name, "sub", 3) == 0)
        *out = (struct parts){a.re - b.re, a.im - b.im};
    else if (strncmp(name, "mul", 3) == 0)
        *out = (struct parts){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    else if (strncmp(name, "div", 3) == 0)
        *out = (struct parts){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
    else
        return false;
    return true;
}

// The two parts of each complex number of static data.
void front_split_complex(struct front_parser *p, struct front_inits *inits) {
    uint32_t count = inits->count;
    for (uint32_t i = 0; i < count; i++) {
        struct front_init whole = inits->items[i];
        if (!whole.value || front_is_error(whole.value) || !front_is_complex(whole.value->type)) continue;
        const struct front_record *record = whole.value->type->record;
        struct parts parts;
        if (!evaluate(whole.value, &parts)) {
            base_error(p->cx, whole.value->loc, "initializer element is not a compile-time constant");
            continue;
        }
        for (uint32_t k = 0; k < 2; k++) {
            struct front_init part = whole;
            part.path = base_alloc_array(p->cx, whole.depth + 1, sizeof *part.path);
            if (whole.depth) memcpy(part.path, whole.path, whole.depth * sizeof *part.path);
            part.path[part.depth++] = (struct front_step){.field = &record->fields[k], .index = k};
            part.offset_bytes += record->fields[k].offset_bytes;
            double value = k ? parts.im : parts.re;
            part.value = front_expr(p, FRONT_FLOAT, whole.value->token, record->fields[k].type, NULL, NULL);
            part.value->real = record->fields[k].type->kind == FRONT_F32 ? (double)(float)value : value;
            if (k) BASE_RESERVE(p->cx, inits->items, inits->count, inits->cap);
            inits->items[k ? inits->count++ : i] = part;
        }
    }
}

// ---- what GNU C adds ------------------------------------------------------------------------------------------------

// __builtin_complex(x, y), as CMPLX has it.
struct front_node *front_make_complex(struct front_parser *p, struct front_node *a, struct front_node *b,
                                      uint32_t token) {
    enum front_type_kind kind = common_part(p, a, b);
    if (!front_is_arithmetic(a->type) || !front_is_arithmetic(b->type))
        base_fatal(p->cx, p->tokens[token].loc, "the parts of a complex number are real numbers");
    return call(p, kind, "make", as_operand(p, a, kind), as_operand(p, b, kind), token);
}

bool front_is_part_word(const char *text) {
    bool is_real = strncmp(text, "__real", 6) == 0, is_imaginary = strncmp(text, "__imag", 6) == 0;
    return (is_real || is_imaginary) && (!text[6] || strcmp(text + 6, "__") == 0);
}

// __real__ z and __imag__ z of GNU C, which can be assigned.
struct front_node *front_complex_part(struct front_parser *p, struct front_node *a, bool is_imaginary, uint32_t token) {
    if (front_is_error(a)) return a;
    if (front_is_complex(a->type)) return front_build_member(p, a, is_imaginary ? "im" : "re", token, token, false);
    if (!front_is_arithmetic(a->type))
        base_fatal(p->cx, p->tokens[token].loc, "'%s' has a part of type '%s' asked", p->tokens[token].text,
                   front_type_name(p->cx, a->type));
    return is_imaginary ? front_convert(p, front_int_node(p, FRONT_I32, 0, token), a->type) : a;
}

// Functions of <complex.h> in double are computed in float, where doubles are no pairs.
struct front_symbol *front_complex_function(struct front_parser *p, struct front_symbol *f, uint32_t token) {
    if (!f->function || p->double_as_pair || p->tokens[token].flags & FRONT_TOKEN_BUILTIN) return f;
    if (!(p->tokens[f->token].flags & FRONT_TOKEN_BUILTIN)) return f;
    bool is_double = f->type->param_count && f->type->params[0]->kind == FRONT_STRUCT &&
                     f->type->params[0]->record->complex_of == FRONT_F64;
    const char *name = base_format(p->cx, "%sf", f->name);
    for (uint32_t i = 0; i < p->ast->function_count && is_double; i++) {
        struct front_symbol *own = p->ast->functions[i]->symbol;
        if (strcmp(own->name, name) != 0 || !(p->tokens[own->token].flags & FRONT_TOKEN_BUILTIN)) continue;
        p->ast->edits[token] = own->name;
        return own;
    }
    return f;
}
