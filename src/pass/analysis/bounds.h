// Is every index of a kernel within its array, whatever the data? See bounds.c for what is proven and why that is
// enough.
#ifndef WHORL_PASS_BOUNDS_H
#define WHORL_PASS_BOUNDS_H

#include "ir/ir.h"

// A kernel, as the emitter gets it, and what it makes of it that the unit does not say.
struct pass_bounds_kernel {
    struct ir_unit *unit;
    ir_stmt stmt, stop; // as of wgsl_input
    bool sequential, grid;
    ir_expr guard;
    uint32_t workgroup_size;
    const bool *restored; // by variable, NULL: none. Its value may come from memory when the kernel is resumed
    const bool *clamped;  // by variable: the counter of a resume loop that is put within its constant bounds then
    const bool *packed;   // by array, NULL: none. Its elements are parts of words, so none is out of its type's range
    ir_array only;        // 0: all arrays. Else nothing is said of the others
};
struct pass_bounds {
    bool proven;
    uint32_t count; // indices that were looked at
    // Of the first one that is not proven:
    ir_array array;
    base_loc loc;
    const char *why;
};
struct pass_bounds pass_prove_bounds(const struct pass_bounds_kernel *k);

#endif
