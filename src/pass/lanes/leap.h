// Sequential loops most of whose passes do nothing (leap.c).
#ifndef WHORL_PASS_LANES_LEAP_H
#define WHORL_PASS_LANES_LEAP_H

#include "pass/analysis/affine.h"

// Makes of the FOR, in whose body the scope is, a LOOP with IR_FLAG_LONGEST in which lanes share the search for the
// next pass that does something. It makes `most` passes at most. reads: of the iteration, by variable
// (pass_count_reads). lanes: that an iteration can have. false: it may not, or each of its passes does something; then
// it is as it was.
bool pass_leap(struct pass_scope *sc, ir_stmt s, const uint32_t *reads, const struct ir_effects *iteration,
               uint64_t most, uint32_t lanes);

// The same of a loop that sums until the sum is enough (sums_until.c): lanes share the sums of blocks of passes in
// that LOOP, and a FOR behind it makes the last of them.
bool pass_sums_until(struct pass_scope *sc, ir_stmt s, const uint32_t *reads, uint64_t most, uint32_t lanes);

// Puts what the block loads within its arrays: it is made where C would not have made it. false: their sizes are not
// known.
bool pass_put_within(struct pass_scope *sc, ir_stmt block);

// Such a LOOP that lanes do not share: one invocation looks for the next pass no further than it has to.
void pass_leap_alone(struct ir_unit *u, ir_stmt loop);

// Passes that so many lanes try in a round, of a loop with this body that makes `most` passes at most.
uint32_t pass_leap_passes(const struct ir_unit *u, ir_stmt body, uint64_t most, uint32_t lanes);
// Rounds that such a LOOP is taken to make, of a loop of so many passes.
uint32_t pass_leap_rounds(uint64_t passes, uint32_t at_once);

#endif
