// Long recurrences in blocks of the grid: what scan_find.c finds of a loop, and scan_blocks.c makes of it, for scan.c.
#ifndef WHORL_PASS_SCAN_H
#define WHORL_PASS_SCAN_H

#include "pass/cost.h"
#include "pass/loops/nest.h"
#include "pass/loops/recurrence.h"

struct scanner {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t count;
    // of the parallel loop under way, of whose node `n` is a copy
    struct ir_stmt_node n;
    ir_stmt parfor;
    ir_stmt loop;                               // in its body
    struct pass_nest nest;                      // ... was these loops, one in the other; of no depth: it is as it was
    struct ir_effects inside, in_front, behind; // of the loop, of what else stands there
    struct recurrence *r;                       // the level under way, of `all`
    uint32_t level;                             // its number, from 0
    bool must_be_cut;                           // such copies would not make what is in front of the loop leaves it
    ir_stmt pure;         // copies of the assignments in front of the loop, but of what is handed on
    uint64_t trips, each; // passes, and those of a block
    uint32_t blocks;
    ir_var block;
    ir_array left[IR_F32 + 1]; // by type, of the level under way
    ir_array begins[IR_F32 + 1], ends[IR_F32 + 1], sums[IR_F32 + 1];
    uint32_t left_count[IR_F32 + 1], begin_count[IR_F32 + 1], sum_counts[IR_F32 + 1];
    struct pass_scope sc;
    struct recurrences all;
};

void scan_set_level(struct scanner *x, uint32_t level);
bool scan_hands(const struct scanner *x, ir_var v); // a pass takes it from the one before, in whichever level
// The loop, or the nest whose outermost one it is as one loop, can be made in blocks: it is x->loop, in x->n.
bool scan_find(struct scanner *x, ir_stmt loop, uint64_t iterations);
// The parallel loop in blocks, level by level.
ir_stmt scan_in_blocks(struct scanner *x);
// A parallel loop made of it may be such a recurrence, too.
ir_stmt scan_again(struct scanner *x, ir_stmt parfor);

#endif
