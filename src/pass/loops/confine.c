// A loop around short parallel loops, as one iteration whose lanes share them:
//
//   for (t < T) {                                        parallel for (one < 1) {
//       parallel for (i < n) v[i] += f(x, i);                copy x, v;
//       parallel for (i < n) x[i] += dt * v[i];  becomes     for (t < T) { for (i < n) ..; for (i < n) ..; }
//   }                                                        copy them back;
//                                                        }
//
// All workgroups of a device wait for each other between parallel loops, which takes longer than few iterations do.
// Lanes of one workgroup wait for each other sooner by far, and their arrays stand in its memory. Who shares the loops
// and where they meet is for the passes behind (share.c, lanes.c, contract.c): what they would make of it is tried on
// a copy.
//
// The law: nothing outside of the loop runs beside it; the iterations of a parallel loop may be made in any order, and
// so one after the other; a reduction's variable is then just added to. What the loop takes and leaves stands in
// memory. Lanes cannot pause, so an iteration makes so many passes of the loop as are soon done, however long loops go
// on that data end, and the next one goes on.
#include "pass/loops/confine.h"

#include <math.h>

#include "pass/cost.h"
#include "pass/expansion.h"

struct confiner {
    struct pass_cx *p;
    uint32_t *reads; // of the program, by variable
    uint32_t vars;   // ... of which there are so many
    bool *taken;     // by statement: this loop becomes an iteration,
    uint64_t *steps; // ... which makes so many of its passes
    uint32_t stmts;
    ir_stmt *made; // of the last copy: loops that were parallel ones
    uint32_t made_count, made_cap;
};

// ---- which loops? ---------------------------------------------------------------------------------------------------

struct survey {
    struct ir_unit *u;
    bool fits;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct survey *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->fits &= n->kind == IR_PARFOR ? !(n->flags & IR_FLAG_LANES) : pass_is_plain(x->u, s);
    return x->fits;
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

static bool is_of_words(const struct ir_unit *u, ir_array a) {
    enum whorl_dtype elem = (enum whorl_dtype)u->arrays[a].elem;
    return ir_word_of(ir_elem_type(elem)) == elem;
}

// By array, those that stand in workgroup memory: what the loop reads and writes, then what it reads alone as long as
// there is room; NULL: there is none.
static const bool *arrays_near(const struct pass_cx *p, const struct ir_effects *fx) {
    struct ir_unit *u = p->u;
    bool *near = base_alloc_array(u->cx, u->array_count, sizeof *near);
    uint64_t room = pass_near_room(p);
    for (int written = 1; written >= 0; written--)
        for (ir_array a = 1; a < u->array_count; a++) {
            if (!ir_bit(fx->arrays_read, a) || ir_bit(fx->arrays_written, a) != written || !ir_in_buffer(u, a))
                continue;
            uint64_t words = pass_elements(u, a, 0, PASS_MOST_SPREAD) + PASS_CONFINE_SPACE;
            near[a] = is_of_words(u, a) && words <= room && u->arrays[a].ndims < IR_MAX_DIMS;
            if (near[a]) room -= words;
            if (written && !near[a]) return NULL;
        }
    return near;
}

// Loops that copy the array into that of the iteration, or back.
static ir_stmt copy_array(const struct pass_expansion *x, ir_array a, ir_var one, bool back) {
    struct ir_unit *u = x->u;
    const struct ir_array_info info = u->arrays[a];
    base_loc loc = u->stmts[x->parfor].loc;
    ir_expr at[IR_MAX_DIMS];
    ir_var counters[IR_MAX_DIMS];
    at[0] = ir_var_read(u, one, loc);
    for (uint32_t d = 0; d < info.ndims; d++) {
        counters[d] = ir_add_var(u, "k", IR_I32, IR_VAR_LOCAL, loc);
        at[d + 1] = ir_var_read(u, counters[d], loc);
    }
    ir_array from = back ? x->to[a] : a, to = back ? a : x->to[a];
    ir_expr value = ir_load(u, from, at + !back, info.ndims + (uint32_t)back, loc);
    ir_stmt s = ir_store(u, to, at + back, info.ndims + (uint32_t)!back, value, loc);
    for (uint32_t d = info.ndims; d-- > 0;)
        s = ir_for(u, counters[d], ir_const_i32(u, 0), info.dims[d], 1, s, loc);
    return s;
}

// Local arrays of a parallel loop's iteration are those of a pass.
struct locals {
    struct ir_unit *u;
    ir_var pass;
};
static bool on_local(void *user, ir_stmt s) {
    struct locals *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE) return true;
    struct ir_array_info *info = &x->u->arrays[n->store.array];
    if (info->klass == IR_ARRAY_LOCAL && !info->pass) info->pass = x->pass;
    return true;
}

