// What passes ask of statements and expressions: how many, how often, of which kind.
#include "pass/passes.h"

bool pass_iterations(const struct pass_scope *sc, ir_stmt parfor, uint64_t *out) {
    const struct ir_stmt_node *n = &sc->u->stmts[parfor];
    *out = 1;
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        const struct ir_dim *d = &sc->u->dims[n->parfor.dims + k];
        uint64_t trips;
        if (!pass_trip_count(sc, d->lo, d->hi, d->step, &trips)) return false;
        *out = trips && *out >= UINT32_MAX / trips ? UINT32_MAX : *out * trips;
    }
    return true;
}

uint64_t pass_most_iterations(const struct pass_scope *sc, ir_stmt parfor) {
    const struct ir_stmt_node *n = &sc->u->stmts[parfor];
    uint64_t most = 1;
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        const struct ir_dim *d = &sc->u->dims[n->parfor.dims + k];
        uint64_t trips = pass_most_trips(sc, d->lo, d->hi, d->step), walked = pass_most_of_dim(sc->u, parfor, k);
        if (walked && walked < trips) trips = walked;
        most = trips && most > INT32_MAX / trips ? INT32_MAX : most * trips;
    }
    return most;
}

uint32_t pass_passes_in_flight(const struct pass_cx *p, uint64_t invocations, uint32_t usual, uint32_t most) {
    uint64_t busy = p->target->busy_invocations, passes = usual;
    while (passes < most && passes * (invocations ? invocations : 1) < usual * busy)
        passes *= 2;
    return (uint32_t)passes;
}

uint64_t pass_elements(const struct ir_unit *u, ir_array a, uint32_t from, uint64_t most) {
    uint64_t count = 1;
    for (uint32_t d = from; d < u->arrays[a].ndims; d++) {
        uint32_t size;
        if (!ir_is_const(u, u->arrays[a].dims[d], &size) || (count *= size) > most) return UINT64_MAX;
    }
    return count;
}

bool pass_may_leave(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    return n->kind == IR_BREAK || n->kind == IR_CONTINUE ||
           (n->kind == IR_IF &&
            (pass_leaves_loop(u, n->branch.then_block) || pass_leaves_loop(u, n->branch.else_block)));
}

uint64_t pass_least_passes(uint64_t passes, uint64_t step, uint32_t modulus) {
    uint64_t all = passes;
    while (all * step % modulus)
        all += passes;
    return all;
}

bool pass_fits_step(int32_t step, uint64_t passes) {
    return passes * (uint64_t)(step < 0 ? -(int64_t)step : step) <= INT32_MAX;
}

bool pass_is_open_loop(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    return n->kind == IR_LOOP && n->loop.cond && u->nodes[n->loop.cond].op == IR_VAR && !n->loop.continuing;
}

bool pass_leaves_loop(const struct ir_unit *u, ir_stmt body) {
    for (ir_stmt s = body; s; s = u->stmts[s].next)
        if (pass_may_leave(u, s)) return true;
    return false;
}

struct counters {
    const struct ir_unit *u;
    bool *of; // by variable: the body's loop, or one inside, counts with it
};
static bool on_counter(void *user, ir_stmt s) {
    struct counters *x = user;
    if (x->u->stmts[s].kind == IR_FOR) x->of[x->u->stmts[s].counted.var] = true;
    return true;
}
const bool *pass_own_locals(const struct ir_unit *u, ir_stmt loop) {
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++)
        any |= u->arrays[a].klass == IR_ARRAY_LOCAL && u->arrays[a].pass;
    if (!any) return NULL;
    struct counters x = {u, base_alloc_array(u->cx, u->var_count, sizeof *x.of)};
    bool *own = base_alloc_array(u->cx, u->array_count, sizeof *own);
    x.of[u->stmts[loop].counted.var] = true;
    ir_walk_stmts(u, u->stmts[loop].counted.body, on_counter, &x);
    for (ir_array a = 1; a < u->array_count; a++)
        own[a] = u->arrays[a].klass == IR_ARRAY_LOCAL && u->arrays[a].pass && x.of[u->arrays[a].pass];
    return own;
}
bool pass_writes_local(const struct ir_unit *u, ir_stmt loop) {
    struct ir_effects fx = ir_effects_of(u, u->stmts[loop].counted.body);
    const bool *own = NULL;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (u->arrays[a].klass != IR_ARRAY_LOCAL || !ir_bit(fx.arrays_written, a)) continue;
        if (!own) own = pass_own_locals(u, loop);
        if (!own || !own[a]) return true;
    }
    return false;
}

