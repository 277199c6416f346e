// Declarators: `*p[n]`, `(*rows)[16]`, `f(int n, float x[n])`.
//
// C writes types inside out. The parts are collected in the order in which they stand around the name, nearest first,
// and the type is built from the last one to the first.
#include "front/parse/parse.h"

#include <string.h>

enum part_kind { PART_POINTER, PART_ARRAY, PART_FUNCTION };
struct part {
    enum part_kind kind;
    base_loc loc;
    uint32_t quals;            // POINTER, and of an array parameter's pointer
    struct front_node *length; // ARRAY; NULL: none
    struct front_type *function;
    struct front_symbol **params;
};
struct parts {
    struct part *items;
    uint32_t count, cap;
};
// Arrays above this size are certainly a mistake, and products of sizes below it do not overflow.
#define MAX_TYPE_BYTES (UINT64_C(1) << 48)

static struct part *add_part(struct front_parser *p, struct parts *parts, enum part_kind kind) {
    BASE_RESERVE(p->cx, parts->items, parts->count, parts->cap);
    struct part *part = &parts->items[parts->count++];
    *part = (struct part){.kind = kind, .loc = front_here(p)};
    return part;
}

static uint32_t parse_quals(struct front_parser *p) {
    uint32_t quals = 0;
    for (;; front_next(p)) {
        front_skip_attributes(p);
        switch (front_peek(p)->kind) {
        case FRONT_KW_CONST: quals |= FRONT_CONST; break;
        case FRONT_KW_RESTRICT: quals |= FRONT_RESTRICT; break;
        case FRONT_KW_VOLATILE: quals |= FRONT_VOLATILE; break;
        case FRONT_KW_STATIC: break; // [static n]: a promise that is not needed
        case FRONT_KW_ATOMIC:
            base_unsupported(p->cx, front_here(p), "_Atomic is not supported: use a reduction clause");
        default: return quals;
        }
    }
}

