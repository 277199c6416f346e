// An iteration of a parallel loop over a few lanes of a subgroup: neighbouring invocations that exchange values by
// shuffles, without memory and without a barrier. All lanes run the whole iteration, with the same values and so along
// the same way, but for the loops that they share: there lane l makes the passes l, l + lanes, ... Sums and the like
// start at their identity on each lane, and IR_AGREE then gives all lanes the same result. Since no barrier is needed,
// such a loop may be short and stand anywhere: in a time loop that ends when it likes.
//
// Local arrays that only shared loops touch, at the loop's own index, are *dealt out*: each lane keeps the elements of
// its passes. The pass runs before loops are unrolled, so what a lane makes of its passes is unrolled, becomes scalars,
// and loads that depend on the lane but not on time move out of the time loop: a policy's weights lie spread over the
// registers of its lanes.
//
// Stores to memory: in shared loops each lane makes its own (IR_FLAG_OWN), elsewhere lane 0 alone does. What is written
// must not be read in the iteration, since nothing orders a store of one lane before a load of another. Atomic updates
// are made likewise, by one operator for each array, since nothing orders those of two lanes either.
#include <string.h>

#include "pass/analysis/array_uses.h"
#include "pass/cost.h"
#include "pass/lanes/spread.h"

// ---- which loops? ---------------------------------------------------------------------------------------------------

// Pass k of the loop has the index k: only then do two loops deal out an array alike.
static bool counts_up(const struct ir_unit *u, ir_stmt loop) {
    const struct ir_stmt_node *n = &u->stmts[loop];
    uint32_t lo;
    return n->counted.step == 1 && ir_is_const(u, n->counted.lo, &lo) && lo == 0;
}

bool pass_has_simd(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_FOR && (n->flags & IR_FLAG_SIMD)) return true;
        if (n->kind == IR_IF && (pass_has_simd(u, n->branch.then_block) || pass_has_simd(u, n->branch.else_block)))
            return true;
        if (pass_has_simd(u, ir_body_of(n))) return true;
    }
    return false;
}

// A loop that nobody asked to share may still be, where it only works on local arrays element by element: then an array
// that the other loops want dealt out can be.
static bool helps(const struct ir_unit *u, ir_stmt loop) {
    const struct ir_stmt_node *n = &u->stmts[loop];
    if (pass_has_simd(u, n->counted.body)) return false;
    struct pass_uses x = pass_uses_of(u, n->counted.body, n->counted.var);
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (x.stores[a] && u->arrays[a].klass != IR_ARRAY_LOCAL) return false;
        any |= x.stores[a] != 0;
    }
    return any && counts_up(u, loop);
}

// Passes of the block's loops at most, UINT64_MAX: nobody knows. Notes them of each loop whose number is no constant;
// *io_open: there is one.
static uint64_t most_passes(struct spread *x, ir_stmt block, bool *io_open) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    uint64_t sum = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner), around = pass_scope_enter(x->sc);
        uint64_t trips = n->kind == IR_LOOP ? UINT64_MAX : 1, inside = 0;
        bool open = n->kind == IR_LOOP || (n->kind == IR_FOR && !ir_const_trips(u, s, &trips));
        if (open && n->kind == IR_FOR) {
            trips = pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step);
            uint32_t indexed = n->counted.step == 1 && trips > PASS_SHARE_MOST_PASSES
                                   ? pass_most_indexed(u, n->counted.body, n->counted.var)
                                   : 0; // by what data say there might be more
            x->indexed[s] = indexed;
            x->most[s] = trips = indexed ? indexed : trips;
        }
        *io_open |= open;
        if (n->kind == IR_FOR) pass_scope_loop(x->sc, s);
        for (uint32_t i = 0; i < blocks; i++) {
            uint64_t passes = most_passes(x, inner[i], io_open);
            inside = passes > UINT64_MAX - inside ? UINT64_MAX : inside + passes;
        }
        if (n->kind == IR_FOR || n->kind == IR_LOOP) inside = inside < UINT64_MAX / 2 ? inside + 1 : inside;
        inside = inside && trips > UINT64_MAX / inside ? UINT64_MAX : trips * inside;
        sum = inside > UINT64_MAX - sum ? UINT64_MAX : sum + inside;
        pass_scope_leave(x->sc, around);
        if (n->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
    }
    pass_scope_leave(x->sc, mark);
    return sum;
}

