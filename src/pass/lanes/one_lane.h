// What one lane of an iteration makes while the others wait (one_lane.c).
#ifndef WHORL_PASS_LANES_ONE_LANE_H
#define WHORL_PASS_LANES_ONE_LANE_H

#include "pass/lanes/own.h"

// Of the variables that the block sets: those that it may read before (met), and those that others read (left). A bit
// each. reads: of the iteration, by variable (pass_count_reads). again: the block is in a loop; then others are its
// next pass, too.
void pass_find_left(struct ir_unit *u, ir_stmt block, const uint32_t *reads, bool again, uint32_t **out_left,
                    uint32_t **out_met);

// The block, a copy of it, made by one lane, after which all have what it leaves in the variables `left`; those in
// `met` it reads before it sets them. A bit each. 0: a variable cannot be handed on.
ir_stmt pass_make_alone(struct ir_unit *u, ir_stmt block, const uint32_t *left, const uint32_t *met, base_loc loc);

// A statement as it was.
struct pass_was {
    ir_stmt at;
    struct ir_stmt_node was;
};
struct pass_set_alone {
    struct pass_was *list;
    uint32_t count, cap;
};
// Of the body of a PARFOR: loops and branches that need in memory what they wrote there become such, if they stand in
// front of loops for lanes (`simd`) or in loops around these, and make no more passes than a lane may that cannot
// pause. own: as of pass_find_own. The scope is in the PARFOR. -> any did
bool pass_set_alone(struct pass_scope *sc, ir_stmt body, const bool *own, const uint32_t *reads,
                    struct pass_set_alone *out);
void pass_unset_alone(struct ir_unit *u, struct pass_set_alone *io);

#endif
