// Loops that lanes share and that stand under conditions, or in loops of which each iteration makes as many passes as
// it likes. Lanes of other iterations of the workgroup may go another way there, and a barrier that not all of them
// come to is none. So all of them come by, and what is not theirs to do they leave out (predication; J. R. Allen,
// K. Kennedy, C. Porterfield, J. Warren, "Conversion of control dependence to data dependence", POPL 1983):
//
//   for (j = from; j < to; j++) {                   trips = to - from;
//       if (m[j]) {                                 for (p = 0; p < the most trips of the workgroup; p++) {
//           a = f(j);                                   on = p < trips;  j = from + p;  c = false;
//           for (d shared) s += q[d] * k[j][d];         if (on) c = m[j];
//       }                                               if (c) a = f(j);
//   }                                                   if (c) for (d shared) s += q[d] * k[j][d];
//                                                   }
//
// The emitter makes no branch of an IF around a shared loop: lanes for which it does not hold make no pass of the loop
// (wgsl_lanes_if). IR_FLAG_LONGEST on the loop around has its end be that of the workgroup.
//
// The law: a statement runs under the same conditions as before, each of which is found once, where it stood. Loops
// around have a bound that is known, since no lane can pause in them.
#include "pass/lanes/predicate.h"

#include "pass/cost.h"
#include "pass/lanes/until.h"

struct predicator {
    struct ir_unit *u;
    struct pass_scope *sc;   // where the walk is
    ir_var on;               // what is made here is made where it holds; 0: always
    uint64_t passes;         // at most, of the loops around that became such
    bool until, *made_until; // loops that end when data say so become such, too; some did
};

// A loop that lanes may share, or something around one.
static bool has_marked(const struct predicator *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    ir_stmt inner[2];
    if (n->kind == IR_FOR && n->flags & IR_FLAG_SIMD) return true;
    bool loop = n->kind == IR_LOOP && (x->until || n->flags & IR_FLAG_LONGEST);
    uint32_t blocks = n->kind == IR_FOR || n->kind == IR_IF || loop ? ir_blocks_of(n, inner) : 0;
    for (uint32_t i = 0; i < blocks; i++)
        for (ir_stmt t = inner[i]; t; t = u->stmts[t].next)
            if (has_marked(x, t)) return true;
    return false;
}

// ---- what is made of a block ----------------------------------------------------------------------------------------

static ir_expr read_of(const struct predicator *x, ir_var v) { return ir_var_read(x->u, v, 0); }

static void put_under(struct predicator *x, ir_stmt *out, ir_stmt block) {
    if (block && x->on) block = ir_if(x->u, read_of(x, x->on), block, 0, x->u->stmts[block].loc);
    ir_append(x->u, out, block);
}

// A variable that is `value` where `on` holds, else `other`.
static ir_var put_value(struct predicator *x, ir_stmt *out, const char *name, ir_expr value, ir_expr other,
                        base_loc loc) {
    struct ir_unit *u = x->u;
    ir_var v = ir_add_var(u, name, (enum ir_type)u->nodes[value].type, IR_VAR_LOCAL, loc);
    if (x->on) ir_append(u, out, ir_assign(u, v, other, loc));
    put_under(x, out, ir_assign(u, v, value, loc));
    return v;
}

static ir_stmt make_block(struct predicator *x, ir_stmt block);

static ir_stmt make_under(struct predicator *x, ir_var on, ir_stmt block) {
    struct predicator inside = *x;
    inside.on = on;
    return make_block(&inside, block);
}

// Both ways, one after the other.
static ir_stmt make_if(struct predicator *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt out = 0;
    ir_var yes = put_value(x, &out, "on", n.branch.cond, ir_const(u, IR_BOOL, 0), n.loc), no = 0;
    if (n.branch.else_block)
        no = put_value(x, &out, "on", ir_op1(u, IR_NOT, read_of(x, yes), n.loc), ir_const(u, IR_BOOL, 0), n.loc);
    ir_append(u, &out, make_under(x, yes, n.branch.then_block));
    if (no) ir_append(u, &out, make_under(x, no, n.branch.else_block));
    return out;
}

// All of a workgroup make the same passes.
static bool is_common(const struct predicator *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips;
    uint32_t lo;
    return ir_const_trips(x->u, s, &trips) ||
           (ir_is_const(x->u, n->counted.lo, &lo) && pass_is_of_run(x->u, n->counted.hi));
}

// How far it is from where the loop begins to its end, which is not far. The other way it may be, further than 32 bits
// tell: then 0.
static ir_expr way_of(struct predicator *x, const struct ir_stmt_node *loop, ir_expr first) {
    struct ir_unit *u = x->u;
    struct pass_range r = pass_range_of(x->sc, loop->counted.lo), s = pass_range_of(x->sc, loop->counted.hi);
    bool up = loop->counted.step > 0, fits = r.known && s.known && (up ? s.lo - r.hi : r.lo - s.hi) >= INT32_MIN;
    ir_expr hi = loop->counted.hi, end = fits ? hi : ir_op2(u, up ? IR_MAX : IR_MIN, hi, first, loop->loc);
    return ir_op2(u, IR_SUB, up ? end : first, up ? first : end, loop->loc);
}

