// Loops in which each pass needs of the ones before it only what a small part of them makes: the state of a generator
// of random numbers, a running sum, a position.
//
//   for (i = lo; i < hi; i++) {            for (at = lo; at < hi; at += CHUNK) {
//       s = next(s);                           n = min(hi - at, CHUNK);  t = s;
//       work(i, s);                            for (q < n shared) {
//   }                                              now = t;
//                                                  if (q > 0) for (before < q) now = next(now);
//                                                  now = next(now);  work(at + q, now);
//                                                  if (q is the last) s = now;
//                                              }
//                                          }
//
// The law: the statements of a pass that its variables need which the next pass reads (a program slice: M. Weiser, IEEE
// Transactions on Software Engineering 10, 1984) load nothing that the loop writes. So any lane can make them anew for
// all passes in front of its own. What of them is linear, as most generators are, is made for many passes at once
// (jump.c).
#include "pass/lanes/recur.h"

#include "pass/cost.h"
#include "pass/lanes/jump.h"
#include "pass/lanes/one_lane.h"
#include "pass/passes.h"

struct recur {
    struct ir_unit *u;
    ir_stmt loop;
    uint32_t vars;          // of the program as it was
    struct ir_effects fx;   // of the loop's body
    uint32_t *shared;       // variables that lanes share; those that are handed on:
    uint32_t *state, *last; // ... what the next pass may read, and what only those behind the loop read
    bool *needed;           // by variable: by the slice
    bool *sliced;           // by statement
    bool grown, fits;
    struct pass_jump *jumps; // by variable: what the slice makes of it; NULL: it is made pass by pass
    double body, slice;      // operations of a pass, and of the slice
    double jump;             // ... of twice as many passes at once
};

struct counts {
    const struct ir_unit *u;
    ir_var var;
    bool found;
};

struct cost {
    const struct recur *x;
    double sum;
};

// ---- what is handed on ----------------------------------------------------------------------------------------------

static void set_bit(uint32_t *set, uint32_t bit) { set[bit / 32] |= 1u << bit % 32; }

// Lanes share these: sums, and what searches keep.
static uint32_t *shared_by_lanes(const struct recur *x, const uint32_t *inside) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[x->loop].counted.body;
    uint32_t *set = base_alloc_array(u->cx, (u->var_count + 31) / 32, sizeof *set);
    struct pass_search searches[PASS_SEARCHES];
    uint32_t count = pass_searches(u, x->loop, searches);
    for (uint32_t i = 0; i < count; i++)
        for (ir_stmt s = u->stmts[searches[i].test].branch.then_block; s; s = u->stmts[s].next)
            set_bit(set, u->stmts[s].assign.var);
    for (ir_var v = 1; v < u->var_count; v++) {
        uint32_t uses = 0;
        if (ir_bit(x->fx.vars_written, v) && pass_accumulates(u, body, v, &uses) != IR_CONST && uses == inside[v])
            set_bit(set, v);
    }
    return set;
}

// A FOR of the pass counts by it: what is left in that is nobody's but other loops' that count by it, too.
static bool on_for(void *user, ir_stmt s) {
    struct counts *c = user;
    const struct ir_stmt_node *n = &c->u->stmts[s];
    c->found |= n->kind == IR_FOR && n->counted.var == c->var;
    return !c->found;
}
static bool counts_by(const struct recur *x, ir_var v) {
    struct counts c = {x->u, v, false};
    ir_walk_stmts(x->u, x->u->stmts[x->loop].counted.body, on_for, &c);
    return c.found;
}

static bool find_state(struct recur *x, const uint32_t *reads) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[x->loop].counted.body;
    uint32_t words = (u->var_count + 31) / 32, *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside), *left,
             *met;
    pass_count_reads(u, body, inside);
    pass_find_left(u, body, reads, true, &left, &met);
    x->shared = shared_by_lanes(x, inside);
    x->state = base_alloc_array(u->cx, words, sizeof *x->state);
    x->last = base_alloc_array(u->cx, words, sizeof *x->last);
    bool any = false;
    for (ir_var v = 1; v < u->var_count; v++) {
        if (!ir_bit(left, v) || ir_bit(x->shared, v)) continue;
        if (u->vars[v].type == IR_BOOL || u->vars[v].klass != IR_VAR_LOCAL || counts_by(x, v)) return false;
        bool sure = !ir_bit(met, v) && pass_set_to(u, body, v);
        set_bit(sure ? x->last : x->state, v);
        any |= !sure;
    }
    return any;
}