// What each lane makes in its passes ends in time: it cannot pause where others may have no part (analysis/varies.c).
static bool ends_in_time(struct spread *x, ir_stmt loop) {
    uint32_t mark = pass_scope_enter(x->sc);
    bool open = false;
    pass_scope_loop(x->sc, loop);
    uint64_t most = most_passes(x, x->u->stmts[loop].counted.body, &open);
    pass_scope_leave(x->sc, mark);
    return !open || most <= PASS_SHARE_MOST_PASSES;
}

// The loops without a constant number of passes in what a lane does by itself: how many they are at most. Where only
// what they index says so, they are put within that: whatever data say, a lane has to end.
static bool note_most(void *user, ir_stmt s) {
    struct spread *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind != IR_FOR || !x->most[s]) return true;
    if (x->indexed[s]) {
        enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
        ir_expr lo = ir_op2(u, IR_MAX, n.counted.lo, ir_const(u, type, 0), n.loc),
                hi = ir_op2(u, IR_MIN, n.counted.hi, ir_const(u, type, x->indexed[s]), n.loc);
        u->stmts[s].counted.lo = lo;
        u->stmts[s].counted.hi = hi;
    }
    u->stmts[s].flags |= IR_FLAG_LONGEST;
    u->stmts[s].counted.tick_passes = (uint32_t)x->most[s];
    return true;
}

static bool take_loop(struct spread *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct spread_loop loop = {.stmt = s, .asked = n.flags & IR_FLAG_SIMD};
    if (x->refused[s] || !ir_const_trips(u, s, &loop.trips) || loop.trips > INT32_MAX / 2 ||
        loop.trips < (loop.asked ? PASS_SPREAD_LEAST_PASSES : PASS_SPREAD_LEAST_HELPER) ||
        pass_leaves_loop(u, n.counted.body) || !ends_in_time(x, s) ||
        !pass_simd_reductions(u, n.counted.body, x->reads, loop.reductions, &loop.reduction_count) ||
        (!loop.asked && (loop.reduction_count || !helps(u, s))))
        return false;
    BASE_RESERVE(u->cx, x->loops, x->count, x->cap);
    x->loops[x->count++] = loop;
    return true;
}

// The outermost loops of the block that may be shared.
static void find_loops(struct spread *x, ir_stmt block) {
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = n->kind == IR_FOR && take_loop(x, s) ? 0 : ir_blocks_of(n, inner),
                 around = pass_scope_enter(x->sc);
        if (n->kind == IR_FOR) pass_scope_loop(x->sc, s);
        for (uint32_t i = 0; i < blocks; i++)
            find_loops(x, inner[i]);
        pass_scope_leave(x->sc, around);
        if (n->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
    }
    pass_scope_leave(x->sc, mark);
}

// Loops that write the array; where there are any, those that nobody asked for alone: they may be what stood in the
// others' way.
static bool refuse(struct spread *x, const struct pass_uses *in, ir_array a, bool asked) {
    bool any = false;
    for (uint32_t i = 0; i < x->count; i++) {
        if (!in[i].stores[a] || x->loops[i].asked != asked) continue;
        x->refused[x->loops[i].stmt] = true;
        any = true;
    }
    return any;
}

// An array that shared loops write: all accesses that count are in such loops, along one dimension at their own index.
// Returns 1 + the dimension, 0 for none.
static uint8_t dealt_along(const struct spread *x, const struct pass_uses *all, const struct pass_uses *in,
                           ir_array a) {
    for (uint32_t d = 0; d < x->u->arrays[a].ndims; d++) {
        uint32_t exact = 0;
        for (uint32_t i = 0; i < x->count; i++)
            exact += counts_up(x->u, x->loops[i].stmt) ? in[i].exact[a * IR_MAX_DIMS + d] : 0;
        if (exact == all->all[a]) return (uint8_t)(1 + d);
    }
    return 0;
}

