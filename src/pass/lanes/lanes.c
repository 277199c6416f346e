// Lanes: one iteration of a parallel loop over several invocations of a workgroup. `omp simd` loops in it are shared
// out, lane l takes the passes l, l + lanes, ...; what they reduce is combined in a fixed tree, after which every lane
// has it. All else in the iteration runs in every lane alike, with stores by lane 0; what follows the last such loop
// runs on lane 0 alone.
//
// It pays where there are fewer iterations than the device runs at once, and where a row of a matrix is read:
// neighbouring lanes then read neighbouring words. `simd` is what allows the sums to be re-associated. Control flow
// around a shared loop must be the same for a whole workgroup, so such a loop stands at the top of the body or in
// counted loops whose bounds are constants, or end at a scalar of the run. No lane can pause in them, so their lengths
// have bounds: of the latter ones, what they index (walks.c).
#include "pass/cost.h"
#include "pass/lanes/counters.h"
#include "pass/lanes/leap.h"
#include "pass/lanes/meet.h"
#include "pass/lanes/one_lane.h"
#include "pass/lanes/own.h"
#include "pass/lanes/places.h"
#include "pass/lanes/predicate.h"
#include "pass/lanes/recur.h"
#include "pass/lanes/weigh.h"
#include "pass/passes.h"

#include <string.h>

struct laner {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc; // where the walk is
    ir_stmt body;          // of the PARFOR
    struct ir_effects effects;
    uint32_t *reads;                // of its body, by variable
    struct pass_lane_elements each; // lane's own
    struct pass_space around;       // the loops around the one that is looked at
    uint64_t most;                  // passes of the longest shared loop
    uint64_t work;                  // the most that one makes, those of loops inside counted
    bool rows, free, searches; // of the loops: one reads a row of each iteration; nobody asked for one; one searches
    bool only_free;            // nobody asked for any
    uint32_t loops;            // that they share
    struct pass_was *parted;   // stores that are two statements now
    uint32_t parted_count, parted_cap;
    struct pass_set_alone alone; // what one lane makes now
};

// ---- is this simd loop one to share? --------------------------------------------------------------------------------

static bool is_row(const struct pass_cx *p, ir_stmt loop);
static uint64_t work_of(const struct ir_unit *u, ir_stmt loop, uint64_t trips);

struct memory {
    struct laner *x;
    bool meets;                    // what it writes and another statement reads, lanes can wait for (meet.c)
    struct pass_accesses accesses; // of the loop
    const bool *own_locals;        // by array: each of its passes has its own
    bool wrong, locals;            // it writes such an array
};
static bool on_memory(void *user, ir_stmt s) {
    struct memory *m = user;
    const struct ir_unit *u = m->x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_ATOMIC) m->wrong |= !(n->flags & IR_FLAG_FREE) && !m->meets;
    if (n->kind == IR_STORE && u->arrays[n->store.array].klass == IR_ARRAY_LOCAL) {
        m->locals = true;
        m->wrong |= !m->own_locals || !m->own_locals[n->store.array];
    } else if (n->kind == IR_STORE) {
        ir_array a = n->store.array;
        bool turns = !m->x->each.again[a] && !pass_owned(m->x->sc, &m->accesses, a, &m->x->around);
        if (turns && m->x->each.alone[a]) m->x->each.own[a] = true; // in each pass of the loops around
        m->wrong |= (m->x->each.again[a] || turns) && !m->x->each.own[a] && !m->meets;
    }
    return true;
}

