// Who is the best, in two loops that only sum up:
//
//   for (i < n) if (x[i] > best) { best = x[i]; who = i; }      becomes
//   least = best; for (i < n) best = max(best, x[i]);
//   at = none; for (i < n) if (x[i] == best && best > least) at = min(at, i);
//   if (at != none) { best = x[at]; who = at; } else best = least;
//
// The search for a pivot, for the nearest, for the next to be visited: each pass needs the best so far, so that nobody
// could share the loop. The largest, and the first place where it stands, are reductions, which lanes and workgroups
// share (autopar.c, rfactor.c, share.c).
//
// In sequential code the place of equal ones may also be chosen by keys, as threads that each bring a best of their own
// under `critical` settle who is first:
//
//   for (t < threads) if (b[t] < best || (b[t] == best && a[t] < at)) { best = b[t]; at = a[t]; }      becomes
//   for (t < threads) least = min(least, b[t]);
//   for (t < threads) if (b[t] == least) near = min(near, a[t]);
//   if (least < best || (least == best && near < at)) { best = least; at = near; }
//
// where whole numbers are all that is set; else a third loop finds the first pass that has these keys, and its body
// is made.
//
// In iterations, lanes of a workgroup can share a search as it is (places.c), which loads and combines half as much: it
// is left to them where they are enough.
//
// The law: the loop stores nothing; what a better one sets depends on the pass alone; nothing else reads the best so
// far, nor do the loop's bounds. Of equal ones the first counts, or, with >= or <=, the last. What is no number is
// never better.
#include "pass/cost.h"
#include "pass/passes.h"

struct search {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    bool few;              // iterations of the parallel loop around, or it is sequential code
    bool sequential;       // ... which it is
    uint32_t *reads, vars; // of the whole unit, by variable
    const bool *of_lanes;  // by statement: lanes share this search as it is; NULL: none of them
    // of the loop under way
    ir_stmt loop, test; // the IF
    ir_var best, key;   // key: the first of equal ones has the smallest place, and there may be none yet (vacant.c)
    ir_expr compared, value; // the comparison in the condition; what is compared with the best
    bool larger, last;       // the larger one is better; of equal ones the last counts, or that with the larger key
    bool keyed;              // the key is no place: `order` decides
    struct pass_order order;
};

static const struct ir_stmt_node *node_of(const struct search *x, ir_stmt s) { return &x->u->stmts[s]; }
// ---- which loops? ---------------------------------------------------------------------------------------------------

// What the branch sets the variable to.
static ir_expr set_to(const struct search *x, ir_var v) {
    return pass_set_to(x->u, node_of(x, x->test)->branch.then_block, v);
}

// Each of the new loops asks for its bounds, which what is set would have changed.
static bool bounds_stay(const struct search *x, const struct ir_stmt_node *loop, const struct ir_effects *set) {
    struct ir_effects bounds = ir_effects_empty(x->u);
    ir_expr_effects(x->u, loop->counted.lo, &bounds);
    ir_expr_effects(x->u, loop->counted.hi, &bounds);
    return !ir_sets_meet(bounds.vars_read, set->vars_written, bounds.var_words);
}

