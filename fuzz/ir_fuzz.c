// Texts that are no IR: whatever the bytes are, ir_parse refuses them or gives a unit; one that keeps the law prints as a
// text that reads and prints as itself.
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static struct base_cx cx;
    static const char *first; // not lost by longjmp
    base_cx_deinit(&cx);
    cx.arena.limit_bytes = (size_t)256 << 20;
    first = NULL;
    if (setjmp(cx.bail)) {
        if (first || (cx.status != WHORL_SOURCE && cx.status != WHORL_LIMIT && cx.status != WHORL_INTERNAL)) abort();
        base_cx_deinit(&cx);
        return 0;
    }
    struct ir_unit *u = ir_parse(&cx, base_strndup(&cx, (const char *)data, size_bytes));
    ir_check(u, "parse");
    first = ir_print(u);
    const char *second = ir_print(ir_parse(&cx, first));
    if (strcmp(first, second) != 0) abort();
    base_cx_deinit(&cx);
    return 0;
}
