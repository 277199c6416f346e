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

void ir_walk_stmt(const struct ir_unit *u, ir_stmt s, const struct ir_visitor *visitor) {
    const struct ir_stmt_node stmt = u->stmts[s];
    for (const struct ir_operand *o = ir_stmts[stmt.kind].operands; o->role; o++) {
        uint32_t first = ir_operand_of(&stmt, o->at), n = o->count_at ? ir_operand_of(&stmt, o->count_at) : 1;
        for (uint32_t i = first; i < first + n; i++) {
            if (o->role == IR_ROLE_EXPR) visit_expr(u, visitor, s, first);
            if (o->role == IR_ROLE_INDICES) visit_expr(u, visitor, s, u->args[i]);
            if (o->role != IR_ROLE_DIMS) continue;
            visit_expr(u, visitor, s, u->dims[i].lo);
            visit_expr(u, visitor, s, u->dims[i].hi);
        }
    }
}

void ir_walk_block(const struct ir_unit *u, ir_stmt block, const struct ir_visitor *visitor) {
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next; // the visitor may unlink s
        bool enter = !visitor->on_stmt || visitor->on_stmt(visitor->user, s);
        if (!enter) continue;
        ir_walk_stmt(u, s, visitor);
        ir_stmt inner[2];
        uint32_t n = ir_blocks_of(&u->stmts[s], inner);
        for (uint32_t i = 0; i < n; i++)
            ir_walk_block(u, inner[i], visitor);
    }
}

void ir_walk_stmts(const struct ir_unit *u, ir_stmt block, bool (*fn)(void *user, ir_stmt s), void *user) {
    struct ir_visitor visitor = {.on_stmt = fn, .user = user};
    ir_walk_block(u, block, &visitor);
}

void ir_walk_nodes(const struct ir_unit *u, ir_stmt block, bool (*fn)(void *user, ir_expr e), void *user) {
    struct ir_visitor visitor = {.on_node = fn, .user = user};
    ir_walk_block(u, block, &visitor);
}

// One of the two, as ir_map_expr and ir_exchange_block have it.
struct mapping {
    struct ir_unit *u;
    ir_expr (*fn)(void *user, ir_expr e);
    ir_expr (*instead)(void *user, ir_expr e);
    void *user;
};

static ir_expr map_expr(const struct mapping *m, ir_expr e) {
    struct ir_unit *u = m->u;
    ir_expr other = e && m->instead ? m->instead(m->user, e) : 0;
    if (e == 0 || other) return other;
    struct ir_node node = u->nodes[e];
    bool changed = false;
    if (node.op == IR_LOAD) {
        uint32_t indices[IR_MAX_DIMS];
        if (node.n > IR_MAX_DIMS) base_bug(u->cx, "load with %u indices", (unsigned)node.n);
        for (uint32_t i = 0; i < node.n; i++) {
            ir_expr old = u->args[node.b + i];
            indices[i] = map_expr(m, old);
            changed |= indices[i] != old;
        }
        if (changed) node.b = ir_add_args(u, indices, node.n);
    } else {
        uint32_t *operands[] = {&node.a, &node.b, &node.c};
        for (uint32_t i = 0; i < ir_ops[node.op].arity; i++) {
            ir_expr mapped = map_expr(m, *operands[i]);
            changed |= mapped != *operands[i];
            *operands[i] = mapped;
        }
    }
    if (changed) {
        BASE_RESERVE(u->cx, u->nodes, u->node_count, u->node_cap);
        u->nodes[u->node_count] = node;
        e = u->node_count++;
    }
    return m->fn ? m->fn(m->user, e) : e;
}

ir_expr ir_map_expr(struct ir_unit *u, ir_expr e, ir_expr (*fn)(void *user, ir_expr e), void *user) {
    return map_expr(&(struct mapping){.u = u, .fn = fn, .user = user}, e);
}

ir_expr ir_exchange_expr(struct ir_unit *u, ir_expr e, ir_expr (*instead)(void *user, ir_expr e), void *user) {
    return map_expr(&(struct mapping){.u = u, .instead = instead, .user = user}, e);
}

// Maps n expressions that stand in u->args into a list of their own.
static uint32_t map_args(const struct mapping *m, uint32_t first, uint32_t n) {
    struct ir_unit *u = m->u;
    uint32_t mapped[IR_MAX_DIMS];
    bool changed = false;
    if (n > IR_MAX_DIMS) base_bug(u->cx, "store with %u indices", n);
    for (uint32_t i = 0; i < n; i++) {
        mapped[i] = map_expr(m, u->args[first + i]);
        changed |= mapped[i] != u->args[first + i];
    }
    return changed ? ir_add_args(u, mapped, n) : first;
}

