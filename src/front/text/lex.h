// From characters to preprocessing tokens: names, and a lexer over one file. Internal to the front-end's first half
// (lex, pp_*).
#ifndef WHORL_FRONT_LEX_H
#define WHORL_FRONT_LEX_H

#include "front/text/token.h"

struct front_macro;
struct front_source;

// What stands behind every token's text. The text is the last member, so that front_spelling_of finds the rest from it.
struct front_spelling {
    uint32_t hash, len;
    uint16_t keyword;            // enum front_token_kind, or 0
    uint16_t word;               // what it means after '#' (pp.h), or 0
    uint16_t param;              // its number from 1 in the macro that is being defined, or 0
    bool was_builtin;            // it was a macro of a built-in header or of the compiler
    bool printed;                // scratch of the printer
    uint32_t declared_by[2];     // scratch of the outline: what declares the name, and the tag, at file scope; or 0
    struct front_macro *macro;   // the definition in force
    struct front_source *source; // the file that was read under this path
    char text[];
};

struct front_names {
    struct base_cx *cx;
    struct front_spelling **slots;
    uint32_t count, cap;                // cap is a power of two
    const char *texts[FRONT_TOK_COUNT]; // of punctuators and keywords
};

static inline struct front_spelling *front_spelling_of(const char *interned) {
    return (struct front_spelling *)(void *)((char *)(uintptr_t)interned - offsetof(struct front_spelling, text));
}

// A file after phase 2: lines that end in a backslash are joined. splices[i] is the offset in `text` where such a
// joined line starts, so that positions stay exact.
struct front_source {
    uint32_t file;          // index into cx->files
    const char *text, *end; // *end is NUL
    const uint32_t *splices;
    uint32_t splice_count;
    bool once; // #pragma once was seen
};
void front_source_init(struct base_cx *cx, struct front_source *out, uint32_t file);

struct front_lexer {
    struct base_cx *cx;
    struct front_names *names;
    const struct front_source *source;
    const char *p;
    const char *line_start; // of the physical line
    uint32_t line;          // physical
    uint32_t splice_next;
    uint32_t shown_file, line_delta; // what #line has made of file and line
    uint16_t token_flags;            // for every token: FRONT_TOKEN_BUILTIN
    bool at_bol;
    bool in_directive;  // a newline is not passed: it reads as FRONT_TOK_END
    base_loc fixed_loc; // not 0: the position of all tokens (text that no file holds)
};
void front_lexer_init(struct front_lexer *lx, struct front_names *names, const struct front_source *source);
struct front_token front_lex(struct front_lexer *lx);
// White space and comments up to the next token, newline (in a directive) or the end. Returns FRONT_TOKEN_BOL and
// _SPACE as found.
uint16_t front_lex_space(struct front_lexer *lx);
base_loc front_lex_loc(struct front_lexer *lx);
// Is '(' the next thing? Nothing moves.
bool front_lex_paren_next(const struct front_lexer *lx);
// To the start of the next line, or the end, knowing comments and quotes but making no tokens.
void front_lex_skip_line(struct front_lexer *lx);
// Scans one token that starts at p, with no white space before it; returns its end and the kind. p < end, *end is NUL.
const char *front_scan(const char *p, const char *end, uint16_t *out_kind);

#endif
