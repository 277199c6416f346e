// Declarations, read without knowing the types: which names there are, where they can be seen, how they are derived.
#include <string.h>

#include "cc/source.h"

uint32_t cc_hash_of(const char *text) {
    return (uint32_t)(((uint64_t)(uintptr_t)text * 0x9E3779B97F4A7C15u) >> 52) % CC_HASH;
}

struct cc_name *cc_find(const struct cc_source *s, const char *text, uint32_t at) {
    struct cc_name *best = NULL;
    for (struct cc_name *n = s->hash[cc_hash_of(text)]; n; n = n->next)
        if (n->text == text && n->from <= at && at < n->to && (!best || n->from > best->from)) best = n;
    return best;
}

bool cc_is_declared_at(const struct cc_source *s, uint32_t at) {
    const struct cc_name *n = s->hash[cc_hash_of(s->tokens[at].text)];
    while (n && n->at != at)
        n = n->next;
    return n != NULL;
}

static struct cc_name *declare(struct cc_source *s, struct cc_name *name) {
    struct cc_name *n = base_alloc(s->cx, sizeof *n);
    *n = *name;
    n->to = UINT32_MAX;
    n->next = s->hash[cc_hash_of(n->text)];
    s->hash[cc_hash_of(n->text)] = n;
    BASE_RESERVE(s->cx, s->declared, s->declared_count, s->declared_cap);
    s->declared[s->declared_count++] = n;
    return n;
}

uint32_t cc_skip_group(const struct cc_source *s, uint32_t at) {
    uint32_t depth = 0;
    for (;; at++) {
        switch (cc_kind(s, at)) {
        case FRONT_P_LPAREN:
        case FRONT_P_LBRACKET:
        case FRONT_P_LBRACE: depth++; break;
        case FRONT_P_RPAREN:
        case FRONT_P_RBRACKET:
        case FRONT_P_RBRACE:
            if (--depth == 0) return at + 1;
            break;
        case FRONT_TOK_END: return at;
        default: break;
        }
    }
}

static uint32_t group_begin(const struct cc_source *s, uint32_t at) { // of the `)` there; 0: none
    uint32_t depth = 0;
    for (; at > 0; at--) {
        if (cc_kind(s, at) == FRONT_P_RPAREN) depth++;
        if (cc_kind(s, at) == FRONT_P_LPAREN && --depth == 0) return at;
    }
    return 0;
}

bool cc_is_called_with(const struct cc_source *s, uint32_t at) {
    enum front_token_kind before = cc_kind(s, at - 1);
    bool is_behind = before >= FRONT_P_LPAREN || before == FRONT_TOK_PRAGMA_END; // an operator, a word, a directive
    if (before != FRONT_P_RPAREN) return !is_behind || before == FRONT_P_RBRACKET;
    uint32_t open = group_begin(s, at - 1);
    switch (open ? cc_kind(s, open - 1) : FRONT_TOK_END) {
    case FRONT_KW_FOR:
    case FRONT_KW_IF:
    case FRONT_KW_WHILE:
    case FRONT_KW_SWITCH: return false; // a statement begins
    default: return !open || !cc_starts_declaration(s, open + 1);
    }
}

static bool takes_group(enum front_token_kind kind) {
    return kind == FRONT_KW_ATTRIBUTE || kind == FRONT_KW_ASM || kind == FRONT_KW_TYPEOF || kind == FRONT_KW_ALIGNAS;
}

static uint32_t behind_word(const struct cc_source *s, uint32_t at) {
    at++;
    while (cc_kind(s, at) == FRONT_KW_VOLATILE)
        at++;
    return cc_kind(s, at) == FRONT_P_LPAREN ? cc_skip_group(s, at) : at;
}

static bool is_tag_word(enum front_token_kind kind) {
    return kind == FRONT_KW_STRUCT || kind == FRONT_KW_UNION || kind == FRONT_KW_ENUM;
}

