// What neighbouring passes of a loop have in common: statements whose values depend on the loop's variable v only by v
// / 4, v >> 2 or v & ~3 are the same in passes 4k to 4k + 3. A generator of random numbers that makes four at a time is
// an example.
#ifndef WHORL_PASS_GROUP_H
#define WHORL_PASS_GROUP_H

#include "ir/ir.h"

struct pass_group {
    struct ir_unit *u;
    ir_var var;    // the loop's; it counts by 1 from a multiple of `size`, 0 or above
    uint32_t size; // of a group: a power of two
    bool *same;    // by statement at the top of the body: one pass of a group can do it for all
    bool *varies;  // by variable: written in the body, with another value in each pass
};

// The loop's variable or a conversion of it. It is at least 0, so that these keep its value.
bool pass_is_place(const struct ir_unit *u, ir_var var, ir_expr e);
// Puts the loop's variable, as it is converted, in the place of body variables that only hold that and of which a
// quotient, a remainder or a mask is taken.
void pass_group_inline(struct ir_unit *u, ir_stmt loop);
// `exposed`: variables that the body may read before it assigns them.
struct pass_group pass_group_of(struct ir_unit *u, ir_stmt loop, uint32_t size, const uint32_t *exposed);
// In a copy of the body for pass number `pass` of each group, v % m and v & (m - 1) become constants where m divides
// the group's size, and so does what is computed of them alone.
void pass_group_parts(const struct pass_group *g, ir_stmt copy, uint32_t pass);

// The power of two by which the node divides a number that is at least 0; 0: it does not.
uint32_t pass_share_of(const struct ir_unit *u, const struct ir_node *n);
// `place` is var * times + constant, without overflow and at least 0. Its quotients by powers of two lose factors that
// `times` has, too: (v * 32 + 8) / 8 becomes v * 4 + 1.
void pass_divide_place(struct ir_unit *u, ir_stmt block, ir_expr place, ir_var var, uint32_t times, uint32_t constant);

#endif
