// The dispatch tree: what of the entry level is a loop of dispatches, a parallel kernel or a sequential stretch.
#include "compile/build.h"

#include <string.h>

#include "pass/passes.h"

struct tree {
    struct compile_builder *b;
    struct compile_rung *r;
    struct ir_unit *u;
    struct pass_scope sc; // of where the walk is
    uint32_t words;       // of params that the loops around have, and all that there are of uniform scalars
};

struct nodes {
    struct plan_node *items;
    uint32_t count, cap;
};

static void add_node(struct tree *t, struct nodes *list, struct plan_node node) {
    BASE_RESERVE(t->b->cx, list->items, list->count, list->cap);
    list->items[list->count++] = node;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

// What the host can compute as the device does: arithmetic over constants, scalars of the run, counters of the loops
// around and one variable that it reads from the device. It may come to a count that a condition keeps the device from;
// so nothing may wrap around or be divided by zero, as far as counters and variables of the device are in it.
struct host {
    const struct tree *t;
    ir_var read; // the device's variable, 0: none yet
    bool ok, fixed;
};

static bool fixed_leaf(void *user, ir_expr e) {
    struct host *h = user;
    const struct ir_node *n = &h->t->u->nodes[e];
    if (n->op == IR_VAR && h->t->u->vars[n->a].klass != IR_VAR_PARAM) h->fixed = false;
    return h->fixed;
}

// Nothing but constants and scalars of the run.
static bool is_fixed(const struct tree *t, ir_expr e) {
    struct host h = {.t = t, .fixed = true};
    ir_walk_expr(t->u, e, fixed_leaf, &h);
    return h.fixed;
}

static bool host_node(void *user, ir_expr e) {
    struct host *h = user;
    const struct tree *t = h->t;
    const struct ir_node *n = &t->u->nodes[e];
    bool exact = pass_range_of(&t->sc, e).known || is_fixed(t, e);
    switch (n->op) {
    case IR_CONST: break;
    case IR_VAR:
        if (t->r->scalar_index[n->a] != UINT32_MAX || n->a == h->read) break;
        h->ok &= h->read == 0;
        h->read = n->a;
        break;
    case IR_NEG:
    case IR_MIN:
    case IR_MAX: break;
    case IR_ADD:
    case IR_SUB:
    case IR_MUL: h->ok &= n->type == IR_I32 || exact; break;
    case IR_I2U:
    case IR_U2I: h->ok &= exact; break;
    case IR_DIV:
    case IR_REM: {
        uint32_t bits;
        h->ok &= (ir_is_const(t->u, n->b, &bits) && bits) || is_fixed(t, n->b);
        break;
    }
    default: h->ok = false;
    }
    return h->ok;
}

static bool host_computes(const struct tree *t, ir_expr e) {
    struct host h = {.t = t, .ok = true};
    ir_walk_expr(t->u, e, host_node, &h);
    return h.ok;
}

static plan_expr trips_expr(struct tree *t, ir_expr lo, ir_expr hi, int32_t step, base_loc loc) {
    struct compile_builder *b = t->b;
    struct plan *p = b->plan;
    plan_expr first = compile_plan_expr(b, t->r, t->u, lo, loc), last = compile_plan_expr(b, t->r, t->u, hi, loc);
    plan_expr span = step > 0 ? plan_op(b->cx, p, PLAN_SUB, last, first) : plan_op(b->cx, p, PLAN_SUB, first, last);
    int64_t each = step > 0 ? step : -(int64_t)step;
    if (each != 1)
        span = plan_op(b->cx, p, PLAN_DIV, plan_op(b->cx, p, PLAN_ADD, span, plan_const(b->cx, p, each - 1)),
                       plan_const(b->cx, p, each));
    return plan_op(b->cx, p, PLAN_MAX, span, plan_const(b->cx, p, 0));
}

static uint32_t *longer(struct tree *t, const uint32_t *list, uint32_t count) {
    uint32_t *out = base_alloc_array(t->b->cx, count + 1, sizeof *out);
    memcpy(out, list, count * sizeof *out);
    out[count] = UINT32_MAX;
    return out;
}

static ir_var add_entry_var(struct tree *t, const char *name, enum ir_type type, base_loc loc) {
    uint32_t count = t->u->var_count;
    t->r->scalar_index = longer(t, t->r->scalar_index, count);
    t->r->state_scalar = longer(t, t->r->state_scalar, count);
    t->r->state_word = longer(t, t->r->state_word, count);
    return ir_add_var(t->u, name, type, IR_VAR_ENTRY, loc);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

static void add_kernel(struct tree *t, struct nodes *out, struct compile_kernel k) {
    struct compile_builder *b = t->b;
    k.unit = t->u;
    k.rung = t->r;
    // Effects of exactly these statements: the list is cut at `stop` for the moment.
    ir_stmt last = k.stmt;
    while (t->u->stmts[last].next && t->u->stmts[last].next != k.stop)
        last = t->u->stmts[last].next;
    ir_stmt after = t->u->stmts[last].next;
    t->u->stmts[last].next = 0;
    k.effects = ir_effects_of(t->u, k.stmt);
    t->u->stmts[last].next = after;
    if (k.guard) ir_expr_effects(t->u, k.guard, &k.effects);
    BASE_RESERVE(b->cx, b->kernels, b->kernel_count, b->kernel_cap);
    b->kernels[b->kernel_count] = k;
    add_node(t, out, (struct plan_node){.kind = PLAN_DISPATCH, .kernel = b->kernel_count++});
    if (k.sequential)
        t->r->sequential_count++;
    else
        t->r->parfor_count++;
}

static bool worth_running(struct tree *t, ir_stmt from, ir_stmt stop) {
    for (ir_stmt s = from; s && s != stop; s = t->u->stmts[s].next)
        if (t->u->stmts[s].kind != IR_NOP && t->u->stmts[s].kind != IR_BARRIER) return true;
    return false;
}

static void add_stretch(struct tree *t, struct nodes *out, ir_stmt from, ir_stmt stop, ir_expr guard) {
    if (from && from != stop && worth_running(t, from, stop))
        add_kernel(t, out,
                   (struct compile_kernel){.stmt = from,
                                           .stop = stop,
                                           .sequential = true,
                                           .guard = guard,
                                           .iterations = plan_const(t->b->cx, t->b->plan, 1),
                                           .known_iterations = 1});
}

// The bound, or a variable of the device that `computed` sets to it, for the host to read.
static ir_expr readable(struct tree *t, ir_stmt *computed, ir_expr bound, base_loc loc) {
    if (host_computes(t, bound)) return bound;
    ir_var v = add_entry_var(t, "bound", (enum ir_type)t->u->nodes[bound].type, loc);
    ir_append(t->u, computed, ir_assign(t->u, v, bound, loc));
    return ir_var_read(t->u, v, loc);
}

// Iterations of a PARFOR.
static plan_expr total_of(struct tree *t, ir_stmt s, ir_stmt *computed) {
    const struct ir_stmt_node n = t->u->stmts[s];
    plan_expr total = plan_const(t->b->cx, t->b->plan, 1);
    for (uint32_t k = 0; k < n.parfor.dim_count; k++) {
        const struct ir_dim d = t->u->dims[n.parfor.dims + k];
        ir_expr lo = readable(t, computed, d.lo, n.loc), hi = readable(t, computed, d.hi, n.loc);
        total = plan_op(t->b->cx, t->b->plan, PLAN_MUL, total, trips_expr(t, lo, hi, d.step, n.loc));
    }
    return total;
}

static void add_parfor(struct tree *t, struct nodes *out, ir_stmt s, ir_expr guard) {
    const struct ir_stmt_node n = t->u->stmts[s];
    struct plan *p = t->b->plan;
    ir_stmt computed = 0;
    plan_expr total = total_of(t, s, &computed);
    add_stretch(t, out, computed, 0, guard);
    struct compile_kernel k = {.stmt = s, .stop = n.next, .guard = guard, .iterations = total};
    if (p->exprs[total].op == PLAN_CONST) {
        int64_t v = p->exprs[total].value;
        if (v == 0) return;
        if (v > UINT32_MAX - 1)
            base_unsupported(t->b->cx, n.loc, "this parallel loop has %lld iterations; the limit is 4294967294",
                             (long long)v);
        k.known_iterations = (uint64_t)v;
    }
    add_kernel(t, out, k);
}

// A condition around parallel loops is evaluated once, into a variable of the state, unless it reads nothing that can
// change.
struct fixed {
    const struct ir_unit *u;
    const struct compile_rung *r;
    bool ok;
};

static bool fixed_node(void *user, ir_expr e) {
    struct fixed *f = user;
    const struct ir_node *n = &f->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && f->r->scalar_index[n->a] == UINT32_MAX)) f->ok = false;
    return f->ok;
}

