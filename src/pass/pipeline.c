// The one list of passes. Each rung of the ladder runs the passes whose `from` it reaches: eager keeps the loops as
// written, steps fuses neighbours, single also moves the time loop inside.
#include "pass/passes.h"

#include <string.h>

// X(name, the first rung that runs it, required: a later stage does not work without it, so it cannot be switched off)
#define PASSES(X)                       \
    X(fold, PASS_EAGER, false)          \
    X(keep_nan, PASS_EAGER, false)      \
    X(follow, PASS_STEPS, false)        \
    X(doubling, PASS_EAGER, false)      \
    X(counted, PASS_EAGER, false)       \
    X(evict, PASS_EAGER, false)         \
    X(remember, PASS_EAGER, false)      \
    X(vacant, PASS_EAGER, false)        \
    X(winner, PASS_STEPS, false)        \
    X(best, PASS_STEPS, false)          \
    X(rank, PASS_STEPS, false)          \
    X(autopar, PASS_STEPS, false)       \
    X(canonicalise, PASS_EAGER, true)   \
    X(recognise, PASS_STEPS, false)     \
    X(sink, PASS_EAGER, false)          \
    X(dimensions, PASS_EAGER, false)    \
    X(coalesce, PASS_STEPS, false)      \
    X(copy_back, PASS_STEPS, false)     \
    X(rotate, PASS_STEPS, false)        \
    X(double_buffer, PASS_STEPS, false) \
    X(every, PASS_STEPS, false)         \
    X(outward, PASS_STEPS, false)       \
    X(confine, PASS_SINGLE, false)      \
    X(compose, PASS_STEPS, false)       \
    X(lone, PASS_STEPS, false)          \
    X(scan, PASS_STEPS, false)          \
    X(fuse, PASS_STEPS, false)          \
    X(butterfly, PASS_STEPS, false)     \
    X(coarsen, PASS_STEPS, false)       \
    X(distribute, PASS_STEPS, false)    \
    X(interchange, PASS_SINGLE, false)  \
    X(collapse, PASS_EAGER, false)      \
    X(adopt, PASS_STEPS, false)         \
    X(settle, PASS_EAGER, false)        \
    X(accumulate, PASS_EAGER, false)    \
    X(flatten, PASS_STEPS, false)       \
    X(rfactor, PASS_STEPS, false)       \
    X(aside, PASS_STEPS, false)         \
    X(states, PASS_EAGER, false)        \
    X(expand, PASS_EAGER, false)        \
    X(anew, PASS_EAGER, false)          \
    X(square, PASS_STEPS, false)        \
    X(share, PASS_EAGER, false)         \
    X(abreast, PASS_EAGER, false)       \
    X(keep, PASS_EAGER, false)          \
    X(spread, PASS_EAGER, false)        \
    X(jam, PASS_EAGER, false)           \
    X(panel, PASS_EAGER, false)         \
    X(turn, PASS_EAGER, false)          \
    X(unroll, PASS_EAGER, false)        \
    X(promote, PASS_EAGER, false)       \
    X(spell, PASS_EAGER, false)         \
    X(scalarise, PASS_EAGER, false)     \
    X(choose, PASS_EAGER, false)        \
    X(hoist, PASS_EAGER, false)         \
    X(redundant, PASS_EAGER, false)     \
    X(carry, PASS_EAGER, false)         \
    X(prefetch, PASS_EAGER, false)      \
    X(reduce, PASS_EAGER, true)         \
    X(privatise, PASS_EAGER, false)     \
    X(lanes, PASS_EAGER, false)         \
    X(contract, PASS_EAGER, false)      \
    X(issue, PASS_EAGER, false)         \
    X(widen, PASS_EAGER, false)         \
    X(ask, PASS_STEPS, false)           \
    X(gather, PASS_EAGER, false)        \
    X(ahead, PASS_EAGER, false)         \
    X(join, PASS_EAGER, false)          \
    X(slice, PASS_EAGER, false)         \
    X(near, PASS_EAGER, false)          \
    X(tell, PASS_GRID, false)           \
    X(recompute, PASS_GRID, false)      \
    X(stage, PASS_GRID, false)          \
    X(ping_pong, PASS_GRID, false)      \
    X(tile, PASS_GRID, false)           \
    X(deal, PASS_GRID, false)           \
    X(sync, PASS_GRID, true)            \
    X(reuse, PASS_EAGER, false)         \
    X(hold_nan, PASS_EAGER, false)      \
    X(hold_rounding, PASS_EAGER, false) \
    X(bounds, PASS_EAGER, false)

static const struct entry {
    const char *name;
    pass_fn *run;
    enum pass_goal from;
    bool required;
} pipeline[] = {
#define X(name, from, required) {#name, pass_##name, from, required},
    PASSES(X)
#undef X
};
#define COUNT (sizeof pipeline / sizeof *pipeline)

const char *const pass_names[] = {
#define X(name, from, required) #name,
    PASSES(X)
#undef X
        NULL};

bool pass_is_required(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(pipeline[i].name, name) == 0) return pipeline[i].required;
    return false;
}

bool pass_listed(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; at && *at;) {
        size_t len = strcspn(at, ",");
        if (len == n && memcmp(at, name, n) == 0) return true;
        at += len + (at[len] == ',');
    }
    return false;
}

static void check_names(struct base_cx *cx, const char *list, bool switching_off) {
    for (const char *at = list; at && *at;) {
        size_t len = strcspn(at, ",");
        const struct entry *found = NULL;
        if (switching_off && len == strlen(PASS_EXAMPLES) && memcmp(at, PASS_EXAMPLES, len) == 0) {
            at += len + (at[len] == ',');
            continue;
        }
        for (size_t i = 0; i < COUNT; i++)
            if (strlen(pipeline[i].name) == len && memcmp(at, pipeline[i].name, len) == 0) found = &pipeline[i];
        if (!found) {
            struct base_text names;
            base_text_init(&names, cx);
            for (size_t i = 0; i < COUNT; i++)
                base_text_format(&names, "%s%s", i ? ", " : "", pipeline[i].name);
            base_invalid(cx, "there is no pass '%.*s'; the passes are %s", (int)len, at, names.data);
        }
        if (switching_off && found->required) base_invalid(cx, "the pass '%s' cannot be switched off", found->name);
        at += len + (at[len] == ',');
    }
}

const char *pass_run(struct pass_cx *p, enum pass_goal goal, const char *off, const char *show_after) {
    const char *shown = show_after ? "" : NULL;
    check_names(p->u->cx, off, true);
    check_names(p->u->cx, show_after, false);
    p->one_kernel = goal >= PASS_SINGLE;
    for (size_t i = 0; i < COUNT; i++) {
        if (pipeline[i].from == PASS_GRID && goal == PASS_SINGLE && pass_needs_grid(p->u)) {
            pass_mark_points(p->u);
            p->tree = p->u;
            p->u = ir_unit_clone(p->u);
            goal = PASS_GRID;
        }
        if (pipeline[i].from > goal || pass_listed(off, pipeline[i].name)) continue;
        pipeline[i].run(p);
        ir_check(p->u, pipeline[i].name);
        if (show_after && strcmp(show_after, pipeline[i].name) == 0) shown = ir_print(p->u);
    }
    return shown;
}
