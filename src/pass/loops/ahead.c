// Loads that stand behind a branch, and are made whatever it decides, come in front of it:
//
//   if (m[p] > 0) s += e * x[p]; if (m[p + 256] > 0) s += e * x[p + 256]; ...      becomes
//   a = m[p + 256]; ...; if (m[p] > 0) s += e * x[p]; if (a > 0) s += e * x[p + 256]; ...
//
// Drivers move no load across a branch, so each branch of a chain would wait for memory by itself: passes of a loop
// that are made several at once (widen.c, gather.c, unroll.c), or guarded pieces that a program has one after the
// other. Loads behind the last branch wait together anyway, and so do many in front of one.
//
// The law: the parallel loop does not write the array; nobody leaves between the branch and the load; and what its
// address needs does not change from there to the load, or is assigned once, of what is known in front of the branch,
// and moves there, too.
#include "pass/cost.h"
#include "pass/passes.h"

struct mover {
    struct ir_unit *u;
    struct ir_effects all; // of the parallel loop's body
    uint32_t *assigned;    // by variable: assignments in it
    uint32_t vars;
    uint32_t total;
    // of the block under way
    uint32_t *exposed;              // bit set: variables whose values from before the block it reads
    struct ir_effects between;      // of what stays, from the branch to the statement under way
    ir_stmt *made;                  // by variable: where it is assigned, behind the branch and of what is known
    ir_stmt front;                  // what comes in front of the branch
    ir_expr loads[PASS_AHEAD_MOST]; // of it,
    ir_var now[PASS_AHEAD_MOST];    // ... which are these variables now
    uint32_t count;
};

static bool count_assigned(void *user, ir_stmt s) {
    struct mover *x = user;
    ir_var v = ir_written_var(&x->u->stmts[s]);
    if (v) x->assigned[v]++;
    return true;
}

// ---- what is known in front of the branch ---------------------------------------------------------------------------

struct knowledge {
    const struct mover *x;
    bool known;
};
static bool on_known(void *user, ir_expr e) {
    struct knowledge *k = user;
    const struct ir_node *n = &k->x->u->nodes[e];
    if (n->op == IR_LOAD) k->known = false;
    if (n->op == IR_VAR && ir_bit(k->x->between.vars_written, n->a)) k->known = false;
    return k->known;
}
static bool is_known(const struct mover *x, ir_expr e) {
    struct knowledge k = {x, true};
    ir_walk_expr(x->u, e, on_known, &k);
    return k.known;
}

static bool is_place_known(const struct mover *x, ir_expr load) {
    const struct ir_node *n = &x->u->nodes[load];
    bool known = true;
    for (uint32_t i = 0; i < n->n && known; i++)
        known = is_known(x, x->u->args[n->b + i]);
    return known;
}

// An assignment that may move in front of the branch if somebody wants it to.
static bool may_move(const struct mover *x, const struct ir_stmt_node *n) {
    if (n->kind != IR_ASSIGN || n->flags) return false;
    ir_var v = n->assign.var;
    return v < x->vars && x->u->vars[v].klass == IR_VAR_LOCAL && x->assigned[v] == 1 && !ir_bit(x->exposed, v) &&
           !ir_bit(x->between.vars_read, v) && is_known(x, n->assign.value);
}

// ---- what moves -----------------------------------------------------------------------------------------------------

// The statement under another number; a NOP stands where it stood.
static ir_stmt taken_out(struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt out = ir_add_stmt(u, IR_NOP, n.loc);
    u->stmts[out] = n;
    u->stmts[out].next = 0;
    u->stmts[s] = (struct ir_stmt_node){.kind = IR_NOP, .loc = n.loc, .next = n.next};
    return out;
}

// Moves what the expression is made of, the first of it first.
static bool bring_var(void *user, ir_expr e) {
    struct mover *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    ir_stmt s = n->op == IR_VAR && n->a < x->vars ? x->made[n->a] : 0;
    if (!s) return true;
    x->made[n->a] = 0;
    ir_walk_expr(x->u, x->u->stmts[s].assign.value, bring_var, x);
    ir_append(x->u, &x->front, taken_out(x->u, s));
    return true;
}

static void consider(struct mover *x, ir_expr e) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    bool known = ir_in_buffer(u, n.a) && !ir_bit(x->all.arrays_written, n.a) && is_place_known(x, e);
    for (uint32_t i = 0; i < x->count; i++)
        known &= !ir_same_expr(u, x->loads[i], e);
    if (!known || x->count == PASS_AHEAD_MOST) return;
    for (uint32_t i = 0; i < n.n; i++)
        ir_walk_expr(u, u->args[n.b + i], bring_var, x);
    ir_var now = ir_add_var(u, u->arrays[n.a].name, (enum ir_type)n.type, IR_VAR_LOCAL, n.loc);
    ir_append(u, &x->front, ir_assign(u, now, e, n.loc));
    x->loads[x->count] = e;
    x->now[x->count++] = now;
}

// Those that are made for sure.
static bool on_load(void *user, ir_expr e) {
    struct mover *x = user;
    const struct ir_node n = x->u->nodes[e];
    bool branches = n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR;
    if (n.op == IR_LOAD) consider(x, e);
    if (branches) ir_walk_expr(x->u, n.a, on_load, x);
    return n.op != IR_LOAD && !branches;
}

