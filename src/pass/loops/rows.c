// Accesses along rows that every pass of a loop makes (widen.h).
#include "pass/loops/widen.h"
#include "pass/passes.h"

struct index_use {
    const struct pass_widener *x;
    bool varies, iteration; // in the loop; with the iteration
};
static bool on_index(void *user, ir_expr e) {
    struct index_use *use = user;
    const struct ir_unit *u = use->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) use->varies |= ir_bit(use->x->body.arrays_written, n->a);
    if (n->op == IR_LOAD) use->iteration = true;
    if (n->op != IR_VAR) return true;
    use->varies |= n->a == use->x->var || ir_bit(use->x->body.vars_written, n->a);
    bool counts = use->x->counts && n->a < use->x->counts_cap && use->x->counts[n->a];
    use->iteration |= u->vars[n->a].klass == IR_VAR_DIM || (u->vars[n->a].klass == IR_VAR_LOCAL && !counts);
    return true;
}

// Passes side by side that have the same index: it is the loop's variable, or that over a power of two. The variable is
// at least 0 where lanes share the loop. 0: neither.
static uint32_t each_of(const struct pass_widener *x, ir_expr index) {
    const struct ir_node *n = &x->u->nodes[index];
    if (n->op == IR_VAR) return n->a == x->var;
    uint32_t by = x->serial ? 0 : pass_share_of(x->u, n);
    return by && pass_is_place(x->u, x->var, n->a) ? by : 0;
}

// each: passes side by side that have the same element.
// each: how many passes side by side have the same element.
static bool is_row(const struct pass_widener *x, ir_array a, uint32_t first, uint32_t n, bool *common, uint32_t *each) {
    const struct ir_unit *u = x->u;
    uint32_t length;
    if (n == 0 || u->arrays[a].klass == IR_ARRAY_LOCAL || !ir_is_const(u, u->arrays[a].dims[n - 1], &length) ||
        (x->again && x->again[a]))
        return false;
    *each = each_of(x, u->args[first + n - 1]);
    struct index_use use = {x, false, false};
    for (uint32_t i = 0; i + 1 < n; i++)
        ir_walk_expr(u, u->args[first + i], on_index, &use);
    *common = !use.iteration;
    return *each && !use.varies;
}

static void add_row(struct pass_widener *x, ir_expr load, ir_stmt store, ir_array a, bool common, uint32_t each) {
    for (uint32_t i = 0; load && i < x->count; i++)
        if (x->rows[i].load && ir_same_expr(x->u, x->rows[i].load, load)) return;
    if (x->count < PASS_WIDE_MOST_ROWS)
        x->rows[x->count++] =
            (struct pass_row){.load = load, .store = store, .array = a, .common = common, .each = each};
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// The same in all passes.
static bool is_fixed(const struct pass_widener *x, ir_expr e) {
    struct index_use use = {x, false, false};
    ir_walk_expr(x->u, e, on_index, &use);
    return !use.varies;
}

// A row of one array or another, the same in all passes: where a program swaps arrays.
static bool is_choice(const struct pass_widener *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    bool common;
    uint32_t each;
    if (n->op == IR_LOAD) return is_row(x, n->a, n->b, n->n, &common, &each);
    return n->op == IR_SELECT && is_fixed(x, n->a) && is_choice(x, n->b) && is_choice(x, n->c);
}

// Loads that are executed whenever the expression is.
static bool on_load(void *user, ir_expr e) {
    struct pass_widener *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    bool common;
    uint32_t each;
    if (x->serial && n->op == IR_SELECT && is_choice(x, e)) {
        add_row(x, e, 0, 0, false, 1);
        return false;
    }
    if (n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR) { // the rest may not be reached
        ir_walk_expr(x->u, n->a, on_load, x);
        return false;
    }
    if (n->op == IR_LOAD && is_row(x, n->a, n->b, n->n, &common, &each)) add_row(x, e, 0, n->a, common, each);
    return true;
}

// ---- stores ---------------------------------------------------------------------------------------------------------

static uint32_t stores_to(const struct ir_unit *u, ir_stmt block, ir_array a) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        count += ir_write_of(n).array == a;
        for (uint32_t k = 0; k < blocks; k++)
            count += stores_to(u, inner[k], a);
    }
    return count;
}

// Branches that only store, along rows, what they may as well store at the end of the pass: constants and variables
// that stay.
static bool only_stores(const struct pass_widener *x, ir_stmt branch, const struct ir_effects *later) {
    const struct ir_unit *u = x->u;
    bool common;
    uint32_t each;
    for (ir_stmt s = branch; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_STORE || !is_row(x, n->store.array, n->store.indices, n->store.index_count, &common, &each) ||
            each != 1 || stores_to(u, u->stmts[x->loop].counted.body, n->store.array) != 1)
            return false;
        const struct ir_node *value = &u->nodes[n->store.value];
        if (value->op != IR_CONST && (value->op != IR_VAR || ir_bit(later->vars_written, value->a))) return false;
    }
    return true;
}

static bool may_be_late(const struct pass_widener *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    struct ir_effects later = ir_effects_of(x->u, n->next);
    return is_fixed(x, n->branch.cond) && only_stores(x, n->branch.then_block, &later) &&
           only_stores(x, n->branch.else_block, &later);
}

void pass_find_rows(struct pass_widener *x) {
    const struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[x->loop].counted.body;
    bool common;
    uint32_t each;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN) ir_walk_expr(u, n.assign.value, on_load, x);
        if (n.kind == IR_IF) ir_walk_expr(u, n.branch.cond, on_load, x);
        if (n.kind == IR_IF && x->serial && may_be_late(x, s)) add_row(x, 0, s, 0, false, 1);
        if (n.kind != IR_STORE) continue;
        ir_walk_expr(u, n.store.value, on_load, x);
        if (is_row(x, n.store.array, n.store.indices, n.store.index_count, &common, &each) && each == 1 &&
            stores_to(u, body, n.store.array) == 1)
            add_row(x, 0, s, n.store.array, common, 1);
    }
}
