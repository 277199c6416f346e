// What the tests of the first half of the front-end share: text in, tokens or messages out. Included after check.h,
// once.
#ifndef WHORL_FRONT_PP_TESTING_H
#define WHORL_FRONT_PP_TESTING_H

#include <string.h>

#include "front/text/token.h"

static struct base_cx cx; // of the last call
static struct front_token *tokens;
static uint32_t token_count;
static bool left_early;

static inline const char *preprocess_with(struct front_pp_options options) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    tokens = NULL;
    token_count = 0;
    left_early = true;
    if (!options.path) options.path = "t.c";
    if (setjmp(cx.bail) == 0) {
        tokens = front_preprocess(&cx, &options, &token_count);
        base_check_errors(&cx);
        left_early = false;
    }
    return base_render_diags(&cx);
}

// The diagnostics as the user sees them; tokens, token_count and cx stay until the next call.
static inline const char *preprocess(const char *text) {
    return preprocess_with((struct front_pp_options){.text = text});
}

// The tokens with one space between them, without those of headers; [ ] around the tokens of a directive.
static inline const char *spelled(const char *text) {
    const char *diags = text ? preprocess(text) : "";
    if (diags[0]) FAIL("%s", diags);
    struct base_text out;
    base_text_init(&out, &cx);
    for (uint32_t i = 0; i < token_count; i++) {
        const struct front_token *token = &tokens[i];
        if (token->kind == FRONT_TOK_END || token->flags & FRONT_TOKEN_BUILTIN) continue;
        base_text_put(&out, out.size ? " " : "");
        if (token->kind == FRONT_TOK_PRAGMA || token->kind == FRONT_TOK_PRAGMA_OTHER) base_text_put(&out, "[");
        base_text_put(&out, token->kind == FRONT_TOK_PRAGMA_END ? "]" : token->text);
        base_text_put(&out, token->kind == FRONT_TOK_PRAGMA_OTHER ? "]" : "");
    }
    return out.data ? out.data : "";
}

// The first line of the diagnostics.
static inline const char *message(const char *text) {
    const char *diags = preprocess(text), *end = strchr(diags, '\n');
    return end ? base_strndup(&cx, diags, (size_t)(end - diags)) : diags;
}

static inline struct base_position position(uint32_t token) { return cx.locs[tokens[token].loc]; }

#endif
