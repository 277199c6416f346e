// Steps that write a second array and copy it back, or copy an array before they overwrite it:
//
//   for (t) { parallel for (i) b[i] = f(a[i - 1], a[i], a[i + 1]);   parallel for (i) a[i] = b[i]; }        becomes
//   for (t, two steps a pass) { parallel for (i) s[i] = f(a[i - 1], ...);   parallel for (i) a[i] = f(s[i - 1], ...); }
//
// Nothing is copied any more, and a barrier less is waited for. s is another array, so that the elements which no step
// writes, as at the edge, may be the same in both from the beginning; if b is wanted behind the loop, it gets its
// elements there. A loop that ends when data say so, `while (go)`, tests its flag between the two steps, too.
//
// The law of copies back: in a step the one loop stores each element of a range of b, or of all of it in whatever order
// (analysis/covers.c), and the other one copies that range. b is loaded between the two alone: by the iteration that
// has stored the element, and of that range by other parallel loops, as for how far all have moved.
// In the same loop, `c[i] = a[i]; a[i] = b[i]` may keep what a was one step before, as waves need it, if c is loaded by
// the iteration alone that stores the same element of b: what takes turns with a holds it then.
// The law of copies in front, `b = a; a[i] = f(b[i - 1], ...)`: b is loaded behind the copy alone, where it was copied.
// What else stores to a stands behind the copy, as what gives edges their values, and follows turns.h.
// A store that both arms of a branch make is one behind it (copy_back_arms.c).
#include "pass/memory/copy_back.h"

struct swapped {
    struct ir_unit *u;
    ir_array one, two;
};
static bool swap_store(void *user, ir_stmt s) {
    const struct swapped *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE) return true;
    if (n->store.array == x->one || n->store.array == x->two) n->store.array ^= x->one ^ x->two;
    return true;
}
static ir_expr swap_load(void *user, ir_expr e) {
    const struct swapped *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || (n->a != x->one && n->a != x->two)) return e;
    return ir_load(x->u, n->a ^ x->one ^ x->two, x->u->args + n->b, n->n, n->loc);
}

struct moved {
    struct ir_unit *u;
    ir_array from, to;
};
static bool move_store(void *user, ir_stmt s) {
    const struct moved *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE && n->store.array == x->from) n->store.array = x->to;
    return true;
}

// The body becomes a step that finds elements in the arrays themselves and stores them in the others, without the
// copies.
static ir_stmt first_step(struct copy_back *x, ir_stmt body, struct copy_back_copy *list, uint32_t count) {
    struct ir_unit *u = x->u;
    ir_stmt front = 0, behind = u->stmts[list[0].parfor].next;
    for (ir_stmt s = body, next; s != list[0].parfor; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_append(u, &front, s);
    }
    struct turns *taken[PASS_COPIES_MOST];
    uint32_t turns = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i].turns.now = list[i].other;
        list[i].turns.copied = list[i].in_front ? list[i].from : 0;
        if (list[i].stored) taken[turns++] = &list[i].turns;
    }
    turns_apply(taken, turns, behind);
    for (uint32_t i = 0; i < count; i++) {
        const struct copy_back_copy *c = &list[i];
        if (!c->stored) pass_rename_loads(u, behind, c->to, c->other);
        if (c->in_front) continue;
        ir_walk_stmts(u, front, move_store, &(struct moved){u, c->from, c->other});
        pass_rename_loads(u, front, c->from, c->other);
        if (c->last) pass_rename_loads(u, front, c->last, c->other);
    }
    ir_append(u, &front, behind);
    return front;
}

// A copy of that; `others`: the arrays have changed places.
static ir_stmt copy_step(struct copy_back *x, ir_stmt block, const struct copy_back_copy *list, uint32_t count,
                         bool others) {
    ir_stmt body = pass_copy_phases(x->u, block);
    for (uint32_t i = 0; i < count && others; i++) {
        struct swapped swap = {x->u, list[i].to, list[i].other};
        ir_walk_stmts(x->u, body, swap_store, &swap);
        ir_map_block(x->u, body, swap_load, &swap);
    }
    return body;
}

// The same of a FOR, whose counter becomes an expression.
static ir_stmt copy_counted(struct copy_back *x, ir_stmt body, const struct ir_stmt_node *loop,
                            const struct copy_back_copy *list, uint32_t count, bool others, ir_expr counter) {
    ir_stmt out = copy_step(x, body, list, count, others);
    pass_substitute(x->u, out, loop->counted.var, counter);
    return out;
}

