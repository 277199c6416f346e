// Initialisers: braces, missing braces, designators and strings become a flat list of (path, value).
//
// One stack of levels leads from the variable to the object that comes next. A brace opens at some level (its base);
// elements advance the top level and fall back to the base, designators start again from the base, and a value for an
// aggregate without braces of its own descends to the first leaf.
#include "front/parse/parse.h"

#include <string.h>

enum { MAX_LEVELS = 128, MAX_REPLACED = 1 << 24 };

struct level {
    struct front_type *type; // struct or array
    uint64_t index;          // of the current member or element
    uint64_t offset;         // of this object from the variable's start
};
struct cursor {
    struct front_parser *p;
    struct front_inits *out;
    struct level levels[MAX_LEVELS];
    uint32_t depth;
    uint64_t length;   // of the variable, where it is an array without a size
    uint64_t replaced; // work done on initialisers that a later designator replaced
};

static uint64_t count_of(const struct cursor *c, uint32_t level) {
    const struct front_type *type = c->levels[level].type;
    if (type->kind == FRONT_STRUCT) return type->record->is_union ? 1 : type->record->count;
    return type->unsized ? UINT64_C(1) << 40 : type->length;
}

static bool is_aggregate(const struct front_type *type) {
    return (type->kind == FRONT_STRUCT && !front_is_complex(type)) || type->kind == FRONT_ARRAY;
}

// The object that the top level points at.
static struct front_type *current(struct cursor *c, uint64_t *out_offset) {
    struct level *top = &c->levels[c->depth - 1];
    if (top->type->kind == FRONT_STRUCT) {
        struct front_field *field = &top->type->record->fields[top->index];
        *out_offset = top->offset + field->offset_bytes;
        return front_qualified(c->p, field->type, 0);
    }
    *out_offset = top->offset + top->index * front_type_size(top->type->base);
    return top->type->base;
}

static void push(struct cursor *c, struct front_type *type, uint64_t offset) {
    if (c->depth == MAX_LEVELS)
        base_fatal(c->p->cx, front_here(c->p), "initializer nested more than %d levels deep", MAX_LEVELS);
    c->levels[c->depth++] = (struct level){type, 0, offset};
}

static void note_length(struct cursor *c) {
    if (c->depth && c->levels[0].type->kind == FRONT_ARRAY && c->levels[0].index + 1 > c->length)
        c->length = c->levels[0].index + 1;
}

static void emit(struct cursor *c, uint64_t offset, struct front_node *value) {
    struct front_inits *out = c->out;
    BASE_RESERVE(c->p->cx, out->items, out->count, out->cap);
    struct front_init *init = &out->items[out->count++];
    init->path = base_alloc_array(c->p->cx, c->depth ? c->depth : 1, sizeof *init->path);
    init->depth = c->depth;
    init->offset_bytes = offset;
    init->value = value;
    for (uint32_t i = 0; i < c->depth; i++) {
        const struct level *level = &c->levels[i];
        init->path[i].index = level->index;
        init->path[i].field = level->type->kind == FRONT_STRUCT ? &level->type->record->fields[level->index] : NULL;
    }
    note_length(c);
}

// A whole object is given anew: what an earlier initialiser said about its parts does not count.
static void replace(struct cursor *c, uint64_t offset, const struct front_type *type) {
    uint64_t end = offset + front_type_size(type);
    for (uint32_t i = c->out->count; i-- > 0;) {
        struct front_init *init = &c->out->items[i];
        if (init->offset_bytes >= offset && init->offset_bytes < end) init->value = NULL;
    }
    c->replaced += c->out->count;
    if (c->replaced > MAX_REPLACED)
        base_unsupported(c->p->cx, front_here(c->p), "this many designators: give the elements in order");
}

static void emit_string(struct cursor *c, struct front_type *array, uint64_t offset, const struct front_node *string) {
    uint64_t room = array->unsized ? (uint64_t)string->string_size + 1 : array->length;
    if (string->string_size > room) base_warn(c->p->cx, string->loc, "initializer string for char array is too long");
    push(c, array, offset);
    if (c->depth == 1) c->length = room;
    for (uint64_t i = 0; i < string->string_size && i < room; i++) {
        c->levels[c->depth - 1].index = i;
        struct front_node *byte = front_int_node(c->p, array->base->kind, (uint8_t)string->string[i], string->token);
        emit(c, offset + i, byte);
    }
    c->depth--;
}

