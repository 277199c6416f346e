// What the best so far is worth stays in a variable:
//
//   for (k) if (z[k] > z[at]) at = k;      becomes      best = z[at]; for (k) if (z[k] > best) { best = z[k]; at = k; }
//
// Searches that keep only the place of the best, as for a pivot or the likeliest class: each pass would load the best
// again, and nobody would see that it is a search, which lanes and workgroups can share (analysis/search.c, best.c).
//
// The law: the loop changes the place nowhere but in the branch, once, to what depends neither on it nor on anything
// else that the branch changes, and nothing leaves the branch on the way; the loop stores nothing to the arrays that
// the worth is made of, and changes no other variable of it. So the worth changes there alone, and what it becomes is
// the same expression of the new place. Before the loop the place may be none (`at = -1`), which the condition then
// sees to: the worth is loaded where the place is one of the array's.
#include "pass/cost.h"
#include "pass/passes.h"

struct rememberer {
    struct ir_unit *u;
    ir_stmt *before; // by statement: what comes in front of it
    uint32_t stmts, vars, total;
    uint32_t *taken; // bit set: places of which a worth is loaded in front of a loop
    // of the loop under way
    ir_stmt loop;
    const struct ir_effects *all; // of it, with its counter and its condition
    const uint32_t *places;       // bit set: variables that the branch under way sets, which the law takes
    ir_stmt branch;
};

// ---- what may be remembered -----------------------------------------------------------------------------------------

struct look {
    const struct rememberer *x;
    bool steady, places, chosen; // it changes with the place alone; a place stands in it; ... in a load's index
};
static bool on_part(void *user, ir_expr e) {
    struct look *k = user;
    const struct ir_unit *u = k->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_VAR) {
        bool is_place = ir_bit(k->x->places, n->a);
        k->places |= is_place;
        k->steady &= is_place || !ir_bit(k->x->all->vars_written, n->a);
    } else if (n->op == IR_LOAD) {
        bool before = k->places;
        k->steady &= !ir_bit(k->x->all->arrays_written, n->a) && !u->arrays[n->a].atomic;
        k->places = false;
        for (uint32_t i = 0; i < n->n; i++)
            ir_walk_expr(u, u->args[n->b + i], on_part, k);
        k->chosen |= k->places;
        k->places |= before;
        return false;
    } else if ((n->op == IR_DIV || n->op == IR_REM) && n->type != IR_F32) {
        k->steady = false; // by 0, perhaps, where the loop makes no pass
    }
    return k->steady;
}
static bool is_worth(const struct rememberer *x, ir_expr e) {
    struct look k = {.x = x, .steady = x->u->nodes[e].type != IR_BOOL};
    ir_walk_expr(x->u, e, on_part, &k);
    return k.steady && k.chosen;
}

// The first and largest part of the condition that is such a worth; 0: none. *other: what it is compared with, or 0.
static ir_expr worth_in(const struct rememberer *x, ir_expr e, ir_expr *other) {
    const struct ir_node *n = &x->u->nodes[e];
    if (is_worth(x, e)) return e;
    if (n->op == IR_LOAD || n->op == IR_VAR || n->op == IR_CONST) return 0;
    ir_expr parts[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++) {
        *other = ir_ops[n->op].arity == 2 && x->u->nodes[n->a].type != IR_BOOL ? parts[1 - i] : 0;
        ir_expr found = worth_in(x, parts[i], other);
        if (found) return found;
    }
    return 0;
}

// ---- the place ------------------------------------------------------------------------------------------------------

// The expression reads something that is changed.
static bool reads(struct ir_unit *u, ir_expr e, const struct ir_effects *changed) {
    struct ir_effects fx = ir_effects_empty(u);
    ir_expr_effects(u, e, &fx);
    for (uint32_t w = 0; w < changed->var_words; w++)
        if (fx.vars_read[w] & changed->vars_written[w]) return true;
    for (uint32_t w = 0; w < changed->array_words; w++)
        if (fx.arrays_read[w] & changed->arrays_written[w]) return true;
    return false;
}

static uint32_t writes_in_loop(const struct rememberer *x, ir_var v) {
    ir_stmt inner[2];
    uint32_t count = 0, blocks = ir_blocks_of(&x->u->stmts[x->loop], inner);
    for (uint32_t b = 0; b < blocks; b++)
        count += pass_count_writes(x->u, inner[b], v);
    return count;
}

