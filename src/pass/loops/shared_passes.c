#include "pass/loops/shared_passes.h"

#include "ir/eval.h"
#include "pass/passes.h"

bool pass_is_place(const struct ir_unit *u, ir_var var, ir_expr e) {
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_I2U || n->op == IR_U2I) return pass_is_place(u, var, n->a);
    return n->op == IR_VAR && n->a == var;
}

// ---- variables that hold the loop's variable ------------------------------------------------------------------------

struct parts {
    const struct ir_unit *u;
    bool *taken; // by variable: a part of it is taken
};
static bool takes_part(const struct ir_node *n) {
    return n->op == IR_SHR || n->op == IR_DIV || n->op == IR_REM || n->op == IR_AND;
}
static bool on_part(void *user, ir_expr e) {
    struct parts *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t bits;
    if (takes_part(n) && x->u->nodes[n->a].op == IR_VAR && ir_is_const(x->u, n->b, &bits))
        x->taken[x->u->nodes[n->a].a] = true;
    return true;
}

struct assignments {
    const struct ir_unit *u;
    uint32_t *count; // by variable
};
static bool on_assignment(void *user, ir_stmt s) {
    struct assignments *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->count[ir_written_var(n)]++;
    return true;
}

void pass_group_inline(struct ir_unit *u, ir_stmt loop) {
    ir_stmt body = u->stmts[loop].counted.body;
    ir_var var = u->stmts[loop].counted.var;
    struct parts parts = {u, base_alloc_array(u->cx, u->var_count, sizeof *parts.taken)};
    struct assignments all = {u, base_alloc_array(u->cx, u->var_count, sizeof *all.count)};
    struct ir_visitor visitor = {.on_node = on_part, .user = &parts};
    ir_walk_block(u, body, &visitor);
    visitor = (struct ir_visitor){.on_stmt = on_assignment, .user = &all};
    ir_walk_block(u, body, &visitor);
    uint32_t *exposed = pass_exposed(u, body);
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN && parts.taken[n.assign.var] && all.count[n.assign.var] == 1 &&
            !ir_bit(exposed, n.assign.var) && u->vars[n.assign.var].klass == IR_VAR_LOCAL &&
            pass_is_place(u, var, n.assign.value))
            pass_substitute(u, body, n.assign.var, n.assign.value);
    }
}

// ---- what is the same -----------------------------------------------------------------------------------------------

struct finder {
    struct pass_group *g;
    struct ir_effects body;
    bool found; // the expression varies
    bool changed;
};

// All passes of a group have the same value of it.
static bool is_common(const struct pass_group *g, const struct ir_node *n) {
    uint32_t bits;
    if (!takes_part(n) || !pass_is_place(g->u, g->var, n->a) || !ir_is_const(g->u, n->b, &bits)) return false;
    if (n->op == IR_SHR) return bits < 32 && (1u << bits) % g->size == 0;
    if (n->op == IR_DIV) return bits && bits <= INT32_MAX && bits % g->size == 0;
    return n->op == IR_AND && bits % g->size == 0;
}

static bool on_node(void *user, ir_expr e) {
    struct finder *f = user;
    const struct pass_group *g = f->g;
    const struct ir_node *n = &g->u->nodes[e];
    if (is_common(g, n)) return false;
    if (n->op == IR_VAR) f->found |= n->a == g->var || g->varies[n->a];
    if (n->op == IR_LOAD) f->found |= ir_bit(f->body.arrays_written, n->a);
    return true;
}

static bool varies(struct finder *f, ir_expr e) {
    f->found = false;
    ir_walk_expr(f->g->u, e, on_node, f);
    return f->found;
}

static void mark(struct finder *f, ir_var v) {
    f->changed |= !f->g->varies[v];
    f->g->varies[v] = true;
}