static bool is_type_word(enum front_token_kind kind) {
    switch (kind) {
    case FRONT_KW_CHAR:
    case FRONT_KW_DOUBLE:
    case FRONT_KW_FLOAT:
    case FRONT_KW_INT:
    case FRONT_KW_LONG:
    case FRONT_KW_SHORT:
    case FRONT_KW_SIGNED:
    case FRONT_KW_UNSIGNED:
    case FRONT_KW_VOID:
    case FRONT_KW_BOOL:
    case FRONT_KW_COMPLEX:
    case FRONT_KW_FLOAT16:
    case FRONT_KW_INT128:
    case FRONT_KW_TYPEOF: return true;
    default: return is_tag_word(kind);
    }
}

static bool is_plain_word(enum front_token_kind kind) {
    switch (kind) {
    case FRONT_KW_AUTO:
    case FRONT_KW_CONST:
    case FRONT_KW_EXTERN:
    case FRONT_KW_INLINE:
    case FRONT_KW_REGISTER:
    case FRONT_KW_RESTRICT:
    case FRONT_KW_STATIC:
    case FRONT_KW_TYPEDEF:
    case FRONT_KW_VOLATILE:
    case FRONT_KW_ATOMIC:
    case FRONT_KW_NORETURN:
    case FRONT_KW_THREAD_LOCAL:
    case FRONT_KW_EXTENSION:
    case FRONT_KW_ATTRIBUTE:
    case FRONT_KW_ALIGNAS: return true;
    default: return false;
    }
}

static bool is_builtin_type(const char *text) {
    return strncmp(text, "__builtin_va", 12) == 0 || strncmp(text, "_Float", 6) == 0 || strncmp(text, "__int", 5) == 0;
}

static bool is_type_name(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return false;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return name ? name->kind == CC_TYPE : is_builtin_type(s->tokens[at].text);
}

bool cc_starts_declaration(const struct cc_source *s, uint32_t at) {
    enum front_token_kind kind = cc_kind(s, at);
    if (is_type_word(kind) || is_plain_word(kind) || kind == FRONT_KW_STATIC_ASSERT) return true;
    return is_type_name(s, at) && cc_kind(s, at + 1) != FRONT_P_COLON;
}

// The enumerators between the braces that open at `at`.
static void declare_enumerators(struct cc_source *s, uint32_t at, const struct cc_name *like) {
    uint32_t end = cc_skip_group(s, at);
    for (uint32_t i = at + 1, depth = 0; i + 1 < end; i++) {
        enum front_token_kind kind = cc_kind(s, i), before = cc_kind(s, i - 1);
        if (kind == FRONT_P_LPAREN) depth++;
        if (kind == FRONT_P_RPAREN) depth--;
        if (kind != FRONT_TOK_IDENT || depth || (i != at + 1 && before != FRONT_P_COMMA)) continue;
        struct cc_name name = {
            .text = s->tokens[i].text, .kind = CC_CONSTANT, .is_file = like->is_file, .from = i, .at = i};
        name.said_from = like->said_from;
        name.is_odd = cc_kind(s, end) != FRONT_P_SEMI; // a variable stands behind it
        declare(s, &name);
    }
}

static void read_tag(struct cc_source *s, struct cc_name *name) {
    bool is_enum = cc_kind(s, s->at) == FRONT_KW_ENUM;
    s->at++;
    while (cc_kind(s, s->at) == FRONT_KW_ATTRIBUTE)
        s->at = behind_word(s, s->at);
    bool is_named = cc_kind(s, s->at) == FRONT_TOK_IDENT;
    if (is_named) s->at++;
    if (cc_kind(s, s->at) != FRONT_P_LBRACE) return;
    if (is_enum) declare_enumerators(s, s->at, name);
    if (is_named && !is_enum && !name->is_file) {
        BASE_RESERVE(s->cx, s->local_tags, s->local_tag_count, s->local_tag_cap);
        s->local_tags[s->local_tag_count++] = s->tokens[s->at - 1].text;
    }
    if (is_named && !is_enum) // said again, it is the tag alone
        name->spec_to = s->at;
    else
        name->is_odd = true;
    s->at = cc_skip_group(s, s->at);
}

