// Arrays of an iteration that are too large for the memory that an invocation has for itself become arrays of the
// program in which every iteration has its elements: [element][iteration], so that iterations side by side touch words
// side by side. Drivers refuse much of such memory, or end in the middle of making a kernel.
//
// Elements of such an array have one owner by the iteration's own index, so that no later pass needs to know where it
// came from.
#include "pass/passes.h"

struct evictor {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_array from, to;
    uint32_t n; // dimensions of the parallel loop
    ir_expr iteration[IR_MAX_DIMS];
};

// Where the loop's counter is, from 0.
static ir_expr position(struct ir_unit *u, const struct ir_dim *dim, base_loc loc) {
    enum ir_type type = (enum ir_type)u->vars[dim->var].type;
    ir_expr at = ir_var_read(u, dim->var, loc);
    uint32_t lo;
    if (dim->step < 0)
        at = ir_op2(u, IR_SUB, dim->lo, at, loc);
    else if (!ir_is_const(u, dim->lo, &lo) || lo)
        at = ir_op2(u, IR_SUB, at, dim->lo, loc);
    uint32_t step = dim->step < 0 ? 0u - (uint32_t)dim->step : (uint32_t)dim->step;
    return step == 1 ? at : ir_op2(u, IR_DIV, at, ir_const(u, type, step), loc);
}

static uint32_t with_iteration(struct evictor *x, uint32_t first, uint32_t n) {
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n + x->n; i++)
        indices[i] = i < n ? x->u->args[first + i] : x->iteration[i - n];
    return ir_add_args(x->u, indices, n + x->n);
}

static ir_expr move_load(void *user, ir_expr e) {
    struct evictor *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || n.a != x->from) return e;
    uint32_t list = with_iteration(x, n.b, n.n);
    return ir_load(x->u, x->to, x->u->args + list, n.n + x->n, n.loc);
}

static bool move_store(void *user, ir_stmt s) {
    struct evictor *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE || n->store.array != x->from) return true;
    n->store.indices = with_iteration(x, n->store.indices, n->store.index_count);
    n->store.index_count = (n->store.index_count + x->n);
    n->store.array = x->to;
    return true;
}

static uint64_t bytes_of(const struct ir_unit *u, ir_array a) {
    uint64_t elements = pass_elements(u, a, 0, INT32_MAX);
    return elements > INT32_MAX ? UINT64_MAX / 4 : elements * 4;
}

// The array of the program that takes the place of `from`; 0: no buffer can hold it, or it has too many dimensions.
static ir_array make_room(struct evictor *x, struct pass_scope *sc, const struct ir_stmt_node *parfor) {
    struct ir_unit *u = x->u;
    const struct ir_array_info a = u->arrays[x->from];
    ir_expr dims[IR_MAX_DIMS];
    uint64_t most = x->p->target->max_binding_bytes, bytes = bytes_of(u, x->from), trips;
    if (a.ndims + parfor->parfor.dim_count > IR_MAX_DIMS) return 0;
    for (uint32_t d = 0; d < a.ndims; d++)
        dims[d] = a.dims[d];
    for (uint32_t k = 0; k < parfor->parfor.dim_count; k++) {
        const struct ir_dim dim = u->dims[parfor->parfor.dims + k];
        if (!pass_trip_count(sc, dim.lo, dim.hi, dim.step, &trips) || trips == 0 || trips > most ||
            bytes > most / trips)
            return 0;
        bytes *= trips;
        dims[a.ndims + k] = ir_const_i32(u, (int32_t)trips);
        x->iteration[k] = position(u, &dim, a.loc);
    }
    x->n = parfor->parfor.dim_count;
    return bytes > most ? 0
                        : ir_add_array(u, a.name, (enum whorl_dtype)a.elem, IR_ARRAY_SCRATCH,
                                       a.ndims + parfor->parfor.dim_count, dims, a.loc);
}

static void evict_from(void *user, struct pass_scope *sc, ir_stmt s) {
    struct evictor *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node parfor = u->stmts[s];
    struct ir_effects fx = ir_effects_of(u, parfor.parfor.body);
    uint64_t all = 0, limit = x->p->target->private_bytes;
    ir_array count = u->array_count;
    bool *moved = base_alloc_array(u->cx, count, sizeof *moved);
    for (ir_array a = 1; a < count; a++) {
        moved[a] = u->arrays[a].klass != IR_ARRAY_LOCAL || !(ir_bit(fx.arrays_read, a) || ir_bit(fx.arrays_written, a));
        all += moved[a] ? 0 : bytes_of(u, a);
    }
    for (uint64_t total = all; total > limit;) {
        x->from = 0;
        for (ir_array a = 1; a < count; a++) // the largest
            if (!moved[a] && (!x->from || bytes_of(u, a) > bytes_of(u, x->from))) x->from = a;
        const struct ir_array_info info = u->arrays[x->from];
        uint64_t bytes = bytes_of(u, x->from);
        x->to = make_room(x, sc, &parfor);
        if (!x->to)
            base_fatal(
                u->cx, info.loc,
                "'%s' has %llu bytes, and all that an iteration has of its own %llu: it may have %llu, and there is no "
                "buffer of up to %llu for as many iterations (or their number is not known, as of --uniform); make it "
                "smaller, or give the loop fewer iterations with more work each; the CPU has no such limit (--device "
                "cpu, target.cpu_only)",
                info.name, (unsigned long long)bytes, (unsigned long long)all, (unsigned long long)limit,
                (unsigned long long)x->p->target->max_binding_bytes);
        ir_walk_stmts(u, parfor.parfor.body, move_store, x);
        ir_map_block(u, parfor.parfor.body, move_load, x);
        moved[x->from] = true;
        total -= bytes;
        base_text_format(x->p->explain, "evict: '%s' has %llu bytes an iteration, which stand in a buffer\n", info.name,
                         (unsigned long long)bytes);
    }
}

void pass_evict(struct pass_cx *p) {
    struct evictor x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, evict_from, &x);
}