// Sets x->dealt; refuses loops that write what cannot be dealt out, and returns true where there were any.
static bool deal(struct spread *x) {
    struct ir_unit *u = x->u;
    struct pass_uses all = pass_uses_of(u, x->body, 0);
    struct pass_uses *in = base_alloc_array(u->cx, x->count + 1, sizeof *in);
    for (uint32_t i = 0; i < x->count; i++) {
        const struct ir_stmt_node *n = &u->stmts[x->loops[i].stmt];
        in[i] = pass_uses_of(u, n->counted.body, n->counted.var);
    }
    bool helper = false, again = false;
    uint8_t *stuck = base_alloc_array(u->cx, u->array_count, sizeof *stuck);
    x->dealt = base_alloc_array(u->cx, u->array_count, sizeof *x->dealt);
    x->deals = false;
    for (ir_array a = 1; a < u->array_count; a++) {
        bool stored = false;
        for (uint32_t i = 0; i < x->count; i++)
            stored |= in[i].stores[a] != 0;
        if (!stored || x->updated[a]) continue;
        uint8_t along = dealt_along(x, &all, in, a);
        stuck[a] = !along;
        if (!along) helper |= refuse(x, in, a, false);
        if (u->arrays[a].klass == IR_ARRAY_LOCAL) x->dealt[a] = along;
        x->deals |= x->dealt[a] != 0;
    }
    for (ir_array a = 1; a < u->array_count && !helper; a++)
        if (stuck[a]) again |= refuse(x, in, a, true);
    return helper || again;
}

struct updates {
    const struct ir_unit *u;
    uint32_t *count; // by array
    uint8_t *ops;    // by array: the operator of the updates so far
    bool *mixed;     // by array: there are others
};
static bool count_update(void *user, ir_stmt s) {
    struct updates *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_ATOMIC || n->flags & IR_FLAG_FIXED || n->atomic.old || n->atomic.expected ||
        n->atomic.op == IR_SELECT)
        return true;
    ir_array a = n->atomic.array;
    x->mixed[a] |= x->count[a] && x->ops[a] != n->atomic.op;
    x->ops[a] = (uint8_t)n->atomic.op;
    x->count[a]++;
    return true;
}

// By array: all that the iteration does with it is to update it, always by the same operator, which asks for no old
// value. Each lane may do so in its passes, in whatever order. Sums of one order are made without atomics, one after
// the other (reduce_arrays.c).
static bool *updated_only(const struct spread *x) {
    struct ir_unit *u = x->u;
    struct pass_uses all = pass_uses_of(u, x->body, 0);
    struct updates updates = {.u = u};
    updates.count = base_alloc_array(u->cx, u->array_count, sizeof *updates.count);
    updates.ops = base_alloc_array(u->cx, u->array_count, sizeof *updates.ops);
    updates.mixed = base_alloc_array(u->cx, u->array_count, sizeof *updates.mixed);
    ir_walk_stmts(u, x->body, count_update, &updates);
    bool *out = base_alloc_array(u->cx, u->array_count, sizeof *out);
    for (ir_array a = 1; a < u->array_count; a++)
        out[a] = updates.count[a] && updates.count[a] == all.all[a] && !updates.mixed[a];
    return out;
}

// Nothing that the iteration writes to memory is read in it, but for rows (keep.c), or shared with others, but for
// arrays that it only updates.
static bool memory_is_fit(const struct spread *x, ir_stmt parfor) {
    const struct ir_unit *u = x->u;
    struct ir_effects fx = ir_effects_of(u, x->body);
    bool is_atomic = pass_is_atomic(u, x->body);
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].klass != IR_ARRAY_LOCAL && ir_bit(fx.arrays_written, a) && !x->updated[a] &&
            ((is_atomic && u->arrays[a].atomic) || (ir_bit(fx.arrays_read, a) && !x->apart[parfor] && !x->rows)))
            return false;
    return true;
}