// Specifiers into `name`; returns false where there is no type at all.
static bool read_specifiers(struct cc_source *s, struct cc_name *name, bool *out_typedef) {
    bool typed = false;
    name->spec_from = name->said_from = s->at;
    name->spec_to = 0;
    for (;;) {
        enum front_token_kind kind = cc_kind(s, s->at);
        switch (kind) {
        case FRONT_KW_TYPEDEF: *out_typedef = true; break;
        case FRONT_KW_STATIC: name->is_static = true; break;
        case FRONT_KW_EXTERN: name->is_extern = true; break;
        case FRONT_KW_REGISTER: name->is_register = true; break;
        case FRONT_KW_CONST: name->is_const = true; break;
        case FRONT_KW_ATOMIC:
        case FRONT_KW_VOLATILE: name->is_volatile = true; break;
        case FRONT_KW_THREAD_LOCAL: name->is_thread = true; break;
        default: break;
        }
        if (is_tag_word(kind)) {
            read_tag(s, name);
            typed = true;
        } else if (takes_group(kind)) {
            typed = typed || kind == FRONT_KW_TYPEOF;
            name->is_odd = name->is_odd || kind == FRONT_KW_TYPEOF;
            s->at = behind_word(s, s->at);
        } else if (is_type_word(kind) || is_plain_word(kind)) {
            typed = typed || is_type_word(kind);
            s->at++;
        } else if (!typed && (is_type_name(s, s->at) ||
                              (kind == FRONT_TOK_IDENT && (cc_kind(s, s->at + 1) == FRONT_TOK_IDENT)))) {
            typed = true;
            s->at++;
        } else {
            break;
        }
    }
    if (!name->spec_to) name->spec_to = s->at;
    return typed;
}

static void derive(struct cc_name *name, enum cc_derive kind, uint32_t from, uint32_t to) {
    if (name->derive_count == CC_MAX_DERIVE) {
        name->is_odd = true;
        return;
    }
    name->derive[name->derive_count++] = (struct cc_derivation){(uint8_t)kind, from, to};
}

static void skip_words(struct cc_source *s, struct cc_name *name) {
    for (;;) {
        enum front_token_kind kind = cc_kind(s, s->at);
        if (kind == FRONT_KW_VOLATILE) name->is_volatile = true;
        if (takes_group(kind))
            s->at = behind_word(s, s->at);
        else if (kind == FRONT_KW_CONST || kind == FRONT_KW_RESTRICT || kind == FRONT_KW_VOLATILE ||
                 kind == FRONT_KW_EXTENSION)
            s->at++;
        else
            return;
    }
}

static void read_declarator(struct cc_source *s, struct cc_name *name) {
    uint32_t pointers = 0;
    if (++s->depth > 100) {
        s->failed = true;
        s->depth--;
        return;
    }
    skip_words(s, name);
    while (cc_kind(s, s->at) == FRONT_P_STAR) {
        pointers++;
        s->at++;
        skip_words(s, name);
    }
    enum front_token_kind next = cc_kind(s, s->at + 1);
    if (cc_kind(s, s->at) == FRONT_TOK_IDENT) {
        name->at = s->at;
        name->text = s->tokens[s->at++].text;
    } else if (cc_kind(s, s->at) == FRONT_P_LPAREN &&
               (next == FRONT_P_STAR || next == FRONT_P_LPAREN || next == FRONT_KW_ATTRIBUTE ||
                (next == FRONT_TOK_IDENT && !is_type_name(s, s->at + 1)))) {
        uint32_t end = cc_skip_group(s, s->at++);
        read_declarator(s, name);
        s->at = end;
    }
    for (;;) {
        enum front_token_kind kind = cc_kind(s, s->at);
        if (kind != FRONT_P_LBRACKET && kind != FRONT_P_LPAREN) break;
        uint32_t end = cc_skip_group(s, s->at);
        derive(name, kind == FRONT_P_LPAREN ? CC_FUNCTION : CC_ARRAY, s->at + 1, end - 1);
        s->at = end;
    }
    skip_words(s, name);
    while (pointers--)
        derive(name, CC_POINTER, 0, 0);
    s->depth--;
}

