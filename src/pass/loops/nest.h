// Nested loops as one loop, for scan.c (nest.c).
#ifndef WHORL_PASS_NEST_H
#define WHORL_PASS_NEST_H

#include "pass/cost.h"
#include "pass/passes.h"

struct pass_nest {
    struct ir_unit *u;
    uint32_t depth;                    // loops that become one, at least two
    ir_stmt loops[PASS_FLATTEN_DEPTH]; // as they stand in each other
    uint64_t trips[PASS_FLATTEN_DEPTH];
    ir_var counters[PASS_FLATTEN_DEPTH]; // of the one loop, which sets them in each pass
};

// The loop and those inside of it that stand there alone among other statements, and do more than sum up; `depth` at
// most; false: only one.
bool pass_nest_find(struct pass_nest *x, struct ir_unit *u, ir_stmt loop, uint32_t depth);
// Passes of the loop, with those that stand in it so; false: not known.
bool pass_nest_trips(struct ir_unit *u, ir_stmt loop, uint64_t *out);
// The one loop, from 0, of copies.
ir_stmt pass_nest_make(struct pass_nest *x);
// Sets the counters of all loops but the `inner` innermost from the number of a pass of what those make up.
ir_stmt pass_nest_count(const struct pass_nest *x, ir_expr pass, uint32_t inner, const ir_var *counters);
// Two of its passes never touch an element that one of them writes. loop: a copy of the outermost, which may lose
// stores; the scope is in its block.
bool pass_nest_is_apart(const struct pass_nest *x, struct pass_scope *sc, ir_stmt loop);
// Passes of the one loop's body, from `first` on, of one row of the innermost loop: nothing is set in each pass any
// more. *before stands in front of a loop whose counter is `pass`, from 0.
ir_stmt pass_nest_in_row(const struct pass_nest *x, ir_stmt body, ir_expr first, ir_var pass, ir_stmt *before);

#endif