static bool is_search(struct search *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt last = n.kind == IR_FOR ? n.counted.body : 0;
    if (!last || n.flags & IR_FLAG_LANES || u->vars[n.counted.var].type != IR_I32 || pass_has_parallel(u, last))
        return false;
    struct ir_effects all = ir_effects_of(u, last);
    if (ir_writes_arrays(&all) || !bounds_stay(x, &n, &all)) return false;
    for (; node_of(x, last)->next; last = node_of(x, last)->next)
        if (node_of(x, last)->kind != IR_ASSIGN || node_of(x, last)->flags & IR_FLAG_ATOMIC) return false;
    const struct ir_stmt_node test = *node_of(x, last);
    if (test.kind != IR_IF || test.branch.else_block || !test.branch.then_block) return false;
    struct pass_search found[PASS_SEARCHES];
    uint32_t searches = pass_searches(u, s, found);
    if (searches > 1 || (searches && found->test != last)) return false;
    x->key = searches ? found->key : 0;
    x->test = last;
    x->keyed = !searches ||
               (x->key && (found->last || n.counted.step < 0 || !pass_is_var(u, set_to(x, x->key), n.counted.var)));
    if (x->keyed) {
        if (!x->sequential || !pass_search_order(u, s, last, &x->order)) return false;
        *found = (struct pass_search){.best = x->order.keys[0].var, .compared = x->order.compared};
    }
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, n.counted.body, inside);
    const uint32_t *exposed = pass_exposed(u, n.counted.body);
    x->loop = s;
    x->best = found->best;
    x->compared = found->compared;
    x->value = set_to(x, x->best);
    x->larger = found->larger;
    x->last = found->last;
    for (ir_stmt t = n.counted.body; t != last; t = node_of(x, t)->next) { // they follow from the pass alone
        ir_var v = node_of(x, t)->assign.var;
        if (ir_bit(exposed, v) || v >= x->vars || x->reads[v] != inside[v]) return false;
    }
    return true;
}

static bool pays(struct search *x) {
    const struct ir_stmt_node *n = node_of(x, x->loop);
    uint64_t most = pass_most_trips(&x->sc, n->counted.lo, n->counted.hi, n->counted.step);
    uint32_t indexed = pass_most_indexed(x->u, n->counted.body, n->counted.var);
    if (indexed && indexed < most) most = indexed;
    // two sequential loops are more than one; in dispatches of their own, autopar.c makes long ones alone parallel
    uint64_t least = x->sequential && !x->p->one_kernel ? PASS_AUTOPAR_LEAST_PASSES : PASS_BEST_LEAST_PASSES;
    return x->few && most != UINT64_MAX && most >= least;
}

// ---- the loops ------------------------------------------------------------------------------------------------------

static ir_expr read_of(const struct search *x, ir_var v) { return ir_var_read(x->u, v, node_of(x, x->loop)->loc); }
static ir_var add_var(const struct search *x, const char *name, enum ir_type type) {
    const struct ir_var_info best = x->u->vars[x->best];
    return ir_add_var(x->u, name, type, (enum ir_var_class)best.klass, best.loc);
}

// The condition with another test in place of the comparison.
static ir_expr condition_with(const struct search *x, ir_expr test) {
    return pass_exchanged(x->u, node_of(x, x->test)->branch.cond, x->compared, test);
}

// A loop like the one at hand: its assignments in front of the IF, with variables of their own, then `if (cond) then`.
static ir_stmt loop_with(const struct search *x, ir_expr cond, ir_stmt then_block, ir_var *at) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    ir_stmt body = 0;
    uint32_t vars = u->var_count;
    ir_var *own = base_alloc_array(u->cx, vars, sizeof *own);
    for (ir_stmt s = n.counted.body; s != x->test; s = node_of(x, s)->next) {
        const struct ir_stmt_node a = *node_of(x, s);
        own[a.assign.var] = own[a.assign.var]
                                ? own[a.assign.var]
                                : add_var(x, u->vars[a.assign.var].name, (enum ir_type)u->vars[a.assign.var].type);
        ir_append(u, &body, ir_assign(u, a.assign.var, a.assign.value, a.loc));
    }
    if (cond)
        ir_append(u, &body, ir_if(u, cond, then_block, 0, n.loc));
    else
        ir_append(u, &body, then_block);
    body = ir_clone_block(u, body, own, NULL);
    if (!at) return body;
    *at = add_var(x, u->vars[n.counted.var].name, IR_I32);
    pass_substitute(u, body, n.counted.var, read_of(x, *at));
    return ir_for(u, *at, n.counted.lo, n.counted.hi, n.counted.step, body, n.loc);
}

