// The operators of C: their constraints, their common types, their nodes.
#include "front/parse/parse.h"

#include <string.h>

const char *front_op_text(enum front_op op) {
    static const char *const text[] = {
        [FRONT_OP_NONE] = "=",   [FRONT_OP_ADD] = "+",   [FRONT_OP_SUB] = "-",   [FRONT_OP_MUL] = "*",
        [FRONT_OP_DIV] = "/",    [FRONT_OP_REM] = "%",   [FRONT_OP_SHL] = "<<",  [FRONT_OP_SHR] = ">>",
        [FRONT_OP_AND] = "&",    [FRONT_OP_OR] = "|",    [FRONT_OP_XOR] = "^",   [FRONT_OP_EQ] = "==",
        [FRONT_OP_NE] = "!=",    [FRONT_OP_LT] = "<",    [FRONT_OP_LE] = "<=",   [FRONT_OP_GT] = ">",
        [FRONT_OP_GE] = ">=",    [FRONT_OP_LAND] = "&&", [FRONT_OP_LOR] = "||",  [FRONT_OP_NEG] = "-",
        [FRONT_OP_BITNOT] = "~", [FRONT_OP_NOT] = "!",   [FRONT_OP_MIN] = "min", [FRONT_OP_MAX] = "max",
    };
    return text[op];
}

static struct front_node *invalid(struct front_parser *p, const struct front_node *a, const struct front_node *b,
                                  enum front_op op, uint32_t token) {
    base_error(p->cx, p->tokens[token].loc, "invalid operands to binary expression ('%s' and '%s')",
               front_type_name(p->cx, a->type), front_type_name(p->cx, b->type));
    if (op == FRONT_OP_REM && front_is_arithmetic(a->type) && front_is_arithmetic(b->type))
        base_note(p->cx, p->tokens[token].loc, "'%%' is for integers: use fmodf");
    return front_error_node(p, token);
}

// The usual arithmetic conversions; kinds are in the order of their rank.
static enum front_type_kind common_kind(const struct front_node *a, const struct front_node *b) {
    enum front_type_kind kind = a->type->kind > b->type->kind ? a->type->kind : b->type->kind;
    return kind < FRONT_I32 ? FRONT_I32 : kind;
}

static bool is_zero(const struct front_node *n) { return n->kind == FRONT_INT && n->integer == 0; }

static bool complete_target(struct front_parser *p, const struct front_type *pointer, uint32_t token) {
    const struct front_type *base = pointer->base;
    if (base->kind == FRONT_VOID || (base->kind == FRONT_STRUCT && !base->record->complete)) {
        base_error(p->cx, p->tokens[token].loc, "arithmetic on a pointer to the incomplete type '%s'",
                   front_type_name(p->cx, base));
        return false;
    }
    return true;
}

static struct front_node *build_pointer_op(struct front_parser *p, enum front_op op, struct front_node *a,
                                           struct front_node *b, uint32_t token) {
    bool pa = a->type->kind == FRONT_POINTER, pb = b->type->kind == FRONT_POINTER;
    if (op == FRONT_OP_ADD && pb && !pa) {
        struct front_node *swap = a;
        a = b;
        b = swap;
        pa = true;
        pb = false;
    }
    if ((op == FRONT_OP_ADD || op == FRONT_OP_SUB) && pa && front_is_integer(b->type)) {
        if (!complete_target(p, a->type, token)) return front_error_node(p, token);
        struct front_node *n =
            front_expr(p, FRONT_PTR_ADD, token, front_unqualified(p, a->type), a, front_promote(p, b));
        n->op = (uint8_t)op;
        return n;
    }
    bool agree = pa && pb && front_compatible(a->type->base, b->type->base);
    if (op == FRONT_OP_SUB && agree) {
        if (!complete_target(p, a->type, token)) return front_error_node(p, token);
        return front_expr(p, FRONT_PTR_DIFF, token, front_basic_type(FRONT_I64), a, b);
    }
    if (op >= FRONT_OP_EQ && op <= FRONT_OP_GE) {
        bool equality = op == FRONT_OP_EQ || op == FRONT_OP_NE;
        if (pa && (is_zero(b) || (equality && pb && b->type->base->kind == FRONT_VOID)))
            b = front_convert(p, b, a->type);
        else if (pb && (is_zero(a) || (equality && pa && a->type->base->kind == FRONT_VOID)))
            a = front_convert(p, a, b->type);
        else if (!agree)
            return invalid(p, a, b, op, token);
        struct front_node *n = front_expr(p, FRONT_BINARY, token, front_basic_type(FRONT_I32), a, b);
        n->op = (uint8_t)op;
        return n;
    }
    return invalid(p, a, b, op, token);
}

