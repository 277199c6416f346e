// struct, union and enum: tags, members, layout as the C compilers of 64-bit machines have it.
#include "front/parse/parse.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 1024, MAX_STRUCT_DEPTH = 64 };
#define MAX_STRUCT_BYTES (UINT64_C(1) << 28)

struct front_field *front_find_field(const struct front_record *record, const char *name) {
    for (uint32_t i = 0; i < record->count; i++) {
        struct front_field *field = &record->fields[i];
        if (strcmp(field->name, name) == 0) return field;
        if (!field->name[0] && field->type->kind == FRONT_STRUCT && front_find_field(field->type->record, name))
            return field;
    }
    return NULL;
}

static struct front_type *type_of(struct front_parser *p, struct front_record *record) {
    struct front_type *type = base_alloc(p->cx, sizeof *type);
    type->kind = FRONT_STRUCT;
    type->record = record;
    return type;
}

static struct front_tag *new_tag(struct front_parser *p, uint32_t token, const char *name) {
    struct front_tag *tag = base_alloc(p->cx, sizeof *tag);
    tag->name = name;
    tag->loc = p->tokens[token].loc;
    if (name[0]) front_bind_tag(p, tag);
    return tag;
}

static struct front_record *new_record(struct front_parser *p, uint32_t token, const char *name, bool is_union) {
    struct front_record *record = base_alloc(p->cx, sizeof *record);
    record->is_union = is_union;
    record->tag = name;
    record->id = ++p->record_count;
    record->loc = p->tokens[token].loc;
    return record;
}

static bool check_field(struct front_parser *p, const struct front_record *record, const struct front_type *type,
                        const char *name, base_loc loc) {
    if (type == p->error_type) return false;
    if (front_is_variable(type))
        base_unsupported(p->cx, loc,
                         "members of variable size are not supported: use a constant, or an array of its own");
    const struct front_type *leaf = type;
    while (leaf->kind == FRONT_ARRAY)
        leaf = leaf->base;
    if (leaf->kind == FRONT_VOID || leaf->kind == FRONT_FUNCTION ||
        (leaf->kind == FRONT_STRUCT && !leaf->record->complete)) {
        base_error(p->cx, loc, "field '%s' has incomplete type '%s'", name, front_type_name(p->cx, type));
        return false;
    }
    const struct front_field *old = name[0] ? front_find_field(record, name) : NULL;
    if (old) {
        base_error(p->cx, loc, "duplicate member '%s'", name);
        base_note(p->cx, old->loc, "previous declaration is here");
        return false;
    }
    if (record->is_union && type->kind != FRONT_F32 && type->kind != FRONT_I32 && type->kind != FRONT_U32)
        base_unsupported(p->cx, loc,
                         "members of a union are int, unsigned or float, '%s' has type '%s': use a struct, or memcpy "
                         "for the bits of a value",
                         name, front_type_name(p->cx, type));
    if (record->count >= MAX_FIELDS) base_unsupported(p->cx, loc, "a struct of more than %d members", MAX_FIELDS);
    return true;
}

static void add_field(struct front_parser *p, struct front_record *record, struct front_type *type, const char *name,
                      base_loc loc) {
    if (!check_field(p, record, type, name, loc)) return;
    uint64_t align = front_type_align(type);
    const struct front_type *leaf = type;
    uint32_t depth = 1;
    for (; leaf->kind == FRONT_ARRAY; leaf = leaf->base)
        depth++;
    if (leaf->kind == FRONT_STRUCT) depth += leaf->record->depth;
    record->depth = depth > record->depth ? depth : record->depth;
    BASE_RESERVE(p->cx, record->fields, record->count, record->cap);
    struct front_field *field = &record->fields[record->count];
    *field = (struct front_field){.name = name, .type = type, .index = record->count, .loc = loc};
    field->offset_bytes = record->is_union ? 0 : (record->size_bytes + align - 1) / align * align;
    record->size_bytes = field->offset_bytes + front_type_size(type);
    record->align = align > record->align ? (uint32_t)align : record->align;
    record->count++;
    if (record->size_bytes > MAX_STRUCT_BYTES || record->depth > MAX_STRUCT_DEPTH)
        base_unsupported(p->cx, loc, "a struct as large or as deeply nested as this: use arrays");
}

