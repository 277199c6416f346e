// Integers as functions of the bits of one number: each of their bits is 0, 1, one bit of that number as it is or
// negated, or not known. That is enough for the places of transforms and sorting networks, which are made by shifts,
// masks, and sums that carry nothing.
#ifndef WHORL_PASS_BITS_H
#define WHORL_PASS_BITS_H

#include "ir/ir.h"

// A bit: PASS_BIT_INPUT + 2 * (which bit of the number) + 1 if negated.
enum { PASS_BIT_0, PASS_BIT_1, PASS_BIT_UNKNOWN, PASS_BIT_INPUT = 4 };
struct pass_bits {
    uint8_t bit[32]; // of a BOOL only the first
};

// What variables are: value[slot[var] - 1]; not known where the slot is 0.
struct pass_bits_env {
    const struct ir_unit *u;
    const uint8_t *slot; // by variable
    struct pass_bits *value;
};

struct pass_bits pass_bits_const(uint32_t value);
bool pass_bits_are_const(const struct pass_bits *x, uint32_t *out);
struct pass_bits pass_bits_of(const struct pass_bits_env *env, ir_expr e);
// Where the two differ, the bit is not known.
void pass_bits_meet(struct pass_bits *io, const struct pass_bits *other);

#endif
