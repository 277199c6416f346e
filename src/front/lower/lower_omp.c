// OpenMP directives. A worksharing loop at entry level becomes PARFOR; inside of one, a team has one thread and loops
// are ordinary.
//
// The code of a parallel region outside of worksharing loops is the same for all threads, so it is lowered once, at
// entry level. Variables of the region belong to each thread: one that a worksharing loop writes gets a copy for each
// iteration, and reading it after the loop, when threads would hold different values, is refused.
#include "front/lower/lower_omp.h"

static const struct lower_flow on = {.falls = true};

// ---- the iteration space --------------------------------------------------------------------------------------------

// 0: it is no constant.
static int32_t step_of(struct lower *lw, const struct front_omp_loop *loop) {
    int64_t step;
    if (!lower_const_int(lw, lower_int_of(lw, loop->step), &step)) {
        if (loop->relation == FRONT_OP_NE)
            base_error(lw->cx, loop->step->loc, "with '!=' the step of an OpenMP loop must be 1 or -1");
        return 0;
    }
    if (loop->down) step = -step;
    if (step == 0 || step > INT32_MAX || step < -INT32_MAX)
        base_fatal(lw->cx, loop->step->loc, "a step of %lld", (long long)step);
    return (int32_t)step;
}

static enum ir_type dim_type(struct lower *lw, const struct front_omp_loop *loop, ir_expr lo, ir_expr hi) {
    enum ir_type type = lower_carrier(loop->var->type);
    if (!lower_is_wide(loop->var->type) || lw->user->int64_as_int32) return type;
    struct lower_range r = lower_range_of(lw, lo), s = lower_range_of(lw, hi);
    if (r.lo >= INT32_MIN && r.hi <= INT32_MAX && s.lo >= INT32_MIN && s.hi <= INT32_MAX) return IR_I32;
    if (r.lo >= 0 && s.lo >= 0) return IR_U32;
    lower_wide_error(lw, loop->node->loc, "the loop's variable");
    return type;
}

// A bound in terms of outer dimensions: the box takes its extreme value, the body is guarded.
static ir_expr boxed(struct lower *lw, ir_expr e, bool low, base_loc loc) {
    struct lower_range r = lower_range_of(lw, e);
    if (!lower_range_known(lw, e))
        base_unsupported(lw->cx, loc, "collapse: the bounds of the inner loop must have a known range");
    return ir_const(lw->u, lower_ir_type_of(lw, e), (uint32_t)(low ? r.lo : r.hi));
}

struct dim_query {
    const struct ir_unit *u;
    bool exposed;
};

static bool uses_dims(void *user, ir_expr e) {
    struct dim_query *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR && x->u->vars[n->a].klass == IR_VAR_DIM) x->exposed = true;
    return !x->exposed;
}

static ir_expr span_of(struct lower *lw, ir_expr from, ir_expr to, base_loc loc) {
    return lower_fold2(lw, IR_SUB, lower_as(lw, to, IR_U32, loc), lower_as(lw, from, IR_U32, loc), loc);
}

// A step that the run knows: the dimension counts the passes, and the loop's variable is made from that. lo and hi: the
// loop's ends before; *first and *stride: pass k has first + k * stride. How far the ends are apart is an unsigned
// number, as it is where the step is a constant: the ends of an int are further apart than an int holds.
static void count_passes(struct lower *lw, const struct front_omp_loop *loop, enum ir_type type, ir_expr *lo,
                         ir_expr *hi, ir_expr *first, ir_expr *stride) {
    base_loc loc = loop->node->loc;
    bool up = loop->relation == FRONT_OP_LT || loop->relation == FRONT_OP_LE;
    ir_expr size = lower_snapshot(lw, lower_as(lw, lower_scalar(lw, loop->step), type, loop->step->loc), loc);
    ir_expr one = ir_const(lw->u, IR_U32, 1), zero = ir_const(lw->u, type, 0), none = ir_const(lw->u, IR_U32, 0);
    if (up == loop->down) size = lower_fold2(lw, IR_SUB, zero, size, loc);
    *first = lower_snapshot(lw, *lo, loc);
    *stride = up ? size : lower_fold2(lw, IR_SUB, zero, size, loc);
    ir_expr end = lower_snapshot(lw, *hi, loc);
    ir_expr span = up ? span_of(lw, *first, end, loc) : span_of(lw, end, *first, loc);
    ir_expr more =
        lower_fold2(lw, IR_DIV, lower_fold2(lw, IR_SUB, span, one, loc), lower_as(lw, size, IR_U32, loc), loc);
    ir_expr passes = lower_fold2(lw, IR_ADD, more, one, loc);
    ir_expr some = lower_fold2(lw, up ? IR_LT : IR_GT, *first, end, loc);
    *lo = none;
    *hi = lower_fold3(lw, IR_SELECT, some, passes, none, loc);
}

