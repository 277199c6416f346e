// Any text through the preprocessor and the parser, once as it is and once with -fdouble=float: an error or a tree that
// prints, in bounded memory and without deep recursion.
#include "front/parse/ast.h"
#include "front/print/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void parse(const uint8_t *data, size_t size_bytes, bool double_as_float) {
    struct base_cx cx;
    base_cx_init(&cx);
    cx.arena.limit_bytes = 64u << 20;
    if (setjmp(cx.bail) == 0) {
        struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
        options.double_as_float = double_as_float;
        const char *text = base_strndup(&cx, (const char *)data, size_bytes);
        uint32_t count = 0;
        struct front_token *tokens = front_preprocess(
            &cx, &(struct front_pp_options){.path = "fuzz.c", .text = text, .text_size = size_bytes}, &count);
        struct front_ast *ast = front_parse(&cx, tokens, count, &options, NULL);
        front_ast_print(ast);
        front_print_c(&cx, tokens, count, ast->edits);
    }
    if (setjmp(cx.bail) == 0) // rendering allocates, too
        base_render_diags(&cx);
    base_cx_deinit(&cx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    if (size_bytes > 64u << 10) return 0;
    parse(data, size_bytes, false);
    parse(data, size_bytes, true);
    return 0;
}
