// Walking, rewriting and copying. Nodes move when the unit grows, so a node is copied before anything is built.
#include "ir/ir.h"

void ir_walk_expr(const struct ir_unit *u, ir_expr e, bool (*fn)(void *user, ir_expr e), void *user) {
    if (e == 0 || !fn(user, e)) return;
    struct ir_node node = u->nodes[e];
    if (node.op == IR_LOAD) {
        for (uint32_t i = 0; i < node.n; i++)
            ir_walk_expr(u, u->args[node.b + i], fn, user);
        return;
    }
    uint32_t arity = ir_ops[node.op].arity;
    if (arity > 0) ir_walk_expr(u, node.a, fn, user);
    if (arity > 1) ir_walk_expr(u, node.b, fn, user);
    if (arity > 2) ir_walk_expr(u, node.c, fn, user);
}

static void visit_expr(const struct ir_unit *u, const struct ir_visitor *visitor, ir_stmt s, ir_expr e) {
    if (e && visitor->on_expr) visitor->on_expr(visitor->user, s, e);
    if (visitor->on_node) ir_walk_expr(u, e, visitor->on_node, visitor->user);
}

static void visit_exprs(const struct ir_unit *u, ir_stmt s, const struct ir_visitor *visitor) {
    struct ir_stmt_node stmt = u->stmts[s];
    switch (stmt.kind) {
    case IR_ASSIGN: visit_expr(u, visitor, s, stmt.b); break;
    case IR_STORE:
    case IR_ATOMIC:
        for (uint32_t i = 0; i < stmt.n; i++)
            visit_expr(u, visitor, s, u->args[stmt.b + i]);
        visit_expr(u, visitor, s, stmt.c);
        break;
    case IR_COMBINE:
        visit_expr(u, visitor, s, stmt.combine.from);
        visit_expr(u, visitor, s, stmt.combine.value);
        break;
    case IR_IF:
    case IR_LOOP: visit_expr(u, visitor, s, stmt.a); break;
    case IR_FOR:
        visit_expr(u, visitor, s, stmt.b);
        visit_expr(u, visitor, s, stmt.c);
        break;
    case IR_PARFOR:
        for (uint32_t i = 0; i < stmt.n; i++) {
            visit_expr(u, visitor, s, u->dims[stmt.a + i].lo);
            visit_expr(u, visitor, s, u->dims[stmt.a + i].hi);
        }
        break;
    default: break;
    }
}

void ir_walk_block(const struct ir_unit *u, ir_stmt block, const struct ir_visitor *visitor) {
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next; // the visitor may unlink s
        bool enter = !visitor->on_stmt || visitor->on_stmt(visitor->user, s);
        if (!enter) continue;
        visit_exprs(u, s, visitor);
        ir_stmt inner[2];
        uint32_t n = ir_blocks_of(&u->stmts[s], inner);
        for (uint32_t i = 0; i < n; i++)
            ir_walk_block(u, inner[i], visitor);
    }
}

ir_expr ir_map_expr(struct ir_unit *u, ir_expr e, ir_expr (*fn)(void *user, ir_expr e), void *user) {
    if (e == 0) return 0;
    struct ir_node node = u->nodes[e];
    bool changed = false;
    if (node.op == IR_LOAD) {
        uint32_t indices[IR_MAX_DIMS];
        if (node.n > IR_MAX_DIMS) base_bug(u->cx, "load with %u indices", (unsigned)node.n);
        for (uint32_t i = 0; i < node.n; i++) {
            ir_expr old = u->args[node.b + i];
            indices[i] = ir_map_expr(u, old, fn, user);
            changed |= indices[i] != old;
        }
        if (changed) node.b = ir_add_args(u, indices, node.n);
    } else {
        uint32_t *operands[] = {&node.a, &node.b, &node.c};
        for (uint32_t i = 0; i < ir_ops[node.op].arity; i++) {
            ir_expr mapped = ir_map_expr(u, *operands[i], fn, user);
            changed |= mapped != *operands[i];
            *operands[i] = mapped;
        }
    }
    if (changed) {
        BASE_RESERVE(u->cx, u->nodes, u->node_count, u->node_cap);
        u->nodes[u->node_count] = node;
        e = u->node_count++;
    }
    return fn(user, e);
}

