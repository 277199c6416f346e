// Declaration specifiers: which type `static const unsigned long` names, and what is not supported says what to use
// instead.
#include "front/parse/parse.h"

#include <string.h>

// Keywords that name a type alone.
enum { FRONT_KW_NONE = FRONT_TOK_END };
static const struct {
    enum front_token_kind word;
    enum front_type_kind kind;
} alone[] = {
    {FRONT_KW_VOID, FRONT_VOID},
#define X(kind, name, bytes, bits, is_unsigned, dtype, word) {(enum front_token_kind)FRONT_KW_##word, FRONT_##kind},
#include "front/parse/types.def"
#undef X
};

// FRONT_VOID: it is none of an arithmetic type.
static enum front_type_kind kind_of_word(enum front_token_kind word) {
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (alone[i].word == word && word != FRONT_TOK_END) return alone[i].kind;
    return FRONT_VOID;
}

bool front_starts_type(struct front_parser *p, const struct front_token *token) {
    switch (token->kind) {
    case FRONT_KW_AUTO:
    case FRONT_KW_CHAR:
    case FRONT_KW_CONST:
    case FRONT_KW_ENUM:
    case FRONT_KW_EXTERN:
    case FRONT_KW_INLINE:
    case FRONT_KW_INT:
    case FRONT_KW_LONG:
    case FRONT_KW_REGISTER:
    case FRONT_KW_RESTRICT:
    case FRONT_KW_SHORT:
    case FRONT_KW_SIGNED:
    case FRONT_KW_STATIC:
    case FRONT_KW_STRUCT:
    case FRONT_KW_TYPEDEF:
    case FRONT_KW_UNION:
    case FRONT_KW_UNSIGNED:
    case FRONT_KW_VOID:
    case FRONT_KW_VOLATILE:
    case FRONT_KW_ALIGNAS:
    case FRONT_KW_ATOMIC:
    case FRONT_KW_COMPLEX:
    case FRONT_KW_IMAGINARY:
    case FRONT_KW_NORETURN:
    case FRONT_KW_THREAD_LOCAL:
    case FRONT_KW_ATTRIBUTE:
    case FRONT_KW_TYPEOF:
    case FRONT_KW_INT128: return true;
    case FRONT_TOK_IDENT: {
        const struct front_symbol *s = front_lookup(p, token->text);
        return s && s->kind == FRONT_SYM_TYPEDEF;
    }
    default: return kind_of_word(token->kind) != FRONT_VOID;
    }
}

// How often each word of a basic type stood there.
struct words {
    uint8_t count[FRONT_TOK_COUNT];
    uint32_t total;
};

static struct front_type *basic_type(struct front_parser *p, const struct words *w, base_loc loc) {
    if (w->count[FRONT_KW_COMPLEX]) {
        bool is_double = w->count[FRONT_KW_DOUBLE] || w->total == 1, is_float = w->count[FRONT_KW_FLOAT];
        if (w->total > 2 || is_double + is_float != 1)
            base_unsupported(p->cx, loc, "complex numbers are of float or double");
        return front_complex_type(p, is_double ? FRONT_F64 : FRONT_F32, loc);
    }
    uint32_t longs = w->count[FRONT_KW_LONG], shorts = w->count[FRONT_KW_SHORT], ints = w->count[FRONT_KW_INT];
    uint32_t is_signed = w->count[FRONT_KW_SIGNED], is_unsigned = w->count[FRONT_KW_UNSIGNED];
    if (longs && w->count[FRONT_KW_DOUBLE]) base_unsupported(p->cx, loc, "long double is not supported: use float");
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (w->count[alone[i].word]) {
            if (w->total != 1)
                base_error(p->cx, loc, "these words do not make a type together with '%s'",
                           front_kind_name(alone[i].word));
            if (alone[i].kind == FRONT_F64 && p->double_as_float) return front_double_as_float();
            return front_basic_type(alone[i].kind);
        }
    uint32_t chars = w->count[FRONT_KW_CHAR];
    if (is_signed + is_unsigned > 1 || ints > 1 || chars > 1 || shorts > 1 || longs > 2 || (shorts && longs) ||
        (chars && (shorts || longs || ints)))
        base_error(p->cx, loc, "these words do not make a type together");
    enum front_type_kind kind = chars ? FRONT_I8 : shorts ? FRONT_I16 : longs ? FRONT_I64 : FRONT_I32;
    return front_basic_type(is_unsigned ? kind + 1 : kind);
}