// ---- the slice ------------------------------------------------------------------------------------------------------

static bool on_needed(void *user, ir_expr e) {
    struct recur *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR) x->needed[n->a] = true;
    x->fits &= n->op != IR_LOAD || !ir_bit(x->fx.arrays_written, n->a);
    return x->fits;
}

static void need(struct recur *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, on_needed, x);
}

// The place of the load is known only when passes before this one have been made; or nobody knows yet.
static bool is_chained(const struct recur *x, const struct ir_node *load) {
    bool found = !x->fx.vars_written;
    for (uint32_t d = 0; d < load->n; d++)
        found = found || ir_mentions_any(x->u, x->u->args[load->b + d], x->fx.vars_written);
    return found;
}

// Marks what sets the variables that are needed, and what decides about it. -> something in the block is marked
static bool mark(struct recur *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    bool any = false;
    for (ir_stmt s = block; s && x->fits; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        ir_var v = ir_written_var(n);
        bool keep = v && x->needed[v];
        for (uint32_t i = 0; i < blocks; i++)
            keep |= mark(x, inner[i]);
        any |= keep;
        if (!keep || x->sliced[s]) continue;
        x->sliced[s] = x->grown = true;
        if (n->kind == IR_ASSIGN) {
            x->fits &= !(n->flags & IR_FLAG_ATOMIC);
            need(x, n->assign.value);
        } else if (n->kind == IR_IF) {
            need(x, n->branch.cond);
        } else if (n->kind == IR_FOR) {
            x->fits &= !pass_leaves_loop(u, n->counted.body);
            need(x, n->counted.lo);
            need(x, n->counted.hi);
        } else {
            x->fits = false;
        }
    }
    return any;
}

static bool find_slice(struct recur *x) {
    struct ir_unit *u = x->u;
    x->needed = base_alloc_array(u->cx, u->var_count, sizeof *x->needed);
    x->sliced = base_alloc_array(u->cx, u->stmt_count, sizeof *x->sliced);
    for (ir_var v = 1; v < u->var_count; v++)
        x->needed[v] = ir_bit(x->state, v);
    x->fits = true;
    do {
        x->grown = false;
        (void)mark(x, u->stmts[x->loop].counted.body);
    } while (x->grown && x->fits);
    return x->fits;
}

// The marked statements of the block, with its variables.
static ir_stmt slice_of(const struct recur *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt made = 0;
        if (!x->sliced[s]) continue;
        if (n.kind == IR_ASSIGN) made = ir_assign(u, n.assign.var, n.assign.value, n.loc);
        if (n.kind == IR_IF) {
            ir_stmt then_block = slice_of(x, n.branch.then_block), else_block = slice_of(x, n.branch.else_block);
            made = ir_if(u, n.branch.cond, then_block, else_block, n.loc);
        }
        if (n.kind == IR_FOR)
            made = ir_for(u, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, slice_of(x, n.counted.body),
                          n.loc);
        ir_append(u, &out, made);
    }
    return out;
}

// ---- what it costs --------------------------------------------------------------------------------------------------

static bool on_cost(void *user, ir_expr e) {
    struct cost *c = user;
    const struct ir_node *n = &c->x->u->nodes[e];
    c->sum += n->op != IR_LOAD ? ir_cost(n) : is_chained(c->x, n) ? PASS_RECUR_CHAINED : PASS_RECUR_LOAD;
    return true;
}