// Passes that the loop can make by what it indexes, or has a use for; 0: nobody knows.
static uint32_t most_walked(const struct predicator *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint32_t lo, end, most;
    bool up = n->counted.step == 1 && ir_is_const(x->u, n->counted.lo, &lo) && lo <= INT32_MAX,
         down = n->counted.step == -1 && ir_is_const(x->u, n->counted.hi, &end) && end == UINT32_MAX;
    if (!up && !down) return 0;
    most = up ? pass_most_walked(x->u, s) : pass_most_indexed(x->u, n->counted.body, n->counted.var);
    return most ? most : pass_most_felt(x->u, s);
}

// Its passes are those of the workgroup's longest one; 0: it has no bound that is known.
static ir_stmt make_around(struct predicator *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    int32_t step = n.counted.step;
    ir_stmt out = 0;
    if (is_common(x, s)) {
        ir_stmt loop = pass_clone_one(u, s), body = make_block(x, n.counted.body);
        u->stmts[loop].counted.body = body;
        return loop;
    }
    uint64_t most = pass_most_trips(x->sc, n.counted.lo, n.counted.hi, step);
    uint32_t walked = most > PASS_LANES_MOST_AROUND ? most_walked(x, s) : 0;
    if (walked) most = walked;
    if ((step != 1 && step != -1) || most > PASS_LANES_MOST_AROUND || most * x->passes > PASS_PREDICATE_MOST ||
        u->vars[n.counted.var].type != IR_I32)
        return 0;
    ir_expr none = ir_const_i32(u, 0);
    ir_expr lo = n.counted.lo;
    if (walked && step == -1) lo = ir_op2(u, IR_MIN, lo, ir_const_i32(u, (int32_t)walked - 1), n.loc);
    ir_var from = put_value(x, &out, "from", lo, none, n.loc);
    ir_expr first = read_of(x, from);
    ir_expr way = way_of(x, &n, first);
    if (walked) way = ir_op2(u, IR_MIN, way, ir_const_i32(u, (int32_t)walked), n.loc);
    ir_var trips = put_value(x, &out, "trips", way, none, n.loc);
    ir_var pass = ir_add_var(u, "pass", IR_I32, IR_VAR_LOCAL, n.loc),
           on = ir_add_var(u, "on", IR_BOOL, IR_VAR_LOCAL, n.loc);
    struct predicator inside = *x;
    inside.on = on;
    most = most ? most : 1;
    inside.passes *= most;
    ir_stmt body = 0;
    ir_append(u, &body, ir_assign(u, on, ir_op2(u, IR_LT, read_of(x, pass), read_of(x, trips), n.loc), n.loc));
    ir_expr at = ir_op2(u, step > 0 ? IR_ADD : IR_SUB, first, read_of(x, pass), n.loc);
    ir_append(u, &body, ir_assign(u, n.counted.var, at, n.loc));
    ir_append(u, &body, make_block(&inside, n.counted.body));
    ir_stmt loop = ir_for(u, pass, none, read_of(x, trips), 1, body, n.loc);
    u->stmts[loop].flags |= IR_FLAG_LONGEST;
    u->stmts[loop].counted.tick_passes = (uint32_t)most;
    ir_append(u, &out, loop);
    return out;
}

// A LOOP of pass_leap or pass_until: all of the workgroup make its passes, of which each iteration leaves out what is
// not its own.
static ir_stmt make_longest(struct predicator *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt out = 0;
    ir_var on = put_value(x, &out, "on", n.loop.cond, ir_const(u, IR_BOOL, 0), n.loc);
    ir_stmt body = make_under(x, on, n.loop.body);
    ir_append(u, &body, ir_if(u, read_of(x, on), ir_assign(u, on, n.loop.cond, n.loc), 0, n.loc));
    ir_stmt loop = ir_loop(u, read_of(x, on), body, 0, n.loc);
    u->stmts[loop].flags |= IR_FLAG_LONGEST;
    u->stmts[loop].loop.tick_passes = n.loop.tick_passes;
    u->stmts[loop].loop.taken = n.loop.taken;
    ir_append(u, &out, loop);
    return out;
}

// A loop that ends when data say so; 0: it has no bound that is known.
static ir_stmt make_until(struct predicator *x, ir_stmt block, ir_stmt s) {
    struct ir_unit *u = x->u;
    uint64_t most = 0;
    ir_stmt out = 0, loop = x->until ? pass_until(x->sc, block, s, &most) : 0;
    if (!loop || most > PASS_LANES_MOST_AROUND || most * x->passes > PASS_PREDICATE_MOST) return 0;
    for (ir_stmt next; u->stmts[loop].kind != IR_LOOP; loop = next) {
        next = u->stmts[loop].next;
        u->stmts[loop].next = 0;
        put_under(x, &out, loop);
    }
    struct predicator inside = *x;
    inside.passes *= most ? most : 1;
    *x->made_until = true;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    ir_append(u, &out, make_longest(&inside, loop));
    pass_scope_leave(x->sc, mark);
    return out;
}

