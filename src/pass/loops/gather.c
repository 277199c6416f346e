// Loads that a driver does not move or make several at once: a serial loop then waits for memory in each of its passes.
// Those of arrays that the phases of one dispatch write go past the nearest cache; and none moves up past what the loop
// itself stores, or past a branch. So a few passes are made at once: first all that they load so, then the passes one
// after the other, in C's order and with the same bits.
//
//   for (j < n) s += score[j] * v[j][d];      becomes
//   for (j < n / 8 * 8; j += 8) { a = score[j]; b = score[j + 1]; ...; s += a * v[j][d]; s += b * v[j + 1][d]; ... }
//
// and a loop for the rest. Where nobody knows how many passes these are until the loop begins, they come several at
// once, too: a round loads the last pass's elements again in place of those behind it, and makes only the passes that
// there are.
//
//   for (; j < n; j += 4) { a = score[j]; b = score[min(j + 1, n - 1)]; ...; s += a * ...; if (j + 1 < n) s += b...; }
//
// Of a loop that lanes share, each lane makes some of its own passes at once. Indices may be loaded, too: of x[row[j]],
// row comes first for all of the passes.
//
// The law: what a pass stores no other pass loads, and the pass itself does not load it afterwards, so the loads may
// come in any order; and each of them would be made anyway, since no pass is left early and the indices are known from
// the counter (prefetch.c, which does the same one round ahead, and only with what the parallel loop never writes).
#include "pass/cost.h"
#include "pass/passes.h"

struct gatherer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    const struct ir_effects *program;
    bool grid;             // the program is one dispatch, so that loads of what it writes go far
    uint64_t invocations;  // of the parallel loop, at most
    struct ir_effects all; // of its body
    uint32_t *reads, vars; // of it, by variable, before any of its loops changed
    uint32_t lanes;        // that share its loops; 0: none
    // of the loop under way
    bool stores, branches; // to memory; passes have branches, across which a driver moves no load
    struct ir_effects fx;  // of its body, without what `heads` assign
    uint32_t heads;        // statements at its beginning that say which element it is
    ir_expr loads[PASS_GATHER_LOADS];
    uint32_t count, flat;    // loads of a pass, of which the first `flat` have no index that is loaded
    uint32_t together;       // passes at once
    bool masked;             // passes of the last round may be none of the loop
    bool few;                // there may be too few for lanes that share them to make several each
    uint32_t most;           // its ends are no plain numbers, but its passes index an array of this size; else 0
    ir_var first, end, last; // of a masked loop: its first pass, one beyond its last, and that
};

struct glance {
    const struct ir_unit *u;
    bool fits, stores, branches, runs; // runs: of neighbours that are one access
};
static bool on_stmt(void *user, ir_stmt s) {
    struct glance *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    bool store = n->kind == IR_STORE && ir_in_buffer(x->u, n->store.array), update = n->kind == IR_ATOMIC;
    x->stores |= store || update;
    x->branches |= n->kind == IR_IF;
    x->runs |= ir_run_of(n) != 0;
    x->fits &= n->kind != IR_FOR && n->kind != IR_LOOP && !(update && n->atomic.old) && n->kind != IR_AGREE &&
               n->kind != IR_STAGE && n->kind != IR_TURN && !(store && x->u->arrays[n->store.array].atomic) &&
               !(n->kind == IR_ASSIGN && (n->flags & IR_FLAG_ATOMIC || n->assign.run));
    return x->fits;
}

// It is the innermost and does nothing but compute, store and update.
static bool is_plain(struct gatherer *x, ir_stmt loop) {
    ir_stmt body = x->u->stmts[loop].counted.body;
    struct glance glance = {.u = x->u, .fits = true};
    ir_walk_stmts(x->u, body, on_stmt, &glance);
    x->stores = glance.stores;
    x->branches = glance.branches;
    if (x->u->stmts[loop].flags & IR_FLAG_LANES && glance.runs) return false; // several at once already
    return glance.fits && !pass_leaves_loop(x->u, body);
}

