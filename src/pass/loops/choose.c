// A branch that only chooses between two values of one variable becomes a SELECT, which needs no branch: `if (x < 0) y
// = -x; else y = x;`.
//
// Invocations that part at a branch wait for each other, and compilers schedule nothing across it. Only what costs
// little is taken, since both values are computed then: no integer division, no function of the library, and of the
// elements of arrays those that the condition loads anyway: `a[i] < b[j] ? a[i] : b[j]`. The value then shares the
// condition's loads. So does `if (a[i] > most) most = a[i];`, whose load would else be made twice, the second time
// under a branch, where others can not be made with it.
#include <string.h>

#include "pass/cost.h"
#include "pass/passes.h"

struct chooser {
    struct ir_unit *u;
    ir_expr condition; // of the values at hand
    uint32_t operations;
    bool is_cheap, loads; // loads: what the condition loads, too
    // by variable: a constant in a copy of a loop's body (pass_text_of); NULL: none. Elements of private arrays and
    // tables at known places are safe to load, or become variables and constants.
    const bool *known;
    uint32_t chosen;
};

struct decided {
    const struct ir_unit *u;
    const bool *known;
    bool is;
};
static bool known_node(void *user, ir_expr e) {
    struct decided *d = user;
    const struct ir_node *n = &d->u->nodes[e];
    if (n->op == IR_LOAD ? d->u->arrays[n->a].klass != IR_ARRAY_TABLE
                         : n->op == IR_VAR && !(d->known && d->known[n->a]))
        d->is = false;
    return d->is;
}
static bool is_decided(const struct ir_unit *u, const bool *known, ir_expr value) {
    struct decided d = {u, known, true};
    ir_walk_expr(u, value, known_node, &d);
    return d.is;
}

static bool is_at_known_place(const struct chooser *c, const struct ir_node *load) {
    bool is = true;
    for (uint32_t d = 0; d < load->n && is; d++)
        is = is_decided(c->u, c->known, c->u->args[load->b + d]);
    return is;
}

// The node that is the same load and is made whenever the expression is; 0: none.
static ir_expr loaded_by(const struct ir_unit *u, ir_expr e, ir_expr load) {
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD && ir_same_expr(u, e, load)) return e;
    const uint32_t operands[] = {n->a, n->b, n->c}, *list = n->op == IR_LOAD ? u->args + n->b : operands;
    bool branches = n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR;
    uint32_t count = n->op == IR_LOAD ? n->n : branches ? 1 : ir_ops[n->op].arity;
    for (uint32_t i = 0; i < count; i++) {
        ir_expr found = loaded_by(u, list[i], load);
        if (found) return found;
    }
    return 0;
}

static bool weigh(void *user, ir_expr e) {
    struct chooser *c = user;
    const struct ir_node *n = &c->u->nodes[e];
    if (n->op == IR_CONST || n->op == IR_VAR) return true;
    if (n->op == IR_LOAD && c->condition && loaded_by(c->u, c->condition, e)) {
        c->loads = true;
        return false;
    }
    uint8_t klass = n->op == IR_LOAD ? c->u->arrays[n->a].klass : IR_ARRAY_IN;
    if ((klass == IR_ARRAY_LOCAL || klass == IR_ARRAY_TABLE) && is_at_known_place(c, n)) return true;
    if (n->op == IR_LOAD || ir_is_call(n)) c->is_cheap = false;
    if (++c->operations > PASS_CHOOSE_OPERATIONS) c->is_cheap = false;
    return c->is_cheap;
}

static void begin(struct chooser *c, ir_expr condition) {
    c->condition = condition;
    c->operations = 0;
    c->is_cheap = true;
    c->loads = false;
}