// Marks the loop if its passes are independent but for reductions.
static bool share(struct laner *x, ir_stmt s, uint64_t trips) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[s].counted.body;
    if (pass_leaves_loop(u, body)) return false;
    struct pass_lane_sums sums;
    if (!pass_sums_of_lanes(x->sc, s, x->reads, &sums)) return false;
    struct memory m = {.x = x, .meets = u->stmts[s].flags & IR_FLAG_FREE, .own_locals = pass_own_locals(u, s)};
    pass_collect_inside(x->sc, s, &m.accesses);
    ir_walk_stmts(u, body, on_memory, &m);
    bool shown = m.wrong && !m.meets && pass_runs_are_apart(x->sc, s, NULL, NULL); // what `simd` alone does not say
    if (shown) {
        m = (struct memory){.x = x, .meets = true, .own_locals = m.own_locals, .accesses = m.accesses};
        ir_walk_stmts(u, body, on_memory, &m);
    }
    if (m.wrong) return false;
    struct ir_stmt_node *n = &u->stmts[s];
    if (shown) n->flags |= IR_FLAG_FREE;
    n->flags |= m.locals ? IR_FLAG_LANES | IR_FLAG_OWN : IR_FLAG_LANES; // its passes stay one by one
    n->counted.reductions = ir_add_reductions(u, sums.list, sums.count);
    n->counted.reduction_count = sums.count;
    x->rows |= is_row(x->p, s);
    x->free |= n->flags & IR_FLAG_FREE;
    x->only_free = x->only_free && n->flags & IR_FLAG_FREE;
    x->searches |= sums.search_count;
    uint64_t work = work_of(u, s, trips);
    x->most = trips > x->most ? trips : x->most;
    x->work = work > x->work ? work : x->work;
    return true;
}

// Passes of the loop, with those of loops inside where these are known. Short ones may have been unrolled: some
// statements count as a pass.
static uint64_t work_of(const struct ir_unit *u, ir_stmt loop, uint64_t trips) {
    ir_stmt body = u->stmts[loop].counted.body;
    uint64_t inside = pass_passes_of(u, body), unrolled = pass_size(u, body) / PASS_LANES_STATEMENTS;
    return trips * (1 + (inside > PASS_LANES_MOST_PASSES ? 0 : inside) + unrolled);
}

struct row {
    const struct pass_cx *p;
    ir_var var;
    bool found;
};

static bool row_node(void *user, ir_expr e) {
    struct row *r = user;
    const struct ir_unit *u = r->p->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || n->n < 2 || u->arrays[n->a].klass == IR_ARRAY_LOCAL) return true;
    const struct ir_node *last = &u->nodes[u->args[n->b + n->n - 1]];
    r->found |= last->op == IR_VAR && last->a == r->var && !pass_is_near(r->p, n->a);
    return true;
}
static bool is_row(const struct pass_cx *p, ir_stmt loop) {
    const struct ir_stmt_node *n = &p->u->stmts[loop];
    struct row r = {p, n->counted.var, false};
    ir_walk_nodes(p->u, n->counted.body, row_node, &r);
    return r.found;
}

// One lane makes what a pass of pass_leap leaves in memory.
static bool is_alone(const struct ir_unit *u, ir_stmt s) {
    uint64_t trips;
    return u->stmts[s].flags & IR_FLAG_FREE && ir_const_trips(u, s, &trips) && trips == 1;
}
// What pass_share has marked it has weighed.
static uint64_t least_passes(const struct ir_stmt_node *loop) {
    if (loop->flags & IR_FLAG_LONG) return 1;
    return loop->flags & IR_FLAG_FREE ? PASS_SHARE_LEAST_LONG : PASS_LANES_LEAST_PASSES;
}

bool pass_for_lanes(const struct ir_unit *u, ir_stmt s) {
    uint64_t trips;
    return u->stmts[s].kind == IR_FOR && (u->stmts[s].flags & IR_FLAG_SIMD) && ir_const_trips(u, s, &trips) &&
           (trips >= least_passes(&u->stmts[s]) || is_alone(u, s));
}