static void look_at(struct mover *x, const struct ir_stmt_node *n, bool (*fn)(void *user, ir_expr e), void *user) {
    if (n->kind == IR_ASSIGN) ir_walk_expr(x->u, n->assign.value, fn, user);
    if (n->kind == IR_STORE) ir_walk_expr(x->u, n->store.value, fn, user);
    if (n->kind == IR_IF) ir_walk_expr(x->u, n->branch.cond, fn, user);
}

// Nothing but assignments, stores and branches, of which none is part of one access to neighbours (widen.c).
static bool is_plain(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    ir_stmt inner[2];
    uint32_t blocks = ir_blocks_of(n, inner);
    bool plain = !ir_run_of(n) && (n->kind == IR_ASSIGN || n->kind == IR_STORE || n->kind == IR_IF ||
                                   n->kind == IR_ATOMIC || n->kind == IR_NOP);
    for (uint32_t b = 0; b < blocks; b++)
        for (ir_stmt i = inner[b]; i && plain; i = u->stmts[i].next)
            plain = is_plain(u, i);
    return plain;
}

struct tally {
    const struct ir_unit *u;
    uint32_t loads;
};
static bool count_load(void *user, ir_expr e) {
    struct tally *k = user;
    k->loads += k->u->nodes[e].op == IR_LOAD;
    return true;
}

// From the statement to the next branch: few loads, for which alone it would wait.
static bool waits_for_few(struct mover *x, ir_stmt s, ir_stmt end) {
    struct tally k = {.u = x->u};
    for (; s != end; s = x->u->stmts[s].next) {
        look_at(x, &x->u->stmts[s], count_load, &k);
        if (x->u->stmts[s].kind == IR_IF) return k.loads && k.loads <= PASS_AHEAD_FEW;
    }
    return false;
}

// From the statement to the end, what came in front of the branch takes the place of loads: as long as their addresses
// are what they were there. `between` grows by what the statements do.
static void take_loads(struct mover *x, ir_stmt s, ir_stmt end) {
    struct ir_unit *u = x->u;
    for (; s != end; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_expr loads[PASS_AHEAD_MOST];
        ir_var now[PASS_AHEAD_MOST];
        uint32_t count = 0;
        for (uint32_t i = 0; i < x->count; i++)
            if (is_place_known(x, x->loads[i])) {
                loads[count] = x->loads[i];
                now[count++] = x->now[i];
            }
        u->stmts[s].next = 0;
        if (n.kind == IR_IF) u->stmts[s].branch.then_block = u->stmts[s].branch.else_block = 0;
        pass_replace_loads(u, s, loads, now, count);
        u->stmts[s].next = n.next;
        if (n.kind == IR_IF) {
            take_loads(x, u->stmts[s].branch.then_block = n.branch.then_block, 0);
            take_loads(x, u->stmts[s].branch.else_block = n.branch.else_block, 0);
        }
        ir_add_effects_of_one(u, s, &x->between);
    }
}

// Behind the branch, as far as what follows is plain.
static void move_ahead(struct mover *x, ir_stmt block, ir_stmt branch) {
    struct ir_unit *u = x->u;
    ir_stmt last = branch;
    bool begins = true, few = false;
    while (u->stmts[last].next && is_plain(u, u->stmts[last].next))
        last = u->stmts[last].next;
    ir_stmt end = u->stmts[last].next;
    x->exposed = pass_exposed(u, block);
    x->between = ir_effects_of_one(u, branch);
    x->made = base_alloc_array(u->cx, x->vars, sizeof *x->made);
    x->front = 0;
    x->count = 0;
    for (ir_stmt s = u->stmts[branch].next; s != end; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (begins) few = waits_for_few(x, s, end);
        begins = n.kind == IR_IF;
        if (may_move(x, &n)) {
            x->made[n.assign.var] = s;
            continue;
        }
        if (few) look_at(x, &n, on_load, x);
        ir_add_effects_of_one(u, s, &x->between);
    }
    if (!x->count) return;
    x->between = ir_effects_of_one(u, branch);
    take_loads(x, u->stmts[branch].next, end);
    ir_append(u, &x->front, taken_out(u, branch));
    ir_append(u, &x->front, u->stmts[branch].next);
    u->stmts[branch] = u->stmts[x->front];
    x->total += x->count;
}

static void visit(struct mover *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    bool leaves = pass_leaves_loop(u, block);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&u->stmts[s], inner);
        for (uint32_t b = 0; b < blocks; b++)
            visit(x, inner[b]);
    }
    for (ir_stmt s = block; s && !leaves; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_IF) {
            move_ahead(x, block, s);
            return;
        }
}

static void in_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct mover *x = user;
    (void)sc;
    ir_stmt body = x->u->stmts[parfor].parfor.body;
    x->vars = x->u->var_count;
    x->all = ir_effects_of(x->u, body);
    x->assigned = base_alloc_array(x->u->cx, x->vars, sizeof *x->assigned);
    ir_walk_stmts(x->u, body, count_assigned, x);
    visit(x, body);
}

void pass_ahead(struct pass_cx *p) {
    struct mover x = {.u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, in_parfor, &x);
    if (x.total)
        base_text_format(p->explain, "ahead: %u load%s made before branches that stand in front of %s\n", x.total,
                         x.total == 1 ? " is" : "s are", x.total == 1 ? "it" : "them");
}
