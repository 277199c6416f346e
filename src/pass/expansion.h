// Arrays of an iteration, in memory for all iterations.
#ifndef WHORL_PASS_EXPANSION_H
#define WHORL_PASS_EXPANSION_H

#include "pass/passes.h"

struct pass_expansion {
    struct ir_unit *u;
    const struct plan_target *target;
    const struct pass_scope *sc; // in front of the parallel loop
    ir_stmt parfor;              // with plain dims (pass_has_plain_dims)
    uint32_t array_cap;          // of the table
    ir_array *to;                // by array: where it stands for all iterations; 0: it stays
    uint64_t words;              // of all that there is now
};

void pass_expansion_begin(struct pass_expansion *x, struct ir_unit *u, const struct plan_target *target,
                          const struct pass_scope *sc, ir_stmt parfor);
// Takes so many words for each iteration, if there is room for them.
bool pass_expansion_has_room(struct pass_expansion *x, uint64_t words);
// Makes x->to[a], [iterations ...][dimensions of the local array a ...]; false: it cannot be had.
bool pass_expand_array(struct pass_expansion *x, ir_array a);
// The block's accesses to arrays that have one, in it. The parallel loop's indices come first.
void pass_expand_accesses(struct pass_expansion *x, ir_stmt block);

#endif
