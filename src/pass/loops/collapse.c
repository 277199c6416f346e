// parallel for (i) { for (j) B }  ->  parallel for (i, j) B, where no pass of the inner loop needs what another one
// does: what `collapse(2)` would say, found where nobody said it. With few iterations most of a GPU would be idle, and
// its neighbouring lanes would read a row apart; now they are neighbours along the row.
//
// Loops of different lengths become as long as the longest of them; what is too much is left out. Where they all lie
// within that length, as in a triangle, the counter itself is the dimension: columns stay columns. Else, as of rows
// that stand one behind the other in a list, passes are numbered from each loop's own beginning.
//
// The law: between two passes of the same iteration no element is touched that one of them writes, and no variable goes
// from pass to pass but those that the parallel loop reduces anyway (analysis/apart.c, analysis/simd.c). Between
// iterations OpenMP promises it.
#include "pass/cost.h"
#include "pass/passes.h"

struct nest {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt parfor, loop; // the FOR that ends the body
    uint32_t copied;
    uint32_t merged;     // loops so far
    bool many;           // iterations there may be, however many
    bool uniform, loads; // of the loop's bounds
    ir_expr longest;     // where they are not uniform: passes of the longest loop,
    ir_expr from, to;    // ... or values of the counter that are those of all loops, and no more than these passes
};

// ---- bounds ---------------------------------------------------------------------------------------------------------

// The same for all iterations, so that it is known before the parallel loop.
static bool is_uniform_var(const struct nest *x, ir_var var) {
    const struct ir_var_info *v = &x->u->vars[var];
    struct ir_effects body = ir_effects_of(x->u, x->u->stmts[x->parfor].parfor.body);
    return v->klass == IR_VAR_PARAM || (v->klass == IR_VAR_ENTRY && !ir_bit(body.vars_written, var));
}
static bool on_bound(void *user, ir_expr e) {
    struct nest *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->loads |= n->op == IR_LOAD;
    x->uniform &= n->op != IR_LOAD && (n->op != IR_VAR || is_uniform_var(x, n->a));
    return true;
}

// A bound that holds for all iterations: `e` where it is smallest, or largest; 0: nobody knows. Of what iterations
// tell apart only the ends of their range are used.
static ir_expr extreme(struct nest *x, ir_expr e, bool smallest) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node parfor = u->stmts[x->parfor];
    struct pass_affine f = pass_affine_of(x->sc, e);
    struct pass_range range = pass_range_of(x->sc, e);
    bool of_time = false; // a variable that is uniform, but not constant, is in it
    ir_expr sum = ir_const_i32(u, (int32_t)f.constant);
    for (uint32_t i = 0; i < f.n && f.ok; i++) {
        ir_expr at = 0;
        for (uint32_t d = 0; d < parfor.parfor.dim_count; d++) {
            const struct ir_dim dim = u->dims[parfor.parfor.dims + d];
            if (dim.var != f.vars[i] || dim.step < 0) continue;
            at = (f.coefs[i] > 0) == smallest ? dim.lo : ir_op2(u, IR_SUB, dim.hi, ir_const_i32(u, 1), 0);
        }
        if (!at && is_uniform_var(x, f.vars[i])) at = ir_var_read(u, f.vars[i], 0), of_time = true;
        if (!at || u->nodes[at].type != IR_I32) f.ok = false;
        if (!f.ok) break;
        at = f.coefs[i] == 1 ? at : ir_op2(u, IR_MUL, at, ir_const_i32(u, (int32_t)f.coefs[i]), 0);
        sum = ir_op2(u, IR_ADD, sum, at, 0);
    }
    if (f.ok && of_time && u->nodes[e].type == IR_I32) return sum;
    return range.known ? ir_const_i32(u, (int32_t)(smallest ? range.lo : range.hi)) : 0;
}