// Rows of matrices are better shared by lanes of a workgroup, many at a time (lanes.c), which have no part in each
// other's local arrays.
static bool has_rows(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (pass_for_lanes(u, s) && !pass_writes_local(u, s)) return true;
        if (n->kind == IR_IF && (has_rows(u, n->branch.then_block) || has_rows(u, n->branch.else_block))) return true;
        if (has_rows(u, ir_body_of(n))) return true;
    }
    return false;
}

static bool any_asked(const struct spread *x) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->loops[i].asked) return true;
    return false;
}

static bool choose_loops(struct spread *x) {
    do {
        x->count = 0;
        find_loops(x, x->body);
    } while (deal(x));
    return any_asked(x);
}

// ---- what each lane does --------------------------------------------------------------------------------------------

struct dealing {
    const struct spread *x;
    struct ir_unit *u;
    const ir_array *own; // by array: what a lane keeps of it, 0 for those that are not dealt out
    uint32_t array_cap;
    uint32_t lanes;
    ir_var lane;
    ir_expr pass; // number of the pass among those of this lane
};

static uint32_t dealt_args(struct dealing *x, ir_array a, uint32_t first, uint32_t n) {
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n && d < IR_MAX_DIMS; d++)
        indices[d] = d + 1u == x->x->dealt[a] ? x->pass : x->u->args[first + d];
    return ir_add_args(x->u, indices, n);
}
static bool is_dealt(const struct dealing *x, ir_array a) { return a < x->array_cap && x->own[a]; }

static ir_expr deal_load(void *user, ir_expr e) {
    struct dealing *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || !is_dealt(x, n.a)) return e;
    uint32_t first = dealt_args(x, n.a, n.b, n.n);
    return ir_load(x->u, x->own[n.a], x->u->args + first, n.n, n.loc);
}
static bool deal_store(void *user, ir_stmt s) {
    struct dealing *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ATOMIC) n->flags |= IR_FLAG_OWN;
    if (n->kind != IR_STORE) return true;
    ir_array a = n->store.array;
    if (is_dealt(x, a)) {
        n->store.array = x->own[a];
        n->store.indices = dealt_args(x, a, n->store.indices, n->store.index_count);
    } else if (x->u->arrays[a].klass != IR_ARRAY_LOCAL) {
        n->flags |= IR_FLAG_OWN;
    }
    return true;
}

static ir_expr times(struct ir_unit *u, ir_expr e, uint32_t factor) {
    return factor == 1 ? e : ir_op2(u, IR_MUL, e, ir_const(u, (enum ir_type)u->nodes[e].type, factor), 0);
}

// The body for one pass of a lane: a copy with variables of its own, `map` apart.
static ir_stmt own_pass(struct dealing *x, const struct ir_stmt_node *loop, const ir_var *partials, ir_expr pass) {
    struct ir_unit *u = x->u;
    ir_var counter = loop->counted.var;
    enum ir_type type = (enum ir_type)u->vars[counter].type;
    struct ir_effects fx = ir_effects_of(u, loop->counted.body);
    uint32_t count = u->var_count;
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    for (ir_var v = 1; v < count; v++) {
        map[v] = partials[v];
        if (!map[v] && ir_bit(fx.vars_written, v))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    }
    ir_stmt copy = ir_clone_block(u, loop->counted.body, map, NULL);
    x->pass = pass;
    ir_walk_stmts(u, copy, deal_store, x);
    ir_map_block(u, copy, deal_load, x);
    ir_expr lane = ir_var_read(u, x->lane, loop->loc);
    if (type == IR_U32) lane = ir_op1(u, IR_I2U, lane, loop->loc);
    ir_expr number = ir_op2(u, IR_ADD, lane, times(u, pass, x->lanes), loop->loc);
    ir_expr distance = times(u, number, (uint32_t)loop->counted.step);
    pass_substitute(u, copy, counter, ir_op2(u, IR_ADD, distance, loop->counted.lo, loop->loc));
    return copy;
}

