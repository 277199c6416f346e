// One operation on values, in the meaning that ops.def writes down: for the interpreter and for folding constants.
#ifndef WHORL_EVAL_H
#define WHORL_EVAL_H

#include "ir/ir.h"

// *out_bits = op(a, b, c) on operands of which the first has `type`; operands that the operation does not have are
// ignored. For SELECT, LAND and LOR all operands are values already. False for integer division by zero and INT_MIN /
// -1, which C leaves open, and for leaves (CONST, VAR, LOAD).
bool ir_eval_op(enum ir_op op, enum ir_type type, uint32_t a, uint32_t b, uint32_t c, uint32_t *out_bits);

#endif
