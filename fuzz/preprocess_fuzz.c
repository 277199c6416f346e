// Any bytes as a C file: preprocessed, every constant read, printed as C and preprocessed once more. The printed text
// must give the same tokens on the same lines.
#include <stdlib.h>
#include <string.h>

#include "front/print/print.h"
#include "front/text/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static struct front_token *preprocess(struct base_cx *cx, const char *text, size_t size_bytes, uint32_t *out_count) {
    static const char *const defines[] = {"ONE", "F(x)=x #x x##x"};
    struct front_pp_options options = {
        .path = "fuzz.c", .text = text, .text_size = size_bytes, .defines = defines, .define_count = 2};
    return front_preprocess(cx, &options, out_count);
}

static void read_constants(struct base_cx *cx, const struct front_token *tokens, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct front_number number;
        int32_t character;
        const char *bytes;
        size_t size;
        if (tokens[i].kind == FRONT_TOK_INT || tokens[i].kind == FRONT_TOK_FLOAT)
            front_parse_number(cx, &tokens[i], &number);
        else if (tokens[i].kind == FRONT_TOK_CHAR)
            front_parse_char(cx, &tokens[i], &character);
        else if (tokens[i].kind == FRONT_TOK_STRING)
            front_parse_string(cx, &tokens[i], &bytes, &size);
    }
}

static uint32_t next_printed(const struct front_token *tokens, uint32_t i) {
    while (tokens[i].flags & FRONT_TOKEN_BUILTIN)
        i++;
    return i;
}

// A '#' or _Pragma that is left in the program (an error for the parser) would be obeyed when printed.
static bool can_be_reread(const struct front_token *tokens, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (tokens[i].kind == FRONT_P_HASH || strcmp(tokens[i].text, "_Pragma") == 0) return false;
    return true;
}

static void compare(const struct base_cx *cx, const struct front_token *a, const struct base_cx *again,
                    const struct front_token *b) {
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        i = next_printed(a, i);
        k = next_printed(b, k);
        if (a[i].kind != b[k].kind || strcmp(a[i].text, b[k].text) != 0) abort();
        if (a[i].kind == FRONT_TOK_END) return;
        if (a[i].flags & FRONT_TOKEN_BOL && cx->locs[a[i].loc].line != again->locs[b[k].loc].line) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static struct base_cx cx, again;
    struct front_token *volatile tokens = NULL, *volatile second = NULL;
    const char *volatile printed = NULL;
    uint32_t count, second_count;
    base_cx_init(&cx);
    base_cx_init(&again);
    cx.arena.limit_bytes = again.arena.limit_bytes = 512 << 20;
    if (setjmp(cx.bail) == 0) {
        tokens = preprocess(&cx, size_bytes ? (const char *)data : "", size_bytes, &count);
        const char *text = front_print_c(&cx, tokens, count, NULL);
        base_check_errors(&cx);
        if (can_be_reread(tokens, count)) printed = text;
        read_constants(&cx, tokens, count);
    }
    if (printed && setjmp(again.bail) == 0) second = preprocess(&again, printed, strlen(printed), &second_count);
    if (printed && (!second || again.error_count)) abort();
    if (second) compare(&cx, tokens, &again, second);
    if (cx.status != WHORL_MEMORY && setjmp(cx.bail) == 0) base_render_diags(&cx);
    base_cx_deinit(&cx);
    base_cx_deinit(&again);
    return 0;
}