static ir_expr settle_guard(struct tree *t, struct nodes *out, ir_expr cond, ir_expr outer, base_loc loc) {
    struct ir_unit *u = t->u;
    struct fixed f = {u, t->r, true};
    ir_walk_expr(u, cond, fixed_node, &f);
    if (f.ok) return cond;
    ir_var flag = add_entry_var(t, "condition", IR_BOOL, loc);
    add_stretch(t, out, ir_assign(u, flag, cond, loc), 0, outer);
    return ir_var_read(u, flag, loc);
}

static void walk(struct tree *t, ir_stmt block, ir_expr guard, struct nodes *out);

// A tree that stands in for a grid kernel goes on from that kernel's resume points.
static uint32_t resume_of(const struct tree *t, const struct ir_stmt_node *n) {
    return t->r->grid && (n->flags & IR_FLAG_GRID) ? ir_resume_point_of(n) : 0;
}

static void add_loop(struct tree *t, struct nodes *out, ir_stmt s, ir_expr guard) {
    struct compile_builder *b = t->b;
    const struct ir_stmt_node n = t->u->stmts[s];
    struct plan_node loop = {.kind = PLAN_LOOP, .step = n.counted.step, .resume = resume_of(t, &n)};
    loop.count = trips_expr(t, n.counted.lo, n.counted.hi, n.counted.step, n.loc);
    loop.lo = compile_plan_expr(b, t->r, t->u, n.counted.lo, n.loc);
    struct plan *p = b->plan;
    BASE_RESERVE(b->cx, p->scalars, p->scalar_count, p->scalar_cap);
    bool is_unsigned = t->u->vars[n.counted.var].type == IR_U32;
    p->scalars[p->scalar_count] =
        (struct plan_scalar){.name = base_format(b->cx, "%s.%u", t->u->vars[n.counted.var].name, p->scalar_count),
                             .kind = PLAN_REPEAT,
                             .dtype = is_unsigned ? WHORL_U32 : WHORL_I32,
                             .word = t->words++};
    p->param_words = t->words > p->param_words ? t->words : p->param_words;
    loop.scalar = p->scalar_count;
    t->r->scalar_index[n.counted.var] = p->scalar_count++;
    t->r->loop_count++;
    struct nodes children = {0};
    uint32_t mark = pass_scope_enter(&t->sc);
    pass_scope_loop(&t->sc, s);
    walk(t, n.counted.body, guard, &children);
    pass_scope_leave(&t->sc, mark);
    t->words--; // loops behind it may have it
    loop.child_count = children.count;
    loop.children = children.items;
    if (children.count) add_node(t, out, loop);
}

