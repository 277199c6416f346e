// Sums over nested loops of few iterations: the loops become one, whose neighbouring passes load neighbouring words.
//
//   for (i < n) for (y < h) for (x < w) s += a[i][k][y][x];      becomes
//   for (p < n * h * w) { x = p % w; y = p / w % h; i = p / w / h; s += a[i][k][y][x]; }
//
// Lanes that shared the outermost loop would each load words far from those of the others, and lanes that shared the
// innermost would combine their sums again and again, and be more than it has passes. Now they share all of it, and
// rfactor makes blocks of any length of it.
//
// The law: the loops only sum up (analysis/simd.c), each runs from one constant to another, and they stand in one
// another alone, but for assignments that a pass can make again, and for sums of the outermost loop, which get a loop
// of their own. What both add to takes its terms in another order, so sums of floats stay as they are where that counts
// (-fno-associative-math).
#include "pass/loops/nest.h"

struct flattener {
    struct pass_cx *p;
    struct pass_scope *sc;
    // of the nest under way
    struct ir_reduction sums[PASS_SIMD_REDUCTIONS];
    uint32_t sum_count;
    ir_stmt loops[PASS_FLATTEN_DEPTH];
    uint64_t trips[PASS_FLATTEN_DEPTH];
    ir_stmt heads[PASS_FLATTEN_DEPTH], apart; // copies: what a pass of each loop assigns; sums of the outermost
    uint32_t depth;
};

// ---- which nests? ---------------------------------------------------------------------------------------------------

static bool is_plain(const struct ir_unit *u, ir_stmt s, uint64_t *trips) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t lo;
    return n->kind == IR_FOR && !(n->flags & (IR_FLAG_SIMD | IR_FLAG_LANES)) && n->counted.step == 1 &&
           u->vars[n->counted.var].type == IR_I32 && ir_is_const(u, n->counted.lo, &lo) && (int32_t)lo >= 0 &&
           ir_const_trips(u, s, trips) && *trips;
}

// Whether the statement only adds to sums; *out_none: it touches none of them.
static bool adds_only(const struct flattener *x, ir_stmt s, bool *out_none) {
    struct ir_effects fx = ir_effects_of_one(x->p->u, s);
    uint32_t all = 0, sums = 0;
    for (uint32_t w = 0; w < fx.var_words; w++)
        all += (uint32_t)__builtin_popcount(fx.vars_written[w]);
    for (uint32_t i = 0; i < x->sum_count; i++)
        sums += ir_bit(fx.vars_written, x->sums[i].var);
    *out_none = sums == 0;
    return sums && sums == all;
}

// The loop that stands in this one, 0: none alone. What else stands there goes to `heads`, or to `apart`.
static ir_stmt step_inside(struct flattener *x, uint32_t level) {
    struct ir_unit *u = x->p->u;
    ir_stmt inner = 0, heads = 0, apart = 0;
    for (ir_stmt s = u->stmts[x->loops[level]].counted.body; s; s = u->stmts[s].next) {
        bool none;
        if (u->stmts[s].kind == IR_FOR) {
            if (inner || !is_plain(u, s, &x->trips[level + 1])) return 0;
            inner = s;
        } else if (adds_only(x, s, &none)) {
            if (level) return 0;
            ir_append(u, &apart, pass_clone_one(u, s));
        } else if (none && u->stmts[s].kind == IR_ASSIGN && !inner &&
                   !ir_bit(ir_effects_of(u, apart).vars_read, u->stmts[s].assign.var)) { // heads come before `apart`
            ir_append(u, &heads, pass_clone_one(u, s));
        } else {
            return 0;
        }
    }
    if (!inner) return 0;
    x->heads[level] = heads;
    if (level == 0) x->apart = apart;
    return inner;
}

struct walk {
    const struct flattener *x;
    ir_var outer, inner;
    bool far,
        near; // passes of the outer loop load words far apart, or neighbours, where those of the inner load others
};
static bool on_load(void *user, ir_expr e) {
    struct walk *w = user;
    struct ir_unit *u = w->x->p->u;
    const struct ir_node n = u->nodes[e];
    int64_t strides[2];
    if (n.op != IR_LOAD || !ir_in_buffer(u, n.a) ||
        !pass_word_strides(w->x->sc, n.a, u->args + n.b, n.n, (ir_var[]){w->outer, w->inner}, 2, strides))
        return true;
    bool apart = strides[0] >= PASS_SECTOR_WORDS || strides[0] <= -PASS_SECTOR_WORDS;
    w->far |= apart && (strides[1] == 1 || strides[1] == -1);
    w->near |= strides[0] && !apart && strides[1];
    return true;
}

// Lanes that share the outermost loop would load what is far apart, and passes of the loop at this depth do not.
static bool pays(struct flattener *x, uint32_t depth) {
    struct ir_unit *u = x->p->u;
    struct walk w = {x, u->stmts[x->loops[0]].counted.var, u->stmts[x->loops[depth - 1]].counted.var, false, false};
    uint32_t mark = pass_scope_enter(x->sc);
    for (uint32_t d = 0; d < depth; d++)
        pass_scope_loop(x->sc, x->loops[d]);
    ir_walk_nodes(u, u->stmts[x->loops[depth - 1]].counted.body, on_load, &w);
    pass_scope_leave(x->sc, mark);
    uint64_t all = 1;
    for (uint32_t d = 0; d < depth && all <= PASS_MOST_INDEXED; d++)
        all *= x->trips[d];
    return w.far && !w.near && all >= PASS_FLATTEN_LEAST && all <= PASS_MOST_INDEXED;
}

