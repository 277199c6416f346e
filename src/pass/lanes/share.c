// Parallel loops of few iterations, and those whose iterations work on rows of their own: inner loops whose passes are
// independent are marked as `omp simd` would mark them, so that spread and lanes may share them out. Nobody need have
// said so: it is shown (analysis/apart.c, analysis/simd.c). Sums of floats are other ones in another order; WGSL leaves
// that to a device's compiler anyway, and partial sums err less than a long one. Who wants the order of C says so
// (keep_order), and only integers are reduced. Where the program says `simd` itself, it has said what lanes are for,
// and nothing is added.
//
// Searches for the best and its place are shared, too: what is kept does not depend on the order of the passes
// (analysis/search.c), and it is no sum.
//
// How long a loop is need not be known, only how long it may be: rows of a triangle, what a time loop has made so far.
//
// Before all that (pass_accumulate), small local arrays that such loops add to become scalars (accumulators.c), where
// that halves a lane's passes at least. This is tried on a copy of the program.
#include "pass/cost.h"
#include "pass/lanes/counters.h"
#include "pass/lanes/leap.h"
#include "pass/lanes/recur.h"
#include "pass/lanes/single_out.h"
#include "pass/lanes/until.h"
#include "pass/lanes/weigh.h"
#include "pass/passes.h"

#include <string.h>

// What a loop becomes so that lanes may share it, and what is said of it.
enum way { SINGLED_OUT, SUMS, LOOKS, ANEW, PLACES, WAYS };
static const char *const said_of[WAYS] = {
    [LOOKS] = "they look for the next pass that does something",
    [ANEW] = "lanes make anew what they need of the passes before theirs",
    [PLACES] = "passes take places behind those before theirs",
};

// A loop as it was before that.
struct leap {
    ir_stmt at;
    struct ir_stmt_node was;
    enum way way;
};

struct sharer {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_stmt only; // this parallel loop; 0: all
    struct pass_scope *sc;
    uint32_t *reads;        // of the parallel loop's body, by variable
    uint64_t *most, *taken; // by FOR of it: passes at most, 0: not known; those that it is taken to make
    uint32_t stmts;         // of these two
    ir_stmt parfor, body;   // the parallel loop; its body
    struct leap *leaps;
    uint32_t leap_count, leap_cap;
    uint32_t kept[WAYS]; // of all parallel loops
    uint64_t iterations;
    uint32_t lanes;      // of an iteration at least, by the loops that are marked so far; 0: there are none
    uint32_t most_lanes; // ... and at most
    uint32_t sure_lanes; // that it has because of a loop whose rounds take as long as one pass
    ir_var neighbour;    // tells neighbouring iterations apart
    bool rows_only;      // there are enough iterations: lanes pay where they make neighbours of what is loaded
    bool beyond;         // the walk is in a loop that lanes do not make together: it ends early, or is no counted one
    // Of the loop that was asked for last: by array, what it may do to it (updates.c); NULL: none.
    uint8_t *updates;
    uint32_t count;
};

// ---- rows -----------------------------------------------------------------------------------------------------------

struct loads {
    const struct sharer *x;
    ir_var counter;    // of the loop
    bool rows, across; // each iteration loads a row of its own; neighbouring iterations load neighbours
};
static bool on_load(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_unit *u = l->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || !ir_in_buffer(u, n->a)) return true;
    const struct ir_node *last = &u->nodes[u->args[n->b + n->n - 1]];
    bool own = false;
    for (uint32_t d = 0; d + 1 < n->n; d++)
        own |= ir_mentions(u, u->args[n->b + d], l->x->neighbour);
    l->rows |= own && last->op == IR_VAR && last->a == l->counter;
    l->across |= ir_mentions(u, u->args[n->b + n->n - 1], l->x->neighbour);
    return true;
}

// The passes of the loop load neighbours, and neighbouring iterations do not: one lane an iteration would ask for a
// line of the cache for each word.
static bool loads_rows(const struct sharer *x, ir_stmt s) {
    struct loads l = {x, x->u->stmts[s].counted.var, false, false};
    ir_walk_nodes(x->u, x->u->stmts[s].counted.body, on_load, &l);
    return l.rows && !l.across;
}

// ---- which loops? ---------------------------------------------------------------------------------------------------

