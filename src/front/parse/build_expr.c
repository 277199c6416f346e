// Expressions get their types here: C11's constraints are checked and every implicit conversion becomes a CAST node.
//
// This file holds what all operators share - nodes, heights, conversions - and assignment; build_ops.c holds the
// operators.
#include "front/parse/parse.h"

#include <string.h>

// ---- nodes ----------------------------------------------------------------------------------------------------------

struct front_node *front_node(struct front_parser *p, enum front_node_kind kind, uint32_t token) {
    struct front_node *n = base_alloc(p->cx, sizeof *n);
    n->kind = (uint8_t)kind;
    n->token = token;
    n->loc = p->tokens[token].loc;
    n->height = 1;
    return n;
}

static uint32_t list_height(const struct front_node *n) {
    uint32_t height = 0;
    for (; n; n = n->next)
        if (n->height > height) height = n->height;
    return height;
}

void front_set_height(struct front_parser *p, struct front_node *n) {
    struct front_node *const children[] = {n->a, n->b, n->c, n->d, n->kind == FRONT_OMP ? n->omp->body : NULL};
    uint32_t height = 0;
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        uint32_t h = list_height(children[i]);
        if (h > height) height = h;
    }
    if (n->flags & FRONT_FLAG_HAS_INITS)
        for (uint32_t i = 0; i < n->inits->count; i++)
            if (n->inits->items[i].value && n->inits->items[i].value->height > height)
                height = n->inits->items[i].value->height;
    n->height = height + 1;
    if (n->height > FRONT_MAX_HEIGHT)
        base_fatal(p->cx, n->loc, "more than %u operations or statements nested in one another: split this up",
                   FRONT_MAX_HEIGHT);
}

struct front_node *front_expr(struct front_parser *p, enum front_node_kind kind, uint32_t token,
                              struct front_type *type, struct front_node *a, struct front_node *b) {
    struct front_node *n = front_node(p, kind, token);
    n->type = type;
    n->a = a;
    n->b = b;
    front_set_height(p, n);
    return n;
}

bool front_is_error(const struct front_node *node) {
    return node->type && node->type->kind == FRONT_VOID && node->type->unsized; // only the error type is
}

struct front_node *front_error_node(struct front_parser *p, uint32_t token) {
    return front_expr(p, FRONT_INT, token, p->error_type, NULL, NULL);
}

struct front_node *front_int_node(struct front_parser *p, enum front_type_kind kind, uint64_t value, uint32_t token) {
    struct front_node *n = front_expr(p, FRONT_INT, token, front_basic_type(kind), NULL, NULL);
    n->integer = front_wrap(n->type, value);
    return n;
}

bool front_has_effects(const struct front_node *n) {
    if (n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP || n->kind == FRONT_CALL) return true;
    const struct front_node *const children[] = {n->a, n->b, n->c, n->d};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        for (const struct front_node *c = children[i]; c; c = c->next)
            if (front_has_effects(c)) return true;
    return false;
}

// ---- conversions ----------------------------------------------------------------------------------------------------

struct front_node *front_value(struct front_parser *p, struct front_node *n) {
    if (front_is_error(n)) return n;
    if (n->type->kind == FRONT_FUNCTION) {
        base_error(p->cx, n->loc,
                   "function pointers are not supported: call '%s' directly, or choose with if or switch",
                   n->symbol ? n->symbol->name : "the function");
        return front_error_node(p, n->token);
    }
    if (n->type->kind != FRONT_ARRAY) return n;
    struct front_node *cast = front_expr(p, FRONT_CAST, n->token, front_pointer_to(p, n->type->base, n->loc), n, NULL);
    cast->flags = FRONT_FLAG_IMPLICIT | FRONT_FLAG_DECAY;
    return cast;
}

static bool computes(const struct front_node *n) {
    return n->kind == FRONT_BINARY || n->kind == FRONT_UNARY || n->kind == FRONT_COND || n->kind == FRONT_COMMA;
}

static struct front_node *implicit_cast(struct front_parser *p, struct front_node *n, struct front_type *type) {
    struct front_node *cast = front_expr(p, FRONT_CAST, n->token, front_unqualified(p, type), n, NULL);
    cast->flags = FRONT_FLAG_IMPLICIT;
    front_fold(p, cast);
    return cast;
}

struct front_node *front_convert(struct front_parser *p, struct front_node *n, struct front_type *type) {
    if (front_is_error(n) || type == p->error_type) return n;
    if (n->type->kind == type->kind &&
        (type->kind <= FRONT_F64 || type->kind == FRONT_STRUCT || front_type_same(n->type, type)))
        return n;
    return implicit_cast(p, n, type);
}

struct front_node *front_promote(struct front_parser *p, struct front_node *n) {
    if (!front_is_error(n) && front_is_integer(n->type) && n->type->kind < FRONT_I32)
        return front_convert(p, n, front_basic_type(FRONT_I32));
    return n;
}