static bool takes_string(const struct front_type *type, const struct front_node *value) {
    return value->kind == FRONT_STRING && type->kind == FRONT_ARRAY &&
           (type->base->kind == FRONT_I8 || type->base->kind == FRONT_U8);
}

// An expression for the object of `type`, or for its first leaf where it has none of that type.
static void place(struct cursor *c, struct front_type *type, uint64_t offset, struct front_node *value) {
    while (is_aggregate(type) && type != c->p->error_type) {
        if (takes_string(type, value)) {
            emit_string(c, type, offset, value);
            return;
        }
        if (type->kind == FRONT_STRUCT && (front_is_error(value) || value->type->kind == FRONT_STRUCT)) break;
        push(c, type, offset);
        type = current(c, &offset);
    }
    emit(c, offset, front_convert_assign(c->p, value, type, FRONT_INITIALIZING));
}

// .a[3].b = : from the brace's own level down.
static void parse_designators(struct cursor *c, uint32_t base) {
    struct front_parser *p = c->p;
    c->depth = base + 1;
    for (bool first = true;; first = false) {
        bool dot = front_is(p, FRONT_P_DOT);
        if (!dot && !front_is(p, FRONT_P_LBRACKET)) break;
        uint32_t token = front_next(p);
        if (!first) {
            uint64_t offset;
            struct front_type *type = current(c, &offset);
            if (!is_aggregate(type))
                base_fatal(p->cx, p->tokens[token].loc, "designator in an object of type '%s'",
                           front_type_name(p->cx, type));
            push(c, type, offset);
        }
        struct level *top = &c->levels[c->depth - 1];
        if (dot) {
            if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of a member");
            const char *name = front_peek(p)->text;
            token = front_next(p);
            if (top->type->kind != FRONT_STRUCT)
                base_fatal(p->cx, p->tokens[token].loc, "field designator in an array of type '%s'",
                           front_type_name(p->cx, top->type));
            struct front_field *field = front_find_field(top->type->record, name);
            if (!field)
                base_fatal(p->cx, p->tokens[token].loc,
                           "field designator '%s' does not refer to any field in type '%s'", name,
                           front_type_name(p->cx, top->type));
            top->index = field->index;
            while (strcmp(field->name, name) != 0) { // inside an anonymous struct
                uint64_t offset;
                struct front_type *type = current(c, &offset);
                push(c, type, offset);
                field = front_find_field(type->record, name);
                c->levels[c->depth - 1].index = field->index;
            }
        } else {
            if (top->type->kind != FRONT_ARRAY)
                base_fatal(p->cx, p->tokens[token].loc, "array designator in '%s'", front_type_name(p->cx, top->type));
            int64_t index = front_parse_constant(p, "an array designator");
            if (front_is(p, FRONT_P_ELLIPSIS))
                base_unsupported(p->cx, front_here(p),
                                 "designators of a range are not supported: fill the array in a loop");
            front_expect(p, FRONT_P_RBRACKET, "the array designator");
            if (index < 0 || (uint64_t)index >= count_of(c, c->depth - 1))
                base_fatal(p->cx, p->tokens[token].loc, "array designator index (%lld) exceeds array bounds",
                           (long long)index);
            top->index = (uint64_t)index;
        }
    }
    front_expect(p, FRONT_P_ASSIGN, "the designator");
}

// The next object without a designator; false where the brace's own level is full.
static bool advance(struct cursor *c, uint32_t base) {
    for (;; c->depth--) {
        struct level *top = &c->levels[c->depth - 1];
        if (++top->index < count_of(c, c->depth - 1)) return true;
        if (c->depth == base + 1) return false;
    }
}

static void parse_braces(struct cursor *c, struct front_type *type, uint64_t offset);

static void parse_item(struct cursor *c, bool designated) {
    uint64_t offset;
    struct front_type *type = current(c, &offset);
    if (is_aggregate(type) && designated) replace(c, offset, type);
    note_length(c);
    if (front_is(c->p, FRONT_P_LBRACE))
        parse_braces(c, type, offset);
    else
        place(c, type, offset, front_parse_assign(c->p));
}