struct front_node *front_build_binary(struct front_parser *p, enum front_op op, struct front_node *a,
                                      struct front_node *b, uint32_t token) {
    struct front_type *type;
    if (op == FRONT_OP_LAND || op == FRONT_OP_LOR) {
        a = front_condition(p, a, "a logical operator");
        b = front_condition(p, b, "a logical operator");
        if (front_is_error(a) || front_is_error(b)) return front_error_node(p, token);
        struct front_node *n = front_expr(p, FRONT_LOGIC, token, front_basic_type(FRONT_I32), a, b);
        n->op = (uint8_t)op;
        front_fold(p, n);
        return n;
    }
    a = front_value(p, a);
    b = front_value(p, b);
    if (front_is_error(a) || front_is_error(b)) return front_error_node(p, token);
    if (a->type->kind == FRONT_POINTER || b->type->kind == FRONT_POINTER) return build_pointer_op(p, op, a, b, token);
    if (front_mixes_complex(a->type, b->type)) {
        struct front_node *n = front_complex_binary(p, op, a, b, token);
        return n ? n : invalid(p, a, b, op, token);
    }
    if (!front_is_arithmetic(a->type) || !front_is_arithmetic(b->type)) return invalid(p, a, b, op, token);
    bool integers = front_is_integer(a->type) && front_is_integer(b->type);
    switch (op) {
    case FRONT_OP_SHL:
    case FRONT_OP_SHR:
        if (!integers) return invalid(p, a, b, op, token);
        a = front_promote(p, a);
        b = front_promote(p, b);
        type = front_unqualified(p, a->type);
        break;
    case FRONT_OP_REM:
    case FRONT_OP_AND:
    case FRONT_OP_OR:
    case FRONT_OP_XOR:
        if (!integers) return invalid(p, a, b, op, token);
        // fallthrough
    default:
        type = front_basic_type(common_kind(a, b));
        a = front_convert(p, a, type);
        b = front_convert(p, b, type);
        if (op >= FRONT_OP_EQ && op <= FRONT_OP_GE) type = front_basic_type(FRONT_I32);
    }
    struct front_node *n = front_expr(p, FRONT_BINARY, token, type, a, b);
    n->op = (uint8_t)op;
    front_fold(p, n);
    return n;
}

struct front_node *front_build_unary(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token) {
    struct front_type *type = front_basic_type(FRONT_I32);
    if (op == FRONT_OP_NOT) {
        a = front_condition(p, a, "'!'");
        if (front_is_error(a)) return a;
    } else {
        a = front_promote(p, front_value(p, a));
        if (front_is_error(a)) return a;
        if (front_is_complex(a->type)) return front_complex_unary(p, op, a, token);
        if (!front_is_arithmetic(a->type) || (op == FRONT_OP_BITNOT && !front_is_integer(a->type))) {
            base_error(p->cx, p->tokens[token].loc, "invalid argument type '%s' to unary expression",
                       front_type_name(p->cx, a->type));
            return front_error_node(p, token);
        }
        type = front_unqualified(p, a->type);
        if (op == FRONT_OP_NONE) // unary plus: the promoted value, no longer an lvalue
            return front_expr(p, FRONT_CAST, token, type, a, NULL);
    }
    struct front_node *n = front_expr(p, FRONT_UNARY, token, type, a, NULL);
    n->op = (uint8_t)op;
    front_fold(p, n);
    return n;
}

