// Loops that move an array's elements to places which they read themselves, in an order in which none is lost:
//
//   for (i = n - 1; i > 0; i--) x[i] = x[i - 1];      becomes
//   for (i = n - 1; i > 0; i--) t[n - 1 - i] = x[i - 1];    for (i = n - 1; i > 0; i--) x[i] = t[n - 1 - i];
//
// Delay lines, histories, queues. A pass stores what only those before it have read, so the passes need their order;
// once what they store is put aside, they do not, and lanes share both loops (share.c). It is done where iterations are
// few, and only where lanes take both, which is tried on a copy.
//
// The law: of the array a pass loads elements that no pass before it stores, shown by indices a constant apart; it
// stores one, in a place that the pass alone decides. No variable goes from pass to pass. Anti-dependences go by
// renaming (D. Kuck, R. Kuhn, D. Padua, B. Leasure, M. Wolfe, "Dependence graphs and compiler optimizations",
// POPL 1981).
#include "pass/cost.h"
#include "pass/expansion.h"

struct mover {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc; // where the walk is
    ir_stmt parfor;
    bool *taken;    // by statement: loops that lanes would take
    uint32_t stmts; // that `taken` knows
};

// ---- which loops? ---------------------------------------------------------------------------------------------------

// The STORE that ends the body, in front of which it only assigns; 0: it does more.
static ir_stmt store_of(const struct ir_unit *u, ir_stmt body) {
    while (body && u->stmts[body].next && u->stmts[body].kind == IR_ASSIGN && !u->stmts[body].flags)
        body = u->stmts[body].next;
    return body && u->stmts[body].kind == IR_STORE && !u->stmts[body].next && !u->stmts[body].flags ? body : 0;
}

struct loads {
    const struct mover *x;
    const struct ir_stmt_node *loop, *store;
    bool kept, moves; // no load is of an element that a pass before has stored; some are of what a later one stores
};

// The load is of what a later pass stores, this one, or none.
static void look_at(struct loads *q, const struct ir_node *load) {
    const struct ir_unit *u = q->x->u;
    int64_t way = 0;
    for (uint32_t d = 0; d < load->n; d++) {
        struct pass_affine a = pass_affine_of(q->x->sc, u->args[load->b + d]),
                           b = pass_affine_of(q->x->sc, u->args[q->store->store.indices + d]),
                           apart = pass_affine_sum(-1, &b, &a);
        int64_t by = pass_affine_coef(&b, q->loop->counted.var);
        if (!a.ok || !b.ok || !apart.ok || apart.n) {
            q->kept = false;
            return;
        }
        if (!apart.constant) continue;
        if (!by) return; // another row
        int64_t passes = apart.constant / (by * q->loop->counted.step);
        if (apart.constant % (by * q->loop->counted.step)) return; // never the same element
        q->kept &= passes > 0 && (!way || way == passes);
        way = passes;
    }
    q->moves |= way != 0;
}
static bool on_load(void *user, ir_expr e) {
    struct loads *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    if (n->op == IR_LOAD && n->a == q->store->store.array) look_at(q, n);
    return q->kept;
}

static bool place_is_of_pass(const struct ir_unit *u, const struct ir_stmt_node *loop,
                             const struct ir_stmt_node *store) {
    struct ir_effects fx = ir_effects_of(u, loop->counted.body);
    for (uint32_t d = 0; d < store->store.index_count; d++) {
        ir_expr e = u->args[store->store.indices + d];
        if (pass_has_load(u, e) || ir_mentions_any(u, e, fx.vars_written)) return false;
    }
    return true;
}

static bool moves(const struct mover *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips;
    if (n.kind != IR_FOR || n.flags || (n.counted.step != 1 && n.counted.step != -1) ||
        u->vars[n.counted.var].type != IR_I32 || !ir_const_trips(u, s, &trips) || trips < PASS_SHARE_LEAST_PASSES ||
        trips > PASS_ASIDE_WORDS)
        return false;
    ir_stmt store = store_of(u, n.counted.body);
    if (!store || pass_hands_on(u, n.counted.body) || u->arrays[u->stmts[store].store.array].atomic ||
        u->stmts[store].store.array == u->log || !place_is_of_pass(u, &n, &u->stmts[store]))
        return false;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    struct loads q = {.x = x, .loop = &n, .store = &u->stmts[store], .kept = true};
    ir_walk_nodes(u, n.counted.body, on_load, &q);
    pass_scope_leave(x->sc, mark);
    return q.kept && q.moves;
}

// ---- what becomes of them -------------------------------------------------------------------------------------------