// Makes the block's parallel loops sequential.
static void make_sequential(struct confiner *x, struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        if (n.kind != IR_PARFOR) {
            uint32_t blocks = ir_blocks_of(&n, inner);
            for (uint32_t k = 0; k < blocks; k++)
                make_sequential(x, u, inner[k]);
            continue;
        }
        const struct ir_dim *last = &u->dims[n.parfor.dims + n.parfor.dim_count - 1];
        struct locals locals = {u, last->var};
        ir_walk_stmts(u, n.parfor.body, on_local, &locals);
        ir_stmt body = n.parfor.body;
        for (uint32_t d = n.parfor.dim_count; d-- > 0;) {
            const struct ir_dim dim = u->dims[n.parfor.dims + d];
            body = ir_for(u, dim.var, dim.lo, dim.hi, dim.step, body, n.loc);
        }
        u->stmts[s] = u->stmts[body];
        u->stmts[s].next = n.next;
        u->stmts[s].flags |= IR_FLAG_LONG;
        BASE_RESERVE(u->cx, x->made, x->made_count, x->made_cap);
        x->made[x->made_count++] = s;
    }
}

// What the loop assigns are variables of the iteration: own, by variable, of which `vars` were there before.
static ir_var *own_variables(struct ir_unit *u, const struct ir_effects *fx, uint32_t vars) {
    ir_var *own = base_alloc_array(u->cx, u->var_count, sizeof *own);
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(fx->vars_written, v) && u->vars[v].klass != IR_VAR_LOCAL)
            own[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    return own;
}

// So are the local arrays of its loops: parts of a loop have arrays of their own, which are those of a pass each.
static ir_array *own_arrays(struct ir_unit *u, const struct ir_effects *fx, uint32_t arrays) {
    ir_array *own = base_alloc_array(u->cx, u->array_count, sizeof *own);
    for (ir_array a = 1; a < arrays; a++) {
        const struct ir_array_info info = u->arrays[a];
        if (!ir_bit(fx->arrays_written, a) || info.klass != IR_ARRAY_LOCAL) continue;
        own[a] =
            ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_LOCAL, info.ndims, info.dims, info.loc);
        u->arrays[own[a]].pass = info.pass;
    }
    return own;
}

static ir_expr as_word(struct ir_unit *u, ir_var v, base_loc loc) {
    ir_expr e = ir_var_read(u, v, loc);
    bool flag = u->vars[v].type == IR_BOOL;
    return flag ? ir_op3(u, IR_SELECT, e, ir_const_i32(u, 1), ir_const_i32(u, 0), loc) : e;
}
static ir_stmt from_word(struct ir_unit *u, ir_var v, ir_array kept, base_loc loc) {
    ir_expr zero = ir_const_i32(u, 0), e = ir_load(u, kept, &zero, 1, loc);
    if (u->vars[v].type == IR_BOOL) e = ir_op2(u, IR_NE, e, ir_const_i32(u, 0), loc);
    return ir_assign(u, v, e, loc);
}

// A variable that the loop takes, or leaves: in memory between iterations.
struct handed {
    ir_var var;
    ir_array kept;
};

// Of what the loop assigns, what it may read before, and what others read.
static uint32_t hand_on(const struct confiner *x, struct ir_unit *u, ir_stmt loop, const struct ir_effects *fx,
                        struct handed *out) {
    uint32_t count = 0;
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    const uint32_t *exposed = pass_exposed(u, loop);
    pass_count_reads(u, loop, inside);
    ir_expr one = ir_const_i32(u, 1);
    for (ir_var v = 1; v < x->vars; v++) {
        const struct ir_var_info info = u->vars[v];
        if (!ir_bit(fx->vars_written, v) || info.klass != IR_VAR_ENTRY ||
            (!ir_bit(exposed, v) && x->reads[v] <= inside[v]))
            continue;
        ir_array kept =
            ir_add_array(u, info.name, ir_word_of((enum ir_type)info.type), IR_ARRAY_SCRATCH, 1, &one, info.loc);
        out[count++] = (struct handed){v, kept};
    }
    return count;
}

// ---- the iteration --------------------------------------------------------------------------------------------------

struct maker {
    struct confiner *x;
    struct pass_cx *p;
    struct ir_unit *u;
    ir_stmt loop; // nothing follows it
    struct ir_effects fx;
    const bool *near;
    uint32_t arrays; // that `near` knows
    struct handed *handed;
    uint32_t handed_count;
};

