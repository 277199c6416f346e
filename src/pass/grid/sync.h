// What the files of the pass `sync` share: the phases of a program (sync_phases.c), which of them conflict
// (sync_conflicts.c), and what sequential code that runs alone publishes (sync_publish.c). sync.c places the barriers.
#ifndef WHORL_PASS_SYNC_H
#define WHORL_PASS_SYNC_H

#include "pass/passes.h"

struct pass_phase {
    ir_stmt stmt;
    struct pass_accesses list;
    struct pass_space space; // of a PARFOR
    bool parallel, solo, fixed_bounds;
    uint64_t touched, written; // arrays of the list, by their number's last six bits
};
struct pass_need { // why a barrier stands before a statement
    ir_array array;
    ir_stmt earlier, later;
    bool earlier_writes, later_writes;
};
struct pass_syncer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope scope;
    struct pass_phase *phases;
    uint32_t count, cap;
    uint32_t *phase_of;       // by statement: 1 + its phase
    struct pass_need *before; // by statement
    uint32_t *conflicts;      // count * count: 0 not asked yet, 1 no, else 2 + its place in `why`
    struct pass_need *why;    // of those that are there
    uint32_t why_count, why_cap;
    uint32_t words; // of a set of phases
    bool changed;
    bool dry; // nothing is placed: `wanted` takes what would be
    struct pass_need wanted;
};

// A statement that is one phase: a parallel loop, or code without one.
bool pass_is_leaf(const struct ir_unit *u, ir_stmt s);
// Of what stands around phases: an expression with all that decides about it, the condition or the bounds. 0: nothing.
ir_expr pass_decision(struct ir_unit *u, ir_stmt s);
// Everything of the unit's entry level as phases, in the order of execution; `x` is made new.
void pass_find_phases(struct pass_syncer *x, struct pass_cx *p);
// The two phases, which may be one in two passes of a loop, need a barrier between them; arrays that do are marked
// `shared`.
bool pass_conflict(struct pass_syncer *x, uint32_t earlier, uint32_t later, struct pass_need *out);
// Stretches that run alone are marked so, and what they assign goes through memory to all others.
void pass_publish(struct pass_syncer *x);

#endif