// A pass loads from the array what it stored there itself.
static bool is_read_back(const struct pass_accesses *list, ir_array a) {
    bool stored = false;
    for (uint32_t k = 0; k < list->count; k++) {
        if (list->items[k].array != a) continue;
        if (stored && !list->items[k].store) return true;
        stored |= list->items[k].store;
    }
    return false;
}

struct mention {
    const struct gatherer *x;
    bool loads, changes; // it loads; it has a variable that the loop writes, but for the counter and the heads'
    ir_var var;
    bool has_var;
};
static bool on_mention(void *user, ir_expr e) {
    struct mention *m = user;
    const struct ir_node *n = &m->x->u->nodes[e];
    m->loads |= n->op == IR_LOAD;
    m->changes |= n->op == IR_VAR && ir_bit(m->x->fx.vars_written, n->a);
    m->has_var |= n->op == IR_VAR && n->a == m->var;
    return true;
}

static bool is_in(const struct ir_unit *u, const ir_expr *list, uint32_t count, ir_expr load) {
    for (uint32_t i = 0; i < count; i++)
        if (ir_same_expr(u, list[i], load)) return true;
    return false;
}
static bool is_listed(const struct gatherer *x, ir_expr load) { return is_in(x->u, x->loads, x->count, load); }

// Its variable is the loop's own and set once, and follows from the loop's counter alone.
static bool is_head(struct gatherer *x, ir_stmt s, const struct pass_privates *own) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    struct ir_effects later = ir_effects_of(x->u, n->next);
    struct mention m = {.x = x};
    bool mine = false;
    if (n->kind != IR_ASSIGN) return false;
    ir_walk_expr(x->u, n->assign.value, on_mention, &m);
    for (uint32_t i = 0; i < own->count && !mine; i++)
        mine = own->vars[i] == n->assign.var;
    return mine && !m.loads && !m.changes && !n->flags && !ir_bit(later.vars_written, n->assign.var);
}

// The loop's body begins with what follows from its counter alone, as with the number of an iteration from those of its
// block and its pass.
static void find_heads(struct gatherer *x, ir_stmt loop) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[loop].counted.body;
    ir_var counter = u->stmts[loop].counted.var;
    x->fx = ir_effects_of(u, body);
    x->fx.vars_written[counter / 32] &= ~(1u << counter % 32);
    x->heads = 0;
    struct base_scratch scratch = base_scratch_begin(u->cx); // there may be many loops
    struct pass_privates own = pass_privates_of(u, body, x->reads, x->vars);
    for (ir_stmt s = body; s && is_head(x, s, &own); s = u->stmts[s].next, x->heads++) {
        ir_var v = u->stmts[s].assign.var;
        x->fx.vars_written[v / 32] &= ~(1u << v % 32);
    }
    base_scratch_end(u->cx, &scratch);
}

static bool on_dim(void *user, ir_expr e) {
    struct mention *m = user;
    const struct ir_node *n = &m->x->u->nodes[e];
    m->has_var |= n->op == IR_VAR && m->x->u->vars[n->a].klass == IR_VAR_DIM;
    return true;
}

// Other iterations load others.
static bool is_row(const struct gatherer *x, const struct pass_access *a) {
    struct mention m = {.x = x};
    for (uint32_t i = 0; i < a->n; i++)
        ir_walk_expr(x->u, a->indices[i], on_dim, &m);
    return m.has_var;
}

// Nobody writes it meanwhile, and all iterations load the same: if it is small, a copy in workgroup memory may be made
// of it (stage.c).
static bool is_for_all(const struct gatherer *x, const struct pass_access *a) {
    return ir_in_buffer(x->u, a->array) && !is_row(x, a) && !ir_bit(x->all.arrays_written, a->array);
}

// It is another element in each pass.
static bool moves(const struct gatherer *x, ir_stmt loop, const struct pass_access *a) {
    const struct ir_unit *u = x->u;
    ir_stmt s = u->stmts[loop].counted.body;
    for (uint32_t k = 0; k <= x->heads; k++) {
        struct mention m = {.x = x, .var = k ? u->stmts[s].assign.var : u->stmts[loop].counted.var};
        for (uint32_t i = 0; i < a->n; i++)
            ir_walk_expr(u, a->indices[i], on_mention, &m);
        if (m.has_var) return true;
        if (k) s = u->stmts[s].next;
    }
    return false;
}