// The loop's counter in each of `count` passes from `first` on.
static ir_stmt some_passes(struct ir_unit *u, const struct ir_stmt_node *loop, ir_expr first, uint64_t count) {
    base_loc loc = loop->loc;
    enum ir_type type = (enum ir_type)u->vars[loop->counted.var].type;
    ir_expr by = ir_const(u, type, (uint32_t)loop->counted.step);
    ir_var k = ir_add_var(u, "k", type, IR_VAR_LOCAL, loc), from = ir_add_var(u, "first", type, IR_VAR_LOCAL, loc);
    ir_expr at = ir_op2(u, IR_ADD, ir_var_read(u, from, loc), ir_op2(u, IR_MUL, ir_var_read(u, k, loc), by, loc), loc);
    ir_stmt out = ir_assign(u, from, first, loc), body = ir_assign(u, loop->counted.var, at, loc);
    ir_append(u, &body, loop->counted.body);
    ir_append(u, &out, ir_for(u, k, ir_const(u, type, 0), ir_const(u, type, (uint32_t)count), 1, body, loc));
    return out;
}

// At most `count` passes of the LOOP.
static ir_stmt most_passes(struct ir_unit *u, ir_stmt loop, uint64_t count) {
    base_loc loc = u->stmts[loop].loc;
    ir_var k = ir_add_var(u, "k", IR_I32, IR_VAR_LOCAL, loc);
    ir_expr at = ir_var_read(u, k, loc), more = ir_op2(u, IR_LT, at, ir_const_i32(u, (int32_t)count), loc),
            cond = ir_op2(u, IR_LAND, u->stmts[loop].loop.cond, more, loc);
    ir_stmt out = ir_assign(u, k, ir_const_i32(u, 0), loc),
            next = ir_assign(u, k, ir_op2(u, IR_ADD, at, ir_const_i32(u, 1), loc), loc);
    ir_append(u, &u->stmts[loop].loop.body, next);
    u->stmts[loop].loop.cond = cond;
    ir_append(u, &out, loop);
    return out;
}

// One iteration that makes `count` passes from `first` on, or the whole loop (count 0); of a LOOP at most so many.
static ir_stmt make_iteration(struct maker *m, ir_expr first, uint64_t count) {
    struct ir_unit *u = m->u;
    base_loc loc = u->stmts[m->loop].loc;
    ir_var one = ir_add_var(u, "one", IR_I32, IR_VAR_DIM, loc), *own = own_variables(u, &m->fx, m->x->vars);
    struct ir_dim dim = {one, ir_const_i32(u, 0), ir_const_i32(u, 1), 1};
    ir_stmt parfor = ir_parfor(u, &dim, 1, 0, loc), all = 0,
            body = ir_clone_block(u, m->loop, own, own_arrays(u, &m->fx, m->arrays));
    struct pass_expansion arrays;
    struct pass_scope sc;
    make_sequential(m->x, u, body);
    if (count) {
        const struct ir_stmt_node loop = u->stmts[body];
        body = loop.kind == IR_FOR ? some_passes(u, &loop, first, count) : most_passes(u, body, count);
    }
    pass_scope_init(&sc, u);
    pass_expansion_begin(&arrays, u, m->p->target, &sc, parfor);
    for (ir_array a = 1; a < m->arrays; a++)
        if (m->near[a] && pass_expand_array(&arrays, a)) u->arrays[arrays.to[a]].expanded = 1;
    pass_expand_accesses(&arrays, body);
    ir_expr zero = ir_const_i32(u, 0);
    for (ir_array a = 1; a < m->arrays; a++)
        if (arrays.to[a]) ir_append(u, &all, copy_array(&arrays, a, one, false));
    for (uint32_t k = 0; k < m->handed_count; k++)
        ir_append(u, &all, from_word(u, own[m->handed[k].var], m->handed[k].kept, loc));
    ir_append(u, &all, body);
    for (ir_array a = 1; a < m->arrays; a++)
        if (arrays.to[a] && ir_bit(m->fx.arrays_written, a)) ir_append(u, &all, copy_array(&arrays, a, one, true));
    for (uint32_t k = 0; k < m->handed_count; k++)
        ir_append(u, &all, ir_store(u, m->handed[k].kept, &zero, 1, as_word(u, own[m->handed[k].var], loc), loc));
    u->stmts[parfor].parfor.body = all;
    u->stmts[parfor].flags |= IR_FLAG_LONG;
    return parfor;
}