// Operations of the block, or of what is marked in it.
static double cost_of(const struct recur *x, ir_stmt block, bool sliced) {
    const struct ir_unit *u = x->u;
    double all = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        struct cost own = {x, 1};
        if (sliced && !x->sliced[s]) continue;
        uint64_t trips = n->kind == IR_LOOP ? PASS_UNKNOWN_PASSES : 1;
        if (n->kind == IR_FOR && !ir_const_trips(u, s, &trips)) trips = PASS_UNKNOWN_PASSES;
        if (n->kind == IR_ASSIGN) ir_walk_expr(u, n->assign.value, on_cost, &own);
        if (n->kind == IR_IF) ir_walk_expr(u, n->branch.cond, on_cost, &own);
        if (n->kind == IR_STORE) ir_walk_expr(u, n->store.value, on_cost, &own);
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            own.sum += cost_of(x, inner[i], sliced);
        all += (double)trips * own.sum;
    }
    return all;
}

static uint32_t doublings_of(uint32_t at_once) {
    uint32_t k = 0;
    while (1u << k < at_once)
        k++;
    return k;
}

// What a pass costs in a round of so many.
static double time_of(const struct recur *x, uint32_t at_once) {
    double ahead = x->jumps ? doublings_of(at_once) * x->jump : (at_once - 1) * x->slice;
    return (x->body + ahead + PASS_RECUR_BEGIN) / at_once;
}

// Passes of a round; 0: it would not pay.
static uint32_t choose(const struct recur *x, uint64_t passes, uint32_t most) {
    uint32_t at_once = PASS_SHARE_LEAST_LONG;
    while (at_once < passes && at_once * 2 <= most &&
           time_of(x, at_once * 2) * PASS_RECUR_GAIN < time_of(x, at_once) * (PASS_RECUR_GAIN - 1))
        at_once *= 2;
    return at_once <= most && time_of(x, at_once) * PASS_RECUR_SPARED <= x->body * (PASS_RECUR_SPARED - 1) ? at_once
                                                                                                           : 0;
}

// ---- what it becomes ------------------------------------------------------------------------------------------------

static ir_var local(struct recur *x, const char *name, enum ir_type type) {
    return ir_add_var(x->u, name, type, IR_VAR_LOCAL, x->u->stmts[x->loop].loc);
}
static ir_expr read_of(struct recur *x, ir_var v) { return ir_var_read(x->u, v, x->u->stmts[x->loop].loc); }
static ir_expr two(struct recur *x, enum ir_op op, ir_expr a, ir_expr b) {
    return ir_op2(x->u, op, a, b, x->u->stmts[x->loop].loc);
}
static void put(struct recur *x, ir_stmt *out, ir_var v, ir_expr value) {
    ir_append(x->u, out, ir_assign(x->u, v, value, x->u->stmts[x->loop].loc));
}

// Variables of its own for a copy of the body, or of the slice.
static ir_var *own_variables(struct recur *x, const ir_var *now, ir_var counter) {
    struct ir_unit *u = x->u;
    ir_var *map = base_alloc_array(u->cx, x->vars, sizeof *map);
    for (ir_var v = 1; v < x->vars; v++)
        if (ir_bit(x->fx.vars_written, v) && !ir_bit(x->shared, v))
            map[v] = now[v] ? now[v] : local(x, u->vars[v].name, (enum ir_type)u->vars[v].type);
    map[u->stmts[x->loop].counted.var] = counter;
    return map;
}

// What the passes in front of this one, of its round, leave in `now`.
static ir_stmt make_ahead(struct recur *x, ir_stmt slice, const ir_var *now, ir_var at, ir_var pass,
                          struct pass_recurrence *out) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    ir_stmt made = 0;
    for (ir_var v = 1; v < x->vars && x->jumps; v++)
        if (ir_bit(x->state, v))
            ir_append(u, &made, pass_make_jump(u, &x->jumps[v], now[v], pass, doublings_of(out->at_once), loc));
    if (!x->jumps) {
        ir_var before = local(x, "before", IR_I32), i = local(x, "i", IR_I32);
        ir_stmt body = 0;
        put(x, &body, i, two(x, IR_ADD, read_of(x, at), read_of(x, before)));
        ir_append(u, &body, ir_clone_block(u, slice, own_variables(x, now, i), NULL));
        // of a length that is known, so that others see what it costs; lanes wait for the longest anyway
        body = ir_if(u, two(x, IR_LT, read_of(x, before), read_of(x, pass)), body, 0, loc);
        made = ir_for(u, before, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)out->at_once - 1), 1, body, loc);
    }
    ir_stmt ahead = ir_if(u, two(x, IR_LT, ir_const_i32(u, 0), read_of(x, pass)), made, 0, loc);
    u->stmts[ahead].flags |= IR_FLAG_OWN;
    return ahead;
}

