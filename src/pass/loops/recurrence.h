// Loops whose passes hand on values: which of them a stretch of passes can be made without, and what it makes of them.
#ifndef WHORL_PASS_RECURRENCE_H
#define WHORL_PASS_RECURRENCE_H

#include "pass/passes.h"

struct recurrence {
    struct ir_unit *u;
    ir_stmt loop;   // FOR
    bool ordered;   // sums of floats keep the order of C
    uint32_t count; // values that a pass takes from the one before, and that more than their own update reads
    ir_var handed[PASS_SCAN_HANDED];
    uint8_t op[PASS_SCAN_HANDED]; // v = v OP x, or IR_CONST: linear
    // What is only summed up: read by its own updates alone.
    struct ir_reduction sums[PASS_RFACTOR_SUMS];
    uint32_t sum_count;
    // By variable: the passes of `handed` need it; bits of the linear ones that it is made of; it is one of them plus
    // something else; it is handed on and not linear.
    bool *needed, *shifted, *kept;
    uint32_t *made_of;
    ir_var (
        *parts)[1 + PASS_SCAN_HANDED]; // by variable: what is added to, and the factors of, those that it is made of
    uint32_t vars;
    bool failed;
};

// What the loop hands on is of such kinds. It stores to no LOCAL array.
bool recurrence_find(struct recurrence *x, struct ir_unit *u, ir_stmt loop, bool ordered);
// A pass as what it does to what is handed on, whatever that is: a copy that stores nothing. 0: nobody knows.
ir_stmt recurrence_slice(struct recurrence *x);
// Part k of what such passes leave of handed[j], 0: there is none. Part 0 is what is added, 1 + i the factor of
// handed[i]. Its value at the beginning, too. Of values that are not linear there is part 0, which is the value itself.
ir_var recurrence_part(const struct recurrence *x, uint32_t j, uint32_t k);
ir_expr recurrence_start(const struct recurrence *x, uint32_t j, uint32_t k);
// A slice of a statement of the loop's body reads these arrays (bit set).
const uint32_t *recurrence_reads(struct recurrence *x, ir_stmt s);
// The array's only access in the loop is a store at an index that grows with each (recurrence_list.c).
bool recurrence_fills(const struct recurrence *x, ir_array a);

#endif