// Of a loop whose bounds differ from iteration to iteration: finds how many passes the longest one makes, which is
// known before the parallel loop, or values that the counter has in all of them, a few more so that four divide them.
static bool find_longest(struct nest *x, uint64_t passes) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = u->stmts[x->loop];
    struct pass_range lo = pass_range_of(x->sc, loop.counted.lo);
    int64_t step = loop.counted.step;
    if (passes > INT32_MAX || !lo.known || u->vars[loop.counted.var].type != IR_I32) return false;
    int64_t last = step > 0 ? lo.hi + (int64_t)passes * step : lo.lo + (int64_t)passes * step;
    if (last > INT32_MAX || last < INT32_MIN) return false; // the counter of a pass that is left out would wrap
    x->longest = ir_const_i32(u, (int32_t)passes);
    if (step != 1) return true;
    ir_expr from = extreme(x, loop.counted.lo, true), to = extreme(x, loop.counted.hi, false);
    uint32_t first, end;
    if (!from || !to) return false;
    bool constant = ir_is_const(u, from, &first) && ir_is_const(u, to, &end) && end <= INT32_MAX - PASS_JAM_SIDE;
    if (constant && (int64_t)(int32_t)end - (int32_t)first > (int64_t)passes) return true;
    x->from = from;
    x->to = constant
                ? ir_const_i32(u, (int32_t)(first + (end - first + PASS_JAM_SIDE - 1) / PASS_JAM_SIDE * PASS_JAM_SIDE))
                : to;
    return true;
}

struct loads {
    const struct nest *x;
    ir_var counter;
    struct ir_effects body;
    bool moves, alike; // an index is of the pass; a load is not
};
static bool on_index(void *user, ir_expr e) {
    struct loads *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    q->moves |= n->op == IR_VAR && (n->a == q->counter || ir_bit(q->body.vars_written, n->a));
    return !q->moves;
}
static bool on_inner_load(void *user, ir_expr e) {
    struct loads *q = user;
    const struct ir_unit *u = q->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || !ir_in_buffer(u, n->a)) return true;
    q->moves = false;
    for (uint32_t d = 0; d < n->n; d++)
        ir_walk_expr(u, u->args[n->b + d], on_index, q);
    q->alike |= !q->moves;
    return !q->alike;
}
static bool on_inner_counter(void *user, ir_stmt s) {
    struct loads *q = user;
    const struct ir_stmt_node *n = &q->x->u->stmts[s];
    if (n->kind == IR_FOR) q->body.vars_written[n->counted.var / 32] &= ~(1u << n->counted.var % 32);
    return true;
}

// What loops in the passes load is another element in each pass: none that passes side by side would load once.
static bool loads_its_own(const struct nest *x) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    struct loads q = {.x = x, .counter = loop->counted.var, .body = ir_effects_of(x->u, loop->counted.body)};
    ir_walk_stmts(x->u, loop->counted.body, on_inner_counter, &q);
    ir_walk_nodes(x->u, loop->counted.body, on_inner_load, &q);
    return !q.alike;
}

// Few iterations, if that matters, and all passes together no more than a dispatch can number. Few passes are enough
// where loops stand in them, and lanes of a subgroup would not keep the device busy with so few iterations, either.
static bool pays(const struct nest *x, uint64_t iterations, uint64_t passes) {
    uint64_t inside = pass_passes_of(x->u, x->u->stmts[x->loop].counted.body);
    bool idle = iterations * PASS_LANES_ROW < x->p->target->busy_invocations;
    bool many =
        passes >= PASS_COLLAPSE_LEAST_PASSES || (idle && inside >= PASS_COLLAPSE_LEAST_PASSES && loads_its_own(x));
    return iterations < INT32_MAX && (x->many || iterations < x->p->target->busy_invocations) && passes > 1 && many &&
           passes <= INT32_MAX / (iterations ? iterations : 1);
}

// Finds whether the bounds of the loop are known before the parallel loop, or at least how many passes there are; in
// the scope of the loop.
static bool bounds_fit(struct nest *x, uint64_t iterations) {
    const struct ir_stmt_node loop = x->u->stmts[x->loop];
    uint64_t passes = pass_most_trips(x->sc, loop.counted.lo, loop.counted.hi, loop.counted.step);
    x->uniform = true;
    x->loads = false;
    ir_walk_expr(x->u, loop.counted.lo, on_bound, x);
    ir_walk_expr(x->u, loop.counted.hi, on_bound, x);
    if (x->loads || !pays(x, iterations, passes)) return false;
    x->from = x->to = 0;
    return x->uniform || find_longest(x, passes);
}

// ---- what goes from pass to pass ------------------------------------------------------------------------------------

static bool variables_fit(struct nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->parfor];
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count, *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads),
                    *own = base_alloc_array(u->cx, u->var_count, sizeof *own);
    ir_stmt body = u->stmts[x->loop].counted.body;
    pass_count_reads(u, n.parfor.body, reads);
    pass_count_reads(u, body, own);
    if (!pass_simd_reductions(u, body, reads, list, &count)) return false;
    for (uint32_t k = 0; k < count; k++) {
        bool reduced = false;
        for (uint32_t i = 0; i < n.parfor.reduction_count; i++) {
            const struct ir_reduction *r = &u->reductions[n.parfor.reductions + i];
            reduced |= r->var == list[k].var && r->op == list[k].op;
        }
        if (!reduced || reads[list[k].var] != own[list[k].var]) return false;
    }
    return true;
}