static bool may_reorder(const struct sharer *x, const struct ir_reduction *list, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (x->p->target->keep_order && x->u->vars[list[k].var].type == IR_F32) return false;
    return true;
}

// Bounds that are no constants: half of what they allow, as in a triangle of a matrix.
static void count_passes(struct sharer *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner), around = pass_scope_enter(x->sc);
        if (n->kind == IR_FOR && !ir_const_trips(u, s, &x->most[s])) {
            uint64_t most = pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step);
            uint32_t indexed = pass_most_indexed(u, n->counted.body, n->counted.var);
            if (indexed && indexed < most) most = indexed;
            x->most[s] = most <= PASS_LANES_MOST_PASSES ? most : 0;
            x->taken[s] = (x->most[s] + 1) / 2;
        } else if (n->kind == IR_LOOP && !(n->flags & IR_FLAG_LONGEST)) {
            uint64_t most = pass_until_passes(x->sc, block, s); // how many it is taken to make nobody knows
            x->most[s] = most <= PASS_LANES_MOST_PASSES ? most : 0;
        } else {
            x->taken[s] = x->most[s];
        }
        if (n->kind == IR_FOR || n->kind == IR_LOOP) pass_scope_loop(x->sc, s);
        for (uint32_t i = 0; i < blocks; i++)
            count_passes(x, inner[i]);
        pass_scope_leave(x->sc, around);
        if (n->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
    }
    pass_scope_leave(x->sc, mark);
}

// Its driver may end an invocation's loops, so that a run would fail.
static bool in_software(const struct sharer *x) { return x->p->target->busy_invocations < PASS_GPU_INVOCATIONS; }
// There, lanes that somebody asks for may wait long at each round, as in a test.
static bool rounds_are_slow(const struct sharer *x) { return in_software(x) && !x->p->target->lanes; }

static uint32_t lanes_of(const struct sharer *x, ir_stmt loop) {
    uint32_t lanes = pass_least_lanes(x->p, loop, x->most[loop], x->iterations);
    return lanes ? lanes : 1;
}

// No more than the device runs at once.
static uint32_t lanes_with_room(const struct sharer *x, uint32_t most) {
    if (x->p->target->lanes) return x->p->target->lanes;
    while (most > 1 && x->iterations * most > x->p->target->busy_invocations)
        most /= 2;
    return most;
}

// A lane's passes of the loop, with those inside, are no more than it may make without a pause.
static bool is_short(const struct sharer *x, ir_stmt loop) {
    uint64_t most = in_software(x) ? PASS_SHARE_LEAST_CAP : PASS_SHARE_MOST_PASSES, lanes = lanes_of(x, loop),
             inside = pass_passes_of_lane(x->u, x->u->stmts[loop].counted.body, 1, x->most);
    return inside < most && (x->most[loop] + lanes - 1) / lanes * (inside + 1) <= most;
}

// Whatever its length.
static bool is_independent(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    struct pass_lane_sums sums;
    // Lanes have no part in each other's local arrays, so what such a loop leaves in one would be nowhere.
    if (pass_writes_local(u, s)) return false;
    if (x->rows_only && (x->taken[s] < PASS_SHARE_LEAST_ROW || !loads_rows(x, s))) return false;
    if (pass_leaves_loop(u, n->counted.body) || !pass_sums_of_lanes(x->sc, s, x->reads, &sums)) return false;
    if (!may_reorder(x, sums.list, sums.count) || (x->rows_only && sums.search_count)) return false;
    x->updates = NULL;
    if (pass_runs_are_apart(x->sc, s, NULL, NULL)) return true;
    if (x->rows_only) return false;
    x->updates = pass_find_updates(u, n->counted.body);
    if (!x->updates) return false;
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].elem == WHORL_F32) x->updates[a] = IR_CONST; // not exchanged word by word
    return pass_runs_are_apart(x->sc, s, NULL, x->updates);
}

// What else is independent pass_collapse has found.
static bool touches_expanded(struct ir_unit *u, ir_stmt s) {
    struct ir_effects fx = ir_effects_of_one(u, s);
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].expanded && (ir_bit(fx.arrays_read, a) || ir_bit(fx.arrays_written, a))) return true;
    return false;
}

