// Any text through the reader of `whorl cc`: tokens, declarations, statements, regions, the rewritten file. The trial of
// the whole compiler is left out: front_fuzz.c and ir_fuzz.c have it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/analyse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    if (size_bytes > 32u << 10) return 0;
    static struct base_cx cx; // static: what setjmp leaves undefined is not touched
    base_cx_init(&cx);
    cx.arena.limit_bytes = 256u << 20;
    const struct cc_options options = {.double_as_float = size_bytes % 3 == 1,
                                       .double_as_pair = size_bytes % 3 == 2,
                                       .whorl = "whorl",
                                       .no_trial = true};
    char *text = malloc(size_bytes + 1); // as a file is read: a 0 behind it
    if (!text) return 0;
    memcpy(text, data, size_bytes);
    text[size_bytes] = 0;
    if (setjmp(cx.bail) == 0) {
        const char *result = cc_analyse(&cx, "fuzz.c", text, size_bytes, &options, NULL);
        bool has_region = result && strstr(result, "whorl_cc_enter(&whorl_cc_region_0");
        if (result && !has_region && !strstr(result, "char whorl_cc_")) abort(); // a file with nothing to say
    }
    if (cx.status == WHORL_INTERNAL) {
        fprintf(stderr, "an internal error\n");
        abort();
    }
    base_cx_deinit(&cx);
    free(text);
    return 0;
}
