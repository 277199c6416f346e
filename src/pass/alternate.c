// Partial results of a reduction in a loop are written by one phase and read by everybody. With one array, the next pass may not write
// before all have read: a second barrier. With two in turn it may: whoever writes the first again has passed the barrier between the
// writing and the reading of the second, and everybody else came to that barrier after reading the first.
//
// Taken are scratch arrays that one PARFOR writes and, later in the same block of a loop, one COMBINE reads.
#include "pass/passes.h"

struct alternator {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t arrays, *uses; // by array: accesses in the whole unit; of a candidate there are two
};

static bool on_load(void *user, ir_expr e) {
    struct alternator *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) x->uses[n->a] += 2; // never a candidate
    return true;
}
static bool on_stmt(void *user, ir_stmt s) {
    struct alternator *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) x->uses[n->a]++;
    if (n->kind == IR_COMBINE) x->uses[n->c]++;
    if (n->kind == IR_ATOMIC) x->uses[n->a] += 2;
    if (n->kind == IR_STAGE) x->uses[n->b] += 2;
    return true;
}

// The STORE at the top of the PARFOR's body that fills the array, or 0.
static ir_stmt store_in(const struct ir_unit *u, ir_stmt parfor, ir_array a) {
    for (ir_stmt s = u->stmts[parfor].e; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_STORE && u->stmts[s].a == a) return s;
    return 0;
}

static void alternate(struct alternator *x, ir_stmt store, ir_stmt combine) {
    struct ir_unit *u = x->u;
    struct ir_stmt_node c = u->stmts[combine], w = u->stmts[store];
    const struct ir_array_info info = u->arrays[c.c];
    uint32_t size;
    if (!ir_is_const(u, info.dims[0], &size) || size > 1u << 24) return;
    ir_expr twice = ir_const_i32(u, (int32_t)(2 * size));
    ir_array pair = ir_add_array(u, info.name, (enum ir_elem)info.elem, IR_ARRAY_SCRATCH, 1, &twice, info.loc);
    u->arrays[pair].alternates = true;
    ir_var which = ir_add_var(u, "which", IR_I32, IR_VAR_ENTRY, c.loc);
    // It is 0 or 1; that it can be nothing else, whatever a saved word says, is what the mask is for.
    ir_expr half = ir_op2(u, IR_AND, ir_var_read(u, which, c.loc), ir_const_i32(u, 1), c.loc);
    ir_expr offset = ir_op2(u, IR_MUL, half, ir_const_i32(u, (int32_t)size), c.loc);
    ir_expr at = ir_op2(u, IR_ADD, u->args[w.b], offset, w.loc);
    u->stmts[store].a = pair;
    u->stmts[store].b = ir_add_args(u, &at, 1);
    u->stmts[combine].c = pair;
    u->stmts[combine].e = offset;
    ir_stmt next = u->stmts[combine].next;
    ir_stmt turn =
        ir_assign(u, which, ir_op2(u, IR_SUB, ir_const_i32(u, 1), ir_var_read(u, which, c.loc), c.loc), c.loc);
    u->stmts[combine].next = turn;
    u->stmts[turn].next = next;
    ir_stmt first = ir_assign(u, which, ir_const_i32(u, 0), c.loc), root = u->root;
    u->stmts[first].next = root;
    u->root = first;
}

static void alternate_block(struct alternator *x, ir_stmt block, bool in_loop) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_IF) {
            alternate_block(x, n.b, in_loop);
            alternate_block(x, n.c, in_loop);
        } else if ((n.kind == IR_FOR || n.kind == IR_LOOP) && pass_has_parallel(u, n.e)) {
            alternate_block(x, n.e, true);
        } else if (n.kind == IR_PARFOR && in_loop) {
            for (ir_stmt c = n.next; c; c = u->stmts[c].next) {
                if (u->stmts[c].kind != IR_COMBINE || u->stmts[c].c >= x->arrays || x->uses[u->stmts[c].c] != 2)
                    continue;
                ir_stmt store = store_in(u, s, u->stmts[c].c);
                if (store) alternate(x, store, c);
            }
        }
    }
}

void pass_alternate(struct pass_cx *p) {
    struct alternator x = {.p = p, .u = p->u, .arrays = p->u->array_count};
    x.uses = base_alloc_array(p->u->cx, x.arrays, sizeof *x.uses);
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_load, .user = &x};
    ir_walk_block(p->u, p->u->root, &visitor);
    alternate_block(&x, p->u->root, false);
}
