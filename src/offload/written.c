// What a compiled region does with its arrays: which it stores into, as only these come back from the device and only
// these must not share memory with others; and which of their elements it uses at all.
#include "ir/ir.h"
#include "offload/offload.h"
#include "pass/analysis/bounds.h"
#include "plan/program.h"

bool offload_find_written(const whorl_program *program, bool *out_written, int count) {
    const struct ir_unit *u = program->unit;
    if (!u || setjmp(program->cx->bail) != 0) return false;
    struct ir_effects effects = ir_effects_of(u, u->root);
    for (int i = 0; i < count && (uint32_t)i < u->param_count; i++)
        out_written[i] = u->params[i].is_array && ir_bit(effects.arrays_written, u->params[i].ref);
    return true;
}

bool offload_find_reach(const whorl_program *program, struct offload_reach *out, int count) {
    if (!program->unit || setjmp(program->cx->bail) != 0) return false;
    struct ir_unit *u = ir_unit_clone(program->unit);
    struct pass_reach *reach = base_alloc_array(program->cx, u->array_count, sizeof *reach);
    pass_find_reach(u, reach);
    for (int i = 0; i < count && (uint32_t)i < u->param_count; i++) {
        if (!u->params[i].is_array) continue;
        const struct pass_reach *r = &reach[u->params[i].ref];
        if (r->used)
            out[i] = (struct offload_reach){
                .known = r->known && r->lo >= 0, .leaves = r->leaves, .first = r->lo, .last = r->hi};
        else
            out[i] = (struct offload_reach){.known = true, .first = 0, .last = -1};
    }
    return true;
}

// A dispatch of few iterations, each of which goes through a long loop by itself.
static bool is_slow_in(const struct plan *plan, const struct plan_node *n) {
    enum { FEW = 1024, LONG = 10000 }; // guess
    const struct plan_kernel *k = n->kind == PLAN_DISPATCH ? &plan->kernels[n->kernel] : NULL;
    const struct plan_expr_node *count = k ? &plan->exprs[k->iterations] : NULL;
    if (k && k->resume_words && k->lanes == 1 && !k->one_group && count->op == PLAN_CONST && count->value <= FEW &&
        (k->ticks == 0 || k->ticks * k->tick_loops > LONG))
        return true;
    for (uint32_t i = 0; n->kind != PLAN_DISPATCH && i < n->child_count; i++)
        if (is_slow_in(plan, &n->children[i])) return true;
    return false;
}

bool offload_is_slow(const whorl_program *program) {
    const struct plan *plan = program->plan;
    return plan && plan->steps.exists && is_slow_in(plan, &plan->steps.root);
}

bool offload_has_asserts(const whorl_program *program) { return program->unit && program->unit->log_count; }