static bool is_enough(const struct sharer *x, ir_stmt s, uint64_t passes) {
    // Most of the device is idle, and loops in it need not be one with it.
    bool few = x->iterations <= x->p->target->busy_invocations / PASS_SHARE_IDLE && touches_expanded(x->u, s) &&
               !pass_passes_of(x->u, x->u->stmts[s].counted.body);
    return passes >= (few ? PASS_SHARE_LEAST_EXPANDED : PASS_SHARE_LEAST_PASSES) || x->u->stmts[s].flags & IR_FLAG_LONG;
}

static bool is_free(struct sharer *x, ir_stmt s) {
    return x->taken[s] && is_enough(x, s, x->taken[s]) && is_short(x, s) && is_independent(x, s);
}

// Few passes, but long ones.
static bool is_free_and_long(struct sharer *x, ir_stmt s) {
    uint64_t inside = pass_passes_of_lane(x->u, x->u->stmts[s].counted.body, 1, x->taken);
    bool enough = (x->taken[s] >= PASS_SHARE_LEAST_LONG && inside >= PASS_SHARE_LONG) ||
                  (x->taken[s] >= PASS_SHARE_LEAST_LOOPS && inside >= PASS_SHARE_LEAST_LONG);
    return !x->rows_only && touches_expanded(x->u, s) && enough && inside != UINT64_MAX && is_short(x, s) &&
           is_independent(x, s);
}

static void count_reads(struct sharer *x) {
    x->reads = base_alloc_array(x->u->cx, x->u->var_count, sizeof *x->reads);
    pass_count_reads(x->u, x->body, x->reads);
}

// By statement, also of those that were made since then.
static void make_room(struct sharer *x) {
    struct ir_unit *u = x->u;
    if (x->stmts >= u->stmt_count) return;
    uint64_t *most = base_alloc_array(u->cx, u->stmt_count, sizeof *most),
             *taken = base_alloc_array(u->cx, u->stmt_count, sizeof *taken);
    if (x->stmts) {
        memcpy(most, x->most, x->stmts * sizeof *most);
        memcpy(taken, x->taken, x->stmts * sizeof *taken);
    }
    x->most = most;
    x->taken = taken;
    x->stmts = u->stmt_count;
}

static bool has_sums(const struct sharer *x, ir_stmt s) {
    struct pass_lane_sums sums;
    return !pass_sums_of_lanes(x->sc, s, x->reads, &sums) || sums.count;
}

// Makes one loop of this one and the one in it, where lanes may share that.
static bool merge(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node was = u->stmts[s];
    uint64_t all;
    ir_stmt inner = x->rows_only ? 0 : pass_merge_inner(u, s, &all);
    if (!inner || !touches_expanded(u, s) || !is_enough(x, s, all) || has_sums(x, s) || !is_independent(x, s) ||
        x->updates)
        return false;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    for (ir_stmt head = u->stmts[s].counted.body; head != inner; head = u->stmts[head].next)
        pass_scope_assign(x->sc, head);
    bool fits = !has_sums(x, inner) && is_independent(x, inner) && !x->updates;
    pass_scope_leave(x->sc, mark);
    if (!fits) return false;
    pass_merge(u, s);
    make_room(x);
    count_reads(x);
    uint64_t most = x->most[s], taken = x->taken[s];
    x->most[s] = x->taken[s] = all;
    struct pass_lane_sums sums; // a search has to be one in the one loop, too
    if (is_short(x, s) && pass_sums_of_lanes(x->sc, s, x->reads, &sums)) return true;
    x->most[s] = most, x->taken[s] = taken;
    u->stmts[s] = was;
    count_reads(x);
    return false;
}

static void mark_loop(struct sharer *x, ir_stmt s) {
    bool fewer = !(x->u->stmts[s].flags & IR_FLAG_LONG);
    uint32_t lanes = lanes_of(x, s);
    if (!x->lanes || (x->lanes < lanes) != fewer) x->lanes = lanes;
    if (x->lanes < x->sure_lanes) x->lanes = x->sure_lanes;
    if (x->most_lanes < lanes) x->most_lanes = lanes;
    x->u->stmts[s].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    if (x->updates) pass_make_updates(x->u, x->u->stmts[s].counted.body, x->updates, IR_FLAG_FREE, IR_FLAG_FREE);
    x->count++;
}