// Maps n expressions that stand in u->args into a list of their own.
static uint32_t map_args(struct ir_unit *u, uint32_t first, uint32_t n, ir_expr (*fn)(void *user, ir_expr e),
                         void *user) {
    uint32_t mapped[IR_MAX_DIMS];
    bool changed = false;
    if (n > IR_MAX_DIMS) base_bug(u->cx, "store with %u indices", n);
    for (uint32_t i = 0; i < n; i++) {
        mapped[i] = ir_map_expr(u, u->args[first + i], fn, user);
        changed |= mapped[i] != u->args[first + i];
    }
    return changed ? ir_add_args(u, mapped, n) : first;
}

static void map_stmt_exprs(struct ir_unit *u, ir_stmt s, ir_expr (*fn)(void *user, ir_expr e), void *user) {
    struct ir_stmt_node stmt = u->stmts[s]; // fn may add statements
    switch (stmt.kind) {
    case IR_ASSIGN: stmt.b = ir_map_expr(u, stmt.b, fn, user); break;
    case IR_STORE:
    case IR_ATOMIC:
        stmt.b = map_args(u, stmt.b, stmt.n, fn, user);
        stmt.c = ir_map_expr(u, stmt.c, fn, user);
        break;
    case IR_IF:
    case IR_LOOP: stmt.a = ir_map_expr(u, stmt.a, fn, user); break;
    case IR_FOR:
        stmt.b = ir_map_expr(u, stmt.b, fn, user);
        stmt.c = ir_map_expr(u, stmt.c, fn, user);
        break;
    case IR_COMBINE:
        u->stmts[s].combine.from = ir_map_expr(u, stmt.combine.from, fn, user);
        u->stmts[s].combine.value = ir_map_expr(u, stmt.combine.value, fn, user);
        return;
    case IR_PARFOR:
        for (uint32_t i = 0; i < stmt.n; i++) {
            ir_expr lo = ir_map_expr(u, u->dims[stmt.a + i].lo, fn, user);
            ir_expr hi = ir_map_expr(u, u->dims[stmt.a + i].hi, fn, user);
            u->dims[stmt.a + i].lo = lo;
            u->dims[stmt.a + i].hi = hi;
        }
        return;
    default: return;
    }
    u->stmts[s].a = stmt.a;
    u->stmts[s].b = stmt.b;
    u->stmts[s].c = stmt.c;
    u->stmts[s].e = stmt.e;
}

void ir_map_block(struct ir_unit *u, ir_stmt block, ir_expr (*fn)(void *user, ir_expr e), void *user) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        map_stmt_exprs(u, s, fn, user);
        ir_stmt inner[2];
        uint32_t n = ir_blocks_of(&u->stmts[s], inner);
        for (uint32_t i = 0; i < n; i++)
            ir_map_block(u, inner[i], fn, user);
    }
}

// ---- copies ---------------------------------------------------------------------------------------------------------

struct renaming {
    struct ir_unit *u;
    const ir_var *vars;
    const ir_array *arrays;
};

static ir_var rename_var(const struct renaming *r, ir_var var) { return r->vars && r->vars[var] ? r->vars[var] : var; }

static ir_array rename_array(const struct renaming *r, ir_array array) {
    return r->arrays && r->arrays[array] ? r->arrays[array] : array;
}