static void parse_array_part(struct front_parser *p, struct parts *parts) {
    uint32_t index = parts->count;
    add_part(p, parts, PART_ARRAY);
    front_next(p);
    parts->items[index].quals = parse_quals(p);
    if (front_is(p, FRONT_P_STAR) && front_peek_at(p, 1)->kind == FRONT_P_RBRACKET)
        front_next(p);
    else if (!front_is(p, FRONT_P_RBRACKET)) {
        struct front_node *length = front_parse_assign(p);
        parts->items[index].length = length;
    }
    front_expect(p, FRONT_P_RBRACKET, "the length of the array");
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static struct front_symbol *parse_param(struct front_parser *p) {
    struct front_specifiers spec;
    struct front_declarator d;
    front_parse_specifiers(p, &spec);
    front_parse_declarator(p, spec.type, &d);
    front_skip_attributes(p);
    struct front_type *type = d.type;
    if (type->kind == FRONT_FUNCTION)
        base_unsupported(p->cx, p->tokens[d.token].loc,
                         "function pointers are not supported: choose with if or switch");
    if (type->kind == FRONT_VOID && type != p->error_type) {
        base_error(p->cx, p->tokens[d.token].loc, "a parameter cannot have type 'void'");
        type = p->error_type;
    }
    struct front_symbol *s = front_new_symbol(p, FRONT_SYM_PARAM, d.name ? d.name : "", type, d.token);
    if (type->kind == FRONT_ARRAY) s->type = front_pointer_to(p, type->base, s->loc);
    if (d.name) {
        const struct front_symbol *old = front_lookup(p, d.name);
        if (old && old->scope == p->scope && old->kind == FRONT_SYM_PARAM)
            base_error(p->cx, s->loc, "redefinition of parameter '%s'", d.name);
        front_bind(p, s);
    }
    return s;
}

static void parse_function_part(struct front_parser *p, struct parts *parts) {
    struct front_type *type = base_alloc(p->cx, sizeof *type);
    struct front_symbol **params = NULL;
    uint32_t count = 0, cap = 0, index = parts->count;
    add_part(p, parts, PART_FUNCTION);
    type->kind = FRONT_FUNCTION;
    front_next(p);
    front_open_scope(p);
    if (front_is(p, FRONT_P_RPAREN)) {
        type->no_prototype = true;
    } else if (front_is(p, FRONT_KW_VOID) && front_peek_at(p, 1)->kind == FRONT_P_RPAREN) {
        front_next(p);
    } else {
        enum front_token_kind after = front_peek_at(p, 1)->kind;
        if (front_is(p, FRONT_TOK_IDENT) && !front_starts_type(p, front_peek(p)) &&
            (after == FRONT_P_COMMA || after == FRONT_P_RPAREN))
            base_unsupported(p->cx, front_here(p),
                             "parameters without a type are not supported: write '(int %s)' or the like",
                             front_peek(p)->text);
        do {
            if (front_accept(p, FRONT_P_ELLIPSIS)) {
                type->variadic = true;
                break;
            }
            struct front_symbol *s = parse_param(p);
            BASE_RESERVE(p->cx, params, count, cap);
            params[count++] = s;
        } while (front_accept(p, FRONT_P_COMMA));
    }
    front_close_scope(p);
    front_expect(p, FRONT_P_RPAREN, "the parameters");
    type->param_count = count;
    type->params = base_alloc_array(p->cx, count ? count : 1, sizeof *type->params);
    for (uint32_t i = 0; i < count; i++)
        type->params[i] = params[i]->type;
    parts->items[index].function = type;
    parts->items[index].params = params;
}

// ---- collecting and building ----------------------------------------------------------------------------------------

static void collect(struct front_parser *p, struct parts *parts, struct front_declarator *out) {
    struct parts stars = {NULL, 0, 0};
    front_enter(p);
    while (front_is(p, FRONT_P_STAR)) {
        struct part *star = add_part(p, &stars, PART_POINTER);
        front_next(p);
        star->quals = parse_quals(p);
    }
    front_skip_attributes(p);
    // '(' opens a nested declarator unless a parameter list must stand here
    if (front_is(p, FRONT_P_LPAREN) && !front_starts_type(p, front_peek_at(p, 1)) &&
        front_peek_at(p, 1)->kind != FRONT_P_RPAREN) {
        front_next(p);
        collect(p, parts, out);
        front_expect(p, FRONT_P_RPAREN, "the declarator");
    } else if (front_is(p, FRONT_TOK_IDENT)) {
        out->name = front_peek(p)->text;
        out->token = front_next(p);
    } else {
        out->token = p->at;
    }
    while (front_is(p, FRONT_P_LBRACKET) || front_is(p, FRONT_P_LPAREN)) {
        if (front_is(p, FRONT_P_LBRACKET))
            parse_array_part(p, parts);
        else
            parse_function_part(p, parts);
    }
    for (uint32_t i = stars.count; i-- > 0;) {
        BASE_RESERVE(p->cx, parts->items, parts->count, parts->cap);
        parts->items[parts->count++] = stars.items[i];
    }
    front_leave(p);
}

static void set_length(struct front_parser *p, struct front_type *array, struct front_node *length, base_loc loc) {
    struct front_constant c;
    length = front_promote(p, front_value(p, length));
    array->unsized = false;
    array->length = 1;
    if (front_is_error(length)) return;
    if (!front_is_integer(length->type)) {
        base_error(p->cx, length->loc, "size of array has non-integer type '%s'", front_type_name(p->cx, length->type));
    } else if (!front_evaluate(length, p->scope > 0, &c)) {
        if (p->scope == 0)
            base_error(p->cx, length->loc, "the size of an array at file scope must be a constant");
        else if (front_has_effects(length))
            base_unsupported(p->cx, length->loc,
                             "a call or assignment inside the size of an array: put the size in a variable first");
        else
            array->length_expr = length;
    } else if (!front_is_unsigned(length->type) && (int64_t)c.integer < 0) {
        base_error(p->cx, length->loc, "array with a negative size");
    } else if (c.integer == 0) {
        base_error(p->cx, length->loc, "arrays of size zero are not C");
    } else {
        uint64_t each = front_type_size(array->base);
        if (c.integer > MAX_TYPE_BYTES / (each ? each : 1))
            base_error(p->cx, loc, "array is too large (%llu elements)", (unsigned long long)c.integer);
        else
            array->length = c.integer;
    }
}

static struct front_type *build_array(struct front_parser *p, struct front_type *element, const struct part *part) {
    bool incomplete =
        element->kind == FRONT_STRUCT ? !element->record->complete : element->kind == FRONT_ARRAY && element->unsized;
    if (element == p->error_type) return element;
    if (element->kind == FRONT_VOID || element->kind == FRONT_FUNCTION || incomplete) {
        base_error(p->cx, part->loc, "array has incomplete element type '%s'", front_type_name(p->cx, element));
        return p->error_type;
    }
    struct front_type *array = front_array_of(p, element, part->loc);
    if (part->length) set_length(p, array, part->length, part->loc);
    return array;
}

void front_parse_declarator(struct front_parser *p, struct front_type *base, struct front_declarator *out) {
    struct parts parts = {NULL, 0, 0};
    memset(out, 0, sizeof *out);
    collect(p, &parts, out);
    struct front_type *type = base;
    for (uint32_t i = parts.count; i-- > 0;) {
        struct part *part = &parts.items[i];
        if (part->kind == PART_POINTER) {
            bool is_builtin = p->tokens[out->token].flags & FRONT_TOKEN_BUILTIN; // qsort's: nobody can pass it anything
            if (type->kind == FRONT_FUNCTION && (is_builtin || p->in_members))
                type = front_basic_type(FRONT_VOID); // a member nobody can set or call, but structs may have it
            else if (type->kind == FRONT_FUNCTION)
                base_unsupported(p->cx, part->loc, "function pointers are not supported: choose with if or switch");
            type = front_qualified(p, front_pointer_to(p, type, part->loc), part->quals);
        } else if (part->kind == PART_ARRAY) {
            type = build_array(p, type, part);
        } else {
            if (type->kind == FRONT_FUNCTION || type->kind == FRONT_ARRAY) {
                base_error(p->cx, part->loc, "function cannot return the %s type '%s'",
                           type->kind == FRONT_ARRAY ? "array" : "function", front_type_name(p->cx, type));
                type = front_basic_type(FRONT_I32);
            }
            part->function->base = type;
            part->function->depth = type->depth + 1;
            type = part->function;
        }
    }
    if (parts.count && parts.items[0].kind == PART_FUNCTION) {
        out->has_params = true;
        out->params = parts.items[0].params;
        out->param_count = parts.items[0].function->param_count;
    }
    out->type = type;
}

struct front_type *front_parse_type_name(struct front_parser *p) {
    struct front_specifiers spec;
    struct front_declarator d;
    front_parse_specifiers(p, &spec);
    front_parse_declarator(p, spec.type, &d);
    if (d.name) base_fatal(p->cx, p->tokens[d.token].loc, "a type name cannot declare '%s'", d.name);
    return d.type;
}