static bool is_known(const struct gatherer *x, const struct pass_access *a) {
    struct mention m = {.x = x};
    for (uint32_t i = 0; i < a->n; i++)
        ir_walk_expr(x->u, a->indices[i], on_mention, &m);
    return !m.loads && !m.changes;
}

// Each pass makes the load, at a place that no other pass stores to, and has not stored there before.
static bool may_come_first(const struct gatherer *x, const struct pass_accesses *list, const struct pass_access *a) {
    const struct ir_unit *u = x->u;
    return a->load && !a->conditional && ir_in_buffer(u, a->array) &&
           !(u->arrays[a->array].atomic && ir_bit(x->all.arrays_written, a->array)) && !is_read_back(list, a->array);
}

// Of a load whose indices are loaded: the loads in them.
struct inner {
    struct gatherer *x;
    const struct pass_accesses *list;
    ir_stmt loop;
    ir_expr found[PASS_GATHER_LOADS];
    uint32_t count;
    bool fits, moves;
};
static bool on_inner(void *user, ir_expr e) {
    struct inner *in = user;
    const struct ir_node *n = &in->x->u->nodes[e];
    if (n->op == IR_VAR) in->fits &= !ir_bit(in->x->fx.vars_written, n->a);
    if (n->op != IR_LOAD) return in->fits;
    const struct pass_access *a = NULL;
    for (uint32_t k = 0; k < in->list->count && !a; k++)
        if (in->list->items[k].load == e) a = &in->list->items[k];
    in->fits &= a && may_come_first(in->x, in->list, a) && is_known(in->x, a) && in->count < PASS_GATHER_LOADS;
    if (!in->fits) return false;
    in->moves |= moves(in->x, in->loop, a);
    if (!is_listed(in->x, e)) in->found[in->count++] = e;
    return false;
}
static struct inner inner_of(struct gatherer *x, ir_stmt loop, const struct pass_accesses *list,
                             const struct pass_access *a) {
    struct inner in = {.x = x, .list = list, .loop = loop, .fits = true};
    for (uint32_t i = 0; i < a->n && in.fits; i++)
        ir_walk_expr(x->u, a->indices[i], on_inner, &in);
    return in;
}

// What each pass loads for sure, and would wait for.
static void find_loads(struct gatherer *x, ir_stmt loop) {
    struct ir_unit *u = x->u;
    bool shared = u->stmts[loop].flags & IR_FLAG_LANES;
    struct pass_accesses list = {0};
    ir_expr behind[PASS_GATHER_LOADS]; // their indices are loaded
    uint32_t far_on = 0;
    pass_collect_inside(&x->sc, loop, &list);
    x->count = 0;
    for (uint32_t k = 0; k < list.count && x->count + far_on < PASS_GATHER_LOADS; k++) {
        const struct pass_access *a = &list.items[k];
        bool far = x->grid && ir_bit(x->program->arrays_written, a->array);
        if (shared && a->load && is_for_all(x, a)) {
            if (pass_elements(u, a->array, 0, x->p->target->workgroup_bytes / 4) != UINT64_MAX) continue;
            if (x->few || !x->masked) {
                x->count = 0;
                return;
            }
        }
        if (!may_come_first(x, &list, a) || !(far || x->stores || x->branches) || is_listed(x, a->load)) continue;
        if (is_known(x, a)) {
            if (moves(x, loop, a)) x->loads[x->count++] = a->load;
            continue;
        }
        if (is_in(u, behind, far_on, a->load)) continue;
        struct inner in = inner_of(x, loop, &list, a);
        if (!in.fits || !in.moves || x->count + in.count + far_on >= PASS_GATHER_LOADS) continue;
        for (uint32_t i = 0; i < in.count; i++)
            if (!is_listed(x, in.found[i])) x->loads[x->count++] = in.found[i];
        behind[far_on++] = a->load;
    }
    x->flat = x->count;
    for (uint32_t i = 0; i < far_on; i++)
        x->loads[x->count++] = behind[i];
}