// What the loop's variable is where its dimension is `count`.
static ir_expr of_count(struct lower *lw, const struct lower_space *space, uint32_t d, ir_expr count, base_loc loc) {
    if (!space->stride[d]) return count;
    ir_expr passes = lower_as(lw, count, lower_ir_type_of(lw, space->stride[d]), loc);
    return lower_fold2(lw, IR_ADD, space->first[d], lower_fold2(lw, IR_MUL, passes, space->stride[d], loc), loc);
}

static void add_dim(struct lower *lw, struct lower_space *space, const struct front_omp_loop *loop) {
    base_loc loc = loop->node->loc;
    struct front_symbol *symbol = loop->var;
    uint32_t d = space->n++;
    int32_t step = step_of(lw, loop);
    ir_expr lo = lower_scalar(lw, loop->lo), hi = lower_scalar(lw, loop->hi);
    enum ir_type type = dim_type(lw, loop, lo, hi);
    struct lower_range s = lower_range_of(lw, hi), whole = lower_type_range(type);
    if ((s.lo < whole.lo || s.hi > whole.hi) && lower_ir_type_of(lw, hi) != type && !lw->user->int64_as_int32 &&
        lower_const_int(lw, hi, &s.lo))
        base_error(lw->cx, loop->hi->loc, "the loop's bound does not fit the type of '%s'", symbol->name);
    lo = lower_as(lw, lo, type, loc);
    hi = lower_as(lw, hi, type, loc);
    ir_expr one = ir_const(lw->u, type, 1);
    if (loop->relation == FRONT_OP_LE)
        hi = lower_fold2(lw, IR_ADD, hi, one, loc);
    else if (loop->relation == FRONT_OP_GE)
        hi = lower_fold2(lw, IR_SUB, hi, one, loc);
    struct dim_query x = {lw->u, false}, y = {lw->u, false};
    ir_walk_expr(lw->u, lo, uses_dims, &x);
    ir_walk_expr(lw->u, hi, uses_dims, &y);
    space->lo[d] = lo;
    space->hi[d] = hi;
    space->guarded[d] = x.exposed || y.exposed;
    if (space->guarded[d] && step != 1)
        base_unsupported(lw->cx, loc,
                         "collapse: an inner loop whose bounds depend on the outer one must count up by 1");
    const char *name = symbol->name;
    enum ir_type counts = step == 0 ? IR_U32 : type; // of the dimension
    if (step == 0) {
        count_passes(lw, loop, type, &lo, &hi, &space->first[d], &space->stride[d]);
        name = base_format(lw->cx, "pass of %s", name);
        step = 1;
    }
    if (x.exposed) lo = boxed(lw, lo, true, loc);
    if (y.exposed) hi = boxed(lw, hi, false, loc);
    lo = lower_snapshot(lw, lo, loc);
    hi = lower_snapshot(lw, hi, loc);
    ir_var var = lower_new_var(lw, name, counts, IR_VAR_DIM, symbol->loc);
    struct lower_range r = lower_range_of(lw, lo);
    s = lower_range_of(lw, hi);
    lower_set_range(lw, var, step > 0 ? (struct lower_range){r.lo, s.hi - 1} : (struct lower_range){s.lo + 1, r.hi});
    space->dims[d] = (struct ir_dim){var, lo, hi, step};
    space->outer[d] = lw->objects[symbol->id];
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, loop->node, symbol->type, symbol->loc);
    object->slots[0].value = of_count(lw, space, d, ir_var_read(lw->u, var, loc), loc);
    object->region_private = false;
    lw->objects[symbol->id] = object;
}

