// What the parser's tests share: text in, the tree's text or the diagnostics out. Included after check.h, once.
#ifndef WHORL_FRONT_PARSE_TESTING_H
#define WHORL_FRONT_PARSE_TESTING_H

#include <string.h>

#include "front/parse/parse.h"
#include "front/print/print.h"

static struct base_cx cx; // of the last call
static struct front_token *tokens;
static uint32_t token_count;
static struct front_ast *ast; // NULL after errors
static struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;

// The diagnostics; ast and cx stay until the next call.
static inline const char *parse(const char *text) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    ast = NULL;
    if (setjmp(cx.bail) == 0) {
        struct front_pp_options pp = {.path = "t.c", .text = text};
        tokens = front_preprocess(&cx, &pp, &token_count);
        ast = front_parse(&cx, tokens, token_count, &options, NULL);
    }
    return base_render_diags(&cx);
}

// The tree of a program without errors.
static inline const char *tree(const char *text) {
    const char *diags = parse(text);
    if (!ast) FAIL("%s", diags);
    return front_ast_print(ast);
}

// The program as the CPU compiles it.
static inline const char *printed(const char *text) {
    tree(text);
    front_print_atomics(ast);
    return front_print_c(&cx, tokens, token_count, ast->edits);
}

// Every row of a table of {program, what its diagnostics must contain}.
static inline void check_messages(const char *const (*rows)[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *diags = parse(rows[i][0]);
        if (!strstr(diags, rows[i][1])) FAIL("row %d: no \"%s\" in: %s", (int)i, rows[i][1], diags);
    }
}
#define CHECK_MESSAGES(rows) check_messages(rows, sizeof(rows) / sizeof *(rows))

#endif