// The number of the pass.
static ir_expr pass_of(struct ir_unit *u, const struct ir_stmt_node *loop, ir_expr counter) {
    bool up = loop->counted.step > 0;
    return ir_op2(u, IR_SUB, up ? counter : loop->counted.lo, up ? loop->counted.lo : counter, loop->loc);
}

static ir_stmt put_aside(struct mover *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s], store = u->stmts[store_of(u, n.counted.body)];
    enum ir_type type = (enum ir_type)u->nodes[store.store.value].type;
    uint64_t trips = 0;
    (void)ir_const_trips(u, s, &trips);
    ir_expr words = ir_const_i32(u, (int32_t)trips), counter = ir_var_read(u, n.counted.var, n.loc);
    ir_array local =
        ir_add_array(u, u->arrays[store.store.array].name, ir_word_of(type), IR_ARRAY_LOCAL, 1, &words, n.loc);
    ir_stmt last = store_of(u, n.counted.body), behind = ir_add_stmt(u, IR_STORE, n.loc);
    ir_expr place = pass_of(u, &n, counter);
    ir_stmt aside = ir_store(u, local, &place, 1, store.store.value, n.loc);
    u->stmts[last] = u->stmts[aside];
    ir_var other = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    u->stmts[behind] = store;
    u->stmts[behind].store.indices = ir_add_args(u, u->args + store.store.indices, store.store.index_count);
    ir_expr back = pass_of(u, &n, counter), value = ir_load(u, local, &back, 1, n.loc);
    u->stmts[behind].store.value = value;
    pass_substitute(u, behind, n.counted.var, ir_var_read(u, other, n.loc));
    ir_stmt second = ir_for(u, other, n.counted.lo, n.counted.hi, n.counted.step, behind, n.loc);
    u->stmts[second].next = n.next;
    u->stmts[s].next = second;
    struct pass_expansion to;
    pass_expansion_begin(&to, u, x->p->target, x->sc, x->parfor);
    if (pass_expand_array(&to, local)) u->arrays[to.to[local]].expanded = (uint8_t)u->stmts[x->parfor].parfor.dim_count;
    pass_expand_accesses(&to, u->stmts[s].counted.body);
    pass_expand_accesses(&to, behind);
    return second;
}

// ---- where ----------------------------------------------------------------------------------------------------------

// fn gets each of the block that moves elements, in loops and branches, too.
static void each_loop(struct mover *x, ir_stmt block, void (*fn)(struct mover *x, ir_stmt s)) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        if (n.kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (moves(x, s)) {
            fn(x, s);
            continue;
        }
        uint32_t blocks = ir_blocks_of(&n, inner), around = pass_scope_enter(x->sc);
        if (n.kind == IR_FOR || n.kind == IR_LOOP) pass_scope_loop(x->sc, s);
        for (uint32_t k = 0; k < blocks; k++)
            each_loop(x, inner[k], fn);
        pass_scope_leave(x->sc, around);
    }
    pass_scope_leave(x->sc, mark);
}

static void try_one(struct mover *x, ir_stmt s) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct pass_cx copy = pass_copy(x->p);
    struct pass_scope sc;
    struct mover there = {.p = &copy, .u = copy.u, .sc = &sc, .parfor = x->parfor};
    pass_scope_init(&sc, copy.u);
    ir_stmt second = put_aside(&there, s);
    pass_share(&copy);
    x->taken[s] = copy.u->stmts[s].flags & copy.u->stmts[second].flags & IR_FLAG_SIMD;
    base_scratch_end(x->u->cx, &scratch);
}

static void take_one(struct mover *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    if (s >= x->stmts || !x->taken[s]) return;
    (void)put_aside(x, s);
    base_text_format(x->p->explain, "aside: what the loop at line %u moves is put aside first\n",
                     u->cx->locs[u->stmts[s].loc].line);
}

static void look_in(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct mover *x = user;
    const struct ir_stmt_node n = x->u->stmts[parfor];
    uint64_t iterations;
    if (n.flags & IR_FLAG_LANES || !pass_has_plain_dims(x->u, &n) || !pass_iterations(sc, parfor, &iterations) ||
        iterations * PASS_WORKGROUP > x->p->target->busy_invocations)
        return;
    x->sc = sc;
    x->parfor = parfor;
    each_loop(x, n.parfor.body, try_one);
    each_loop(x, n.parfor.body, take_one);
}

void pass_aside(struct pass_cx *p) {
    struct pass_scope sc;
    struct mover x = {.p = p, .u = p->u, .stmts = p->u->stmt_count};
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    x.taken = base_alloc_array(p->u->cx, x.stmts, sizeof *x.taken);
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, look_in, &x);
}