// ---- the parallel loop ----------------------------------------------------------------------------------------------

// Variables of the region (or of a `parallel for` all that it makes private) that the body writes.
static bool add_written(void *user, const struct front_node *node) {
    struct {
        struct lower *lw;
        struct lower_bindings *list;
        const struct front_node *body;
    } *q = user;
    if (node->kind == FRONT_VAR && node->symbol->kind != FRONT_SYM_FUNCTION) {
        struct lower_object *object = q->lw->objects[node->symbol->id];
        if (object && object->region_private && object->var_class == IR_VAR_ENTRY && !object->ident->per_thread) {
            bool scalar = node->symbol->type->kind != FRONT_ARRAY;
            if (!scalar || lower_writes(q->body, node->symbol) || node->symbol->address_taken) {
                uint32_t before = q->list->count;
                lower_share_bind(q->lw, q->list, node->symbol, FRONT_OMP_PRIVATE, node->loc);
                if (q->list->count != before) q->list->items[before].made_varying = true;
            }
        }
    }
    return true;
}

// A loop's own variable is private anyway; whether its last value is wanted is remembered.
static void take_counters(const struct front_omp *omp, struct lower_bindings *io_list,
                          struct front_symbol *out_last[IR_MAX_DIMS]) {
    for (uint32_t d = 0; d < omp->collapse && d < IR_MAX_DIMS; d++)
        for (uint32_t i = 0; i < io_list->count; i++)
            if (io_list->items[i].symbol == omp->loops[d].var) {
                if (io_list->items[i].sharing & FRONT_OMP_LASTPRIVATE) out_last[d] = omp->loops[d].var;
                io_list->items[i] = io_list->items[--io_list->count];
                break;
            }
}

enum { MOST_REDUCTIONS = 16 };
struct reductions {
    struct ir_reduction irs[MOST_REDUCTIONS];
    struct lower_reduced reduced[MOST_REDUCTIONS];
    uint32_t count;
};

// The loop's own, and those of the region whose variables its body names.
static void begin_reductions(struct lower *lw, const struct front_omp *omp, const struct front_node *body,
                             struct reductions *out) {
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (omp->vars[i].sharing & FRONT_OMP_REDUCTION)
            lower_reduce_begin(lw, &omp->vars[i], out->irs, out->reduced, &out->count);
    for (uint32_t i = 0; i < lw->region_reduction_count; i++)
        if (lower_mentions(body, lw->region_reductions[i].symbol))
            lower_reduce_begin(lw, &lw->region_reductions[i], out->irs, out->reduced, &out->count);
}

// What a region's threads own and the loop changes is the loop's, too; arrays that it only reads stay what they are.
static void take_region_variables(struct lower *lw, const struct front_node *body, const struct reductions *reductions,
                                  struct lower_bindings *io_list) {
    if (lw->in_region) {
        struct {
            struct lower *lw;
            struct lower_bindings *list;
            const struct front_node *body;
        } q = {lw, io_list, body};
        for (uint32_t i = 0; i < reductions->count; i++)
            reductions->reduced[i].outer->region_private = false;
        lower_scan(body, add_written, &q);
    }
    for (uint32_t i = 0; i < io_list->count; i++)
        if (io_list->items[i].made_varying && io_list->items[i].symbol->type->kind == FRONT_ARRAY &&
            !lower_array_written(body, io_list->items[i].symbol))
            io_list->items[i--] = io_list->items[--io_list->count];
}

