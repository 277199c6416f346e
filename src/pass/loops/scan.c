// Long recurrences of few iterations, in blocks of the grid: what a pass takes from the one before is found for each
// block first.
//
//   parallel for (i) { s = 0; for (t < n) { s = a[i] * s + x[t][i]; y[t][i] = s; } last[i] = s; }
//
// becomes
//
//   parallel for (block, i) { f = 1; c = 0; for (t of the block) { f = a[i] * f; c = a[i] * c + x[t][i]; }
//                             factor[block][i] = f; more[block][i] = c; }
//   parallel for (i) { s = 0; for (block) { start[block][i] = s; s = factor[block][i] * s + more[block][i]; }
//                      last[i] = s; }
//   parallel for (block, i) { s = start[block][i]; for (t of the block) { s = a[i] * s + x[t][i]; y[t][i] = s; } }
//
// Running sums and maxima, filters, generators of random numbers, hashes, places in a list that grows (recurrence.c
// says which values). The loop in the middle is such a recurrence itself. (G. E. Blelloch, "Prefix sums and their
// applications", 1990; S. Chatterjee, G. E. Blelloch, M. Zagha, "Scan primitives for vector computers", 1990.)
//
// A nest of loops is one loop of all its passes, if it can be made in blocks as that (nest.c).
//
// Values that need others, as what is counted where a hash is the one that is wanted, come in levels
// (recurrence_levels.c): the first two loops are made for each, with what is known by then of the levels before. The
// last loop is made if anything is stored, or summed up that needs the last level.
//
// The law: no pass touches an element that another one writes, but through an index that grows with each store; what
// the loops before the last read is not yet written. Sums and products of floats become others (-fno-associative-math
// forbids). The passes are made once for each level and once more, so iterations must be few beside what keeps the
// device busy. Searches are left to lanes of a workgroup where they are enough (share.c).
#include "pass/loops/scan.h"

#include <string.h>

static const struct ir_stmt_node *node_of(const struct scanner *x, ir_stmt s) { return &x->u->stmts[s]; }

static ir_stmt scan_statement(void *user, ir_stmt done, ir_stmt s);

ir_stmt scan_again(struct scanner *x, ir_stmt s) {
    struct scanner inner = *x;
    pass_scope_init(&inner.sc, x->u); // with the variables that were made
    ir_stmt out = scan_statement(&inner, 0, s);
    x->count = inner.count;
    return out;
}

// What is in front of the loop as a parallel loop of its own, which leaves what it assigns in memory, and the rest; 0:
// it cannot be had.
static ir_stmt cut_front(struct scanner *x) {
    struct ir_unit *u = x->u;
    const uint32_t *wanted = pass_exposed(u, x->loop);
    ir_stmt front = pass_clone_until(u, x->n.parfor.body, x->loop), rest = 0;
    for (ir_var v = 1; v < x->r->vars; v++) {
        ir_expr at[IR_MAX_DIMS];
        if (!ir_bit(wanted, v) || !ir_bit(x->in_front.vars_written, v)) continue;
        if (u->vars[v].type == IR_BOOL) return 0;
        ir_array a = pass_block_array(u, &x->n, u->vars[v].name, (enum ir_type)u->vars[v].type, NULL, 0);
        uint32_t n = pass_block_index(u, &x->n, NULL, 0, at);
        ir_append(u, &front, ir_store(u, a, at, n, ir_var_read(u, v, x->n.loc), x->n.loc));
        ir_append(u, &rest, ir_assign(u, v, ir_load(u, a, at, n, x->n.loc), x->n.loc));
    }
    ir_append(u, &rest, pass_clone_until(u, x->loop, 0));
    ir_stmt out = pass_block_parfor(u, &x->n, 0, 0, front);
    ir_append(u, &out, scan_again(x, pass_block_parfor(u, &x->n, 0, 0, rest)));
    return out;
}

// What blocks leave has a place for each iteration that there may be: where the run alone knows how many there are, the
// loop goes no further than what it indexes. false: nobody knows how far that is.
static bool limit_dims(struct scanner *x) {
    struct ir_unit *u = x->u;
    for (uint32_t d = 0; d < x->n.parfor.dim_count; d++) {
        struct ir_dim *dim = &u->dims[x->n.parfor.dims + d];
        uint32_t hi, most = pass_most_of_dim(u, x->parfor, d);
        if (ir_is_const(u, dim->hi, &hi)) continue;
        if (pass_has_load(u, dim->hi) || u->vars[dim->var].type != IR_I32) return false; // each loop would load it
        bool is_limited = u->nodes[dim->hi].op == IR_MIN && ir_is_const(u, u->nodes[dim->hi].b, &hi);
        if (is_limited && (!most || (int32_t)hi <= (int32_t)most)) continue;
        if (!most) return false;
        ir_expr end = ir_op2(u, IR_MIN, dim->hi, ir_const_i32(u, (int32_t)most), x->n.loc);
        u->dims[x->n.parfor.dims + d].hi = end;
    }
    return true;
}

// 0: no loop of its body is such a recurrence.
static ir_stmt scan_parfor(struct scanner *x, ir_stmt s) {
    uint64_t iterations = pass_most_iterations(&x->sc, s);
    if (!pass_has_block_dims(x->u, &x->n) || !iterations) return 0;
    ir_stmt loop = x->n.parfor.body;
    uint32_t looks = 0;
    const bool *of_lanes = pass_searches_of_lanes(x->p, &x->sc, s);
    for (; loop && looks < PASS_SCAN_LOOKS; loop = node_of(x, loop)->next) {
        bool stays = of_lanes && of_lanes[loop];
        if (!stays && scan_find(x, loop, iterations)) break;
        ir_stmt apart = !stays && x->must_be_cut ? cut_front(x) : 0;
        if (apart) return apart;
        looks += node_of(x, loop)->kind == IR_FOR;
    }
    if (!loop || looks == PASS_SCAN_LOOKS) return 0;
    return scan_in_blocks(x);
}

