// Many passes of a generator of random numbers at once (jump.c).
#ifndef WHORL_PASS_LANES_JUMP_H
#define WHORL_PASS_LANES_JUMP_H

#include "ir/ir.h"

enum { PASS_JUMP_BITS = 32 };

// What a pass makes of a word x. Sums: a * x + c modulo 2^32. Else bit r is the parity of x & row[r], plus that of c.
struct pass_jump {
    bool sums;
    uint32_t a, c, row[PASS_JUMP_BITS];
};

// What the block makes of the variable, a U32; false: nothing of the two, or nobody knows.
bool pass_find_jump(struct ir_unit *u, ir_stmt block, ir_var v, struct pass_jump *out);

// Statements that make `passes`, an I32 below 2^doublings, passes of v.
ir_stmt pass_make_jump(struct ir_unit *u, const struct pass_jump *jump, ir_var v, ir_var passes, uint32_t doublings,
                       base_loc loc);

#endif