struct front_node *front_build_cond(struct front_parser *p, struct front_node *a, struct front_node *b,
                                    struct front_node *c, uint32_t token) {
    a = front_condition(p, a, "the condition of '?:'");
    b = front_value(p, b);
    c = front_value(p, c);
    if (front_is_error(a) || front_is_error(b) || front_is_error(c)) return front_error_node(p, token);
    struct front_type *type;
    bool pb = b->type->kind == FRONT_POINTER, pc = c->type->kind == FRONT_POINTER;
    if (front_is_arithmetic(b->type) && front_is_arithmetic(c->type)) {
        type = front_basic_type(common_kind(b, c));
        b = front_convert(p, b, type);
        c = front_convert(p, c, type);
    } else if (front_mixes_complex(b->type, c->type)) {
        type = front_common_complex(p, b, c);
        b = front_convert_complex(p, b, type);
        c = front_convert_complex(p, c, type);
    } else if (b->type->kind == FRONT_VOID && c->type->kind == FRONT_VOID) {
        type = front_basic_type(FRONT_VOID);
    } else if (b->type->kind == FRONT_STRUCT && c->type->kind == FRONT_STRUCT && b->type->record == c->type->record) {
        type = front_unqualified(p, b->type);
    } else if (pb && pc &&
               (front_compatible(b->type->base, c->type->base) || b->type->base->kind == FRONT_VOID ||
                c->type->base->kind == FRONT_VOID)) {
        const struct front_type *target = c->type->base->kind == FRONT_VOID ? c->type->base : b->type->base;
        type = front_pointer_to(
            p, front_qualified(p, (struct front_type *)target, b->type->base->quals | c->type->base->quals), b->loc);
        b = front_convert(p, b, type);
        c = front_convert(p, c, type);
    } else if ((pb && is_zero(c)) || (pc && is_zero(b))) {
        type = front_unqualified(p, pb ? b->type : c->type);
        b = front_convert(p, b, type);
        c = front_convert(p, c, type);
    } else {
        base_error(p->cx, p->tokens[token].loc, "incompatible operand types ('%s' and '%s')",
                   front_type_name(p->cx, b->type), front_type_name(p->cx, c->type));
        return front_error_node(p, token);
    }
    struct front_node *n = front_expr(p, FRONT_COND, token, type, a, b);
    n->c = c;
    front_set_height(p, n);
    front_fold(p, n);
    return n;
}

struct front_node *front_build_cast(struct front_parser *p, struct front_type *type, struct front_node *a,
                                    uint32_t token) {
    if (type->kind == FRONT_VOID && type != p->error_type) {
        if (front_is_error(a)) return a;
        return front_expr(p, FRONT_CAST, token, type, a, NULL);
    }
    a = front_value(p, a);
    if (front_is_error(a) || type == p->error_type) return front_error_node(p, token);
    bool pointer_float = (type->kind == FRONT_POINTER && front_is_float(a->type)) ||
                         (a->type->kind == FRONT_POINTER && front_is_float(type));
    if (front_mixes_complex(type, a->type)) return front_convert_complex(p, a, front_unqualified(p, type));
    if (!front_is_scalar(type)) {
        base_error(p->cx, p->tokens[token].loc, "used type '%s' where arithmetic or pointer type is required",
                   front_type_name(p->cx, type));
        return front_error_node(p, token);
    }
    if (!front_is_scalar(a->type) || pointer_float) {
        base_error(p->cx, p->tokens[token].loc, "operand of type '%s' cannot be cast to '%s'",
                   front_type_name(p->cx, a->type), front_type_name(p->cx, type));
        return front_error_node(p, token);
    }
    struct front_node *n = front_expr(p, FRONT_CAST, token, front_unqualified(p, type), a, NULL);
    front_fold(p, n);
    return n;
}

struct front_node *front_build_index(struct front_parser *p, struct front_node *a, struct front_node *b,
                                     uint32_t token) {
    a = front_value(p, a);
    b = front_value(p, b);
    if (front_is_error(a) || front_is_error(b)) return front_error_node(p, token);
    if (front_is_integer(a->type) && b->type->kind == FRONT_POINTER) {
        struct front_node *swap = a;
        a = b;
        b = swap;
    }
    if (a->type->kind != FRONT_POINTER) {
        base_error(p->cx, p->tokens[token].loc, "subscripted value is not an array or pointer, it has type '%s'",
                   front_type_name(p->cx, a->type));
        return front_error_node(p, token);
    }
    if (!front_is_integer(b->type)) {
        base_error(p->cx, b->loc, "array subscript is not an integer, it has type '%s'",
                   front_type_name(p->cx, b->type));
        return front_error_node(p, token);
    }
    if (!complete_target(p, a->type, token)) return front_error_node(p, token);
    struct front_node *n = front_expr(p, FRONT_INDEX, token, a->type->base, a, b);
    n->flags = FRONT_FLAG_LVALUE;
    return n;
}

struct front_node *front_build_deref(struct front_parser *p, struct front_node *a, uint32_t token) {
    a = front_value(p, a);
    if (front_is_error(a)) return a;
    if (a->type->kind != FRONT_POINTER) {
        base_error(p->cx, p->tokens[token].loc, "indirection requires pointer operand ('%s' invalid)",
                   front_type_name(p->cx, a->type));
        return front_error_node(p, token);
    }
    if (!complete_target(p, a->type, token)) return front_error_node(p, token);
    if (a->kind == FRONT_ADDR) return a->a;
    struct front_node *n = front_expr(p, FRONT_DEREF, token, a->type->base, a, NULL);
    n->flags = FRONT_FLAG_LVALUE;
    return n;
}

