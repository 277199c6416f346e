// What a block reads of what it has not assigned, and whether two statements touch each other.
#include "pass/passes.h"

#include <string.h>

struct exposure {
    const struct ir_unit *u;
    uint32_t *exposed, *assigned;
    uint32_t words;
};

static bool expose_node(void *user, ir_expr e) {
    struct exposure *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR && !ir_bit(x->assigned, n->a)) x->exposed[n->a / 32] |= 1u << n->a % 32;
    return true;
}

static void expose_expr(struct exposure *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, expose_node, x);
}

static void expose_block(struct exposure *x, ir_stmt block);

// Runs a nested block whose assignments may not happen.
static void expose_maybe(struct exposure *x, ir_stmt block) {
    if (!block) return;
    uint32_t *saved = base_alloc_array(x->u->cx, x->words, sizeof *saved);
    memcpy(saved, x->assigned, x->words * sizeof *saved);
    expose_block(x, block);
    memcpy(x->assigned, saved, x->words * sizeof *saved);
}

static void mark_assigned(struct exposure *x, ir_var v) { x->assigned[v / 32] |= 1u << v % 32; }

static void expose_if(struct exposure *x, const struct ir_stmt_node *n) {
    expose_expr(x, n->branch.cond);
    if (!n->branch.then_block || !n->branch.else_block) {
        expose_maybe(x, n->branch.then_block);
        expose_maybe(x, n->branch.else_block);
        return;
    }
    // Assigned on both ways is assigned.
    uint32_t bytes = x->words * (uint32_t)sizeof(uint32_t);
    uint32_t *before = base_alloc_array(x->u->cx, x->words, sizeof *before);
    uint32_t *after_then = base_alloc_array(x->u->cx, x->words, sizeof *after_then);
    memcpy(before, x->assigned, bytes);
    expose_block(x, n->branch.then_block);
    memcpy(after_then, x->assigned, bytes);
    memcpy(x->assigned, before, bytes);
    expose_block(x, n->branch.else_block);
    for (uint32_t w = 0; w < x->words; w++)
        x->assigned[w] &= after_then[w];
}

static void expose_parfor(struct exposure *x, const struct ir_stmt_node *n) {
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        expose_expr(x, x->u->dims[n->parfor.dims + k].lo);
        expose_expr(x, x->u->dims[n->parfor.dims + k].hi);
        mark_assigned(x, x->u->dims[n->parfor.dims + k].var);
    }
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++) {
        ir_var v = x->u->reductions[n->parfor.reductions + k].var;
        if (!ir_bit(x->assigned, v)) x->exposed[v / 32] |= 1u << v % 32;
    }
    expose_maybe(x, n->parfor.body);
}

static void expose_block(struct exposure *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        switch (n->kind) {
        case IR_ASSIGN:
            expose_expr(x, n->assign.value);
            mark_assigned(x, n->assign.var);
            break;
        case IR_STORE:
        case IR_ATOMIC: {
            struct ir_write w = ir_write_of(n);
            for (uint32_t i = 0; i < w.index_count; i++)
                expose_expr(x, x->u->args[w.indices + i]);
            if (w.expected) expose_expr(x, w.expected);
            expose_expr(x, w.value);
            if (ir_written_var(n)) mark_assigned(x, ir_written_var(n));
            break;
        }
        case IR_IF: expose_if(x, n); break;
        case IR_FOR: {
            expose_expr(x, n->counted.lo);
            expose_expr(x, n->counted.hi);
            mark_assigned(x, n->counted.var);
            uint64_t trips;
            if (ir_const_trips(x->u, s, &trips) && trips > 0 && !pass_leaves_loop(x->u, n->counted.body))
                expose_block(x, n->counted.body);
            else
                expose_maybe(x, n->counted.body);
            break;
        }
        case IR_LOOP:
            expose_expr(x, n->loop.cond);
            expose_maybe(x, n->loop.body);
            expose_maybe(x, n->loop.continuing);
            break;
        case IR_PARFOR: expose_parfor(x, n); break;
        case IR_NEIGHBOUR:
            expose_expr(x, n->neighbour.value);
            mark_assigned(x, n->neighbour.var);
            break;
        case IR_AGREE:
        case IR_COMBINE: {
            ir_var v = ir_written_var(n);
            if (n->kind == IR_COMBINE) {
                expose_expr(x, n->combine.from);
                expose_expr(x, n->combine.there);
                expose_expr(x, n->combine.value);
            }
            if (!ir_bit(x->assigned, v)) x->exposed[v / 32] |= 1u << v % 32;
            break;
        }
        case IR_BREAK:
        case IR_CONTINUE: return; // nothing behind it in this block runs
        default: break;
        }
    }
}

uint32_t *pass_exposed(const struct ir_unit *u, ir_stmt block) {
    struct exposure x = {.u = u, .words = u->var_count / 32 + 1};
    x.exposed = base_alloc_array(u->cx, x.words, sizeof *x.exposed);
    struct base_scratch scratch = base_scratch_begin(u->cx); // a set of all variables for each block inside
    x.assigned = base_alloc_array(u->cx, x.words, sizeof *x.assigned);
    expose_block(&x, block);
    base_scratch_end(u->cx, &scratch);
    return x.exposed;
}

bool pass_hands_on(const struct ir_unit *u, ir_stmt body) {
    struct ir_effects fx = ir_effects_of(u, body);
    return ir_sets_meet(pass_exposed(u, body), fx.vars_written, fx.var_words);
}

bool pass_arrays_apart(const struct ir_effects *a, const struct ir_effects *b) {
    return !ir_sets_meet(a->arrays_written, b->arrays_written, a->array_words) &&
           !ir_sets_meet(a->arrays_written, b->arrays_read, a->array_words) &&
           !ir_sets_meet(a->arrays_read, b->arrays_written, a->array_words);
}
bool pass_effects_apart(const struct ir_effects *a, const struct ir_effects *b) {
    return pass_arrays_apart(a, b) && !ir_sets_meet(a->vars_written, b->vars_written, a->var_words) &&
           !ir_reads_written(a, b) && !ir_reads_written(b, a);
}

bool pass_independent(struct ir_unit *u, ir_stmt first, ir_stmt second) {
    struct base_scratch scratch = base_scratch_begin(u->cx);
    struct ir_effects a = ir_effects_of_one(u, first), b = ir_effects_of_one(u, second);
    bool apart = pass_effects_apart(&a, &b);
    base_scratch_end(u->cx, &scratch);
    return apart;
}