// The round from `at` on.
static ir_stmt make_round(struct recur *x, ir_stmt slice, ir_var at, ir_expr count, struct pass_recurrence *out) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    ir_var *now = base_alloc_array(u->cx, x->vars, sizeof *now), key = local(x, "key", IR_I32),
           pass = local(x, "pass", IR_I32), i = local(x, "i", IR_I32);
    ir_stmt round = 0, body = 0, won = ir_assign(u, key, read_of(x, pass), n.loc);
    put(x, &round, key, ir_const_i32(u, -1));
    for (ir_var v = 1; v < x->vars; v++) {
        if (!ir_bit(x->state, v) && !ir_bit(x->last, v)) continue;
        enum ir_type type = (enum ir_type)u->vars[v].type;
        now[v] = local(x, u->vars[v].name, type);
        put(x, &won, v, read_of(x, now[v]));
        if (!ir_bit(x->state, v)) continue;
        ir_var was = local(x, u->vars[v].name, type);
        put(x, &round, was, read_of(x, v));
        put(x, &body, now[v], read_of(x, was));
    }
    ir_append(u, &body, make_ahead(x, slice, now, at, pass, out));
    put(x, &body, i, two(x, IR_ADD, read_of(x, at), read_of(x, pass)));
    ir_append(u, &body, ir_clone_block(u, n.counted.body, own_variables(x, now, i), NULL));
    ir_append(u, &body, ir_if(u, two(x, IR_LT, read_of(x, key), read_of(x, pass)), won, 0, n.loc));
    out->shared = ir_for(u, pass, ir_const_i32(u, 0), count, 1, body, n.loc);
    ir_append(u, &round, out->shared);
    return round;
}

static ir_stmt make_rounds(struct recur *x, ir_stmt slice, uint64_t passes, struct pass_recurrence *out) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    uint64_t trips;
    bool known = ir_const_trips(u, x->loop, &trips);
    ir_expr at_once = ir_const_i32(u, (int32_t)out->at_once);
    ir_var at = local(x, "at", IR_I32), to = local(x, "to", IR_I32), count = local(x, "n", IR_I32);
    ir_stmt made = 0;
    if (known && trips <= out->at_once) {
        put(x, &made, at, n.counted.lo);
        ir_append(u, &made, make_round(x, slice, at, ir_const_i32(u, (int32_t)trips), out));
        return made;
    }
    ir_stmt body = 0;
    bool even = known && trips % out->at_once == 0;
    put(x, &made, to, n.counted.hi);
    if (!even) put(x, &body, count, two(x, IR_MIN, two(x, IR_SUB, read_of(x, to), read_of(x, at)), at_once));
    ir_append(u, &body, make_round(x, slice, at, even ? at_once : read_of(x, count), out));
    if (known) {
        out->rounds = ir_for(u, at, n.counted.lo, n.counted.hi, (int32_t)out->at_once, body, n.loc);
    } else {
        put(x, &made, at, n.counted.lo);
        put(x, &body, at, two(x, IR_ADD, read_of(x, at), read_of(x, count)));
        out->rounds = ir_loop(u, two(x, IR_LT, read_of(x, at), read_of(x, to)), body, 0, n.loc);
        u->stmts[out->rounds].flags |= IR_FLAG_LONGEST;
        u->stmts[out->rounds].loop.tick_passes = (uint32_t)passes;
        u->stmts[out->rounds].loop.taken = (uint32_t)(passes / out->at_once + 1);
    }
    ir_append(u, &made, out->rounds);
    return made;
}

