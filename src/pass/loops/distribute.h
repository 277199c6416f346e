// A parallel loop with products of matrices in it: its loops in another order (reorder.c), without what needs the
// passes one after the other (split_product.c), and in parallel loops of their own (distribute.c).
#ifndef WHORL_PASS_DISTRIBUTE_H
#define WHORL_PASS_DISTRIBUTE_H

#include "pass/cost.h"
#include "pass/passes.h"

struct distributor {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt parfor;
    uint32_t *reads;    // of the unit, by variable
    ir_stmt first_made; // statements from this one on are the pass's own
    uint32_t looks;     // that are left: each is a trial on a copy of the program
    bool changed;
};

// Where a loop becomes a product of matrices, the loops in it change places. -> any did
bool distribute_reorder(struct distributor *x);
// Loops of the body become two, where the first is a product of matrices. -> any did
bool distribute_split(struct distributor *x);
// The statement, a FOR of the body, would be a product of matrices if it were in a parallel loop of its own.
bool distribute_is_product(struct distributor *x, ir_stmt loop);

#endif
