// What copy_back_find.c finds in a loop and copy_back.c makes of it: steps that write two arrays in turn.
#ifndef WHORL_PASS_COPY_BACK_H
#define WHORL_PASS_COPY_BACK_H

#include "pass/memory/double_buffer.h"
#include "pass/memory/turns.h"

struct copy_back_copy {
    ir_array to, from, other; // from `from` to `to` or, in front, the other way round; other: takes turns with `to`
    ir_array last;            // 0, or what keeps `to` of the step before
    ir_stmt writer, parfor;   // parallel loops: that stores, of copies back; that copies
    ir_stmt store, keep;      // of the copy; of `last`
    struct doubled_range ranges[IR_MAX_DIMS];
    bool whole; // a step stores all of `to`
    bool in_front;
    bool wanted, last_wanted; // `from`, `last`, behind the loop
    bool stored;              // `to` is stored behind the copy
    struct turns turns;
};

struct copy_back {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_covered covered;
    uint32_t *loads;                  // by array: in the whole unit, as it was
    bool *copied;                     // by array: elements of it are copied, or copies, somewhere
    struct pass_range **indices;      // by node, of so many: of loads of these arrays, by dimension
    uint32_t node_count, array_count; // as it was
    uint32_t taken;                   // loops
};

// Looks at the unit before the pass takes it apart.
void copy_back_begin(struct copy_back *x);
// The statement of the loop's body is a parallel loop that only copies, each time as copy_back.c has it. -> how many
// copies, 0: it is not
uint32_t copy_back_find(struct copy_back *x, ir_stmt body, ir_stmt s, struct copy_back_copy list[PASS_COPIES_MOST]);
// copy_back_arms.c: stores of elements of these arrays that both arms of a branch make come behind it. -> there were
// some
bool copy_back_join_arms(struct ir_unit *u, const bool *copied, uint32_t array_count);

#endif