// A loop around iterations, with what is left of the FOR.
static ir_stmt in_parts(struct maker *m, uint64_t trips, uint64_t steps) {
    struct ir_unit *u = m->u;
    const struct ir_stmt_node n = u->stmts[m->loop];
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint64_t whole = trips / steps, rest = trips % steps;
    ir_var part = ir_add_var(u, "part", type, IR_VAR_ENTRY, n.loc);
    ir_expr each = ir_const(u, type, (uint32_t)steps * (uint32_t)n.counted.step),
            end = ir_const(u, type, (uint32_t)whole), at = ir_op2(u, IR_MUL, ir_var_read(u, part, n.loc), each, n.loc);
    ir_stmt some = make_iteration(m, ir_op2(u, IR_ADD, n.counted.lo, at, n.loc), steps);
    ir_stmt out = ir_for(u, part, ir_const(u, type, 0), end, 1, some, n.loc);
    at = ir_op2(u, IR_ADD, n.counted.lo, ir_op2(u, IR_MUL, end, each, n.loc), n.loc);
    if (rest) ir_append(u, &out, make_iteration(m, at, rest));
    return out;
}

// The LOOP around iterations, each of which ends it or makes `steps` passes.
static ir_stmt until_done(struct maker *m, uint64_t steps) {
    struct ir_unit *u = m->u;
    const struct ir_stmt_node n = u->stmts[m->loop];
    ir_stmt body = make_iteration(m, 0, steps);
    for (uint32_t k = 0; k < m->handed_count; k++)
        if (pass_is_var(u, n.loop.cond, m->handed[k].var))
            ir_append(u, &body, from_word(u, m->handed[k].var, m->handed[k].kept, n.loc));
    return ir_loop(u, n.loop.cond, body, 0, n.loc);
}

// What takes the loop's place: iterations of `steps` passes each.
static ir_stmt make_confined(struct confiner *x, struct pass_cx *p, ir_stmt loop, uint64_t steps) {
    struct ir_unit *u = p->u;
    struct maker m = {.x = x, .p = p, .u = u, .loop = loop, .fx = ir_effects_of(u, loop), .arrays = u->array_count};
    base_loc loc = u->stmts[loop].loc;
    ir_expr zero = ir_const_i32(u, 0);
    uint64_t trips = 0;
    ir_stmt out = 0;
    x->made = NULL; // it is of the last copy's memory
    x->made_count = x->made_cap = 0;
    m.near = arrays_near(p, &m.fx);
    m.handed = base_alloc_array(u->cx, x->vars, sizeof *m.handed);
    m.handed_count = hand_on(x, u, loop, &m.fx, m.handed);
    for (uint32_t k = 0; k < m.handed_count; k++)
        ir_append(u, &out, ir_store(u, m.handed[k].kept, &zero, 1, as_word(u, m.handed[k].var, loc), loc));
    if (!ir_const_trips(u, loop, &trips))
        ir_append(u, &out, until_done(&m, steps));
    else
        ir_append(u, &out, steps < trips ? in_parts(&m, trips, steps) : make_iteration(&m, 0, 0));
    for (uint32_t k = 0; k < m.handed_count; k++)
        ir_append(u, &out, from_word(u, m.handed[k].var, m.handed[k].kept, loc));
    return out;
}

// ---- what it is worth -----------------------------------------------------------------------------------------------

// A copy of the program that is the loop alone.
static struct pass_cx copy_of(const struct confiner *x, ir_stmt loop) {
    struct pass_cx copy = pass_copy(x->p);
    copy.u->root = loop;
    copy.u->stmts[loop].next = 0;
    return copy;
}

// Of the loop when neighbours are one; no waits: it moves inside of iterations, or its arrays find no room.
static struct pass_confine_cost cost_of_loop(const struct confiner *x, ir_stmt loop) {
    struct pass_cx copy = copy_of(x, loop);
    struct ir_effects fx = ir_effects_of(copy.u, loop);
    uint32_t arrays = copy.u->array_count;
    const bool *near = arrays_near(&copy, &fx);
    if (near) {
        pass_fuse(&copy);
        pass_interchange(&copy);
    }
    bool moves = copy.u->stmts[copy.u->root].kind == IR_PARFOR;
    return near && !moves ? pass_confine_weigh(copy.u, copy.u->root, near, arrays) : (struct pass_confine_cost){0};
}

// Loops in the block that have the flag.
static uint32_t count_flagged(const struct ir_unit *u, ir_stmt block, uint16_t flag) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        count += n->kind == IR_FOR && n->flags & flag;
        for (uint32_t k = 0; k < blocks; k++)
            count += count_flagged(u, inner[k], flag);
    }
    return count;
}