// What goes on from pass to pass of the loop are the nest's sums, and no sum that a pass around it makes and uses.
static bool has_no_others(const struct flattener *x, ir_stmt loop, const uint32_t *reads) {
    struct ir_unit *u = x->p->u;
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count = 0;
    if (!pass_simd_reductions(u, u->stmts[loop].counted.body, reads, list, &count)) return false;
    for (uint32_t k = 0; k < count; k++) {
        bool known = false;
        for (uint32_t i = 0; i < x->sum_count; i++)
            known |= x->sums[i].var == list[k].var && x->sums[i].op == list[k].op;
        if (!known) return false;
    }
    return true;
}

static bool find_nest(struct flattener *x, ir_stmt loop, const uint32_t *reads) {
    struct ir_unit *u = x->p->u;
    struct ir_effects fx = ir_effects_of(u, u->stmts[loop].counted.body);
    if (ir_writes_arrays(&fx) || !is_plain(u, loop, &x->trips[0]) || pass_leaves_loop(u, u->stmts[loop].counted.body) ||
        !pass_simd_reductions(u, u->stmts[loop].counted.body, reads, x->sums, &x->sum_count) || !x->sum_count)
        return false;
    for (uint32_t k = 0; k < x->sum_count; k++)
        if (x->p->target->keep_order && u->vars[x->sums[k].var].type == IR_F32) return false;
    x->loops[0] = loop;
    for (x->depth = 1; x->depth < PASS_FLATTEN_DEPTH; x->depth++) {
        ir_stmt inner = step_inside(x, x->depth - 1);
        if (!inner || pass_leaves_loop(u, u->stmts[inner].counted.body) || !has_no_others(x, inner, reads)) break;
        x->loops[x->depth] = inner;
    }
    while (x->depth > 1 && !pays(x, x->depth))
        x->depth--;
    return x->depth > 1;
}

// ---- the one loop ---------------------------------------------------------------------------------------------------

// Sets the counters of all loops from the number of the pass.
static ir_stmt set_counters(const struct flattener *x, ir_var pass, base_loc loc) {
    struct pass_nest nest = {.u = x->p->u, .depth = x->depth};
    for (uint32_t d = 0; d < x->depth; d++) {
        nest.loops[d] = x->loops[d];
        nest.trips[d] = x->trips[d];
        nest.counters[d] = x->p->u->stmts[x->loops[d]].counted.var;
    }
    return pass_nest_count(&nest, ir_var_read(x->p->u, pass, loc), 0, nest.counters);
}

// The loop of the outermost's own sums, 0: it has none.
static ir_stmt make_apart(struct flattener *x) {
    struct ir_unit *u = x->p->u;
    const struct ir_stmt_node n = u->stmts[x->loops[0]];
    if (!x->apart) return 0;
    ir_var var = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    ir_stmt body = x->heads[0] ? ir_clone_block(u, x->heads[0], NULL, NULL) : 0;
    ir_append(u, &body, x->apart);
    pass_substitute(u, body, n.counted.var, ir_var_read(u, var, n.loc));
    return ir_for(u, var, n.counted.lo, n.counted.hi, 1, body, n.loc);
}

static void flatten(struct flattener *x) {
    struct ir_unit *u = x->p->u;
    const struct ir_stmt_node outer = u->stmts[x->loops[0]], inner = u->stmts[x->loops[x->depth - 1]];
    uint64_t all = 1;
    for (uint32_t d = 0; d < x->depth; d++)
        all *= x->trips[d];
    ir_var pass = ir_add_var(u, "pass", IR_I32, IR_VAR_LOCAL, outer.loc);
    ir_stmt body = set_counters(x, pass, outer.loc), apart = make_apart(x);
    for (uint32_t d = 0; d + 1 < x->depth; d++)
        ir_append(u, &body, x->heads[d]);
    ir_append(u, &body, inner.counted.body);
    ir_expr zero = ir_const_i32(u, 0), end = ir_const_i32(u, (int32_t)all);
    struct ir_stmt_node *n = &u->stmts[x->loops[0]];
    n->counted.var = pass;
    n->counted.lo = zero;
    n->counted.hi = end;
    n->counted.body = body;
    if (apart) {
        u->stmts[apart].next = n->next;
        n->next = apart;
    }
    base_text_format(x->p->explain, "flatten: the sums of %u nested loops at line %u are those of one\n", x->depth,
                     u->cx->locs[outer.loc].line);
}

static void flatten_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct flattener *x = user;
    struct ir_unit *u = x->p->u;
    if (pass_most_iterations(sc, parfor) >= x->p->target->busy_invocations / 2) return;
    x->sc = sc;
    uint32_t mark = pass_scope_enter(sc), *reads;
    pass_scope_parfor(sc, parfor);
    for (ir_stmt s = u->stmts[parfor].parfor.body; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (u->stmts[s].kind != IR_FOR) continue;
        reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
        pass_count_reads(u, u->stmts[parfor].parfor.body, reads);
        if (find_nest(x, s, reads)) flatten(x);
    }
    pass_scope_leave(sc, mark);
}

void pass_flatten(struct pass_cx *p) {
    struct flattener x = {.p = p};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, flatten_parfor, &x);
}
