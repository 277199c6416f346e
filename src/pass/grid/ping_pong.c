// Partial results of a reduction in a loop are written by one phase and read by everybody. With one array, the next
// pass may not write before all have read: a second barrier. With two in turn it may: whoever writes the first again
// has passed the barrier between the writing and the reading of the second, and everybody else came to that barrier
// after reading the first.
//
// Taken are scratch arrays that one PARFOR writes and, later in the same block of a loop, one COMBINE reads.
#include "pass/cost.h"
#include "pass/passes.h"

static void ping_pong(struct ir_unit *u, ir_stmt writes, ir_stmt reads) {
    const struct ir_stmt_node w = u->stmts[writes], c = u->stmts[reads];
    const struct ir_array_info info = u->arrays[c.combine.array];
    uint32_t size;
    if (!ir_is_const(u, info.dims[0], &size) || size > PASS_MOST_DOUBLED) return;
    ir_expr twice = ir_const_i32(u, (int32_t)(2 * size));
    ir_array pair = ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_SCRATCH, 1, &twice, info.loc);
    u->arrays[pair].alternates = true;
    ir_var which = ir_add_var(u, "which", IR_I32, IR_VAR_ENTRY, c.loc);
    // It is 0 or 1; that it can be nothing else, whatever a saved word says, is what the mask is for.
    ir_expr half = ir_op2(u, IR_AND, ir_var_read(u, which, c.loc), ir_const_i32(u, 1), c.loc);
    ir_expr offset = ir_op2(u, IR_MUL, half, ir_const_i32(u, (int32_t)size), c.loc);
    ir_expr at = ir_op2(u, IR_ADD, u->args[w.store.indices], offset, w.loc);
    u->stmts[writes].store.array = pair;
    u->stmts[writes].store.indices = ir_add_args(u, &at, 1);
    u->stmts[reads].combine.array = pair;
    u->stmts[reads].combine.from = offset;
    ir_stmt turn =
        ir_assign(u, which, ir_op2(u, IR_SUB, ir_const_i32(u, 1), ir_var_read(u, which, c.loc), c.loc), c.loc);
    ir_stmt last = reads; // COMBINEs in a row stay so: they are made together
    while (u->stmts[last].next && u->stmts[u->stmts[last].next].kind == IR_COMBINE)
        last = u->stmts[last].next;
    u->stmts[turn].next = u->stmts[last].next;
    u->stmts[last].next = turn;
    ir_stmt first = ir_assign(u, which, ir_const_i32(u, 0), c.loc), root = u->root;
    u->stmts[first].next = root;
    u->root = first;
}

static void ping_pong_block(struct ir_unit *u, const struct pass_partials *x, ir_stmt block, bool in_loop) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_IF) {
            ping_pong_block(u, x, n.branch.then_block, in_loop);
            ping_pong_block(u, x, n.branch.else_block, in_loop);
        } else if ((n.kind == IR_FOR || n.kind == IR_LOOP) && pass_has_parallel(u, ir_body_of(&n))) {
            ping_pong_block(u, x, ir_body_of(&n), true);
        } else if (n.kind == IR_PARFOR && in_loop) {
            for (ir_stmt c = n.next; c; c = u->stmts[c].next) {
                ir_stmt store = pass_partials_store(x, s, c);
                if (store) ping_pong(u, store, c);
            }
        }
    }
}

void pass_ping_pong(struct pass_cx *p) {
    struct pass_partials partials;
    pass_partials_find(&partials, p->u);
    ping_pong_block(p->u, &partials, p->u->root, false);
}
