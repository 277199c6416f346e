// Double buffering of arrays that steps overwrite. A step that reads an array everywhere and then overwrites it,
// element by element, needs a barrier between the two, although what it computes does not depend on that order. Here
// the new elements go to a second array instead, and the next step reads that one and writes the first: the loop is
// unrolled by two. The two parallel loops can then become one (fuse), and what is left is the barrier between two
// steps. Bodies that move after all forces are known are the usual case.
//
// Taken is an array that the second of two neighbouring parallel loops overwrites as a whole, each element from nothing
// of the array but that element, and that the rest of the loop around them only reads, before. It must be all that
// keeps the two apart.
#include "pass/memory/double_buffer.h"

struct doubler {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
};

// ---- the second loop: one store, of every element -------------------------------------------------------------------

static bool count_load(void *user, ir_expr e) {
    struct doubled_uses *t = user;
    const struct ir_node *n = &t->u->nodes[e];
    if (n->op != IR_LOAD || n->a != t->array) return true;
    t->loads++;
    uint32_t indices = ir_write_of(&t->u->stmts[t->store]).indices;
    for (uint32_t i = 0; i < n->n && t->store; i++)
        if (!ir_same_expr(t->u, t->u->args[n->b + i], t->u->args[indices + i])) t->other++;
    return true;
}
static bool count_store(void *user, ir_stmt s) {
    struct doubled_uses *t = user;
    const struct ir_stmt_node *n = &t->u->stmts[s];
    if (n->kind == IR_COMBINE) t->other += n->combine.array == t->array;
    if (ir_write_of(n).array != t->array) return true;
    t->stores++;
    t->other += n->kind == IR_ATOMIC;
    t->store = s;
    return true;
}
struct doubled_uses double_buffer_uses(const struct ir_unit *u, ir_stmt block, ir_array a) {
    struct doubled_uses t = {.u = u, .array = a};
    ir_walk_stmts(u, block, count_store, &t);
    ir_walk_nodes(u, block, count_load, &t);
    return t;
}

// The block in which the store stands, under nothing but loops; their variables go to `list`.
ir_stmt double_buffer_block(const struct ir_unit *u, ir_stmt block, ir_stmt store, struct doubled_range *list,
                            uint32_t *count) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (s == store) return block;
        if (n->kind != IR_FOR || *count == 2 * IR_MAX_DIMS || pass_leaves_loop(u, n->counted.body)) continue;
        list[(*count)++] = (struct doubled_range){n->counted.var, n->counted.lo, n->counted.hi, n->counted.step};
        ir_stmt found = double_buffer_block(u, n->counted.body, store, list, count);
        if (found) return found;
        --*count;
    }
    return 0;
}

ir_stmt double_buffer_loops(const struct ir_unit *u, ir_stmt parfor, ir_stmt store, struct doubled_range *list,
                            uint32_t *count) {
    const struct ir_stmt_node *n = &u->stmts[parfor];
    for (*count = 0; *count < n->parfor.dim_count; ++*count) {
        const struct ir_dim *dim = &u->dims[n->parfor.dims + *count];
        list[*count] = (struct doubled_range){dim->var, dim->lo, dim->hi, dim->step};
    }
    return double_buffer_block(u, n->parfor.body, store, list, count);
}

static bool overwrites_all(struct ir_unit *u, ir_stmt parfor, ir_array a) {
    const struct ir_stmt_node *n = &u->stmts[parfor];
    struct doubled_uses t = double_buffer_uses(u, n->parfor.body, a);
    if (t.stores != 1 || t.other) return false;
    struct doubled_range list[3 * IR_MAX_DIMS];
    uint32_t count = 0;
    ir_stmt block = double_buffer_loops(u, parfor, t.store, list, &count);
    if (!block || count != u->arrays[a].ndims) return false;
    uint32_t used = 0;
    for (uint32_t d = 0; d < count; d++) { // the indices are the variables, each from 0 to the end
        const struct ir_node *index = &u->nodes[u->args[u->stmts[t.store].store.indices + d]];
        uint32_t at = 0, lo, hi, size;
        while (at < count && (index->op != IR_VAR || index->a != list[at].var))
            at++;
        if (at == count || used & 1u << at || list[at].step != 1 || !ir_is_const(u, list[at].lo, &lo) || lo != 0 ||
            !ir_is_const(u, list[at].hi, &hi) || !ir_is_const(u, u->arrays[a].dims[d], &size) || hi != size)
            return false;
        used |= 1u << at;
    }
    // No load of the element after its store: all stand in the store's own block, before it or in it.
    ir_stmt next = u->stmts[t.store].next;
    u->stmts[t.store].next = 0;
    struct doubled_uses before = double_buffer_uses(u, block, a);
    u->stmts[t.store].next = next;
    return before.loads == t.loads;
}

// ---- the loop around ------------------------------------------------------------------------------------------------

static bool is_fit(const struct doubler *r, const struct ir_stmt_node *loop, ir_stmt second, ir_array a) {
    struct ir_unit *u = r->u;
    const struct ir_array_info *info = &u->arrays[a];
    if (!ir_in_buffer(u, a) || info->atomic || a == u->log ||
        pass_elements(u, a, 0, PASS_MOST_DOUBLED) > PASS_MOST_DOUBLED ||
        (info->elem != WHORL_F32 && info->elem != WHORL_I32 && info->elem != WHORL_U32) ||
        !overwrites_all(u, second, a))
        return false;
    ir_stmt next = u->stmts[second].next;
    struct doubled_uses behind = double_buffer_uses(u, next, a), all = double_buffer_uses(u, loop->counted.body, a);
    return behind.loads + behind.stores + behind.other == 0 && all.stores == 1;
}