// The statements that replace the shared loop.
static ir_stmt share(struct dealing *x, const struct spread_loop *loop) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[loop->stmt];
    ir_var counter = n.counted.var;
    enum ir_type type = (enum ir_type)u->vars[counter].type;
    uint32_t whole = (uint32_t)(loop->trips / x->lanes), rest = (uint32_t)(loop->trips % x->lanes);
    ir_var *partials = base_alloc_array(u->cx, u->var_count + PASS_SIMD_REDUCTIONS, sizeof *partials);
    ir_stmt out = 0;
    for (uint32_t i = 0; i < loop->reduction_count; i++) {
        const struct ir_reduction *r = &loop->reductions[i];
        enum ir_type held = (enum ir_type)u->vars[r->var].type;
        partials[r->var] = ir_add_var(u, u->vars[r->var].name, held, IR_VAR_LOCAL, n.loc);
        bool again = r->op == IR_FMIN || r->op == IR_FMAX; // as often as one likes: if it is no number, so are all
        ir_expr start = again ? ir_var_read(u, r->var, n.loc) : ir_const(u, held, ir_identity(r->op, held));
        ir_append(u, &out, ir_assign(u, partials[r->var], start, n.loc));
    }
    uint32_t *by_var = base_alloc_array(u->cx, 3 * (size_t)u->var_count + 1, sizeof *by_var); // own_pass adds variables
    memcpy(by_var, partials, (u->var_count - loop->reduction_count) * sizeof *by_var);
    if (whole == 1) {
        ir_append(u, &out, own_pass(x, &n, by_var, ir_const(u, type, 0)));
    } else if (whole) {
        ir_var pass = ir_add_var(u, u->vars[counter].name, type, IR_VAR_LOCAL, n.loc);
        ir_stmt body = own_pass(x, &n, by_var, ir_var_read(u, pass, n.loc));
        ir_append(u, &out, ir_for(u, pass, ir_const(u, type, 0), ir_const(u, type, whole), 1, body, n.loc));
    }
    if (rest) {
        ir_stmt body = own_pass(x, &n, by_var, ir_const(u, type, whole));
        ir_expr has = ir_op2(u, IR_LT, ir_var_read(u, x->lane, n.loc), ir_const_i32(u, (int32_t)rest), n.loc);
        ir_append(u, &out, ir_if(u, has, body, 0, n.loc));
    }
    for (uint32_t i = 0; i < loop->reduction_count; i++) {
        const struct ir_reduction *r = &loop->reductions[i];
        ir_stmt agree = ir_add_stmt(u, IR_AGREE, n.loc);
        u->stmts[agree].agree.var = partials[r->var];
        u->stmts[agree].agree.op = r->op;
        ir_append(u, &out, agree);
        ir_expr sum =
            ir_op2(u, (enum ir_op)r->op, ir_var_read(u, r->var, n.loc), ir_var_read(u, partials[r->var], n.loc), n.loc);
        ir_append(u, &out, ir_assign(u, r->var, sum, n.loc));
    }
    return out;
}

// What a lane keeps of each array that is dealt out.
static ir_array *own_arrays(const struct spread *x, uint32_t lanes, struct base_text *names) {
    struct ir_unit *u = x->u;
    uint32_t count = u->array_count;
    ir_array *own = base_alloc_array(u->cx, count, sizeof *own);
    for (ir_array a = 1; a < count; a++) {
        if (!x->dealt[a]) continue;
        const struct ir_array_info info = u->arrays[a];
        ir_expr dims[IR_MAX_DIMS];
        uint32_t size = 1;
        memcpy(dims, info.dims, sizeof dims);
        ir_is_const(u, dims[x->dealt[a] - 1], &size);
        dims[x->dealt[a] - 1] = ir_const_i32(u, (int32_t)((size + lanes - 1) / lanes));
        own[a] = ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_LOCAL, info.ndims, dims, info.loc);
        base_text_format(names, "%s'%s'", *names->data ? ", " : "", info.name);
    }
    return own;
}