// Passes that the `omp simd` loop is taken to make; 0: it is none, or one that lanes do not share.
static uint64_t passes_to_share(const struct laner *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips;
    if (!(n->flags & IR_FLAG_SIMD)) return 0;
    if (ir_const_trips(x->u, s, &trips)) return pass_for_lanes(x->u, s) && trips < INT32_MAX / 2 ? trips : 0;
    trips = pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step);
    if (trips > PASS_LANES_MOST_PASSES) trips = pass_most_walked(x->u, s); // limit_shared puts its end there
    return trips >= least_passes(n) && trips <= PASS_LANES_MOST_PASSES ? trips : 0;
}

// All of a workgroup make the same passes, not too many.
static bool is_common(const struct laner *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips;
    uint32_t lo;
    if (ir_const_trips(u, s, &trips) || n->flags & IR_FLAG_LONGEST) return true;
    if (!pass_is_of_run(u, n->counted.hi) || !ir_is_const(u, n->counted.lo, &lo)) return false;
    uint64_t most = pass_most_walked(u, s);
    if (!most) most = pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step);
    return most && most <= PASS_LANES_MOST_AROUND;
}

// pass_predicate made it: in it stands a loop that lanes may share, and all of a workgroup come to it.
static bool is_condition(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    ir_stmt loop = n->kind == IR_IF ? n->branch.then_block : 0;
    return loop && !n->branch.else_block && !u->stmts[loop].next && u->stmts[loop].kind == IR_FOR &&
           u->stmts[loop].flags & IR_FLAG_SIMD && u->nodes[n->branch.cond].op == IR_VAR;
}

// The loop's end is put within what its passes index.
static void limit_end(struct ir_unit *u, ir_stmt s, uint32_t walked) {
    struct ir_stmt_node *n = &u->stmts[s];
    ir_expr most = ir_const(u, (enum ir_type)u->vars[n->counted.var].type, walked);
    ir_expr hi = ir_op2(u, IR_MIN, n->counted.hi, most, n->loc);
    u->stmts[s].counted.hi = hi;
}

// Of shared loops whose ends data decide about.
static void limit_shared(struct laner *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips;
    if (ir_const_trips(x->u, s, &trips)) return;
    if (pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step) > PASS_LANES_MOST_PASSES)
        limit_end(x->u, s, pass_most_walked(x->u, s));
}

static bool share_block(struct laner *x, ir_stmt block);

// In the body of a loop that all lanes make.
static bool share_inside(struct laner *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    struct pass_space *around = &x->around;
    if (around->n == IR_MAX_DIMS) return false;
    around->vars[around->n] = n.counted.var;
    around->steps[around->n] = n.counted.step;
    if (!ir_const_trips(x->u, s, &around->extents[around->n])) around->extents[around->n] = UINT32_MAX;
    around->n++;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s); // what loops inside end at
    bool any = share_block(x, n.counted.body);
    pass_scope_leave(x->sc, mark);
    around->n--;
    return any;
}

static bool share_block(struct laner *x, ir_stmt block) {
    bool any = false;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        if (n->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        bool condition = is_condition(x->u, s); // of one loop, whose passes alone it leaves out (wgsl_lanes_if)
        ir_stmt loop = condition ? n->branch.then_block : s;
        if (n->kind == IR_LOOP && n->flags & IR_FLAG_LONGEST) {
            uint32_t inside = pass_scope_enter(x->sc);
            pass_scope_loop(x->sc, s);
            any |= share_block(x, n->loop.body);
            pass_scope_leave(x->sc, inside);
        }
        if (x->u->stmts[loop].kind != IR_FOR) continue;
        uint64_t shared = passes_to_share(x, loop);
        if (shared && share(x, loop, shared)) {
            limit_shared(x, loop);
            any = true;
        } else if (!condition && is_common(x, s) && !pass_leaves_loop(x->u, n->counted.body))
            any |= share_inside(x, s);
    }
    pass_scope_leave(x->sc, mark);
    return any;
}

