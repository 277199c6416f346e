// What each lane of an iteration has for itself (own.c).
#ifndef WHORL_PASS_LANES_OWN_H
#define WHORL_PASS_LANES_OWN_H

#include "pass/passes.h"

struct pass_lane_elements { // by array
    bool *own;              // what the iteration writes there and touches again is each lane's own
    bool *again;            // it is written, and read or written by something else in the iteration
    bool *alone;            // each element is touched by one lane alone
};
// body: of the PARFOR in whose block the scope is; effects: of it.
void pass_find_own(struct pass_scope *sc, ir_stmt body, const struct ir_effects *effects,
                   struct pass_lane_elements *out);
// All loops that touch what lanes have for themselves are shared; they keep their passes one by one (pass_widen), so
// that a lane makes the same ones in each.
bool pass_own_is_shared(struct ir_unit *u, const bool *own, ir_stmt block);

#endif
