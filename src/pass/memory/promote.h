// What promote.c and promote_single.c keep in registers: elements of one array that an iteration owns.
#ifndef WHORL_PASS_PROMOTE_H
#define WHORL_PASS_PROMOTE_H

#include "pass/cost.h"
#include "pass/passes.h"

// Accesses to one element.
struct group {
    const struct pass_access *first;
    bool stored, sure; // sure: some access happens whenever the iteration runs
    bool own;          // each lane stores an element of its own (IR_FLAG_OWN)
    uint32_t accesses;
    bool loaded;
    ir_var var;
};

struct promoter {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    uint32_t *total_loads, *total_accesses; // by array, whole unit
    uint32_t promoted, contracted;
    uint32_t counted_changes; // of these two, when the totals were counted
    bool last;                // loops stay as they are from now on
    bool late;                // what iterations own is in registers already
    // of the replacement under way
    ir_array array;
    struct group *groups;
    uint32_t group_count;
    const struct pass_accesses *list;
};

bool promote_same_element(const struct pass_access *a, const struct pass_access *b);

// Elements of an array that an iteration owns, though not the array: those that nothing else in the parallel loop
// meets. Sets x->groups. False: there are none.
bool promote_find_single(struct promoter *x, ir_stmt parfor, const struct pass_space *space);

#endif