// Loops around shared ones that end at a scalar of the run: it is put within what they index.
static void limit_around(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node *n = &u->stmts[s];
        uint64_t trips;
        if (n->kind != IR_FOR || n->flags & (IR_FLAG_LANES | IR_FLAG_LONGEST) || !ir_has_shared(u, s)) continue;
        limit_around(u, n->counted.body);
        n = &u->stmts[s];
        if (ir_const_trips(u, s, &trips)) continue;
        uint32_t walked = pass_most_walked(u, s);
        if (walked) limit_end(u, s, walked); // else its bounds tell
    }
}

// The same of the dimensions of the parallel loop.
static void limit_dims(const struct pass_scope *sc, ir_stmt parfor) {
    struct ir_unit *u = sc->u;
    for (uint32_t d = 0; d < u->stmts[parfor].parfor.dim_count; d++) {
        uint32_t most = pass_most_of_dim(u, parfor, d), at = u->stmts[parfor].parfor.dims + d;
        if (!most || pass_most_trips(sc, u->dims[at].lo, u->dims[at].hi, u->dims[at].step) <= most) continue;
        enum ir_type type = (enum ir_type)u->vars[u->dims[at].var].type;
        ir_expr hi = ir_op2(u, IR_MIN, u->dims[at].hi, ir_const(u, type, most), u->stmts[parfor].loc);
        u->dims[at].hi = hi;
    }
}

// ---- the rest of the body -------------------------------------------------------------------------------------------

struct search {
    const struct ir_unit *u;
    ir_array array;
    bool found;
};
static bool on_load(void *user, ir_expr e) {
    struct search *x = user;
    x->found |= x->u->nodes[e].op == IR_LOAD && x->u->nodes[e].a == x->array;
    return !x->found;
}

// Stores of what is made of the same array, in front of shared loops and in loops around them, become two statements:
// all lanes load, they meet, and lane 0 stores. `last`: behind it lane 0 is alone.
static void part_stores(struct laner *x, ir_stmt block, ir_stmt last) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = s == last ? 0 : u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_FOR && !(n.flags & IR_FLAG_LANES) && ir_has_shared(u, s)) part_stores(x, n.counted.body, 0);
        if (n.kind != IR_STORE || u->arrays[n.store.array].klass == IR_ARRAY_LOCAL || x->each.own[n.store.array])
            continue;
        struct search load = {u, n.store.array, false};
        ir_walk_expr(u, n.store.value, on_load, &load);
        if (!load.found) continue;
        const struct ir_node value = u->nodes[n.store.value];
        ir_var v = ir_add_var(u, u->arrays[n.store.array].name, (enum ir_type)value.type, IR_VAR_LOCAL, n.loc);
        ir_stmt store = ir_add_stmt(u, IR_STORE, n.loc);
        BASE_RESERVE(u->cx, x->parted, x->parted_count, x->parted_cap);
        x->parted[x->parted_count++] = (struct pass_was){s, n};
        u->stmts[store] = n;
        ir_expr kept = ir_var_read(u, v, n.loc);
        u->stmts[store].store.value = kept;
        ir_make_assign(&u->stmts[s], v, n.store.value);
        u->stmts[s].next = store;
        s = store;
    }
}

// What runs in every lane alike may not read memory that lane 0 writes meanwhile.
static bool rest_is_fit(struct laner *x) {
    ir_stmt last = ir_last_shared(x->u, x->body);
    bool is_atomic = pass_is_atomic(x->u, x->body);
    for (ir_stmt s = x->body; s; s = x->u->stmts[s].next) {
        if (!pass_is_apart_inside(x->u, s, x->each.own, is_atomic)) return false;
        if (s == last) return true;
    }
    return false;
}

static void unmark(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_IF) unmark(u, n->branch.then_block);
        if (n->kind == IR_LOOP) unmark(u, n->loop.body);
        if (n->kind != IR_FOR) continue;
        unmark(u, n->counted.body);
        if (!(n->flags & IR_FLAG_LANES)) continue;
        n->flags &= (uint16_t) ~(IR_FLAG_LANES | IR_FLAG_OWN);
        n->counted.reductions = n->counted.reduction_count = 0;
    }
}