static void note_leap(struct sharer *x, ir_stmt s, struct ir_stmt_node was, enum way way) {
    BASE_RESERVE(x->u->cx, x->leaps, x->leap_count, x->leap_cap);
    x->leaps[x->leap_count++] = (struct leap){s, was, way};
}

// Lanes share the search for the next of its passes that does something, or its sums. -> the last statement of what it
// becomes; 0: neither
static ir_stmt leap(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node was = u->stmts[s];
    uint64_t most = x->most[s], taken = x->taken[s];
    if (x->rows_only || x->beyond || rounds_are_slow(x) || taken < PASS_LEAP_LEAST || most > PASS_SHARE_MOST_PASSES)
        return 0;
    struct ir_effects fx = ir_effects_of(u, x->body);
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    uint32_t few = PASS_LEAP_LANES; // without subgroups all of a workgroup would wait in each round
    if (x->p->target->subgroup_lanes > 1) few = lanes_with_room(x, few);
    bool room = few >= PASS_LEAP_LEAST_LANES, looks = room && pass_leap(x->sc, s, x->reads, &fx, most, few),
         sums = room && !looks && !x->p->target->keep_order && pass_sums_until(x->sc, s, x->reads, most, few);
    pass_scope_leave(x->sc, mark);
    if (!looks && !sums) return 0;
    note_leap(x, s, was, looks ? LOOKS : SUMS);
    ir_stmt loop = s;
    while (u->stmts[loop].kind != IR_LOOP)
        loop = u->stmts[loop].next;
    ir_stmt search = u->stmts[loop].loop.body;
    while (!(u->stmts[search].flags & IR_FLAG_SIMD))
        search = u->stmts[search].next;
    make_room(x);
    count_reads(x);
    count_passes(x, u->stmts[loop].loop.body);
    uint32_t at_once = pass_leap_passes(u, was.counted.body, most, few);
    x->most[search] = x->taken[search] = most < at_once ? most : at_once;
    x->taken[loop] = looks ? pass_leap_rounds(taken, at_once) : taken / at_once + 1;
    if (sums) x->most[u->stmts[loop].next] = x->taken[u->stmts[loop].next] = at_once;
    uint32_t lanes = lanes_of(x, search);
    uint64_t tries = (at_once + lanes - 1) / lanes; // of a lane, in each round: at most as many as there are passes
    // fewer would wait for each other more than they spare; and they cannot pause
    if (lanes < few || most * tries > PASS_SHARE_MOST_PASSES) {
        x->leap_count--;
        u->stmts[s] = was;
        count_reads(x);
        return 0;
    }
    x->lanes = x->lanes && x->lanes < lanes ? x->lanes : lanes;
    x->count++;
    return sums ? u->stmts[loop].next : loop;
}

// All but one of its passes, which others read from, are for lanes.
static bool single_out(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node was = u->stmts[s];
    if (x->beyond || x->rows_only || rounds_are_slow(x) || x->taken[s] < PASS_SHARE_LEAST_PASSES ||
        !pass_single_out(x->sc, s, x->reads))
        return false;
    uint64_t most = x->most[s], taken = x->taken[s];
    bool free = true;
    make_room(x);
    count_reads(x);
    for (ir_stmt t = u->stmts[s].next; t != was.next; t = u->stmts[t].next) {
        if (u->stmts[t].kind != IR_FOR) continue;
        x->most[t] = most;
        x->taken[t] = (taken + 1) / 2;
        free &= is_free(x, t);
    }
    if (!free) {
        u->stmts[s] = was;
        count_reads(x);
        return false;
    }
    note_leap(x, s, was, SINGLED_OUT);
    x->count++;
    return true;
}

// What the loop became: how many passes its loops make, and whether lanes may share them. *out_most: passes that
// a round may have.
static bool fits_recurrence(struct sharer *x, const struct pass_recurrence *made, uint64_t passes, uint32_t *out_most) {
    make_room(x);
    count_reads(x);
    uint32_t mark = pass_scope_enter(x->sc);
    if (made->rounds) pass_scope_loop(x->sc, made->rounds);
    count_passes(x, made->rounds ? ir_body_of(&x->u->stmts[made->rounds]) : made->shared);
    x->most[made->shared] = x->taken[made->shared] = made->at_once;
    if (made->rounds) x->most[made->rounds] = x->taken[made->rounds] = passes / made->at_once + 1;
    struct pass_lane_sums sums;
    uint32_t lanes = lanes_of(x, made->shared);
    bool fits = pass_sums_of_lanes(x->sc, made->shared, x->reads, &sums) && may_reorder(x, sums.list, sums.count) &&
                is_short(x, made->shared) && 2 * lanes >= PASS_SHARE_LEAST_LONG;
    pass_scope_leave(x->sc, mark);
    *out_most = made->anew && 2 * lanes < made->at_once ? lanes : made->at_once;
    return fits;
}