// One step: `from` is what the array was called in it, `old` and `now` where its elements are read and written.
static ir_stmt copy_step(struct ir_unit *u, const struct ir_stmt_node *loop, ir_array from, ir_array old, ir_array now,
                         ir_expr counter) {
    ir_stmt body = pass_copy_phases(u, loop->counted.body);
    struct doubled_uses t = double_buffer_uses(u, body, from);
    u->stmts[t.store].store.array = now;
    if (old != from) pass_rename_loads(u, body, from, old);
    pass_substitute(u, body, loop->counted.var, counter);
    return body;
}

// for all elements: to = from
ir_stmt double_buffer_copy(struct ir_unit *u, ir_array to, ir_array from, base_loc loc) {
    const struct ir_array_info info = u->arrays[to];
    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t d = 0; d < info.ndims; d++) {
        ir_var v = ir_add_var(u, "k", IR_I32, IR_VAR_DIM, loc);
        uint32_t size = 0;
        ir_is_const(u, info.dims[d], &size);
        dims[d] = (struct ir_dim){v, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)size), 1};
        indices[d] = ir_var_read(u, v, loc);
    }
    ir_stmt body = ir_store(u, to, indices, info.ndims, ir_load(u, from, indices, info.ndims, loc), loc);
    return ir_parfor(u, dims, info.ndims, body, loc);
}

static ir_stmt unroll(struct doubler *r, ir_stmt s, ir_array a, uint64_t trips) {
    struct ir_unit *u = r->u;
    const struct ir_stmt_node n = u->stmts[s];
    const struct ir_array_info info = u->arrays[a];
    ir_array other =
        ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_SCRATCH, info.ndims, info.dims, info.loc);
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint32_t lo = 0, step = n.counted.step, turn, out = 0;
    ir_is_const(u, n.counted.lo, &lo);
    turn = lo + (uint32_t)(trips - trips % 2) * step;
    ir_expr counter = ir_var_read(u, n.counted.var, n.loc);
    ir_expr second = ir_op2(u, IR_ADD, counter, ir_const(u, type, step), n.loc);
    ir_stmt body = copy_step(u, &n, a, a, other, counter);
    ir_append(u, &body, copy_step(u, &n, a, other, a, second));
    u->stmts[s].counted.hi = ir_const(u, type, turn);
    u->stmts[s].counted.step = step * 2;
    u->stmts[s].counted.body = body;
    u->stmts[s].counted.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    if (trips % 2) {
        ir_append(u, &out, copy_step(u, &n, a, a, other, ir_const(u, type, turn)));
        ir_append(u, &out, double_buffer_copy(u, a, other, n.loc));
    }
    base_text_format(r->p->explain,
                     "double_buffer: steps of the loop at line %u write '%s' to a second array in turn\n",
                     u->cx->locs[n.loc].line, info.name);
    return out;
}

// An array of the two loops' that can have a second one, after which they may be one.
static ir_array find_array(struct doubler *r, const struct ir_stmt_node *loop, ir_stmt first, ir_stmt second) {
    ir_array culprit, other;
    if (pass_may_fuse(r->sc, first, second, 0, &culprit) || !culprit || !is_fit(r, loop, second, culprit)) return 0;
    return pass_may_fuse(r->sc, first, second, culprit, &other) ? culprit : 0;
}

static ir_stmt double_loop(struct doubler *r, ir_stmt s) {
    struct ir_unit *u = r->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips;
    uint32_t lo;
    if (n.kind != IR_FOR || n.counted.unroll > 1 || !ir_const_trips(u, s, &trips) ||
        !ir_is_const(u, n.counted.lo, &lo) || trips < 2 || trips > INT32_MAX || !pass_fits_step(n.counted.step, 2) ||
        pass_leaves_loop(u, n.counted.body) || 2 * pass_size(u, n.counted.body) > PASS_MOST_PHASE_COPIES)
        return s;
    uint32_t mark = pass_scope_enter(r->sc);
    pass_scope_loop(r->sc, s);
    ir_array found = 0;
    for (ir_stmt t = n.counted.body; t && !found; t = u->stmts[t].next) {
        ir_stmt next = u->stmts[t].next;
        if (u->stmts[t].kind == IR_ASSIGN) pass_scope_assign(r->sc, t);
        if (u->stmts[t].kind == IR_PARFOR && next && u->stmts[next].kind == IR_PARFOR)
            found = find_array(r, &n, t, next);
    }
    pass_scope_leave(r->sc, mark);
    return found ? unroll(r, s, found, trips) : s;
}

static ir_stmt double_statement(void *user, ir_stmt done, ir_stmt s) {
    (void)done;
    return double_loop(user, s);
}

void pass_double_buffer(struct pass_cx *p) {
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    struct doubler r = {p, p->u, &sc};
    struct pass_rewriter doubling = {.u = p->u, .sc = &sc, .user = &r, .phases = true, .replace = double_statement};
    p->u->root = pass_rewrite_block(&doubling, p->u->root);
}