// pass_canonicalise made its condition one flag; the kernels inside test it too, so that a pass too many does nothing.
static void add_while(struct tree *t, struct nodes *out, ir_stmt s, ir_expr guard) {
    const struct ir_stmt_node n = t->u->stmts[s];
    if (!n.loop.cond || t->u->nodes[n.loop.cond].op != IR_VAR || n.loop.continuing)
        base_bug(t->b->cx, "a loop around parallel loops is not in its canonical form");
    struct plan_node loop = {.kind = PLAN_WHILE, .word = t->u->nodes[n.loop.cond].a, .resume = resume_of(t, &n)};
    t->r->loop_count++;
    struct nodes children = {0};
    walk(t, n.loop.body, guard ? ir_op2(t->u, IR_LAND, guard, n.loop.cond, n.loc) : n.loop.cond, &children);
    loop.child_count = children.count;
    loop.children = children.items;
    if (children.count) add_node(t, out, loop);
}

static void walk(struct tree *t, ir_stmt block, ir_expr guard, struct nodes *out) {
    struct ir_unit *u = t->u;
    ir_stmt stretch = 0;
    uint32_t mark = pass_scope_enter(&t->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN) pass_scope_assign(&t->sc, s);
        bool alone = n.kind == IR_COMBINE; // sequential, though the walk below would call it parallel
        bool parallel =
            n.kind == IR_PARFOR || (n.kind == IR_FOR && pass_has_parallel(u, n.counted.body)) ||
            (n.kind == IR_LOOP && (pass_has_parallel(u, n.loop.body) || pass_has_parallel(u, n.loop.continuing))) ||
            (n.kind == IR_IF &&
             (pass_has_parallel(u, n.branch.then_block) || pass_has_parallel(u, n.branch.else_block)));
        if (alone || !parallel) {
            if (!stretch) stretch = s;
            continue;
        }
        add_stretch(t, out, stretch, s, guard);
        stretch = 0;
        if (n.kind == IR_PARFOR) {
            add_parfor(t, out, s, guard);
        } else if (n.kind == IR_FOR) {
            add_loop(t, out, s, guard);
        } else if (n.kind == IR_IF) {
            ir_expr cond = settle_guard(t, out, n.branch.cond, guard, n.loc);
            ir_expr yes = guard ? ir_op2(u, IR_LAND, guard, cond, n.loc) : cond;
            walk(t, n.branch.then_block, yes, out);
            if (n.branch.else_block) {
                ir_expr no = ir_op1(u, IR_NOT, cond, n.loc);
                walk(t, n.branch.else_block, guard ? ir_op2(u, IR_LAND, guard, no, n.loc) : no, out);
            }
        } else {
            add_while(t, out, s, guard);
        }
    }
    add_stretch(t, out, stretch, 0, guard);
    pass_scope_leave(&t->sc, mark);
}

