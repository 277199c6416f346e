// Whether an array of each thread is a list. The law: whatever sets the counter, sets it to a number, or adds 1 to it
// where the element that it named is stored, too, before anything else can happen but plain assignments. So at each
// place behind a reset the elements from the largest such number to the counter were stored since.
#include "pass/analysis/leftover_list.h"

bool left_is_beside(const struct ir_unit *u, ir_expr e, ir_var *out_var, int64_t *out_c) {
    const struct ir_node n = u->nodes[e];
    uint32_t bits = 0;
    if (n.op == IR_VAR) {
        *out_var = n.a;
        *out_c = 0;
        return true;
    }
    if ((n.op != IR_ADD && n.op != IR_SUB) || !ir_is_const(u, n.b, &bits) || u->nodes[n.a].op != IR_VAR) return false;
    *out_var = u->nodes[n.a].a;
    *out_c = n.op == IR_ADD ? (int32_t)bits : -(int64_t)(int32_t)bits;
    return true;
}

static bool is_dim(const struct ir_unit *u, ir_expr e) {
    return u->nodes[e].op == IR_VAR && u->vars[u->nodes[e].a].klass == IR_VAR_DIM;
}

bool left_is_count(const struct ir_unit *u, const struct left_list *list, ir_expr e) {
    const struct ir_node n = u->nodes[e];
    if (!e) return false;
    if (list->var) return n.op == IR_VAR && n.a == list->var;
    return n.op == IR_LOAD && n.a == list->cell && n.n == 1 && is_dim(u, u->args[n.b]);
}

// The value that the statement gives the counter; 0: it gives it none.
static ir_expr counted(const struct ir_unit *u, const struct left_list *list, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (list->var) return n->kind == IR_ASSIGN && n->assign.var == list->var ? n->assign.value : 0;
    return n->kind == IR_STORE && n->store.array == list->cell ? n->store.value : 0;
}

bool left_resets(const struct ir_unit *u, const struct left_list *list, ir_stmt s) {
    ir_expr value = counted(u, list, s);
    return value && ir_is_const(u, value, NULL);
}

struct reset_query {
    const struct ir_unit *u;
    const struct left_list *list;
    bool found;
};
static bool on_reset(void *user, ir_stmt s) {
    struct reset_query *q = user;
    q->found = q->found || left_resets(q->u, q->list, s);
    return true;
}
bool left_resets_inside(const struct ir_unit *u, const struct left_list *list, ir_stmt block) {
    struct reset_query q = {u, list, false};
    ir_walk_stmts(u, block, on_reset, &q);
    return q.found;
}

struct least_query {
    const struct ir_unit *u;
    ir_var var;
    int64_t least;
    bool is;
};
static bool on_least(void *user, ir_stmt s) {
    struct least_query *q = user;
    const struct ir_stmt_node *n = &q->u->stmts[s];
    ir_var var;
    int64_t c;
    uint32_t bits;
    if (n->kind == IR_ASSIGN && n->assign.var == q->var)
        q->is = q->is && (ir_is_const(q->u, n->assign.value, &bits)
                              ? (int32_t)bits >= q->least
                              : left_is_beside(q->u, n->assign.value, &var, &c) && var == q->var && c >= 0);
    if ((n->kind == IR_FOR && n->counted.var == q->var) || (n->kind == IR_ATOMIC && n->atomic.old == q->var))
        q->is = false;
    return true;
}
bool left_counts_up(const struct ir_unit *u, ir_var var, int64_t least) {
    struct least_query q = {u, var, least, u->vars[var].klass == IR_VAR_LOCAL}; // others have a value of the caller's
    ir_walk_stmts(u, u->root, on_least, &q);
    return q.is;
}

// ---- which counter --------------------------------------------------------------------------------------------------

// The counter that an index of the list goes by: itself, or a variable that has its value.
struct search {
    const struct ir_unit *u;
    struct left_list *list;
    ir_var copy; // of the counter, if it is not the counter itself
};

static bool on_store(void *user, ir_stmt s) {
    struct search *q = user;
    const struct ir_stmt_node *n = &q->u->stmts[s];
    if (q->list->cell || q->list->var || n->kind != IR_STORE || n->store.array != q->list->array ||
        n->store.index_count != 2)
        return true;
    const struct ir_node *at = &q->u->nodes[q->u->args[n->store.indices + 1]];
    if (at->op == IR_LOAD && at->n == 1) q->list->cell = at->a;
    if (at->op == IR_VAR && q->u->vars[at->a].klass == IR_VAR_LOCAL) q->list->var = q->copy = at->a;
    return true;
}

