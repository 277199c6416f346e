// Any text through the whole front end: an error, or a unit that the checker accepts, in bounded memory. Scalars and
// sizes that the entry asks for are given small values, so that what gets past the parser is lowered.
#include <stdio.h>
#include <stdlib.h>

#include "front/front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

enum { MAX_PARAMS = 32 };

static void compile(const uint8_t *data, size_t size_bytes, bool pairs) {
    static struct base_cx asked, cx; // static: what setjmp leaves undefined is not touched
    static struct whorl_scalar scalars[MAX_PARAMS];
    static struct whorl_shape shapes[MAX_PARAMS];
    static struct whorl_compile_options user;
    user = (struct whorl_compile_options)WHORL_COMPILE_OPTIONS_INIT;
    user.double_as_pair = pairs;
    base_cx_init(&asked);
    base_cx_init(&cx);
    asked.arena.limit_bytes = cx.arena.limit_bytes = 256u << 20;
    if (setjmp(asked.bail) == 0) {
        const char *text = base_strndup(&asked, (const char *)data, size_bytes);
        struct front_options options = {.path = "fuzz.c", .text = text, .user = &user, .inspect = true};
        const struct ir_unit *unit = front_compile(&asked, &options).unit;
        for (uint32_t i = 0; i < unit->param_count && i < MAX_PARAMS; i++) {
            const char *name = unit->params[i].name;
            if (unit->params[i].is_array)
                shapes[user.shape_count++] = (struct whorl_shape){name, 1, {64}};
            else
                scalars[user.scalar_count++] = (struct whorl_scalar){name, unit->params[i].type == IR_BOOL ? 1 : 4};
        }
        user.scalars = scalars;
        user.shapes = shapes;
        if (setjmp(cx.bail) == 0) {
            options.inspect = false;
            front_compile(&cx, &options);
        }
        static const char *diags;
        diags = "";
        if (setjmp(cx.bail) == 0) diags = base_render_diags(&cx);
        if (cx.status == WHORL_INTERNAL) {
            fprintf(stderr, "%s", diags);
            abort();
        }
    }
    base_cx_deinit(&cx);
    base_cx_deinit(&asked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    if (size_bytes > 64u << 10) return 0;
    compile(data, size_bytes, false);
    compile(data, size_bytes, true);
    return 0;
}