static struct front_node *member_of(struct front_parser *p, struct front_node *a, struct front_field *field,
                                    uint32_t token) {
    struct front_node *n =
        front_expr(p, FRONT_MEMBER, token, front_qualified(p, field->type, a->type->quals & ~FRONT_RESTRICT), a, NULL);
    n->field = field;
    n->flags = a->flags & FRONT_FLAG_LVALUE;
    return n;
}

struct front_node *front_build_member(struct front_parser *p, struct front_node *a, const char *name,
                                      uint32_t name_token, uint32_t token, bool arrow) {
    if (front_is_error(a)) return a;
    base_loc loc = p->tokens[token].loc;
    if (arrow) {
        a = front_value(p, a);
        if (!front_is_error(a) && a->type->kind != FRONT_POINTER) {
            base_error(p->cx, loc, "member reference type '%s' is not a pointer%s", front_type_name(p->cx, a->type),
                       a->type->kind == FRONT_STRUCT ? "; did you mean to use '.'?" : "");
            return front_error_node(p, token);
        }
        a = front_build_deref(p, a, token);
    } else if (a->type->kind == FRONT_POINTER && a->type->base->kind == FRONT_STRUCT) {
        base_error(p->cx, loc, "member reference type '%s' is a pointer; did you mean to use '->'?",
                   front_type_name(p->cx, a->type));
        return front_error_node(p, token);
    }
    if (front_is_error(a)) return a;
    if (a->type->kind != FRONT_STRUCT) {
        base_error(p->cx, loc, "member reference base type '%s' is not a structure", front_type_name(p->cx, a->type));
        return front_error_node(p, token);
    }
    const struct front_record *record = a->type->record;
    struct front_field *field = front_find_field(record, name);
    if (!field) {
        const char *type = front_type_name(p->cx, front_unqualified(p, a->type));
        const char *best = NULL;
        uint32_t limit = (uint32_t)(strlen(name) + 2) / 3;
        for (uint32_t i = 0; i < record->count; i++) {
            uint32_t d = front_distance(name, record->fields[i].name, limit);
            if (d <= limit && record->fields[i].name[0] && (!best || d < limit)) {
                best = record->fields[i].name;
                limit = d;
            }
        }
        if (best)
            base_error(p->cx, p->tokens[name_token].loc, "no member named '%s' in '%s'; did you mean '%s'?", name, type,
                       best);
        else
            base_error(p->cx, p->tokens[name_token].loc, "no member named '%s' in '%s'", name, type);
        return front_error_node(p, token);
    }
    while (strcmp(field->name, name) != 0) { // inside an anonymous struct
        a = member_of(p, a, field, token);
        field = front_find_field(field->type->record, name);
    }
    return member_of(p, a, field, token);
}

struct front_node *front_copy(struct front_parser *p, const struct front_node *n) {
    struct front_node *first = NULL, **tail = &first;
    for (; n; n = n->next) {
        struct front_node *copy = base_alloc(p->cx, sizeof *copy);
        *copy = *n;
        copy->next = NULL;
        copy->a = front_copy(p, n->a);
        copy->b = front_copy(p, n->b);
        copy->c = front_copy(p, n->c);
        *tail = copy;
        tail = &copy->next;
    }
    return first;
}

static void mark_length(void *user, struct front_node **place) {
    (void)user;
    (*place)->flags |= FRONT_FLAG_LENGTH;
}

struct front_node *front_build_sizeof(struct front_parser *p, struct front_type *type, uint32_t token) {
    base_loc loc = p->tokens[token].loc;
    if (type == p->error_type) return front_error_node(p, token);
    bool incomplete = type->kind == FRONT_STRUCT ? !type->record->complete : type->kind == FRONT_ARRAY && type->unsized;
    if (type->kind == FRONT_VOID || type->kind == FRONT_FUNCTION || incomplete) {
        base_error(p->cx, loc, "invalid application of 'sizeof' to the type '%s'", front_type_name(p->cx, type));
        return front_error_node(p, token);
    }
    if (type->kind != FRONT_ARRAY || !front_is_variable(type))
        return front_int_node(p, FRONT_U64, front_type_size(type), token);
    struct front_node *element = front_build_sizeof(p, type->base, token);
    struct front_node *length =
        type->length_expr ? front_copy(p, type->length_expr) : front_int_node(p, FRONT_U64, type->length, token);
    front_walk(&length, mark_length, NULL);
    return front_build_binary(p, FRONT_OP_MUL, front_convert(p, length, front_basic_type(FRONT_U64)), element, token);
}