// The body's statements, but for the iterations of a box around the loops that are none of theirs.
static void emit_guarded(struct lower *lw, const struct lower_space *space, ir_stmt inner, base_loc loc) {
    ir_expr guard = lower_bool(lw, true);
    for (uint32_t d = 0; d < space->n; d++)
        if (space->guarded[d]) {
            ir_expr at = ir_var_read(lw->u, space->dims[d].var, loc);
            guard = lower_fold2(lw, IR_LAND, guard, lower_fold2(lw, IR_GE, at, space->lo[d], loc), loc);
            guard = lower_fold2(lw, IR_LAND, guard, lower_fold2(lw, IR_LT, at, space->hi[d], loc), loc);
        }
    int64_t always;
    lower_emit(lw, lower_const_int(lw, guard, &always) && always ? inner : ir_if(lw->u, guard, inner, 0, loc));
}

// What the counters of `lastprivate` hold behind the loop.
static void restore_counters(struct lower *lw, const struct lower_space *space,
                             struct front_symbol *const last[IR_MAX_DIMS], base_loc loc) {
    for (uint32_t d = 0; d < space->n; d++) {
        if (!last[d]) continue;
        if (space->guarded[d])
            base_unsupported(lw->cx, loc,
                             "lastprivate(%s): its bounds depend on another counter of the collapsed loops",
                             last[d]->name);
        struct lower_place whole = lower_whole(lower_symbol_object(lw, last[d], loc));
        ir_expr end = lower_final_value(lw, space->dims[d].lo, space->dims[d].hi, space->dims[d].step, loc);
        end = of_count(lw, space, d, end, loc);
        lower_store_place(lw, &whole, (struct lower_value){.type = last[d]->type, .e = end}, loc);
    }
}

// One iteration's body. `last`: what lower_last_restore needs.
static ir_stmt lower_iteration(struct lower *lw, struct front_omp *omp, struct front_node *body_node,
                               struct lower_bindings *list, struct lower_space *space, ir_array last[32]) {
    base_loc loc = omp->loc;
    uint32_t first_target = lw->target_count;
    for (uint32_t i = 0; i < first_target; i++)
        lw->targets[i].blocked = true;
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_parfor = true;
    lower_log_enter_parallel(lw, space->dims, space->n, loc);
    lower_share_begin(lw, list, omp);
    lower_linear_begin(lw, list, space);
    struct lower_block inner = {0, 0};
    lower_enter(lw, &inner);
    uint32_t next = lower_push_target(lw, LOWER_TO_CONTINUE, false, loc);
    lower_statement(lw, body_node);
    lower_pop_target(lw, next);
    ir_stmt save = lower_last_save(lw, list, space, last, loc);
    lower_enter(lw, &body);
    emit_guarded(lw, space, inner.head, loc);
    lower_emit(lw, save);
    lw->in_parfor = false;
    lower_log_leave(lw);
    lower_leave(lw, before);
    for (uint32_t i = 0; i < first_target; i++)
        lw->targets[i].blocked = false;
    return body.head;
}

static void emit_parfor(struct lower *lw, const struct front_omp *omp, const struct ir_dim *dims, uint32_t count,
                        const struct reductions *reductions, ir_stmt body) {
    ir_stmt s = ir_add_stmt(lw->u, IR_PARFOR, omp->loc);
    uint32_t first_dim = ir_add_dims(lw->u, dims, count);
    uint32_t first = ir_add_reductions(lw->u, reductions->irs, reductions->count);
    struct ir_stmt_node *n = &lw->u->stmts[s];
    n->parfor.dim_count = count;
    n->parfor.dims = first_dim;
    n->parfor.reductions = reductions->count ? first : 0;
    n->parfor.reduction_count = reductions->count;
    n->parfor.body = body;
    n->flags = (uint16_t)((omp->nowait ? IR_FLAG_NOWAIT : 0) | (omp->constructs & FRONT_OMP_SIMD ? IR_FLAG_SIMD : 0));
    if (reductions->count && ir_is_long(lw->u, body)) n->flags |= IR_FLAG_LONG;
    lower_emit(lw, s);
}

