// Which kernels need no checks of indices: those where every index is proven to be within its array. pass_bounds lets a
// unit's kernels be looked at; the proof is made for each kernel when it is printed (compile/proven.c), over the
// statements that are printed.
//
// What is proven: at every LOAD, STORE and ATOMIC each index is in [0, dimension), or the place that they make together
// is in the array, by the ranges of affine.h and constant dimensions. Ranges hold whatever memory holds: an element's
// value counts as unknown, but for parts of packed words; so does a value made from floats. Arithmetic that might wrap
// has no range, nor has a counter that might wrap before its loop's end is seen. So garbage after a barrier that was
// given up, loops that a driver ended early and arrays from a damaged file change what is computed, never where it is
// stored.
//
// Where values come from that the statements do not show:
// - The iteration's number is below the loop's total: of a dispatch by the host's count (only constant bounds are
//   believed, so that nothing but that count matters), in a grid by the phase's own test; tiles test the index
//   variables themselves.
// - Scalars in params and in the state buffer have no range here: no statement of the kernel assigns them before it
// reads them.
// - A resumed kernel has variables from saved words, which a file may hold. Those lose what is known of them where a
//   resume loop begins. A resume loop's counter is put within its bounds after it was read, and tested before each
//   pass. Where that leaves indices open, counters with other bounds and variables with one assignment are put where
//   the program sets them, too (`kept`).
//
// An index that is not proven gets a limit (pass_bounds_kernel.clamps), so that it costs no other array's anything.
//
// What the emitter adds, and why it is in range:
// - copies (STAGE) load below the source's size, stores are guarded by the copy's size, both constants; the copy's
//   memory is declared as large as its rows. A window loads rows that are checked here for all passes and offsets, or
//   clamps them. A box clamps the index of each dimension.
// - tiles clamp what they load to the array; their memory is as wide as the workgroup and both sides.
// - COMBINE clamps or counts below the number of elements, or values, which is checked here; its lanes are the
// workgroup.
// - an update in a workgroup's copy of an array stands where the array's is checked, behind the copies before it; the
//   memory is as large as all copies. They are filled and combined word by word, below their constant sizes.
// - words that lanes combine stand at li and at li + h of the same iteration's lanes, a divisor of the workgroup.
// - wide accesses are whole runs (ir_is_run) of elements that are each checked; their index is computed in i32, so
//   arrays and constant parts of indices are kept below 2^30. A table's row is loaded whole where one of its elements
//   is checked.
// - saved words are below resume_words * count, for which the host has made room wherever a limit was set; control,
//   params and state words are constants.
#include "pass/analysis/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "pass/analysis/condition_ranges.h"
#include "pass/passes.h"

void pass_bounds(struct pass_cx *p) {
    p->u->proves_bounds = true;
    if (p->tree) p->tree->proves_bounds = true;
}

struct prover {
    const struct pass_bounds_kernel *k;
    struct ir_unit *u;
    struct pass_scope sc;
    struct pass_bounds out, first; // first: the index that needs a limit
    ir_stmt stmt;                  // under way
    base_loc at;                   // of the statement, for expressions without a place
    bool loads;                    // found by on_load
    bool tiled;                    // in a loop whose loads are found by their form
    uint32_t run;                  // statements of a run that are still to come
    struct pass_narrow narrow;
    uint8_t *headers; // by variable, at most 2: FORs that count it
};

static void refuse(struct prover *p, ir_array array, base_loc loc, const char *why) {
    if (!p->out.proven || (p->k->only && p->k->only != array)) return;
    p->out.proven = false;
    p->out.array = array;
    p->out.loc = loc ? loc : p->at;
    p->out.why = why;
}

// Elements of the array; 0: none, not known, or too many.
static uint32_t elements_of(const struct ir_unit *u, ir_array a) {
    uint64_t count = pass_elements(u, a, 0, PASS_MOST_INDEXED);
    return count == UINT64_MAX ? 0 : (uint32_t)count;
}

