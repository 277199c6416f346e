// Plans from outside: whatever the bytes are, plan_read refuses them or gives a plan that keeps the laws and writes as
// the same text.
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

static size_t written(struct base_cx *cx, const char *json, size_t size_bytes, const char **out_text) {
    size_t size = 0;
    struct plan *p = plan_read(cx, json, size_bytes);
    *out_text = plan_write(cx, p, &size);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static struct base_cx cx;
    const char *first, *second;
    base_cx_deinit(&cx);
    cx.arena.limit_bytes = (size_t)256 << 20;
    if (setjmp(cx.bail)) {
        if (cx.status != WHORL_INVALID && cx.status != WHORL_LIMIT) abort();
        base_cx_deinit(&cx);
        return 0;
    }
    size_t size = written(&cx, (const char *)data, size_bytes, &first);
    size_t again = written(&cx, first, size, &second);
    if (size != again || memcmp(first, second, size) != 0) abort();
    base_cx_deinit(&cx);
    return 0;
}
