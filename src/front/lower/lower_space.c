// The iteration space of a worksharing loop: a dimension for each of its loops, with the bounds that these have before
// it starts.
#include "front/lower/lower_omp.h"

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
    if (r.lo >= 0 && s.lo >= 0 && r.hi <= UINT32_MAX && s.hi <= UINT32_MAX) return IR_U32;
    base_error(
        lw->cx, loop->node->loc,
        "'%s' may not fit in 32 bits, in which a parallel loop counts: count to less, and compute the 64-bit value "
        "in the body, or compile with -fint64=int32 if 32 bits are enough",
        loop->var->name);
    return type;
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

// The least or largest value of e over the dimensions, in terms of what is the same for all iterations; 0: it is not
// found. Each part rises or falls with a dimension, so the extremes are values of iterations, and wrap if these do.
static ir_expr extreme(struct lower *lw, const struct lower_space *space, ir_expr e, bool low, base_loc loc) {
    const struct ir_node n = lw->u->nodes[e];
    struct dim_query x = {lw->u, false};
    int64_t by;
    ir_walk_expr(lw->u, e, uses_dims, &x);
    if (!x.exposed) return e;
    if (n.op == IR_VAR) {
        uint32_t d = 0;
        while (d < space->n && space->dims[d].var != n.a)
            d++;
        if (d == space->n) return 0;
        const struct ir_dim *dim = &space->dims[d];
        ir_expr one = ir_const(lw->u, (enum ir_type)n.type, 1);
        if (low == (dim->step > 0)) return dim->lo;
        if (low) return lower_fold2(lw, IR_ADD, dim->hi, one, loc);
        return lower_fold2(lw, IR_SUB, lower_fold2(lw, IR_MAX, dim->hi, one, loc), one, loc);
    }
    bool scaled = n.op == IR_MUL && (lower_const_int(lw, n.a, &by) || lower_const_int(lw, n.b, &by)) && by > 0;
    bool falls = n.op == IR_SUB && n.type == IR_I32; // unsigned ones wrap where i - 1 is -1
    if (!scaled && !falls && n.op != IR_ADD && n.op != IR_MIN && n.op != IR_MAX) return 0;
    ir_expr a = extreme(lw, space, n.a, low, loc), b = extreme(lw, space, n.b, low != falls, loc);
    return a && b ? lower_fold2(lw, (enum ir_op)n.op, a, b, loc) : 0;
}

// A bound in terms of outer dimensions: the box takes its extreme value, the body is guarded.
static ir_expr boxed(struct lower *lw, const struct lower_space *space, ir_expr e, bool low, base_loc loc) {
    ir_expr tight = extreme(lw, space, e, low, loc);
    if (tight) return tight;
    struct lower_range r = lower_range_of(lw, e);
    if (!lower_range_known(lw, e) || r.hi - r.lo > INT32_MAX / 2) // of nothing but a type
        base_unsupported(lw->cx, loc, "collapse: the bounds of the inner loop must have a known range");
    return ir_const(lw->u, lower_ir_type_of(lw, e), (uint32_t)(low ? r.lo : r.hi));
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

ir_expr lower_space_value(struct lower *lw, const struct lower_space *space, uint32_t d, ir_expr count, base_loc loc) {
    if (!space->stride[d]) return count;
    ir_expr passes = lower_as(lw, count, lower_ir_type_of(lw, space->stride[d]), loc);
    return lower_fold2(lw, IR_ADD, space->first[d], lower_fold2(lw, IR_MUL, passes, space->stride[d], loc), loc);
}

void lower_space_add(struct lower *lw, struct lower_space *space, const struct front_omp_loop *loop) {
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
    if (x.exposed) lo = boxed(lw, space, lo, true, loc);
    if (y.exposed) hi = boxed(lw, space, hi, false, loc);
    lo = lower_snapshot(lw, lo, loc);
    hi = lower_snapshot(lw, hi, loc);
    ir_var var = lower_new_var(lw, name, counts, IR_VAR_DIM, symbol->loc);
    struct lower_range r = lower_range_of(lw, lo);
    s = lower_range_of(lw, hi);
    lower_set_range(lw, var, step > 0 ? (struct lower_range){r.lo, s.hi - 1} : (struct lower_range){s.lo + 1, r.hi});
    space->dims[d] = (struct ir_dim){var, lo, hi, step};
    space->outer[d] = lw->objects[symbol->id];
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, loop->node, symbol->type, symbol->loc);
    object->slots[0].value = lower_space_value(lw, space, d, ir_var_read(lw->u, var, loc), loc);
    object->region_private = false;
    lw->objects[symbol->id] = object;
}

// ---- iterations by number -------------------------------------------------------------------------------------------

struct lower_numbering lower_number_space(struct lower *lw, const struct lower_space *space, base_loc loc) {
    struct lower_numbering out = {.total = ir_const_i32(lw->u, 1)};
    double most = 1;
    for (uint32_t d = 0; d < space->n; d++) {
        ir_expr trips = lower_snapshot(lw, lower_trips(lw, &space->dims[d], loc), loc);
        out.trips[d] = trips;
        most *= (double)lower_range_of(lw, trips).hi;
        out.total = lower_fold2(lw, IR_MUL, out.total, trips, loc);
    }
    out.most = most < 1 ? 1 : most > 0x1p40 ? UINT64_C(1) << 40 : (uint64_t)most;
    return out;
}

ir_expr lower_number_of(struct lower *lw, const struct lower_numbering *numbering, const struct lower_space *space,
                        base_loc loc) {
    ir_expr number = ir_const_i32(lw->u, 0);
    for (uint32_t d = 0; d < space->n; d++) {
        const struct ir_dim *dim = &space->dims[d];
        ir_expr at = lower_as(lw, ir_var_read(lw->u, dim->var, loc), IR_I32, loc);
        at = lower_fold2(lw, IR_SUB, at, lower_as(lw, dim->lo, IR_I32, loc), loc);
        if (dim->step != 1) at = lower_fold2(lw, IR_DIV, at, ir_const_i32(lw->u, dim->step), loc);
        number = lower_fold2(lw, IR_ADD, lower_fold2(lw, IR_MUL, number, numbering->trips[d], loc), at, loc);
    }
    return number;
}
