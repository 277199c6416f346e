// The parser's ground: stepping through tokens, scopes and names, and the unit from its first token to its last.
#include "front/parse/parse.h"

#include <stdlib.h>
#include <string.h>

// ---- tokens ---------------------------------------------------------------------------------------------------------

const struct front_token *front_peek(struct front_parser *p) { return &p->tokens[p->at]; }

static uint32_t skip_pragmas(const struct front_parser *p, uint32_t at) {
    while (p->tokens[at].kind == FRONT_TOK_PRAGMA_OTHER)
        at++;
    return at;
}

const struct front_token *front_peek_at(struct front_parser *p, uint32_t ahead) {
    uint32_t at = p->at;
    while (ahead-- && p->tokens[at].kind != FRONT_TOK_END)
        at = skip_pragmas(p, at + 1);
    return &p->tokens[at];
}

uint32_t front_next(struct front_parser *p) {
    uint32_t old = p->at;
    if (p->tokens[old].kind != FRONT_TOK_END) p->at = skip_pragmas(p, old + 1);
    return old;
}

bool front_is(struct front_parser *p, enum front_token_kind kind) { return p->tokens[p->at].kind == kind; }

bool front_accept(struct front_parser *p, enum front_token_kind kind) {
    if (!front_is(p, kind)) return false;
    front_next(p);
    return true;
}

base_loc front_here(struct front_parser *p) { return p->tokens[p->at].loc; }