static void skip_initialiser(struct cc_source *s) {
    for (;;) {
        switch (cc_kind(s, s->at)) {
        case FRONT_P_LPAREN:
        case FRONT_P_LBRACKET:
        case FRONT_P_LBRACE: s->at = cc_skip_group(s, s->at); break;
        case FRONT_P_COMMA:
        case FRONT_P_SEMI:
        case FRONT_P_RPAREN:
        case FRONT_P_RBRACE:
        case FRONT_TOK_END: return;
        default: s->at++;
        }
    }
}

// `typedef float row[64]; row x[10];` declares what `float x[10][64];` does. Typedefs themselves are unfolded already.
static void unfold(const struct cc_source *s, struct cc_name *name) {
    for (uint32_t at = name->spec_from; at < name->spec_to && !name->is_odd; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT || (at && is_tag_word(cc_kind(s, at - 1)))) continue;
        const struct cc_name *type = cc_find(s, s->tokens[at].text, at);
        if (!type || type->kind != CC_TYPE || !type->derive_count || !type->is_file || type->is_odd) continue;
        for (uint32_t i = 0; i < type->derive_count; i++)
            derive(name, type->derive[i].kind, type->derive[i].from, type->derive[i].to);
        name->is_volatile = name->is_volatile || type->is_volatile;
        name->is_unfolded = true;
        name->spec_from = type->spec_from;
        name->spec_to = type->spec_to;
        return;
    }
}

static void finish_name(struct cc_source *s, struct cc_name *name, bool is_typedef) {
    unfold(s, name);
    name->kind = is_typedef ? CC_TYPE : CC_VARIABLE;
    if (!is_typedef && name->derive_count && name->derive[0].kind == CC_FUNCTION) name->kind = CC_ROUTINE;
    name->from = name->at;
    name->end = s->at;
    name->has_init = cc_kind(s, s->at) == FRONT_P_ASSIGN;
    if (name->text) declare(s, name);
}

// `f(x, n) float *x; int n; {`: the brace, where a list of bare names and declarations of them stand before it; 0: no.
static uint32_t old_body(const struct cc_source *s, const struct cc_name *name) {
    const struct cc_derivation *list = &name->derive[0];
    uint32_t at = list->from;
    if (name->kind != CC_ROUTINE || !name->text || !name->is_file) return 0;
    for (; at < list->to; at++) {
        bool is_name = (at - list->from) % 2 == 0;
        if (cc_kind(s, at) != (is_name ? FRONT_TOK_IDENT : FRONT_P_COMMA)) return 0;
    }
    for (at = s->at; cc_starts_declaration(s, at); at++)
        while (cc_kind(s, at) != FRONT_P_SEMI) {
            if (cc_kind(s, at) == FRONT_TOK_END || cc_kind(s, at) == FRONT_P_LBRACE) return 0;
            at = cc_kind(s, at) == FRONT_P_LPAREN || cc_kind(s, at) == FRONT_P_LBRACKET ? cc_skip_group(s, at) : at + 1;
        }
    return cc_kind(s, at) == FRONT_P_LBRACE && at > s->at ? at : 0;
}