// Lanes share its passes, each of which makes anew what it needs of the ones before it.
static ir_stmt recur(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node was = u->stmts[s];
    uint64_t passes = x->taken[s], trips;
    uint32_t most = lanes_with_room(x, PASS_WORKGROUP), room;
    if ((x->beyond && !ir_const_trips(u, s, &trips)) || x->rows_only || rounds_are_slow(x) ||
        passes < PASS_SHARE_LEAST_LONG || x->most[s] > PASS_SHARE_MOST_PASSES ||
        !pass_may_recur(u, s, x->most[s], most) || pass_writes_local(u, s) ||
        !pass_runs_are_apart(x->sc, s, NULL, NULL))
        return 0;
    struct pass_recurrence made;
    while (pass_recur(u, s, x->reads, x->most[s], most, &made)) {
        bool fits = fits_recurrence(x, &made, passes, &room);
        if (fits && room == made.at_once) {
            x->updates = NULL;
            mark_loop(x, made.shared);
            note_leap(x, s, was, ANEW);
            return made.last;
        }
        u->stmts[s] = was;
        count_reads(x);
        if (!fits) break;
        most = room;
    }
    return 0;
}

// Lanes share its passes, each of which takes a place behind those before it. -> the LOOP that it becomes; 0: it does
// not
static ir_stmt take_places(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node was = u->stmts[s];
    uint64_t most = x->most[s], taken = x->taken[s];
    uint32_t at_once = lanes_with_room(x, PASS_COUNTERS_PASSES);
    struct pass_counters made;
    if (x->beyond || x->rows_only || rounds_are_slow(x) || at_once < PASS_COUNTERS_LEAST ||
        taken < PASS_COUNTERS_ROUNDS * at_once || most > PASS_SHARE_MOST_PASSES ||
        !pass_take_places(x->sc, x->p->target, x->parfor, s, x->reads, most, at_once, &made))
        return 0;
    make_room(x);
    count_reads(x);
    count_passes(x, u->stmts[made.rounds].loop.body);
    x->taken[made.rounds] = taken / at_once + 1;
    x->updates = NULL;
    for (uint32_t k = 0; k < PASS_COUNTERS_LOOPS; k++) {
        x->most[made.shared[k]] = x->taken[made.shared[k]] = at_once;
        uint32_t lanes = lanes_of(x, made.shared[k]);
        if (lanes > x->sure_lanes) x->sure_lanes = lanes;
        mark_loop(x, made.shared[k]);
    }
    x->count -= PASS_COUNTERS_LOOPS - 1; // it counts as one
    note_leap(x, s, was, PLACES);
    return made.rounds;
}

static void share_block(struct sharer *x, ir_stmt block);
static void share_inside(struct sharer *x, ir_stmt block, bool beyond) {
    bool around = x->beyond;
    x->beyond |= beyond;
    share_block(x, block);
    x->beyond = around;
}

// The outermost such loops of the block.
static void share_block(struct sharer *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (n.kind == IR_IF) {
            share_block(x, n.branch.then_block);
            share_block(x, n.branch.else_block);
        }
        if (n.kind == IR_LOOP && !(n.flags & IR_FLAG_LONGEST)) share_inside(x, n.loop.body, true);
        if (n.kind != IR_FOR || n.flags & IR_FLAG_SIMD) continue;
        if (merge(x, s) || is_free(x, s)) {
            mark_loop(x, s);
            continue;
        }
        bool leaves = pass_leaves_loop(u, n.counted.body);
        if (single_out(x, s)) continue;
        ir_stmt made = leaves ? leap(x, s) : recur(x, s); // where it leaves, lanes come to no loop inside
        if (!made && !leaves) made = take_places(x, s);
        if (made) {
            s = made;
            continue;
        }
        uint32_t inner = pass_scope_enter(x->sc), before = x->count;
        pass_scope_loop(x->sc, s);
        share_inside(x, n.counted.body, leaves);
        pass_scope_leave(x->sc, inner);
        if (x->count != before) continue;
        if (is_free_and_long(x, s))
            mark_loop(x, s);
        else
            made = leap(x, s);
        if (made) s = made;
    }
    pass_scope_leave(x->sc, mark);
}

