// Pointers into one allocation of which the region writes through one: on the device they are pointers into one array.
// In the region's program `b = ccv_b + ccv_b_at` becomes `b = ccv_a + ccv_b_at`, and the array ccv_b is left over, with
// one element that nobody uses. Of a pointer that is NULL it becomes `b = 0`. So it is with two pointers to one table
// of rows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offload/offload.h"

static bool is_pointer(const struct whorl_cc_region *r, int i) {
    return r->params[i].kind == WHORL_CC_ARRAY && !(r->params[i].flags & WHORL_CC_FIELDS) && i + 1 < r->param_count &&
           r->params[i + 1].kind == WHORL_CC_OFFSET;
}

bool offload_reaches(const struct whorl_cc_region *r, int i) {
    return is_pointer(r, i) && !(r->params[i].flags & WHORL_CC_ROWS);
}

// What the region's arrays are, and where its pointers to rows stand.
struct merge {
    const struct whorl_cc_region *region;
    const struct whorl_cc_arg *args;
    struct offload_array *arrays;
    bool is_flat; // where tables of rows are arrays of places, which the text finds in another way
};

// Pointers into one allocation; of tables of rows the same table, also where its rows are gathered.
static bool is_one(const struct merge *m, int i, int k) {
    const struct offload_array *a = &m->arrays[i], *b = &m->arrays[k];
    unsigned own = m->region->params[i].flags, other = m->region->params[k].flags;
    if (!a->bytes || !b->bytes || a->bytes != b->bytes || a->outer != b->outer) return false;
    if ((own ^ other) & (WHORL_CC_ROWS | WHORL_CC_PLANES)) return false;
    if (own & WHORL_CC_ROWS) return !m->is_flat && m->args[i].at == m->args[k].at && !a->rows == !b->rows;
    return !a->rows && !b->rows && a->base == b->base;
}

// Of the arrays that are one with array i: the one that stays. It can be written, and one that the region has by its
// name has to stay. -1: nobody writes them.
static int find_target(const struct merge *m, const struct offload_variant *v, int i) {
    const struct whorl_cc_region *r = m->region;
    bool written = false;
    int into = -1;
    for (int k = 0; k < r->param_count; k++) {
        if (r->params[k].kind != WHORL_CC_ARRAY || (r->params[k].flags & WHORL_CC_FIELDS) || !is_one(m, i, k)) continue;
        written = written || v->written[k];
        bool better = into < 0 || (is_pointer(r, into) && whorl_program_param(v->program, (size_t)k)->is_output &&
                                   !whorl_program_param(v->program, (size_t)into)->is_output);
        if (better || !is_pointer(r, k)) into = k;
    }
    return written ? into : -1;
}

bool offload_merge(const struct whorl_cc_region *r, const struct offload_variant *v, const struct whorl_cc_arg *args,
                   struct offload_array *arrays) {
    struct merge m = {r, args, arrays, v->is_flat};
    bool any = false;
    for (int i = 0; i < r->param_count; i++) {
        int into = arrays[i].bytes ? find_target(&m, v, i) : -1;
        for (int k = 0; k < r->param_count && into >= 0; k++) {
            if (k == into || !is_pointer(r, k) || !is_one(&m, into, k)) continue;
            arrays[k] = (struct offload_array){.outer = 1, .at = arrays[k].at, .into = into + 1};
            any = true;
        }
    }
    return any;
}

// Every "NAME + NAME_at" of the text to "INTO + NAME_at", or to "0": names are as they were written by src/cc.
static char *redirect(char *text, const char *name, const char *into) {
    char what[256], then[256];
    int size = snprintf(what, sizeof what, "%s + %s_at", name, name);
    int then_size = into ? snprintf(then, sizeof then, "%s + %s_at", into, name) : snprintf(then, sizeof then, "0");
    size_t count = 0;
    if (size < 0 || (size_t)size >= sizeof what || then_size < 0 || (size_t)then_size >= sizeof then) return text;
    for (const char *p = text; (p = strstr(p, what)); p += size)
        count++;
    char *out = malloc(strlen(text) + count * (size_t)then_size + 1), *to = out;
    for (const char *p = text, *next; out && p; p = next ? next + size : NULL) {
        next = strstr(p, what);
        size_t part = next ? (size_t)(next - p) : strlen(p);
        memcpy(to, p, part);
        to += part;
        if (next) to = memcpy(to, then, (size_t)then_size), to += then_size;
    }
    if (out) *to = 0;
    free(text);
    return out;
}

char *offload_merged_program(const struct whorl_cc_region *r, const struct offload_array *arrays, const char *program) {
    char *text = strdup(program);
    for (int i = 0; i < r->param_count && text; i++)
        if (arrays[i].into)
            text = redirect(text, r->params[i].name, arrays[i].into > 0 ? r->params[arrays[i].into - 1].name : NULL);
    return text;
}