// ---- indices --------------------------------------------------------------------------------------------------------

// Gives the index of dimension d a limit, or counts that it needs one. As C has it, rows are one behind the other, and
// an index may leave its row but not the array: so one of an inner dimension takes those before it over, and its limit
// is that of all their elements together. In a run the last index tells elements apart; all have the others in common,
// and so their limits.
static bool limit(struct prover *p, ir_array a, uint32_t first, uint32_t d, uint32_t n, base_loc loc) {
    struct ir_unit *u = p->u;
    base_loc at = u->nodes[u->args[first + d]].loc;
    uint32_t size, elements = 1;
    ir_expr place = 0;
    if ((p->run && d + 1 == n) || p->tiled || u->arrays[a].window) return false;
    if (d == 0 && u->nodes[u->args[first]].op == IR_CONST) return false;
    if (!p->out.limits++) p->first = (struct pass_bounds){.array = a, .loc = loc ? loc : p->at, .why = "an index of"};
    if (!p->k->clamps) return true;
    for (uint32_t i = 0; i <= d; i++) {
        ir_expr e = u->args[first + i];
        uint32_t bits;
        bool first_row = i < d && !place && ir_is_const(u, e, &bits) && bits == 0; // the usual one row
        if (u->nodes[e].type != IR_U32) e = ir_op1(u, IR_I2U, e, u->nodes[e].loc);
        ir_is_const(u, u->arrays[a].dims[i], &size);
        if (place) e = ir_op2(u, IR_ADD, ir_op2(u, IR_MUL, place, ir_const(u, IR_U32, size), at), e, at);
        place = first_row ? 0 : e;
        elements *= size;
        u->args[first + i] = ir_const(u, IR_U32, 0);
    }
    u->args[first + d] = ir_op2(u, IR_MIN, place, ir_const(u, IR_U32, elements - 1), at);
    return true;
}

// Are the indices of the dimensions up to d within the array together, although some leave their rows? Those of a run
// have all but the last one in common.
static bool are_together(const struct prover *p, ir_array a, uint32_t first, uint32_t d, uint32_t n) {
    const struct ir_unit *u = p->u;
    int64_t most = 0, elements = 1;
    if ((p->run && d + 1 == n) || p->tiled || u->arrays[a].window) return false;
    for (uint32_t i = 0; i <= d; i++) {
        struct pass_range r = pass_range_of(p->narrow.sc, u->args[first + i]);
        uint32_t size = 0;
        ir_is_const(u, u->arrays[a].dims[i], &size);
        if (!r.known || r.lo < 0 || __builtin_mul_overflow(most, (int64_t)size, &most) ||
            __builtin_add_overflow(most, r.hi, &most))
            return false;
        elements *= size;
    }
    return most < elements;
}

// `load` 0: the statement's own access.
static void check_indices(struct prover *p, ir_array a, uint32_t first, uint32_t n, ir_expr load, base_loc loc) {
    const struct ir_unit *u = p->u;
    const struct ir_array_info *info = &u->arrays[a];
    p->out.count += n;
    if (p->k->look && n)
        p->k->look(p->k->user, p->narrow.sc, &(struct pass_indices){a, load, load ? 0 : p->stmt, first, n});
    if (!p->out.proven) return;
    if (n != info->ndims || elements_of(u, a) == 0) {
        refuse(p, a, loc, "the size of");
        return;
    }
    int64_t stride = 1, apart = 0; // apart: the parts of indices that are constants
    uint32_t open = UINT32_MAX;    // the innermost dimension whose index is not proven
    for (uint32_t i = n; i-- > 0;) {
        ir_expr e = u->args[first + i];
        struct pass_range r = pass_range_of(p->narrow.sc, e);
        uint32_t size = 0, bits;
        ir_is_const(u, info->dims[i], &size);
        if (open == UINT32_MAX && !(r.known && r.lo >= 0 && r.hi < (int64_t)size)) open = i;
        const struct ir_node *sum = &u->nodes[e];
        if (sum->op == IR_ADD && ir_is_const(u, sum->b, &bits)) apart += llabs((int64_t)(int32_t)bits) * stride;
        if (apart >= PASS_MOST_INDEXED) refuse(p, a, loc, "an index of");
        stride *= size;
    }
    if (open == UINT32_MAX) return;
    if (are_together(p, a, first, open, n))
        p->out.loose++;
    else if (!limit(p, a, first, open, n, loc))
        refuse(p, a, loc, "an index of");
}