static void rewrite(struct spread *x, ir_stmt parfor, uint32_t lanes) {
    struct ir_unit *u = x->u;
    struct base_text names;
    base_text_init(&names, u->cx);
    base_text_put(&names, "");
    struct dealing d = {.x = x, .u = u, .lanes = lanes, .array_cap = u->array_count};
    d.own = own_arrays(x, lanes, &names);
    d.lane = ir_add_var(u, "lane", IR_I32, IR_VAR_DIM, u->stmts[parfor].loc);
    ir_stmt *loops = base_alloc_array(u->cx, x->count, sizeof *loops);
    for (uint32_t i = 0; i < x->count; i++) {
        loops[i] = x->loops[i].stmt;
        ir_walk_stmts(u, u->stmts[x->loops[i].stmt].counted.body, note_most, x);
        ir_stmt first = share(&d, &x->loops[i]), last = first;
        while (u->stmts[last].next)
            last = u->stmts[last].next;
        u->stmts[last].next = u->stmts[x->loops[i].stmt].next;
        u->stmts[x->loops[i].stmt] = u->stmts[first]; // in its place
    }
    struct ir_stmt_node *n = &u->stmts[parfor];
    n->flags |= IR_FLAG_LANES;
    n->parfor.lanes = lanes;
    n->parfor.lane_var = d.lane;
    base_text_format(
        x->p->explain,
        "spread: an iteration of the loop at line %u runs on %u lanes of a subgroup, which share %u loop%s%s%s\n",
        u->cx->locs[n->loc].line, lanes, x->count, base_s(x->count), *names.data ? " and the elements of " : "",
        names.data);
    pass_say_loops(x->p, "spread", parfor, loops, x->count);
}

static void spread_parfor(struct spread *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    x->body = n.parfor.body;
    x->rows = n.flags & IR_FLAG_OWN;
    if ((x->only && parfor != x->only) || parfor >= x->stmt_cap || n.flags & IR_FLAG_LANES ||
        (!x->rows && has_rows(u, x->body)))
        return;
    if (!pass_has_simd(u, x->body) || !pass_iterations(x->sc, parfor, &x->iterations)) return;
    if (x->iterations == 0 || x->iterations > PASS_MOST_LANED) return;
    x->reads = base_alloc_array(u->cx, u->var_count, sizeof *x->reads);
    pass_count_reads(u, x->body, x->reads);
    x->updated = updated_only(x);
    if (!memory_is_fit(x, parfor) || !choose_loops(x)) return;
    uint32_t lanes = pass_spread_count(x, &x->part);
    if (lanes >= 2) rewrite(x, parfor, lanes);
}

static void spread_in_scope(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct spread *x = user;
    uint32_t mark = pass_scope_enter(sc);
    x->sc = sc;
    pass_scope_parfor(sc, parfor);
    spread_parfor(x, parfor);
    pass_scope_leave(sc, mark);
}

static void spread(struct spread *x) {
    struct pass_scope sc;
    x->refused = base_alloc_array(x->u->cx, x->stmt_cap, sizeof *x->refused);
    x->apart = base_alloc_array(x->u->cx, x->stmt_cap, sizeof *x->apart);
    x->most = base_alloc_array(x->u->cx, x->stmt_cap, sizeof *x->most);
    x->indexed = base_alloc_array(x->u->cx, x->stmt_cap, sizeof *x->indexed);
    pass_find_apart(x->p, x->apart);
    pass_scope_init(&sc, x->u);
    pass_each_parfor(&sc, spread_in_scope, x);
}

void pass_spread(struct pass_cx *p) {
    if (p->target->subgroup_lanes < 2) return;
    struct spread x = {.p = p, .u = p->u, .stmt_cap = p->u->stmt_count};
    spread(&x);
    pass_fold(p);
}

double pass_weigh_spreading(struct pass_cx *copy, ir_stmt parfor) {
    struct spread x = {.p = copy, .u = copy->u, .stmt_cap = copy->u->stmt_count, .only = parfor, .part = 1};
    spread(&x);
    return copy->u->stmts[parfor].flags & IR_FLAG_LANES && x.deals ? x.part : 1;
}
