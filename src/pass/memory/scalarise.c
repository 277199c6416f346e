// Local arrays all of whose indices are constants become one scalar an element: registers instead of memory. (On one
// library the same kernel took six times as long with the arrays left in.) So do small arrays of the entry level that
// no parallel loop writes: what one invocation stores, others would have to wait for at a barrier.
#include "pass/passes.h"

struct scalariser {
    struct ir_unit *u;
    bool *candidate;   // by array
    ir_var **elements; // by array: variable of each element, made on first use
    uint32_t array_count;
};

// Row-major position of constant indices; false if one is not constant or outside.
static bool position(const struct ir_unit *u, ir_array array, const uint32_t *indices, uint32_t n, uint32_t *out) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index, dim;
        if (!ir_is_const(u, indices[i], &index) || !ir_is_const(u, u->arrays[array].dims[i], &dim) || index >= dim)
            return false;
        at = at * dim + index;
    }
    *out = (uint32_t)at;
    return true;
}

static bool check_node(void *user, ir_expr e) {
    struct scalariser *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t at;
    if (n->op == IR_LOAD && !position(x->u, n->a, x->u->args + n->b, n->n, &at)) x->candidate[n->a] = false;
    return true;
}

// In a parallel loop: its iterations share the arrays of the entry level.
static bool check_shared(void *user, ir_stmt s) {
    struct scalariser *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE && x->u->arrays[n->store.array].klass == IR_ARRAY_SCRATCH)
        x->candidate[n->store.array] = false;
    return true;
}

static bool check_stmt(void *user, ir_stmt s) {
    struct scalariser *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    const struct ir_visitor shared = {.on_stmt = check_shared, .user = x};
    uint32_t at;
    if (n->kind == IR_PARFOR) ir_walk_block(x->u, n->parfor.body, &shared);
    if (n->kind == IR_ATOMIC) x->candidate[n->atomic.array] = false;
    if (n->kind == IR_STAGE) x->candidate[n->stage.from] = false;
    if (n->kind == IR_TURN) x->candidate[n->turn.from] = x->candidate[n->turn.to] = false;
    if (n->kind == IR_STORE &&
        !position(x->u, n->store.array, x->u->args + n->store.indices, n->store.index_count, &at))
        x->candidate[n->store.array] = false;
    return true;
}

// SIZE_MAX: not constant, or more than that.
static size_t count_of(const struct ir_unit *u, const struct ir_array_info *a) {
    size_t count = 1;
    for (uint32_t i = 0; i < a->ndims; i++) {
        uint32_t dim;
        if (!ir_is_const(u, a->dims[i], &dim) || !base_mul_size(count, dim, &count)) return SIZE_MAX;
    }
    return count;
}

static ir_var element(struct scalariser *x, ir_array array, uint32_t at) {
    struct ir_unit *u = x->u;
    if (!x->elements[array]) {
        size_t count = count_of(u, &u->arrays[array]);
        if (count == SIZE_MAX) base_bug(u->cx, "local array too large");
        x->elements[array] = base_alloc_array(u->cx, count, sizeof(ir_var));
    }
    if (!x->elements[array][at]) {
        const struct ir_array_info *a = &u->arrays[array];
        x->elements[array][at] =
            ir_add_var(u, base_format(u->cx, "%s_%u", a->name ? a->name : "a", at), ir_elem_type(a->elem),
                       a->klass == IR_ARRAY_SCRATCH ? IR_VAR_ENTRY : IR_VAR_LOCAL, a->loc);
    }
    return x->elements[array][at];
}

static ir_expr replace_load(void *user, ir_expr e) {
    struct scalariser *x = user;
    const struct ir_node n = x->u->nodes[e];
    uint32_t at;
    if (n.op != IR_LOAD || n.a >= x->array_count || !x->candidate[n.a]) return e;
    position(x->u, n.a, x->u->args + n.b, n.n, &at);
    return ir_var_read(x->u, element(x, n.a, at), n.loc);
}

static bool replace_store(void *user, ir_stmt s) {
    struct scalariser *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint32_t at;
    if (n.kind == IR_STORE && x->candidate[n.store.array]) {
        position(u, n.store.array, u->args + n.store.indices, n.store.index_count, &at);
        ir_var v = element(x, n.store.array, at);
        ir_make_assign(&u->stmts[s], v, n.store.value);
    }
    return true;
}

// An array of the entry level begins with zeros. Its variables do, too, where one may be read before it is set.
static void begin_with_zero(struct scalariser *x) {
    struct ir_unit *u = x->u;
    uint32_t *exposed = pass_exposed(u, u->root);
    ir_stmt first = 0;
    for (ir_array a = 1; a < x->array_count; a++) {
        if (!x->elements[a] || u->arrays[a].klass != IR_ARRAY_SCRATCH) continue;
        for (size_t i = 0; i < count_of(u, &u->arrays[a]); i++) {
            ir_var v = x->elements[a][i];
            if (!v || !ir_bit(exposed, v)) continue;
            ir_append(u, &first, ir_assign(u, v, ir_const(u, (enum ir_type)u->vars[v].type, 0), u->vars[v].loc));
        }
    }
    ir_append(u, &first, u->root);
    u->root = first;
}

// `only`, by array: those alone; NULL: all.
static void scalarise(struct pass_cx *p, const bool *only) {
    struct ir_unit *u = p->u;
    struct scalariser x = {.u = u, .array_count = u->array_count};
    x.candidate = base_alloc_array(u->cx, u->array_count, sizeof *x.candidate);
    x.elements = base_alloc_array(u->cx, u->array_count, sizeof *x.elements);
    uint32_t before = 0, left = 0;
    for (ir_array a = 1; a < u->array_count; a++) {
        // A local _Float16 array rounds at every store; that stays a memory array.
        const struct ir_array_info *info = &u->arrays[a];
        x.candidate[a] = (!only || only[a]) &&
                         (info->klass == IR_ARRAY_LOCAL ||
                          (info->klass == IR_ARRAY_SCRATCH && count_of(u, info) <= PASS_ENTRY_SCALARS)) &&
                         ir_round_op((enum whorl_dtype)info->elem) == IR_EXACT;
        before += x.candidate[a];
    }
    if (before == 0) return;
    struct ir_visitor check = {.on_stmt = check_stmt, .on_node = check_node, .user = &x};
    ir_walk_block(u, u->root, &check);
    ir_map_block(u, u->root, replace_load, &x);
    ir_walk_stmts(u, u->root, replace_store, &x);
    begin_with_zero(&x);
    for (ir_array a = 1; a < x.array_count; a++) {
        if (x.candidate[a] && x.elements[a])
            base_text_format(p->explain, "scalarise: local array '%s' became scalars\n", u->arrays[a].name);
        else if (!only && !x.candidate[a] && u->arrays[a].klass == IR_ARRAY_LOCAL)
            left++;
    }
    if (left)
        base_text_format(p->explain, "scalarise: %u local array%s with dynamic indices (function-space memory)\n", left,
                         base_s(left));
    pass_fold(p);
}

void pass_scalarise(struct pass_cx *p) { scalarise(p, NULL); }
void pass_scalarise_only(struct pass_cx *p, const bool *arrays) { scalarise(p, arrays); }