// A load under a condition of the expression is only made where that holds (emit_expr.c).
static void check_expr(struct prover *p, ir_expr e) {
    if (!e) return;
    const struct ir_node n = p->u->nodes[e];
    uint32_t mark = p->narrow.count;
    if (n.op == IR_CONST || n.op == IR_VAR) return;
    if (n.op == IR_LOAD) {
        check_indices(p, n.a, n.b, n.n, e, n.loc);
        for (uint32_t i = 0; i < n.n; i++)
            check_expr(p, p->u->args[n.b + i]);
        return;
    }
    check_expr(p, n.a);
    if (n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR) pass_assume(&p->narrow, n.a, n.op != IR_LOR);
    if (ir_ops[n.op].arity > 1) check_expr(p, n.b);
    pass_widen_again(&p->narrow, mark);
    if (n.op == IR_SELECT) pass_assume(&p->narrow, n.a, false);
    if (ir_ops[n.op].arity > 2) check_expr(p, n.c);
    pass_widen_again(&p->narrow, mark);
}

// ---- what the emitter adds ------------------------------------------------------------------------------------------

static void check_stage(struct prover *p, const struct ir_stmt_node *n) {
    const struct ir_unit *u = p->u;
    const struct ir_array_info *to = &u->arrays[n->stage.to];
    uint32_t count = elements_of(u, n->stage.to), rows = 0;
    p->out.count++;
    if (to->is_box) {
        for (uint32_t d = 0; d < n->stage.origin_count; d++)
            check_expr(p, u->args[n->stage.origins + d]);
        if (!count || to->source != n->stage.from || !elements_of(u, n->stage.from))
            refuse(p, n->stage.from, n->loc, "the copy of");
        return;
    }
    if (!count || to->source != n->stage.from || elements_of(u, n->stage.from) != count ||
        !ir_is_const(u, to->dims[0], &rows) || (to->row > 1 ? to->row < count / rows : to->window && count != rows))
        refuse(p, n->stage.from, n->loc, "the copy of");
}

// A word that is not there is not touched.
static void check_turn(struct prover *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    ir_array box = ir_box_of(p->u, &n);
    uint32_t mark = pass_scope_enter(&p->sc), narrowed = p->narrow.count;
    pass_scope_loop(&p->sc, s);
    if (n.turn.there) {
        check_expr(p, n.turn.there);
        pass_assume(&p->narrow, n.turn.there, true);
    }
    check_indices(p, box == n.turn.to ? n.turn.from : n.turn.to, n.turn.indices, n.turn.index_count, 0, n.loc);
    pass_widen_again(&p->narrow, narrowed);
    pass_scope_leave(&p->sc, mark);
}

struct windows {
    struct prover *p;
    int64_t lo, hi;
};
static bool on_window(void *user, ir_expr e) {
    struct windows *w = user;
    const struct ir_unit *u = w->p->u;
    const struct ir_node *n = &u->nodes[e];
    uint32_t rows;
    if (n->op != IR_LOAD || !u->arrays[n->a].window) return true;
    const struct ir_array_info *info = &u->arrays[n->a];
    bool good = w->hi > w->lo && ir_is_const(u, info->dims[0], &rows);
    for (uint32_t i = 0; i < info->offset_count && good; i++)
        good = w->lo + info->offsets[i] >= 0 && w->hi + info->offsets[i] <= (int64_t)rows;
    if (!good) refuse(w->p, info->source, n->loc, "the rows of");
    return true;
}