// Lanes share all loops that were parallel ones, which is tried on a copy.
static bool is_shared(struct confiner *x, ir_stmt loop, uint64_t steps) {
    struct pass_cx copy = copy_of(x, loop);
    struct ir_unit *u = copy.u;
    ir_stmt parfor = u->root = make_confined(x, &copy, loop, steps);
    while (u->stmts[parfor].kind != IR_PARFOR)
        parfor = ir_body_of(&u->stmts[parfor]) ? ir_body_of(&u->stmts[parfor]) : u->stmts[parfor].next;
    pass_share(&copy);
    for (uint32_t k = 0; k < x->made_count; k++) {
        const struct ir_stmt_node *n = &u->stmts[x->made[k]];
        if (!(n->flags & IR_FLAG_SIMD) && !count_flagged(u, n->counted.body, IR_FLAG_SIMD)) return false;
    }
    uint32_t marked = count_flagged(u, u->stmts[parfor].parfor.body, IR_FLAG_SIMD);
    pass_lanes(&copy);
    const struct ir_stmt_node *n = &u->stmts[parfor];
    return n->flags & IR_FLAG_LANES && !n->parfor.lane_var && count_flagged(u, n->parfor.body, IR_FLAG_LANES) >= marked;
}

// Passes of the loop that an iteration makes: the same in each, if so many can be had.
static uint64_t steps_of(uint64_t trips, double time, double longest) {
    double most = fmin(PASS_CONFINE_PASSES / (time + 1), PASS_CONFINE_LONGEST / (longest + 1)),
           parts = ceil((double)trips / (most < 1 ? 1 : most));
    uint64_t count = (uint64_t)parts, steps = (trips + count - 1) / count;
    for (uint64_t even = steps; even > steps / 2; even--)
        if (trips % even == 0) return even;
    return steps;
}

static void weigh_loop(struct confiner *x, ir_stmt loop) {
    struct ir_unit *u = x->p->u;
    struct survey survey = {u, true};
    uint64_t trips = 0;
    bool open = pass_is_open_loop(u, loop);
    ir_walk_stmts(u, ir_body_of(&u->stmts[loop]), on_stmt, &survey);
    if (!survey.fits || (!open && !ir_const_trips(u, loop, &trips))) return;
    if (open) trips = PASS_UNKNOWN_PASSES;
    if (!trips) return;
    struct base_scratch scratch = base_scratch_begin(u->cx);
    struct pass_confine_cost cost = cost_of_loop(x, loop);
    double each = 1 / (double)trips;
    uint64_t steps =
        steps_of(open ? PASS_LANES_MOST_AROUND - 2 : trips, (cost.shared + cost.alone) * each, cost.longest * each);
    bool pays = cost.waits * each * (double)steps > PASS_CONFINE_LEAST_WAITS * PASS_CONFINE_WAIT &&
                cost.shared <= cost.waits - cost.waits / PASS_CONFINE_SPARED;
    x->steps[loop] = steps;
    x->taken[loop] = pays && is_shared(x, loop, steps);
    base_scratch_end(u->cx, &scratch);
}

// The outermost loops that it pays for.
static void weigh_block(struct confiner *x, ir_stmt block) {
    const struct ir_unit *u = x->p->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        if (n.kind == IR_PARFOR) continue;
        if (n.kind != IR_IF && pass_has_parallel(u, ir_body_of(&n))) weigh_loop(x, s);
        uint32_t blocks = x->taken[s] ? 0 : ir_blocks_of(&n, inner);
        for (uint32_t k = 0; k < blocks; k++)
            weigh_block(x, inner[k]);
    }
}

static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct confiner *x = user;
    struct ir_unit *u = x->p->u;
    (void)done;
    if (s >= x->stmts || !x->taken[s]) return s;
    ir_stmt out = make_confined(x, x->p, s, x->steps[s]);
    base_text_format(x->p->explain,
                     "confine: the loop at line %u is one iteration, whose lanes share the parallel loops\n",
                     u->cx->locs[u->stmts[s].loc].line);
    return out;
}

void pass_confine(struct pass_cx *p) {
    struct ir_unit *u = p->u;
    struct confiner x = {.p = p, .vars = u->var_count, .stmts = u->stmt_count};
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    x.reads = base_alloc_array(u->cx, x.vars, sizeof *x.reads);
    x.taken = base_alloc_array(u->cx, x.stmts, sizeof *x.taken);
    x.steps = base_alloc_array(u->cx, x.stmts, sizeof *x.steps);
    pass_count_reads(u, u->root, x.reads);
    weigh_block(&x, u->root);
    struct pass_rewriter w = {.u = u, .user = &x, .replace = replace};
    u->root = pass_rewrite_block(&w, u->root);
}
