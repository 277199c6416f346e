// What lanes keep of a search that they share (analysis/search.c): beside the best of its own passes each lane keeps
// the pass that it is from.
//
//   for (k shared) { c = ...; if (c < best) { best = c; at = k; name = names[k]; } }      becomes
//   place = none;
//   for (k shared, the best with the first place)
//       { c = ...; if (c <= best && (c < best || k < place)) { best = c; name = names[k]; place = k; } }
//   if (place != none) at = place;
//
// At the loop's end the lanes take the better of two, and of equal ones the one that is first, until all have the same.
// The passes may come in any order now. What follows from the pass alone is computed behind the loop, the rest goes
// with the best. All lanes begin with what the variables are in front of the loop, of which the place is none, in front
// of all passes: what is as good there is no better, but where the last of equal ones counts (<=).
#include "pass/lanes/places.h"

#include "pass/passes.h"

struct keeper {
    struct ir_unit *u;
    ir_stmt loop;
    ir_stmt before, after; // the loop
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count;
};

static void add(struct keeper *x, uint8_t op, ir_var v) { x->list[x->count++] = (struct ir_reduction){op, v}; }

// What has to hold in front of the comparison, in e, which ends with it.
static ir_expr in_front(struct ir_unit *u, ir_expr e, ir_expr compared) {
    const struct ir_node n = u->nodes[e];
    return n.b == compared ? n.a : ir_op2(u, IR_LAND, n.a, in_front(u, n.b, compared), n.loc);
}

// The value that is compared, computed once: `if (guard && a[k] < best)` is `if (guard) { c = a[k]; if (c < best) ...`.
static ir_expr compute_once(struct ir_unit *u, struct pass_search *search, ir_expr value) {
    const struct ir_stmt_node n = u->stmts[search->test];
    ir_expr end = n.branch.cond;
    while (end != search->compared && u->nodes[end].op == IR_LAND)
        end = u->nodes[end].b;
    if (u->nodes[value].op == IR_VAR || end != search->compared) return value;
    const char *name = u->vars[search->best].name;
    ir_var c = ir_add_var(u, name, (enum ir_type)u->vars[search->best].type, IR_VAR_LOCAL, n.loc);
    ir_expr kept = ir_var_read(u, c, n.loc), cond = end == n.branch.cond ? 0 : in_front(u, n.branch.cond, end);
    ir_stmt computed = ir_assign(u, c, value, n.loc), test = ir_if(u, end, n.branch.then_block, 0, n.loc);
    for (ir_stmt s = n.branch.then_block; s; s = u->stmts[s].next)
        if (u->stmts[s].assign.var == search->best) u->stmts[s].assign.value = kept;
    ir_append(u, &computed, test);
    if (cond) {
        u->stmts[search->test].branch.cond = cond;
        u->stmts[search->test].branch.then_block = computed;
    } else { // it begins in the branch's place
        u->stmts[search->test] = u->stmts[computed];
        u->stmts[test].next = n.next;
    }
    search->test = test;
    return kept;
}

// The condition tells equal ones apart by their place.
static void compare_places(struct keeper *x, struct pass_search *search, ir_var place, bool smallest) {
    struct ir_unit *u = x->u;
    base_loc loc = u->nodes[search->compared].loc;
    ir_expr value = compute_once(u, search, pass_searched(u, search));
    ir_expr best = ir_var_read(u, search->best, loc), at = ir_var_read(u, place, loc),
            now = ir_var_read(u, u->stmts[x->loop].counted.var, loc);
    enum ir_op better = search->larger ? IR_GT : IR_LT, as_good = search->larger ? IR_GE : IR_LE;
    ir_expr before = ir_op2(u, smallest ? IR_LT : IR_GT, now, at, loc);
    ir_expr first = ir_op2(u, IR_LOR, ir_op2(u, better, value, best, loc), before, loc);
    ir_expr test = ir_op2(u, IR_LAND, ir_op2(u, as_good, value, best, loc), first, loc);
    ir_expr cond = pass_exchanged(u, u->stmts[search->test].branch.cond, search->compared, test);
    u->stmts[search->test].branch.cond = cond;
}

static void keep(struct keeper *x, struct pass_search *search) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    base_loc loc = u->stmts[search->test].loc;
    bool up = n.counted.step > 0, smallest = search->key ? !search->last : search->last != up;
    ir_var place = search->key ? search->key : ir_add_var(u, "place", IR_I32, IR_VAR_LOCAL, loc);
    ir_expr none = ir_const_i32(u, up ? INT32_MIN : INT32_MAX);
    add(x, search->larger ? IR_GT : IR_LT, search->best);
    add(x, smallest ? IR_MIN : IR_MAX, place);
    ir_stmt inside = 0, follows = 0;
    for (ir_stmt s = u->stmts[search->test].branch.then_block, next; s; s = next) {
        ir_var v = u->stmts[s].assign.var;
        bool carried = pass_search_carries(u, x->loop, search, s);
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (carried) add(x, IR_SELECT, v);
        ir_append(u, carried || v == search->best || v == search->key ? &inside : &follows, s);
    }
    if (!search->key) {
        ir_append(u, &x->before, ir_assign(u, place, none, loc));
        ir_append(u, &inside, ir_assign(u, place, ir_var_read(u, n.counted.var, loc), loc));
    }
    u->stmts[search->test].branch.then_block = inside;
    if (!search->key) compare_places(x, search, place, smallest);
    if (!follows) return;
    pass_substitute(u, follows, n.counted.var, ir_var_read(u, place, loc));
    ir_append(u, &x->after, ir_if(u, ir_op2(u, IR_NE, ir_var_read(u, place, loc), none, loc), follows, 0, loc));
}

static void keep_of_loop(struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node n = u->stmts[s];
    struct pass_search searches[PASS_SEARCHES];
    uint32_t count = pass_searches(u, s, searches);
    struct keeper x = {.u = u, .loop = s};
    if (!count) return;
    for (uint32_t i = 0; i < n.counted.reduction_count; i++)
        x.list[x.count++] = u->reductions[n.counted.reductions + i];
    for (uint32_t i = 0; i < count; i++)
        keep(&x, &searches[i]);
    u->stmts[s].counted.reductions = ir_add_reductions(u, x.list, x.count);
    u->stmts[s].counted.reduction_count = x.count;
    ir_stmt first = s;
    if (x.before) { // it begins in the loop's place
        ir_stmt moved = ir_add_stmt(u, IR_FOR, n.loc);
        u->stmts[moved] = u->stmts[s];
        u->stmts[moved].next = 0;
        ir_append(u, &x.before, moved);
        u->stmts[s] = u->stmts[x.before];
        first = moved;
    }
    u->stmts[first].next = x.after;
    ir_stmt last = first;
    while (u->stmts[last].next)
        last = u->stmts[last].next;
    u->stmts[last].next = n.next;
}

void pass_keep_places(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block, next; s; s = next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        next = n->next;
        if (n->kind == IR_IF) pass_keep_places(u, n->branch.then_block);
        if (n->kind == IR_FOR && n->flags & IR_FLAG_LANES)
            keep_of_loop(u, s);
        else if (n->kind == IR_FOR || n->kind == IR_LOOP)
            pass_keep_places(u, ir_body_of(n));
    }
}