static ir_expr rename_leaf(void *user, ir_expr e) {
    struct renaming *r = user;
    struct ir_node node = r->u->nodes[e];
    uint32_t old = node.a;
    if (node.op == IR_VAR)
        node.a = rename_var(r, old);
    else if (node.op == IR_LOAD)
        node.a = rename_array(r, old);
    if (node.a == old || (node.op != IR_VAR && node.op != IR_LOAD)) return e;
    BASE_RESERVE(r->u->cx, r->u->nodes, r->u->node_count, r->u->node_cap);
    r->u->nodes[r->u->node_count] = node;
    return r->u->node_count++;
}

static uint32_t rename_reductions(struct renaming *r, uint32_t first, uint32_t n) {
    uint32_t copies = r->u->reduction_count;
    for (uint32_t i = 0; i < n; i++) {
        struct ir_reduction reduction = r->u->reductions[first + i];
        reduction.var = rename_var(r, reduction.var);
        ir_add_reductions(r->u, &reduction, 1);
    }
    return copies;
}

static ir_stmt clone_list(struct renaming *r, ir_stmt block);

// Gives the copy `s` its own lists, child blocks and names.
static void rename_stmt(struct renaming *r, ir_stmt s) {
    struct ir_unit *u = r->u;
    struct ir_stmt_node stmt = u->stmts[s];
    switch (stmt.kind) {
    case IR_ASSIGN:
    case IR_AGREE: stmt.a = rename_var(r, stmt.a); break;
    case IR_STORE:
    case IR_ATOMIC:
        stmt.a = rename_array(r, stmt.a);
        stmt.b = ir_add_args(u, &u->args[stmt.b], stmt.n);
        if (stmt.kind == IR_ATOMIC) stmt.e = rename_var(r, stmt.e);
        break;
    case IR_COMBINE:
        stmt.a = rename_var(r, stmt.a);
        stmt.c = rename_array(r, stmt.c);
        stmt.combine.index = rename_var(r, stmt.combine.index);
        break;
    case IR_IF:
        stmt.b = clone_list(r, stmt.b);
        stmt.c = clone_list(r, stmt.c);
        break;
    case IR_FOR:
        stmt.a = rename_var(r, stmt.a);
        if (stmt.counted.reduction_count)
            stmt.counted.reductions = rename_reductions(r, stmt.counted.reductions, stmt.counted.reduction_count);
        stmt.e = clone_list(r, stmt.e);
        break;
    case IR_LOOP:
        stmt.e = clone_list(r, stmt.e);
        stmt.b = clone_list(r, stmt.b);
        break;
    case IR_PARFOR: {
        uint32_t dims = u->dim_count;
        for (uint32_t i = 0; i < stmt.n; i++) {
            struct ir_dim dim = u->dims[stmt.a + i];
            dim.var = rename_var(r, dim.var);
            ir_add_dims(u, &dim, 1);
        }
        stmt.a = dims;
        stmt.b = rename_reductions(r, stmt.b, stmt.c);
        if (stmt.flags & IR_FLAG_LANES) stmt.d = rename_var(r, stmt.d);
        stmt.e = clone_list(r, stmt.e);
        break;
    }
    default: break;
    }
    u->stmts[s] = stmt;
    if (r->vars || r->arrays) map_stmt_exprs(u, s, rename_leaf, r);
}

static ir_stmt clone_list(struct renaming *r, ir_stmt block) {
    struct ir_unit *u = r->u;
    ir_stmt head = 0, last = 0;
    for (ir_stmt from = block; from; from = u->stmts[from].next) {
        struct ir_stmt_node stmt = u->stmts[from];
        stmt.next = 0;
        ir_stmt copy = ir_add_stmt(u, (enum ir_stmt_kind)stmt.kind, stmt.loc);
        u->stmts[copy] = stmt;
        rename_stmt(r, copy);
        if (last)
            u->stmts[last].next = copy;
        else
            head = copy;
        last = copy;
    }
    return head;
}

ir_stmt ir_clone_block(struct ir_unit *u, ir_stmt block, const ir_var *var_map, const ir_array *array_map) {
    struct renaming r = {u, var_map, array_map};
    return clone_list(&r, block);
}