// Ends and their distance are plain whole numbers.
static bool is_within(const struct gatherer *x, const struct ir_stmt_node *n) {
    struct pass_range lo = pass_range_of(&x->sc, n->counted.lo), hi = pass_range_of(&x->sc, n->counted.hi);
    return lo.known && lo.lo >= 0 && hi.known && hi.hi <= PASS_MOST_INDEXED && lo.hi <= PASS_MOST_INDEXED;
}

// They have to be where its steps are longer than 1.
static bool has_plain_ends(const struct gatherer *x, const struct ir_stmt_node *n) {
    return n->counted.step == 1 || (n->counted.step > 1 && n->counted.step <= PASS_GATHER_MOST_STEP && is_within(x, n));
}

static bool takes(struct gatherer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips = UINT64_MAX;
    bool shared = n->kind == IR_FOR && n->flags & IR_FLAG_LANES && x->lanes;
    if (n->kind != IR_FOR || (n->flags & (IR_FLAG_LANES | IR_FLAG_SIMD) && !shared) ||
        u->vars[n->counted.var].type != IR_I32 || !has_plain_ends(x, n) || !is_plain(x, s))
        return false;
    bool constant = ir_const_trips(u, s, &trips);
    bool within = is_within(x, n);
    struct pass_range first = pass_range_of(&x->sc, n->counted.lo);
    bool from_0 = first.known && first.lo >= 0; // else what indices add may make up for that
    x->most = within ? 0 : (from_0 ? pass_most_from_0 : pass_most_indexed)(u, n->counted.body, n->counted.var);
    x->masked = !constant && n->counted.step == 1 && (within || x->most);
    if (shared && ((!constant && !x->masked) || n->counted.step != 1)) return false;
    if (shared && pass_most_trips(&x->sc, n->counted.lo, n->counted.hi, 1) <= x->lanes) return false; // one each
    // where a device is busy, other lanes run meanwhile, and passes that are none would cost more
    if (shared && x->masked && x->invocations > x->p->target->busy_invocations) return false;
    x->few = pass_middle_trips(&x->sc, n->counted.lo, n->counted.hi, n->counted.step) <
             (uint64_t)PASS_GATHER_LEAST_ROUNDS * PASS_GATHER_MASKED * x->lanes;
    if (shared && constant) trips /= x->lanes;
    find_heads(x, s);
    find_loads(x, s);
    bool hardware = x->p->target->busy_invocations >= PASS_GPU_INVOCATIONS;
    if (!x->count || (x->stores && !(hardware && pass_memory_is_apart(&x->sc, s, NULL, NULL)))) return false;
    uint32_t size = pass_size(u, n->counted.body), live = pass_live_words(u, s), budget = x->p->target->register_budget,
             branches = pass_text_of(u, n->counted.body, NULL).branches;
    x->together = pass_passes_in_flight(x->p, x->invocations, PASS_GATHER_TOGETHER, PASS_GATHER_MOST);
    uint32_t words = PASS_GATHER_LOADS * x->together / PASS_GATHER_TOGETHER;
    if (shared && x->masked) x->together = PASS_GATHER_MASKED;
    // Where lanes have all of their passes at once, there is no second round; branches would be as many more.
    bool at_once = shared && constant && !x->branches && trips <= PASS_GATHER_MOST && (trips & (trips - 1)) == 0;
    uint32_t rounds = at_once ? 1 : 2;
    while (x->together > 1 &&
           (x->count * x->together > words || (uint64_t)rounds * x->together > trips ||
            size * x->together > PASS_WIDE_STATEMENTS || branches * x->together > PASS_UNROLL_MOST_BRANCHES ||
            live + x->count * x->together > budget))
        x->together /= 2;
    return x->together > (shared ? 2 : 1); // lanes hide some of each other's waiting
}