static void parse_members(struct front_parser *p, struct front_record *record) {
    struct front_specifiers spec;
    base_loc loc = front_here(p);
    if (front_is(p, FRONT_KW_STATIC_ASSERT)) {
        front_parse_static_assert(p);
        return;
    }
    if (front_accept(p, FRONT_P_SEMI)) return;
    front_parse_specifiers(p, &spec);
    if (front_is(p, FRONT_P_SEMI)) {
        if (spec.type->kind == FRONT_STRUCT && !spec.type->record->tag[0])
            add_field(p, record, spec.type, "", loc);
        else
            base_warn(p->cx, loc, "declaration does not declare anything");
    } else {
        do {
            struct front_declarator d;
            bool in_members = p->in_members;
            p->in_members = true;
            front_parse_declarator(p, spec.type, &d);
            p->in_members = in_members;
            if (front_is(p, FRONT_P_COLON))
                base_unsupported(p->cx, front_here(p),
                                 "bit-fields are not supported: use shifts and masks of a uint32_t");
            if (!d.name) front_syntax_error(p, "the name of a member");
            front_skip_attributes(p);
            if (d.type->kind == FRONT_FUNCTION)
                base_unsupported(p->cx, p->tokens[d.token].loc, "a function as a member is not C");
            add_field(p, record, d.type, d.name, p->tokens[d.token].loc);
        } while (front_accept(p, FRONT_P_COMMA));
    }
    front_expect(p, FRONT_P_SEMI, "the member");
}

static void wrong_tag(struct front_parser *p, const struct front_tag *tag, uint32_t token) {
    base_error(p->cx, p->tokens[token].loc, "use of '%s' with tag type that does not match previous declaration",
               tag->name);
    base_note(p->cx, tag->loc, "previous use is here");
}

// pack(N), pack(), pack(push), pack(push, N), pack(pop)
static void take_pack(struct front_parser *p, const char *text) {
    const char *digits = strpbrk(text, "0123456789");
    bool pushes = strstr(text, "push") != NULL, pops = strstr(text, "pop") != NULL;
    if (pushes && p->pack.depth < FRONT_MAX_PACK) p->pack.outer[p->pack.depth++] = p->pack.bytes;
    if (pops && p->pack.depth) p->pack.bytes = p->pack.outer[--p->pack.depth];
    if (digits || !(pushes || pops)) p->pack.bytes = digits ? (uint32_t)strtoul(digits, NULL, 10) : 0;
}

// What `#pragma pack` says at the current token.
static void follow_packs(struct front_parser *p) {
    for (; p->pack.at < p->at; p->pack.at++) {
        const struct front_token *token = &p->tokens[p->pack.at];
        const char *text = token->text + 4;
        if (token->kind != FRONT_TOK_PRAGMA_OTHER || strncmp(token->text, "pack", 4) != 0) continue;
        if (text[strspn(text, " ")] == '(') take_pack(p, text);
    }
}

// With attributes of its own: `aligned(16)` of 16 bytes moves nothing, but in a struct around it.
static struct front_type *end_struct(struct front_parser *p, struct front_record *record, uint32_t own,
                                     bool is_packed) {
    uint64_t align = record->align ? record->align : 1;
    record->size_bytes = (record->size_bytes + align - 1) / align * align;
    record->complete = true;
    struct front_type *type = type_of(p, record);
    follow_packs(p);
    bool has_doubles = front_has_doubles(type);
    uint64_t most = has_doubles ? sizeof(double) : align;
    bool packed = is_packed && most > 1; // bytes stand side by side anyhow
    bool grows = own && (has_doubles || record->size_bytes % own);
    record->laid_out = record->laid_out || grows || packed || (p->pack.bytes && p->pack.bytes < most);
    if (own > align && !grows) record->align = own;
    return type;
}

struct front_type *front_parse_struct(struct front_parser *p) {
    bool is_union = front_is(p, FRONT_KW_UNION);
    uint32_t token = front_next(p), packs = p->packs, aligns_around = p->aligns;
    const char *name = "";
    p->alignment = 0;
    front_skip_attributes(p);
    uint32_t own = p->alignment;
    if (front_is(p, FRONT_TOK_IDENT)) {
        name = front_peek(p)->text;
        token = front_next(p);
    } else if (!front_is(p, FRONT_P_LBRACE)) {
        front_syntax_error(p, "the name of a struct or '{'");
    }
    bool defines = front_is(p, FRONT_P_LBRACE);
    struct front_tag *tag = name[0] ? front_lookup_tag(p, name) : NULL;
    if (tag && (defines || front_is(p, FRONT_P_SEMI)) && tag->scope != p->scope) tag = NULL;
    if (tag && (!tag->record || tag->record->is_union != is_union)) {
        wrong_tag(p, tag, token);
        tag = NULL;
    }
    if (!tag) {
        tag = new_tag(p, token, name);
        tag->record = new_record(p, token, name, is_union);
    }
    struct front_record *record = tag->record;
    if (!defines) return type_of(p, record);
    if (record->complete || record->count) {
        base_error(p->cx, p->tokens[token].loc, "redefinition of 'struct %s'", name);
        base_note(p->cx, record->loc, "previous definition is here");
        record = new_record(p, token, name, is_union);
    }
    record->loc = p->tokens[token].loc;
    uint32_t aligns = p->aligns;
    front_next(p);
    front_enter(p);
    while (!front_is(p, FRONT_P_RBRACE)) {
        if (front_is(p, FRONT_TOK_END)) front_syntax_error(p, "'}'");
        parse_members(p, record);
    }
    front_leave(p);
    front_next(p);
    if (!record->count) base_fatal(p->cx, record->loc, "a struct without members is not C");
    record->laid_out = p->aligns != aligns; // members
    p->alignment = 0;
    front_skip_attributes(p);
    p->aligns = aligns_around;
    struct front_type *type = end_struct(p, record, own > p->alignment ? own : p->alignment, p->packs != packs);
    if (p->tokens[token].flags & FRONT_TOKEN_BUILTIN) front_note_complex(p, type);
    return type;
}