// The block's one statement, an assignment of something cheap; NULL where it is something else.
static const struct ir_stmt_node *only_assignment(struct chooser *c, ir_stmt block) {
    const struct ir_stmt_node *n = &c->u->stmts[block];
    if (!block || n->next || n->kind != IR_ASSIGN) return NULL;
    ir_walk_expr(c->u, n->assign.value, weigh, c);
    return c->is_cheap ? n : NULL;
}

static bool may_choose(struct chooser *c, const struct ir_stmt_node *n) {
    begin(c, n->branch.cond);
    const struct ir_stmt_node *yes = only_assignment(c, n->branch.then_block);
    if (yes && !n->branch.else_block) return c->loads; // else a driver needs no branch, either
    const struct ir_stmt_node *no = yes ? only_assignment(c, n->branch.else_block) : NULL;
    return no && yes->assign.var == no->assign.var;
}

// What the value `e` combines the variable with, and by which operation; 0: it is no such value.
static ir_expr operand_of(const struct ir_unit *u, ir_expr e, ir_var v, uint8_t *out_op) {
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_ADD && n->op != IR_MUL) return 0;
    const struct ir_node *a = &u->nodes[n->a], *b = &u->nodes[n->b];
    *out_op = n->op;
    if (a->op == IR_VAR && a->a == v) return n->b;
    return b->op == IR_VAR && b->a == v ? n->a : 0;
}

// Two updates of a sum stay one of it, by what was chosen: lanes share such loops. The same bits, as the operations are
// those of before.
static ir_expr chosen_of(struct ir_unit *u, ir_expr cond, ir_expr yes, ir_expr no, ir_var target, base_loc loc) {
    uint8_t op = 0, other = 0;
    ir_expr a = operand_of(u, yes, target, &op), b = operand_of(u, no, target, &other);
    if (!a || !b || op != other) return ir_op3(u, IR_SELECT, cond, yes, no, loc);
    return ir_op2(u, (enum ir_op)op, ir_var_read(u, target, loc), ir_op3(u, IR_SELECT, cond, a, b, loc), loc);
}

static void choose(struct chooser *c, ir_stmt s) {
    struct ir_unit *u = c->u;
    const struct ir_stmt_node n = u->stmts[s];
    if (!may_choose(c, &n)) return;
    ir_var target = u->stmts[n.branch.then_block].assign.var;
    ir_expr no = n.branch.else_block ? u->stmts[n.branch.else_block].assign.value : ir_var_read(u, target, n.loc);
    ir_expr yes = u->stmts[n.branch.then_block].assign.value,
            value = chosen_of(u, n.branch.cond, yes, no, target, n.loc);
    struct ir_stmt_node *now = &u->stmts[s];
    ir_make_assign(now, target, value);
    c->chosen++;
}

// Branches inside of others first: they may be what makes the outer one as simple.
static void visit(struct chooser *c, ir_stmt block) {
    for (ir_stmt s = block; s; s = c->u->stmts[s].next) {
        const struct ir_stmt_node n = c->u->stmts[s];
        switch (n.kind) {
        case IR_IF:
            visit(c, n.branch.then_block);
            visit(c, n.branch.else_block);
            choose(c, s);
            break;
        case IR_LOOP:
            visit(c, n.loop.continuing);
            visit(c, n.loop.body);
            break;
        case IR_FOR:
        case IR_PARFOR: visit(c, ir_body_of(&n)); break;
        default: break;
        }
    }
}

static ir_expr share_load(void *user, ir_expr e) {
    const struct chooser *c = user;
    ir_expr found = c->u->nodes[e].op == IR_LOAD ? loaded_by(c->u, c->condition, e) : 0;
    return found ? found : e;
}

// A selection whose values need no load but those of its condition becomes one without a branch (emit_expr.c).
static ir_expr share(void *user, ir_expr e) {
    struct chooser *c = user;
    const struct ir_node n = c->u->nodes[e];
    if (n.op != IR_SELECT) return e;
    begin(c, n.a);
    ir_walk_expr(c->u, n.b, weigh, c);
    ir_walk_expr(c->u, n.c, weigh, c);
    if (!c->is_cheap || !c->loads) return e;
    ir_expr yes = ir_map_expr(c->u, n.b, share_load, c), no = ir_map_expr(c->u, n.c, share_load, c);
    return yes == n.b && no == n.c ? e : ir_op3(c->u, IR_SELECT, n.a, yes, no, n.loc);
}