static uint32_t power_below(uint64_t v) {
    uint32_t p = 1;
    while (p <= v / 2 && p < 1u << 20)
        p *= 2;
    return p;
}

// `most`: passes of the longest loop that they share; `work`: the same, with those inside; `rows`: in one of them each
// iteration reads a row.
static uint32_t choose(const struct plan_target *target, uint64_t iterations, uint64_t most, uint64_t work, bool rows) {
    if (target->lanes) return target->lanes;
    uint64_t lanes = power_below(target->busy_invocations / (iterations ? iterations : 1));
    uint64_t each = work / PASS_LANES_PASSES_EACH, enough = power_below(each < most ? each : most);
    lanes = lanes > enough ? enough : lanes;
    if (rows && lanes < PASS_LANES_ROW && target->busy_invocations >= PASS_GPU_INVOCATIONS)
        lanes = power_below(most / 2);
    return (uint32_t)(lanes > PASS_LANES_ROW && rows && iterations >= PASS_LANES_MANY_ROWS ? PASS_LANES_ROW : lanes);
}
// Lanes that have the local arrays of all iterations of a workgroup in its memory (pass_near), if these are not many
// more: what they do not share each of them makes. Else as many as there are.
static uint32_t lanes_for_arrays(const struct laner *x, uint64_t iterations, uint32_t lanes) {
    struct ir_unit *u = x->u;
    uint64_t words = 0;
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].expanded && (ir_bit(x->effects.arrays_read, a) || ir_bit(x->effects.arrays_written, a)))
            words += pass_elements(u, a, u->arrays[a].expanded, PASS_MOST_SPREAD);
    uint32_t least = words ? pass_near_lanes(x->p, words) : 0;
    bool idle = least > power_below(x->most); // some have no pass, which costs nothing where there is room for them
    if (lanes >= least || (idle && iterations * least > x->p->target->busy_invocations)) return lanes;
    double few = pass_time_on_lanes(x->p, x->body, iterations, lanes, NULL),
           many = pass_time_on_lanes(x->p, x->body, iterations, least, NULL);
    return many <= PASS_NEAR_GAIN * few ? least : lanes;
}

// Of an iteration beside which nothing runs: one for each pass.
static uint32_t lanes_of_one(const struct laner *x, uint32_t lanes) {
    while (lanes < x->most && lanes < x->p->target->max_invocations)
        lanes *= 2;
    return lanes;
}

struct filled {
    struct ir_unit *u;
    bool *seen; // by array
    uint64_t words;
};
static bool on_filled(void *user, ir_stmt s) {
    struct filled *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_FOR && n->flags & IR_FLAG_LANES) return false;
    ir_array a = n->kind == IR_STORE ? n->store.array : 0;
    if (!a || x->u->arrays[a].klass != IR_ARRAY_LOCAL || x->seen[a]) return true;
    x->seen[a] = true;
    x->words += pass_elements(x->u, a, 0, PASS_MOST_SPREAD);
    return true;
}

// What is stored into local arrays outside of shared loops each lane stores into arrays of its own: no more lanes than
// find room near by.
static uint32_t lanes_with_arrays(const struct laner *x, uint64_t iterations, uint32_t lanes) {
    struct filled filled = {.u = x->u, .seen = base_alloc_array(x->u->cx, x->u->array_count, sizeof *filled.seen)};
    double room = (double)x->p->target->busy_invocations * PASS_LANES_LOCAL_WORDS;
    ir_walk_stmts(x->u, x->body, on_filled, &filled);
    while (lanes > 1 && (double)filled.words * (double)iterations * lanes > room)
        lanes /= 2;
    return lanes;
}

static uint32_t lanes_of(const struct plan_target *target, uint64_t iterations, uint64_t most, uint64_t work,
                         bool rows) {
    uint32_t lanes = choose(target, iterations, most, work, rows);
    return lanes > target->max_invocations ? target->max_invocations : lanes;
}

