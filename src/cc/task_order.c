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

// Of directives: a target that does not wait; what has an order among tasks; where all tasks are done; a task whose end
// the program says.
enum word { NOWAIT = 1, ORDER = 2, BARRIER = 4, DETACH = 8 };

static uint32_t words_of(const struct cc_source *s, uint32_t at) {
    const struct cc_node pragma = {.kind = CC_PRAGMA, .from = at};
    bool is_nowait = cc_has_word(s, &pragma, "target") && cc_has_word(s, &pragma, "nowait");
    bool is_order = cc_has_word(s, &pragma, "depend") || cc_has_word(s, &pragma, "taskwait");
    bool shares = cc_has_word(s, &pragma, "for") || cc_has_word(s, &pragma, "sections") ||
                  cc_has_word(s, &pragma, "single"); // they end with a barrier
    bool is_barrier = cc_has_word(s, &pragma, "barrier") || (shares && !cc_has_word(s, &pragma, "parallel"));
    bool is_detached = cc_has_word(s, &pragma, "task") && cc_has_word(s, &pragma, "detach");
    return (is_nowait ? NOWAIT : 0u) | (is_order ? ORDER : 0u) | (is_barrier ? BARRIER : 0u) |
           (is_detached ? DETACH : 0u);
}

static uint32_t words_in(const struct cc_source *s, uint32_t from, uint32_t to) {
    uint32_t words = 0;
    for (uint32_t at = from; at < to; at++)
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA) words |= words_of(s, at);
    return words;
}

// What is in front of a region; a loop may call functions with others in them.
static bool waits_before(const struct cc_region *r) {
    const struct cc_source *s = r->source;
    if (r->is_loop) return words_in(s, 0, s->count) & (ORDER | BARRIER);
    return words_in(s, r->node->from, r->node->to) & ORDER;
}

static bool waits_behind(const struct cc_region *r) { return words_in(r->source, r->node->from, r->node->to) & NOWAIT; }

// A task with `detach` may be one that ends by what the program does behind the region.
bool cc_waits_for_ever(const struct cc_region *r) {
    return (words_in(r->source, 0, r->source->count) & DETACH) && (waits_before(r) || waits_behind(r));
}

void cc_put_wait_before(struct base_text *out, const struct cc_region *r) {
    if (waits_before(r)) base_text_put(out, "if (whorl_cc_enter) {\n#pragma omp taskwait\n}\n");
}

// Behind the CPU's own run of it.
void cc_put_wait_behind(struct base_text *out, const struct cc_region *r) {
    if (waits_behind(r)) base_text_put(out, "#pragma omp taskwait\n");
}
