// What sequential code stores in an element that one iteration of the loop before it has to itself, that iteration
// stores:
//
//   for (i, parallel) p[i] += v[i];              for (i, parallel) {
//   p[n / 2] += source;                 ->           p[i] += v[i];
//                                                    if (i == n / 2) p[n / 2] += source;
//                                                }
//
// One invocation would do it between two barriers, or in a dispatch of its own.
//
// The law: in all that the loop does to the array, each counter of the loop is the index of one of the dimensions, by a
// constant more or less, always the same. So the iteration that has the element's counters, which is one of the loop's,
// is the only one that touches it. Nothing else that the store needs is written by the loop.
#include <string.h>

#include "pass/passes.h"

struct adopter {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    // of the statement under way
    ir_stmt store, loop;
    ir_expr cond;           // under which it is made; 0: always
    struct ir_effects made; // by the loop
    struct {
        uint32_t at;       // dimension of the array that counts it
        int64_t beyond;    // its index less the counter
    } places[IR_MAX_DIMS]; // by dimension of the loop
};

// ---- what the store needs -------------------------------------------------------------------------------------------

static const struct ir_stmt_node *node_of(const struct adopter *x, ir_stmt s) { return &x->u->stmts[s]; }
static ir_expr index_of(const struct adopter *x, uint32_t d) {
    return x->u->args[node_of(x, x->store)->store.indices + d];
}

// A load, of the store's array, of what the iteration has to itself, as the store's element.
static bool is_its_own(const struct adopter *x, const struct ir_node *load) {
    const struct ir_stmt_node *loop = node_of(x, x->loop);
    for (uint32_t k = 0; k < loop->parfor.dim_count; k++)
        if (!ir_same_expr(x->u, x->u->args[load->b + x->places[k].at], index_of(x, x->places[k].at))) return false;
    return true;
}

struct asked {
    const struct adopter *x;
    bool fits;
};
static bool on_node(void *user, ir_expr e) {
    struct asked *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    if (n->op == IR_VAR) q->fits &= !ir_bit(q->x->made.vars_written, n->a);
    if (n->op == IR_LOAD)
        q->fits &= n->a == node_of(q->x, q->x->store)->store.array ? is_its_own(q->x, n)
                                                                   : !ir_bit(q->x->made.arrays_written, n->a);
    return q->fits;
}
static bool is_known_to_iterations(const struct adopter *x, ir_expr e) {
    struct asked q = {x, true};
    ir_walk_expr(x->u, e, on_node, &q);
    return q.fits;
}

// ---- whose element is it? -------------------------------------------------------------------------------------------

// Finds where the loop's k-th counter stands in the index of this access; behind the first one, whether it stands there
// again.
static bool counts_in(struct adopter *x, const struct pass_access *access, ir_var counter, uint32_t k, bool first) {
    for (uint32_t d = 0; d < access->n; d++) {
        const struct pass_affine *f = &access->sub[d];
        if (!f->ok || f->n != 1 || f->vars[0] != counter || f->coefs[0] != 1) continue;
        if (first) {
            x->places[k].at = d;
            x->places[k].beyond = f->constant;
            return true;
        }
        if (d == x->places[k].at && f->constant == x->places[k].beyond) return true;
    }
    return false;
}

// That iteration is one of the loop's.
static bool is_made(struct adopter *x, const struct ir_dim *dim, uint32_t k) {
    struct pass_range lo = pass_range_of(&x->sc, dim->lo), hi = pass_range_of(&x->sc, dim->hi),
                      at = pass_range_of(&x->sc, index_of(x, x->places[k].at));
    return dim->step == 1 && lo.known && hi.known && at.known && at.lo - x->places[k].beyond >= lo.hi &&
           at.hi - x->places[k].beyond < hi.lo;
}

static bool has_owner(struct adopter *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = *node_of(x, x->loop);
    ir_array array = node_of(x, x->store)->store.array;
    struct pass_accesses list = {0};
    uint32_t mark = pass_scope_enter(&x->sc), touched = 0;
    pass_scope_parfor(&x->sc, x->loop);
    pass_collect_inside(&x->sc, x->loop, &list);
    pass_scope_leave(&x->sc, mark);
    for (uint32_t i = 0; i < list.count; i++) {
        if (list.items[i].array != array) continue;
        for (uint32_t k = 0; k < loop.parfor.dim_count; k++)
            if (!counts_in(x, &list.items[i], u->dims[loop.parfor.dims + k].var, k, touched == 0)) return false;
        touched++;
    }
    for (uint32_t k = 0; k < loop.parfor.dim_count && touched; k++) {
        const struct ir_dim dim = u->dims[loop.parfor.dims + k];
        if (u->vars[dim.var].type != u->nodes[index_of(x, x->places[k].at)].type || !is_made(x, &dim, k)) return false;
    }
    return touched != 0;
}