static struct front_type *parse_typeof(struct front_parser *p) {
    struct front_type *type;
    front_next(p);
    front_expect(p, FRONT_P_LPAREN, "'typeof'");
    if (front_starts_type(p, front_peek(p))) {
        type = front_parse_type_name(p);
    } else {
        type = front_parse_expr(p)->type;
        p->aligns += p->aligned_variables;
    }
    front_expect(p, FRONT_P_RPAREN, "the operand of 'typeof'");
    return type;
}

static void parse_alignas(struct front_parser *p) {
    front_next(p);
    p->aligns++;
    front_expect(p, FRONT_P_LPAREN, "'_Alignas'");
    if (front_starts_type(p, front_peek(p)))
        front_parse_type_name(p);
    else
        front_parse_constant(p, "an alignment");
    front_expect(p, FRONT_P_RPAREN, "the alignment");
}

// Missing #include, misspelt name or nothing: says the most likely one.
static _Noreturn void no_type(struct front_parser *p) {
    static const char *const headers[][2] = {
        {"uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t intptr_t uint_fast32_t ",
         "<stdint.h>"},
        {"bool ", "<stdbool.h>"},
        {"size_t ptrdiff_t ", "<stddef.h>"},
    };
    const struct front_token *t = front_peek(p);
    if (t->kind != FRONT_TOK_IDENT) base_fatal(p->cx, t->loc, "a type specifier is required here");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (const char *at = headers[i][0]; *at; at = strchr(at, ' ') + 1)
            if (strncmp(at, t->text, t->len) == 0 && at[t->len] == ' ')
                base_fatal(p->cx, t->loc, "unknown type name '%s': include the header %s", t->text, headers[i][1]);
    const char *best = NULL;
    static const char *const words[] = {"float", "double", "int",    "unsigned", "void",  "char",
                                        "short", "long",   "static", "const",    "struct"};
    for (size_t i = 0; i < sizeof words / sizeof *words && !best; i++)
        if (t->len > 2 && front_distance(t->text, words[i], 1) <= 1) best = words[i];
    if (!best && front_lookup_tag(p, t->text))
        base_fatal(p->cx, t->loc, "must use '%s' tag to refer to type '%s'",
                   front_lookup_tag(p, t->text)->record ? "struct" : "enum", t->text);
    if (!best) best = front_similar_name(p, t->text);
    if (best) base_fatal(p->cx, t->loc, "unknown type name '%s'; did you mean '%s'?", t->text, best);
    base_fatal(p->cx, t->loc, "unknown type name '%s'", t->text);
}

static void refuse_word(struct front_parser *p, enum front_token_kind kind) {
    base_loc loc = front_here(p);
    switch (kind) {
    case FRONT_KW_IMAGINARY: base_unsupported(p->cx, loc, "imaginary types are not supported: use _Complex");
    case FRONT_KW_ATOMIC: base_unsupported(p->cx, loc, "_Atomic is not supported: use a reduction clause");
    case FRONT_KW_INT128:
        base_unsupported(p->cx, loc,
                         "128-bit integers are not supported: keep two uint64_t, and make a product of 64-bit numbers "
                         "of the four products of their 32-bit halves");
    default: return;
    }
}

