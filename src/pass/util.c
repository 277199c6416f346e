#include "pass/passes.h"

#include <string.h>

#include "ir/eval.h"

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
        uint64_t trips = pass_most_trips(sc, d->lo, d->hi, d->step);
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

// ---- exposed reads --------------------------------------------------------------------------------------------------

struct exposure {
    const struct ir_unit *u;
    uint32_t *exposed, *assigned;
    uint32_t words;
};

static bool expose_node(void *user, ir_expr e) {
    struct exposure *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR && !ir_bit(x->assigned, n->a)) x->exposed[n->a / 32] |= 1u << n->a % 32;
    return true;
}

static void expose_expr(struct exposure *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, expose_node, x);
}

static void expose_block(struct exposure *x, ir_stmt block);

// Runs a nested block whose assignments may not happen.
static void expose_maybe(struct exposure *x, ir_stmt block) {
    if (!block) return;
    uint32_t *saved = base_alloc_array(x->u->cx, x->words, sizeof *saved);
    memcpy(saved, x->assigned, x->words * sizeof *saved);
    expose_block(x, block);
    memcpy(x->assigned, saved, x->words * sizeof *saved);
}

static void mark_assigned(struct exposure *x, ir_var v) { x->assigned[v / 32] |= 1u << v % 32; }

static void expose_if(struct exposure *x, const struct ir_stmt_node *n) {
    expose_expr(x, n->branch.cond);
    if (!n->branch.then_block || !n->branch.else_block) {
        expose_maybe(x, n->branch.then_block);
        expose_maybe(x, n->branch.else_block);
        return;
    }
    // Assigned on both ways is assigned.
    uint32_t bytes = x->words * (uint32_t)sizeof(uint32_t);
    uint32_t *before = base_alloc_array(x->u->cx, x->words, sizeof *before);
    uint32_t *after_then = base_alloc_array(x->u->cx, x->words, sizeof *after_then);
    memcpy(before, x->assigned, bytes);
    expose_block(x, n->branch.then_block);
    memcpy(after_then, x->assigned, bytes);
    memcpy(x->assigned, before, bytes);
    expose_block(x, n->branch.else_block);
    for (uint32_t w = 0; w < x->words; w++)
        x->assigned[w] &= after_then[w];
}

static void expose_parfor(struct exposure *x, const struct ir_stmt_node *n) {
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        expose_expr(x, x->u->dims[n->parfor.dims + k].lo);
        expose_expr(x, x->u->dims[n->parfor.dims + k].hi);
        mark_assigned(x, x->u->dims[n->parfor.dims + k].var);
    }
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++) {
        ir_var v = x->u->reductions[n->parfor.reductions + k].var;
        if (!ir_bit(x->assigned, v)) x->exposed[v / 32] |= 1u << v % 32;
    }
    expose_maybe(x, n->parfor.body);
}

static void expose_block(struct exposure *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        switch (n->kind) {
        case IR_ASSIGN:
            expose_expr(x, n->assign.value);
            mark_assigned(x, n->assign.var);
            break;
        case IR_STORE:
        case IR_ATOMIC: {
            struct ir_write w = ir_write_of(n);
            for (uint32_t i = 0; i < w.index_count; i++)
                expose_expr(x, x->u->args[w.indices + i]);
            if (w.expected) expose_expr(x, w.expected);
            expose_expr(x, w.value);
            if (ir_written_var(n)) mark_assigned(x, ir_written_var(n));
            break;
        }
        case IR_IF: expose_if(x, n); break;
        case IR_FOR: {
            expose_expr(x, n->counted.lo);
            expose_expr(x, n->counted.hi);
            mark_assigned(x, n->counted.var);
            uint64_t trips;
            if (ir_const_trips(x->u, s, &trips) && trips > 0 && !pass_leaves_loop(x->u, n->counted.body))
                expose_block(x, n->counted.body);
            else
                expose_maybe(x, n->counted.body);
            break;
        }
        case IR_LOOP:
            expose_expr(x, n->loop.cond);
            expose_maybe(x, n->loop.body);
            expose_maybe(x, n->loop.continuing);
            break;
        case IR_PARFOR: expose_parfor(x, n); break;
        case IR_NEIGHBOUR:
            expose_expr(x, n->neighbour.value);
            mark_assigned(x, n->neighbour.var);
            break;
        case IR_AGREE:
        case IR_COMBINE: {
            ir_var v = ir_written_var(n);
            if (n->kind == IR_COMBINE) {
                expose_expr(x, n->combine.from);
                expose_expr(x, n->combine.value);
            }
            if (!ir_bit(x->assigned, v)) x->exposed[v / 32] |= 1u << v % 32;
            break;
        }
        case IR_BREAK:
        case IR_CONTINUE: return; // nothing behind it in this block runs
        default: break;
        }
    }
}