void pass_choose(struct pass_cx *p) {
    struct chooser c = {.u = p->u};
    visit(&c, p->u->root);
    ir_map_block(p->u, p->u->root, share, &c);
    if (c.chosen)
        base_text_format(p->explain, "choose: %u branch%s between two values became selections\n", c.chosen,
                         c.chosen == 1 ? "" : "es");
}

// Passes that rewrite or copy expressions leave two loads where a selection and its condition had one.
void pass_reuse(struct pass_cx *p) {
    struct ir_unit *units[] = {p->u, p->tree};
    for (int k = 0; k < 2 && units[k]; k++) {
        struct chooser c = {.u = units[k]};
        ir_map_block(units[k], units[k]->root, share, &c);
    }
}

// ---- branches -------------------------------------------------------------------------------------------------------

struct weigher {
    struct chooser choice;
    bool *known; // by variable: a constant as soon as the indices are
    struct pass_text text;
};

static bool weigh_node(void *user, ir_expr e) {
    struct weigher *w = user;
    const struct ir_node *n = &w->choice.u->nodes[e];
    w->text.nodes++;
    if ((n->op == IR_SIN || n->op == IR_COS || n->op == IR_TAN) && !is_decided(w->choice.u, w->known, n->a))
        w->text.angles++;
    if ((n->op != IR_SELECT && n->op != IR_LAND && n->op != IR_LOR) || is_decided(w->choice.u, w->known, n->a))
        return true;
    begin(&w->choice, n->op == IR_SELECT ? n->a : 0);
    ir_walk_expr(w->choice.u, n->b, weigh, &w->choice);
    if (n->op == IR_SELECT) ir_walk_expr(w->choice.u, n->c, weigh, &w->choice);
    if (!w->choice.is_cheap) w->text.branches += PASS_BRANCH_TWO_SIDES;
    return true;
}

static bool weigh_stmt(void *user, ir_stmt s) {
    struct weigher *w = user;
    const struct ir_stmt_node *n = &w->choice.u->stmts[s];
    if (n->kind == IR_ASSIGN) w->known[n->assign.var] = is_decided(w->choice.u, w->known, n->assign.value);
    if (n->kind == IR_FOR || n->kind == IR_LOOP)
        w->text.branches += n->kind == IR_FOR ? PASS_BRANCH_COUNTED : PASS_BRANCH_WHILE;
    // added to floats, it is tried in a loop until nobody else came in between
    if (n->kind == IR_ATOMIC && n->atomic.op == IR_ADD && w->choice.u->arrays[n->atomic.array].elem == WHORL_F32) {
        w->text.branches += PASS_BRANCH_WHILE;
        w->text.tries++;
    }
    if (n->kind == IR_IF && !is_decided(w->choice.u, w->known, n->branch.cond) && !may_choose(&w->choice, n))
        w->text.branches += n->branch.then_block && n->branch.else_block ? PASS_BRANCH_TWO_SIDES : PASS_BRANCH_ONE_SIDE;
    return true;
}

struct pass_text pass_text_of(struct ir_unit *u, ir_stmt block, const bool *indices) {
    bool *known = base_alloc_array(u->cx, u->var_count, sizeof *known);
    struct weigher w = {.choice = {.u = u, .known = known}, .known = known};
    if (indices) memcpy(known, indices, u->var_count * sizeof *known);
    struct ir_visitor v = {.on_stmt = weigh_stmt, .on_node = weigh_node, .user = &w};
    ir_walk_block(u, block, &v);
    return w.text;
}