// Where the passes that come several at once end: a constant, or a variable that *out_before sets.
static ir_expr end_of_whole(struct gatherer *x, ir_stmt s, ir_stmt *out_before, ir_expr *out_hi) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips;
    uint32_t lo = 0;
    (void)ir_is_const(u, n.counted.lo, &lo);
    *out_before = 0;
    *out_hi = n.counted.hi;
    int32_t round = n.counted.step * (int32_t)x->together;
    if (ir_const_trips(u, s, &trips))
        return ir_const_i32(u, (int32_t)(lo + (uint32_t)(trips / x->together) * (uint32_t)round));
    ir_var end = ir_add_var(u, "end", IR_I32, IR_VAR_LOCAL, n.loc);
    ir_append(u, out_before, ir_assign(u, end, ir_op2(u, IR_MAX, n.counted.hi, n.counted.lo, n.loc), n.loc));
    *out_hi = ir_var_read(u, end, n.loc);
    ir_expr all = ir_op2(u, IR_SUB, ir_var_read(u, end, n.loc), n.counted.lo, n.loc);
    // what is left of the last round; where steps are longer than 1, perhaps of the last but one
    ir_expr rest = n.counted.step == 1 ? ir_op2(u, IR_AND, all, ir_const_i32(u, round - 1), n.loc)
                                       : ir_op2(u, IR_REM, all, ir_const_i32(u, round), n.loc);
    ir_var whole = ir_add_var(u, "whole", IR_I32, IR_VAR_LOCAL, n.loc);
    ir_append(u, out_before, ir_assign(u, whole, ir_op2(u, IR_SUB, ir_var_read(u, end, n.loc), rest, n.loc), n.loc));
    return ir_var_read(u, whole, n.loc);
}

// Puts the loads behind the heads of the loop's body, and variables in their places.
static void load_first(struct gatherer *x, ir_stmt loop) {
    struct ir_unit *u = x->u;
    ir_stmt last = 0, rest = u->stmts[loop].counted.body, out = 0;
    ir_var now[PASS_GATHER_LOADS];
    for (uint32_t k = 0; k < x->heads; k++) {
        last = rest;
        rest = u->stmts[rest].next;
    }
    if (last) {
        u->stmts[last].next = 0;
        out = u->stmts[loop].counted.body;
    }
    for (uint32_t i = 0; i < x->count; i++) {
        const struct ir_node load = u->nodes[x->loads[i]];
        now[i] = ir_add_var(u, u->arrays[load.a].name, (enum ir_type)load.type, IR_VAR_LOCAL, load.loc);
        ir_stmt s = ir_assign(u, now[i], x->loads[i], load.loc);
        if (i >= x->flat) pass_replace_loads(u, s, x->loads, now, x->flat);
        ir_append(u, &out, s);
    }
    pass_replace_loads(u, rest, x->loads + x->flat, now + x->flat, x->count - x->flat); // before what stands in them
    pass_replace_loads(u, rest, x->loads, now, x->flat);
    ir_append(u, &out, rest);
    u->stmts[loop].counted.body = out;
}

// What the counter is in the pass that is the k-th of those that are made at once. Where lanes share the loop, `var`
// numbers the lanes of all rounds, and neighbours stay neighbours.
static ir_expr counter_of(struct gatherer *x, const struct ir_stmt_node *n, ir_var var, uint32_t k) {
    struct ir_unit *u = x->u;
    ir_expr v = ir_var_read(u, var, n->loc);
    if (!(n->flags & IR_FLAG_LANES)) return ir_op2(u, IR_ADD, v, ir_const_i32(u, (int32_t)k * n->counted.step), n->loc);
    uint32_t lo = 0;
    (void)ir_is_const(u, n->counted.lo, &lo);
    ir_expr first = x->masked ? ir_var_read(u, x->first, n->loc) : ir_const_i32(u, (int32_t)lo);
    int32_t lanes = (int32_t)x->lanes, all = lanes * (int32_t)x->together;
    ir_expr round = ir_op2(u, IR_DIV, v, ir_const_i32(u, lanes), n->loc),
            lane = ir_op2(u, IR_AND, v, ir_const_i32(u, lanes - 1), n->loc);
    ir_expr at = ir_op2(u, IR_ADD, ir_op2(u, IR_MUL, round, ir_const_i32(u, all), n->loc), lane, n->loc);
    at = ir_op2(u, IR_ADD, at, ir_const_i32(u, lanes * (int32_t)k), n->loc);
    return ir_op2(u, IR_ADD, at, first, n->loc);
}

