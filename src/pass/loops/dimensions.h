// What pass_dimensions (dimensions.c) and who splits dimensions of parallel loops (split_dims.c) tell each other.
#ifndef WHORL_PASS_DIMENSIONS_H
#define WHORL_PASS_DIMENSIONS_H

#include "pass/passes.h"

// A dimension of a PARFOR that counts from 0 to a constant by one.
struct pass_plain_dim {
    ir_stmt parfor; // 0: the variable is none of such a dimension
    uint32_t at;    // among the PARFOR's
    uint32_t size;
};
struct pass_plain_dim *pass_plain_dims(struct ir_unit *u); // by variable

// Dimensions that one of the program has become, `root`, and which of them may not be split.
struct pass_digits {
    struct pass_digit {
        ir_var var, root;
        int64_t weight; // root = the sum of weight * var, of all of them
    } * list;
    uint32_t count, cap;
    const bool *whole; // by variable of the program: it stays as it is
    // by variable, of those before the splits: its one value, as it was; the part of a dimension that it is now; or 0
    const ir_expr *value;
    ir_expr *is;
    uint32_t var_count;
};

// The dimension becomes two: of size / inner, and of `inner`, which divides its size.
struct pass_split {
    ir_var var;
    uint32_t inner;
    ir_var outer_var, inner_var;
};
bool pass_is_whole(const struct pass_digits *d, ir_var var);
// Makes the variables.
struct pass_split pass_split_begin(struct ir_unit *u, struct pass_digits *d, ir_var var, uint32_t inner);
void pass_split_end(struct ir_unit *u, struct pass_digits *d, const struct pass_plain_dim *dim,
                    const struct pass_split *split);
// Splits dimensions whose variable is divided by a constant, and whose rest is used, too. -> any did
bool pass_split_divided(struct pass_cx *p, struct pass_digits *d);
// The root of dimensions that some index puts together again, 0: there is none. They had better stayed one: what goes
// over such an array in another loop does not go by rows.
ir_var pass_split_in_vain(struct ir_unit *u, const struct pass_digits *d);

#endif