static bool is_word_char(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A token that a macro made stands where the macro's name does: then the end is that of the name.
base_loc front_end_of(struct front_parser *p, uint32_t index) {
    const struct front_token *token = &p->tokens[index];
    struct base_position pos = p->cx->locs[token->loc];
    if (!token->loc) return 0;
    const char *text = p->cx->files[pos.file].text;
    for (uint32_t line = 1; text && line < pos.line; line++) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    uint32_t len = token->len;
    if (text && memchr(text, '\0', pos.col) == NULL && strncmp(text + pos.col - 1, token->text, len) != 0) {
        len = 0;
        while (is_word_char(text[pos.col - 1 + len]))
            len++;
    }
    return base_add_loc(p->cx, pos.file, pos.line, pos.col + len);
}

// The last token before the current one, pragma lines left out.
static uint32_t previous(const struct front_parser *p) {
    uint32_t at = p->at;
    while (at > 0 && p->tokens[at - 1].kind == FRONT_TOK_PRAGMA_OTHER)
        at--;
    return at ? at - 1 : 0;
}

void front_expect(struct front_parser *p, enum front_token_kind kind, const char *after) {
    if (front_accept(p, kind)) return;
    base_loc loc = p->at ? front_end_of(p, previous(p)) : front_here(p);
    if (after) base_fatal(p->cx, loc, "expected %s after %s", front_kind_name(kind), after);
    base_fatal(p->cx, loc, "expected %s", front_kind_name(kind));
}

_Noreturn void front_syntax_error(struct front_parser *p, const char *expected) {
    if (front_is(p, FRONT_TOK_END))
        base_fatal(p->cx, front_here(p), "expected %s before the end of the file", expected);
    base_fatal(p->cx, front_here(p), "expected %s", expected);
}

void front_enter(struct front_parser *p) {
    if (++p->depth > FRONT_MAX_DEPTH)
        base_fatal(p->cx, front_here(p), "nested more than %d levels deep", FRONT_MAX_DEPTH);
}

void front_leave(struct front_parser *p) { p->depth--; }

// "packed", with bars around it or without.
static bool is_word(const char *text, const char *word, size_t size) {
    size_t bars = strspn(text, "_");
    return strncmp(text + bars, word, size) == 0 && strspn(text + bars + size, "_") == bars && !text[2 * bars + size];
}

static void take_attribute(struct front_parser *p) {
    const struct front_token *word = front_peek(p), *open = front_peek_at(p, 1), *number = front_peek_at(p, 2),
                             *close = front_peek_at(p, 3);
    if (word->kind != FRONT_TOK_IDENT) return;
    if (is_word(word->text, "vector_size", 11) || is_word(word->text, "mode", 4))
        base_unsupported(
            p->cx, word->loc,
            "the attribute '%s' makes another type of this one: use an array, or the type that it stands for",
            word->text);
    if (is_word(word->text, "cleanup", 7) || is_word(word->text, "scalar_storage_order", 20))
        base_unsupported(p->cx, word->loc, "the attribute '%s' is not supported", word->text);
    p->packs += is_word(word->text, "packed", 6);
    if (!is_word(word->text, "aligned", 7)) return;
    bool is_known = open->kind == FRONT_P_LPAREN && number->kind == FRONT_TOK_INT && close->kind == FRONT_P_RPAREN;
    uint32_t bytes = is_known ? (uint32_t)strtoul(number->text, NULL, 0) : 0; // (of `0b10000` not a digit is read)
    if (!bytes) bytes = UINT32_MAX;
    p->alignment = bytes > p->alignment ? bytes : p->alignment;
    p->aligns++;
}

void front_skip_attributes(struct front_parser *p) {
    for (;;) {
        if (front_is(p, FRONT_KW_ASM))
            base_unsupported(p->cx, front_here(p), "assembler is not supported: write the operation in C");
        if (!front_accept(p, FRONT_KW_ATTRIBUTE)) return;
        front_expect(p, FRONT_P_LPAREN, "'__attribute__'");
        for (uint32_t open = 1; open;) {
            if (front_is(p, FRONT_TOK_END)) front_syntax_error(p, "')'");
            open += front_is(p, FRONT_P_LPAREN);
            open -= front_is(p, FRONT_P_RPAREN);
            take_attribute(p);
            front_next(p);
        }
    }
}

// ---- names ----------------------------------------------------------------------------------------------------------

// Spellings are interned, so the address is the key.
static uint32_t name_slot(const struct front_parser *p, const char *text) {
    uint64_t hash = (uint64_t)(uintptr_t)text * 0x9E3779B97F4A7C15u;
    uint32_t slot = (uint32_t)(hash >> 32) & (p->name_cap - 1);
    while (p->names[slot] && p->names[slot]->text != text)
        slot = (slot + 1) & (p->name_cap - 1);
    return slot;
}

static struct front_name *name_of(struct front_parser *p, const char *text) {
    if (p->name_count * 2 >= p->name_cap) {
        struct front_name **old = p->names;
        uint32_t old_cap = p->name_cap;
        p->name_cap = old_cap ? old_cap * 2 : 1024;
        p->names = base_alloc_array(p->cx, p->name_cap, sizeof *p->names);
        for (uint32_t i = 0; i < old_cap; i++)
            if (old[i]) p->names[name_slot(p, old[i]->text)] = old[i];
    }
    uint32_t slot = name_slot(p, text);
    if (!p->names[slot]) {
        p->names[slot] = base_alloc(p->cx, sizeof *p->names[slot]);
        p->names[slot]->text = text;
        p->name_count++;
    }
    return p->names[slot];
}

struct front_symbol *front_lookup(struct front_parser *p, const char *name) {
    return name_of(p, name)->symbol;
}
struct front_tag *front_lookup_tag(struct front_parser *p, const char *name) {
    return name_of(p, name)->tag;
}

static void remember(struct front_parser *p, struct front_name *name, bool is_tag) {
    BASE_RESERVE(p->cx, p->items, p->item_count, p->item_cap);
    p->items[p->item_count++] = (struct front_scope_item){name, is_tag};
}

void front_open_scope(struct front_parser *p) {
    remember(p, NULL, false);
    p->scope++;
}

void front_close_scope(struct front_parser *p) {
    p->scope--;
    while (p->declared_count && p->declared[p->declared_count - 1].scope > p->scope)
        p->declared_count--;
    for (;;) {
        struct front_scope_item item = p->items[--p->item_count];
        if (!item.name) return;
        if (item.is_tag)
            item.name->tag = item.name->tag->outer;
        else
            item.name->symbol = item.name->symbol->outer;
    }
}

struct front_symbol *front_new_symbol(struct front_parser *p, enum front_symbol_kind kind, const char *name,
                                      struct front_type *type, uint32_t token) {
    struct front_symbol *s = base_alloc(p->cx, sizeof *s);
    s->kind = (uint8_t)kind;
    s->id = ++p->ast->symbol_count;
    s->name = name;
    s->type = s->declared = type;
    s->token = token;
    s->loc = p->tokens[token].loc;
    s->builtin = (p->tokens[token].flags & FRONT_TOKEN_BUILTIN) != 0;
    return s;
}

void front_bind(struct front_parser *p, struct front_symbol *symbol) {
    struct front_name *name = name_of(p, symbol->name);
    symbol->scope = p->scope;
    symbol->outer = name->symbol;
    name->symbol = symbol;
    remember(p, name, false);
}

void front_bind_tag(struct front_parser *p, struct front_tag *tag) {
    struct front_name *name = name_of(p, tag->name);
    tag->scope = p->scope;
    tag->outer = name->tag;
    name->tag = tag;
    remember(p, name, true);
}

uint32_t front_distance(const char *x, const char *y, uint32_t limit) {
    enum { MAX = 48 };
    size_t n = strlen(x), m = strlen(y);
    if (n >= MAX || m >= MAX || (n > m ? n - m : m - n) > limit) return limit + 1;
    uint32_t rows[3][MAX + 1]; // the row of i is rows[i % 3]
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= m; j++) {
            uint32_t best = above[j - 1] + (x[i - 1] != y[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1] && second[j - 2] + 1 < best)
                best = second[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

// On a tie the smaller spelling, so that the message does not depend on addresses.
static void compare_name(const char *name, const char *with, uint32_t *limit, const char **best) {
    if (!*limit || with == name) return;
    uint32_t d = front_distance(name, with, *limit);
    if (d < *limit || (d == *limit && (!*best || strcmp(with, *best) < 0))) {
        *best = with;
        *limit = d;
    }
}

const char *front_similar_name(struct front_parser *p, const char *name) {
    uint32_t limit = (uint32_t)(strlen(name) + 2) / 4;
    const char *best = NULL;
    for (uint32_t i = 0; i < p->name_cap && limit; i++) {
        const struct front_name *n = p->names[i];
        if (n && n->symbol && n->symbol->type != p->error_type) compare_name(name, n->text, &limit, &best);
    }
    for (const char *const *other = p->others; other && *other; other++)
        compare_name(name, *other, &limit, &best);
    return best;
}

// ---- the unit -------------------------------------------------------------------------------------------------------

struct front_function *front_find_function(const struct front_ast *ast, const char *name) {
    for (uint32_t i = 0; i < ast->function_count; i++)
        if (strcmp(ast->functions[i]->symbol->name, name) == 0) return ast->functions[i];
    return NULL;
}

struct front_ast *front_parse(struct base_cx *cx, struct front_token *tokens, uint32_t count,
                              const struct whorl_compile_options *options, const char *const *others) {
    base_check_errors(cx);
    struct front_parser *p = base_alloc(cx, sizeof *p);
    p->cx = cx;
    p->tokens = tokens;
    p->count = count;
    p->others = others;
    p->at = skip_pragmas(p, 0);
    p->double_as_float = options && options->double_as_float;
    p->double_as_pair = options && options->double_as_pair;
    p->error_type = base_alloc(cx, sizeof *p->error_type);
    p->error_type->unsized = true; // see front_is_error
    p->ast = base_alloc(cx, sizeof *p->ast);
    p->ast->cx = cx;
    p->ast->tokens = tokens;
    p->ast->token_count = count;
    p->ast->edits = base_alloc_array(cx, count, sizeof *p->ast->edits);

    while (!front_is(p, FRONT_TOK_END))
        front_parse_external(p);
    base_check_errors(cx); // the passes want a tree without error nodes

    front_wide_products(p);
    if (options && options->double_as_pair)
        front_pair_doubles(p, options);
    else
        front_double_policy(p, options);
    for (uint32_t i = 0; i < p->ast->global_count; i++)
        front_fold_inits(p, &p->ast->globals[i]->inits);
    base_check_errors(cx);
    return p->ast;
}
