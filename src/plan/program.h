// What a compile (or reading a plan) leaves behind: the object behind the public `whorl_program`, seen by src/compile,
// which makes and destroys it, and by src/run, which only reads it.
#ifndef WHORL_PROGRAM_H
#define WHORL_PROGRAM_H

#include "plan/plan.h"

struct ir_unit;
struct whorl_program {
    struct base_cx *cx;         // owns the memory of everything below, and of the program itself
    const char *name;           // for messages: "heat.c:evaluate"
    struct plan *plan;          // NULL after whorl_inspect
    const struct ir_unit *unit; // the program as lowered, for src/compile; NULL after whorl_inspect or whorl_plan_read
    const char
        *c_text; // what the CPU runs; defines `void __whorl_call(void **arrays, const void *scalars)`. NULL: plan only
    bool cpu_only;              // no GPU may have it: what its kernels need was not looked at
    struct whorl_param *params; // the entry's, in order
    uint32_t param_count, param_cap;
    const struct whorl_work *work; // NULL: not known
    // whorl_program_text's answers; NULL where there is none.
    const char *warnings, *ir_text, *wgsl_text, *explain, *plan_json, *comments;
};

// An array whose neighbours are one element for its caller, as the caller has it: of elements of that type, of which a
// plain one has no dimension of its own.
void plan_present(struct whorl_param *io, enum whorl_dtype type);

// The kernels one after the other, each with its name, its place in the program, and the strategies that run it.
const char *plan_kernels_text(struct base_cx *cx, const struct plan *p);

// How `__whorl_call` of the C text is called: arrays[i] is the memory of parameter i (NULL for scalars); scalars is one
// 8-byte slot a parameter, holding the value of parameter i in its own C type at the slot's start (little endian;
// integers are sign-extended).
enum { PLAN_SCALAR_SLOT_BYTES = 8 };

#endif