// Rows that a shared loop copies some at a time: those of all its passes.
static void check_windows(struct prover *p, const struct ir_stmt_node *loop) {
    struct windows w = {.p = p};
    uint32_t lo, hi;
    if (loop->counted.step == 1 && ir_is_const(p->u, loop->counted.lo, &lo) && ir_is_const(p->u, loop->counted.hi, &hi))
        w.lo = (int32_t)lo, w.hi = (int32_t)hi;
    ir_walk_nodes(p->u, loop->counted.body, on_window, &w);
}

static void check_combine(struct prover *p, const struct ir_stmt_node *n) {
    struct pass_range first = {0, 0, true};
    if (!n->combine.array) { // every invocation has the variables that the values read
        if (!p->k->grid || p->k->workgroup_size != IR_COMBINE_WIDTH) refuse(p, 0, n->loc, "what is combined of");
        p->sc.range[n->combine.index] = (struct pass_range){0, (int64_t)n->combine.count - 1, true};
        check_expr(p, n->combine.there);
        check_expr(p, n->combine.value);
        p->sc.range[n->combine.index].known = false;
        return;
    }
    p->out.count++;
    check_expr(p, n->combine.from);
    check_expr(p, n->combine.there);
    // Outside of a grid all lanes fold, and only one has computed the variables.
    if (n->combine.from) first = p->k->grid ? pass_range_of(&p->sc, n->combine.from) : (struct pass_range){0};
    if (p->u->arrays[n->combine.array].ndims != 1 || !n->combine.count || !first.known || first.lo < 0 ||
        first.hi + n->combine.count > (int64_t)elements_of(p->u, n->combine.array) ||
        p->k->workgroup_size != IR_COMBINE_WIDTH)
        refuse(p, n->combine.array, n->loc, "what is combined of");
}

// ---- resume points --------------------------------------------------------------------------------------------------

static bool is_resume(const struct prover *p, const struct ir_stmt_node *n) {
    return (n->kind == IR_FOR || n->kind == IR_LOOP) && !p->k->sequential &&
           (n->flags & (p->k->grid ? IR_FLAG_GRID : IR_FLAG_RESUME));
}

static bool has_resume(const struct prover *p, ir_stmt block) {
    for (ir_stmt s = block; s; s = p->u->stmts[s].next) {
        const struct ir_stmt_node *n = &p->u->stmts[s];
        if (is_resume(p, n) ||
            (n->kind == IR_IF && (has_resume(p, n->branch.then_block) || has_resume(p, n->branch.else_block))))
            return true;
    }
    return false;
}

// Of a variable with one value. That it can be anything is known, too: nobody has to look for it again along its
// definition.
static void set_range(struct prover *p, ir_var v, struct pass_range r) {
    enum ir_type type = (enum ir_type)p->u->vars[v].type;
    if (type == IR_I32 || type == IR_U32) p->sc.range[v] = pass_range_of_type(r, type);
}

// A run may go on here with whatever words it finds: nothing is left of what conditions said before, nor of variables
// that are among the words.
static void forget(struct prover *p) {
    pass_narrow_drop(&p->narrow);
    for (ir_var v = 1; v < p->sc.var_cap; v++)
        if (p->sc.assign_count[v]) p->sc.range[v].known = false; // it may rest on such a condition
    for (uint32_t i = 0; i < p->sc.trail_count; i++) {
        ir_var v = p->sc.trail[i];
        if (p->k->restored && p->k->restored[v] && !p->k->clamped[v]) {
            p->sc.definition[v] = 0;
            p->sc.in_scope[v] = false;
            p->sc.range[v] = p->k->kept ? p->k->kept[v] : (struct pass_range){0};
        } else if (p->sc.assign_count[v] == 1) {
            set_range(p, v, p->sc.definition[v] ? pass_range_of(&p->sc, p->sc.definition[v]) : (struct pass_range){0});
        }
    }
}