// Qualifiers, storage classes and the like; false where the token is none.
static bool take_modifier(struct front_parser *p, struct front_specifiers *out, uint32_t *quals) {
    enum front_token_kind kind = front_peek(p)->kind;
    switch (kind) {
    case FRONT_KW_CONST: *quals |= FRONT_CONST; break;
    case FRONT_KW_RESTRICT: *quals |= FRONT_RESTRICT; break;
    case FRONT_KW_VOLATILE:
        *quals |= FRONT_VOLATILE;
        if (!(front_peek(p)->flags & FRONT_TOKEN_BUILTIN))
            base_warn(p->cx, front_here(p), "'volatile' is ignored: nothing outside the program changes its memory");
        break;
    case FRONT_KW_TYPEDEF: out->is_typedef = true; break;
    case FRONT_KW_STATIC: out->is_static = true; break;
    case FRONT_KW_EXTERN: out->is_extern = true; break;
    case FRONT_KW_INLINE: out->is_inline = true; break;
    case FRONT_KW_THREAD_LOCAL: out->is_thread = true; break;
    case FRONT_KW_NORETURN: out->is_noreturn = true; break;
    case FRONT_KW_AUTO:
    case FRONT_KW_REGISTER:
    case FRONT_KW_EXTENSION: break;
    case FRONT_KW_ALIGNAS: parse_alignas(p); return true;
    case FRONT_KW_ATTRIBUTE: front_skip_attributes(p); return true;
    default: return false;
    }
    front_next(p);
    return true;
}

void front_parse_specifiers(struct front_parser *p, struct front_specifiers *out) {
    struct words words = {{0}, 0};
    struct front_type *type = NULL;
    uint32_t quals = 0;
    memset(out, 0, sizeof *out);
    out->token = p->at;
    uint32_t aligns = p->aligns;
    for (;;) {
        const struct front_token *t = front_peek(p);
        refuse_word(p, t->kind);
        if (take_modifier(p, out, &quals)) continue;
        bool taken = type != NULL || words.total;
        if (t->kind == FRONT_KW_STRUCT || t->kind == FRONT_KW_UNION || t->kind == FRONT_KW_ENUM ||
            t->kind == FRONT_KW_TYPEOF) {
            if (taken) base_fatal(p->cx, t->loc, "two types in one declaration: is a ';' missing before this?");
            out->declares_tag = t->kind != FRONT_KW_TYPEOF;
            type = t->kind == FRONT_KW_STRUCT || t->kind == FRONT_KW_UNION ? front_parse_struct(p)
                   : t->kind == FRONT_KW_ENUM                              ? front_parse_enum(p)
                                                                           : parse_typeof(p);
        } else if (t->kind == FRONT_TOK_IDENT && !taken && front_starts_type(p, t)) {
            const struct front_symbol *name = front_lookup(p, t->text);
            type = name->type;
            p->aligns += name->aligned;
            front_next(p);
        } else if (t->kind != FRONT_TOK_IDENT && front_starts_type(p, t)) {
            if (type) base_fatal(p->cx, t->loc, "two types in one declaration: is a ';' missing before this?");
            if (t->kind == FRONT_KW_DOUBLE && p->double_as_float && !(t->flags & FRONT_TOKEN_BUILTIN))
                p->ast->edits[p->at] = "float";
            words.count[t->kind] += words.count[t->kind] < 3;
            words.total++;
            front_next(p);
        } else {
            break;
        }
    }
    if (!type && !words.total) no_type(p);
    if (!type) {
        // a built-in header's doubles stay: the policy turns exp into expf itself
        bool builtin = (p->tokens[out->token].flags & FRONT_TOKEN_BUILTIN) != 0, demote = p->double_as_float;
        p->double_as_float = demote && !builtin;
        type = basic_type(p, &words, p->tokens[out->token].loc);
        p->double_as_float = demote;
    }
    out->is_aligned = p->aligns != aligns;
    out->type = front_qualified(p, type, quals & ~(type->kind == FRONT_POINTER ? 0u : (uint32_t)FRONT_RESTRICT));
}
