// How many passes a loop can make by what it indexes: its counter is an index of an array in each of them, and an index
// beyond the array's size has no meaning in C. So more passes than that need not be made, whatever the loop's end is.
// Nor need more iterations of a parallel loop.
#include "pass/passes.h"

struct walk {
    const struct ir_unit *u;
    ir_var counter;
    bool from_0;   // it is never below 0: an index may add to it, as x[i + 3] leaves three passes less
    uint32_t most; // the least size so far; 0: none
};

static void look_at(struct walk *w, ir_array a, uint32_t first, uint32_t n) {
    const struct ir_unit *u = w->u;
    for (uint32_t d = 0; d < n; d++) {
        ir_expr index = u->args[first + d];
        uint32_t size, more = 0;
        if (w->from_0 && u->nodes[index].op == IR_ADD && ir_is_const(u, u->nodes[index].b, &more))
            index = u->nodes[index].a;
        if (!pass_is_var(u, index, w->counter) || !ir_is_const(u, u->arrays[a].dims[d], &size)) continue;
        size = more <= INT32_MAX && size > more ? size - more : 0;
        if (size && size <= INT32_MAX && (!w->most || size < w->most)) w->most = size;
    }
}

// Loads that are made whenever the expression is.
static bool on_node(void *user, ir_expr e) {
    struct walk *w = user;
    const struct ir_node *n = &w->u->nodes[e];
    if (n->op == IR_LOAD) look_at(w, n->a, n->b, n->n);
    if (n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR) {
        ir_walk_expr(w->u, n->a, on_node, w);
        return false;
    }
    return true;
}

// What each pass surely comes to: nothing behind what may leave it.
static void walk_block(struct walk *w, ir_stmt block) {
    const struct ir_unit *u = w->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t trips;
        if (n->kind == IR_ASSIGN) ir_walk_expr(u, n->assign.value, on_node, w);
        if (n->kind == IR_IF) ir_walk_expr(u, n->branch.cond, on_node, w);
        if (n->kind == IR_STORE) {
            look_at(w, n->store.array, n->store.indices, n->store.index_count);
            ir_walk_expr(u, n->store.value, on_node, w);
        }
        if (n->kind == IR_FOR && ir_const_trips(u, s, &trips) && trips && !pass_leaves_loop(u, n->counted.body))
            walk_block(w, n->counted.body);
        if (pass_may_leave(u, s)) return;
    }
}

static uint32_t most_indexed(const struct ir_unit *u, ir_stmt block, ir_var counter, bool from_0) {
    struct walk w = {.u = u, .counter = counter, .from_0 = from_0};
    walk_block(&w, block);
    return w.most;
}

uint32_t pass_most_indexed(const struct ir_unit *u, ir_stmt block, ir_var counter) {
    return most_indexed(u, block, counter, false);
}
uint32_t pass_most_from_0(const struct ir_unit *u, ir_stmt block, ir_var counter) {
    return most_indexed(u, block, counter, true);
}

uint32_t pass_most_walked(const struct ir_unit *u, ir_stmt loop) {
    const struct ir_stmt_node *n = &u->stmts[loop];
    uint32_t lo;
    if (n->counted.step != 1 || !ir_is_const(u, n->counted.lo, &lo) || lo != 0 || pass_leaves_loop(u, n->counted.body))
        return 0;
    return pass_most_from_0(u, n->counted.body, n->counted.var);
}

// ---- passes that can be felt ----------------------------------------------------------------------------------------

struct felt {
    const struct ir_unit *u;
    ir_var counter;
    bool known; // every statement that can be felt so far is in a pass below `most`
    uint32_t most;
};

// A store behind the end of a dimension has no meaning, so passes from there on come to none.
static void feel(struct felt *f, ir_array a, uint32_t first, uint32_t n) {
    struct walk w = {.u = f->u, .counter = f->counter, .from_0 = true};
    look_at(&w, a, first, n);
    f->known &= w.most != 0;
    f->most = w.most > f->most ? w.most : f->most;
}
static bool feel_stmt(void *user, ir_stmt s) {
    struct felt *f = user;
    const struct ir_stmt_node *n = &f->u->stmts[s];
    switch (n->kind) {
    case IR_STORE: feel(f, n->store.array, n->store.indices, n->store.index_count); break;
    case IR_ATOMIC: feel(f, n->atomic.array, n->atomic.indices, n->atomic.index_count); break;
    case IR_ASSIGN:
    case IR_IF:
    case IR_FOR:
    case IR_CONTINUE: break;
    default: f->known = false; // it may go on for ever, or tell others
    }
    return f->known;
}

// Variables that the body assigns are of one pass.
static bool keeps_nothing(struct ir_unit *u, ir_stmt body) {
    struct base_scratch scratch = base_scratch_begin(u->cx); // sets of all variables
    struct ir_effects fx = ir_effects_of(u, body);
    uint32_t *exposed = pass_exposed(u, body), *all = base_alloc_array(u->cx, u->var_count, sizeof *all),
             *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, u->root, all);
    pass_count_reads(u, body, inside);
    bool nothing = true;
    for (ir_var v = 1; v < u->var_count && nothing; v++)
        nothing = !ir_bit(fx.vars_written, v) || (!ir_bit(exposed, v) && all[v] == inside[v]);
    base_scratch_end(u->cx, &scratch);
    return nothing;
}

uint32_t pass_most_felt(struct ir_unit *u, ir_stmt loop) {
    const struct ir_stmt_node *n = &u->stmts[loop];
    struct felt f = {.u = u, .counter = n->counted.var, .known = true};
    if (pass_leaves_loop(u, n->counted.body)) return 0;
    ir_walk_stmts(u, n->counted.body, feel_stmt, &f);
    return f.known && f.most && keeps_nothing(u, n->counted.body) ? f.most : 0;
}

uint32_t pass_most_of_dim(const struct ir_unit *u, ir_stmt parfor, uint32_t d) {
    const struct ir_dim *dim = &u->dims[u->stmts[parfor].parfor.dims + d];
    uint32_t lo, hi;
    if (ir_is_const(u, dim->hi, &hi) || dim->step != 1 || !ir_is_const(u, dim->lo, &lo) || lo != 0) return 0;
    return pass_most_from_0(u, u->stmts[parfor].parfor.body, dim->var);
}