bool pass_is_plain(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    switch (n->kind) {
    case IR_STORE: return n->store.array != u->log && !(n->flags & IR_FLAG_ATOMIC);
    case IR_ASSIGN: return !(n->flags & IR_FLAG_ATOMIC);
    case IR_IF:
    case IR_FOR:
    case IR_LOOP:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_NOP: return true;
    default: return false;
    }
}

struct updates {
    const struct ir_unit *u;
    bool found;
};
static bool on_update(void *user, ir_stmt s) {
    struct updates *x = user;
    x->found |= x->u->stmts[s].kind == IR_ATOMIC;
    return !x->found;
}
bool pass_has_updates(const struct ir_unit *u, ir_stmt block) {
    struct updates x = {u, false};
    ir_walk_stmts(u, block, on_update, &x);
    return x.found;
}
static bool on_atomic(void *user, ir_stmt s) {
    struct updates *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    bool access = n->kind == IR_STORE || n->kind == IR_ASSIGN;
    x->found |= n->kind == IR_ATOMIC || (access && n->flags & IR_FLAG_ATOMIC);
    return !x->found;
}
bool pass_is_atomic(const struct ir_unit *u, ir_stmt block) {
    struct updates x = {u, false};
    ir_walk_stmts(u, block, on_atomic, &x);
    return x.found;
}

struct loading {
    const struct ir_unit *u;
    bool found;
};
static bool on_load(void *user, ir_expr e) {
    struct loading *x = user;
    x->found |= x->u->nodes[e].op == IR_LOAD;
    return !x->found;
}
bool pass_has_load(const struct ir_unit *u, ir_expr e) {
    struct loading x = {u, false};
    ir_walk_expr(u, e, on_load, &x);
    return x.found;
}

uint32_t pass_count_writes(const struct ir_unit *u, ir_stmt block, ir_var v) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        count += ir_written_var(n) == v;
        if (n->kind == IR_PARFOR)
            for (uint32_t k = 0; k < n->parfor.reduction_count; k++)
                count += u->reductions[n->parfor.reductions + k].var == v;
        ir_stmt inner[2];
        for (uint32_t k = ir_blocks_of(n, inner); k-- > 0;)
            count += pass_count_writes(u, inner[k], v);
    }
    return count;
}

bool pass_has_loop(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_FOR) return true;
    return false;
}

bool pass_has_parallel(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_PARFOR || n->kind == IR_COMBINE) return true;
        if (n->kind == IR_IF &&
            (pass_has_parallel(u, n->branch.then_block) || pass_has_parallel(u, n->branch.else_block)))
            return true;
        if (n->kind == IR_FOR && pass_has_parallel(u, n->counted.body)) return true;
        if (n->kind == IR_LOOP && (pass_has_parallel(u, n->loop.body) || pass_has_parallel(u, n->loop.continuing)))
            return true;
    }
    return false;
}

static bool contains(const struct pass_scope *sc, ir_stmt block, ir_stmt wanted, bool in_loop) {
    const struct ir_unit *u = sc->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (s == wanted && in_loop) return true;
        bool found = false;
        if (n->kind == IR_IF)
            found = contains(sc, n->branch.then_block, wanted, in_loop) ||
                    contains(sc, n->branch.else_block, wanted, in_loop);
        else if (n->kind == IR_FOR)
            found = contains(sc, n->counted.body, wanted,
                             in_loop || pass_most_trips(sc, n->counted.lo, n->counted.hi, n->counted.step) > 1);
        else if (n->kind == IR_LOOP)
            found = contains(sc, n->loop.body, wanted, true) || contains(sc, n->loop.continuing, wanted, true);
        if (found) return true;
    }
    return false;
}

