// How often a block touches each array.
#ifndef WHORL_PASS_ARRAY_USES_H
#define WHORL_PASS_ARRAY_USES_H

#include "ir/ir.h"

// Accesses of a block to each array: all of them, and by dimension those whose index there is just `var`.
struct pass_uses {
    const struct ir_unit *u;
    ir_var var;
    uint32_t *all, *stores, *exact; // exact: IR_MAX_DIMS an array
};
struct pass_uses pass_uses_of(const struct ir_unit *u, ir_stmt block, ir_var var);

#endif