// Of the passes behind the test, the smallest or the largest value of `what`: *out is it, or the identity.
static ir_stmt extreme_of(struct search *x, bool largest, ir_expr test, ir_expr what, ir_var *out) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->loop)->loc;
    enum ir_type type = (enum ir_type)u->nodes[what].type;
    bool is_float = type == IR_F32;
    enum ir_op op = largest ? (is_float ? IR_FMAX : IR_MAX) : is_float ? IR_FMIN : IR_MIN;
    ir_var counter;
    *out = add_var(x, "extreme", type);
    ir_stmt made = ir_assign(u, *out, ir_const(u, type, ir_identity((uint8_t)op, type)), loc);
    ir_expr so_far = read_of(x, *out), value;
    if (is_float) // what is no number is none
        value = ir_op3(u, IR_SELECT, ir_op2(u, largest ? IR_GT : IR_LT, what, so_far, loc), what, so_far, loc);
    else
        value = ir_op2(u, op, so_far, what, loc);
    ir_append(u, &made, loop_with(x, test ? condition_with(x, test) : 0, ir_assign(u, *out, value, loc), &counter));
    return made;
}

// `a < A || (a == A && (b < B || ...))` with these values of the keys.
static ir_expr is_better(struct search *x, const ir_var *extremes) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->loop)->loc;
    ir_expr out = 0;
    for (uint32_t k = x->order.count; k-- > 0;) {
        ir_expr now = read_of(x, extremes[k]), before = read_of(x, x->order.keys[k].var);
        ir_expr better = ir_op2(u, x->order.keys[k].larger ? IR_GT : IR_LT, now, before, loc);
        if (out) out = ir_op2(u, IR_LAND, ir_op2(u, IR_EQ, now, before, loc), out, loc);
        out = out ? ir_op2(u, IR_LOR, better, out, loc) : better;
    }
    return out;
}

// The branch sets whole numbers that are keys, and nothing else.
static bool sets_keys(const struct search *x) {
    uint32_t sets = 0;
    for (ir_stmt s = node_of(x, x->test)->branch.then_block; s; s = node_of(x, s)->next)
        sets++;
    for (uint32_t k = 0; k < x->order.count; k++)
        if (x->u->vars[x->order.keys[k].var].type == IR_F32) return false;
    return sets == x->order.count;
}

static ir_stmt split_ordered(struct search *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    bool alone = node_of(x, x->test)->branch.cond == x->compared, upward = n.counted.step > 0;
    ir_expr equal = alone ? 0 : ir_const(u, IR_BOOL, 1);
    ir_var extremes[PASS_SEARCH_KEYS], at;
    ir_stmt out = 0, found = 0;
    for (uint32_t k = 0; k < x->order.count; k++) {
        ir_expr what = set_to(x, x->order.keys[k].var);
        ir_append(u, &out, extreme_of(x, x->order.keys[k].larger, equal, what, &extremes[k]));
        ir_expr same = ir_op2(u, IR_EQ, what, read_of(x, extremes[k]), n.loc);
        equal = k ? ir_op2(u, IR_LAND, equal, same, n.loc) : same;
    }
    if (sets_keys(x)) {
        ir_expr better = is_better(x, extremes);
        for (uint32_t k = 0; k < x->order.count; k++)
            ir_append(u, &found, ir_assign(u, x->order.keys[k].var, read_of(x, extremes[k]), n.loc));
        ir_append(u, &out, ir_if(u, better, found, 0, n.loc));
    } else {
        ir_append(u, &out, extreme_of(x, !upward, equal, ir_var_read(u, n.counted.var, n.loc), &at));
        found = loop_with(x, node_of(x, x->test)->branch.cond, node_of(x, x->test)->branch.then_block, NULL);
        pass_substitute(u, found, n.counted.var, read_of(x, at));
        ir_expr none = ir_const(u, IR_I32, ir_identity(upward ? IR_MIN : IR_MAX, IR_I32));
        ir_append(u, &out, ir_if(u, ir_op2(u, IR_NE, read_of(x, at), none, n.loc), found, 0, n.loc));
    }
    base_text_format(x->p->explain, "best: the search at line %u is one for the %s and %u more for its keys\n",
                     u->cx->locs[n.loc].line, x->order.keys[0].larger ? "largest" : "smallest",
                     x->order.count - sets_keys(x));
    return out;
}