// Elements of the range: to = from.
static ir_stmt copy_range(struct ir_unit *u, const struct copy_back_copy *c, ir_array to, ir_array from, base_loc loc) {
    ir_stmt parfor = double_buffer_copy(u, to, from, loc);
    for (uint32_t d = 0; d < u->arrays[c->to].ndims; d++) {
        struct ir_dim *dim = &u->dims[u->stmts[parfor].parfor.dims + d];
        dim->lo = c->ranges[d].lo;
        dim->hi = c->ranges[d].hi;
    }
    return parfor;
}

// The second arrays. -> what stands in front of the loop
static ir_stmt begin(struct copy_back *x, ir_stmt s, struct copy_back_copy *list, uint32_t count) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[s].loc;
    ir_stmt before = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct copy_back_copy *c = &list[i];
        const struct ir_array_info info = u->arrays[c->to];
        if (c->in_front && !c->wanted)
            c->other = c->from;
        else
            c->other = ir_add_array(u, u->arrays[c->from].name, (enum whorl_dtype)info.elem, IR_ARRAY_SCRATCH,
                                    info.ndims, info.dims, info.loc);
        if (!c->whole) ir_append(u, &before, double_buffer_copy(u, c->other, c->to, loc));
        if (c->last) ir_append(u, &before, copy_range(u, c, c->other, c->last, loc));
        base_text_format(x->p->explain, "copy_back: steps of the loop at line %u write '%s' and '%s' in turn\n",
                         u->cx->locs[loc].line, u->arrays[c->from].name, info.name);
    }
    return before;
}

// Behind the loop. `in_other`: elements are in the other arrays after its last step. A copy back was of these; one in
// front, and what keeps the step before, of those that the step found.
static ir_stmt finish(struct copy_back *x, const struct copy_back_copy *list, uint32_t count, bool in_other,
                      base_loc loc) {
    ir_stmt out = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct copy_back_copy *c = &list[i];
        ir_array now = in_other ? c->other : c->to, old = in_other ? c->to : c->other;
        if (c->wanted) ir_append(x->u, &out, copy_range(x->u, c, c->from, c->in_front ? old : now, loc));
        if (c->last_wanted) ir_append(x->u, &out, copy_range(x->u, c, c->last, old, loc));
    }
    for (uint32_t i = 0; i < count && in_other; i++)
        ir_append(x->u, &out, double_buffer_copy(x->u, list[i].to, list[i].other, loc));
    return out;
}

static ir_stmt unroll(struct copy_back *x, ir_stmt s, struct copy_back_copy *list, uint32_t count, uint64_t trips) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint32_t lo = 0, step = (uint32_t)n.counted.step;
    ir_is_const(u, n.counted.lo, &lo);
    uint32_t turn = lo + (uint32_t)(trips - trips % 2) * step;
    ir_stmt out = begin(x, s, list, count), body = 0, one = first_step(x, n.counted.body, list, count);
    ir_expr counter = ir_var_read(u, n.counted.var, n.loc);
    ir_append(u, &body, copy_counted(x, one, &n, list, count, false, counter));
    counter = ir_op2(u, IR_ADD, counter, ir_const(u, type, step), n.loc);
    ir_append(u, &body, copy_counted(x, one, &n, list, count, true, counter));
    ir_stmt last = trips % 2 ? copy_counted(x, one, &n, list, count, false, ir_const(u, type, turn)) : 0;
    u->stmts[s].counted.hi = ir_const(u, type, turn);
    u->stmts[s].counted.step = (int32_t)(step * 2);
    u->stmts[s].counted.body = body;
    u->stmts[s].counted.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    ir_append(u, &out, last);
    ir_append(u, &out, finish(x, list, count, last != 0, n.loc));
    return out;
}

