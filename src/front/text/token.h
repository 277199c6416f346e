// Tokens, and the two ends of the preprocessor: C text in, one flat array of tokens out, and back to C text for a real
// compiler.
//
// All spellings are interned and NUL-terminated: within one `front_names`, equal spelling means equal pointer, for
// every kind of token. A token that a macro made carries the position where the macro was used.
#ifndef WHORL_FRONT_TOKEN_H
#define WHORL_FRONT_TOKEN_H

#include "base/base.h"

// name, spelling. The order is the enum's.
#define FRONT_PUNCTUATORS(X) \
    X(LPAREN, "(")           \
    X(RPAREN, ")")           \
    X(LBRACKET, "[")         \
    X(RBRACKET, "]")         \
    X(LBRACE, "{")           \
    X(RBRACE, "}")           \
    X(DOT, ".")              \
    X(ARROW, "->")           \
    X(INC, "++")             \
    X(DEC, "--")             \
    X(AMP, "&")              \
    X(STAR, "*")             \
    X(PLUS, "+")             \
    X(MINUS, "-")            \
    X(TILDE, "~")            \
    X(NOT, "!")              \
    X(SLASH, "/")            \
    X(PERCENT, "%")          \
    X(SHL, "<<")             \
    X(SHR, ">>")             \
    X(LT, "<")               \
    X(GT, ">")               \
    X(LE, "<=")              \
    X(GE, ">=")              \
    X(EQ, "==")              \
    X(NE, "!=")              \
    X(CARET, "^")            \
    X(PIPE, "|")             \
    X(ANDAND, "&&")          \
    X(OROR, "||")            \
    X(QUESTION, "?")         \
    X(COLON, ":")            \
    X(SEMI, ";")             \
    X(ELLIPSIS, "...")       \
    X(ASSIGN, "=")           \
    X(STAR_ASSIGN, "*=")     \
    X(SLASH_ASSIGN, "/=")    \
    X(PERCENT_ASSIGN, "%=")  \
    X(PLUS_ASSIGN, "+=")     \
    X(MINUS_ASSIGN, "-=")    \
    X(SHL_ASSIGN, "<<=")     \
    X(SHR_ASSIGN, ">>=")     \
    X(AMP_ASSIGN, "&=") X(CARET_ASSIGN, "^=") X(PIPE_ASSIGN, "|=") X(COMMA, ",") X(HASH, "#") X(HASHHASH, "##")

// Other spellings of a keyword (__inline__, __restrict, ...) are mapped to its kind; the text stays as written.
#define FRONT_KEYWORDS(X)              \
    X(AUTO, "auto")                    \
    X(BREAK, "break")                  \
    X(CASE, "case")                    \
    X(CHAR, "char")                    \
    X(CONST, "const")                  \
    X(CONTINUE, "continue")            \
    X(DEFAULT, "default")              \
    X(DO, "do")                        \
    X(DOUBLE, "double")                \
    X(ELSE, "else")                    \
    X(ENUM, "enum")                    \
    X(EXTERN, "extern")                \
    X(FLOAT, "float")                  \
    X(FOR, "for")                      \
    X(GOTO, "goto")                    \
    X(IF, "if")                        \
    X(INLINE, "inline")                \
    X(INT, "int")                      \
    X(LONG, "long")                    \
    X(REGISTER, "register")            \
    X(RESTRICT, "restrict")            \
    X(RETURN, "return")                \
    X(SHORT, "short")                  \
    X(SIGNED, "signed")                \
    X(SIZEOF, "sizeof")                \
    X(STATIC, "static")                \
    X(STRUCT, "struct")                \
    X(SWITCH, "switch")                \
    X(TYPEDEF, "typedef")              \
    X(UNION, "union")                  \
    X(UNSIGNED, "unsigned")            \
    X(VOID, "void")                    \
    X(VOLATILE, "volatile")            \
    X(WHILE, "while")                  \
    X(ALIGNAS, "_Alignas")             \
    X(ALIGNOF, "_Alignof")             \
    X(ATOMIC, "_Atomic")               \
    X(BOOL, "_Bool")                   \
    X(COMPLEX, "_Complex")             \
    X(GENERIC, "_Generic")             \
    X(IMAGINARY, "_Imaginary")         \
    X(NORETURN, "_Noreturn")           \
    X(STATIC_ASSERT, "_Static_assert") \
    X(THREAD_LOCAL, "_Thread_local")   \
    X(FLOAT16, "_Float16")             \
    X(ATTRIBUTE, "__attribute__")      \
    X(EXTENSION, "__extension__") X(TYPEOF, "__typeof__") X(ASM, "__asm__") X(INT128, "__int128")

