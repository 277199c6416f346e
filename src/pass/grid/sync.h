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
    const ir_stmt *loops;      // of the entry level that it stands in, from the outermost one on
    uint32_t depth;            // so many
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
    uint32_t *conflicts;      // 2 * count * count: 0 not asked yet, 1 no, else 2 + its place in `why`
    struct pass_need *why;    // of those that are there
    uint32_t why_count, why_cap;
    const bool *kept;       // by variable: invocation 0 alone has it (sync_kept.c)
    struct pass_ends *ends; // by variable: of the loops that it counts (sync_apart.c)
    uint32_t words;         // of a set of phases, each of them twice: as it ran, and before a loop around began anew
    bool changed;
    bool dry; // nothing is placed: `wanted` takes what would be
    struct pass_need wanted;
};

// A statement that is one phase: a parallel loop, or code without one.
bool pass_is_leaf(const struct ir_unit *u, ir_stmt s);
// Of what stands around phases: an expression with all that decides about it, the condition or the bounds. 0: nothing.
ir_expr pass_decision(struct ir_unit *u, ir_stmt s);
// By variable: nothing but stores of the entry level reads it, there or by way of other such variables.
const bool *pass_find_kept(struct ir_unit *u);
// Everything of the unit's entry level as phases, in the order of execution; `x` is made new.
void pass_find_phases(struct pass_syncer *x, struct pass_cx *p);
// The two phases, which may be one in two passes of a loop, need a barrier between them; arrays that do are marked
// `shared`. anew: some loop around the earlier one has begun anew since then.
bool pass_conflict(struct pass_syncer *x, uint32_t earlier, uint32_t later, bool anew, struct pass_need *out);
// sync_apart.c, for what follows.
void pass_find_ends(struct pass_syncer *x);
// By the bounds of their indices, the two accesses never touch one element whenever phase b follows phase a. anew: as
// above.
bool pass_apart_by_bounds(struct pass_syncer *x, const struct pass_phase *a, const struct pass_access *p,
                          const struct pass_phase *b, const struct pass_access *q, bool anew);
// The same in one pass of all loops around: p is of a statement of the entry level, q of another one in its block.
bool pass_apart_in_pass(struct pass_syncer *x, const struct pass_access *p, const struct pass_access *q);
// What a change to a unit of so many arrays does to barriers (sync_trial.c), by a copy of it, made in scratch memory.
struct pass_trial {
    uint64_t barriers; // one in a loop counts for many
    bool *shared;      // by array of the unit: several workgroups touch an element
};
struct pass_trial pass_trial_begin(const struct ir_unit *u);
void pass_try_sync(struct pass_cx *copy, ir_array arrays, struct pass_trial *out);
// Barriers are saved, and no array of the unit becomes shared but small ones of the compiler's own.
bool pass_trial_pays(const struct ir_unit *u, const struct pass_trial *now, const struct pass_trial *then);
// Stretches that run alone are marked so, and what they assign goes through memory to all others.
void pass_publish(struct pass_syncer *x);

#endif
