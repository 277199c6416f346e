// The lexer: one pass over a file's bytes, a token a call.
//
// Joined lines are taken out beforehand (front_source_init), so that no scanning loop has to know of them; the list of
// where they were keeps line and column exact. A string or character constant that does not end on its line becomes one
// FRONT_TOK_OTHER, as does any other character that starts no token: whether that is an error is known only when such a
// token reaches the output.
#include <string.h>

#include "front/text/lex.h"

enum { LETTER = 1, DIGIT = 2, BLANK = 4, WORD = LETTER | DIGIT };

// UTF-8 bytes count as letters: gcc and clang take such identifiers too.
static const uint8_t classes[256] = {
    ['\t'] = BLANK, ['\v'] = BLANK, ['\f'] = BLANK, ['\r'] = BLANK, [' '] = BLANK, ['0'] = DIGIT, ['1'] = DIGIT,
    ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT,
    ['9'] = DIGIT,  ['_'] = LETTER, ['$'] = LETTER,
#define L(c) [c] = LETTER, [(c) + 32] = LETTER
    L('A'),         L('B'),         L('C'),         L('D'),         L('E'),        L('F'),        L('G'),
    L('H'),         L('I'),         L('J'),         L('K'),         L('L'),        L('M'),        L('N'),
    L('O'),         L('P'),         L('Q'),         L('R'),         L('S'),        L('T'),        L('U'),
    L('V'),         L('W'),         L('X'),         L('Y'),         L('Z'),
#undef L
#define R(c) [c] = LETTER, [(c) + 1] = LETTER, [(c) + 2] = LETTER, [(c) + 3] = LETTER
#define RR(c) R(c), R((c) + 4), R((c) + 8), R((c) + 12)
    RR(128),        RR(144),        RR(160),        RR(176),        RR(192),       RR(208),       RR(224),
    RR(240),
#undef R
#undef RR
};

static inline uint8_t class_of(char c) { return classes[(unsigned char)c]; }

void front_source_init(struct base_cx *cx, struct front_source *out, uint32_t file) {
    const char *text = cx->files[file].text, *end = text + cx->files[file].size;
    *out = (struct front_source){.file = file, .text = text, .end = end};
    uint32_t *splices = NULL, cap = 0;
    char *joined = NULL, *to = NULL;
    const char *from = text;
    for (const char *p = text; (p = memchr(p, '\\', (size_t)(end - p)));) {
        const char *next = p + 1;
        if (*next == '\r') next++;
        if (next >= end || *next != '\n') {
            p++;
            continue;
        }
        if (!joined) joined = to = base_alloc(cx, (size_t)(end - text) + 1);
        memcpy(to, from, (size_t)(p - from));
        to += p - from;
        from = p = next + 1;
        BASE_RESERVE(cx, splices, out->splice_count, cap);
        splices[out->splice_count++] = (uint32_t)(to - joined);
    }
    if (!joined) return;
    memcpy(to, from, (size_t)(end - from));
    out->text = joined;
    out->end = to + (end - from);
    out->splices = splices;
}