// The variable is set there alone, and to that: it can be kept there when the kernel is resumed.
static void keep(struct prover *p, ir_var v, struct pass_range r) {
    enum ir_type type = (enum ir_type)p->u->vars[v].type;
    if (!p->k->kept || !p->k->restored[v] || p->k->clamped[v] || (type != IR_I32 && type != IR_U32)) return;
    struct pass_range *kept = &p->k->kept[v];
    if (p->k->keeps && r.known)
        *kept = pass_range_of_type(r, type);
    else if (kept->known && (!r.known || r.lo < kept->lo || r.hi > kept->hi))
        refuse(p, 0, p->at, "what is kept of");
}

// ---- variables with several assignments -----------------------------------------------------------------------------
// Such a variable has the range of the value that it got last, as far as nothing but the statements in between can have
// run. Of what a loop assigns nothing is known before and behind it.

static bool on_assigned(void *user, ir_stmt s) {
    struct prover *p = user;
    const struct ir_stmt_node *n = &p->u->stmts[s];
    ir_var v = n->kind == IR_FOR ? 0 : ir_written_var(n);
    if (v && p->sc.assign_count[v] > 1) p->sc.range[v].known = false;
    for (uint32_t r = 0; n->kind == IR_PARFOR && r < n->parfor.reduction_count; r++)
        p->sc.range[p->u->reductions[n->parfor.reductions + r].var].known = false;
    return true;
}
static void lose_assigned(struct prover *p, ir_stmt block) { ir_walk_stmts(p->u, block, on_assigned, p); }

static void prove_assign(struct prover *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    check_expr(p, n.assign.value);
    struct pass_range r = pass_range_of(p->narrow.sc, n.assign.value);
    if (p->u->nodes[n.assign.value].op == IR_LOAD && p->sc.assign_count[n.assign.var] > 1)
        r.known = false; // wide loads: the value comes later
    pass_scope_assign(&p->sc, s);
    if (p->sc.assign_count[n.assign.var] == 1) {
        set_range(p, n.assign.var, r);
        if (p->headers[n.assign.var]) return;
        if (r.lo > 0) r.lo = 0; // as it begins
        if (r.hi < 0) r.hi = 0;
        keep(p, n.assign.var, r);
    } else
        p->sc.range[n.assign.var] = r;
}

// ---- loops ----------------------------------------------------------------------------------------------------------

static bool on_load(void *user, ir_expr e) {
    struct prover *p = user;
    p->loads |= p->u->nodes[e].op == IR_LOAD;
    return true;
}
// Both ends of the dimension are the same whenever they are computed: for the loop's total, and again for each of its
// iterations.
static bool is_fixed(struct prover *p, const struct ir_dim *dim) {
    uint32_t bits;
    if (!p->k->grid) return ir_is_const(p->u, dim->lo, &bits) && ir_is_const(p->u, dim->hi, &bits);
    p->loads = false;
    ir_walk_expr(p->u, dim->lo, on_load, p);
    ir_walk_expr(p->u, dim->hi, on_load, p);
    return !p->loads;
}

static void prove_block(struct prover *p, ir_stmt block);