// Takes the loop's reads out of those of the parallel loop, or puts them in.
static void count_loop(struct gatherer *x, ir_stmt s, bool in) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    uint32_t *inside = base_alloc_array(x->u->cx, x->u->var_count, sizeof *inside);
    pass_count_reads(x->u, x->u->stmts[s].counted.body, inside);
    for (ir_var v = 1; v < x->vars; v++)
        x->reads[v] += in ? inside[v] : 0u - inside[v];
    base_scratch_end(x->u->cx, &scratch);
}

// Appends the block's first `count` statements to `to`, and returns the others.
static ir_stmt cut_off(struct ir_unit *u, ir_stmt block, uint32_t count, ir_stmt *to) {
    ir_stmt last = block;
    if (count == 0) return block;
    for (uint32_t i = 1; i < count; i++)
        last = u->stmts[last].next;
    ir_stmt rest = u->stmts[last].next;
    u->stmts[last].next = 0;
    ir_append(u, to, block);
    return rest;
}

// In a masked loop: the place of pass k, or of the last one if there is no such pass; *out_is: whether there is.
static ir_expr masked_counter(struct gatherer *x, const struct ir_stmt_node *n, ir_expr at, ir_stmt *before,
                              ir_expr *out_is) {
    struct ir_unit *u = x->u;
    ir_var here = ir_add_var(u, u->vars[n->counted.var].name, IR_I32, IR_VAR_LOCAL, n->loc),
           near = ir_add_var(u, u->vars[n->counted.var].name, IR_I32, IR_VAR_LOCAL, n->loc);
    ir_append(u, before, ir_assign(u, here, at, n->loc));
    ir_expr least = ir_op2(u, IR_MIN, ir_var_read(u, here, n->loc), ir_var_read(u, x->last, n->loc), n->loc);
    ir_append(u, before, ir_assign(u, near, least, n->loc));
    *out_is = ir_op2(u, IR_LT, ir_var_read(u, here, n->loc), ir_var_read(u, x->end, n->loc), n->loc);
    return ir_var_read(u, near, n->loc);
}

// What was loaded twice is loaded once now, and names its element once less.
static void put_loads_first(struct gatherer *x, ir_stmt s) {
    count_loop(x, s, false);
    load_first(x, s);
    count_loop(x, s, true);
}

// The body of so many passes. `masked`: some of them may be none of the loop.
static ir_stmt make_body(struct gatherer *x, ir_stmt s, ir_var var, bool masked) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct pass_privates privates = pass_privates_of(u, n.counted.body, x->reads, x->vars);
    ir_stmt loads = 0, behind = 0, passes = 0;
    for (uint32_t k = 0; k < x->together; k++) {
        ir_stmt copy = pass_clone_private(u, n.counted.body, &privates);
        ir_expr at = counter_of(x, &n, var, k), is = 0;
        bool surely = k == 0 && !(n.flags & IR_FLAG_LANES);
        if (masked && !surely) at = masked_counter(x, &n, at, &loads, &is);
        if (k || var != n.counted.var) pass_substitute(u, copy, n.counted.var, at);
        copy = cut_off(u, copy, x->heads + x->flat, &loads);
        copy = cut_off(u, copy, x->count - x->flat, &behind);
        ir_append(u, &passes, is ? ir_if(u, is, copy, 0, n.loc) : copy);
    }
    ir_append(u, &loads, behind);
    ir_append(u, &loads, passes);
    return loads;
}