static bool has_jump(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_BREAK || n->kind == IR_CONTINUE) return true;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t k = 0; k < blocks; k++)
            if (has_jump(u, inner[k])) return true;
    }
    return false;
}

// `under`: whether, or how often, the block runs may differ.
static void look_at(struct finder *f, ir_stmt block, bool under) {
    const struct ir_unit *u = f->g->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        bool inside = under;
        switch (n->kind) {
        case IR_ASSIGN:
            if (under || varies(f, n->assign.value)) mark(f, n->assign.var);
            break;
        case IR_IF:
            inside |= varies(f, n->branch.cond);
            look_at(f, n->branch.then_block, inside);
            look_at(f, n->branch.else_block, inside);
            break;
        case IR_FOR:
            inside |= varies(f, n->counted.lo) || varies(f, n->counted.hi) || has_jump(u, n->counted.body);
            if (inside) mark(f, n->counted.var);
            look_at(f, n->counted.body, inside);
            break;
        case IR_LOOP:
            inside |= (n->loop.cond && varies(f, n->loop.cond)) || has_jump(u, n->loop.body);
            look_at(f, n->loop.body, inside);
            look_at(f, n->loop.continuing, inside);
            break;
        case IR_ATOMIC:
            if (n->atomic.old) mark(f, n->atomic.old);
            break;
        case IR_AGREE:
        case IR_NEIGHBOUR: mark(f, ir_written_var(n)); break;
        default: break;
        }
    }
}

static bool writes_arrays(const struct ir_effects *fx) {
    for (uint32_t i = 0; i < fx->array_words; i++)
        if (fx->arrays_written[i]) return true;
    return false;
}

// By statement at the top of the body, whether all that it writes is the same in each pass.
static void find_same(const struct pass_group *g, ir_stmt body) {
    const struct ir_unit *u = g->u;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        uint8_t kind = u->stmts[s].kind;
        struct ir_effects fx = ir_effects_of_one(g->u, s);
        g->same[s] = (kind == IR_ASSIGN || kind == IR_IF || kind == IR_FOR || kind == IR_LOOP) && !writes_arrays(&fx);
        for (uint32_t i = 0; i < fx.var_words * 32 && g->same[s]; i++)
            if (ir_bit(fx.vars_written, i) && g->varies[i]) g->same[s] = false;
    }
}

// Each pass does what is not the same, and so has its own of all that this writes. What is done once leaves the last
// values of its variables: they are of no use to the other passes where these read earlier ones.
static void leave_to_passes(struct finder *f, ir_stmt body) {
    const struct pass_group *g = f->g;
    struct ir_unit *u = g->u;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        if (g->same[s]) continue;
        struct ir_effects own = ir_effects_of_one(u, s), later = ir_effects_of(u, u->stmts[s].next);
        for (uint32_t v = 1; v < u->var_count; v++)
            if (ir_bit(own.vars_written, v) || (ir_bit(own.vars_read, v) && ir_bit(later.vars_written, v))) mark(f, v);
    }
}

struct pass_group pass_group_of(struct ir_unit *u, ir_stmt loop, uint32_t size, const uint32_t *exposed) {
    const struct ir_stmt_node n = u->stmts[loop];
    struct pass_group g = {.u = u, .var = n.counted.var, .size = size};
    g.same = base_alloc_array(u->cx, u->stmt_count, sizeof *g.same);
    g.varies = base_alloc_array(u->cx, u->var_count, sizeof *g.varies);
    struct finder f = {.g = &g, .body = ir_effects_of(u, n.counted.body)};
    for (ir_var v = 1; v < u->var_count; v++)
        g.varies[v] = ir_bit(f.body.vars_written, v) && (ir_bit(exposed, v) || u->vars[v].klass != IR_VAR_LOCAL);
    do {
        f.changed = false;
        look_at(&f, n.counted.body, has_jump(u, n.counted.body));
        find_same(&g, n.counted.body);
        leave_to_passes(&f, n.counted.body);
    } while (f.changed);
    return g;
}