uint32_t *pass_exposed(const struct ir_unit *u, ir_stmt block) {
    struct exposure x = {.u = u, .words = u->var_count / 32 + 1};
    x.exposed = base_alloc_array(u->cx, x.words, sizeof *x.exposed);
    struct base_scratch scratch = base_scratch_begin(u->cx); // a set of all variables for each block inside
    x.assigned = base_alloc_array(u->cx, x.words, sizeof *x.assigned);
    expose_block(&x, block);
    base_scratch_end(u->cx, &scratch);
    return x.exposed;
}

bool pass_hands_on(const struct ir_unit *u, ir_stmt body) {
    struct ir_effects fx = ir_effects_of(u, body);
    return ir_sets_meet(pass_exposed(u, body), fx.vars_written, fx.var_words);
}

bool pass_arrays_apart(const struct ir_effects *a, const struct ir_effects *b) {
    return !ir_sets_meet(a->arrays_written, b->arrays_written, a->array_words) &&
           !ir_sets_meet(a->arrays_written, b->arrays_read, a->array_words) &&
           !ir_sets_meet(a->arrays_read, b->arrays_written, a->array_words);
}
bool pass_effects_apart(const struct ir_effects *a, const struct ir_effects *b) {
    return pass_arrays_apart(a, b) && !ir_sets_meet(a->vars_written, b->vars_written, a->var_words) &&
           !ir_reads_written(a, b) && !ir_reads_written(b, a);
}

bool pass_independent(struct ir_unit *u, ir_stmt first, ir_stmt second) {
    struct base_scratch scratch = base_scratch_begin(u->cx);
    struct ir_effects a = ir_effects_of_one(u, first), b = ir_effects_of_one(u, second);
    bool apart = pass_effects_apart(&a, &b);
    base_scratch_end(u->cx, &scratch);
    return apart;
}

// ---- clone, substitute, compare -------------------------------------------------------------------------------------

struct exchange {
    const struct ir_unit *u;
    ir_expr from, to;
};
static ir_expr exchange_node(void *user, ir_expr e) {
    const struct exchange *k = user;
    return ir_same_expr(k->u, e, k->from) ? k->to : e;
}
ir_expr pass_exchanged(struct ir_unit *u, ir_expr e, ir_expr from, ir_expr to) {
    struct exchange k = {u, from, to};
    return ir_map_expr(u, e, exchange_node, &k);
}

struct pass_privates pass_privates_of(struct ir_unit *u, ir_stmt block, const uint32_t *total_reads,
                                      uint32_t total_count) {
    uint32_t count = u->var_count;
    struct ir_effects fx = ir_effects_of(u, block);
    uint32_t *exposed = pass_exposed(u, block);
    uint32_t *inside = base_alloc_array(u->cx, count, sizeof *inside);
    pass_count_reads(u, block, inside);
    struct pass_privates p = {.map = base_alloc_array(u->cx, count, sizeof *p.map)};
    p.vars = inside; // entries up to v are not needed any more when v is put in
    for (ir_var v = 1; v < count; v++) {
        if (!ir_bit(fx.vars_written, v) || ir_bit(exposed, v) || u->vars[v].klass != IR_VAR_LOCAL) continue;
        if (v < total_count && total_reads[v] != inside[v]) continue; // somebody else reads it
        p.vars[p.count++] = v;
    }
    return p;
}

ir_stmt pass_clone_private(struct ir_unit *u, ir_stmt block, const struct pass_privates *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct ir_var_info v = u->vars[p->vars[i]];
        p->map[p->vars[i]] = ir_add_var(u, v.name, (enum ir_type)v.type, IR_VAR_LOCAL, v.loc);
    }
    return ir_clone_block(u, block, p->map, NULL);
}

ir_stmt pass_clone_one(struct ir_unit *u, ir_stmt s) {
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_stmt copy = ir_clone_block(u, s, NULL, NULL);
    u->stmts[s].next = next;
    return copy;
}

ir_stmt pass_clone_until(struct ir_unit *u, ir_stmt first, ir_stmt end) {
    ir_stmt out = 0;
    for (ir_stmt s = first; s != end; s = u->stmts[s].next)
        ir_append(u, &out, pass_clone_one(u, s));
    return out;
}

ir_stmt pass_clone_inside(struct ir_unit *u, ir_stmt block) {
    struct ir_effects fx = ir_effects_of(u, block);
    uint32_t count = u->var_count;
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    for (ir_var v = 1; v < count; v++)
        if (ir_bit(fx.vars_written, v) && u->vars[v].klass == IR_VAR_ENTRY)
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    return ir_clone_block(u, block, map, NULL);
}