// Sets where a masked loop begins and ends, and returns the statements that do. Its last pass is its first if there is
// none. Passes below 0 and beyond an array that all of them index are none of a program that is right (walks.c).
static ir_stmt set_ends(struct gatherer *x, const struct ir_stmt_node *n, ir_expr lo, ir_expr hi) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    x->first = ir_add_var(u, "first", IR_I32, IR_VAR_LOCAL, n->loc);
    x->end = ir_add_var(u, "end", IR_I32, IR_VAR_LOCAL, n->loc);
    x->last = ir_add_var(u, "last", IR_I32, IR_VAR_LOCAL, n->loc);
    if (x->most) {
        ir_expr most = ir_const_i32(u, (int32_t)x->most);
        lo = ir_op2(u, IR_MIN, ir_op2(u, IR_MAX, lo, ir_const_i32(u, 0), n->loc), most, n->loc);
        hi = ir_op2(u, IR_MIN, hi, most, n->loc);
    }
    ir_append(u, &out, ir_assign(u, x->first, lo, n->loc));
    ir_expr first = ir_var_read(u, x->first, n->loc), one = ir_const_i32(u, 1);
    ir_append(u, &out, ir_assign(u, x->end, ir_op2(u, IR_MAX, hi, first, n->loc), n->loc));
    ir_expr last = ir_op2(u, IR_SUB, ir_var_read(u, x->end, n->loc), one, n->loc);
    last = ir_op2(u, IR_MAX, last, first, n->loc);
    if (x->most) last = ir_op2(u, IR_MIN, last, ir_const_i32(u, (int32_t)x->most - 1), n->loc);
    ir_append(u, &out, ir_assign(u, x->last, last, n->loc));
    return out;
}

// The passes from `from` on, some at once.
static ir_stmt make_masked_rest(struct gatherer *x, ir_stmt s, ir_expr from, ir_expr hi) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint32_t together = x->together;
    ir_var var = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    ir_stmt out = set_ends(x, &n, from, hi);
    x->together = PASS_GATHER_MASKED;
    ir_stmt body = make_body(x, s, var, true);
    x->together = together;
    ir_expr first = ir_var_read(u, x->first, n.loc), end = ir_var_read(u, x->end, n.loc);
    ir_append(u, &out, ir_for(u, var, first, end, PASS_GATHER_MASKED, body, n.loc));
    return out;
}

// The passes from `from` on, as they were.
static ir_stmt make_rest(struct gatherer *x, ir_stmt s, ir_expr from, ir_expr hi) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_var var = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    pass_substitute(u, n.counted.body, n.counted.var, ir_var_read(u, var, n.loc));
    return ir_for(u, var, from, hi, n.counted.step, n.counted.body, n.loc);
}

// Lanes of all rounds of a masked loop that lanes share.
static ir_expr masked_rounds(struct gatherer *x, const struct ir_stmt_node *n, ir_stmt *before) {
    struct ir_unit *u = x->u;
    int32_t lanes = (int32_t)x->lanes, each = lanes * (int32_t)x->together;
    ir_var rounds = ir_add_var(u, "rounds", IR_I32, IR_VAR_LOCAL, n->loc);
    ir_expr trips = ir_op2(u, IR_SUB, ir_var_read(u, x->end, n->loc), ir_var_read(u, x->first, n->loc), n->loc);
    ir_expr up = ir_op2(u, IR_ADD, trips, ir_const_i32(u, each - 1), n->loc);
    ir_expr whole = ir_op2(u, IR_DIV, up, ir_const_i32(u, each), n->loc);
    ir_append(u, before, ir_assign(u, rounds, ir_op2(u, IR_MUL, whole, ir_const_i32(u, lanes), n->loc), n->loc));
    return ir_var_read(u, rounds, n->loc);
}