// As nobody knows whether the loop makes an odd number of steps, or any, a variable keeps where elements are.
static ir_stmt unroll_open(struct copy_back *x, ir_stmt s, struct copy_back_copy *list, uint32_t count) {
    enum { BOTH, IN_OTHER, NO_STEP };
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_var where = ir_add_var(u, "turn", IR_I32, IR_VAR_ENTRY, n.loc);
    ir_stmt out = ir_assign(u, where, ir_const_i32(u, NO_STEP), n.loc);
    ir_append(u, &out, begin(x, s, list, count));
    ir_stmt one = first_step(x, n.loop.body, list, count);
    ir_stmt body = copy_step(x, one, list, count, false), second = copy_step(x, one, list, count, true);
    ir_append(u, &body, ir_assign(u, where, ir_const_i32(u, IN_OTHER), n.loc));
    ir_append(u, &second, ir_assign(u, where, ir_const_i32(u, BOTH), n.loc));
    ir_append(u, &body, ir_if(u, n.loop.cond, second, 0, n.loc));
    u->stmts[s].loop.body = body;
    u->stmts[s].loop.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    for (int in_other = 1; in_other >= 0; in_other--) {
        ir_stmt block = finish(x, list, count, in_other, n.loc);
        ir_expr at = ir_var_read(u, where, n.loc);
        ir_expr holds = ir_op2(u, IR_EQ, at, ir_const_i32(u, in_other ? IN_OTHER : BOTH), n.loc);
        if (block) ir_append(u, &out, ir_if(u, holds, block, 0, n.loc));
    }
    return out;
}

// Two steps of it may be unrolled. *trips: of a FOR.
static bool has_steps(const struct ir_unit *u, ir_stmt s, uint64_t *trips) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t lo;
    if ((n->kind != IR_FOR && n->kind != IR_LOOP) || ir_unroll_of(n) > 1 ||
        2 * pass_size(u, ir_body_of(n)) > PASS_MOST_PHASE_COPIES)
        return false;
    if (n->kind == IR_LOOP) return pass_is_open_loop(u, s);
    return ir_const_trips(u, s, trips) && ir_is_const(u, n->counted.lo, &lo) && *trips >= 2 && *trips <= INT32_MAX &&
           pass_fits_step(n->counted.step, 2) && !pass_leaves_loop(u, n->counted.body);
}

static ir_stmt copy_loop(void *user, ir_stmt done, ir_stmt s) {
    struct copy_back *x = user;
    struct ir_unit *u = x->u;
    uint64_t trips;
    (void)done;
    if (!has_steps(u, s, &trips)) return s;
    // (rotate.c unrolls steps by what their number leaves: with an odd divisor there would be twice as many)
    uint32_t modulus = pass_rotate_modulus(u, s);
    if (modulus > 1 && modulus % 2) return s;
    ir_stmt body = ir_body_of(&u->stmts[s]);
    for (ir_stmt t = body; t; t = u->stmts[t].next) {
        struct copy_back_copy list[PASS_COPIES_MOST];
        uint32_t count = copy_back_find(x, body, t, list);
        if (!count) continue;
        x->taken++;
        return u->stmts[s].kind == IR_FOR ? unroll(x, s, list, count, trips) : unroll_open(x, s, list, count);
    }
    return s;
}

static void take_loops(struct copy_back *x) {
    struct pass_rewriter copying = {.u = x->u, .user = x, .phases = true, .replace = copy_loop};
    x->u->root = pass_rewrite_block(&copying, x->u->root);
}

// On a copy, behind whose branches there is a store for those that both arms make, if `joins`. -> loops that were taken
static uint32_t try_loops(const struct copy_back *x, bool joins, struct pass_cx *out) {
    *out = pass_copy(x->p);
    if (joins && !copy_back_join_arms(out->u, x->copied, x->array_count)) return 0;
    struct copy_back copy = {.p = out, .u = out->u};
    copy_back_begin(&copy);
    take_loops(&copy);
    return copy.taken;
}

void pass_copy_back(struct pass_cx *p) {
    struct copy_back x = {.p = p, .u = p->u};
    struct pass_cx joined, as_is;
    copy_back_begin(&x);
    bool any = false;
    for (ir_array a = 1; a < x.array_count; a++)
        any |= x.copied[a];
    struct base_scratch scratch = base_scratch_begin(p->u->cx); // mostly nothing is joined
    uint32_t most = any ? try_loops(&x, true, &joined) : 0;
    if (most && most > try_loops(&x, false, &as_is)) {
        p->u = joined.u;
        base_text_put(p->explain, joined.explain->data);
        return;
    }
    base_scratch_end(p->u->cx, &scratch);
    take_loops(&x);
}
