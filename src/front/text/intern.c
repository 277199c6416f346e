// Interned spellings. A hash table with open addressing of pointers to names; the names themselves never move.
#include <string.h>

#include "front/text/lex.h"

static uint32_t hash_text(const char *text, size_t len) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ len, word;
    for (; len >= 8; text += 8, len -= 8) {
        memcpy(&word, text, 8);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 29;
    }
    word = 0;
    memcpy(&word, text, len);
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
    h *= 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h >> 32);
}

static void grow(struct front_names *names) {
    uint32_t cap = names->cap ? names->cap * 2 : 1024;
    struct front_spelling **slots = base_alloc_array(names->cx, cap, sizeof *slots);
    for (uint32_t i = 0; i < names->cap; i++) {
        if (!names->slots[i]) continue;
        uint32_t at = names->slots[i]->hash & (cap - 1);
        while (slots[at])
            at = (at + 1) & (cap - 1);
        slots[at] = names->slots[i];
    }
    names->slots = slots;
    names->cap = cap;
}

const char *front_intern(struct front_names *names, const char *text, size_t len) {
    uint32_t hash = hash_text(text, len), at = hash & (names->cap - 1);
    for (struct front_spelling *name; (name = names->slots[at]); at = (at + 1) & (names->cap - 1))
        if (name->hash == hash && name->len == len && memcmp(name->text, text, len) == 0) return name->text;
    size_t size_bytes;
    if (len > UINT32_MAX / 2 || !base_add_size(sizeof(struct front_spelling) + 1, len, &size_bytes))
        base_fatal(names->cx, 0, "a token of %zu bytes", len);
    struct front_spelling *name = base_alloc(names->cx, size_bytes);
    name->hash = hash;
    name->len = (uint32_t)len;
    if (len) memcpy(name->text, text, len);
    names->slots[at] = name;
    if (++names->count * 2 > names->cap) grow(names);
    return name->text;
}

static const struct {
    uint16_t kind;
    const char *text;
} spellings[] = {
#define X(name, text) {FRONT_P_##name, text},
    FRONT_PUNCTUATORS(X)
#undef X
#define X(name, text) {FRONT_KW_##name, text},
        FRONT_KEYWORDS(X)
#undef X
};
static const struct {
    uint16_t kind;
    const char *text;
} other_spellings[] = {
    {FRONT_KW_INLINE, "__inline"},
    {FRONT_KW_INLINE, "__inline__"},
    {FRONT_KW_RESTRICT, "__restrict"},
    {FRONT_KW_RESTRICT, "__restrict__"},
    {FRONT_KW_CONST, "__const"},
    {FRONT_KW_CONST, "__const__"},
    {FRONT_KW_VOLATILE, "__volatile"},
    {FRONT_KW_VOLATILE, "__volatile__"},
    {FRONT_KW_SIGNED, "__signed"},
    {FRONT_KW_SIGNED, "__signed__"},
    {FRONT_KW_ATTRIBUTE, "__attribute"},
    {FRONT_KW_TYPEOF, "__typeof"},
    {FRONT_KW_ASM, "__asm"},
    {FRONT_KW_ALIGNOF, "__alignof"},
    {FRONT_KW_ALIGNOF, "__alignof__"},
    {FRONT_KW_THREAD_LOCAL, "__thread"},
};

struct front_names *front_names_create(struct base_cx *cx) {
    struct front_names *names = base_alloc(cx, sizeof *names);
    names->cx = cx;
    grow(names);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const char *text = front_intern(names, spellings[i].text, strlen(spellings[i].text));
        names->texts[spellings[i].kind] = text;
        if (spellings[i].kind >= FRONT_KW_AUTO) front_spelling_of(text)->keyword = spellings[i].kind;
    }
    for (size_t i = 0; i < sizeof other_spellings / sizeof *other_spellings; i++) {
        const char *text = front_intern(names, other_spellings[i].text, strlen(other_spellings[i].text));
        front_spelling_of(text)->keyword = other_spellings[i].kind;
    }
    return names;
}

const char *front_kind_name(enum front_token_kind kind) {
    switch (kind) {
    case FRONT_TOK_END: return "the end of the file";
    case FRONT_TOK_IDENT: return "an identifier";
    case FRONT_TOK_INT: return "an integer constant";
    case FRONT_TOK_FLOAT: return "a floating constant";
    case FRONT_TOK_CHAR: return "a character constant";
    case FRONT_TOK_STRING: return "a string literal";
    case FRONT_TOK_PRAGMA: return "an OpenMP directive";
    case FRONT_TOK_PRAGMA_END: return "the end of the directive";
    case FRONT_TOK_PRAGMA_OTHER: return "a pragma";
#define X(name, text) \
    case FRONT_P_##name: return "'" text "'";
        FRONT_PUNCTUATORS(X)
#undef X
#define X(name, text) \
    case FRONT_KW_##name: return "'" text "'";
        FRONT_KEYWORDS(X)
#undef X
    default: return "a stray character";
    }
}