static void prove_parfor(struct prover *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    uint32_t mark = pass_scope_enter(&p->sc), lanes = n.flags & IR_FLAG_LANES ? n.parfor.lanes : 1;
    p->tiled = n.parfor.tile_rows > 0;
    for (uint32_t d = 0; d < n.parfor.dim_count; d++) {
        check_expr(p, p->u->dims[n.parfor.dims + d].lo);
        check_expr(p, p->u->dims[n.parfor.dims + d].hi);
    }
    lose_assigned(p, n.parfor.body);
    for (uint32_t r = 0; r < n.parfor.reduction_count; r++)
        p->sc.range[p->u->reductions[n.parfor.reductions + r].var].known = false;
    for (uint32_t d = 0; d < n.parfor.dim_count; d++)
        p->sc.range[p->u->dims[n.parfor.dims + d].var].known = false;
    pass_scope_parfor(&p->sc, s);
    for (uint32_t d = 0; d < n.parfor.dim_count && !p->k->look; d++) // a program does what it says
        if (!is_fixed(p, &p->u->dims[n.parfor.dims + d])) p->sc.range[p->u->dims[n.parfor.dims + d].var].known = false;
    if (!lanes || p->k->workgroup_size % lanes) refuse(p, 0, n.loc, "the lanes of the loop");
    // idle invocations of lanes in a workgroup run an iteration again, and would save it in words that nobody has
    if (lanes > 1 && !n.parfor.lane_var && has_resume(p, n.parfor.body))
        refuse(p, 0, n.loc, "the saved words of the loop");
    prove_block(p, n.parfor.body);
    p->tiled = false;
    lose_assigned(p, n.parfor.body);
    pass_scope_leave(&p->sc, mark);
}

// Where the counter comes to. Its end may be computed again when the kernel is resumed, and must be no later then.
static void keep_counter(struct prover *p, ir_stmt s) {
    const struct ir_stmt_node *n = &p->u->stmts[s];
    ir_var v = n->counted.var;
    uint32_t mark = pass_scope_enter(&p->sc), lo;
    p->sc.range[v].known = false;
    pass_scope_loop(&p->sc, s);
    struct pass_range r = p->sc.range[v];
    pass_scope_leave(&p->sc, mark);
    forget(p);
    struct pass_range end = pass_range_of(&p->sc, n->counted.hi);
    r.known &= p->headers[v] == 1 && !p->sc.assign_count[v] && !(n->flags & IR_FLAG_LANES) && end.known &&
               (n->counted.step == 1 || (n->counted.step > 1 && ir_is_const(p->u, n->counted.lo, &lo))) &&
               end.hi <= r.hi + n->counted.step;
    keep(p, v, r);
}

static void prove_for(struct prover *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    check_expr(p, n.counted.lo);
    check_expr(p, n.counted.hi);
    if (is_resume(p, &n)) keep_counter(p, s);
    if (n.flags & IR_FLAG_LANES) check_windows(p, &n);
    uint32_t mark = pass_scope_enter(&p->sc);
    lose_assigned(p, n.counted.body);
    p->sc.range[n.counted.var].known = false;
    pass_scope_loop(&p->sc, s);
    if (p->k->restored && p->k->restored[n.counted.var] && !p->k->clamped[n.counted.var])
        p->sc.range[n.counted.var] = p->k->kept ? p->k->kept[n.counted.var] : (struct pass_range){0};
    prove_block(p, n.counted.body);
    lose_assigned(p, n.counted.body);
    p->sc.range[n.counted.var].known = false;
    pass_scope_leave(&p->sc, mark);
}

static void prove_loop(struct prover *p, const struct ir_stmt_node *n) {
    ir_expr cond = n->loop.cond;
    ir_stmt body = n->loop.body, step = n->loop.continuing;
    if (is_resume(p, n)) forget(p);
    lose_assigned(p, body);
    lose_assigned(p, step);
    uint32_t mark = pass_scope_enter(&p->sc), narrowed = p->narrow.count;
    check_expr(p, cond);
    if (cond && !has_resume(p, body)) pass_assume(&p->narrow, cond, true);
    prove_block(p, body);
    pass_widen_again(&p->narrow, narrowed);
    pass_scope_leave(&p->sc, mark);
    lose_assigned(p, body);
    prove_block(p, step);
    lose_assigned(p, step);
}

static bool leaves(const struct prover *p, ir_stmt block) {
    while (block && p->u->stmts[block].next)
        block = p->u->stmts[block].next;
    return block && (p->u->stmts[block].kind == IR_BREAK || p->u->stmts[block].kind == IR_CONTINUE);
}