// A loop that lanes do not share is made by each of them.
static bool any_long_left(const struct sharer *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        if (n->kind == IR_FOR && n->flags & IR_FLAG_FREE) continue;
        bool around = pass_has_simd(x->u, ir_body_of(n));
        if (n->kind == IR_LOOP ||
            (n->kind == IR_FOR && !around && (!x->most[s] || x->most[s] >= PASS_SHARE_LEAST_PASSES)))
            return true;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            if (any_long_left(x, inner[i])) return true;
    }
    return false;
}

static bool unmark(void *user, ir_stmt s) {
    struct sharer *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_FOR || !(n->flags & IR_FLAG_FREE)) return true;
    n->flags &= (uint16_t) ~(IR_FLAG_SIMD | IR_FLAG_FREE);
    x->count--;
    return true;
}

// Where there are enough iterations, what each lane makes anew costs; where there are few, it still costs what other
// passes would have made of it, so lanes have to spare a part of the iteration's passes. How many lanes rows have is
// not known yet: 1.
static bool pays(const struct sharer *x, ir_stmt body) {
    uint64_t passes = pass_passes_of_lane(x->u, body, x->lanes, x->taken),
             alone = pass_passes_of_lane(x->u, body, 1, x->taken);
    if (x->rows_only && any_long_left(x, body)) return false;
    if (passes == UINT64_MAX) return true;
    if (in_software(x) && passes > PASS_SHARE_LEAST_CAP) return false;
    return x->lanes == 1 || alone - passes >= alone / PASS_SHARE_SPARED;
}

// The scope is in front of the parallel loop. -> its mark there; now it is in the loop.
static uint32_t enter_parfor(struct sharer *x, struct pass_scope *sc, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    x->iterations = pass_most_iterations(sc, parfor);
    x->lanes = x->sure_lanes = x->most_lanes = 0;
    x->rows_only = x->iterations > x->p->target->busy_invocations / 2;
    x->neighbour = u->dims[n.parfor.dims + n.parfor.dim_count - 1].var;
    x->sc = sc;
    x->parfor = parfor;
    x->body = n.parfor.body;
    x->leap_count = 0;
    make_room(x);
    count_reads(x);
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    count_passes(x, n.parfor.body);
    return mark;
}

static void share_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct sharer *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    if (x->only && parfor != x->only) return;
    if (pass_has_simd(u, n.parfor.body) || n.flags & IR_FLAG_LANES) return;
    uint32_t mark = enter_parfor(x, sc, parfor);
    share_block(x, n.parfor.body);
    pass_scope_leave(sc, mark);
    if (!x->lanes) return;
    if (pays(x, n.parfor.body)) {
        for (uint32_t i = 0; i < x->leap_count; i++)
            x->kept[x->leaps[i].way]++;
        return;
    }
    while (x->leap_count > 0) {
        x->leap_count--;
        u->stmts[x->leaps[x->leap_count].at] = x->leaps[x->leap_count].was;
        x->count--;
    }
    ir_walk_stmts(u, n.parfor.body, unmark, x);
    pass_take_back_updates(u, n.parfor.body);
}

static void begin(struct sharer *x, struct pass_cx *p) {
    x->p = p;
    x->u = p->u;
    make_room(x);
}

static void mark_all(struct pass_cx *p, struct sharer *x) {
    struct pass_scope sc;
    begin(x, p);
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, share_parfor, x);
}

// ---- searches -------------------------------------------------------------------------------------------------------

// Lanes of one workgroup are enough: they keep the device busy, or blocks of the grid, which are more, would spare each
// of them less than the barriers between their dispatches cost.
static bool are_enough(const struct sharer *x, ir_stmt loop) {
    uint64_t lanes = lanes_of(x, loop), inside = pass_passes_of(x->u, x->u->stmts[loop].counted.body);
    uint64_t each = (x->taken[loop] + lanes - 1) / lanes * (inside == UINT64_MAX ? 1 : inside + 1);
    return each <= PASS_SCAN_LEAST_PASSES || x->iterations * lanes >= x->p->target->busy_invocations / PASS_SCAN_FEW;
}