// ---- parts ----------------------------------------------------------------------------------------------------------

struct part_of_pass {
    const struct pass_group *g;
    uint32_t pass;
};

// What a known part makes known: whole numbers from whole numbers.
static ir_expr known_result(struct ir_unit *u, ir_expr e) {
    const struct ir_node n = u->nodes[e];
    uint32_t arity = ir_ops[n.op].arity, a = 0, b = 0, out;
    bool whole = (n.type == IR_I32 || n.type == IR_U32) && arity > 0 && arity < 3 && ir_is_const(u, n.a, &a) &&
                 (arity < 2 || ir_is_const(u, n.b, &b));
    if (!whole || u->nodes[n.a].type == IR_F32 || ((n.op == IR_SHL || n.op == IR_SHR) && b >= 32) ||
        !ir_eval_op((enum ir_op)n.op, (enum ir_type)u->nodes[n.a].type, a, b, 0, &out))
        return e;
    return ir_const(u, (enum ir_type)n.type, out);
}

static ir_expr known_part(void *user, ir_expr e) {
    const struct part_of_pass *x = user;
    const struct pass_group *g = x->g;
    const struct ir_node n = g->u->nodes[e];
    uint32_t bits;
    if ((n.op != IR_REM && n.op != IR_AND) || !pass_is_place(g->u, g->var, n.a) || !ir_is_const(g->u, n.b, &bits))
        return known_result(g->u, e);
    uint32_t m = n.op == IR_AND ? bits + 1 : bits;
    if (m == 0 || m > g->size || g->size % m) return e;
    return ir_const(g->u, (enum ir_type)n.type, x->pass & (m - 1));
}

void pass_group_parts(const struct pass_group *g, ir_stmt copy, uint32_t pass) {
    struct part_of_pass x = {g, pass};
    ir_map_block(g->u, copy, known_part, &x);
}

// ---- shares ---------------------------------------------------------------------------------------------------------

uint32_t pass_share_of(const struct ir_unit *u, const struct ir_node *n) {
    uint32_t by = 0;
    if ((n->op != IR_DIV && n->op != IR_SHR) || !ir_is_const(u, n->b, &by)) return 0;
    if (n->op == IR_SHR) by = by < 31 ? 1u << by : 0;
    return by <= INT32_MAX && (by & (by - 1)) == 0 ? by : 0;
}

struct shares {
    struct ir_unit *u;
    ir_expr place;
    ir_var var;
    uint32_t times, constant; // place: var * times + constant
};
static ir_expr without_division(void *user, ir_expr e) {
    const struct shares *x = user;
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    uint32_t by = pass_share_of(u, &n);
    bool converted = by && (u->nodes[n.a].op == IR_I2U || u->nodes[n.a].op == IR_U2I);
    if (!by || !ir_same_expr(u, converted ? u->nodes[n.a].a : n.a, x->place)) return e;
    enum ir_type type = (enum ir_type)n.type;
    ir_expr at = ir_var_read(u, x->var, n.loc);
    if (converted) at = ir_op1(u, (enum ir_op)u->nodes[n.a].op, at, n.loc);
    uint32_t common = by < x->times ? by : x->times, constant = x->constant / common;
    if (x->times > common) at = ir_op2(u, IR_MUL, at, ir_const(u, type, x->times / common), n.loc);
    if (constant) at = ir_op2(u, IR_ADD, at, ir_const(u, type, constant), n.loc);
    return by > common ? ir_op2(u, IR_DIV, at, ir_const(u, type, by / common), n.loc) : at;
}

void pass_divide_place(struct ir_unit *u, ir_stmt block, ir_expr place, ir_var var, uint32_t times, uint32_t constant) {
    struct shares x = {u, place, var, times, constant};
    if (times & (times - 1)) return;
    ir_map_block(u, block, without_division, &x);
}