// A statement of the block. 0: it stays one like others, and lanes do not share what is in it.
static ir_stmt make_marked(struct predicator *x, ir_stmt block, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt out = 0;
    if (n.kind == IR_IF)
        return pass_leaves_loop(u, n.branch.then_block) || pass_leaves_loop(u, n.branch.else_block) ? 0 : make_if(x, s);
    if (n.flags & IR_FLAG_SIMD) { // where it does not hold, its ends are found all the same
        if (x->on && (pass_has_load(u, n.counted.lo) || pass_has_load(u, n.counted.hi))) return 0;
        put_under(x, &out, pass_clone_one(u, s));
        return out;
    }
    if (n.kind == IR_LOOP ? !(n.flags & IR_FLAG_LONGEST) : pass_leaves_loop(u, ir_body_of(&n)))
        return make_until(x, block, s);
    if (n.kind == IR_LOOP && x->passes > 1 && n.loop.tick_passes * x->passes > PASS_SHARE_MOST_PASSES) return 0;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    out = n.kind == IR_LOOP ? make_longest(x, s) : make_around(x, s);
    pass_scope_leave(x->sc, mark);
    return out;
}

// Statements that stand under one condition. Lanes meet between what writes an element and what reads it, which is
// where no condition stands around.
struct row {
    ir_stmt out, plain; // what is made so far; what the next condition is around
};

static void flush(struct predicator *x, struct row *row) {
    put_under(x, &row->out, row->plain);
    row->plain = 0;
}

static void add_plain(struct predicator *x, struct row *row, ir_stmt s) {
    struct ir_unit *u = x->u;
    struct ir_effects before = ir_effects_of(u, row->plain), fx = ir_effects_of_one(u, s);
    ir_stmt copy = pass_clone_one(u, s);
    const struct ir_stmt_node n = u->stmts[s];
    bool itself = n.kind == IR_STORE && ir_bit(fx.arrays_read, n.store.array);
    // one lane may make it, which has to tell what it leaves in variables (one_lane.c)
    bool alone = n.kind != IR_STORE && ir_sets_meet(fx.arrays_read, fx.arrays_written, fx.array_words);
    if (ir_sets_meet(before.arrays_written, fx.arrays_read, fx.array_words) ||
        ir_sets_meet(before.arrays_written, fx.arrays_written, fx.array_words) ||
        (!itself && ir_sets_meet(before.arrays_read, fx.arrays_written, fx.array_words)) || alone)
        flush(x, row);
    if (itself) { // all lanes load before one stores
        const struct ir_node value = u->nodes[n.store.value];
        ir_var v = ir_add_var(u, u->arrays[n.store.array].name, (enum ir_type)value.type, IR_VAR_LOCAL, n.loc);
        ir_append(u, &row->plain, ir_assign(u, v, n.store.value, n.loc));
        flush(x, row);
        ir_expr kept = ir_var_read(u, v, n.loc);
        u->stmts[copy].store.value = kept;
    }
    ir_append(u, &row->plain, copy);
    if (alone) flush(x, row);
}

static ir_stmt make_block(struct predicator *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    struct row row = {0};
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        ir_stmt made = has_marked(x, s) ? make_marked(x, block, s) : 0;
        if (made) {
            flush(x, &row);
            ir_append(u, &row.out, made);
        } else {
            add_plain(x, &row, s);
        }
    }
    flush(x, &row);
    pass_scope_leave(x->sc, mark);
    return row.out;
}

// ---- where it is needed ---------------------------------------------------------------------------------------------

// Of the block, whose statements all lanes come to.
static bool is_needed(const struct predicator *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (!has_marked(x, s) || (n->kind == IR_FOR && n->flags & IR_FLAG_SIMD)) continue;
        if (n->kind != IR_FOR || !is_common(x, s) || (x->until && pass_leaves_loop(u, n->counted.body)) ||
            is_needed(x, n->counted.body))
            return true;
    }
    return false;
}

bool pass_predicate(struct pass_scope *sc, ir_stmt parfor, bool *io_until) {
    struct predicator x = {.u = sc->u, .sc = sc, .passes = 1, .until = *io_until, .made_until = io_until};
    struct ir_unit *u = sc->u;
    ir_stmt body = u->stmts[parfor].parfor.body;
    *io_until = false;
    if (!is_needed(&x, body)) return false;
    ir_stmt made = make_block(&x, body);
    u->stmts[parfor].parfor.body = made;
    return true;
}
