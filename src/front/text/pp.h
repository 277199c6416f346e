// The preprocessor's inside, shared by its files: pp.c (files and the main loop), pp_directive.c, pp_if.c,
// pp_define.c, pp_expand.c.
//
// Tokens come from a stack of expansions above a stack of files. A macro is `disabled` while its expansion is on the
// stack: a name read meanwhile that means it is painted (FRONT_TOKEN_NO_EXPAND) for good. This gives the result of
// Prosser's hide sets without any set: what stands on the stack when a token is read is its hide set.
#ifndef WHORL_FRONT_PP_H
#define WHORL_FRONT_PP_H

#include "front/text/lex.h"

enum front_pp_limits {
    PP_INCLUDE_DEPTH = 64,
    PP_INCLUDES = 20000,
    PP_SOURCE_BYTES = 256 << 20, // read in all, a header once for each time it is included
    PP_FILE_BYTES = 64 << 20,
    PP_IF_DEPTH = 1000,
    PP_ARGUMENT_DEPTH = 400, // macro calls in arguments of macro calls
    PP_OUT_TOKENS = 5000000,
    PP_EXPANDED_TOKENS = 16 << 20, // copied by all expansions together
    PP_LIVE_TOKENS = 4 << 20,      // of expansions on the stack
    PP_PARAMETERS = 4096,
    PP_MADE_TOKEN_BYTES = 1 << 20, // one token out of # or ##
};

// What a name means after '#', or to the expander.
enum front_pp_word {
    PP_WORD_NONE,
    PP_IF,
    PP_IFDEF,
    PP_IFNDEF,
    PP_ELIF,
    PP_ELSE,
    PP_ENDIF,
    PP_INCLUDE,
    PP_DEFINE,
    PP_UNDEF,
    PP_LINE,
    PP_ERROR,
    PP_WARNING,
    PP_PRAGMA,
    PP_DEFINED,
    PP_HAS_INCLUDE,
    PP_VA_ARGS,
    PP_PRAGMA_OPERATOR,
};

enum front_macro_kind { PP_MACRO_TEXT, PP_MACRO_FILE, PP_MACRO_LINE, PP_MACRO_HAS_INCLUDE };

struct pp_item { // of a replacement list
    struct front_token token;
    int32_t param; // or -1
    bool stringize;
    bool paste; // ## stands before it
};
struct front_macro {
    const char *name; // interned
    base_loc loc;     // of its definition
    enum front_macro_kind kind;
    bool is_function, is_variadic, is_builtin, disabled;
    uint32_t param_count;
    const char **params;
    struct pp_item *items;
    uint32_t item_count;
};

// A growing run of tokens from the pool of preprocessor buffers, given back when it is used up.
struct pp_run {
    struct front_token *tokens;
    uint32_t count, cap;
};

struct pp_context { // an expansion that is being read
    struct pp_run run;
    uint32_t next;
    struct front_macro *macro; // disabled meanwhile; NULL for an argument
    bool is_argument;          // reading does not go past its end
};

struct pp_condition {
    base_loc loc;
    bool taken; // some branch was
    bool else_seen;
};

struct pp_arg {
    struct pp_run raw, expanded;
    bool is_expanded;
};

struct pp_file { // on the include stack
    struct front_lexer lexer;
    uint32_t condition_base;
    base_loc loc; // of the #include
};

struct pp {
    struct base_cx *cx;
    struct front_names *names;
    const struct front_pp_options *options;
    struct front_lexer *lexer; // of the innermost file, or of a line that is being lexed
    struct pp_file files[PP_INCLUDE_DEPTH];
    uint32_t depth, includes;
    uint64_t source_bytes;

    struct pp_context *contexts;
    uint32_t context_count, context_cap;
    struct pp_arg *args; // a stack: those of the calls that are being expanded
    uint32_t arg_count, arg_cap;
    struct front_token *pool[32]; // free buffers by log2 of their size, chained through their first bytes
    uint64_t expanded_tokens, live_tokens;
    uint32_t argument_depth;
    struct base_text scratch; // spelling of a token that is being made
    bool collecting;          // the arguments of a call

    struct pp_condition *conditions;
    uint32_t condition_count, condition_cap;

    struct front_token *out;
    uint32_t out_count, out_cap;
};

// ---- pp.c -----------------------------------------------------------------------------------------------------------
// The next token, unexpanded; directives of the file are obeyed on the way. FRONT_TOK_END at the end of the main file,
// of an argument, or in a directive of the line.
struct front_token pp_read(struct pp *pp);
// Finds and enters a file. `loc` is where the name stands.
void pp_include(struct pp *pp, base_loc loc, const char *name, bool angled);
bool pp_include_exists(struct pp *pp, const char *name, bool angled);
void pp_emit(struct pp *pp, const struct front_token *token);
// Obeys the pragma whose words come from `lexer`, which is in a directive; loc and flags are those of its `#`.
void pp_pragma(struct pp *pp, struct front_lexer *lexer, base_loc loc, uint16_t flags);

// ---- pp_directive.c -------------------------------------------------------------------------------------------------
void pp_directive(struct pp *pp, const struct front_token *hash);
void pp_skip_line(struct pp *pp);
// Reads `<name>` or `"name"`, also out of macros. False after an error.
bool pp_header_name(struct pp *pp, const char **out_name, bool *out_angled);

// ---- pp_if.c --------------------------------------------------------------------------------------------------------
bool pp_evaluate(struct pp *pp, base_loc loc);

// ---- pp_define.c ----------------------------------------------------------------------------------------------------
void pp_define(struct pp *pp); // the lexer stands behind the word define
void pp_undef(struct pp *pp);
void pp_define_dynamic(struct pp *pp, const char *name, enum front_macro_kind kind);

// ---- pp_expand.c ----------------------------------------------------------------------------------------------------
struct front_token pp_expand(struct pp *pp); // the next token after expansion
// Pushes the expansion of `name`, if it is a macro that is used here.
bool pp_try_expand(struct pp *pp, const struct front_token *name);
void pp_push_argument(struct pp *pp, const struct pp_run *run); // reads as FRONT_TOK_END at its end, until it is popped
void pp_pop(struct pp *pp);
void pp_run_add(struct pp *pp, struct pp_run *run, const struct front_token *token);
void pp_run_free(struct pp *pp, struct pp_run *run);

#endif