// A loop that lanes share, in rounds of several passes of each of them, and what is left.
static ir_stmt gather_shared(struct gatherer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips = 0;
    uint32_t lo = 0, each = x->lanes * x->together;
    (void)ir_const_trips(u, s, &trips);
    (void)ir_is_const(u, n.counted.lo, &lo);
    uint32_t rounds = (uint32_t)(trips / each);
    ir_var var = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    ir_stmt rest = 0, out = x->masked ? set_ends(x, &n, n.counted.lo, n.counted.hi) : 0;
    put_loads_first(x, s);
    ir_stmt body = make_body(x, s, var, x->masked);
    ir_expr hi = ir_const_i32(u, (int32_t)(rounds * x->lanes));
    if (x->masked) hi = masked_rounds(x, &n, &out);
    if (!x->masked && trips % each) {
        rest = make_rest(x, s, ir_const_i32(u, (int32_t)(lo + rounds * each)), n.counted.hi);
        u->stmts[rest].flags = n.flags;
        u->stmts[rest].counted.reductions =
            ir_add_reductions(u, u->reductions + n.counted.reductions, n.counted.reduction_count);
        u->stmts[rest].counted.reduction_count = n.counted.reduction_count;
    }
    u->stmts[s].counted.var = var;
    u->stmts[s].counted.lo = ir_const_i32(u, 0);
    u->stmts[s].counted.hi = hi;
    u->stmts[s].counted.body = body;
    base_text_format(x->p->explain, "gather: a lane makes %u passes of the loop at line %u at once, %u loads first\n",
                     x->together, u->cx->locs[n.loc].line, x->together * x->count);
    ir_append(u, &out, s);
    ir_append(u, &out, rest);
    return out;
}

static void enter_parfor(struct gatherer *x, ir_stmt parfor) {
    ir_stmt body = x->u->stmts[parfor].parfor.body;
    x->vars = x->u->var_count;
    x->reads = base_alloc_array(x->u->cx, x->vars, sizeof *x->reads);
    pass_count_reads(x->u, body, x->reads);
    x->all = ir_effects_of(x->u, body);
    x->invocations = pass_most_iterations(&x->sc, parfor);
    x->lanes = x->u->stmts[parfor].flags & IR_FLAG_LANES ? x->u->stmts[parfor].parfor.lanes : 0;
    if (x->lanes) x->invocations *= x->lanes;
}

static ir_stmt gather_loop(void *user, ir_stmt done, ir_stmt s) {
    struct gatherer *x = user;
    struct ir_unit *u = x->u;
    uint64_t trips;
    (void)done;
    if (u->stmts[s].kind == IR_PARFOR) enter_parfor(x, s);
    if (!takes(x, s)) return s;
    if (u->stmts[s].flags & IR_FLAG_LANES) return gather_shared(x, s);
    bool constant = ir_const_trips(u, s, &trips);
    const struct ir_stmt_node n = u->stmts[s];
    put_loads_first(x, s);
    ir_stmt out, body = make_body(x, s, n.counted.var, false), rest = 0;
    ir_expr hi, whole = end_of_whole(x, s, &out, &hi);
    bool some = x->masked && x->together > PASS_GATHER_MASKED;
    if (some)
        rest = make_masked_rest(x, s, whole, hi);
    else if (!constant || trips % x->together)
        rest = make_rest(x, s, whole, hi);
    u->stmts[s].counted.hi = whole;
    u->stmts[s].counted.step *= (int32_t)x->together;
    u->stmts[s].counted.body = body;
    uint32_t steps = u->stmts[s].counted.unroll;
    u->stmts[s].counted.unroll = (steps ? steps : 1) * x->together;
    ir_append(u, &out, s);
    ir_append(u, &out, rest);
    base_text_format(x->p->explain, "gather: the loop at line %u makes %u passes at once, %u loads first%s\n",
                     u->cx->locs[u->stmts[s].loc].line, x->together, x->together * x->count,
                     some ? "; of what is left, some" : "");
    return out;
}

void pass_gather(struct pass_cx *p) {
    struct ir_effects program = ir_effects_of(p->u, p->u->root);
    struct gatherer x = {.p = p, .u = p->u, .program = &program, .grid = p->one_kernel && pass_needs_grid(p->u)};
    struct pass_rewriter gathering = {.u = p->u, .sc = &x.sc, .user = &x, .replace = gather_loop, .lanes = true};
    pass_rewrite_iterations(&gathering);
}