// ---- the nest -------------------------------------------------------------------------------------------------------

static bool on_copied(void *user, ir_expr e) {
    (void)e;
    ((struct nest *)user)->copied++;
    return true;
}

// Finds x->loop: the last statement of the body, with nothing before it but what each pass may as well do itself.
static bool find_loop(struct nest *x) {
    struct ir_unit *u = x->u;
    x->copied = 0;
    for (ir_stmt s = u->stmts[x->parfor].parfor.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_FOR && !n->next) {
            x->loop = s;
            return !(n->flags & IR_FLAG_SIMD) && x->copied <= PASS_COLLAPSE_MOST_COPIED &&
                   !pass_leaves_loop(u, n->counted.body);
        }
        if (n->kind != IR_ASSIGN || n->flags & IR_FLAG_ATOMIC || u->vars[n->assign.var].klass != IR_VAR_LOCAL)
            return false;
        ir_walk_expr(u, n->assign.value, on_copied, x);
    }
    return false;
}

// The loop's dimension. Where its bounds are not uniform, passes that an iteration does not make are left out:
// { if (lo <= counter && counter < hi) body }, or { counter = lo + number * step; if (counter < hi) body }.
static struct ir_dim dimension(struct nest *x, ir_stmt *body) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = u->stmts[x->loop];
    ir_var counter = loop.counted.var;
    ir_expr at = ir_var_read(u, counter, loop.loc);
    *body = loop.counted.body;
    if (x->uniform) {
        u->vars[counter].klass = IR_VAR_DIM;
        return (struct ir_dim){counter, loop.counted.lo, loop.counted.hi, loop.counted.step};
    }
    ir_expr made = ir_op2(u, loop.counted.step > 0 ? IR_LT : IR_GT, at, loop.counted.hi, loop.loc);
    if (x->from) {
        u->vars[counter].klass = IR_VAR_DIM;
        ir_expr begun = ir_op2(u, IR_LE, loop.counted.lo, at, loop.loc);
        if (ir_same_expr(u, loop.counted.hi, x->to))
            made = begun;
        else if (!ir_same_expr(u, loop.counted.lo, x->from))
            made = ir_op2(u, IR_LAND, begun, made, loop.loc);
        *body = ir_if(u, made, loop.counted.body, 0, loop.loc);
        return (struct ir_dim){counter, x->from, x->to, 1};
    }
    ir_var number = ir_add_var(u, u->vars[counter].name, IR_I32, IR_VAR_DIM, loop.loc);
    ir_expr way = ir_var_read(u, number, loop.loc);
    if (loop.counted.step != 1) way = ir_op2(u, IR_MUL, way, ir_const_i32(u, loop.counted.step), loop.loc);
    ir_stmt out = 0;
    ir_append(u, &out, ir_assign(u, counter, ir_op2(u, IR_ADD, loop.counted.lo, way, loop.loc), loop.loc));
    ir_append(u, &out, ir_if(u, made, loop.counted.body, 0, loop.loc));
    *body = out;
    return (struct ir_dim){number, ir_const_i32(u, 0), x->longest, 1};
}

static bool is_one_pass(const struct ir_unit *u, const struct ir_dim *dim) {
    uint32_t lo, hi;
    return dim->step == 1 && ir_is_const(u, dim->lo, &lo) && ir_is_const(u, dim->hi, &hi) && lo + 1 == hi;
}

static void merge(struct nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = u->stmts[x->loop], parfor = u->stmts[x->parfor];
    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t count = 0;
    ir_stmt body;
    for (uint32_t k = 0; k < parfor.parfor.dim_count; k++) {
        const struct ir_dim dim = u->dims[parfor.parfor.dims + k];
        // (one pass is no dimension: so the loop has the same iterations as others of its length)
        if (is_one_pass(u, &dim))
            pass_substitute(u, parfor.parfor.body, dim.var, dim.lo);
        else
            dims[count++] = dim;
    }
    dims[count] = dimension(x, &body);
    uint32_t all = ir_add_dims(u, dims, count + 1);
    struct ir_stmt_node *n = &u->stmts[x->parfor];
    n->parfor.dims = all;
    n->parfor.dim_count = count + 1;
    if (n->parfor.body == x->loop) {
        n->parfor.body = body;
    } else {
        ir_stmt before = n->parfor.body;
        while (u->stmts[before].next != x->loop)
            before = u->stmts[before].next;
        u->stmts[before].next = body;
    }
    if (!ir_is_long(u, n->parfor.body)) n->flags &= (uint16_t)~IR_FLAG_LONG;
    base_text_format(x->p->explain, "collapse: the loop at line %u is a dimension of the parallel loop at line %u%s\n",
                     u->cx->locs[loop.loc].line, u->cx->locs[n->loc].line,
                     x->uniform ? "" : ", as long as the longest of its loops");
}

