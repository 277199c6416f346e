// Words of a template. The hard part is what of the text between tags remains: `-` at a tag takes all space on its
// side; and, as Hugging Face sets Jinja up, a block's tag takes the blanks before it on its line and the line's end
// behind it.
#include <stdlib.h>
#include <string.h>

#include "model/chat/jinja.h"
#include "model/token/unicode.h"

struct lexer {
    struct model_work *w;
    const char *text;
    size_t at, size;
    uint32_t line;
    struct jinja_token *tokens;
    uint32_t count, cap;
};

static struct jinja_token *add(struct lexer *l, enum jinja_token_kind kind) {
    BASE_RESERVE(&l->w->cx, l->tokens, l->count, l->cap);
    struct jinja_token *t = &l->tokens[l->count++];
    *t = (struct jinja_token){.kind = kind, .line = l->line, .text = ""};
    return t;
}

static bool begins(const struct lexer *l, const char *part) {
    size_t size = strlen(part);
    return l->size - l->at >= size && memcmp(l->text + l->at, part, size) == 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip(struct lexer *l, size_t size) {
    for (; size > 0; size--)
        l->line += l->text[l->at++] == '\n';
}

// Text up to the next tag, as much of it as that leaves. from: where it begins, after what the last tag took.
static void take_text(struct lexer *l) {
    size_t from = l->at, end = from;
    while (end < l->size && !(l->text[end] == '{' && end + 1 < l->size && strchr("{%#", l->text[end + 1])))
        end++;
    size_t kept = end;
    char kind = end < l->size ? l->text[end + 1] : 0, sign = end + 2 < l->size ? l->text[end + 2] : 0;
    if (kind && sign == '-') {
        while (kept > from && is_space(l->text[kept - 1]))
            kept--;
    } else if ((kind == '%' || kind == '#') && sign != '+') {
        size_t begin = end;
        while (begin > from && is_blank(l->text[begin - 1]))
            begin--;
        if (begin == 0 || l->text[begin - 1] == '\n') kept = begin;
    }
    if (kept > from) add(l, TOKEN_TEXT)->value = jinja_text_of(l->text + from, kept - from);
    skip(l, end - from);
}

// Behind a tag that ended with `sign`.
static void trim(struct lexer *l, char sign, bool block) {
    if (sign == '-') {
        while (l->at < l->size && is_space(l->text[l->at]))
            skip(l, 1);
    } else if (block && sign != '+' && l->at < l->size && l->text[l->at] == '\n') {
        skip(l, 1);
    }
}

static void take_comment(struct lexer *l) {
    uint32_t line = l->line;
    while (l->at < l->size && !begins(l, "#}"))
        skip(l, 1);
    if (l->at >= l->size) model_invalid(l->w, "line %u: the comment does not end", line);
    char sign = l->text[l->at - 1];
    skip(l, 2);
    trim(l, sign, true);
}

static char escaped(struct lexer *l, char c) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '\\':
    case '\'':
    case '"': return c;
    default: model_refuse(l->w, WHORL_UNSUPPORTED, "line %u: the escape \\%c in a string", l->line, c);
    }
}