struct front_node *front_condition(struct front_parser *p, struct front_node *n, const char *where) {
    if (n->kind == FRONT_ASSIGN && !(n->flags & FRONT_FLAG_PAREN)) {
        base_warn(p->cx, n->loc, "using the result of an assignment as a condition without parentheses");
        base_note(p->cx, n->loc, "use '==' to compare, or put the assignment in parentheses");
    }
    n = front_value(p, n);
    if (front_is_error(n)) return n;
    if (front_is_complex(n->type)) return front_convert_complex(p, n, front_basic_type(FRONT_BOOL));
    if (!front_is_scalar(n->type)) {
        base_error(p->cx, n->loc, "%s needs a number or a pointer, this has type '%s'", where,
                   front_type_name(p->cx, n->type));
        return front_error_node(p, n->token);
    }
    return front_convert(p, n, front_basic_type(FRONT_BOOL));
}

static bool is_null_constant(const struct front_node *n) {
    while (n->kind == FRONT_CAST && n->type->kind == FRONT_POINTER && n->type->base->kind == FRONT_VOID &&
           !n->type->base->quals)
        n = n->a;
    return n->kind == FRONT_INT && front_is_integer(n->type) && n->integer == 0;
}

// True where converting pointer type `from` to `to` loses const or volatile of what they point to, at any depth.
static bool loses_quals(const struct front_type *to, const struct front_type *from) {
    for (to = to->base, from = from->base; to && from; to = to->base, from = from->base) {
        if (from->quals & ~to->quals & (FRONT_CONST | FRONT_VOLATILE)) return true;
        if (to->kind != from->kind || (to->kind != FRONT_POINTER && to->kind != FRONT_ARRAY)) return false;
    }
    return false;
}

static void incompatible(struct front_parser *p, const struct front_node *n, const struct front_type *type,
                         enum front_assign_how how) {
    const char *to = front_type_name(p->cx, type), *from = front_type_name(p->cx, n->type);
    switch (how) {
    case FRONT_ASSIGNING: base_error(p->cx, n->loc, "assigning to '%s' from incompatible type '%s'", to, from); break;
    case FRONT_INITIALIZING:
        base_error(p->cx, n->loc, "initializing '%s' with an expression of incompatible type '%s'", to, from);
        break;
    case FRONT_PASSING:
        base_error(p->cx, n->loc, "passing '%s' to parameter of incompatible type '%s'", from, to);
        break;
    case FRONT_RETURNING:
        base_error(p->cx, n->loc, "returning '%s' from a function with incompatible result type '%s'", from, to);
        break;
    }
}

struct front_node *front_convert_assign(struct front_parser *p, struct front_node *n, struct front_type *type,
                                        enum front_assign_how how) {
    static const char *const doing[] = {"assigning", "initializing with", "passing", "returning"};
    n = front_value(p, n);
    if (front_is_error(n) || type == p->error_type) return n;
    const struct front_type *from = n->type;
    if (front_is_arithmetic(type) && front_is_arithmetic(from)) {
        // what is computed of halves is a float as long as nothing keeps it
        bool rounds = type->kind == FRONT_F16 && from->kind == FRONT_F16 && computes(n);
        return rounds ? implicit_cast(p, n, type) : front_convert(p, n, type);
    }
    if (type->kind == FRONT_STRUCT && from->kind == FRONT_STRUCT && type->record == from->record) return n;
    if (front_mixes_complex(type, from)) return front_convert_complex(p, n, type);
    if (type->kind == FRONT_BOOL && from->kind == FRONT_POINTER) return front_convert(p, n, type);
    if (type->kind == FRONT_POINTER && is_null_constant(n)) return front_convert(p, n, type);
    if (type->kind == FRONT_POINTER && from->kind == FRONT_POINTER &&
        (front_compatible(type->base, from->base) || type->base->kind == FRONT_VOID ||
         from->base->kind == FRONT_VOID)) {
        if (loses_quals(type, from))
            base_warn(p->cx, n->loc, "%s '%s' where '%s' is wanted discards qualifiers", doing[how],
                      front_type_name(p->cx, from), front_type_name(p->cx, type));
        return front_convert(p, n, type);
    }
    bool demoted = type->kind == FRONT_POINTER && type->base->kind == FRONT_F64 && from->kind == FRONT_POINTER &&
                   from->base->was_double; // modf, which becomes modff
    if (demoted && how == FRONT_PASSING) return n;
    incompatible(p, n, type, how);
    return front_error_node(p, n->token);
}

// ---- lvalues and assignment -----------------------------------------------------------------------------------------

// Notes at the variable, where one is named, that it or a part of it changes.
static void mark_written(struct front_node *n, bool address) {
    for (;;) {
        if (n->kind == FRONT_MEMBER) {
            n = n->a;
        } else if (n->kind == FRONT_INDEX && (n->a->flags & FRONT_FLAG_DECAY)) {
            n = n->a->a;
        } else {
            if (n->kind == FRONT_VAR) {
                n->symbol->written_again = n->symbol->written;
                n->symbol->written = true;
                n->symbol->address_taken = n->symbol->address_taken || address;
                n->symbol->written_at = n->symbol->address_taken ? UINT32_MAX : n->token;
            }
            return;
        }
    }
}