// Variables with several assignments that a block assigns, with the ranges that they had at some place.
struct changed {
    struct prover *p;
    ir_var *vars;
    struct pass_range *ranges;
    uint32_t count, var_cap, range_cap;
};
static bool on_changed(void *user, ir_stmt s) {
    struct changed *c = user;
    struct pass_scope *sc = &c->p->sc;
    const struct ir_stmt_node *n = &sc->u->stmts[s];
    if (n->kind != IR_ASSIGN || sc->assign_count[n->assign.var] < 2) return true;
    for (uint32_t i = 0; i < c->count; i++) // both branches assign it
        if (c->vars[i] == n->assign.var) return true;
    BASE_RESERVE(sc->u->cx, c->vars, c->count, c->var_cap);
    BASE_RESERVE(sc->u->cx, c->ranges, c->count, c->range_cap);
    c->vars[c->count] = n->assign.var;
    c->ranges[c->count++] = sc->range[n->assign.var];
    return true;
}

// After a branch. What the two of them leave in a variable is one or the other; the second one starts as the first one
// did.
static void join_ranges(struct changed *c, bool first) {
    for (uint32_t i = 0; i < c->count; i++) {
        struct pass_range *r = &c->p->sc.range[c->vars[i]], other = c->ranges[i];
        if (first) {
            c->ranges[i] = *r;
            *r = other;
        } else {
            r->known &= other.known;
            r->lo = other.lo < r->lo ? other.lo : r->lo;
            r->hi = other.hi > r->hi ? other.hi : r->hi;
        }
    }
}

// Narrows for what follows in the block where only one branch goes on.
static void prove_if(struct prover *p, const struct ir_stmt_node *n) {
    ir_expr cond = n->branch.cond;
    ir_stmt branches[2] = {n->branch.then_block, n->branch.else_block};
    bool resumes = has_resume(p, n->branch.then_block) || has_resume(p, n->branch.else_block),
         resumes_later = has_resume(p, n->next);
    struct changed changed = {.p = p};
    ir_walk_stmts(p->u, branches[0], on_changed, &changed);
    ir_walk_stmts(p->u, branches[1], on_changed, &changed);
    check_expr(p, cond);
    for (int i = 0; i < 2; i++) {
        uint32_t narrowed = p->narrow.count;
        if (!resumes) pass_assume(&p->narrow, cond, i == 0);
        prove_block(p, branches[i]);
        pass_widen_again(&p->narrow, narrowed);
        join_ranges(&changed, i == 0);
    }
    if (resumes) forget(p);
    for (int i = 0; i < 2 && !resumes && !resumes_later; i++)
        if (leaves(p, branches[i])) pass_assume(&p->narrow, cond, i == 1);
}

static void prove_stmt(struct prover *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    p->stmt = s;
    p->at = n.loc;
    if (p->run) p->run--;
    if (ir_run_of(&n)) p->run = ir_run_of(&n);
    if (ir_run_of(&n) && !ir_is_run(p->u, s)) refuse(p, 0, n.loc, "elements side by side");
    switch (n.kind) {
    case IR_ASSIGN: prove_assign(p, s); break;
    case IR_STORE:
    case IR_ATOMIC: {
        struct ir_write w = ir_write_of(&n);
        for (uint32_t i = 0; i < w.index_count; i++)
            check_expr(p, p->u->args[w.indices + i]);
        if (w.expected) check_expr(p, w.expected);
        check_expr(p, w.value);
        check_indices(p, w.array, w.indices, w.index_count, 0, n.loc);
        break;
    }
    case IR_IF: prove_if(p, &n); break;
    case IR_FOR: prove_for(p, s); break;
    case IR_LOOP: prove_loop(p, &n); break;
    case IR_PARFOR: prove_parfor(p, s); break;
    case IR_STAGE: check_stage(p, &n); break;
    case IR_TURN: check_turn(p, s); break;
    case IR_COMBINE: check_combine(p, &n); break;
    case IR_NEIGHBOUR: check_expr(p, n.neighbour.value); break;
    default: break; // NOP, BREAK, CONTINUE, BARRIER, AGREE: no index
    }
    if (n.kind == IR_ATOMIC || n.kind == IR_COMBINE || n.kind == IR_AGREE || n.kind == IR_NEIGHBOUR) on_assigned(p, s);
}