// Bit set: the variables that the law takes for places.
static const uint32_t *places_of(const struct rememberer *x, ir_stmt branch) {
    struct ir_unit *u = x->u;
    ir_stmt block = u->stmts[branch].branch.then_block;
    struct ir_effects then = ir_effects_of(u, block);
    uint32_t *out = base_alloc_array(u->cx, then.var_words, sizeof *out);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind != IR_ASSIGN || n.flags || u->vars[n.assign.var].klass == IR_VAR_DIM ||
            writes_in_loop(x, n.assign.var) != 1 || reads(u, n.assign.value, &then))
            continue;
        out[n.assign.var / 32] |= 1u << n.assign.var % 32;
    }
    return out;
}

struct moving {
    const struct rememberer *x;
    ir_stmt block;
};
static ir_expr moved_node(void *user, ir_expr e) {
    const struct moving *m = user;
    struct ir_unit *u = m->x->u;
    const struct ir_node n = u->nodes[e];
    if (n.op != IR_VAR || !ir_bit(m->x->places, n.a)) return e;
    return pass_set_to(u, m->block, n.a);
}

// The variable, which the passes set to the value in front of the branch, if that is what it is.
static bool holds(const struct rememberer *x, ir_stmt block, ir_expr var, ir_expr value) {
    struct ir_unit *u = x->u;
    const struct ir_node v = u->nodes[var];
    if (v.op != IR_VAR || writes_in_loop(x, v.a) != 1) return false;
    ir_stmt set = block;
    while (set != x->branch && !(u->stmts[set].kind == IR_ASSIGN && u->stmts[set].assign.var == v.a))
        set = u->stmts[set].next;
    if (set == x->branch || !ir_same_expr(u, u->stmts[set].assign.value, value)) return false;
    struct ir_effects between = ir_effects_empty(u);
    for (ir_stmt s = u->stmts[set].next; s != x->branch; s = u->stmts[s].next)
        ir_add_effects_of_one(u, s, &between);
    return !reads(u, value, &between);
}

// ---- the change -----------------------------------------------------------------------------------------------------

struct guard {
    struct ir_unit *u;
    const uint32_t *places;
    ir_expr cond;
};
static void add_condition(struct guard *g, ir_expr holds, base_loc loc) {
    g->cond = g->cond ? ir_op2(g->u, IR_LAND, g->cond, holds, loc) : holds;
}
// The inner loads first: an outer one may need what they find.
static bool on_guarded(void *user, ir_expr e) {
    struct guard *g = user;
    struct ir_unit *u = g->u;
    const struct ir_node n = u->nodes[e];
    if (n.op != IR_LOAD) return true;
    for (uint32_t i = 0; i < n.n; i++) {
        ir_expr index = u->args[n.b + i], count = u->arrays[n.a].dims[i];
        ir_walk_expr(u, index, on_guarded, g);
        if (u->nodes[index].type == IR_U32)
            count = ir_op1(u, IR_I2U, count, n.loc);
        else
            add_condition(g, ir_op2(u, IR_GE, index, ir_const_i32(u, 0), n.loc), n.loc);
        add_condition(g, ir_op2(u, IR_LT, index, count, n.loc), n.loc);
    }
    return false;
}

static bool on_taken(void *user, ir_expr e) {
    struct rememberer *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR && ir_bit(x->places, n->a)) x->taken[n->a / 32] |= 1u << n->a % 32;
    return true;
}