static void map_stmt_exprs(const struct mapping *m, ir_stmt s) {
    struct ir_unit *u = m->u;
    struct ir_stmt_node stmt = u->stmts[s]; // the functions may add statements
    for (const struct ir_operand *o = ir_stmts[stmt.kind].operands; o->role; o++) {
        uint32_t first = ir_operand_of(&stmt, o->at), n = o->count_at ? ir_operand_of(&stmt, o->count_at) : 1;
        if (o->role == IR_ROLE_EXPR) {
            ir_expr mapped = map_expr(m, first);
            *ir_operand(&u->stmts[s], o->at) = mapped;
        } else if (o->role == IR_ROLE_INDICES) {
            uint32_t mapped = map_args(m, first, n);
            *ir_operand(&u->stmts[s], o->at) = mapped;
        } else if (o->role == IR_ROLE_DIMS) {
            for (uint32_t i = first; i < first + n; i++) {
                ir_expr lo = map_expr(m, u->dims[i].lo), hi = map_expr(m, u->dims[i].hi);
                u->dims[i].lo = lo;
                u->dims[i].hi = hi;
            }
        }
    }
}

void ir_map_stmt(struct ir_unit *u, ir_stmt s, ir_expr (*fn)(void *user, ir_expr e), void *user) {
    map_stmt_exprs(&(struct mapping){.u = u, .fn = fn, .user = user}, s);
}

static void map_block(const struct mapping *m, ir_stmt block) {
    for (ir_stmt s = block; s; s = m->u->stmts[s].next) {
        map_stmt_exprs(m, s);
        ir_stmt inner[2];
        uint32_t n = ir_blocks_of(&m->u->stmts[s], inner);
        for (uint32_t i = 0; i < n; i++)
            map_block(m, inner[i]);
    }
}

void ir_map_block(struct ir_unit *u, ir_stmt block, ir_expr (*fn)(void *user, ir_expr e), void *user) {
    map_block(&(struct mapping){.u = u, .fn = fn, .user = user}, block);
}

void ir_exchange_block(struct ir_unit *u, ir_stmt block, ir_expr (*instead)(void *user, ir_expr e), void *user) {
    map_block(&(struct mapping){.u = u, .instead = instead, .user = user}, block);
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

static uint32_t rename_reductions(const struct renaming *r, uint32_t first, uint32_t n) {
    uint32_t copies = r->u->reduction_count;
    for (uint32_t i = 0; i < n; i++) {
        struct ir_reduction reduction = r->u->reductions[first + i];
        reduction.var = rename_var(r, reduction.var);
        ir_add_reductions(r->u, &reduction, 1);
    }
    return copies;
}

static uint32_t rename_dims(const struct renaming *r, uint32_t first, uint32_t n) {
    uint32_t copies = r->u->dim_count;
    for (uint32_t i = 0; i < n; i++) {
        struct ir_dim dim = r->u->dims[first + i];
        dim.var = rename_var(r, dim.var);
        ir_add_dims(r->u, &dim, 1);
    }
    return copies;
}

static ir_stmt clone_list(struct renaming *r, ir_stmt block);

// What stands in a copy instead of an operand: its own list, child block or name. Expressions come afterwards.
static uint32_t rename_operand(struct renaming *r, uint8_t role, uint32_t value, uint32_t n) {
    switch (role) {
    case IR_ROLE_VAR_WRITTEN:
    case IR_ROLE_VAR_UPDATED:
    case IR_ROLE_VAR_NAMED: return rename_var(r, value);
    case IR_ROLE_ARRAY_READ:
    case IR_ROLE_ARRAY_WRITTEN:
    case IR_ROLE_ARRAY_UPDATED:
    case IR_ROLE_ARRAY_NAMED: return rename_array(r, value);
    case IR_ROLE_INDICES: return ir_add_args(r->u, &r->u->args[value], n);
    case IR_ROLE_DIMS: return rename_dims(r, value, n);
    case IR_ROLE_REDUCTIONS: return n ? rename_reductions(r, value, n) : 0;
    case IR_ROLE_BLOCK: return clone_list(r, value);
    default: return value;
    }
}

static void rename_stmt(struct renaming *r, ir_stmt s) {
    struct ir_stmt_node stmt = r->u->stmts[s];
    for (const struct ir_operand *o = ir_stmts[stmt.kind].operands; o->role; o++) {
        uint32_t n = o->count_at ? ir_operand_of(&stmt, o->count_at) : 1;
        *ir_operand(&stmt, o->at) = rename_operand(r, o->role, ir_operand_of(&stmt, o->at), n);
    }
    r->u->stmts[s] = stmt;
    if (r->vars || r->arrays) map_stmt_exprs(&(struct mapping){.u = r->u, .fn = rename_leaf, .user = r}, s);
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
