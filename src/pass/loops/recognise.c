// Atomic additions to floats that are sums in disguise:
//
//   parallel for (i) for (k < 8) { #pragma omp atomic  g[k] += x[i][k]; }
//
// All iterations add to the same places, one after the other, so invocations that go on together all meet at one word:
// each of their additions is made again and again until it was alone. As array reductions (reduce_arrays.c) blocks of
// iterations have sums of their own, which are added up in the end; and then the result has one order, too.
//
// The law: in the loop the array is only added to, nobody takes an old value, and the place depends on neither the
// iteration nor on data. C leaves the order of such additions open. It pays where there are many more of them than
// there are places, and no lanes share loops of an iteration (share.c): these add to different places. Integers have
// one instruction for it, and copies in workgroup memory (privatise.c).
#include "pass/cost.h"
#include "pass/passes.h"

struct recogniser {
    struct pass_cx *p;
    struct ir_unit *u;
    bool *refused;         // by array: touched in another way, or at places of the iteration's
    bool *found;           // by array
    bool *same;            // by variable: a counter that takes the same values in all iterations
    double *updates;       // by array: of an iteration
    double weight;         // times that the statement at work is run
    struct ir_unit *tried; // a copy in which the loops for lanes are marked; NULL: nobody asked yet
};

struct place {
    const struct recogniser *x;
    bool same;
};
static bool on_leaf(void *user, ir_expr e) {
    struct place *q = user;
    const struct ir_unit *u = q->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) q->same = false;
    if (n->op == IR_VAR)
        q->same &= u->vars[n->a].klass == IR_VAR_PARAM || u->vars[n->a].klass == IR_VAR_ENTRY || q->x->same[n->a];
    return q->same;
}
static bool is_same(const struct recogniser *x, ir_expr e) {
    struct place q = {x, true};
    ir_walk_expr(x->u, e, on_leaf, &q);
    return q.same;
}

static bool on_load(void *user, ir_expr e) {
    struct recogniser *x = user;
    if (x->u->nodes[e].op == IR_LOAD) x->refused[x->u->nodes[e].a] = true;
    return true;
}

static void look(struct recogniser *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        double outer = x->weight;
        ir_stmt inner[2];
        uint64_t trips = PASS_UNKNOWN_TRIPS;
        if (n.kind == IR_ATOMIC) {
            bool sum = n.atomic.op == IR_ADD && !n.atomic.old && !(n.flags & IR_FLAG_FIXED) &&
                       ir_elem_type((enum whorl_dtype)x->u->arrays[n.atomic.array].elem) == IR_F32;
            for (uint32_t d = 0; d < n.atomic.index_count; d++)
                sum &= is_same(x, x->u->args[n.atomic.indices + d]);
            *(sum ? &x->found[n.atomic.array] : &x->refused[n.atomic.array]) = true;
            x->updates[n.atomic.array] += outer;
        } else if (ir_write_of(&n).array) {
            x->refused[ir_write_of(&n).array] = true;
        }
        if (n.kind == IR_FOR) {
            (void)ir_const_trips(x->u, s, &trips);
            x->same[n.counted.var] = is_same(x, n.counted.lo) && is_same(x, n.counted.hi);
        }
        if (n.kind == IR_FOR || n.kind == IR_LOOP) x->weight *= (double)trips;
        if (n.kind == IR_IF) x->weight /= 2;
        for (uint32_t i = ir_blocks_of(&n, inner); i-- > 0;)
            look(x, inner[i]);
        x->weight = outer;
    }
}

// Lanes would share loops of the iteration, as a copy tells.
static bool has_lanes(struct recogniser *x, ir_stmt parfor) {
    if (!x->tried) {
        struct pass_cx copy = pass_copy(x->p);
        pass_share(&copy);
        x->tried = copy.u;
    }
    return pass_has_simd(x->tried, x->tried->stmts[parfor].parfor.body);
}

static bool on_update(void *user, ir_stmt s) {
    struct recogniser *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ATOMIC && x->found[n->atomic.array]) n->flags |= IR_FLAG_FIXED;
    return true;
}

static void recognise_in(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct recogniser *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    struct ir_visitor v = {.on_node = on_load, .user = x};
    uint64_t iterations;
    const char *names = "";
    if (!pass_iterations(sc, parfor, &iterations)) return;
    for (ir_array a = 1; a < u->array_count; a++)
        x->refused[a] = x->found[a] = false, x->updates[a] = 0;
    ir_walk_block(u, n.parfor.body, &v);
    x->weight = 1;
    look(x, n.parfor.body);
    for (ir_array a = 1; a < u->array_count; a++) {
        double words = (double)pass_elements(u, a, 0, PASS_SUMS_WORDS);
        x->found[a] &= !x->refused[a] && words > 0 && u->arrays[a].ndims < IR_MAX_DIMS &&
                       x->updates[a] * (double)iterations >= PASS_SUMS_UPDATES * words;
        if (x->found[a]) names = base_format(u->cx, "%s%s'%s'", names, *names ? ", " : "", u->arrays[a].name);
    }
    if (!*names || has_lanes(x, parfor)) return;
    ir_walk_stmts(u, n.parfor.body, on_update, x);
    base_text_format(x->p->explain, "recognise: what the loop at line %u adds to %s by atomics are sums\n",
                     u->cx->locs[n.loc].line, names);
}

void pass_recognise(struct pass_cx *p) {
    struct ir_unit *u = p->u;
    struct pass_scope sc;
    struct recogniser x = {.p = p, .u = u};
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    x.refused = base_alloc_array(u->cx, u->array_count, sizeof *x.refused);
    x.found = base_alloc_array(u->cx, u->array_count, sizeof *x.found);
    x.updates = base_alloc_array(u->cx, u->array_count, sizeof *x.updates);
    x.same = base_alloc_array(u->cx, u->var_count, sizeof *x.same);
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, recognise_in, &x);
}
