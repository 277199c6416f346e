// What double_buffer.c and copy_back.c ask of arrays that steps overwrite.
#ifndef WHORL_PASS_DOUBLE_BUFFER_H
#define WHORL_PASS_DOUBLE_BUFFER_H

#include "pass/cost.h"
#include "pass/passes.h"

struct doubled_uses {
    const struct ir_unit *u;
    ir_array array;
    ir_stmt store;                 // the one STORE, whose indices all loads must have; 0: none so far
    uint32_t loads, stores, other; // other: loads of other elements, ATOMICs
};
// Accesses to the array in the block.
struct doubled_uses double_buffer_uses(const struct ir_unit *u, ir_stmt block, ir_array a);

struct doubled_range {
    ir_var var;
    ir_expr lo, hi;
    int32_t step;
};
// The block in which the store stands, under nothing but loops, whose variables go to `list`, behind *count others;
// 0: there is none.
ir_stmt double_buffer_block(const struct ir_unit *u, ir_stmt block, ir_stmt store, struct doubled_range *list,
                            uint32_t *count);

// The same of a PARFOR's store, whose dimensions come first in `list`, of 3 * IR_MAX_DIMS.
ir_stmt double_buffer_loops(const struct ir_unit *u, ir_stmt parfor, ir_stmt store, struct doubled_range *list,
                            uint32_t *count);

// A PARFOR: for all elements, to = from.
ir_stmt double_buffer_copy(struct ir_unit *u, ir_array to, ir_array from, base_loc loc);

#endif
