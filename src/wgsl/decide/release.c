// What may still be on its way to memory when a workgroup arrives at a barrier across the grid. A store is sent off and
// not waited for, and so is the arrival; what orders them is that both take about as long. That holds while memory is
// quiet. Behind a burst of stores, and beside loads that all workgroups ask for at once, a store may take longer than
// the barrier does (docs/memory-model.md, A3): then it must be waited for before the arrival.
#include "wgsl/decide/kernel.h"

struct walk {
    const struct wgsl_kernel *k;
    ir_expr *definition;       // by variable, as of ir_step
    uint64_t *at;              // by barrier
    uint64_t sent;             // since the last barrier, on the way that sends most
    uint64_t broke, continued; // the most at a BREAK and at a CONTINUE of the innermost loop
};

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t product(uint64_t a, uint64_t b) { return b && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

// Of a FOR or a PARFOR; UINT64_MAX: nobody knows.
static uint64_t trips_of(const struct wgsl_kernel *k, ir_stmt s) {
    uint64_t trips;
    bool known = k->u->stmts[s].kind == IR_FOR ? ir_const_trips(k->u, s, &trips) : ir_const_iterations(k->u, s, &trips);
    return known ? trips : UINT64_MAX;
}

// A store of one word, in units of itself where neighbours store neighbouring words: they go together.
static uint64_t traffic(const struct walk *w, ir_array array, uint32_t indices, uint32_t count, ir_var inner) {
    const struct wgsl_kernel *k = w->k;
    int64_t step;
    if (!ir_in_buffer(k->u, array)) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (!ir_step(k->u, k->u->args[indices + i], inner, w->definition, &step) || step != (i + 1 == count))
            return WGSL_SECTOR_WORDS;
    return 1;
}

// A STORE of the PARFOR, by one lane of an iteration or by each.
static uint64_t sent_to(const struct walk *w, const struct ir_stmt_node *parfor, const struct ir_stmt_node *n,
                        ir_var inner) {
    bool each = n->flags & IR_FLAG_OWN && parfor->parfor.lane_var;
    uint64_t words =
        traffic(w, n->store.array, n->store.indices, n->store.index_count, each ? parfor->parfor.lane_var : inner);
    return product(words, each ? parfor->parfor.lanes : 1);
}

// What one iteration sends to memory, at most. `inner` is the variable that tells neighbouring iterations apart.
static uint64_t stored(const struct walk *w, const struct ir_stmt_node *parfor, ir_stmt block, ir_var inner) {
    const struct wgsl_kernel *k = w->k;
    uint64_t sent = 0;
    for (ir_stmt s = block; s; s = k->u->stmts[s].next) {
        const struct ir_stmt_node *n = &k->u->stmts[s];
        switch (n->kind) {
        case IR_STORE: sent = sum(sent, sent_to(w, parfor, n, inner)); break;
        case IR_ATOMIC:
            sent = sum(sent, traffic(w, n->atomic.array, n->atomic.indices, n->atomic.index_count, inner));
            break;
        case IR_TURN: // whole rows of all lanes
            if (ir_in_buffer(k->u, n->turn.to)) sent = sum(sent, ir_box_words(k->u, n->turn.from));
            break;
        case IR_IF:
            sent = sum(sent, larger(stored(w, parfor, n->branch.then_block, inner),
                                    stored(w, parfor, n->branch.else_block, inner)));
            break;
        case IR_FOR: sent = sum(sent, product(trips_of(k, s), stored(w, parfor, n->counted.body, inner))); break;
        case IR_LOOP:
            if (stored(w, parfor, n->loop.body, inner) || stored(w, parfor, n->loop.continuing, inner))
                return UINT64_MAX;
            break;
        default: break;
        }
    }
    return sent;
}

static uint64_t sent_by(const struct walk *w, ir_stmt parfor) {
    const struct wgsl_kernel *k = w->k;
    const struct ir_stmt_node *n = &k->u->stmts[parfor];
    const struct ir_dim *inner = &k->u->dims[n->parfor.dims + n->parfor.dim_count - 1];
    bool neighbours = inner->step == 1 && !(n->flags & IR_FLAG_LANES);
    return product(trips_of(k, parfor), stored(w, n, n->parfor.body, neighbours ? inner->var : 0));
}

static void walk_block(struct walk *w, ir_stmt block);

// Its body may come after itself.
static void walk_loop(struct walk *w, ir_stmt body, ir_stmt continuing) {
    uint64_t before = w->sent, broke = w->broke, continued = w->continued;
    w->broke = w->continued = 0;
    for (int pass = 0; pass < 2; pass++) {
        walk_block(w, body);
        w->sent = larger(w->sent, w->continued);
        walk_block(w, continuing);
        w->sent = larger(w->sent, before);
    }
    w->sent = larger(w->sent, w->broke);
    w->broke = broke;
    w->continued = continued;
}

static void walk_block(struct walk *w, ir_stmt block) {
    for (ir_stmt s = block; s; s = w->k->u->stmts[s].next) {
        const struct ir_stmt_node *n = &w->k->u->stmts[s];
        uint64_t before = w->sent;
        switch (n->kind) {
        case IR_BARRIER:
            w->at[s] = larger(w->at[s], w->sent);
            w->sent = 0;
            break;
        // One invocation makes the sequential code, and what it alone sends is little: that there is something counts.
        case IR_STORE:
        case IR_ATOMIC: w->sent = sum(w->sent, 1); break;
        case IR_PARFOR: w->sent = sum(w->sent, sent_by(w, s)); break;
        case IR_IF:
            walk_block(w, n->branch.then_block);
            uint64_t after = w->sent;
            w->sent = before;
            walk_block(w, n->branch.else_block);
            w->sent = larger(w->sent, after);
            break;
        case IR_FOR: walk_loop(w, n->counted.body, 0); break;
        case IR_LOOP: walk_loop(w, n->loop.body, n->loop.continuing); break;
        case IR_BREAK: w->broke = larger(w->broke, w->sent); break;
        case IR_CONTINUE: w->continued = larger(w->continued, w->sent); break;
        default: break;
        }
    }
}

static bool on_assign(void *user, ir_stmt s) {
    struct walk *w = user;
    const struct ir_stmt_node *n = &w->k->u->stmts[s];
    ir_var v = ir_written_var(n);
    if (v) w->definition[v] = n->kind == IR_ASSIGN && w->k->uses.vars[v].writes == 1 ? n->assign.value : 0;
    return true;
}

const uint64_t *wgsl_count_sent(const struct wgsl_kernel *k) {
    struct walk w = {.k = k, .at = base_alloc_array(k->cx, k->u->stmt_count + 1, sizeof *w.at)};
    if (!k->in->grid) return w.at;
    w.definition = base_alloc_array(k->cx, k->u->var_count, sizeof *w.definition);
    ir_walk_stmts(k->u, k->body, on_assign, &w);
    walk_block(&w, k->body);
    return w.at;
}