struct range {
    int64_t lo, hi;
};

// The type of an enumeration; `packed` makes it the smallest.
static struct front_type *enum_type(const struct range *r, bool is_packed) {
    bool negative = r->lo < 0;
    if (!is_packed) return front_basic_type(negative ? FRONT_I32 : FRONT_U32);
    if (negative ? r->lo >= INT8_MIN && r->hi <= INT8_MAX : r->hi <= UINT8_MAX)
        return front_basic_type(negative ? FRONT_I8 : FRONT_U8);
    if (negative ? r->lo >= INT16_MIN && r->hi <= INT16_MAX : r->hi <= UINT16_MAX)
        return front_basic_type(negative ? FRONT_I16 : FRONT_U16);
    return front_basic_type(negative ? FRONT_I32 : FRONT_U32);
}

static void parse_enumerators(struct front_parser *p, struct range *out) {
    int64_t value = 0;
    *out = (struct range){0, 0};
    front_next(p);
    do {
        if (front_is(p, FRONT_P_RBRACE)) break;
        if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of an enumerator");
        uint32_t token = front_next(p);
        front_skip_attributes(p);
        if (front_accept(p, FRONT_P_ASSIGN)) value = front_parse_constant(p, "the value of an enumerator");
        const char *name = p->tokens[token].text;
        const struct front_symbol *old = front_lookup(p, name);
        if (old && old->scope == p->scope && old->type != p->error_type) {
            base_error(p->cx, p->tokens[token].loc, "redefinition of '%s'", name);
            base_note(p->cx, old->loc, "previous definition is here");
        }
        if (value < INT32_MIN || value > (int64_t)UINT32_MAX)
            base_error(p->cx, p->tokens[token].loc, "the value of '%s' does not fit 32 bits", name);
        out->lo = value < out->lo ? value : out->lo;
        out->hi = value > out->hi ? value : out->hi;
        struct front_symbol *s = front_new_symbol(p, FRONT_SYM_ENUM, name,
                                                  front_basic_type(value > INT32_MAX ? FRONT_U32 : FRONT_I32), token);
        s->value = value++;
        s->known = true;
        front_bind(p, s);
    } while (front_accept(p, FRONT_P_COMMA));
    front_expect(p, FRONT_P_RBRACE, "the enumerators");
}

struct front_type *front_parse_enum(struct front_parser *p) {
    uint32_t token = front_next(p), packs = p->packs;
    const char *name = "";
    front_skip_attributes(p);
    if (front_is(p, FRONT_TOK_IDENT)) {
        name = front_peek(p)->text;
        token = front_next(p);
    } else if (!front_is(p, FRONT_P_LBRACE)) {
        front_syntax_error(p, "the name of an enum or '{'");
    }
    struct front_tag *tag = name[0] ? front_lookup_tag(p, name) : NULL;
    if (!front_is(p, FRONT_P_LBRACE)) {
        if (!tag || tag->record) {
            if (tag)
                wrong_tag(p, tag, token);
            else
                base_error(p->cx, p->tokens[token].loc, "enum '%s' was not declared", name);
            return p->error_type;
        }
        return tag->enum_type;
    }
    if (tag && tag->scope == p->scope) {
        base_error(p->cx, p->tokens[token].loc, "redefinition of '%s'", name);
        base_note(p->cx, tag->loc, "previous definition is here");
    }
    struct range range;
    parse_enumerators(p, &range);
    front_skip_attributes(p);
    tag = new_tag(p, token, name);
    tag->enum_type = enum_type(&range, p->packs != packs);
    return tag->enum_type;
}
