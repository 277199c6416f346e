// A loop that makes several passes at once: widen.c makes its body and has the loops whose passes lanes share, serial.c
// those that one invocation runs, rows.c finds the accesses that every pass makes.
#ifndef WHORL_PASS_WIDEN_H
#define WHORL_PASS_WIDEN_H

#include "pass/cost.h"
#include "pass/loops/shared_passes.h"
#include "pass/pass.h"

struct pass_scope;

// An access at [...][variable of the loop] that every pass makes; or a load at [...][variable / each], as of numbers
// that are several in a word.
struct pass_row {
    ir_expr load;   // of the first pass that has it: a LOAD, in a serial loop also a SELECT between some; 0: a store
    ir_stmt store;  // in a serial loop also an IF whose branches only store
    ir_array array; // 0: several
    bool common;    // the same elements in every iteration
    uint32_t each;  // passes side by side that have the same element: a power of two
    ir_var *vars;   // by pass of the wide body, the first of each element; NULL: the row stays where it is, or is an IF
    ir_stmt *late;  // by pass: copies of the IF
};

struct pass_widener {
    struct ir_unit *u;
    ir_stmt loop;
    ir_var var;
    bool serial; // one invocation makes all passes, one after the other
    struct ir_effects body;
    const bool *counts; // by variable up to counts_cap: it counts a loop and is nothing else. NULL: not asked
    uint32_t counts_cap;
    // by array: not in rows, as it may be read after it was stored to (serial), or stands in workgroup memory, which
    // neighbouring lanes better ask for neighbouring words. NULL: none
    const bool *again;
    struct pass_row rows[PASS_WIDE_MOST_ROWS];
    uint32_t count;
    uint32_t together, streams, stretch;
    uint32_t pass; // being copied, of together * streams
    struct pass_group group;
    const ir_var *first_names; // by variable: its name in the first pass of the group
};

void pass_find_rows(struct pass_widener *x);
// The body that makes together * streams passes. `exposed`: variables that a pass may read before it assigns them.
ir_stmt pass_wide_body(struct pass_widener *x, const uint32_t *exposed);
// Serial loops of a parallel loop. `left`: statements that an iteration may still get.
void pass_widen_serial(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, uint32_t *left);

#endif