// Where lanes share loops (pass_lanes): in none but counted loops.
static void find_searches(struct sharer *x, ir_stmt block, bool *out) {
    const struct ir_unit *u = x->u;
    struct pass_search list[PASS_SEARCHES];
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (u->stmts[s].kind != IR_FOR) continue;
        out[s] = pass_searches(u, s, list) && is_free(x, s) && are_enough(x, s);
        uint32_t inner = pass_scope_enter(x->sc);
        pass_scope_loop(x->sc, s);
        if (!out[s]) find_searches(x, u->stmts[s].counted.body, out);
        pass_scope_leave(x->sc, inner);
    }
    pass_scope_leave(x->sc, mark);
}

static bool on_loop(void *user, ir_stmt s) {
    struct sharer *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    struct pass_search list[PASS_SEARCHES];
    x->count += n->kind == IR_FOR && pass_searches(x->u, s, list);
    return !x->count;
}

bool *pass_searches_of_lanes(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor) {
    struct sharer x = {.u = p->u};
    ir_walk_stmts(p->u, p->u->stmts[parfor].parfor.body, on_loop, &x);
    if (!x.count) return NULL;
    bool *out = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *out);
    begin(&x, p);
    uint32_t mark = enter_parfor(&x, sc, parfor);
    find_searches(&x, p->u->stmts[parfor].parfor.body, out);
    pass_scope_leave(sc, mark);
    return out;
}

// ---- small arrays ---------------------------------------------------------------------------------------------------

// The parallel loops whose accumulators become scalars.
struct choices {
    struct pass_cx *p;
    const bool **arrays; // by statement, NULL: of this one none do
    bool *own;           // by statement: their loops get arrays of their own, which do
    bool *each;          // by statement: after what data choose is spelled out (chosen.c)
    bool any;
};

// How often lanes begin a loop that they share.
static uint64_t begins(const struct sharer *x, ir_stmt block) {
    uint64_t all = 0;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        bool shared = n->kind == IR_FOR && n->flags & IR_FLAG_FREE;
        for (uint32_t i = 0; i < blocks && !shared; i++)
            all += begins(x, inner[i]) * (n->kind == IR_FOR && x->taken[s] ? x->taken[s] : 1);
        all += shared;
    }
    return all;
}

uint64_t pass_shared_passes(struct pass_cx *copy, ir_stmt parfor) {
    struct sharer x = {.only = parfor};
    mark_all(copy, &x);
    ir_stmt body = copy->u->stmts[parfor].parfor.body;
    uint64_t passes = pass_passes_of_lane(copy->u, body, x.lanes ? x.lanes : 1, x.taken);
    return passes == UINT64_MAX ? passes : passes + PASS_SHARE_BEGIN * begins(&x, body);
}

struct pass_sharing pass_weigh_sharing(struct pass_cx *copy, ir_stmt parfor, uint32_t least) {
    struct sharer x = {.only = parfor};
    mark_all(copy, &x);
    struct pass_sharing out = {.loops = x.count, .lanes = x.lanes ? x.lanes : 1};
    if (x.lanes && out.lanes < least) out.lanes = least;
    ir_stmt body = copy->u->stmts[parfor].parfor.body;
    out.time = out.least_time = pass_time_on_lanes(copy, body, x.iterations, out.lanes, x.taken);
    if (x.lanes && x.most_lanes > out.lanes) { // pass_lanes goes by the longest loop
        double time = pass_time_on_lanes(copy, body, x.iterations, x.most_lanes, x.taken);
        if (time < out.least_time) out.least_time = time;
    }
    return out;
}

// A lane's passes of an iteration when the loops are unrolled that choose elements of these arrays, with each element
// in memory or in a variable. NULL: of arrays that loops have for themselves; there are none: UINT64_MAX. All of that
// is done to a copy.
static uint64_t passes_with(const struct pass_cx *p, ir_stmt parfor, const bool *arrays, bool scalars) {
    struct base_scratch scratch = base_scratch_begin(p->u->cx);
    struct pass_cx copy = pass_copy(p);
    if (!arrays) arrays = pass_own_accumulators(copy.u, parfor);
    if (arrays) pass_unroll_choosing(&copy, parfor, arrays, false);
    if (arrays && scalars) pass_scalarise_only(&copy, arrays);
    uint64_t passes = arrays ? pass_shared_passes(&copy, parfor) : UINT64_MAX;
    base_scratch_end(p->u->cx, &scratch);
    return passes;
}