// { ... } for the object of `type`; the levels are as before afterwards.
static void parse_braces(struct cursor *c, struct front_type *type, uint64_t offset) {
    struct front_parser *p = c->p;
    uint32_t base = c->depth;
    bool first = true, excess = false;
    front_enter(p);
    base_loc open = front_here(p);
    front_next(p);
    if (!is_aggregate(type)) {
        if (front_is(p, FRONT_P_RBRACE)) base_fatal(p->cx, open, "scalar initializer cannot be empty");
        if (front_is(p, FRONT_P_LBRACE))
            parse_braces(c, type, offset);
        else
            place(c, type, offset, front_parse_assign(p));
        if (front_accept(p, FRONT_P_COMMA) && !front_is(p, FRONT_P_RBRACE))
            base_fatal(p->cx, front_here(p), "excess elements in scalar initializer");
    } else {
        push(c, type, offset);
        while (!front_is(p, FRONT_P_RBRACE)) {
            bool designated = front_is(p, FRONT_P_DOT) || front_is(p, FRONT_P_LBRACKET), room = true;
            if (designated)
                parse_designators(c, base);
            else if (!first)
                room = advance(c, base);
            if (first && front_is(p, FRONT_TOK_STRING) && type->kind == FRONT_ARRAY &&
                !is_aggregate(type->base)) { // char s[] = {"abc"}
                struct front_node *value = front_parse_assign(p);
                if (takes_string(type, value)) {
                    c->depth = base;
                    emit_string(c, type, offset, value);
                    push(c, type, offset);
                    c->levels[base].index = count_of(c, base) - 1;
                } else {
                    uint64_t at;
                    struct front_type *element = current(c, &at);
                    place(c, element, at, value);
                }
            } else if (room) {
                parse_item(c, designated);
            } else {
                base_loc loc = front_here(p);
                if (!excess)
                    base_error(p->cx, loc, "excess elements in %s initializer",
                               type->kind == FRONT_ARRAY ? "array" : "struct");
                excess = true;
                if (front_is(p, FRONT_P_LBRACE)) base_check_errors(p->cx); // nothing to match it with
                front_parse_assign(p);
            }
            first = false;
            if (!front_accept(p, FRONT_P_COMMA)) break;
        }
    }
    front_expect(p, FRONT_P_RBRACE, "the initializers");
    c->depth = base;
    front_leave(p);
}

struct front_node *front_parse_initializer(struct front_parser *p, struct front_type **type,
                                           struct front_inits *out_inits) {
    struct front_type *t = *type;
    struct cursor *c = NULL;
    bool braces = front_is(p, FRONT_P_LBRACE);
    if (t == p->error_type || (braces && t->kind == FRONT_STRUCT && !t->record->complete)) {
        if (!braces) {
            front_parse_assign(p);
            return front_error_node(p, p->at);
        }
        base_check_errors(p->cx);
        base_fatal(p->cx, front_here(p), "initializer for incomplete type '%s'", front_type_name(p->cx, t));
    }
    if (!braces) {
        struct front_node *value = front_parse_assign(p);
        if (t->kind != FRONT_ARRAY) return front_convert_assign(p, value, t, FRONT_INITIALIZING);
        if (!takes_string(t, value)) {
            if (!front_is_error(value))
                base_error(p->cx, value->loc, "array initializer must be an initializer list%s",
                           t->base->kind == FRONT_I8 ? " or string literal" : "");
            return front_error_node(p, value->token);
        }
        c = base_alloc(p->cx, sizeof *c);
        c->p = p;
        c->out = out_inits;
        emit_string(c, t, 0, value);
    } else {
        c = base_alloc(p->cx, sizeof *c);
        c->p = p;
        c->out = out_inits;
        parse_braces(c, t, 0);
        if (!is_aggregate(t) && out_inits->count) { // float x = {1}
            struct front_node *value = out_inits->items[0].value;
            out_inits->count = 0;
            return value;
        }
    }
    if (t->kind == FRONT_ARRAY && t->unsized) {
        struct front_type *sized = base_alloc(p->cx, sizeof *sized);
        *sized = *t;
        sized->unsized = false;
        sized->length = c->length ? c->length : 1;
        if (!c->length) base_error(p->cx, p->tokens[p->at].loc, "array without a size and without initializers");
        *type = sized;
    }
    return NULL;
}