// A longer loop beside this one only adds lanes; one that reads rows may take some.
uint32_t pass_least_lanes(const struct pass_cx *p, ir_stmt loop, uint64_t trips, uint64_t iterations) {
    uint64_t work = work_of(p->u, loop, trips);
    uint32_t rows = lanes_of(p->target, iterations, trips, work, true),
             others = is_row(p, loop) ? rows : lanes_of(p->target, iterations, trips, work, false);
    return others < rows ? others : rows;
}

// They are of one subgroup: what they reduce is exchanged there, without a barrier.
static void exchange_in(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_IF) exchange_in(u, n->branch.then_block);
        if (n->kind == IR_LOOP) exchange_in(u, n->loop.body);
        if (n->kind != IR_FOR) continue;
        if (n->flags & IR_FLAG_LANES)
            n->flags |= IR_FLAG_EXCHANGE;
        else
            exchange_in(u, n->counted.body);
    }
}

static void find_shared(const struct ir_unit *u, ir_stmt block, ir_stmt *loops, uint32_t *count) {
    for (ir_stmt s = block; s && *count < PASS_LANES_LOOPS; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_IF) find_shared(u, n->branch.then_block, loops, count);
        if (n->kind == IR_LOOP) find_shared(u, n->loop.body, loops, count);
        if (n->kind != IR_FOR) continue;
        if (n->flags & IR_FLAG_LANES) loops[(*count)++] = s;
        find_shared(u, n->counted.body, loops, count);
    }
}

// The lanes that an iteration has where those of neighbouring iterations stand side by side; 0: they better do not.
// (They would, where the shared loops go down columns. Few iterations have more lanes, although fewer of them then
// stand side by side. Lanes of a subgroup, which need no barrier, are given up for many alone.)
static uint32_t lanes_across(struct laner *x, ir_stmt parfor, uint64_t iterations, uint32_t lanes) {
    const struct ir_unit *u = x->u;
    const struct plan_target *target = x->p->target;
    uint32_t most = PASS_WORKGROUP / PASS_SECTOR_WORDS, count = 0;
    ir_stmt loops[PASS_LANES_LOOPS];
    if (target->lanes || target->max_invocations < PASS_WORKGROUP) return 0;
    find_shared(u, x->body, loops, &count);
    if (count == PASS_LANES_LOOPS || !pass_walks_columns(x->sc, parfor, loops, count)) return 0;
    if (iterations * most < target->busy_invocations / PASS_LANES_ACROSS) most *= 2;
    uint32_t part = lanes > target->subgroup_lanes ? PASS_LANES_ACROSS_MANY : PASS_LANES_ACROSS;
    lanes = lanes > most ? most : lanes;
    return lanes < 2 || iterations * lanes < target->busy_invocations / part ? 0 : lanes;
}

// A workgroup has no copies of arrays where its invocations are lanes. What lanes spare are passes of loops; what
// copies spare are updates, of which an iteration makes fewer.
static bool take_back_copy(void *user, ir_stmt s) {
    struct ir_stmt_node *n = &((struct ir_unit *)user)->stmts[s];
    if (n->kind == IR_ATOMIC) n->flags &= (uint16_t)~IR_FLAG_GROUP;
    return true;
}

// So that no iteration should run without a pause; what nobody asked for is not worth that.
static bool runs_long(const struct laner *x, uint32_t lanes) {
    uint64_t passes = pass_passes_of_lane(x->u, x->body, lanes, NULL);
    return x->free && passes != UINT64_MAX && passes > PASS_SHARE_MOST_PASSES;
}

static void begin_body(struct laner *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    x->body = u->stmts[parfor].parfor.body;
    x->effects = ir_effects_of(u, x->body);
    x->reads = base_alloc_array(u->cx, u->var_count, sizeof *x->reads);
    pass_count_reads(u, x->body, x->reads);
}