static void take_string(struct lexer *l) {
    char quote = l->text[l->at];
    struct jinja_token *t = add(l, TOKEN_STRING);
    struct base_text out;
    base_text_init(&out, &l->w->cx);
    for (skip(l, 1); l->at < l->size && l->text[l->at] != quote; skip(l, 1)) {
        char c = l->text[l->at];
        if (c == '\\' && l->at + 1 < l->size) {
            skip(l, 1);
            c = escaped(l, l->text[l->at]);
        }
        base_text_add(&out, &c, 1);
    }
    if (l->at >= l->size) model_invalid(l->w, "line %u: the string does not end", t->line);
    skip(l, 1);
    t->value = jinja_text_of(out.data, out.size);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static void take_number(struct lexer *l) {
    char number[40];
    size_t size = 0;
    bool real = false;
    while (l->at < l->size && size + 1 < sizeof number) {
        char c = l->text[l->at];
        bool point = c == '.' && !real && l->at + 1 < l->size && is_digit(l->text[l->at + 1]);
        if (!is_digit(c) && !point) break;
        real |= point;
        number[size++] = c;
        skip(l, 1);
    }
    number[size] = 0;
    if (size > 18 && !real) model_refuse(l->w, WHORL_UNSUPPORTED, "line %u: a number of so many digits", l->line);
    add(l, TOKEN_NUMBER)->value = real ? jinja_real(strtod(number, NULL)) : jinja_int(strtoll(number, NULL, 10));
}

static void take_word(struct lexer *l) {
    size_t begin = l->at;
    while (l->at < l->size && (is_letter(l->text[l->at]) || is_digit(l->text[l->at])))
        skip(l, 1);
    add(l, TOKEN_NAME)->text = base_strndup(&l->w->cx, l->text + begin, l->at - begin);
}

static void take_operator(struct lexer *l) {
    static const char *const operators[] = {"==", "!=", "<=", ">=", "//", "**", "<", ">", "=", "+", "-", "*", "/",
                                            "%",  "~",  "(",  ")",  "[",  "]",  "{", "}", ",", ":", ".", "|"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!begins(l, operators[i])) continue;
        add(l, TOKEN_OP)->text = operators[i];
        skip(l, strlen(operators[i]));
        return;
    }
    model_invalid(l->w, "line %u: the character '%c' means nothing in a tag", l->line, l->text[l->at]);
}

// One of {{ }} and {% %}; the first two characters are taken already. Brackets inside keep a `}}` from ending it.
static void take_tag(struct lexer *l, bool block) {
    const char *end = block ? "%}" : "}}";
    uint32_t line = l->line, braces = 0;
    if (l->at < l->size && (l->text[l->at] == '-' || l->text[l->at] == '+')) skip(l, 1);
    for (;;) {
        while (l->at < l->size && is_space(l->text[l->at]))
            skip(l, 1);
        if (l->at >= l->size) model_invalid(l->w, "line %u: the tag does not end", line);
        char c = l->text[l->at];
        bool sign = (c == '-' || c == '+') && l->at + 2 < l->size && memcmp(l->text + l->at + 1, end, 2) == 0;
        if (!braces && (sign || begins(l, end))) {
            skip(l, sign ? 3 : 2);
            add(l, block ? TOKEN_BLOCK_END : TOKEN_OUTPUT_END);
            trim(l, sign ? c : 0, block);
            return;
        }
        braces += c == '{';
        braces -= c == '}' && braces;
        if (c == '"' || c == '\'')
            take_string(l);
        else if (is_digit(c))
            take_number(l);
        else if (is_letter(c))
            take_word(l);
        else
            take_operator(l);
    }
}

struct jinja_token *jinja_lex(struct model_work *w, const char *text, size_t size_bytes, uint32_t *out_count) {
    struct lexer l = {.w = w, .size = size_bytes, .line = 1};
    char *own = base_strndup(&w->cx, text, size_bytes);
    size_t size = 0, wrong = unicode_check(text, size_bytes);
    if (wrong != size_bytes) model_invalid(w, "it is not UTF-8: byte %zu is wrong", wrong);
    for (size_t i = 0; i < size_bytes; i++) // ends of lines are those of Unix
        if (!(text[i] == '\r' && i + 1 < size_bytes && text[i + 1] == '\n'))
            own[size++] = text[i] == '\r' ? '\n' : text[i];
    if (size && own[size - 1] == '\n') size--; // the last one is no text
    l.text = own;
    l.size = size;
    while (l.at < l.size) {
        take_text(&l);
        if (l.at >= l.size) break;
        char kind = l.text[l.at + 1];
        skip(&l, 2);
        if (kind == '#') {
            take_comment(&l);
        } else {
            add(&l, kind == '%' ? TOKEN_BLOCK : TOKEN_OUTPUT);
            take_tag(&l, kind == '%');
        }
    }
    add(&l, TOKEN_END);
    *out_count = l.count;
    return l.tokens;
}
