// Loops in which one pass may write what all others read (single_out.c).
#ifndef WHORL_PASS_LANES_SINGLE_OUT_H
#define WHORL_PASS_LANES_SINGLE_OUT_H

#include "pass/analysis/affine.h"

// Makes of the FOR, in whose block the scope is, the passes in front of that one, the pass itself by one lane, and
// those behind it. reads: of the iteration, by variable. false: it is no such loop, and as it was.
bool pass_single_out(struct pass_scope *sc, ir_stmt s, const uint32_t *reads);

#endif