// Where loops under conditions are all that lanes share, or loops that data end are left, what lanes repeat may be more
// than that.
static bool spares_time(const struct laner *x, ir_stmt written, uint64_t iterations, uint32_t lanes, bool left) {
    return (x->body == written && !left) || !x->free ||
           pass_time_on_lanes(x->p, x->body, iterations, lanes, NULL) <=
               pass_time_on_lanes(x->p, written, iterations, 1, NULL);
}

static bool count_shared(void *user, ir_stmt s) {
    struct laner *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->loops += n->kind == IR_FOR && n->flags & IR_FLAG_LANES;
    return true;
}

// Others wait for the lane that is alone, and all of them at each meeting.
static bool alone_pays(struct laner *x, ir_stmt written, uint64_t iterations, uint32_t lanes) {
    if (!x->alone.count || !x->only_free) return true;
    double all = pass_time_on_lanes(x->p, x->body, iterations, lanes, NULL),
           before = pass_time_on_lanes(x->p, written, iterations, 1, NULL);
    x->loops = 0;
    ir_walk_stmts(x->u, x->body, count_shared, x);
    return all <= before - before / PASS_ALONE_SPARED &&
           pass_count_meetings(x->u, x->body, ir_last_shared(x->u, x->body), x->each.own) <=
               PASS_ALONE_MEETINGS * x->loops;
}

// Ways to place lanes.
struct way {
    bool until; // loops that end when data say so may be for lanes, too; then: some are
    bool left;  // they are not, though they could
    bool alone; // one lane makes what needs in memory what it wrote; then: there is such a thing
};

static void take_back(struct laner *x, ir_stmt parfor, ir_stmt written) {
    unmark(x->u, x->body);
    while (x->parted_count > 0) {
        x->parted_count--;
        x->u->stmts[x->parted[x->parted_count].at] = x->parted[x->parted_count].was;
    }
    pass_unset_alone(x->u, &x->alone);
    x->u->stmts[parfor].parfor.body = written;
}

static bool is_in_software(const struct pass_cx *p) {
    return p->target->busy_invocations < PASS_GPU_INVOCATIONS && !p->target->lanes;
}

// Marks the loops that lanes may share. false: there are none.
static bool share_body(struct laner *x, ir_stmt parfor, struct way *io) {
    struct pass_scope *sc = x->sc;
    begin_body(x, parfor);
    x->most = x->work = x->parted_count = x->alone.count = 0;
    x->rows = x->free = x->searches = false;
    x->only_free = true;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    if (is_in_software(x->p)) // there lanes wait long at each meeting
        io->until = io->alone = false;
    else if (pass_predicate(sc, parfor, &io->until))
        begin_body(x, parfor);
    pass_find_own(sc, x->body, &x->effects, &x->each);
    bool any = true;
    if (io->alone) {
        io->alone = any = pass_set_alone(sc, x->body, x->each.own, x->reads, &x->alone);
        begin_body(x, parfor);
        pass_find_own(sc, x->body, &x->effects, &x->each);
    }
    any = any && share_block(x, x->body);
    pass_scope_leave(sc, mark);
    return any;
}