bool pass_in_loop(const struct pass_scope *sc, ir_stmt block, ir_stmt wanted) {
    return contains(sc, block, wanted, false);
}

struct of_run {
    const struct ir_unit *u;
    bool holds;
};
static bool of_run_node(void *user, ir_expr e) {
    struct of_run *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->holds &= n->op != IR_LOAD && (n->op != IR_VAR || x->u->vars[n->a].klass == IR_VAR_PARAM);
    return x->holds;
}

bool pass_is_of_run(const struct ir_unit *u, ir_expr e) {
    struct of_run x = {u, true};
    ir_walk_expr(u, e, of_run_node, &x);
    return x.holds;
}

static bool count_stmt(void *user, ir_stmt s) {
    (void)s;
    ++*(uint32_t *)user;
    return true;
}

struct weighing {
    const struct ir_unit *u;
    struct pass_weight weight;
};
static bool weigh(void *user, ir_expr e) {
    struct weighing *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->weight.loads += n->op == IR_LOAD;
    if (n->op != IR_CONST && n->op != IR_VAR) x->weight.work += ir_is_call(n) ? PASS_RECOMPUTE_COSTLY : 1;
    return ++x->weight.nodes <= PASS_RECOMPUTE_NODES;
}
struct pass_weight pass_weight_of(const struct ir_unit *u, ir_expr e) {
    struct weighing x = {.u = u};
    ir_walk_expr(u, e, weigh, &x);
    return x.weight;
}

uint32_t pass_size(const struct ir_unit *u, ir_stmt block) {
    uint32_t count = 0;
    ir_walk_stmts(u, block, count_stmt, &count);
    return count;
}

struct reads {
    const struct ir_unit *u;
    uint32_t *counts;
};

static bool read_node(void *user, ir_expr e) {
    struct reads *r = user;
    if (r->u->nodes[e].op == IR_VAR) r->counts[r->u->nodes[e].a]++;
    return true;
}

static bool read_stmt(void *user, ir_stmt s) {
    struct reads *r = user;
    const struct ir_stmt_node *n = &r->u->stmts[s];
    if (n->kind == IR_PARFOR) // a reduction reads its variable's old value
        for (uint32_t k = 0; k < n->parfor.reduction_count; k++)
            r->counts[r->u->reductions[n->parfor.reductions + k].var]++;
    if (n->kind == IR_COMBINE || n->kind == IR_AGREE) r->counts[ir_written_var(n)]++;
    return true;
}

void pass_count_expr_reads(const struct ir_unit *u, ir_expr e, uint32_t *counts) {
    struct reads r = {u, counts};
    ir_walk_expr(u, e, read_node, &r);
}

void pass_count_reads(const struct ir_unit *u, ir_stmt block, uint32_t *counts) {
    struct reads r = {u, counts};
    struct ir_visitor v = {.on_stmt = read_stmt, .on_node = read_node, .user = &r};
    ir_walk_block(u, block, &v);
}

static void each_in_block(struct pass_scope *sc, ir_stmt block, void (*fn)(void *, struct pass_scope *, ir_stmt),
                          void *user) {
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s; s = sc->u->stmts[s].next) {
        const struct ir_stmt_node n = sc->u->stmts[s];
        if (n.kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (n.kind == IR_PARFOR) fn(user, sc, s);
        if (n.kind == IR_IF) {
            each_in_block(sc, n.branch.then_block, fn, user);
            each_in_block(sc, n.branch.else_block, fn, user);
        }
        if (n.kind == IR_FOR || n.kind == IR_LOOP) {
            uint32_t inner = pass_scope_enter(sc);
            pass_scope_loop(sc, s);
            each_in_block(sc, ir_body_of(&n), fn, user);
            pass_scope_leave(sc, inner);
        }
    }
    pass_scope_leave(sc, mark);
}

void pass_each_parfor(struct pass_scope *sc, void (*fn)(void *user, struct pass_scope *sc, ir_stmt parfor),
                      void *user) {
    each_in_block(sc, sc->u->root, fn, user);
}
