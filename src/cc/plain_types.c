// A type in one way of saying it, so that two of functions can be compared: `unsigned` and `unsigned int`, `real` with
// `typedef double real;` and `double`, `vec` with `typedef float *vec;` and `float *` are the same. What is constant or
// volatile is not said.
#include <string.h>

#include "cc/region.h"

enum { DEEPEST = 16 };
enum word { UNSIGNED, SIGNED, SHORT, LONG, CHAR, INT, FLOAT, DOUBLE, BOOL, VOID, WORDS };
static const struct {
    enum front_token_kind kind;
    const char *text;
} words[WORDS] = {
    [UNSIGNED] = {FRONT_KW_UNSIGNED, "unsigned"},
    [SIGNED] = {FRONT_KW_SIGNED, "signed"},
    [SHORT] = {FRONT_KW_SHORT, "short"},
    [LONG] = {FRONT_KW_LONG, "long"},
    [CHAR] = {FRONT_KW_CHAR, "char"},
    [INT] = {FRONT_KW_INT, "int"},
    [FLOAT] = {FRONT_KW_FLOAT, "float"},
    [DOUBLE] = {FRONT_KW_DOUBLE, "double"},
    [BOOL] = {FRONT_KW_BOOL, "bool"},
    [VOID] = {FRONT_KW_VOID, "void"},
};
struct plain {
    const struct cc_source *source;
    uint32_t count[WORDS], pointers;
    struct base_text other; // names of structs, and what is not understood
};

static void add(struct plain *p, uint32_t from, uint32_t to, const char *said_as, uint32_t depth);

// A typedef's name is what it stands for, where nothing is around the name there but pointers and one dimension.
static void add_name(struct plain *p, uint32_t at, uint32_t depth) {
    const struct cc_source *s = p->source;
    const struct cc_name *type = cc_find(s, s->tokens[at].text, at);
    bool is_plain = type && type->kind == CC_TYPE && depth < DEEPEST;
    for (uint32_t k = is_plain ? type->spec_from : 0; is_plain && k < type->spec_to; k++)
        is_plain = cc_kind(s, k) != FRONT_KW_TYPEOF && cc_kind(s, k) != FRONT_KW_ATTRIBUTE;
    for (uint32_t i = 0; is_plain && i < type->derive_count; i++)
        is_plain = type->derive[i].kind == CC_POINTER || (type->derive_count == 1 && type->derive[i].kind == CC_ARRAY);
    if (!is_plain) {
        base_text_format(&p->other, "%s ", s->tokens[at].text);
        return;
    }
    add(p, type->spec_from, type->spec_to, type->text, depth + 1);
    p->pointers += type->derive_count;
}

static bool add_word(struct plain *p, enum front_token_kind kind) {
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i].kind == kind) return ++p->count[i];
    return false;
}

// The type that compilers give it: an enum with a negative constant is an int.
static void add_enum(struct plain *p, uint32_t at) {
    const struct cc_source *s = p->source;
    uint32_t body = at + 1;
    if (cc_kind(s, body) == FRONT_TOK_IDENT) {
        const char *tag = s->tokens[body].text;
        for (body = 1; body < s->count; body++)
            if (cc_kind(s, body) == FRONT_P_LBRACE && s->tokens[body - 1].text == tag &&
                cc_kind(s, body - 2) == FRONT_KW_ENUM)
                break;
    }
    bool is_negative = false;
    for (uint32_t k = body, end = body < s->count ? cc_skip_group(s, body) : body; k < end; k++)
        is_negative |= cc_kind(s, k) == FRONT_P_MINUS;
    p->count[is_negative ? INT : UNSIGNED]++;
}

// `said_as`: the typedef's name, by which a struct without a name is known.
static void add(struct plain *p, uint32_t from, uint32_t to, const char *said_as, uint32_t depth) {
    const struct cc_source *s = p->source;
    bool typed = false, is_array = false;
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_STAR || (kind == FRONT_P_LBRACKET && !is_array)) p->pointers++;
        is_array = is_array || kind == FRONT_P_LBRACKET;
        if (kind == FRONT_P_LBRACKET || kind == FRONT_P_LBRACE || kind == FRONT_P_LPAREN) {
            at = cc_skip_group(s, at) - 1;
        } else if (kind == FRONT_KW_ENUM) {
            add_enum(p, at);
            at += cc_kind(s, at + 1) == FRONT_TOK_IDENT;
            typed = true;
        } else if (kind == FRONT_KW_STRUCT || kind == FRONT_KW_UNION) {
            bool has_name = cc_kind(s, at + 1) == FRONT_TOK_IDENT;
            base_text_format(&p->other, "%s %s ", has_name ? s->tokens[at].text : "",
                             has_name ? s->tokens[at + 1].text : said_as);
            at += has_name;
            typed = true;
        } else if (kind == FRONT_TOK_IDENT && !typed) { // (another one is the parameter's name)
            add_name(p, at, depth);
            typed = true;
        } else if (add_word(p, kind)) {
            typed = true;
        } else if (kind == FRONT_KW_COMPLEX) {
            base_text_put(&p->other, "complex ");
        }
    }
}

void cc_put_plain_type(const struct cc_source *s, uint32_t from, uint32_t to, struct base_text *out) {
    struct plain p = {.source = s};
    base_text_init(&p.other, s->cx);
    add(&p, from, to, "", 0);
    bool is_more = p.count[SHORT] || p.count[LONG] || p.count[CHAR];
    if (!p.count[CHAR]) p.count[SIGNED] = 0;
    if (p.count[UNSIGNED] && !is_more) p.count[INT] = 1;
    if (is_more) p.count[INT] = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        for (uint32_t k = 0; k < p.count[i]; k++)
            base_text_format(out, "%s ", words[i].text);
    if (p.other.size) base_text_put(out, p.other.data);
    for (uint32_t i = 0; i < p.pointers; i++)
        base_text_put(out, "* ");
}
