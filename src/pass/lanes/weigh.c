// What an iteration costs on so many lanes, beside what it costs on one. All is in passes of a loop, a guess.
//
// A device has idle invocations as long as few are wanted: then an iteration takes as long as one of its lanes, and the
// lanes wait where they meet. Beyond that it takes as long as all of the lanes, and who waits for others waits while
// somebody else runs.
#include "pass/lanes/weigh.h"

#include "pass/cost.h"
#include "pass/passes.h"

struct weight {
    double passes, begins; // of loops; of loops that lanes share
};

struct row {
    const struct ir_unit *u;
    ir_var counter;
    bool found;
    uint32_t loads;
};
static bool on_load(void *user, ir_expr e) {
    struct row *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || n->n < 2 || !ir_in_buffer(x->u, n->a) || x->u->arrays[n->a].expanded) return true;
    const struct ir_node *last = &x->u->nodes[x->u->args[n->b + n->n - 1]];
    x->found |= last->op == IR_VAR && last->a == x->counter;
    return true;
}

// A pass of a loop along rows asks memory for a word of a sector; neighbouring lanes share what one of them asks for.
static double words_of_pass(const struct ir_unit *u, ir_stmt s) {
    struct row row = {.u = u, .counter = u->stmts[s].counted.var};
    struct ir_visitor v = {.on_node = on_load, .user = &row};
    ir_walk_block(u, u->stmts[s].counted.body, &v);
    return row.found ? PASS_SECTOR_WORDS : 1;
}

static bool on_any_load(void *user, ir_expr e) {
    struct row *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->loads += n->op == IR_LOAD && ir_in_buffer(x->u, n->a) && !x->u->arrays[n->a].expanded;
    return true;
}

// Of a statement that is no loop and no branch, or of a branch's condition: what asks memory is as long as a pass.
static double weigh_plain(const struct ir_unit *u, ir_stmt s) {
    struct row row = {.u = u};
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_ASSIGN) ir_walk_expr(u, n->assign.value, on_any_load, &row);
    if (n->kind == IR_STORE) ir_walk_expr(u, n->store.value, on_any_load, &row);
    if (n->kind == IR_IF) ir_walk_expr(u, n->branch.cond, on_any_load, &row);
    return row.loads + 1.0 / PASS_LANES_STATEMENTS;
}

static void add(struct weight *io, const struct weight *more, double times) {
    io->passes += times * more->passes;
    io->begins += times * more->begins;
}

static struct weight weigh_block(const struct ir_unit *u, ir_stmt block, uint32_t lanes, const uint64_t *taken) {
    struct weight sum = {0};
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t trips = 0;
        if (n->kind != IR_LOOP && n->kind != IR_FOR) sum.passes += weigh_plain(u, s);
        if (n->kind == IR_IF) {
            struct weight a = weigh_block(u, n->branch.then_block, lanes, taken),
                          b = weigh_block(u, n->branch.else_block, lanes, taken);
            add(&sum, &a, 0.5); // either way half of the time
            add(&sum, &b, 0.5);
        } else if (n->kind == IR_LOOP || n->kind == IR_FOR) {
            struct weight inner = weigh_block(u, ir_body_of(n), lanes, taken);
            bool shared = n->kind == IR_FOR && n->flags & IR_FLAG_FREE && lanes > 1;
            if (n->kind == IR_LOOP && n->flags & IR_FLAG_LONGEST && n->loop.taken)
                trips = n->loop.taken;
            else if (n->kind == IR_LOOP || !ir_const_trips(u, s, &trips))
                trips = taken && taken[s] ? taken[s] : PASS_UNKNOWN_PASSES;
            if (shared) trips = (trips + lanes - 1) / lanes;
            inner.passes += n->kind == IR_FOR && !shared ? words_of_pass(u, s) : 1;
            // neighbouring invocations wait for each other's passes, but not if they are of one iteration
            bool apart = n->kind == IR_LOOP && lanes < PASS_LANES_ROW;
            add(&sum, &inner, (double)trips * (apart ? PASS_DIVERGENCE : 1));
            sum.begins += shared;
        }
    }
    return sum;
}

double pass_time_on_lanes(const struct pass_cx *p, ir_stmt body, uint64_t iterations, uint32_t lanes,
                          const uint64_t *taken) {
    struct weight w = weigh_block(p->u, body, lanes, taken);
    double rounds = (double)iterations * lanes / p->target->busy_invocations;
    double alone = w.passes + PASS_SHARE_BEGIN * w.begins, all = (w.passes + PASS_SHARE_BEGIN_BUSY * w.begins) * rounds;
    return alone > all ? alone : all;
}
