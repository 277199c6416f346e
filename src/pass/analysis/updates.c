// Elements that a block only updates, as where it counts into a histogram:
//
//   for (k) count[digit(x[k])]++;
//
// One pass may update what another one did, so passes are not apart. But who makes them in another order, or at once,
// may do so if the updates are atomic.
//
// The law: to the array the block does nothing but a[e] = a[e] OP v, always by the same operator, which commutes, and
// nobody in the block sees what stands there in between. Results have the same bits in any order, but those of sums of
// floats.
#include "pass/passes.h"

static bool loads_of(struct ir_unit *u, ir_expr e, ir_array a) {
    struct ir_effects fx = ir_effects_empty(u);
    ir_expr_effects(u, e, &fx);
    return ir_bit(fx.arrays_read, a);
}

bool pass_loads_stored(const struct ir_unit *u, ir_expr e, const struct ir_stmt_node *store) {
    const struct ir_node *n = &u->nodes[e];
    bool same = n->op == IR_LOAD && n->a == store->store.array && n->n == store->store.index_count;
    for (uint32_t i = 0; i < store->store.index_count && same; i++)
        same = ir_same_expr(u, u->args[n->b + i], u->args[store->store.indices + i]);
    return same;
}

// The STORE is a[e] = a[e] OP v, of an array in memory. -> v; 0: it is none. *out: the operator, SUB: that adds -v.
static ir_expr updated_by(struct ir_unit *u, ir_stmt s, uint8_t *out) {
    const struct ir_stmt_node n = u->stmts[s];
    ir_array a = n.store.array;
    const struct ir_node v = u->nodes[n.store.value];
    if (n.flags || n.store.run || !ir_in_buffer(u, a) || ir_ops[v.op].arity != 2) return 0;
    bool left = pass_loads_stored(u, v.a, &n), right = !left && v.op != IR_SUB && pass_loads_stored(u, v.b, &n);
    ir_expr by = left ? v.b : v.a;
    bool known = (left || right) && !loads_of(u, by, a) &&
                 ir_atomic_allowed(v.op == IR_SUB ? IR_ADD : v.op, (enum whorl_dtype)u->arrays[a].elem);
    for (uint32_t i = 0; i < n.store.index_count && known; i++)
        known = !loads_of(u, u->args[n.store.indices + i], a);
    *out = v.op;
    return known ? by : 0;
}

// ---- which arrays? --------------------------------------------------------------------------------------------------

struct finder {
    struct ir_unit *u;
    uint8_t *ops;
    bool *other;     // by array: it is also written otherwise
    uint32_t *loads; // by array: that are no part of an update
};

static bool on_load(void *user, ir_expr e) {
    struct finder *x = user;
    if (x->u->nodes[e].op == IR_LOAD) x->loads[x->u->nodes[e].a]++;
    return true;
}
static bool on_write(void *user, ir_stmt s) {
    struct finder *x = user;
    ir_array a = ir_write_of(&x->u->stmts[s]).array;
    uint8_t op;
    if (!a) return true;
    if (x->u->stmts[s].kind != IR_STORE || !updated_by(x->u, s, &op)) {
        x->other[a] = true;
        return true;
    }
    if (op == IR_SUB) op = IR_ADD;
    x->other[a] |= x->ops[a] != IR_CONST && x->ops[a] != op;
    x->ops[a] = op;
    x->loads[a]--; // the walk comes to it, too
    return true;
}

uint8_t *pass_find_updates(struct ir_unit *u, ir_stmt block) {
    struct finder x = {.u = u};
    bool any = false;
    x.ops = base_alloc_array(u->cx, u->array_count, sizeof *x.ops);
    x.other = base_alloc_array(u->cx, u->array_count, sizeof *x.other);
    x.loads = base_alloc_array(u->cx, u->array_count, sizeof *x.loads);
    struct ir_visitor visitor = {.on_stmt = on_write, .on_node = on_load, .user = &x};
    ir_walk_block(u, block, &visitor);
    for (ir_array a = 1; a < u->array_count; a++) {
        bool shared = u->arrays[a].atomic && !u->arrays[a].updated; // others may update it, too
        if (x.other[a] || x.loads[a] || shared) x.ops[a] = IR_CONST;
        any |= x.ops[a] != IR_CONST;
    }
    return any ? x.ops : NULL;
}

// ---- there and back -------------------------------------------------------------------------------------------------

void pass_make_updates(struct ir_unit *u, ir_stmt block, const uint8_t *ops, uint16_t flags, uint16_t of_floats) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&n, inner);
        for (uint32_t b = 0; b < blocks; b++)
            pass_make_updates(u, inner[b], ops, flags, of_floats);
        if (n.kind != IR_STORE || ops[n.store.array] == IR_CONST) continue;
        uint8_t op;
        ir_expr by = updated_by(u, s, &op);
        enum ir_type type = (enum ir_type)u->nodes[by].type;
        if (op == IR_SUB)
            by = type == IR_U32 ? ir_op2(u, IR_SUB, ir_const(u, type, 0), by, n.loc) : ir_op1(u, IR_NEG, by, n.loc);
        struct ir_stmt_node *m = &u->stmts[s];
        *m = (struct ir_stmt_node){.kind = IR_ATOMIC, .loc = n.loc, .next = n.next};
        m->flags = type == IR_F32 ? of_floats : flags;
        m->atomic.array = n.store.array;
        m->atomic.indices = n.store.indices;
        m->atomic.index_count = n.store.index_count;
        m->atomic.value = by;
        m->atomic.op = ops[n.store.array];
        u->arrays[n.store.array].updated = m->flags & IR_FLAG_FREE;
        u->arrays[n.store.array].atomic = true;
    }
}

static void take_back(struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node n = u->stmts[s];
    ir_expr old = ir_load(u, n.atomic.array, u->args + n.atomic.indices, n.atomic.index_count, n.loc);
    ir_expr value = ir_op2(u, (enum ir_op)n.atomic.op, old, n.atomic.value, n.loc);
    struct ir_stmt_node *m = &u->stmts[s];
    *m = (struct ir_stmt_node){.kind = IR_STORE, .loc = n.loc, .next = n.next};
    m->store.array = n.atomic.array;
    m->store.indices = n.atomic.indices;
    m->store.index_count = n.atomic.index_count;
    m->store.value = value;
}

static void take_back_in(struct ir_unit *u, ir_stmt block, bool shared) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            take_back_in(u, inner[i], shared || (n.kind == IR_FOR && n.flags & IR_FLAG_LANES));
        if (n.kind == IR_ATOMIC && n.flags & IR_FLAG_FREE && !shared) take_back(u, s);
    }
}

static bool on_atomic(void *user, ir_stmt s) {
    struct ir_unit *u = user;
    if (u->stmts[s].kind == IR_ATOMIC) u->arrays[u->stmts[s].atomic.array].atomic = true;
    return true;
}

void pass_take_back_updates(struct ir_unit *u, ir_stmt block) {
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++)
        any |= u->arrays[a].updated;
    if (!any) return;
    take_back_in(u, block, false);
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].updated) u->arrays[a].atomic = false;
    ir_walk_stmts(u, u->root, on_atomic, u);
    for (ir_array a = 1; a < u->array_count; a++)
        u->arrays[a].updated &= u->arrays[a].atomic;
}