// false: it is as it was.
static bool place(struct laner *x, ir_stmt parfor, uint64_t iterations, struct way *io) {
    struct ir_unit *u = x->u;
    ir_stmt written = u->stmts[parfor].parfor.body; // as it was
    if (!share_body(x, parfor, io)) {
        take_back(x, parfor, written);
        return false;
    }
    uint32_t lanes = lanes_of(x->p->target, iterations, x->most, x->work, x->rows);
    if (!x->p->target->lanes) {
        lanes = lanes_for_arrays(x, iterations, lanes);
        if (iterations == 1) lanes = lanes_of_one(x, lanes);
        lanes = lanes_with_arrays(x, iterations, lanes);
        if (x->searches && lanes > PASS_WORKGROUP) lanes = PASS_WORKGROUP;
    }
    if (lanes > 1 && !is_in_software(x->p)) part_stores(x, x->body, ir_last_shared(u, x->body));
    if (lanes < 2 || runs_long(x, lanes) || !spares_time(x, written, iterations, lanes, io->left) ||
        !alone_pays(x, written, iterations, lanes) || !pass_own_is_shared(u, x->each.own, x->body) || !rest_is_fit(x)) {
        take_back(x, parfor, written);
        return false;
    }
    pass_keep_places(u, x->body);
    uint32_t meets = pass_meet_between(u, x->body, ir_last_shared(u, x->body), x->each.own);
    uint32_t across = meets ? 0 : lanes_across(x, parfor, iterations, lanes);
    if (across) lanes = across;
    limit_dims(x->sc, parfor);
    limit_around(u, x->body);
    bool exchange = !across && lanes <= x->p->target->subgroup_lanes;
    if (exchange) exchange_in(u, x->body);
    bool copies = ir_privates_of(u, parfor).words > 0;
    ir_walk_stmts(u, x->body, take_back_copy, u);
    struct ir_stmt_node *n = &u->stmts[parfor]; // only now: statements were added
    n->flags &= (uint16_t)~IR_FLAG_GROUP;
    n->flags |= across ? IR_FLAG_LANES | IR_FLAG_ROW : IR_FLAG_LANES;
    n->parfor.lanes = lanes;
    base_text_format(x->p->explain, "lanes: an iteration of the loop at line %u runs on %u lanes%s%s%s%s%s%s\n",
                     u->cx->locs[n->loc].line, lanes, exchange ? " of a subgroup" : "",
                     across ? " beside those of its neighbours" : "",
                     copies ? "; its updates are made without copies" : "",
                     x->searches ? ", each of which has a best of its own" : "",
                     meets ? ", which wait for what others of them write" : "",
                     x->alone.count ? ", some of it by one of them alone" : "");
    ir_stmt loops[PASS_LANES_LOOPS];
    uint32_t shared = 0;
    find_shared(u, x->body, loops, &shared);
    pass_say_loops(x->p, "lanes", parfor, loops, shared);
    return true;
}

static void place_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct laner *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[parfor];
    uint64_t iterations = pass_most_iterations(sc, parfor);
    if (n->parfor.reduction_count || n->flags & IR_FLAG_LANES || iterations == 0 || iterations > PASS_MOST_LANED ||
        !pass_has_simd(x->u, n->parfor.body))
        return;
    x->sc = sc;
    struct way way = {.until = true}, alone = {.until = true, .alone = true};
    if (place(x, parfor, iterations, &way) || place(x, parfor, iterations, &alone) || !way.until) return;
    way = alone = (struct way){.left = true}; // loops that data end may be all that kept lanes away
    alone.alone = true;
    if (!place(x, parfor, iterations, &way)) (void)place(x, parfor, iterations, &alone);
}

// What pass_share marked and nobody took is a sequential loop again.
static bool give_back(void *user, ir_stmt s) {
    struct ir_unit *u = user;
    struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_FOR && n->flags & IR_FLAG_FREE && !(n->flags & IR_FLAG_LANES)) {
        n->flags &= (uint16_t) ~(IR_FLAG_SIMD | IR_FLAG_FREE);
        pass_recur_alone(u, s);
        n = &u->stmts[s];
    }
    if (n->kind == IR_LOOP && n->flags & IR_FLAG_LONGEST && !ir_has_shared(u, s)) {
        pass_take_places_alone(u, s);
        pass_leap_alone(u, s);
    }
    return true;
}

void pass_lanes(struct pass_cx *p) {
    struct laner x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, place_parfor, &x);
    ir_walk_stmts(p->u, p->u->root, give_back, p->u);
    pass_take_back_updates(p->u, p->u->root);
}
