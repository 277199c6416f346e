// Loops whose passes hand on values: which of them a stretch of passes can be made without, and what it makes of them.
#ifndef WHORL_PASS_RECURRENCE_H
#define WHORL_PASS_RECURRENCE_H

#include "pass/passes.h"

// Values that passes hand on, of which a stretch of passes can be made without any; those of earlier levels are known.
struct recurrence {
    struct ir_unit *u;
    ir_stmt loop;   // FOR
    ir_stmt slice;  // a pass as what it does to what is handed on, whatever that is: it stores nothing
    ir_stmt picks;  // the statement `v = x` behind `x > v`, of those under way
    uint8_t behind; // ... what they stand behind, as of `assigned`
    bool ordered;   // sums of floats keep the order of C
    bool failed;
    // By variable: the passes of `handed` need it; bits of the linear ones that it is made of; it is one of them plus
    // something else; the operator of one that is handed on and not linear.
    uint32_t vars;
    bool *needed, *shifted;
    uint8_t *kept;
    uint32_t *made_of;
    ir_var (
        *parts)[1 + PASS_SCAN_HANDED]; // by variable: what is added to, and the factors of, those that it is made of
    // By variable: in the slice it is assigned, and read, behind the test of handed[k - 2], 1: behind none; 0: it is
    // not, UINT8_MAX: in several places.
    uint8_t *assigned, *read;
    uint32_t count; // values that a pass takes from the one before
    ir_var handed[PASS_SCAN_HANDED];
    uint8_t op[PASS_SCAN_HANDED]; // v = v OP x, or IR_CONST: linear
    bool sets[PASS_SCAN_HANDED];  // what passes put in its place is not made of it
    bool scales;                  // a pass multiplies or divides what it takes: a factor of 0 may also be a product
    bool drops, chooses;          // ... of floats, and passes put others in their place, some of them by a choice,
    ir_var (*stays)[PASS_SCAN_HANDED]; // ... by variable: 1 while it is made of handed[i], else 0. NULL: not known
    // Bits of those that handed[j] is made of behind `settles` passes and any number of more; 0 passes: not known.
    uint32_t rests[PASS_SCAN_HANDED], settles;
    // A condition on handed[j] alone that is `when` wherever passes change what stands behind it: they begin as if it
    // were, for where it is not nothing changes. 0: there is none.
    ir_expr tests[PASS_SCAN_HANDED];
    bool when[PASS_SCAN_HANDED];
    struct ir_effects inside; // of the loop
};
// All that a loop hands on, in levels (recurrence_levels.c).
struct recurrences {
    uint32_t levels, sum_count;
    // What is only summed up, in the passes behind the last level: read by its own updates alone.
    struct ir_reduction sums[PASS_RFACTOR_SUMS];
    struct recurrence of[PASS_SCAN_LEVELS];
};

// What the loop hands on, and leaves of what is `wanted` behind it (bit set), is of such kinds. It stores to no LOCAL
// array. stores: its passes are made again in any case.
bool recurrences_find(struct recurrences *x, struct ir_unit *u, ir_stmt loop, bool ordered, bool stores,
                      const uint32_t *wanted);

// Of one level, whose u, loop, inside, ordered, count, handed and op are given. No slice: nobody knows what passes do.
void recurrence_make(struct recurrence *x);
// The part `x > v`, or `x < v`, of the condition, and its operator; 0: there is none.
ir_expr recurrence_pick(const struct ir_unit *u, ir_expr cond, ir_expr x, ir_var v, uint8_t *op);
// Part k of what such passes leave of handed[j], 0: there is none. Part 0 is what is added, 1 + i the factor of
// handed[i]. Its value at the beginning, too. Of values that are not linear there is part 0, which is the value itself.
ir_var recurrence_part(const struct recurrence *x, uint32_t j, uint32_t k);
ir_expr recurrence_start(const struct recurrence *x, uint32_t j, uint32_t k);
// The variable that is 0 if nothing of handed[k - 1], whatever it was, is left in handed[j], else 1. None: its factor
// says so.
ir_var recurrence_stays(const struct recurrence *x, uint32_t j, uint32_t k);
// Such passes, `settles` or more of them, leave part k of handed[j].
bool recurrence_leaves(const struct recurrence *x, uint32_t j, uint32_t k);
// A slice of a statement of the loop's body reads these arrays (bit set).
const uint32_t *recurrence_reads(struct recurrence *x, ir_stmt s);
// The array's only access in the loop is a store at an index that grows with each (recurrence_list.c).
bool recurrence_fills(const struct recurrence *x, ir_array a);

#endif
