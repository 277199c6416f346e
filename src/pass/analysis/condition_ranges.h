// What conditions say about values: ranges that hold where a condition does, for as long as its variables keep their
// values.
#ifndef WHORL_PASS_NARROW_H
#define WHORL_PASS_NARROW_H

#include "pass/analysis/affine.h"

struct pass_narrow {
    const struct pass_scope *sc; // whose ranges become smaller for a while
    struct pass_narrowed {       // innermost last
        ir_var var;              // 0: it was dropped
        struct pass_range before;
    } * list;
    uint32_t count, cap;
};
// The condition holds (or does not) from here on, until pass_widen_again with the count of before.
void pass_assume(struct pass_narrow *x, ir_expr cond, bool holds);
void pass_assume_between(struct pass_narrow *x, ir_expr e, int64_t lo, int64_t hi); // e is in [lo, hi]
void pass_widen_again(struct pass_narrow *x, uint32_t mark);
void pass_narrow_drop(struct pass_narrow *x); // no condition is relied on any more
// e where the condition of a choice holds (or does not): pass_range_below's side of a choice.
struct pass_range pass_range_of_side(const struct pass_scope *sc, ir_expr cond, bool holds, ir_expr e, int depth);

#endif