static bool fits(struct adopter *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->store);
    x->made = ir_effects_of_one(u, x->loop);
    if (u->arrays[n.store.array].atomic || !ir_in_buffer(u, n.store.array) || !has_owner(x)) return false;
    for (ir_stmt s = node_of(x, x->loop)->parfor.body; s; s = u->stmts[s].next)
        if (pass_may_leave(u, s)) return false;
    for (uint32_t d = 0; d < n.store.index_count; d++)
        if (pass_has_load(u, index_of(x, d)) || !is_known_to_iterations(x, index_of(x, d))) return false;
    return is_known_to_iterations(x, n.store.value) && (!x->cond || is_known_to_iterations(x, x->cond));
}

// ---- the statements -------------------------------------------------------------------------------------------------

// A STORE, or an IF around one: *out_cond, or 0.
static ir_stmt store_in(const struct ir_unit *u, ir_stmt s, ir_expr *out_cond) {
    const struct ir_stmt_node *n = &u->stmts[s];
    *out_cond = 0;
    if (n->kind == IR_STORE) return s;
    if (n->kind != IR_IF || n->branch.else_block || !n->branch.then_block) return 0;
    *out_cond = n->branch.cond;
    const struct ir_stmt_node *inner = &u->stmts[n->branch.then_block];
    return inner->kind == IR_STORE && !inner->next ? n->branch.then_block : 0;
}

// The parallel loop of the block that nothing follows but assignments that may as well stand before it; 0: none.
static ir_stmt last_loop(struct ir_unit *u, ir_stmt block) {
    ir_stmt found = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind == IR_PARFOR)
            found = s;
        else if (found && (u->stmts[s].kind != IR_ASSIGN || !pass_independent(u, found, s)))
            found = 0;
    }
    return found;
}

// The loop comes behind the assignments that follow it.
static ir_stmt moved_back(struct ir_unit *u, ir_stmt loop) {
    for (ir_stmt next; next = u->stmts[loop].next, next; loop = next) {
        struct ir_stmt_node moved = u->stmts[loop], other = u->stmts[next];
        moved.next = other.next;
        other.next = next;
        u->stmts[loop] = other;
        u->stmts[next] = moved;
    }
    return loop;
}

// The index that the iteration itself has there.
static ir_expr own_index(const struct adopter *x, uint32_t k) {
    struct ir_unit *u = x->u;
    ir_var counter = u->dims[node_of(x, x->loop)->parfor.dims + k].var;
    base_loc loc = node_of(x, x->store)->loc;
    ir_expr at = ir_var_read(u, counter, loc);
    if (!x->places[k].beyond) return at;
    ir_expr beyond = ir_const(u, (enum ir_type)u->vars[counter].type, (uint32_t)x->places[k].beyond);
    return ir_op2(u, IR_ADD, at, beyond, loc);
}

static void own_indices(const struct adopter *x, const uint32_t *indices, uint32_t count, ir_expr *out) {
    memcpy(out, indices, count * sizeof *out);
    for (uint32_t k = 0; k < node_of(x, x->loop)->parfor.dim_count; k++)
        out[x->places[k].at] = own_index(x, k);
}

static ir_expr as_own(void *user, ir_expr e) {
    const struct adopter *x = user;
    const struct ir_node n = x->u->nodes[e];
    ir_expr indices[IR_MAX_DIMS];
    if (n.op != IR_LOAD || n.a != node_of(x, x->store)->store.array) return e;
    own_indices(x, &x->u->args[n.b], n.n, indices);
    return ir_load(x->u, n.a, indices, n.n, n.loc);
}

static void adopt(struct adopter *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->store);
    ir_expr indices[IR_MAX_DIMS], its = x->cond ? ir_map_expr(u, x->cond, as_own, x) : 0;
    x->loop = moved_back(u, x->loop);
    for (uint32_t k = node_of(x, x->loop)->parfor.dim_count; k-- > 0;) {
        ir_expr is = ir_op2(u, IR_EQ, own_index(x, k), index_of(x, x->places[k].at), n.loc);
        its = its ? ir_op2(u, IR_LAND, is, its, n.loc) : is;
    }
    own_indices(x, &u->args[n.store.indices], n.store.index_count, indices);
    ir_expr value = ir_map_expr(u, n.store.value, as_own, x);
    ir_stmt store = ir_store(u, n.store.array, indices, n.store.index_count, value, n.loc);
    ir_append(u, &u->stmts[x->loop].parfor.body, ir_if(u, its, store, 0, n.loc));
    base_text_format(x->p->explain, "adopt: an iteration of the loop at line %u also does line %u\n",
                     u->cx->locs[node_of(x, x->loop)->loc].line, u->cx->locs[n.loc].line);
}

static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct adopter *x = user;
    x->store = store_in(x->u, s, &x->cond);
    x->loop = x->store ? last_loop(x->u, done) : 0;
    if (!x->loop || !fits(x)) return s;
    adopt(x);
    return 0;
}

void pass_adopt(struct pass_cx *p) {
    struct adopter x = {.p = p, .u = p->u};
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter w = {.u = p->u, .sc = &x.sc, .user = &x, .replace = replace, .phases = true};
    p->u->root = pass_rewrite_block(&w, p->u->root);
}
