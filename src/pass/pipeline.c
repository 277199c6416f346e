// The one list of passes. Each rung of the ladder runs the passes whose `from` it reaches: eager keeps the loops as written, steps
// fuses neighbours, single also moves the time loop inside.
#include "pass/passes.h"

#include <string.h>

static const struct entry {
    const char *name;
    pass_fn *run;
    enum pass_goal from;
    bool required; // a later stage does not work without it: cannot be switched off
} pipeline[] = {
    {"fold", pass_fold, PASS_EAGER, false},           {"leave", pass_leave, PASS_EAGER, true},
    {"sink", pass_sink, PASS_EAGER, false},           {"rotate", pass_rotate, PASS_STEPS, false},
    {"fuse", pass_fuse, PASS_STEPS, false},           {"interchange", pass_interchange, PASS_SINGLE, false},
    {"unroll", pass_unroll, PASS_EAGER, false},       {"promote", pass_promote, PASS_EAGER, false},
    {"scalarise", pass_scalarise, PASS_EAGER, false}, {"hoist", pass_hoist, PASS_EAGER, false},
    {"reduce", pass_reduce, PASS_EAGER, true},        {"slice", pass_slice, PASS_EAGER, false},
    {"sync", pass_sync, PASS_SINGLE, true},
};
#define COUNT (sizeof pipeline / sizeof *pipeline)

const char *const pass_names[] = {"fold",      "leave", "sink",   "fuse",  "interchange", "unroll", "promote",
                                  "scalarise", "hoist", "reduce", "slice", "sync",        NULL};

// `list` is comma-separated; NULL is empty.
static bool listed(const char *list, const char *name) {
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
        for (size_t i = 0; i < COUNT; i++)
            if (strlen(pipeline[i].name) == len && memcmp(at, pipeline[i].name, len) == 0) found = &pipeline[i];
        if (!found) {
            struct base_text names;
            base_text_init(&names, cx);
            for (size_t i = 0; i < COUNT; i++)
                base_text_format(&names, "%s%s", i ? ", " : "", pipeline[i].name);
            base_fatal(cx, 0, "there is no pass '%.*s'; the passes are %s", (int)len, at, names.data);
        }
        if (switching_off && found->required) base_fatal(cx, 0, "the pass '%s' cannot be switched off", found->name);
        at += len + (at[len] == ',');
    }
}

const char *pass_run(struct pass_cx *p, enum pass_goal goal, const char *off, const char *show_after) {
    const char *shown = show_after ? "" : NULL;
    check_names(p->u->cx, off, true);
    check_names(p->u->cx, show_after, false);
    for (size_t i = 0; i < COUNT; i++) {
        if (pipeline[i].from > goal || listed(off, pipeline[i].name)) continue;
        pipeline[i].run(p);
        ir_check(p->u, pipeline[i].name);
        if (show_after && strcmp(show_after, pipeline[i].name) == 0) shown = ir_print(p->u);
    }
    return shown;
}