void front_lexer_init(struct front_lexer *lx, struct front_names *names, const struct front_source *source) {
    *lx = (struct front_lexer){.cx = names->cx,
                               .names = names,
                               .source = source,
                               .p = source->text,
                               .line_start = source->text,
                               .line = 1,
                               .shown_file = source->file,
                               .at_bol = true};
    if (names->cx->files[source->file].builtin) lx->token_flags = FRONT_TOKEN_BUILTIN;
    if (source->end - source->text >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
        lx->p += 3; // a byte order mark
}

base_loc front_lex_loc(struct front_lexer *lx) {
    if (lx->fixed_loc) return lx->fixed_loc;
    const struct front_source *source = lx->source;
    while (lx->splice_next < source->splice_count && source->text + source->splices[lx->splice_next] <= lx->p) {
        const char *start = source->text + source->splices[lx->splice_next++];
        lx->line++;
        if (start > lx->line_start) lx->line_start = start;
    }
    return base_add_loc(lx->cx, lx->shown_file, lx->line + lx->line_delta, (uint32_t)(lx->p - lx->line_start) + 1);
}

// p stands behind "/*". Returns what follows the comment, or NULL.
static const char *comment_end(const char *p, const char *end) {
    while ((p = memchr(p, '*', (size_t)(end - p)))) {
        if (*++p == '/') return p + 1;
    }
    return NULL;
}

static void skip_comment(struct front_lexer *lx) {
    const char *end = lx->source->end, *after = comment_end(lx->p + 2, end);
    if (!after) {
        base_error(lx->cx, front_lex_loc(lx), "this comment does not end");
        after = end;
    }
    const char *p = lx->p;
    while ((p = memchr(p, '\n', (size_t)(after - p)))) {
        lx->line++;
        lx->line_start = ++p;
    }
    lx->p = after;
}

static const char *line_end(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

uint16_t front_lex_space(struct front_lexer *lx) {
    uint16_t flags = 0;
    for (;;) {
        char c = *lx->p;
        if (class_of(c) == BLANK) {
            lx->p++;
            flags |= FRONT_TOKEN_SPACE;
        } else if (c == '\n') {
            if (lx->in_directive) return flags;
            lx->line++;
            lx->line_start = ++lx->p;
            lx->at_bol = true;
        } else if (c == '/' && lx->p[1] == '*') {
            skip_comment(lx);
            flags |= FRONT_TOKEN_SPACE;
        } else if (c == '/' && lx->p[1] == '/') {
            lx->p = line_end(lx->p, lx->source->end);
            flags |= FRONT_TOKEN_SPACE;
        } else {
            break;
        }
    }
    return lx->at_bol ? flags | FRONT_TOKEN_BOL : flags;
}

bool front_lex_paren_next(const struct front_lexer *lx) {
    const char *end = lx->source->end;
    for (const char *p = lx->p; p; p++) {
        if (p[0] == '/' && p[1] == '*') {
            p = comment_end(p + 2, end);
            if (!p) return false;
            p--;
        } else if (p[0] == '/' && p[1] == '/') {
            p = line_end(p, end) - 1;
        } else if (class_of(*p) != BLANK && (*p != '\n' || lx->in_directive)) {
            return *p == '(';
        }
    }
    return false;
}

void front_lex_skip_line(struct front_lexer *lx) {
    const char *end = lx->source->end;
    while (lx->p < end && *lx->p != '\n') {
        char c = *lx->p;
        if (c == '/' && lx->p[1] == '*') {
            skip_comment(lx);
        } else if (c == '/' && lx->p[1] == '/') {
            lx->p = line_end(lx->p, end);
        } else if (c == '"' || c == '\'') {
            uint16_t kind;
            lx->p = front_scan(lx->p, end, &kind);
            if (kind == FRONT_TOK_OTHER) // an apostrophe in prose
                lx->p = line_end(lx->p, end);
        } else {
            lx->p++;
        }
    }
    if (lx->p < end) {
        lx->line++;
        lx->line_start = ++lx->p;
    }
    lx->at_bol = true;
}

// p stands at the quote.
static const char *scan_quoted(const char *p, const char *end, uint16_t *out_kind) {
    char quote = *p;
    for (p++; p < end && *p != '\n'; p++) {
        if (*p == quote) {
            *out_kind = quote == '"' ? FRONT_TOK_STRING : FRONT_TOK_CHAR;
            return p + 1;
        }
        if (*p == '\\' && p + 1 < end && p[1] != '\n') p++;
    }
    *out_kind = FRONT_TOK_OTHER;
    return p;
}

static const char *scan_number(const char *p, uint16_t *out_kind) {
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    *out_kind = FRONT_TOK_INT;
    for (;; p++) {
        char c = *p, lower = (char)(c | 32);
        if (c == '.') {
            *out_kind = FRONT_TOK_FLOAT;
        } else if (!(class_of(c) & WORD)) {
            return p;
        } else if (lower == 'e' || lower == 'p') {
            if (hex ? lower == 'p' : lower == 'e') *out_kind = FRONT_TOK_FLOAT;
            if (p[1] == '+' || p[1] == '-') p++;
        }
    }
}

// Those that no other one begins with.
static const struct {
    char c;
    uint16_t kind;
} alone[] = {{'(', FRONT_P_LPAREN}, {')', FRONT_P_RPAREN},  {'[', FRONT_P_LBRACKET}, {']', FRONT_P_RBRACKET},
             {'{', FRONT_P_LBRACE}, {'}', FRONT_P_RBRACE},  {';', FRONT_P_SEMI},     {',', FRONT_P_COMMA},
             {'~', FRONT_P_TILDE},  {'?', FRONT_P_QUESTION}};

static const char *scan_punctuator(const char *p, uint16_t *out_kind) {
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (*p == alone[i].c) return (*out_kind = alone[i].kind, p + 1);
#define ONE(k) (*out_kind = FRONT_P_##k, p + 1)
#define TWO(c, k) \
    if (p[1] == (c)) return (*out_kind = FRONT_P_##k, p + 2)
#define THREE(c, d, k) \
    if (p[1] == (c) && p[2] == (d)) return (*out_kind = FRONT_P_##k, p + 3)
    switch (*p) {
    case '.': THREE('.', '.', ELLIPSIS); return ONE(DOT);
    case '+':
        TWO('+', INC);
        TWO('=', PLUS_ASSIGN);
        return ONE(PLUS);
    case '-':
        TWO('>', ARROW);
        TWO('-', DEC);
        TWO('=', MINUS_ASSIGN);
        return ONE(MINUS);
    case '*': TWO('=', STAR_ASSIGN); return ONE(STAR);
    case '/': TWO('=', SLASH_ASSIGN); return ONE(SLASH);
    case '&':
        TWO('&', ANDAND);
        TWO('=', AMP_ASSIGN);
        return ONE(AMP);
    case '|':
        TWO('|', OROR);
        TWO('=', PIPE_ASSIGN);
        return ONE(PIPE);
    case '^': TWO('=', CARET_ASSIGN); return ONE(CARET);
    case '!': TWO('=', NE); return ONE(NOT);
    case '=': TWO('=', EQ); return ONE(ASSIGN);
    case '>':
        THREE('>', '=', SHR_ASSIGN);
        TWO('>', SHR);
        TWO('=', GE);
        return ONE(GT);
    case '<':
        THREE('<', '=', SHL_ASSIGN);
        TWO('<', SHL);
        TWO('=', LE);
        TWO(':', LBRACKET);
        TWO('%', LBRACE);
        return ONE(LT);
    case '%':
        if (p[1] == ':' && p[2] == '%' && p[3] == ':') return (*out_kind = FRONT_P_HASHHASH, p + 4);
        TWO('=', PERCENT_ASSIGN);
        TWO('>', RBRACE);
        TWO(':', HASH);
        return ONE(PERCENT);
    case ':': TWO('>', RBRACKET); return ONE(COLON);
    case '#': TWO('#', HASHHASH); return ONE(HASH);
    default: *out_kind = FRONT_TOK_OTHER; return p + 1;
    }
#undef ONE
#undef TWO
#undef THREE
}

const char *front_scan(const char *p, const char *end, uint16_t *out_kind) {
    char c = *p;
    if (class_of(c) & LETTER) {
        const char *start = p;
        while (class_of(*++p) & WORD)
            ;
        if (*p == '"' || *p == '\'') {
            size_t len = (size_t)(p - start);
            if ((len == 1 && (c == 'L' || c == 'u' || c == 'U')) ||
                (len == 2 && c == 'u' && start[1] == '8' && *p == '"'))
                return scan_quoted(p, end, out_kind);
        }
        *out_kind = FRONT_TOK_IDENT;
        return p;
    }
    if (class_of(c) & DIGIT || (c == '.' && class_of(p[1]) & DIGIT)) return scan_number(p, out_kind);
    if (c == '"' || c == '\'') return scan_quoted(p, end, out_kind);
    return scan_punctuator(p, out_kind);
}

struct front_token front_lex(struct front_lexer *lx) {
    uint16_t flags = front_lex_space(lx) | lx->token_flags;
    struct front_token token = {.loc = front_lex_loc(lx), .flags = flags, .kind = FRONT_TOK_END};
    const char *start = lx->p, *end = lx->source->end;
    if (start >= end || *start == '\n') {
        token.text = "";
        return token;
    }
    lx->p = front_scan(start, end, &token.kind);
    lx->at_bol = false;
    token.len = (uint32_t)(lx->p - start);
    const char *known = lx->names->texts[token.kind]; // a digraph's is another spelling
    token.text = known && known[0] == *start && front_spelling_of(known)->len == token.len
                     ? known
                     : front_intern(lx->names, start, token.len);
    return token;
}