// What each pass will do itself, in the scope up to the loop.
static void collect_front(struct nest *x, struct pass_accesses *out) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = u->stmts[x->parfor].parfor.body; s != x->loop; s = u->stmts[s].next) {
        ir_stmt next = u->stmts[s].next;
        u->stmts[s].next = 0;
        pass_collect(x->sc, s, out);
        u->stmts[s].next = next;
        pass_scope_assign(x->sc, s);
    }
}

static bool fits_once(struct nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->parfor];
    if (n->flags & IR_FLAG_LANES || n->parfor.dim_count == IR_MAX_DIMS || !find_loop(x)) return false;
    struct pass_accesses in_front = {0};
    uint64_t iterations = pass_most_iterations(x->sc, x->parfor);
    uint32_t mark = pass_scope_enter(x->sc);
    bool fits = variables_fit(x) && !pass_writes_local(u, x->loop);
    if (fits) {
        pass_scope_parfor(x->sc, x->parfor);
        collect_front(x, &in_front);
        fits = bounds_fit(x, iterations) && pass_runs_are_apart(x->sc, x->loop, &in_front, NULL);
    }
    pass_scope_leave(x->sc, mark);
    return fits;
}

static void collapse_all(struct nest *x) {
    for (; fits_once(x); x->merged++)
        merge(x);
}

// ---- loops over elements --------------------------------------------------------------------------------------------

static void collapse_elements(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct nest *x = user;
    const struct ir_unit *u = x->u;
    ir_stmt last = u->stmts[parfor].parfor.body;
    while (last && u->stmts[last].kind == IR_FOR && !u->stmts[last].next)
        last = u->stmts[last].counted.body;
    if (!last || last == u->stmts[parfor].parfor.body || pass_has_loop(u, last)) return;
    x->sc = sc;
    x->parfor = parfor;
    collapse_all(x);
}

bool pass_collapse_elements(struct pass_cx *p) {
    struct nest x = {.p = p, .u = p->u, .many = true};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, collapse_elements, &x);
    return x.merged != 0;
}

// ---- products of matrices -------------------------------------------------------------------------------------------

struct product {
    struct nest *x;
    ir_stmt parfor;
    bool found;
};
static void on_product(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct product *q = user;
    if (parfor != q->parfor) return;
    q->x->sc = sc;
    q->x->parfor = parfor;
    collapse_all(q->x);
}
static void on_jam(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct product *q = user;
    if (parfor == q->parfor) q->found = pass_jams(q->x->p, sc, parfor, 1) > 1;
}

bool pass_makes_product(struct pass_cx *p, ir_stmt parfor) {
    struct nest x = {.p = p, .u = p->u, .many = true};
    struct product q = {&x, parfor, false};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, on_product, &q);
    pass_settle(p);
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, on_jam, &q);
    return q.found;
}

// Many iterations, each of a row of such a product. On a copy of the program.
static bool is_product_of_rows(struct nest *x) {
    struct ir_unit *u = x->u;
    x->many = true;
    bool nested = fits_once(x) && pass_has_loop(u, u->stmts[x->loop].counted.body);
    if (nested) {
        struct base_scratch scratch = base_scratch_begin(u->cx);
        struct pass_cx copy = pass_copy(x->p);
        nested = pass_jams(x->p, x->sc, x->parfor, 1) == 1 && pass_makes_product(&copy, x->parfor);
        base_scratch_end(u->cx, &scratch);
    }
    x->many = nested;
    return nested;
}

static void collapse_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct nest *x = user;
    x->sc = sc;
    x->parfor = parfor;
    x->many = false;
    collapse_all(x);
    if (is_product_of_rows(x)) collapse_all(x);
}

bool pass_collapses(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor) {
    struct nest x = {.p = p, .u = p->u, .sc = sc, .parfor = parfor};
    return fits_once(&x);
}

void pass_collapse(struct pass_cx *p) {
    struct nest x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, collapse_parfor, &x);
}