static void remember(struct rememberer *x, ir_stmt block, ir_expr worth, ir_expr other) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->branch];
    enum ir_type type = (enum ir_type)u->nodes[worth].type;
    struct moving m = {x, n.branch.then_block};
    ir_expr next = ir_map_expr(u, worth, moved_node, &m);
    if (other && holds(x, block, other, next)) next = other;
    bool loaded = other && ir_same_expr(u, other, next); // else nobody says that the new place is one of the array's
    enum ir_var_class klass = IR_VAR_ENTRY;
    for (uint32_t v = 1; v < u->var_count; v++)
        if (v / 32 < x->all->var_words && ir_bit(x->places, v)) klass = (enum ir_var_class)u->vars[v].klass;
    ir_var best = ir_add_var(u, "best", type, klass, n.loc);
    ir_stmt first = ir_assign(u, best, ir_const(u, type, 0), n.loc);
    struct guard g = {u, x->places, 0};
    ir_walk_expr(u, worth, on_guarded, &g);
    ir_walk_expr(u, worth, on_taken, x);
    ir_append(u, &first, ir_if(u, g.cond, ir_assign(u, best, worth, n.loc), 0, n.loc));
    ir_append(u, &x->before[x->loop], first);
    ir_stmt then_block = ir_assign(u, best, next, n.loc);
    struct guard again = {u, x->places, 0};
    if (!loaded) ir_walk_expr(u, next, on_guarded, &again);
    if (again.cond) then_block = ir_if(u, again.cond, then_block, 0, n.loc);
    ir_append(u, &then_block, n.branch.then_block);
    u->stmts[x->branch].branch.then_block = then_block;
    u->stmts[x->branch].branch.cond = pass_exchanged(u, n.branch.cond, worth, ir_var_read(u, best, n.loc));
    x->total++;
}

static void look_at(struct rememberer *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&u->stmts[s], inner);
        if (u->stmts[s].kind == IR_IF && inner[0] && !pass_leaves_loop(u, inner[0])) {
            ir_expr other = 0, worth;
            x->branch = s;
            x->places = places_of(x, s);
            worth = worth_in(x, u->stmts[s].branch.cond, &other);
            if (worth) remember(x, block, worth, other);
        }
        for (uint32_t b = 0; b < blocks; b++)
            look_at(x, inner[b]);
    }
}

// A branch that sets something stands in it: most loops have none, and what a loop does is much to keep.
static bool may_search(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        if (n->kind == IR_IF && inner[0] && pass_has_load(u, n->branch.cond)) return true;
        for (uint32_t b = 0; b < blocks; b++)
            if (may_search(u, inner[b])) return true;
    }
    return false;
}

// Outer loops first: their passes would remember anew in each.
static bool on_loop(void *user, ir_stmt s) {
    struct rememberer *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    if ((n->kind != IR_FOR && n->kind != IR_LOOP) || s >= x->stmts || pass_has_parallel(u, ir_body_of(n)) ||
        !may_search(u, ir_body_of(n)))
        return true;
    struct ir_effects all = ir_effects_of_one(u, s);
    x->loop = s;
    x->all = &all;
    look_at(x, ir_body_of(&u->stmts[s]));
    return true;
}

static ir_stmt in_front(void *user, ir_stmt s) {
    struct rememberer *x = user;
    return s < x->stmts ? x->before[s] : 0;
}

// A place that the program may not have set, as beside a flag that says whether there is one, is any: the first.
static ir_stmt with_places(const struct rememberer *x, ir_stmt block, enum ir_var_class klass) {
    struct ir_unit *u = x->u;
    const uint32_t *exposed = pass_exposed(u, block);
    ir_stmt first = 0;
    for (uint32_t v = 1; v < x->vars; v++)
        if (ir_bit(x->taken, v) && ir_bit(exposed, v) && u->vars[v].klass == klass)
            ir_append(u, &first, ir_assign(u, v, ir_const(u, (enum ir_type)u->vars[v].type, 0), u->vars[v].loc));
    ir_append(u, &first, block);
    return first;
}

static bool on_parallel(void *user, ir_stmt s) {
    const struct rememberer *x = user;
    if (x->u->stmts[s].kind != IR_PARFOR) return true;
    ir_stmt body = with_places(x, x->u->stmts[s].parfor.body, IR_VAR_LOCAL);
    x->u->stmts[s].parfor.body = body;
    return false;
}

void pass_remember(struct pass_cx *p) {
    struct rememberer x = {.u = p->u, .stmts = p->u->stmt_count, .vars = p->u->var_count};
    x.taken = base_alloc_array(p->u->cx, x.vars / 32 + 1, sizeof *x.taken);
    x.before = base_alloc_array(p->u->cx, x.stmts, sizeof *x.before);
    ir_walk_stmts(p->u, p->u->root, on_loop, &x);
    if (!x.total) return;
    pass_rewrite_all(&(struct pass_rewriter){.u = p->u, .user = &x, .before = in_front});
    ir_walk_stmts(p->u, p->u->root, on_parallel, &x);
    p->u->root = with_places(&x, p->u->root, IR_VAR_ENTRY);
    base_text_format(p->explain, "remember: the worth of %u best so far stays in a variable\n", x.total);
}