// ---- the whole rung as one kernel -----------------------------------------------------------------------------------

// The most iterations that the PARFOR can have; as many as keep the device busy where that is not known.
static plan_expr most_of(struct tree *t, ir_stmt s) {
    const struct ir_stmt_node n = t->u->stmts[s];
    struct compile_builder *b = t->b;
    plan_expr most = plan_const(b->cx, b->plan, 1);
    for (uint32_t k = 0; k < n.parfor.dim_count; k++) {
        const struct ir_dim d = t->u->dims[n.parfor.dims + k];
        plan_expr trips;
        if (is_fixed(t, d.lo) && is_fixed(t, d.hi) && host_computes(t, d.lo) && host_computes(t, d.hi)) {
            trips = trips_expr(t, d.lo, d.hi, d.step, n.loc);
        } else {
            struct pass_range lo = pass_range_of(&t->sc, d.lo), hi = pass_range_of(&t->sc, d.hi);
            int64_t each = d.step > 0 ? d.step : -(int64_t)d.step;
            int64_t span = d.step > 0 ? hi.hi - lo.lo : lo.hi - hi.lo, count = span > 0 ? (span + each - 1) / each : 0;
            if (!lo.known || !hi.known || count > b->target->busy_invocations) count = b->target->busy_invocations;
            trips = plan_const(b->cx, b->plan, count);
        }
        most = plan_op(b->cx, b->plan, PLAN_MUL, most, trips);
    }
    return most;
}

// `looped`: only what stands in a loop.
static void widest(struct tree *t, ir_stmt block, bool looped, plan_expr *io) {
    uint32_t mark = pass_scope_enter(&t->sc);
    for (ir_stmt s = block; s; s = t->u->stmts[s].next) {
        const struct ir_stmt_node n = t->u->stmts[s];
        if (n.kind == IR_ASSIGN) pass_scope_assign(&t->sc, s);
        if (n.kind == IR_PARFOR && !looped) {
            plan_expr busy = most_of(t, s),
                      lanes = plan_const(t->b->cx, t->b->plan, n.flags & IR_FLAG_LANES ? n.parfor.lanes : 1);
            busy = plan_op(t->b->cx, t->b->plan, PLAN_MUL, busy, lanes);
            *io = plan_op(t->b->cx, t->b->plan, PLAN_MAX, *io, busy);
        }
        if (n.kind == IR_IF) {
            widest(t, n.branch.then_block, looped, io);
            widest(t, n.branch.else_block, looped, io);
        } else if (n.kind == IR_FOR || n.kind == IR_LOOP) {
            uint32_t inner = pass_scope_enter(&t->sc);
            pass_scope_loop(&t->sc, s);
            widest(t, ir_body_of(&n), false, io);
            pass_scope_leave(&t->sc, inner);
        }
    }
    pass_scope_leave(&t->sc, mark);
}

void compile_grid(struct compile_builder *b, struct compile_rung *rung, struct plan_node *out_root) {
    struct tree t = {.b = b, .r = rung, .u = rung->grid};
    pass_scope_init(&t.sc, t.u);
    struct compile_kernel k = {.unit = rung->grid, .stmt = rung->grid->root, .grid = true, .rung = rung};
    // What runs once does not say how many workgroups are best for what runs again and again.
    k.iterations = plan_const(b->cx, b->plan, 0);
    widest(&t, rung->grid->root, true, &k.iterations);
    const struct plan_expr_node *looped = &b->plan->exprs[k.iterations];
    if (looped->op == PLAN_CONST && looped->value == 0) widest(&t, rung->grid->root, false, &k.iterations);
    k.iterations = plan_op(b->cx, b->plan, PLAN_MAX, k.iterations, plan_const(b->cx, b->plan, 1));
    k.effects = ir_effects_of(rung->grid, rung->grid->root);
    BASE_RESERVE(b->cx, b->kernels, b->kernel_count, b->kernel_cap);
    b->kernels[b->kernel_count] = k;
    *out_root = (struct plan_node){.kind = PLAN_DISPATCH, .kernel = b->kernel_count++};
}

void compile_tree(struct compile_builder *b, struct compile_rung *rung, struct plan_node *out_root) {
    struct tree t = {.b = b, .r = rung, .u = rung->unit, .words = b->uniform_words};
    pass_scope_init(&t.sc, t.u);
    struct nodes list = {0};
    walk(&t, rung->unit->root, 0, &list);
    *out_root = (struct plan_node){.kind = PLAN_SEQ, .child_count = list.count, .children = list.items};
}