static void parallel_loop(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    base_loc loc = omp->loc;
    if (lw->in_single) base_fatal(lw->cx, loc, "a worksharing loop cannot stand in single or master");
    struct front_node *body_node = omp->loops[omp->collapse - 1].node->d;
    struct lower_bindings list = {0};
    lower_share_clauses(lw, &list, omp);
    struct front_symbol *last_counters[IR_MAX_DIMS] = {0};
    take_counters(omp, &list, last_counters);
    for (uint32_t i = 0; i < list.count; i++)
        if (list.items[i].sharing & FRONT_OMP_LINEAR) lower_linear_check(lw, list.items[i].clause, body_node);
    struct reductions reductions = {.count = 0};
    begin_reductions(lw, omp, body_node, &reductions);
    take_region_variables(lw, body_node, &reductions, &list);

    struct lower_space space = {0};
    if (omp->collapse > IR_MAX_DIMS) base_unsupported(lw->cx, loc, "collapse of more than %d loops", IR_MAX_DIMS);
    for (uint32_t d = 0; d < omp->collapse; d++)
        add_dim(lw, &space, &omp->loops[d]);
    const struct front_node *region_before = lw->team_region;
    uint32_t team_before = lw->team;
    if (!lw->in_region) { // `parallel for` is a region of its own
        lw->team_region = node;
        lw->team = lower_team_size(lw, omp);
    }
    bool threads = lower_sees_threads(lw, body_node);
    ir_var thread = threads ? lower_new_var(lw, "thread", IR_I32, IR_VAR_DIM, loc) : 0;
    if (threads) {
        lower_team_used(lw);
        lower_set_range(lw, thread, (struct lower_range){0, lw->team - 1});
        lw->thread = ir_var_read(lw->u, thread, loc);
    }

    lower_linear_steps(lw, &list);
    ir_array last[32] = {0};
    ir_stmt body = lower_iteration(lw, omp, body_node, &list, &space, last);
    lower_share_check(lw, &list, body);
    lower_shared_check(lw, body, space.dims, space.n, thread);
    struct ir_dim own = {thread, ir_const_i32(lw->u, 0), ir_const_i32(lw->u, (int32_t)lw->team), 1};
    if (threads) body = lower_team_loop(lw, omp, &space, body, loc);
    lw->thread = 0;
    lw->team_region = region_before;
    lw->team = team_before;
    for (uint32_t d = space.n; d-- > 0;)
        lw->objects[omp->loops[d].var->id] = space.outer[d];
    lower_share_end(lw, &list);
    emit_parfor(lw, omp, threads ? &own : space.dims, threads ? 1 : space.n, &reductions, body);
    lower_reduce_end(lw, reductions.reduced, reductions.count, loc);
    lower_last_restore(lw, &list, last, &space, loc);
    restore_counters(lw, &space, last_counters, loc);
}

// ---- the other directives -------------------------------------------------------------------------------------------

// A loop that one thread runs: simd, or any worksharing loop inside an iteration or outside of a region.
static struct lower_flow plain_loop(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    struct lower_bindings list = {0};
    for (uint32_t i = 0; i < omp->var_count;
         i++) { // lastprivate, linear and reductions are what sequential code does anyway
        const struct front_omp_var *v = &omp->vars[i];
        uint8_t own = v->sharing & (FRONT_OMP_PRIVATE | FRONT_OMP_FIRSTPRIVATE);
        bool counts = false;
        for (uint32_t d = 0; d < omp->collapse && omp->loops; d++)
            counts = counts || omp->loops[d].var == v->symbol;
        if (v->sharing & FRONT_OMP_LINEAR && !counts && omp->loops)
            lower_linear_check(lw, v, omp->loops[omp->collapse - 1].node->d);
        if (own && !counts && !(v->sharing & FRONT_OMP_LASTPRIVATE))
            lower_share_bind(lw, &list, v->symbol, own, v->loc);
    }
    lower_share_begin(lw, &list, omp);
    const struct front_omp *own_before = lw->own_loops;
    bool nested_before = lw->in_nested;
    lw->own_loops = omp;
    lw->in_nested |= (omp->constructs & FRONT_OMP_PARALLEL) != 0;
    struct lower_flow flow = omp->body->kind == FRONT_FOR ? lower_loop(lw, omp->body, omp->constructs & FRONT_OMP_SIMD)
                                                          : lower_statement(lw, omp->body);
    lw->own_loops = own_before;
    lw->in_nested = nested_before;
    lower_share_end(lw, &list);
    return flow;
}