static bool check_assignable(struct front_parser *p, struct front_node *n) {
    if (!(n->flags & FRONT_FLAG_LVALUE)) {
        base_error(p->cx, n->loc, "expression is not assignable");
        return false;
    }
    if (n->type->kind == FRONT_ARRAY) {
        base_error(p->cx, n->loc, "array type '%s' is not assignable: copy it element by element",
                   front_type_name(p->cx, n->type));
        return false;
    }
    if (n->type->quals & FRONT_CONST) {
        if (n->kind == FRONT_VAR) {
            base_error(p->cx, n->loc, "cannot assign to variable '%s' with const-qualified type '%s'", n->symbol->name,
                       front_type_name(p->cx, n->type));
            base_note(p->cx, n->symbol->loc, "variable '%s' declared const here", n->symbol->name);
        } else {
            base_error(p->cx, n->loc, "cannot assign to this: its type '%s' is const", front_type_name(p->cx, n->type));
        }
        return false;
    }
    if (!front_is_scalar(n->type) && n->type->kind != FRONT_STRUCT) {
        base_error(p->cx, n->loc, "expression of type '%s' is not assignable", front_type_name(p->cx, n->type));
        return false;
    }
    return true;
}

static struct front_node *compound(struct front_parser *p, enum front_op op, struct front_node *a, struct front_node *b,
                                   uint32_t token) {
    struct front_type *type = front_unqualified(p, a->type), *calc;
    b = front_value(p, b);
    if (front_is_error(b)) return b;
    struct front_node *update = front_mixes_complex(a->type, b->type) ? front_complex_update(p, op, a, b, token) : NULL;
    if (update) return update;
    bool shift = op == FRONT_OP_SHL || op == FRONT_OP_SHR;
    bool integers = shift || op == FRONT_OP_REM || op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR;
    if (type->kind == FRONT_POINTER && (op == FRONT_OP_ADD || op == FRONT_OP_SUB) && front_is_integer(b->type)) {
        calc = type;
        b = front_promote(p, b);
    } else if (!front_is_arithmetic(type) || !front_is_arithmetic(b->type) ||
               (integers && !(front_is_integer(type) && front_is_integer(b->type)))) {
        base_error(p->cx, p->tokens[token].loc, "invalid operands to '%s=' ('%s' and '%s')", front_op_text(op),
                   front_type_name(p->cx, a->type), front_type_name(p->cx, b->type));
        return front_error_node(p, token);
    } else {
        enum front_type_kind kind = type->kind < FRONT_I32 ? FRONT_I32 : type->kind;
        b = front_promote(p, b);
        if (!shift && b->type->kind > kind) kind = b->type->kind;
        calc = front_basic_type(kind);
        if (!shift) b = front_convert(p, b, calc);
    }
    struct front_node *n = front_expr(p, FRONT_ASSIGN_OP, token, type, a, b);
    n->op = (uint8_t)op;
    n->calc = calc;
    return n;
}

struct front_node *front_build_assign(struct front_parser *p, enum front_op op, struct front_node *a,
                                      struct front_node *b, uint32_t token) {
    if (front_is_error(a) || front_is_error(b)) return front_error_node(p, token);
    if (!check_assignable(p, a)) return front_error_node(p, token);
    mark_written(a, false);
    if (op != FRONT_OP_NONE) return compound(p, op, a, b, token);
    b = front_convert_assign(p, b, a->type, FRONT_ASSIGNING);
    if (front_is_error(b)) return b;
    return front_expr(p, FRONT_ASSIGN, token, front_unqualified(p, a->type), a, b);
}

struct front_node *front_build_step(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token,
                                    bool post) {
    if (post && !front_is_error(a) && front_is_complex(a->type) && check_assignable(p, a))
        return front_complex_step(p, op, a, token);
    struct front_node *n = front_build_assign(p, op, a, front_int_node(p, FRONT_I32, 1, token), token);
    if (post && n->kind == FRONT_ASSIGN_OP) n->flags |= FRONT_FLAG_POST;
    return n;
}

struct front_node *front_build_addr(struct front_parser *p, struct front_node *a, uint32_t token) {
    if (front_is_error(a)) return a;
    if (a->type->kind == FRONT_FUNCTION) return front_value(p, a);
    if (!(a->flags & FRONT_FLAG_LVALUE)) {
        base_error(p->cx, p->tokens[token].loc, "cannot take the address of an rvalue of type '%s'",
                   front_type_name(p->cx, a->type));
        return front_error_node(p, token);
    }
    if (a->kind == FRONT_DEREF) { // &*p: the value of p
        struct front_node *value = base_alloc(p->cx, sizeof *value);
        *value = *a->a;
        value->flags &= (uint16_t)~FRONT_FLAG_LVALUE;
        return value;
    }
    mark_written(a, true);
    return front_expr(p, FRONT_ADDR, token, front_pointer_to(p, a->type, a->loc), a, NULL);
}