static ir_stmt scan_statement(void *user, ir_stmt done, ir_stmt s) {
    struct scanner *x = user;
    struct ir_unit *u = x->u;
    (void)done;
    x->n = u->stmts[s];
    x->parfor = s;
    x->nest.depth = 0;
    if (x->n.kind != IR_PARFOR || x->n.flags & ~IR_FLAG_NOWAIT || x->n.parfor.reduction_count) return s;
    struct ir_dim *was = base_alloc_array(u->cx, x->n.parfor.dim_count + 1, sizeof *was);
    memcpy(was, u->dims + x->n.parfor.dims, x->n.parfor.dim_count * sizeof *was);
    ir_stmt made = limit_dims(x) ? scan_parfor(x, s) : 0;
    if (!made) memcpy(u->dims + x->n.parfor.dims, was, x->n.parfor.dim_count * sizeof *was);
    return made ? made : s;
}
static uint32_t scan_unit(struct pass_cx *p) {
    struct scanner x = {.p = p, .u = p->u};
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter scanning = {.u = p->u, .sc = &x.sc, .user = &x, .replace = scan_statement};
    p->u->root = pass_rewrite_block(&scanning, p->u->root);
    if (x.count) pass_fold(p);
    return x.count;
}

// ---- what is handed on in memory ------------------------------------------------------------------------------------

enum held {
    HELD_ELEMENTS = 1, // that the pass before stored (carry.c), and small arrays, in variables
    HELD_OWN = 2,      // ... also of arrays that an iteration alone has (promote.c),
    HELD_COLUMNS = 4,  // ... of each column of an array, which a short loop inside goes through
};

struct holder {
    struct pass_cx *p;
    uint32_t held; // of enum held
    bool any;      // a loop that is long enough, of few iterations
    bool *arrays;  // small ones of iterations, by array, that such loops store to
};
// Arrays whose elements the loop both reads and writes.
static void add_updated(struct ir_unit *u, ir_stmt loop, bool *arrays) {
    struct ir_effects fx = ir_effects_of(u, u->stmts[loop].counted.body);
    for (ir_array a = 1; a < u->array_count; a++)
        arrays[a] |= ir_bit(fx.arrays_written, a) && ir_bit(fx.arrays_read, a);
}

static void find_held(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct holder *k = user;
    struct ir_unit *u = k->p->u;
    uint64_t iterations, trips;
    bool is_long = false, *columns = base_alloc_array(u->cx, u->array_count, sizeof *columns);
    if (!pass_iterations(sc, parfor, &iterations) || iterations * PASS_SCAN_FEW > k->p->target->busy_invocations)
        return;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    for (ir_stmt s = u->stmts[parfor].parfor.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (n->kind == IR_FOR && !pass_nest_trips(u, s, &trips)) {
            uint32_t indexed = pass_most_from_0(u, n->counted.body, n->counted.var);
            trips = pass_most_trips(sc, n->counted.lo, n->counted.hi, n->counted.step);
            if (indexed && indexed < trips) trips = indexed;
        }
        if (n->kind != IR_FOR || trips == UINT64_MAX || trips < PASS_SCAN_LEAST_PASSES) continue;
        is_long = true;
        if (k->held & HELD_COLUMNS) add_updated(u, s, columns);
    }
    pass_scope_leave(sc, mark);
    const bool *small = is_long ? pass_accumulators_of(u, parfor) : NULL;
    k->any |= is_long;
    if (small) pass_unroll_choosing(k->p, parfor, small, false);
    if (k->held & HELD_COLUMNS) pass_unroll_choosing(k->p, parfor, columns, true);
    for (ir_array a = 1; small && a < u->array_count; a++)
        k->arrays[a] |= small[a];
}

// It is done to a copy, which is kept where a loop was found.
static void scan_copy(struct pass_cx *p, uint32_t held) {
    struct base_cx *cx = p->u->cx;
    struct base_scratch scratch = base_scratch_begin(cx);
    struct pass_cx copy = *p;
    struct base_text said;
    base_text_init(&said, p->u->cx);
    base_text_put(&said, "");
    copy.u = ir_unit_clone(p->u);
    copy.explain = &said;
    pass_flags_as_numbers(copy.u);
    if (held) {
        struct pass_scope sc;
        struct holder k = {
            .p = &copy, .held = held, .arrays = base_alloc_array(p->u->cx, p->u->array_count, sizeof *k.arrays)};
        pass_scope_init(&sc, copy.u);
        pass_each_parfor(&sc, find_held, &k);
        if (!k.any) {
            base_scratch_end(cx, &scratch);
            return;
        }
        if (held & HELD_OWN) pass_settle(&copy);
        pass_carry_all(&copy);
        pass_scalarise_only(&copy, k.arrays);
    }
    if (!scan_unit(&copy)) {
        base_scratch_end(cx, &scratch);
        return;
    }
    base_text_put(p->explain, said.data);
    p->u = copy.u;
}

void pass_scan(struct pass_cx *p) {
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    scan_copy(p, 0);
    scan_copy(p, HELD_ELEMENTS);
    scan_copy(p, HELD_ELEMENTS | HELD_OWN);
    scan_copy(p, HELD_ELEMENTS | HELD_OWN | HELD_COLUMNS);
}
