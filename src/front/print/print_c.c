// The preprocessed program as C text for a real compiler: the second reader of the tokens, beside the parser.
//
// Tokens of built-in headers are left out and the compiler's own headers included instead, all at the top: names that a
// macro of theirs could touch have been expanded already. Positions are kept by starting lines where the source starts
// them and by #line where that does not do; a macro's tokens stay on the line of its use.
#include <string.h>

#include "front/print/print.h"
#include "front/text/lex.h"

struct printer {
    struct base_text out;
    const struct base_cx *cx;
    uint32_t file, line; // what the compiler takes the current line of the output for
    bool line_start;
    char last;        // the last character of the token before, on this line
    bool last_number; // it was a number
};

static void put_newline(struct printer *p) {
    base_text_put(&p->out, "\n");
    p->line++;
    p->line_start = true;
}

static void put_line_directive(struct printer *p, struct base_position at) {
    base_text_format(&p->out, "#line %u \"", at.line);
    for (const char *c = p->cx->files[at.file].path; *c; c++) {
        if (*c == '"' || *c == '\\') base_text_put(&p->out, "\\");
        base_text_add(&p->out, *c == '\n' ? "?" : c, 1);
    }
    base_text_put(&p->out, "\"\n");
    p->file = at.file;
    p->line = at.line;
}

// To the start of a line that the compiler takes for `at`.
static void start_line(struct printer *p, struct base_position at) {
    enum { BLANK_LINES = 8 }; // as many rather than a directive
    if (!p->line_start) put_newline(p);
    if (at.file != p->file || at.line < p->line || at.line - p->line > BLANK_LINES) put_line_directive(p, at);
    while (p->line < at.line)
        put_newline(p);
}

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '$' ||
           (unsigned char)c >= 128;
}

// Could these two read as one token, or as another pair, without a space?
static bool would_join(const struct printer *p, char next) {
    char last = p->last;
    if (is_word(last) && (is_word(next) || next == '"' || next == '\'')) return true;
    if (p->last_number && (next == '.' || next == '+' || next == '-' || is_word(next))) return true;
    return (last == '.' && next >= '0' && next <= '9') ||
           (memchr("+-*/%<>=!&|^:#.", last, 15) && memchr("+-*/%<>=!&|^:#.", next, 15));
}

// `edit`, if not NULL, stands for the token's own text.
static void put_token(struct printer *p, const struct front_token *token, const char *edit) {
    const char *text = edit ? edit : token->text;
    size_t size = edit ? strlen(edit) : token->len;
    if (size == 0) return;
    if (!p->line_start && (token->flags & (FRONT_TOKEN_SPACE | FRONT_TOKEN_BOL) || would_join(p, text[0])))
        base_text_put(&p->out, " ");
    base_text_add(&p->out, text, size);
    p->line_start = false;
    p->last = text[size - 1];
    p->last_number = token->kind == FRONT_TOK_INT || token->kind == FRONT_TOK_FLOAT;
}

static void put_plain(struct printer *p, const struct front_token *token, const char *edit) {
    struct base_position at = p->cx->locs[token->loc];
    bool same_line = !p->line_start && at.file == p->file && at.line == p->line;
    if (p->line_start || (token->flags & FRONT_TOKEN_BOL && !same_line)) {
        start_line(p, at);
        for (uint32_t i = 1; i < at.col && i <= 40; i++)
            base_text_put(&p->out, " ");
    }
    put_token(p, token, edit);
}

static void put_includes(struct printer *p) {
    for (uint32_t i = 0; i < p->cx->file_count; i++) {
        const struct base_file *file = &p->cx->files[i];
        size_t size = strlen(file->path);
        bool is_own = strncmp(file->path, "<whorl/", 7) == 0; // of which the program's text knows nothing
        if (file->builtin && file->path[0] == '<' && !is_own && size > 4 && strcmp(file->path + size - 3, ".h>") == 0)
            base_text_format(&p->out, "#include %s\n", file->path);
    }
}

// A name that is left in the tokens is no macro here, whatever the real headers make of it.
static void put_undefs(struct printer *p, const struct front_token *tokens, uint32_t count) {
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            if (tokens[i].kind != FRONT_TOK_IDENT || tokens[i].flags & FRONT_TOKEN_BUILTIN) continue;
            struct front_spelling *name = front_spelling_of(tokens[i].text);
            if (name->was_builtin && pass == 0 && !name->printed) base_text_format(&p->out, "#undef %s\n", name->text);
            name->printed = name->was_builtin && pass == 0;
        }
    }
}

const char *front_print_c(struct base_cx *cx, const struct front_token *tokens, uint32_t count,
                          const char *const *edits) {
    struct printer p = {.cx = cx, .file = UINT32_MAX, .line_start = true, .last = ' '};
    base_text_init(&p.out, cx);
    put_includes(&p);
    put_undefs(&p, tokens, count);
    bool in_pragma = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct front_token *token = &tokens[i];
        const char *edit = edits ? edits[i] : NULL;
        if (token->flags & FRONT_TOKEN_BUILTIN || token->kind == FRONT_TOK_END) continue;
        if (token->kind == FRONT_TOK_PRAGMA || token->kind == FRONT_TOK_PRAGMA_OTHER) {
            start_line(&p, cx->locs[token->loc]);
            base_text_put(&p.out, "#pragma ");
            put_token(&p, token, edit);
            in_pragma = token->kind == FRONT_TOK_PRAGMA;
            if (!in_pragma) put_newline(&p);
        } else if (token->kind == FRONT_TOK_PRAGMA_END) {
            put_newline(&p);
            in_pragma = false;
        } else if (in_pragma) {
            put_token(&p, token, edit);
        } else {
            put_plain(&p, token, edit);
        }
    }
    if (!p.line_start) put_newline(&p);
    return p.out.data ? p.out.data : "";
}
