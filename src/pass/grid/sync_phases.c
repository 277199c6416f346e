// The phases of a program in one dispatch: each stretch of the entry level that every invocation reaches together, and
// what it touches.
//
// A PARFOR is a phase, so is each other statement without parallel loops inside, and so is what decides about a loop or
// branch around phases, which everybody reads. Sequential code that reads what it writes cannot run everywhere at once:
// it runs alone.
#include <string.h>

#include "pass/grid/sync.h"

bool pass_is_leaf(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_PARFOR) return true;
    ir_stmt inner[2];
    uint32_t blocks = ir_blocks_of(n, inner);
    for (uint32_t i = 0; i < blocks; i++)
        if (pass_has_parallel(u, inner[i])) return false;
    return true;
}

ir_expr pass_decision(struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    switch (n->kind) {
    case IR_IF: return n->branch.cond;
    case IR_LOOP: return n->loop.cond;
    case IR_FOR: return ir_op2(u, IR_LT, n->counted.lo, n->counted.hi, n->loc);
    default: return 0;
    }
}

static void collect_alone(struct pass_syncer *x, ir_stmt s, struct pass_accesses *out) {
    ir_stmt next = x->u->stmts[s].next;
    x->u->stmts[s].next = 0;
    pass_collect(&x->scope, s, out);
    x->u->stmts[s].next = next;
}

static bool reads_what_it_writes(const struct pass_phase *ph) {
    for (uint32_t i = 0; i < ph->list.count; i++)
        for (uint32_t k = 0; ph->list.items[i].store && k < ph->list.count; k++)
            if (!ph->list.items[k].store && ph->list.items[k].array == ph->list.items[i].array) return true;
    return false;
}

// A COMBINE of elements and a STAGE: a load of the array from somewhere.
static void add_load(struct ir_unit *u, ir_stmt s, ir_array array, struct pass_accesses *out) {
    BASE_RESERVE(u->cx, out->items, out->count, out->cap);
    struct pass_affine *somewhere = base_alloc(u->cx, sizeof *somewhere);
    out->items[out->count++] = (struct pass_access){.array = array, .stmt = s, .n = 1, .sub = somewhere};
}

static void add_phase(struct pass_syncer *x, ir_stmt s, const ir_stmt *loops, uint32_t depth) {
    struct ir_unit *u = x->u;
    BASE_RESERVE(u->cx, x->phases, x->count, x->cap);
    struct pass_phase *ph = &x->phases[x->count++];
    *ph = (struct pass_phase){.stmt = s, .loops = loops, .depth = depth};
    x->phase_of[s] = x->count;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind == IR_STAGE) {
        add_load(u, s, n.stage.from, &ph->list);
        return;
    }
    if (n.kind == IR_COMBINE) {
        if (n.combine.array)
            add_load(u, s, n.combine.array, &ph->list);
        else // its values read like any expression
            collect_alone(x, ir_assign(u, n.combine.var, n.combine.value, n.loc), &ph->list);
        return;
    }
    if (!pass_is_leaf(u, s)) { // read by everybody
        ir_expr decision = pass_decision(u, s);
        if (decision) collect_alone(x, ir_if(u, decision, 0, 0, n.loc), &ph->list);
        return;
    }
    collect_alone(x, s, &ph->list);
    ph->parallel = n.kind == IR_PARFOR;
    if (ph->parallel) {
        pass_space_of(&x->scope, s, &ph->space);
        ph->fixed_bounds = true;
        for (uint32_t d = 0; d < n.parfor.dim_count; d++) {
            const struct ir_dim *dim = &u->dims[n.parfor.dims + d];
            ph->fixed_bounds &= pass_is_of_run(u, dim->lo) && pass_is_of_run(u, dim->hi);
        }
    } else {
        bool kept = n.kind == IR_ASSIGN && x->kept[n.assign.var] && ph->list.count;
        ph->solo = kept || reads_what_it_writes(ph);
    }
}

// loops: `depth` loops around the block.
static void find_phases(struct pass_syncer *x, ir_stmt block, const ir_stmt *loops, uint32_t depth) {
    struct pass_scope *sc = &x->scope;
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        add_phase(x, s, loops, depth);
        if (n.kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (pass_is_leaf(x->u, s)) continue;
        uint32_t inner = pass_scope_enter(sc);
        if (n.kind == IR_IF) {
            find_phases(x, n.branch.then_block, loops, depth);
            find_phases(x, n.branch.else_block, loops, depth);
        } else {
            pass_scope_loop(sc, s);
            ir_stmt *inside = base_alloc_array(x->u->cx, depth + 1, sizeof *inside);
            if (depth) memcpy(inside, loops, depth * sizeof *inside);
            inside[depth] = s;
            find_phases(x, ir_body_of(&n), inside, depth + 1);
        }
        pass_scope_leave(sc, inner);
    }
    pass_scope_leave(sc, mark);
}

void pass_find_phases(struct pass_syncer *x, struct pass_cx *p) {
    memset(x, 0, sizeof *x);
    x->p = p;
    x->u = p->u;
    pass_scope_init(&x->scope, p->u);
    x->kept = pass_find_kept(p->u);
    x->phase_of = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *x->phase_of);
    find_phases(x, p->u->root, NULL, 0);
    pass_find_ends(x);
    x->words = 2 * x->count / 32 + 1;
}