void cc_read_declaration(struct cc_source *s, bool is_file, uint32_t *out_body) {
    struct cc_name base = {.is_file = is_file};
    bool is_typedef = false;
    *out_body = 0;
    uint32_t start = s->at;
    if (cc_kind(s, s->at) == FRONT_KW_STATIC_ASSERT || cc_kind(s, s->at) == FRONT_KW_ASM) {
        skip_initialiser(s);
        if (cc_kind(s, s->at) != FRONT_TOK_END) s->at++;
        return;
    }
    read_specifiers(s, &base, &is_typedef);
    for (;;) {
        struct cc_name name = base;
        uint32_t before = s->at;
        read_declarator(s, &name);
        finish_name(s, &name, is_typedef);
        enum front_token_kind kind = cc_kind(s, s->at);
        if (kind == FRONT_P_LBRACE && name.kind == CC_ROUTINE && name.text) {
            *out_body = s->at;
            return;
        }
        if (kind != FRONT_P_SEMI && (*out_body = old_body(s, &name))) return;
        if (kind == FRONT_P_ASSIGN) skip_initialiser(s);
        if (kind == FRONT_P_COLON) { // a bit-field has no place here: what this is, is not known
            s->failed = true;
            skip_initialiser(s);
        }
        kind = cc_kind(s, s->at);
        if (kind == FRONT_P_COMMA) {
            s->at++;
            continue;
        }
        if (kind == FRONT_P_SEMI) {
            s->at++;
            return;
        }
        s->failed = true;
        if (kind == FRONT_TOK_END) return;
        if (s->at == before || s->at == start) s->at++; // whatever happens, it goes on
        return;
    }
}

static void read_param(struct cc_source *s, struct cc_name *name) {
    read_declarator(s, name);
    unfold(s, name);
    if (name->derive_count && name->derive[0].kind == CC_ARRAY) name->derive[0].kind = CC_POINTER;
    finish_name(s, name, false);
}

void cc_read_old_params(struct cc_source *s, const struct cc_name *function, uint32_t body) {
    uint32_t old = s->at;
    for (s->at = function->end; s->at < body; s->at++) {
        struct cc_name base = {.is_param = true};
        bool is_typedef = false;
        read_specifiers(s, &base, &is_typedef);
        for (bool more = true; more; s->at += more) {
            struct cc_name name = base;
            read_param(s, &name);
            more = s->at < body && cc_kind(s, s->at) == FRONT_P_COMMA;
        }
        if (cc_kind(s, s->at) != FRONT_P_SEMI) break;
    }
    s->at = old;
}

void cc_read_params(struct cc_source *s, const struct cc_name *function) {
    uint32_t old = s->at, end = function->derive[0].to;
    for (s->at = function->derive[0].from; s->at < end;) {
        struct cc_name name = {.is_param = true};
        bool is_typedef = false;
        read_specifiers(s, &name, &is_typedef);
        read_param(s, &name);
        if (s->at < end && cc_kind(s, s->at) != FRONT_P_COMMA) break;
        s->at++;
    }
    s->at = old;
}

bool cc_each_member(struct cc_source *s, uint32_t body, bool (*take)(void *user, const struct cc_name *member),
                    void *user) {
    uint32_t old = s->at, end = cc_skip_group(s, body) - 1;
    bool taken = false, failed = s->failed;
    for (s->at = body + 1; s->at < end && !taken;) {
        struct cc_name base = {.is_file = true};
        bool is_typedef = false;
        read_specifiers(s, &base, &is_typedef);
        for (bool more = true; more && !taken;) {
            struct cc_name member = base;
            read_declarator(s, &member);
            member.end = s->at;
            unfold(s, &member);
            member.kind = CC_VARIABLE;
            member.is_odd = member.is_odd || cc_kind(s, s->at) == FRONT_P_COLON; // a bit-field has no address
            struct cc_derivation *outer = member.derive_count ? &member.derive[0] : NULL;
            if (outer && outer->kind == CC_ARRAY && outer->to - outer->from == 0) // where the struct's memory goes on
                outer->kind = CC_POINTER, member.is_tail = true;
            if (cc_kind(s, s->at) == FRONT_P_COLON) skip_initialiser(s);
            taken = take(user, &member);
            more = cc_kind(s, s->at) == FRONT_P_COMMA;
            s->at += more;
        }
        if (!taken && cc_kind(s, s->at) != FRONT_P_SEMI) break; // not understood
        s->at++;
    }
    s->at = old;
    s->failed = failed;
    return taken;
}
