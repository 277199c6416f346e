// Races found while the interpreter runs: which iteration of a parallel loop wrote and read each element.
#ifndef WHORL_SHADOW_H
#define WHORL_SHADOW_H

#include "ir/ir.h"

enum { IR_MAX_RACES = 16, IR_RACES_TEXT = 7000 };

struct ir_shadow; // of one array
struct ir_races {
    struct ir_shadow *shadows; // by array handle
    uint32_t shadow_count;
    uint64_t iterations; // that were begun
    uint64_t count;      // races; of those between the same two statements the first is described
    uint32_t described;
    ir_stmt pairs[IR_MAX_RACES][2];
    char text[IR_RACES_TEXT]; // a line each
};

// One access in a parallel loop. Iterations have numbers that no other loop's have; `start` is the one before the
// loop's first.
struct ir_access {
    const struct ir_unit *u;
    ir_stmt parfor, at;
    const uint32_t *lo; // the loop's space
    const uint64_t *trips;
    uint64_t start, iteration;
    ir_array array;
    const uint64_t *dims;
    uint64_t element, count;
    bool atomic; // what others do to the element by atomics is no race with it
};
// False: out of memory. changes: another value than was there; reads: an update, which saw that value.
bool ir_shadow_read(struct ir_races *r, const struct ir_access *a);
bool ir_shadow_write(struct ir_races *r, const struct ir_access *a, bool reads, bool changes);
void ir_races_deinit(struct ir_races *r);

#endif