static void prove_block(struct prover *p, ir_stmt block) {
    uint32_t mark = pass_scope_enter(&p->sc), narrowed = p->narrow.count;
    for (ir_stmt s = block; s && s != p->k->stop; s = p->u->stmts[s].next)
        prove_stmt(p, s);
    pass_widen_again(&p->narrow, narrowed);
    pass_scope_leave(&p->sc, mark);
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

static bool on_header(void *user, ir_stmt s) {
    struct prover *p = user;
    const struct ir_stmt_node *n = &p->u->stmts[s];
    // A counter that is also assigned elsewhere is no definition that anything may be looked through to.
    if (n->kind == IR_FOR && p->sc.assign_count[n->counted.var]) p->sc.assign_count[n->counted.var] += 2;
    if (n->kind == IR_FOR && p->headers[n->counted.var] < 2) p->headers[n->counted.var]++;
    return true;
}

struct pass_bounds pass_prove_bounds(const struct pass_bounds_kernel *k) {
    struct prover p = {.k = k, .u = k->unit, .out = {.proven = true}};
    bool *opaque = base_alloc_array(k->unit->cx, k->unit->array_count, sizeof *opaque);
    for (ir_array a = 0; a < k->unit->array_count; a++)
        opaque[a] = !k->packed || !k->packed[a];
    // without sc.always: it says what C gives variables; what a kernel is resumed with comes from memory
    pass_scope_begin(&p.sc, k->unit);
    p.narrow.sc = &p.sc;
    p.sc.opaque = opaque;
    p.headers = base_alloc_array(k->unit->cx, k->unit->var_count, sizeof *p.headers);
    ir_walk_stmts(k->unit, k->unit->root, on_header, &p);
    check_expr(&p, k->guard);
    if (k->sequential || k->grid)
        prove_block(&p, k->stmt);
    else
        prove_parfor(&p, k->stmt);
    if (!p.out.proven) p.out.limits = 0;
    if (!p.out.limits || k->clamps) return p.out;
    p.first.count = p.out.count;
    p.first.limits = p.out.limits;
    return p.first;
}

void pass_look_at_indices(struct ir_unit *u, pass_look_fn *look, void *user) {
    struct pass_bounds_kernel all = {.unit = u, .stmt = u->root, .sequential = true, .look = look, .user = user};
    pass_prove_bounds(&all);
}

struct reaches {
    const struct ir_unit *u;
    struct pass_reach *out;
};

static void note_reach(void *user, const struct pass_scope *sc, const struct pass_indices *i) {
    const struct reaches *x = user;
    struct pass_reach *reach = &x->out[i->array];
    struct pass_range r = pass_range_of(sc, x->u->args[i->first]);
    bool first = !reach->used;
    for (uint32_t d = 1; d < i->n; d++) {
        struct pass_range other = pass_range_of(sc, x->u->args[i->first + d]);
        uint32_t size = 0;
        ir_is_const(x->u, x->u->arrays[i->array].dims[d], &size);
        reach->leaves |= !other.known || other.lo < 0 || other.hi >= (int64_t)size;
    }
    reach->known = r.known && (first || reach->known);
    reach->lo = first || r.lo < reach->lo ? r.lo : reach->lo;
    reach->hi = first || r.hi > reach->hi ? r.hi : reach->hi;
    reach->used = true;
}

void pass_find_reach(struct ir_unit *u, struct pass_reach *out) {
    struct reaches x = {u, out};
    for (ir_array a = 0; a < u->array_count; a++)
        out[a] = (struct pass_reach){.used = false};
    pass_look_at_indices(u, note_reach, &x);
}
