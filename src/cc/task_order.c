// Tasks. With `nowait` the CPU may run a target later, in turn with others by their `depend`. What goes to the GPU is
// none of these tasks: so the program waits for those before it that may come first,
//
//     #pragma omp target nowait depend(out : a[0])    CPU: a task
//     ...
//     #pragma omp target nowait depend(in : a[0])     GPU: behind all tasks
//
// and where the CPU runs a region itself, it is done before the program goes on, as on the GPU.
#include <string.h>

#include "cc/region.h"

enum word { NOWAIT = 1, ORDER = 2 }; // of directives: a target that does not wait; what has an order among tasks

static uint32_t words_of(const struct cc_source *s, uint32_t at) {
    const struct cc_node pragma = {.kind = CC_PRAGMA, .from = at};
    bool is_nowait = cc_has_word(s, &pragma, "target") && cc_has_word(s, &pragma, "nowait");
    bool is_order = cc_has_word(s, &pragma, "depend") || cc_has_word(s, &pragma, "taskwait");
    return (is_nowait ? NOWAIT : 0u) | (is_order ? ORDER : 0u);
}

static uint32_t words_in(const struct cc_source *s, uint32_t from, uint32_t to) {
    uint32_t words = 0;
    for (uint32_t at = from; at < to; at++)
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) words |= words_of(s, at);
    return words;
}

// In front of a region; a loop may call functions with others in them.
void cc_put_wait_before(struct base_text *out, const struct cc_region *r) {
    const struct cc_source *s = r->source;
    uint32_t words = r->is_loop ? words_in(s, 0, s->count) : words_in(s, r->node->from, r->node->to);
    if (words & ORDER) base_text_put(out, "if (whorl_cc_enter) {\n#pragma omp taskwait\n}\n");
}

// Behind the CPU's own run of it.
void cc_put_wait_behind(struct base_text *out, const struct cc_region *r) {
    if (words_in(r->source, r->node->from, r->node->to) & NOWAIT) base_text_put(out, "#pragma omp taskwait\n");
}
