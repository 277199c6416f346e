// The way to each parallel loop: walks the entry level with what is known of its scalars.
//
// A sequential loop around parallel ones is walked in its first passes, with its counter known, and once more with
// nothing known of what it changes, as for any later pass. Of a branch that is not known both arms are walked: a race
// there is one if the program comes there. So a parallel loop is met several times, under different values of what
// stands around it.
#include "pass/analysis/race_example.h"
#include "pass/cost.h"

static const struct pass_value unknown = {0, false};

struct walker {
    struct ir_unit *u;
    struct pass_scope *sc;
    struct witness witness;
    uint8_t *meetings; // by statement
    bool left;         // a jump was taken for sure
    uint32_t depth;
    pass_race_fn fn;
};

static void walk(struct walker *w, ir_stmt block);

// What is known there; each question has all the time that one may take.
static struct pass_value value_of(struct walker *w, ir_expr e) {
    w->witness.entry.work = 0;
    return pass_play_expr(&w->witness.entry, e);
}

static void forget(struct walker *w, ir_stmt block) { pass_play_forget(&w->witness.entry, block); }

static void set(struct walker *w, ir_var v, struct pass_value value) { pass_play_set(&w->witness.entry, v, value); }

static void walk_body(struct walker *w, ir_stmt s) {
    uint32_t mark = pass_scope_enter(w->sc);
    pass_scope_loop(w->sc, s);
    w->left = false;
    walk(w, ir_body_of(&w->u->stmts[s]));
    w->left = false;
    pass_scope_leave(w->sc, mark);
}

static void walk_loop(struct walker *w, ir_stmt s) {
    const struct ir_stmt_node n = w->u->stmts[s];
    bool is_for = n.kind == IR_FOR;
    struct pass_counter c = {0};
    w->witness.entry.work = 0;
    bool counts =
        is_for && pass_play_counter(&w->witness.entry, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, &c);
    w->depth++;
    if (!is_for && w->depth <= PASS_RACE_DEEPEST && (!n.loop.cond || value_of(w, n.loop.cond).bits)) walk_body(w, s);
    for (uint32_t pass = 0; counts && w->depth <= PASS_RACE_DEEPEST && pass < PASS_RACE_FIRST_PASSES && pass < c.trips;
         pass++) {
        set(w, n.counted.var, (struct pass_value){(uint32_t)(c.first + (int64_t)pass * n.counted.step), true});
        if (pass && pass_leaves_loop(w->u, n.counted.body)) break;
        walk_body(w, s);
    }
    forget(w, ir_body_of(&n));
    if (!is_for) forget(w, n.loop.continuing);
    if (is_for) set(w, n.counted.var, unknown);
    walk_body(w, s);
    forget(w, ir_body_of(&n));
    if (!is_for) {
        walk(w, n.loop.continuing);
        forget(w, n.loop.continuing);
    }
    w->depth--;
}

static void walk_if(struct walker *w, const struct ir_stmt_node *n) {
    struct pass_value condition = value_of(w, n->branch.cond);
    if (condition.known) {
        walk(w, condition.bits ? n->branch.then_block : n->branch.else_block);
        return;
    }
    walk(w, n->branch.then_block);
    w->left = false;
    forget(w, n->branch.then_block);
    walk(w, n->branch.else_block);
    w->left = false;
    forget(w, n->branch.else_block);
}

static void walk(struct walker *w, ir_stmt block) {
    uint32_t mark = pass_scope_enter(w->sc);
    for (ir_stmt s = block; s && !w->left; s = w->u->stmts[s].next) {
        const struct ir_stmt_node n = w->u->stmts[s];
        switch (n.kind) {
        case IR_ASSIGN:
            set(w, n.assign.var, value_of(w, n.assign.value));
            pass_scope_assign(w->sc, s);
            break;
        case IR_ATOMIC:
            if (n.atomic.old) set(w, n.atomic.old, unknown);
            break;
        case IR_IF: walk_if(w, &n); break;
        case IR_FOR:
        case IR_LOOP: walk_loop(w, s); break;
        case IR_BREAK:
        case IR_CONTINUE: w->left = true; break;
        case IR_PARFOR:
            if (w->meetings[s] < PASS_RACE_MEETINGS) {
                bool first = !w->meetings[s]++;
                if (w->fn(w->sc, &w->witness, s, first)) w->meetings[s] = PASS_RACE_MEETINGS;
            }
            for (uint32_t r = 0; r < n.parfor.reduction_count; r++)
                set(w, w->u->reductions[n.parfor.reductions + r].var, unknown);
            break;
        default: break;
        }
    }
    pass_scope_leave(w->sc, mark);
}

void pass_race_walk(struct ir_unit *u, pass_race_fn fn) {
    struct pass_scope sc;
    pass_scope_init(&sc, u);
    struct walker w = {.u = u, .sc = &sc, .fn = fn};
    pass_witness_init(&w.witness, &sc);
    w.meetings = base_alloc_array(u->cx, u->stmt_count, sizeof *w.meetings);
    walk(&w, u->root);
}