static bool on_copy(void *user, ir_stmt s) {
    struct search *q = user;
    const struct ir_stmt_node *n = &q->u->stmts[s];
    if (!q->copy || n->kind != IR_ASSIGN || n->assign.var != q->copy) return true;
    const struct ir_node *value = &q->u->nodes[n->assign.value];
    bool is_var = value->op == IR_VAR && q->u->vars[value->a].klass == IR_VAR_LOCAL;
    bool is_cell = value->op == IR_LOAD && value->n == 1 && q->u->arrays[value->a].klass == IR_ARRAY_SCRATCH;
    if (!is_var && !is_cell) return true;
    q->list->var = is_var ? value->a : 0;
    q->list->cell = is_cell ? value->a : 0;
    q->copy = 0;
    return true;
}

// ---- the law --------------------------------------------------------------------------------------------------------

struct growth {
    const struct ir_unit *u;
    struct left_list *list;
    ir_var copy, owed; // a variable with the counter's value; with that of which the element has to be stored yet
    bool is_stored;    // the element that the counter names
};

static bool stores_at(const struct growth *g, ir_stmt s, ir_var var) {
    const struct ir_stmt_node *n = &g->u->stmts[s];
    if (n->kind != IR_STORE || n->store.array != g->list->array || !is_dim(g->u, g->u->args[n->store.indices]))
        return false;
    ir_expr index = g->u->args[n->store.indices + 1];
    if (var && g->u->nodes[index].op == IR_VAR && g->u->nodes[index].a == var) return true;
    return !g->owed && left_is_count(g->u, g->list, index);
}

// `counter = counter + 1`, or that of its copy; else it is no list.
static bool grows(struct growth *g, ir_expr value) {
    const struct ir_node n = g->u->nodes[value];
    uint32_t by = 0;
    bool is_next = n.op == IR_ADD && ir_is_const(g->u, n.b, &by) && by == 1 &&
                   (left_is_count(g->u, g->list, n.a) ||
                    (g->copy && g->u->nodes[n.a].op == IR_VAR && g->u->nodes[n.a].a == g->copy));
    if (!is_next || g->owed || (!g->is_stored && !g->copy)) return false;
    g->owed = g->is_stored ? 0 : g->copy;
    g->copy = 0;
    g->is_stored = false;
    return true;
}

static bool is_list_in(struct growth *g, ir_stmt block);

static bool is_list_at(struct growth *g, ir_stmt s) {
    const struct ir_stmt_node n = g->u->stmts[s];
    ir_expr value = counted(g->u, g->list, s);
    uint32_t bits;
    if (value && ir_is_const(g->u, value, &bits)) {
        if (g->u->nodes[value].type == IR_U32 && bits > INT32_MAX) return false; // in front of which is everything
        if ((int32_t)bits > g->list->from) g->list->from = (int32_t)bits;
        g->copy = 0;
        g->is_stored = false;
        return !g->owed;
    }
    if (value) return grows(g, value);
    if (n.kind == IR_ASSIGN) {
        if (g->owed == n.assign.var && g->owed) return false;
        if (left_is_count(g->u, g->list, n.assign.value) && !g->owed)
            g->copy = n.assign.var;
        else if (g->copy == n.assign.var)
            g->copy = 0;
        return true;
    }
    if (n.kind == IR_STORE) {
        if (g->owed && stores_at(g, s, g->owed))
            g->owed = 0;
        else if (!g->owed)
            g->is_stored = g->is_stored || stores_at(g, s, g->copy);
        return true;
    }
    if (g->owed || (n.kind == IR_ATOMIC && (n.atomic.array == g->list->cell || n.atomic.old == g->list->var)))
        return false;
    if (n.kind == IR_FOR && n.counted.var == g->list->var) return false;
    g->copy = 0;
    g->is_stored = false;
    switch (n.kind) {
    case IR_IF: return is_list_in(g, n.branch.then_block) && is_list_in(g, n.branch.else_block);
    case IR_FOR: return is_list_in(g, n.counted.body);
    case IR_LOOP: return is_list_in(g, n.loop.body) && is_list_in(g, n.loop.continuing);
    case IR_PARFOR: return is_list_in(g, n.parfor.body);
    case IR_NOP:
    case IR_BREAK:
    case IR_CONTINUE: return true;
    default: return n.kind == IR_ATOMIC;
    }
}

static bool is_list_in(struct growth *g, ir_stmt block) {
    bool is = true;
    for (ir_stmt s = block; s && is; s = g->u->stmts[s].next)
        is = is_list_at(g, s);
    is = is && !g->owed;
    g->copy = 0;
    g->is_stored = false;
    return is;
}

struct left_list left_find_list(const struct ir_unit *u, ir_array array, ir_stmt block) {
    struct left_list list = {.array = array};
    struct search q = {u, &list, 0};
    ir_walk_stmts(u, block, on_store, &q);
    if (q.copy) ir_walk_stmts(u, block, on_copy, &q);
    struct growth g = {.u = u, .list = &list};
    list.is = (list.var || list.cell) && is_list_in(&g, block);
    return list;
}
