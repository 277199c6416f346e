// From optimised units to the plan: one builder for all rungs of the ladder, so that arrays and scalars keep one place
// each.
#ifndef WHORL_COMPILE_BUILD_H
#define WHORL_COMPILE_BUILD_H

#include "ir/ir.h"
#include "pass/analysis/bounds.h"
#include "pass/pass.h"
#include "plan/plan.h"
#include "wgsl/wgsl.h"

// A kernel to be: found while the tree is made, placed when all kernels are known, emitted last.
struct compile_kernel {
    const struct ir_unit *unit;
    ir_stmt stmt, stop;
    bool sequential;
    bool grid;                  // the whole rung in one dispatch
    struct pass_bounds limited; // limits > 0: so many indices, this one first, are kept within their arrays one by one
    bool refused; // of a grid kernel: its arrays do not fit into the bindings; its rung has to do without it
    ir_expr guard;
    plan_expr iterations;
    uint64_t known_iterations; // 0: not constant
    struct ir_effects effects; // of its statements and guard
    struct compile_rung *rung;
};

// One rung's unit and how its handles map to the plan.
struct compile_rung {
    struct ir_unit *unit; // of the tree
    struct ir_unit *grid; // the same program made for one dispatch with barriers; NULL: the tree is all
    enum pass_goal goal;
    uint32_t shared_vars;   // variables below this handle are the same in both units
    uint32_t *array_index;  // by array handle: index into plan->arrays, UINT32_MAX: none yet
    uint32_t *scalar_index; // by variable handle: index into plan->scalars (PARAM and repeat variables), UINT32_MAX
    uint32_t *state_scalar; // by variable handle: the PLAN_STATE scalar by which the host reads it, UINT32_MAX
    uint32_t *state_word;   // by variable handle: word in the state buffer, UINT32_MAX
    uint32_t parfor_count, sequential_count, loop_count;
};

enum { BUILD_RUNGS = 3 }; // single, steps, eager

struct compile_builder {
    struct base_cx *cx;
    struct plan *plan;
    const struct ir_unit *base; // the unit as lowered: its handles mean the same in every rung
    const struct plan_target *target;
    const struct plan *beside; // parameters that it has, too, get its places; NULL: none
    struct compile_rung rungs[BUILD_RUNGS];
    struct compile_kernel *kernels; // parallel to nothing: the plan's kernels are made from them
    uint32_t kernel_count, kernel_cap;
    uint32_t *param_words; // by variable, of the kernel that is being printed
    uint32_t param_word_cap;
    uint32_t *kernel_of;       // by entry of `kernels`: index into plan->kernels
    uint32_t *base_state_word; // by base variable handle
    uint32_t uniform_words;    // of params: of the call and of uniform scalars; loops have those behind
    uint32_t state_words;
    struct base_text *explain;
};

// tree.c: the dispatch tree of one rung; its DISPATCH nodes hold indices into b->kernels until compile_emit_all.
void compile_tree(struct compile_builder *b, struct compile_rung *rung, struct plan_node *out_root);
// Appends the kernel of a whole rung in one dispatch to b->kernels; out_root becomes that dispatch.
void compile_grid(struct compile_builder *b, struct compile_rung *rung, struct plan_node *out_root);
// plan_expr.c: the plan's expression for an IR expression of constants, PARAM and repeat variables.
// `u`: the unit that has the expression, of the rung's two.
plan_expr compile_plan_expr(struct compile_builder *b, struct compile_rung *rung, const struct ir_unit *u, ir_expr e,
                            base_loc loc);
// pack.c: a place for every array that some kernel uses.
void compile_pack(struct compile_builder *b);
// The type of the words that hold the array's elements: its own, or of a wide array the scalar that an element widens
// to.
enum whorl_dtype compile_word_dtype(const struct plan_array *a);
// sites.c: what asserts and printed lines look like to the host. After compile_pack.
void compile_log(struct compile_builder *b);
// traffic.c: how often each rung reads and writes whole arrays, into b->explain, and the program's work. Before
// compile_renumber.
const struct whorl_work *compile_explain_traffic(struct compile_builder *b);
// explained.c: the lines of a text, each once, and how often it stood there.
const char *compile_explained(struct base_cx *cx, const char *text);
// ways.c: invocations of a workgroup for so many iterations that go ways of their own; 0: they do not, or are too
// many.
uint32_t compile_ways(const struct ir_unit *u, ir_stmt parfor, uint64_t iterations, const struct plan_target *target);
// chance.c: how often block `block` of an entry-level statement is run where control comes by, 0 to 1: guessed; 0 for
// what hardly ever happens (IR_FLAG_FREE).
double compile_block_share(const struct ir_unit *u, ir_stmt s, uint32_t block);
// ... and how often a phase does anything: passes move a condition around one phase into it.
double compile_phase_chance(const struct ir_unit *u, ir_stmt parfor);
// again.c: plan_strategy.again_bytes of this grid unit.
uint64_t compile_bytes_again(struct base_cx *cx, const struct ir_unit *grid);
// waits.c: plan_strategy.waits of it, where so many invocations keep the device busy.
uint64_t compile_waits(struct base_cx *cx, const struct ir_unit *grid, uint32_t busy);
// kernels.c: WGSL for every kernel; equal ones become one. compile_renumber then turns a tree's handles into the
// plan's.
void compile_emit_all(struct compile_builder *b);
bool compile_is_single(const struct compile_kernel *k); // of the single dispatch: b->explain has lines about it
// proven.c: every index of the kernel is in its array; says so in b->explain, or which one is not. *out_again: indices
// that are not proven have limits now, or `in` says where restored variables are kept, so the text must be made and
// looked at again. For the kernel that is the plan's
// next.
bool compile_prove(struct compile_builder *b, struct compile_kernel *k, struct wgsl_input *in,
                   const struct wgsl_output *text, const struct plan_binding *bindings, bool *out_again);
void compile_renumber(struct compile_builder *b, const struct compile_rung *rung, struct plan_node *node);

#endif
