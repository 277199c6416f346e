// Arrays of a function that it hands to functions of the file with regions in them: the runtime is told where they are
// and how large, for as long as the call lasts, as it knows of no memory on the stack.
//
//     count(picture, bins);    |    ({ ... if (whorl_cc_hold) whorl_cc_hold(bins, sizeof bins, &mark);
//                              |       count(picture, bins); })
#include "cc/region.h"

// The first array of the function that is named in an argument; NULL: none.
static const struct cc_name *local_array(const struct cc_source *s, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind before = cc_kind(s, at - 1);
        if (cc_kind(s, at) != FRONT_TOK_IDENT || before == FRONT_P_DOT || before == FRONT_P_ARROW) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        bool is_local = name && name->kind == CC_VARIABLE && !name->is_file && !name->is_param && !name->is_static &&
                        !name->is_extern && !name->is_register && !name->is_thread;
        if (is_local && name->derive_count && name->derive[0].kind == CC_ARRAY) return name;
    }
    return NULL;
}

// C text in front of the call whose name is that token; NULL: it is none of these.
static const char *text_before(const struct cc_source *s, uint32_t call) {
    const struct cc_function *f = cc_called(s, call);
    struct base_text names, holds;
    base_text_init(&names, s->cx);
    base_text_init(&holds, s->cx);
    if (!f || !f->body || !f->has_parallel) return NULL;
    uint32_t end = cc_skip_group(s, call + 1) - 1;
    for (uint32_t from = call + 2, to; from < end; from = to + 1) {
        to = cc_behind_argument(s, from, end);
        const struct cc_name *name = local_array(s, from, to);
        if (!name) continue;
        base_text_format(&names, "%swhorl_mark_%u __attribute__((cleanup(whorl_cc_unhold))) = 0",
                         names.size ? ", " : "unsigned long long ", from);
        base_text_format(&holds, "if (whorl_cc_hold) whorl_cc_hold(%s, sizeof(%s), &whorl_mark_%u); ", name->text,
                         name->text, from);
    }
    return names.size ? base_format(s->cx, "__extension__ ({ %s; %s", names.data, holds.data) : NULL;
}

// Nothing of a directive's own is changed, and threads do not come to the GPU.
static bool is_in_directive(const struct cc_function *f, uint32_t at) {
    for (const struct cc_node *n = f->body; n; n = cc_child_at(n, at))
        if (n->kind == CC_PRAGMA) return true;
    return false;
}

uint32_t cc_hold_arrays(const struct cc_source *s, cc_take_insertion *take, void *user) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->function_count; i++) {
        const struct cc_function *f = &s->functions[i];
        if (!f->body || cc_is_appended(s, f)) continue;
        for (uint32_t at = f->from; at < f->to; at++) {
            const char *text = text_before(s, at);
            if (!text || is_in_directive(f, at)) continue;
            found++;
            const struct cc_token *last = &s->tokens[cc_skip_group(s, at + 1) - 1];
            if (take) take(user, s->tokens[at].at, text);
            if (take) take(user, last->at + last->size, "; })");
        }
    }
    return found;
}