// Of all variables that the next pass reads; NULL: one of them is not linear.
static struct pass_jump *find_jumps(struct recur *x, ir_stmt slice) {
    struct ir_unit *u = x->u;
    struct pass_jump *jumps = base_alloc_array(u->cx, x->vars, sizeof *jumps);
    x->jump = 0;
    for (ir_var v = 1; v < x->vars; v++) {
        if (!ir_bit(x->state, v)) continue;
        if (!pass_find_jump(u, slice, v, &jumps[v])) return NULL;
        x->jump += jumps[v].sums ? PASS_JUMP_SUMS : PASS_JUMP_ROWS;
    }
    return jumps;
}

// It pays to make the slice pass by pass.
static bool weigh(struct recur *x, uint64_t passes, uint32_t most) {
    ir_stmt body = x->u->stmts[x->loop].counted.body;
    x->body = cost_of(x, body, false);
    x->slice = cost_of(x, body, true);
    return choose(x, passes, most);
}
// All that is handed on may be linear.
static bool are_words(const struct recur *x) {
    bool all = true;
    for (ir_var v = 1; v < x->vars; v++)
        all &= !ir_bit(x->state, v) || x->u->vars[v].type == IR_U32;
    return all;
}

bool pass_may_recur(struct ir_unit *u, ir_stmt s, uint64_t passes, uint32_t most) {
    const struct ir_stmt_node *n = &u->stmts[s];
    struct recur x = {.u = u, .loop = s};
    x.body = cost_of(&x, n->counted.body, false);
    return n->counted.step == 1 && u->vars[n->counted.var].type == IR_I32 && passes <= INT32_MAX / 2 &&
           choose(&x, passes, most) && !pass_leaves_loop(u, n->counted.body);
}

bool pass_recur(struct ir_unit *u, ir_stmt s, const uint32_t *reads, uint64_t passes, uint32_t most,
                struct pass_recurrence *out) {
    const struct ir_stmt_node n = u->stmts[s];
    struct recur x = {.u = u, .loop = s, .vars = u->var_count};
    *out = (struct pass_recurrence){0};
    struct base_scratch scratch = base_scratch_begin(u->cx); // sets of all variables, for each loop that is looked at
    x.fx = ir_effects_of(u, n.counted.body);
    if (!find_state(&x, reads) || !find_slice(&x) || !(weigh(&x, passes, most) || are_words(&x))) {
        base_scratch_end(u->cx, &scratch);
        return false;
    }
    ir_stmt slice = slice_of(&x, n.counted.body);
    x.jumps = find_jumps(&x, slice);
    if (x.jumps && x.jump * PASS_JUMP_DOUBLINGS > x.slice * (1 << PASS_JUMP_DOUBLINGS)) x.jumps = NULL;
    out->at_once = choose(&x, passes, most);
    out->anew = !x.jumps;
    if (!out->at_once) return false;
    ir_stmt made = make_rounds(&x, slice, passes, out), last = made;
    while (u->stmts[last].next)
        last = u->stmts[last].next;
    out->last = last == made ? s : last;
    u->stmts[last].next = n.next;
    u->stmts[s] = u->stmts[made]; // it begins in the loop's place
    return true;
}

void pass_recur_alone(struct ir_unit *u, ir_stmt shared) {
    ir_stmt body = u->stmts[shared].counted.body, before = 0, ahead = body;
    while (ahead && !(u->stmts[ahead].kind == IR_IF && u->stmts[ahead].flags & IR_FLAG_OWN)) {
        before = ahead;
        ahead = u->stmts[ahead].next;
    }
    if (!ahead) return;
    base_loc loc = u->stmts[shared].loc;
    ir_expr first = ir_op2(u, IR_EQ, ir_var_read(u, u->stmts[shared].counted.var, loc), ir_const_i32(u, 0), loc);
    u->stmts[before].next = 0;
    ir_stmt begin = ir_if(u, first, body, 0, loc);
    u->stmts[begin].next = u->stmts[ahead].next;
    u->stmts[shared].counted.body = begin;
}
