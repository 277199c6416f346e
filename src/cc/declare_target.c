// Scalars in `declare target`. A scalar that a `target` names is a copy there, but not one of these: the device has it,
//
//     #pragma omp declare target
//     int count;
//     #pragma omp end declare target
//     ... #pragma omp target
//         { count += 2; }          the program's own count where the CPU is the device
//
// The front-end knows copies only. So where one of these changes, the CPU runs the region.
#include <string.h>

#include "cc/region.h"

static bool is_word(const struct cc_source *s, uint32_t at, const char *word) {
    return cc_kind(s, at) != FRONT_TOK_PRAGMA_END && strcmp(s->tokens[at].text, word) == 0;
}

static uint32_t pragma_end(const struct cc_source *s, uint32_t at) {
    while (cc_kind(s, at) != FRONT_TOK_PRAGMA_END && cc_kind(s, at) != FRONT_TOK_END)
        at++;
    return at;
}

static bool is_named_between(const struct cc_source *s, uint32_t from, uint32_t to, const char *text) {
    for (uint32_t at = from; at < to; at++)
        if (s->tokens[at].text == text) return true;
    return false;
}

// It stands between `declare target` and its end, or in the list of one.
static bool is_on_device(const struct cc_source *s, const struct cc_name *name) {
    uint32_t depth = 0;
    for (uint32_t at = 0; at < s->count; at++) {
        if (at == name->at && depth) return true;
        if (cc_kind(s, at) != FRONT_TOK_PRAGMA) continue;
        uint32_t word = at + 1, end = pragma_end(s, at);
        bool ends = is_word(s, word, "end"), begins = is_word(s, word, "begin");
        word += ends || begins;
        if (is_word(s, word, "declare") && is_word(s, word + 1, "target")) {
            if (!ends && is_named_between(s, word + 2, end, name->text)) return true;
            bool has_block = begins || word + 2 == end;
            if (ends && depth) depth--;
            if (!ends && has_block) depth++;
        }
        at = end;
    }
    return false;
}

// There, or in functions that are named there.
static bool changes_in(const struct cc_source *s, uint32_t from, uint32_t to, const struct cc_name *name, bool *seen) {
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT) continue;
        bool is_it = s->tokens[at].text == name->text && cc_find(s, name->text, at) == name;
        if (is_it && cc_is_changed_at(s, at, at + 1)) return true;
        const struct cc_function *f = cc_function_of(s, s->tokens[at].text);
        if (!f || seen[f - s->functions]) continue;
        seen[f - s->functions] = true;
        if (changes_in(s, f->from, f->to, name, seen)) return true;
    }
    return false;
}

// defaultmap(tofrom : scalar): all that the directive does not name come back.
static bool maps_all(const struct cc_source *s, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++)
        if (is_word(s, at, "defaultmap") && is_word(s, at + 2, "tofrom")) return true;
    return false;
}

// A directive of the region makes a copy of it: a `target` that does not name it.
static bool is_copied(const struct cc_source *s, const struct cc_node *n, const struct cc_name *name) {
    for (uint32_t at = n->from; at < n->to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_PRAGMA) continue;
        uint32_t end = pragma_end(s, at);
        bool is_data = is_word(s, at + 2, "data") || is_word(s, at + 2, "update") || is_word(s, at + 3, "data");
        bool is_target = is_word(s, at + 1, "target") && !is_data;
        if (is_target && !is_named_between(s, at + 2, end, name->text) && !maps_all(s, at + 2, end)) return true;
        at = end;
    }
    return false;
}

bool cc_check_device_scalar(struct cc_region *r, const struct cc_name *name) {
    struct cc_source *s = r->source;
    if (name->derive_count || !name->is_file || name->kind != CC_VARIABLE) return true;
    if (!is_copied(s, r->node, name) || !is_on_device(s, name)) return true;
    bool *seen = base_alloc_array(s->cx, s->function_count + 1, sizeof *seen);
    if (!changes_in(s, r->node->from, r->node->to, name, seen)) return true;
    return cc_refuse(r, s->tokens[name->at].line,
                     "'%s' is in `declare target`, and changes in a target that does not name it: map(tofrom : %s)",
                     name->text, name->text);
}
