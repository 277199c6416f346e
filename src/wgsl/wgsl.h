// One kernel of the plan as WGSL text: from a PARFOR, or from a stretch of sequential entry-level statements.
//
// The emitter prints only what is program-specific; library functions (whorl_exp, whorl_mulhi, ...) come from
// prelude/*.wgsl, of which only the ones used are put in front. How a kernel is called, its fixed bindings and words:
// src/plan/plan.h.
#ifndef WHORL_WGSL_H
#define WHORL_WGSL_H

#include "ir/ir.h"
#include "plan/plan.h"

#define WGSL_NONE 0xFFFFFFFFu

// Where an array of the unit stands in this kernel. Elements narrower than 32 bits are packed in entry arrays that are
// only read, as the caller laid them out; in those that are written (`wide`), in SCRATCH arrays and in TABLEs each
// takes a whole word that holds the widened scalar.
struct wgsl_place {
    uint32_t slot;         // index into bindings below (binding number 2 + slot); WGSL_NONE: not used here
    uint32_t offset_elems; // first element inside the binding, in units of the binding's element
    bool wide;             // narrow elements take a word each
};
struct wgsl_binding {
    // The element type of the binding's WGSL array. Narrow entry arrays (f16, i8 ...) are WHORL_U32 words that the
    // emitter unpacks.
    enum whorl_dtype elem; // F32, I32 or U32
    bool writable;
    bool in_vectors; // its size is a multiple of 16 bytes
    bool shared;     // several workgroups touch what one of them writes
    bool updated;    // by atomic updates
};

struct wgsl_kept {
    bool known;
    int64_t lo, hi; // inclusive, of the variable's type
};

struct wgsl_input {
    const struct ir_unit *unit;
    ir_stmt
        stmt; // a PARFOR without reductions, or the first statement of a sequential stretch, or of the program (grid)
    ir_stmt stop;    // sequential: the statement before which the stretch ends (0: end of block)
    bool sequential; // one workgroup; one invocation runs it, COMBINE uses all 256
    bool grid;       // the whole program from `stmt` on, with barriers: PARFORs are phases of it
    ir_expr guard;   // 0, or a condition (read on the device) under which the kernel does anything at all
    uint32_t workgroup_size;
    uint32_t rounds; // a workgroup should make so many times as many iterations, one after the other; 0: 1
    const struct wgsl_place *places; // by array handle; LOCAL arrays are not looked at
    const struct wgsl_binding *bindings;
    uint32_t binding_count;
    const uint32_t *param_words;  // by variable handle: word in params of PARAM and repeat variables; WGSL_NONE else
    const uint32_t *state_words;  // by variable handle: word in the state array of ENTRY variables; WGSL_NONE else
    uint32_t state_slot;          // which binding is the state array (WHORL_U32); WGSL_NONE: none
    uint32_t total_param_words;   // plan->param_words
    uint32_t subgroup_lanes;      // of the device: most neighbours that are surely of one subgroup; 0: none
    bool fast_math;               // WGSL's own functions where they are cheap
    bool coherent;                // shared bindings may be vectors of plain words, marked @coherent
    bool float_atomics;           // bindings may be array<atomic<f32>>
    const struct wgsl_kept *kept; // by variable, NULL: none. It is put there when the kernel is resumed
};
struct wgsl_output {
    const char *text;
    uint32_t resume_words; // saved words an iteration, the resume point's number included; 0: no resume point
    uint32_t subgroup;     // lanes that exchange values through subgroup functions; 0: it uses none
    uint32_t rounds;       // that a workgroup makes: what the input says, or 1
    bool coherent;         // a binding is marked @coherent
    bool float_atomics;    // a binding is array<atomic<f32>>
    const ir_var *saved;   // grid: by saved word, the variable it holds; 0 for word 0 and for bounds of loops
    // By variable, NULL without resume points: it comes from saved words when the kernel is resumed; it is put within
    // the constant bounds of its loop then.
    const bool *restored, *clamped;
};
// Invocations of a workgroup of a grid kernel that get work together, before the next workgroup gets any; divides 256.
uint32_t wgsl_grid_chunk(const struct ir_unit *unit, ir_stmt block);
struct wgsl_output wgsl_emit(struct base_cx *cx, const struct wgsl_input *in);

#endif