// A loop around parallel loops has a counter that is its own: the host keeps one for each such loop of the program.
static void own_counters(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = n.kind == IR_PARFOR ? 0 : ir_blocks_of(&n, inner);
        for (uint32_t k = 0; k < blocks; k++)
            own_counters(u, inner[k]);
        if (n.kind != IR_FOR || u->vars[n.counted.var].klass != IR_VAR_ENTRY) continue;
        const struct ir_var_info info = u->vars[n.counted.var];
        ir_var own = ir_add_var(u, info.name, (enum ir_type)info.type, IR_VAR_ENTRY, info.loc);
        pass_substitute(u, n.counted.body, n.counted.var, ir_var_read(u, own, n.loc));
        u->stmts[s].counted.var = own;
    }
}

ir_stmt pass_copy_phases(struct ir_unit *u, ir_stmt block) {
    uint32_t count = u->var_count;
    struct ir_effects fx = ir_effects_of(u, block);
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    ir_array *arrays = base_alloc_array(u->cx, u->array_count, sizeof *arrays);
    for (ir_var v = 1; v < count; v++)
        if (ir_bit(fx.vars_written, v) && (u->vars[v].klass == IR_VAR_LOCAL || u->vars[v].klass == IR_VAR_DIM))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, (enum ir_var_class)u->vars[v].klass,
                                u->vars[v].loc);
    for (ir_array a = 1, n = u->array_count; a < n; a++)
        if (ir_bit(fx.arrays_written, a) && u->arrays[a].klass == IR_ARRAY_LOCAL) {
            const struct ir_array_info info = u->arrays[a];
            arrays[a] = ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_LOCAL, info.ndims, info.dims,
                                     info.loc);
            u->arrays[arrays[a]].pass = info.pass && map[info.pass] ? map[info.pass] : info.pass;
        }
    ir_stmt copy = ir_clone_block(u, block, map, arrays);
    own_counters(u, copy);
    return copy;
}

bool pass_is_var(const struct ir_unit *u, ir_expr e, ir_var v) {
    return u->nodes[e].op == IR_VAR && u->nodes[e].a == v;
}

ir_expr pass_set_to(const struct ir_unit *u, ir_stmt block, ir_var v) {
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_ASSIGN && u->stmts[s].assign.var == v) return u->stmts[s].assign.value;
    return 0;
}

struct substitution {
    struct ir_unit *u;
    ir_var var;
    ir_expr value;
};

static ir_expr substitute_node(void *user, ir_expr e) {
    struct substitution *s = user;
    const struct ir_node *n = &s->u->nodes[e];
    return n->op == IR_VAR && n->a == s->var ? s->value : e;
}

void pass_substitute(struct ir_unit *u, ir_stmt block, ir_var var, ir_expr value) {
    struct substitution s = {u, var, value};
    ir_map_block(u, block, substitute_node, &s);
}

struct pass_cx pass_copy(const struct pass_cx *p) {
    struct pass_cx copy = *p;
    copy.u = ir_unit_clone(p->u);
    copy.explain = base_alloc(p->u->cx, sizeof *copy.explain);
    base_text_init(copy.explain, p->u->cx);
    return copy;
}

bool pass_evaluate(const struct ir_unit *u, ir_expr e, bool (*value)(void *user, ir_var v, uint32_t *out), void *user,
                   uint32_t *out) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t operands[] = {n->a, n->b, n->c}, x[3] = {0};
    if (n->op == IR_VAR) return value(user, n->a, out);
    if (n->op == IR_LOAD) return false;
    if (n->op == IR_CONST) {
        *out = n->a;
        return true;
    }
    for (uint32_t k = 0; k < ir_ops[n->op].arity; k++)
        if (!pass_evaluate(u, operands[k], value, user, &x[k])) return false;
    return ir_eval_op((enum ir_op)n->op, (enum ir_type)u->nodes[n->a].type, x[0], x[1], x[2], out);
}

static bool value_of_var(void *user, ir_var v, uint32_t *out) {
    const uint32_t *var_and_value = user;
    *out = var_and_value[1];
    return v == var_and_value[0];
}
bool pass_evaluate_at(const struct ir_unit *u, ir_expr e, ir_var v, uint32_t value, uint32_t *out) {
    return pass_evaluate(u, e, value_of_var, (uint32_t[]){v, value}, out);
}

struct load_renaming {
    struct ir_unit *u;
    ir_array from, to;
};

static ir_expr rename_load(void *user, ir_expr e) {
    struct load_renaming *r = user;
    const struct ir_node n = r->u->nodes[e];
    if (n.op != IR_LOAD || n.a != r->from) return e;
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n.n; i++)
        indices[i] = r->u->args[n.b + i];
    return ir_load(r->u, r->to, indices, n.n, n.loc);
}

void pass_rename_loads(struct ir_unit *u, ir_stmt block, ir_array from, ir_array to) {
    struct load_renaming r = {u, from, to};
    ir_map_block(u, block, rename_load, &r);
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
