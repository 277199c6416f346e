// Loops around short parallel loops (confine.c), and what they cost (confine_cost.c).
#ifndef WHORL_PASS_CONFINE_H
#define WHORL_PASS_CONFINE_H

#include "pass/passes.h"

// Of a run of the loop, in operations of a lane of PASS_WORKGROUP.
struct pass_confine_cost {
    double waits;   // what the grid waits between parallel loops
    double shared;  // what a lane makes of those, and waits for others
    double alone;   // what stands between them
    double longest; // the last two, where data never end a loop early
};
// Of the loop, which is the whole program. near: by array, of so many, those that stand in workgroup memory.
struct pass_confine_cost pass_confine_weigh(struct ir_unit *u, ir_stmt loop, const bool *near, uint32_t arrays);

#endif