static ir_stmt split(struct search *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    base_loc loc = n.loc;
    enum ir_type type = (enum ir_type)u->vars[x->best].type;
    bool smallest = x->last != (n.counted.step > 0); // of the places
    ir_var before = add_var(x, "before", type), at = add_var(x, "at", IR_I32), counter;
    ir_expr best = read_of(x, x->best), none = ir_const(u, IR_I32, ir_identity(smallest ? IR_MIN : IR_MAX, IR_I32));
    enum ir_op order = x->larger ? (x->last ? IR_GE : IR_GT) : x->last ? IR_LE : IR_LT;
    ir_stmt out = ir_assign(u, before, best, loc);
    ir_append(u, &out, ir_assign(u, at, none, loc));
    ir_expr kept = ir_op3(u, IR_SELECT, ir_op2(u, order, x->value, best, loc), x->value, best, loc);
    bool alone = node_of(x, x->test)->branch.cond == x->compared;
    ir_expr rest = alone ? 0 : condition_with(x, ir_const(u, IR_BOOL, 1));
    ir_append(u, &out, loop_with(x, rest, ir_assign(u, x->best, kept, loc), &counter));
    ir_expr place = ir_var_read(u, n.counted.var, loc), taken = ir_op2(u, order, best, read_of(x, before), loc);
    if (x->key) {
        ir_expr equal = ir_op2(u, IR_EQ, best, read_of(x, before), loc);
        ir_expr sooner = ir_op2(u, IR_LT, place, read_of(x, x->key), loc);
        taken = ir_op2(u, IR_LOR, taken, ir_op2(u, IR_LAND, equal, sooner, loc), loc);
    }
    ir_expr is_it = ir_op2(u, IR_LAND, ir_op2(u, IR_EQ, x->value, best, loc), taken, loc);
    place = ir_op2(u, smallest ? IR_MIN : IR_MAX, read_of(x, at), place, loc);
    ir_append(u, &out, loop_with(x, condition_with(x, is_it), ir_assign(u, at, place, loc), &counter));
    ir_stmt found = loop_with(x, 0, node_of(x, x->test)->branch.then_block, NULL);
    pass_substitute(u, found, n.counted.var, read_of(x, at));
    // Of floats it may be no number, which reductions do not keep.
    ir_stmt stays = type == IR_F32 ? ir_assign(u, x->best, read_of(x, before), loc) : 0;
    ir_append(u, &out, ir_if(u, ir_op2(u, IR_NE, read_of(x, at), none, loc), found, stays, loc));
    base_text_format(x->p->explain, "best: the search at line %u is one for the %s and one for its place\n",
                     u->cx->locs[loc].line, x->larger ? "largest" : "smallest");
    return out;
}

static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct search *x = user;
    (void)done;
    if ((x->of_lanes && x->of_lanes[s]) || !is_search(x, s) || !pays(x)) return s;
    return x->keyed ? split_ordered(x) : split(x);
}

static void in_iterations(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct search *x = user;
    uint64_t iterations;
    x->few = pass_iterations(sc, parfor, &iterations) && iterations * PASS_SCAN_FEW <= x->p->target->busy_invocations;
    if (!x->few) return;
    x->of_lanes = pass_searches_of_lanes(x->p, sc, parfor);
    struct pass_rewriter splitting = {.u = x->u, .sc = sc, .user = x, .replace = replace};
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    ir_stmt body = pass_rewrite_block(&splitting, x->u->stmts[parfor].parfor.body);
    x->u->stmts[parfor].parfor.body = body;
    pass_scope_leave(sc, mark);
}

void pass_best(struct pass_cx *p) {
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    struct search x = {.p = p, .u = p->u, .few = true, .sequential = true, .vars = p->u->var_count};
    x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
    pass_count_reads(p->u, p->u->root, x.reads);
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter splitting = {.u = p->u, .sc = &x.sc, .user = &x, .replace = replace};
    p->u->root = pass_rewrite_block(&splitting, p->u->root);
    x.sequential = false;
    pass_scope_init(&x.sc, p->u);
    pass_each_parfor(&x.sc, in_iterations, &x);
}
