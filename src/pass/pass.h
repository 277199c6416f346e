// The optimiser: one list of passes over the IR (pipeline.c), one file a pass. A pass is a function of the unit and the
// target.
#ifndef WHORL_PASS_H
#define WHORL_PASS_H

#include "ir/ir.h"
#include "plan/plan.h"

struct pass_cx {
    struct ir_unit *u;
    const struct plan_target *target;
    struct base_text *explain; // what was done and what was not, for people; never NULL
    bool eager;                // "as written": nothing is fused or moved between loops
    bool one_kernel; // all of the unit becomes one kernel (PASS_SINGLE), so that its text is bounded as a whole
    bool trial;      // barriers are only counted: those that pass_sync would find needless stay
    // Set by pass_run for PASS_SINGLE where one dispatch needs barriers: `u` is then made for that, and this is the
    // same program without what only such a kernel has, with the same handles and resume points. NULL else.
    struct ir_unit *tree;
};
typedef void pass_fn(struct pass_cx *p);

// Which ladder rung the unit is prepared for: each runs a prefix of the same list.
enum pass_goal { PASS_EAGER, PASS_STEPS, PASS_SINGLE, PASS_GRID }; // GRID: SINGLE of a program that needs barriers
// Runs the pipeline; p->u may be another unit then. `off`: comma-separated names to skip (NULL: none); unknown names:
// base_fatal.
// `show_after`: the printed IR after that pass is returned ("" if it never ran), NULL where show_after is NULL.
const char *pass_run(struct pass_cx *p, enum pass_goal goal, const char *off, const char *show_after);
bool pass_listed(const char *list, const char *name); // `list` is comma-separated; NULL is empty
// No pass, but a name for `off`: errors that certainly happen for the values given (index_errors.c, race_example.c).
// For who gives values that the program may never have.
#define PASS_EXAMPLES "examples"
// Names in order, ended by NULL, for help texts.
extern const char *const pass_names[];
bool pass_is_required(const char *name); // a later stage does not work without it: it cannot be switched off

#endif
