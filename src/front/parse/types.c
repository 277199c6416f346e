// C types: making them, comparing them, their sizes and their names.
//
// A type is never changed after it was made; a qualified version is a copy. Structs are the same where their record is.
#include "front/parse/parse.h"

#include <string.h>

enum { MAX_TYPE_DEPTH = 256 };

static const struct basic {
    struct front_type type;
    const char *name;
    uint8_t bytes, bits;
    bool is_unsigned;
    enum whorl_dtype dtype;
} basic[] = {
    [FRONT_VOID] = {.type = {.kind = FRONT_VOID}, .name = "void"},
#define X(kind_, name, bytes, bits, is_unsigned, dtype, word) \
    [FRONT_##kind_] = {{.kind = FRONT_##kind_}, name, bytes, bits, is_unsigned, WHORL_##dtype},
#include "front/parse/types.def"
#undef X
};

static const struct basic *basic_of(const struct front_type *t) {
    return &basic[t->kind <= FRONT_LAST_BASIC ? t->kind : FRONT_VOID];
}

struct front_type *front_basic_type(enum front_type_kind kind) {
    return (struct front_type *)&basic[kind].type; // nobody writes through it
}

struct front_type *front_double_as_float(void) {
    static const struct front_type type = {.kind = FRONT_F32, .was_double = true};
    return (struct front_type *)(uintptr_t)&type; // nor this one
}

bool front_was_doubles(const struct front_type *type) {
    if (type->kind == FRONT_ARRAY) return front_was_doubles(type->base);
    if (type->kind != FRONT_STRUCT) return type->was_double;
    for (uint32_t i = 0; i < type->record->count; i++)
        if (!front_was_doubles(type->record->fields[i].type)) return false;
    return type->record->count > 0 && !type->record->is_union;
}

bool front_has_doubles(const struct front_type *type) {
    if (type->kind == FRONT_ARRAY) return front_has_doubles(type->base);
    if (type->kind != FRONT_STRUCT) return type->was_double;
    for (uint32_t i = 0; i < type->record->count; i++)
        if (front_has_doubles(type->record->fields[i].type)) return true;
    return false;
}

bool front_is_laid_out(const struct front_type *type) {
    if (type->kind == FRONT_ARRAY) return front_is_laid_out(type->base);
    if (type->kind != FRONT_STRUCT) return false;
    bool found = type->record->laid_out;
    for (uint32_t i = 0; i < type->record->count && !found; i++)
        found = front_is_laid_out(type->record->fields[i].type);
    return found;
}

bool front_is_integer(const struct front_type *t) { return basic_of(t)->bits > 0; }
bool front_is_float(const struct front_type *t) { return front_is_arithmetic(t) && basic_of(t)->bits == 0; }
bool front_is_arithmetic(const struct front_type *t) { return t->kind > FRONT_VOID && t->kind <= FRONT_LAST_BASIC; }
bool front_is_scalar(const struct front_type *t) { return front_is_arithmetic(t) || t->kind == FRONT_POINTER; }
bool front_is_unsigned(const struct front_type *t) { return basic_of(t)->is_unsigned; }
uint32_t front_int_bits(const struct front_type *t) { return basic_of(t)->bits; }
enum whorl_dtype front_dtype(const struct front_type *t) { return basic_of(t)->dtype; }

bool front_is_pair(const struct front_type *t) { return t->kind == FRONT_STRUCT && t->record->is_pair; }
bool front_is_complex(const struct front_type *t) { return t->kind == FRONT_STRUCT && t->record->complex_of; }

bool front_is_variable(const struct front_type *t) {
    for (; t && t->kind != FRONT_FUNCTION; t = t->base)
        if (t->kind == FRONT_ARRAY && t->length_expr) return true;
    return false;
}

uint64_t front_type_size(const struct front_type *t) {
    switch (t->kind) {
    case FRONT_POINTER: return 8;
    case FRONT_STRUCT: return t->record->size_bytes;
    case FRONT_ARRAY:
        return t->unsized || t->length_expr ? 0 : t->length * front_type_size(t->base); // checked where it was made
    default: return basic_of(t)->bytes;
    }
}

uint32_t front_type_align(const struct front_type *t) {
    while (t->kind == FRONT_ARRAY)
        t = t->base;
    if (t->kind == FRONT_STRUCT) return t->record->align ? t->record->align : 1;
    uint64_t size = front_type_size(t);
    return size ? (uint32_t)size : 1;
}

static struct front_type *derived(struct front_parser *p, enum front_type_kind kind, struct front_type *base,
                                  base_loc loc) {
    struct front_type *t = base_alloc(p->cx, sizeof *t);
    t->kind = kind;
    t->base = base;
    t->depth = base->depth + 1;
    if (t->depth > MAX_TYPE_DEPTH) base_fatal(p->cx, loc, "type is nested more than %d levels deep", MAX_TYPE_DEPTH);
    return t;
}

struct front_type *front_pointer_to(struct front_parser *p, struct front_type *base, base_loc loc) {
    return derived(p, FRONT_POINTER, base, loc);
}

struct front_type *front_array_of(struct front_parser *p, struct front_type *element, base_loc loc) {
    struct front_type *t = derived(p, FRONT_ARRAY, element, loc);
    t->unsized = true;
    t->quals = element->quals;
    return t;
}

struct front_type *front_qualified(struct front_parser *p, struct front_type *type, uint32_t quals) {
    if ((type->quals | quals) == type->quals || type == p->error_type || type->kind == FRONT_FUNCTION) return type;
    struct front_type *t = base_alloc(p->cx, sizeof *t);
    *t = *type;
    t->quals = (uint8_t)(type->quals | quals);
    if (t->kind == FRONT_ARRAY) t->base = front_qualified(p, type->base, quals);
    return t;
}

struct front_type *front_unqualified(struct front_parser *p, struct front_type *type) {
    if (!type->quals || type == p->error_type || type->kind == FRONT_ARRAY) return type;
    if (type->kind <= FRONT_F64) return front_basic_type(type->kind);
    struct front_type *t = base_alloc(p->cx, sizeof *t);
    *t = *type;
    t->quals = 0;
    return t;
}

// `loose`: inner qualifiers are ignored, lengths that are not both constants agree.
static bool alike(const struct front_type *x, const struct front_type *y, bool loose) {
    for (;;) {
        if (x == y) return true;
        if (x->kind != y->kind) return false;
        switch (x->kind) {
        case FRONT_STRUCT: return x->record == y->record;
        case FRONT_ARRAY:
            if (x->unsized || y->unsized || x->length_expr || y->length_expr) {
                if (!loose && (x->unsized != y->unsized || x->length_expr != y->length_expr)) return false;
            } else if (x->length != y->length) {
                return false;
            }
            break;
        case FRONT_FUNCTION:
            if (!x->no_prototype && !y->no_prototype) {
                if (x->param_count != y->param_count || x->variadic != y->variadic) return false;
                for (uint32_t i = 0; i < x->param_count; i++)
                    if (!alike(x->params[i], y->params[i], loose)) return false;
            }
            break;
        case FRONT_POINTER: break;
        default: return true;
        }
        x = x->base;
        y = y->base;
        if (!loose && x->quals != y->quals) return false;
    }
}

bool front_type_same(const struct front_type *x, const struct front_type *y) { return alike(x, y, false); }
bool front_compatible(const struct front_type *x, const struct front_type *y) { return alike(x, y, true); }

static void put_quals(struct base_text *out, uint32_t quals) {
    if (quals & FRONT_CONST) base_text_put(out, "const ");
    if (quals & FRONT_VOLATILE) base_text_put(out, "volatile ");
    if (quals & FRONT_RESTRICT) base_text_put(out, "restrict ");
}

static void put_length(struct base_text *out, const struct front_type *t) {
    if (t->unsized)
        base_text_put(out, "[]");
    else if (!t->length_expr)
        base_text_format(out, "[%llu]", (unsigned long long)t->length);
    else if (t->length_expr->kind == FRONT_VAR)
        base_text_format(out, "[%s]", t->length_expr->symbol->name);
    else
        base_text_put(out, "[...]");
}

// C's inside-out notation: what stands left of the name, then what stands right of it.
static void put_left(struct base_text *out, const struct front_type *t) {
    switch (t->kind) {
    case FRONT_POINTER:
        put_left(out, t->base);
        if (t->base->kind == FRONT_ARRAY || t->base->kind == FRONT_FUNCTION)
            base_text_put(out, out->size && out->data[out->size - 1] == ' ' ? "(" : " (");
        else if (out->size && out->data[out->size - 1] != '*')
            base_text_put(out, " ");
        base_text_put(out, "*");
        if (t->quals) {
            put_quals(out, t->quals);
            out->data[--out->size] = '\0';
        }
        break;
    case FRONT_ARRAY:
    case FRONT_FUNCTION: put_left(out, t->base); break;
    case FRONT_STRUCT:
        put_quals(out, t->quals);
        if (t->record->is_pair)
            base_text_put(out, "double");
        else if (t->record->complex_of)
            base_text_put(out, t->record->complex_of == FRONT_F64 ? "double _Complex" : "float _Complex");
        else
            base_text_format(out, "%s %s", t->record->is_union ? "union" : "struct",
                             t->record->tag[0] ? t->record->tag : "(unnamed)");
        break;
    default: put_quals(out, t->quals); base_text_put(out, basic_of(t)->name);
    }
}

static void put_right(struct base_text *out, const struct front_type *t) {
    switch (t->kind) {
    case FRONT_POINTER:
        if (t->base->kind == FRONT_ARRAY || t->base->kind == FRONT_FUNCTION) base_text_put(out, ")");
        put_right(out, t->base);
        break;
    case FRONT_ARRAY:
        put_length(out, t);
        put_right(out, t->base);
        break;
    case FRONT_FUNCTION:
        base_text_put(out, "(");
        for (uint32_t i = 0; i < t->param_count; i++) {
            if (i) base_text_put(out, ", ");
            put_left(out, t->params[i]);
            put_right(out, t->params[i]);
        }
        base_text_put(out, t->variadic ? ", ...)" : t->param_count || t->no_prototype ? ")" : "void)");
        put_right(out, t->base);
        break;
    default: break;
    }
}

const char *front_type_name(struct base_cx *cx, const struct front_type *type) {
    struct base_text out;
    base_text_init(&out, cx);
    put_left(&out, type);
    if ((type->kind == FRONT_ARRAY || type->kind == FRONT_FUNCTION) && out.data[out.size - 1] != '*')
        base_text_put(&out, " ");
    put_right(&out, type);
    return out.data;
}
