// Is every index of a kernel within its array, whatever the data? See bounds.c for what is proven and why that is
// enough.
#ifndef WHORL_PASS_BOUNDS_H
#define WHORL_PASS_BOUNDS_H

#include "pass/analysis/affine.h"

// Which elements of an array are used, as far as it is known: indices of its outermost dimension.
struct pass_reach {
    bool used, known;
    bool leaves;    // an index of another dimension may leave it
    int64_t lo, hi; // used and known: the first and the last one
};

// An access that is looked at: of a LOAD, or where that is 0 of a statement.
struct pass_indices {
    ir_array array;
    ir_expr load;
    ir_stmt stmt;
    uint32_t first, n; // in unit->args
};
// `sc`: what is known there of variables, by the conditions around it, too.
typedef void pass_look_fn(void *user, const struct pass_scope *sc, const struct pass_indices *i);

// A kernel, as the emitter gets it, and what it makes of it that the unit does not say.
struct pass_bounds_kernel {
    struct ir_unit *unit;
    ir_stmt stmt, stop; // as of wgsl_input
    bool sequential, grid;
    ir_expr guard;
    uint32_t workgroup_size;
    const bool *restored; // by variable, NULL: none. Its value may come from memory when the kernel is resumed
    const bool *clamped;  // by variable: the counter of a resume loop that is put within its constant bounds then
    // By variable, NULL: none. Where a restored variable is put when the kernel is resumed: where the program itself
    // sets it. `keeps`: this is looked for, and comes out; what is said holds if variables are then put there.
    struct pass_range *kept;
    bool keeps;
    const bool *packed; // by array, NULL: none. Its elements are parts of words, so none is out of its type's range
    ir_array only;      // 0: all arrays. Else nothing is said of the others
    // An index that is not proven becomes min(index, dimension - 1), as u32, where it stands: what the library's checks
    // make of it. One of an inner dimension may leave its row, so it becomes min(i * columns + j, rows * columns - 1),
    // and the others before it 0. The last one of a run, and one of a tile or of a window stays, as the emitter
    // knows these by their form.
    bool clamps;
    pass_look_fn *look; // NULL: nobody looks. Else the unit is a program, which does what it says
    void *user;
};
struct pass_bounds {
    bool proven;
    uint32_t count;  // indices that were looked at
    uint32_t limits; // of these, the ones that got limits. Without `clamps`: with as many, all are proven; 0: not so
    uint32_t loose;  // of accesses that are proven, those that may leave a row, but not the array
    // Of the first one that is not proven:
    ir_array array;
    base_loc loc;
    const char *why;
};
struct pass_bounds pass_prove_bounds(const struct pass_bounds_kernel *k);
// All accesses of a unit that is no kernel yet, in order.
void pass_look_at_indices(struct ir_unit *u, pass_look_fn *look, void *user);
// Of a unit as it was lowered: out[] by array, of u->array_count.
void pass_find_reach(struct ir_unit *u, struct pass_reach *out);

#endif
