// Loops that end when data say so, for all iterations of a workgroup together (until.c).
#ifndef WHORL_PASS_LANES_UNTIL_H
#define WHORL_PASS_LANES_UNTIL_H

#include "pass/passes.h"

// Says of all LOOPs in iterations, of which somebody knows that, how many passes they are taken to make: half of those
// that they make at most.
void pass_note_passes(struct ir_unit *u);

// What takes the place of a LOOP, or of a FOR that may be left early, in a block: assignments, and behind them a LOOP
// without jumps that goes on while a variable holds. The old one stays as it was. The scope is in the block. 0: nobody
// knows how many passes it makes at most, else *out_most.
ir_stmt pass_until(struct pass_scope *sc, ir_stmt block, ir_stmt s, uint64_t *out_most);

#endif