static struct lower_flow single(struct lower *lw, struct front_node *node) {
    if (lw->in_parfor) return lower_statement(lw, node->omp->body);
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    bool was = lw->in_single;
    lw->in_single = true;
    if (lw->team_region && node->omp->constructs & FRONT_OMP_MASTER) lw->thread = ir_const_i32(lw->u, 0);
    struct lower_flow flow = lower_statement(lw, node->omp->body);
    lw->in_single = was;
    lw->thread = 0;
    lower_leave(lw, before);
    for (ir_stmt s = block.head; s; s = lw->u->stmts[s].next)
        lw->u->stmts[s].flags |= IR_FLAG_SINGLE;
    lower_emit(lw, block.head);
    return flow;
}

static struct lower_flow region(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    bool was = lw->in_region;
    struct front_omp_var *reductions = lw->region_reductions;
    uint32_t reduction_count = lw->region_reduction_count;
    lw->in_region = true;
    const struct front_node *region_before = lw->team_region;
    uint32_t team_before = lw->team;
    lw->team = lower_team_size(lw, omp);
    lw->team_region = node;
    struct lower_bindings list = {0};
    lower_share_clauses(lw, &list, omp);
    lower_share_begin(lw, &list, omp);
    for (uint32_t i = 0; i < list.count; i++)
        list.items[i].own->region_private = true;
    lw->region_reductions = base_alloc_array(lw->cx, omp->var_count + 1, sizeof *lw->region_reductions);
    lw->region_reduction_count = 0;
    struct lower_bindings copies = {0};
    for (uint32_t i = 0; i < omp->var_count; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        if (!(v->sharing & FRONT_OMP_REDUCTION)) continue;
        if (lower_team_reduces(lw, v->symbol)) {
            lower_share_bind(lw, &copies, v->symbol, FRONT_OMP_REDUCTION, v->loc);
            copies.items[copies.count - 1].clause = v;
        } else {
            lw->region_reductions[lw->region_reduction_count++] = *v;
        }
    }
    lower_team_reduce_begin(lw, &copies, omp->loc);
    struct lower_flow flow = lower_statement(lw, omp->body);
    lower_team_reduce_end(lw, &copies, omp->loc);
    lower_share_end(lw, &list);
    lw->region_reductions = reductions;
    lw->region_reduction_count = reduction_count;
    lw->team_region = region_before;
    lw->team = team_before;
    lw->in_region = was;
    return flow;
}

struct lower_flow lower_omp(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    uint32_t c = omp->constructs;
    if (c & FRONT_OMP_BARRIER) return on;
    if (c & FRONT_OMP_ATOMIC) return lower_atomic(lw, node);
    if (c & (FRONT_OMP_SINGLE | FRONT_OMP_MASTER)) return single(lw, node);
    if (lw->in_parfor) return plain_loop(lw, node);
    if (c & FRONT_OMP_PARALLEL && c & FRONT_OMP_FOR) {
        parallel_loop(lw, node);
        return on;
    }
    if (c & FRONT_OMP_PARALLEL) return region(lw, node);
    if (c & FRONT_OMP_FOR && lw->in_region) {
        parallel_loop(lw, node);
        return on;
    }
    return plain_loop(lw, node);
}