// Whether elements in variables are half of a lane's passes.
static bool halves(const struct pass_cx *p, ir_stmt parfor, const bool *arrays) {
    uint64_t with = passes_with(p, parfor, arrays, true);
    return with != UINT64_MAX && with <= passes_with(p, parfor, arrays, false) / 2;
}

// Whether they are half of them once additions to an element that data choose are additions to each.
static bool halves_by_each(const struct pass_cx *p, ir_stmt parfor, bool *out_own) {
    struct base_scratch scratch = base_scratch_begin(p->u->cx);
    struct pass_cx each = pass_copy(p), as_is = pass_copy(p);
    bool gains = false;
    *out_own = false;
    if (pass_add_to_each(each.u, parfor)) {
        uint64_t half = pass_shared_passes(&as_is, parfor) / 2;
        const bool *arrays = pass_accumulators_of(each.u, parfor);
        gains = arrays && passes_with(&each, parfor, arrays, true) <= half;
        *out_own = !gains && passes_with(&each, parfor, NULL, true) <= half;
    }
    base_scratch_end(p->u->cx, &scratch);
    return gains || *out_own;
}

static void weigh(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)sc;
    struct choices *x = user;
    if (pass_has_simd(x->p->u, x->p->u->stmts[parfor].parfor.body)) return;
    const bool *arrays = pass_accumulators_of(x->p->u, parfor);
    bool local = pass_local_words(x->p->u, parfor) > 0;
    if (arrays && halves(x->p, parfor, arrays)) x->arrays[parfor] = arrays;
    x->own[parfor] = !x->arrays[parfor] && local && halves(x->p, parfor, NULL);
    if (local && !x->arrays[parfor] && !x->own[parfor]) x->each[parfor] = halves_by_each(x->p, parfor, &x->own[parfor]);
    x->any |= x->arrays[parfor] || x->own[parfor] || x->each[parfor];
}

void pass_accumulate(struct pass_cx *p) {
    struct ir_unit *u = p->u;
    uint32_t stmts = u->stmt_count, arrays = u->array_count;
    struct choices x = {.p = p, .arrays = base_alloc_array(u->cx, stmts, sizeof *x.arrays)};
    x.own = base_alloc_array(u->cx, stmts, sizeof *x.own);
    x.each = base_alloc_array(u->cx, stmts, sizeof *x.each);
    struct pass_scope sc;
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, weigh, &x);
    if (!x.any) return;
    ir_array *end = base_alloc_array(u->cx, stmts, sizeof *end); // of those that a choice knows of
    for (ir_stmt s = 1; s < stmts; s++) {
        if (x.each[s]) (void)pass_add_to_each(u, s);
        if (x.each[s]) x.arrays[s] = pass_accumulators_of(u, s);
        if (x.own[s]) x.arrays[s] = pass_own_accumulators(u, s);
        end[s] = x.own[s] ? u->array_count : arrays;
    }
    bool *all = base_alloc_array(u->cx, u->array_count, sizeof *all);
    for (ir_stmt s = 1; s < stmts; s++) {
        if (!x.arrays[s]) continue;
        bool *here = base_alloc_array(u->cx, u->array_count, sizeof *here);
        for (ir_array a = 1; a < end[s]; a++)
            all[a] |= here[a] = x.arrays[s][a];
        pass_unroll_choosing(p, s, here, false);
    }
    pass_scalarise_only(p, all);
}

void pass_share(struct pass_cx *p) {
    struct sharer x = {0};
    mark_all(p, &x);
    if (!p->trial) pass_note_passes(p->u);
    if (x.count) base_text_format(p->explain, "share: %u loop%s that lanes may share out\n", x.count, base_s(x.count));
    for (uint32_t way = 0; way < WAYS; way++)
        if (x.kept[way] && said_of[way])
            base_text_format(p->explain, "share: in %u of them %s\n", x.kept[way], said_of[way]);
}