enum front_token_kind {
    FRONT_TOK_END, // the last token, always there (counted in out_count); its position is the end of the main file
    FRONT_TOK_IDENT,
    FRONT_TOK_INT,   // integer constant: front_parse_number
    FRONT_TOK_FLOAT, // floating constant: front_parse_number
    FRONT_TOK_CHAR,  // character constant: front_parse_char
    // one string literal, quotes and prefix in the text; neighbours are not joined: front_parse_string
    FRONT_TOK_STRING,
    // `#pragma omp` or _Pragma("omp ..."); text "omp"; the tokens after `omp` follow (`for` is the keyword) ...
    FRONT_TOK_PRAGMA,
    FRONT_TOK_PRAGMA_END, // ... up to this one
    // any other pragma in one token; text is the rest of the line ("GCC ivdep"). Only for printing: the parser skips it
    // wherever it stands
    FRONT_TOK_PRAGMA_OTHER,
    FRONT_TOK_OTHER, // a character that is no C token: only inside the preprocessor, which reports it
#define X(name, text) FRONT_P_##name,
    FRONT_PUNCTUATORS(X)
#undef X
#define X(name, text) FRONT_KW_##name,
        FRONT_KEYWORDS(X)
#undef X
            FRONT_TOK_COUNT
};

enum front_token_flags {
    FRONT_TOKEN_BOL = 1,       // first of its line
    FRONT_TOKEN_SPACE = 2,     // white space before it
    FRONT_TOKEN_BUILTIN = 4,   // stands in a built-in header: parsed, not printed
    FRONT_TOKEN_NO_EXPAND = 8, // inside the preprocessor: this name is never expanded again
};

struct front_token {
    const char *text; // interned
    uint32_t len;
    base_loc loc;
    uint16_t kind;  // enum front_token_kind
    uint16_t flags; // enum front_token_flags
};

// "';'" or "identifier" or "integer constant": for messages that say what was expected.
const char *front_kind_name(enum front_token_kind kind);

// ---- names ----------------------------------------------------------------------------------------------------------
struct front_names;
struct front_names *front_names_create(struct base_cx *cx); // lives in the arena
const char *front_intern(struct front_names *names, const char *text, size_t len);

// ---- preprocessing --------------------------------------------------------------------------------------------------
struct front_pp_options {
    const char *path;           // also the name in messages and __FILE__
    const char *text;           // NULL: the file is read
    size_t text_size;           // of text; 0 with text: strlen
    const char *const *defines; // "NAME" or "NAME=VALUE"
    size_t define_count;
    const char *const *include_dirs; // -I, in order
    size_t include_dir_count;
    struct front_names *names; // NULL: made inside
    bool pairs;                // the functions of -fdouble=pair come first (include/whorl/pair.h)
    bool words;                // those of 64-bit integers, too (include/whorl/words.h)
};

// The whole translation unit after phases 1 to 4, keywords recognised. Errors are recorded in cx, a hopeless one bails:
// call base_check_errors before parsing. The main file is the first that this adds to cx->files.
struct front_token *front_preprocess(struct base_cx *cx, const struct front_pp_options *options, uint32_t *out_count);

// ---- constants ------------------------------------------------------------------------------------------------------
enum front_number_type { // long has 64 bits, as where the program is judged
    FRONT_NUM_INT,
    FRONT_NUM_UINT,
    FRONT_NUM_LONG,
    FRONT_NUM_ULONG,
    FRONT_NUM_LLONG,
    FRONT_NUM_ULLONG,
    FRONT_NUM_FLOAT,
    FRONT_NUM_DOUBLE,
    FRONT_NUM_LDOUBLE,
};
struct front_number {
    enum front_number_type type;
    uint64_t integer; // where the type is an integer's
    double real;   // where it is not: the double nearest to the decimal text (a float's is rounded from the text, once)
    bool suffixed; // a floating constant with f or l
    bool is_imaginary; // GNU C: 2.0i
};
// C's rules for kind INT and FLOAT. False after an error was reported; *out is then 0 of type int.
bool front_parse_number(struct base_cx *cx, const struct front_token *token, struct front_number *out);
// Value of a character constant, an int. False after an error was reported; *out is then 0.
bool front_parse_char(struct base_cx *cx, const struct front_token *token, int32_t *out);
// Bytes of one string literal without quotes, escapes resolved, NUL-terminated, in the arena. Wide strings are errors.
bool front_parse_string(struct base_cx *cx, const struct front_token *token, const char **out_bytes, size_t *out_size);

#endif
