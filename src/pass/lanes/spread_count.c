// How many lanes should run an iteration? Lanes share the passes of some loops and repeat all the rest, so each has
// less to do, and all of them together more. As long as the device has invocations to spare, an iteration takes as long
// as one of its lanes; beyond that, as long as all of them. And what a lane has to keep over a time loop should fit its
// registers: the words of a shared loop are dealt out too.
//
// Costs are guesses in instructions, and are only compared with each other.
#include "pass/cost.h"
#include "pass/lanes/spread.h"

struct weight {
    const struct spread *x;
    uint32_t lanes;
    double cost;  // of what is being walked
    double words; // kept over the outermost loop around them
    struct {
        ir_var var; // 0: a loop without one
        double trips;
    } around[PASS_SPREAD_MOST_DEPTH];
    uint32_t depth;
};

struct mention {
    const struct weight *w;
    bool kept;
    bool loops[PASS_SPREAD_MOST_DEPTH]; // whose variable the index mentions
};
static bool on_index(void *user, ir_expr e) {
    struct mention *m = user;
    const struct ir_unit *u = m->w->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) m->kept = false;
    if (n->op != IR_VAR) return m->kept;
    bool around = false;
    for (uint32_t d = 0; d < m->w->depth; d++)
        if (m->w->around[d].var == n->a) around = m->loops[d] = true;
    if (!around && u->vars[n->a].klass == IR_VAR_LOCAL) m->kept = false;
    return m->kept;
}

// A word for each element that the loops inside the outermost one come to, if that one does not choose it.
static void add_words(struct weight *w, const struct ir_node *load) {
    const struct ir_unit *u = w->x->u;
    struct mention m = {.w = w, .kept = w->depth > 0 && u->arrays[load->a].klass == IR_ARRAY_IN};
    for (uint32_t i = 0; i < load->n && m.kept; i++)
        ir_walk_expr(u, u->args[load->b + i], on_index, &m);
    if (!m.kept || m.loops[0]) return;
    double words = 1;
    for (uint32_t d = 1; d < w->depth; d++)
        if (m.loops[d]) words *= w->around[d].trips;
    w->words += words;
}

static bool on_node(void *user, ir_expr e) {
    struct weight *w = user;
    const struct ir_node *n = &w->x->u->nodes[e];
    w->cost += ir_cost(n);
    if (n->op == IR_LOAD) add_words(w, n);
    return true;
}

static void add_expr(struct weight *w, ir_expr e) {
    if (e) ir_walk_expr(w->x->u, e, on_node, w);
}

static void add_block(struct weight *w, ir_stmt block);

static const struct spread_loop *shared(const struct spread *x, ir_stmt s) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->loops[i].stmt == s) return &x->loops[i];
    return NULL;
}

static void add_loop(struct weight *w, ir_stmt s) {
    const struct ir_stmt_node *n = &w->x->u->stmts[s];
    const struct spread_loop *loop = shared(w->x, s);
    uint64_t known;
    double trips = ir_const_trips(w->x->u, s, &known) ? (double)known : PASS_UNKNOWN_TRIPS, before = w->cost;
    if (loop) trips = (double)((known + w->lanes - 1) / w->lanes);
    if (w->depth == PASS_SPREAD_MOST_DEPTH) return;
    w->around[w->depth].var = n->kind == IR_FOR ? n->counted.var : 0;
    w->around[w->depth++].trips = trips;
    w->cost = 1;
    add_block(w, ir_body_of(n));
    if (n->kind == IR_LOOP) {
        add_expr(w, n->loop.cond);
        add_block(w, n->loop.continuing);
    }
    w->depth--;
    w->cost = before + trips * w->cost;
    for (uint32_t step = w->lanes / 2; loop && step > 0; step /= 2)
        w->cost += PASS_SPREAD_EXCHANGE * loop->reduction_count;
}

static void add_block(struct weight *w, ir_stmt block) {
    const struct ir_unit *u = w->x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        switch (n->kind) {
        case IR_ASSIGN: add_expr(w, n->assign.value); break;
        case IR_STORE:
            for (uint32_t i = 0; i < n->store.index_count; i++)
                add_expr(w, u->args[n->store.indices + i]);
            add_expr(w, n->store.value);
            break;
        case IR_IF: // lanes of different iterations go both ways
            add_expr(w, n->branch.cond);
            add_block(w, n->branch.then_block);
            add_block(w, n->branch.else_block);
            break;
        case IR_FOR:
        case IR_LOOP: add_loop(w, s); break;
        default: break;
        }
    }
}

// The longest loop that is not shared: what does not fit the registers is loaded in each of its passes.
static double longest(const struct spread *x, ir_stmt block) {
    double most = 1;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        uint64_t known;
        double here = 1;
        if (n->kind == IR_IF) {
            double yes = longest(x, n->branch.then_block), no = longest(x, n->branch.else_block);
            here = yes > no ? yes : no;
        } else if ((n->kind == IR_FOR || n->kind == IR_LOOP) && !shared(x, s)) {
            here = ir_const_trips(x->u, s, &known) ? (double)known : PASS_UNKNOWN_TRIPS;
        }
        most = here > most ? here : most;
    }
    return most;
}

static double time_of(const struct spread *x, uint32_t lanes) {
    const struct plan_target *target = x->p->target;
    struct weight w = {.x = x, .lanes = lanes};
    add_block(&w, x->body);
    if (w.words > target->register_budget)
        w.cost += PASS_SPREAD_AGAIN * (w.words - target->register_budget) * longest(x, x->body);
    double busy = (double)target->busy_invocations / PASS_SPREAD_ARITHMETIC, all = (double)x->iterations * lanes;
    return w.cost * (all > busy ? all / busy : 1);
}

uint32_t pass_spread_count(const struct spread *x, double *out_part) {
    uint64_t passes = 0;
    for (uint32_t i = 0; i < x->count; i++)
        passes = x->loops[i].trips > passes ? x->loops[i].trips : passes;
    const struct plan_target *target = x->p->target;
    uint32_t best = 1, most = target->subgroup_lanes;
    *out_part = 0; // of lanes that somebody asks for
    while (most > 1 && most > passes)
        most /= 2;
    if (target->lanes) {
        while (most > 1 && most > target->lanes)
            most /= 2;
        return most;
    }
    if (x->rows) return most;
    double alone = time_of(x, 1), least = alone;
    for (uint32_t lanes = 2; lanes <= most; lanes *= 2) {
        double time = time_of(x, lanes);
        if (time > PASS_SPREAD_PERCENT / 100.0 * least) continue; // more lanes must pay
        least = time;
        best = lanes;
    }
    *out_part = least / alone;
    return best;
}
