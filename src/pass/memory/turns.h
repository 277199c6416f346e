// Steps that store an array in turn with a second one: what a step stores goes to the one, `now`, and what it has not
// stored yet stands in the other one, `old`. Which elements are stored must be the same in every step, so that those
// which no step stores may be equal in both from the beginning.
#ifndef WHORL_PASS_TURNS_H
#define WHORL_PASS_TURNS_H

#include "pass/cost.h"
#include "pass/passes.h"

struct turn_box { // of elements, by dimension, both ends inclusive
    int64_t lo[IR_MAX_DIMS], hi[IR_MAX_DIMS];
};

// Where a load finds its element: in `old`, unless it is in one of the first `boxes` boxes.
struct turn_load {
    bool seen, now; // now: surely in one of them
    uint32_t boxes;
};

struct turns {
    struct ir_unit *u;
    const struct pass_covered *covered;
    struct pass_range *const *indices; // of loads, by node below node_count, by dimension; NULL: nobody knows
    uint32_t node_count;
    ir_array array, now, copied;            // copied: 0, or an array that has been what `array` was when the step began
    struct turn_box boxes[PASS_TURN_BOXES]; // what the step has stored so far
    uint32_t count;
    struct turn_load *loads; // by node
};

void turns_begin(struct turns *t, ir_array array); // fields up to there are set
// The array's box, of constants; false: it is too large for one.
bool turns_whole(const struct turns *t, struct turn_box *out);
bool turns_meet(const struct turns *t, const struct turn_box *a, const struct turn_box *b); // have common elements
// The next statement of the step. false: it does not fit
bool turns_add(struct turns *t, ir_stmt s);
// In the statements that were added to all of these: stores go to `now`, loads find their elements, those of
// `copied` in `old`.
void turns_apply(struct turns *const *list, uint32_t count, ir_stmt block);

#endif
