// The law of turns.h. A store, under nothing but loops between constants, whose indices are constants or, each of a
// loop of its own, variables plus constants: so it stores a box of elements in every step. Or parallel loops that store
// all of the array (analysis/covers.c). A load of elements that its own parallel loop stores is of the very element
// that the iteration is going to store, or has stored; for no other one it is known whether it is stored already.
#include "pass/memory/turns.h"

#include "pass/memory/double_buffer.h"

struct stored { // by the statement that is added
    ir_stmt store;
    struct turn_box box;
    bool done; // by the iteration, before what is looked at
};

struct phase {
    struct turns *t;
    struct stored list[PASS_TURN_BOXES];
    uint32_t count;
    ir_stmt last; // the store that is under way
    bool fits;
};

void turns_begin(struct turns *t, ir_array array) {
    t->array = array;
    t->count = 0;
    t->loads = base_alloc_array(t->u->cx, t->node_count, sizeof *t->loads);
}

bool turns_whole(const struct turns *t, struct turn_box *out) {
    const struct ir_array_info *info = &t->u->arrays[t->array];
    uint32_t size;
    for (uint32_t d = 0; d < info->ndims; d++) {
        if (!ir_is_const(t->u, info->dims[d], &size)) return false;
        out->lo[d] = 0;
        out->hi[d] = (int64_t)size - 1;
    }
    return true;
}

bool turns_meet(const struct turns *t, const struct turn_box *a, const struct turn_box *b) {
    bool meet = true;
    for (uint32_t d = 0; d < t->u->arrays[t->array].ndims; d++)
        meet &= a->lo[d] <= b->hi[d] && b->lo[d] <= a->hi[d];
    return meet;
}

// ---- what is stored -------------------------------------------------------------------------------------------------

// The index counts up by one from lo to hi as a variable of `list` does, whose bit is set in *io_used; or it is
// constant.
static bool find_index(const struct ir_unit *u, ir_expr e, const struct doubled_range *list, uint32_t count,
                       uint32_t *io_used, int64_t *lo, int64_t *hi) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits, from, to, at = 0;
    int64_t add = 0;
    if (n->type != IR_I32) return false;
    if (ir_is_const(u, e, &bits)) {
        *lo = *hi = (int32_t)bits;
        return true;
    }
    if ((n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(u, n->b, &bits)) {
        add = n->op == IR_ADD ? (int32_t)bits : -(int64_t)(int32_t)bits;
        n = &u->nodes[n->a];
    }
    while (at < count && (n->op != IR_VAR || n->a != list[at].var))
        at++;
    if (at == count || *io_used & 1u << at || list[at].step != 1 || !ir_is_const(u, list[at].lo, &from) ||
        !ir_is_const(u, list[at].hi, &to) || (int32_t)from >= (int32_t)to)
        return false;
    *io_used |= 1u << at;
    *lo = (int32_t)from + add;
    *hi = (int64_t)(int32_t)to - 1 + add;
    return true;
}

// Of a store of the statement s, which is a PARFOR or the store itself.
static bool find_box(const struct ir_unit *u, ir_stmt s, ir_stmt store, struct turn_box *out) {
    const struct ir_stmt_node *to = &u->stmts[store];
    struct doubled_range list[3 * IR_MAX_DIMS];
    uint32_t count = 0, used = 0;
    if (u->stmts[s].kind == IR_PARFOR ? !double_buffer_loops(u, s, store, list, &count) : s != store) return false;
    for (uint32_t d = 0; d < to->store.index_count; d++)
        if (!find_index(u, u->args[to->store.indices + d], list, count, &used, &out->lo[d], &out->hi[d])) return false;
    return used == (1u << count) - 1;
}

static bool on_store(void *user, ir_stmt s) {
    struct phase *p = user;
    const struct ir_stmt_node *n = &p->t->u->stmts[s];
    if (n->kind == IR_COMBINE) p->fits &= n->combine.array != p->t->array;
    if (ir_write_of(n).array != p->t->array) return true;
    p->fits &= n->kind == IR_STORE && !n->flags && p->count < PASS_TURN_BOXES;
    if (p->fits) p->list[p->count++].store = s;
    return true;
}

// ---- what is loaded -------------------------------------------------------------------------------------------------

static bool is_inside(const struct turn_box *b, const struct pass_range *r, uint32_t d) {
    return r[d].known && r[d].lo >= b->lo[d] && r[d].hi <= b->hi[d];
}
static bool meets(const struct turn_box *b, const struct pass_range *r, uint32_t n) {
    for (uint32_t d = 0; d < n; d++)
        if (r[d].known && (r[d].hi < b->lo[d] || r[d].lo > b->hi[d])) return false;
    return true;
}
static bool contains(const struct turn_box *b, const struct pass_range *r, uint32_t n) {
    bool all = true;
    for (uint32_t d = 0; d < n && all; d++)
        all = is_inside(b, r, d);
    return all;
}

// Looks at loads and stores in the order of the iteration.
static bool on_stmt(void *user, ir_stmt s) {
    struct phase *p = user;
    for (uint32_t i = 0; i < p->count; i++)
        p->list[i].done |= p->list[i].store == p->last;
    p->last = s;
    return true;
}

static bool on_load(void *user, ir_expr e) {
    struct phase *p = user;
    struct turns *t = p->t;
    const struct ir_unit *u = t->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || n->a != t->array || !p->fits) return true;
    const struct pass_range *r = e < t->node_count ? t->indices[e] : NULL;
    p->fits = r != NULL;
    if (!p->fits) return true;
    struct turn_load found = {.seen = true, .boxes = t->count};
    for (uint32_t i = 0; i < t->count; i++)
        found.now |= contains(&t->boxes[i], r, n->n);
    for (uint32_t d = 0; d < n->n; d++) // else a condition asks for them
        p->fits &= found.now || (r[d].known && u->nodes[u->args[n->b + d]].type == IR_I32);
    for (uint32_t i = 0; i < p->count && !found.now && p->fits; i++) {
        const struct ir_stmt_node *store = &u->stmts[p->list[i].store];
        if (!meets(&p->list[i].box, r, n->n)) continue;
        p->fits &= p->list[i].store != 0;
        for (uint32_t d = 0; d < n->n && p->fits; d++)
            p->fits = ir_same_expr(u, u->args[n->b + d], u->args[store->store.indices + d]);
        found.now |= p->list[i].done;
    }
    struct turn_load *load = &t->loads[e];
    p->fits &= !load->seen || (load->now == found.now && (load->now || load->boxes == found.boxes));
    *load = found;
    return true;
}

bool turns_add(struct turns *t, ir_stmt s) {
    struct ir_unit *u = t->u;
    struct phase p = {.t = t, .fits = true};
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_walk_stmts(u, s, on_store, &p);
    for (uint32_t i = 0; i < p.count && p.fits; i++) {
        if (find_box(u, s, p.list[i].store, &p.list[i].box)) continue;
        p.fits =
            u->stmts[s].kind == IR_PARFOR && pass_covers(t->covered, s, t->array) && turns_whole(t, &p.list[0].box);
        p.count = 1; // loads are of none of its elements
        p.list[0].store = 0;
    }
    struct ir_visitor looking = {.on_stmt = on_stmt, .on_node = on_load, .user = &p};
    ir_walk_block(u, s, &looking);
    u->stmts[s].next = next;
    for (uint32_t i = 0; i < p.count && p.fits; i++) {
        p.fits = t->count < PASS_TURN_BOXES;
        if (p.fits) t->boxes[t->count++] = p.list[i].box;
    }
    return p.fits;
}

// ---- the other array ------------------------------------------------------------------------------------------------

struct exchange {
    struct ir_unit *u;
    struct turns *const *list;
    uint32_t count;
};

static struct turns *turns_of(const struct exchange *x, ir_array a) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->list[i]->array == a || x->list[i]->copied == a) return x->list[i];
    return NULL;
}

static ir_expr both(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b) {
    return !a ? b : !b ? a : ir_op2(u, op, a, b, u->nodes[a].loc);
}

// The load's element is in one of the boxes; 0: in none.
static ir_expr is_stored(const struct turns *t, ir_expr e, const uint32_t *indices) {
    struct ir_unit *u = t->u;
    const struct pass_range *r = t->indices[e];
    uint32_t n = u->nodes[e].n;
    base_loc loc = u->nodes[e].loc;
    ir_expr any = 0;
    for (uint32_t i = 0; i < t->loads[e].boxes; i++) {
        const struct turn_box *b = &t->boxes[i];
        ir_expr all = 0;
        if (!meets(b, r, n)) continue;
        for (uint32_t d = 0; d < n; d++) {
            if (r[d].lo < b->lo[d])
                all = both(u, IR_LAND, all, ir_op2(u, IR_GE, indices[d], ir_const_i32(u, (int32_t)b->lo[d]), loc));
            if (r[d].hi > b->hi[d])
                all = both(u, IR_LAND, all, ir_op2(u, IR_LE, indices[d], ir_const_i32(u, (int32_t)b->hi[d]), loc));
        }
        any = both(u, IR_LOR, any, all);
    }
    return any;
}

static ir_expr exchange_load(void *user, ir_expr e) {
    const struct exchange *x = user;
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    const struct turns *t = n.op == IR_LOAD ? turns_of(x, n.a) : NULL;
    if (!t) return 0;
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n.n; d++)
        indices[d] = ir_exchange_expr(u, u->args[n.b + d], exchange_load, user);
    if (n.a == t->copied) return ir_load(u, t->array, indices, n.n, n.loc);
    bool is_now = t->loads[e].now;
    ir_expr stored = is_now ? 0 : is_stored(t, e, indices);
    ir_expr now = is_now || stored ? ir_load(u, t->now, indices, n.n, n.loc) : 0;
    ir_expr old = is_now ? 0 : ir_load(u, n.a, indices, n.n, n.loc);
    return stored ? ir_op3(u, IR_SELECT, stored, now, old, n.loc) : is_now ? now : old;
}

static bool exchange_store(void *user, ir_stmt s) {
    const struct exchange *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    const struct turns *t = n->kind == IR_STORE ? turns_of(x, n->store.array) : NULL;
    if (t) n->store.array = t->now;
    return true;
}

void turns_apply(struct turns *const *list, uint32_t count, ir_stmt block) {
    if (!count) return;
    struct exchange x = {list[0]->u, list, count};
    ir_exchange_block(x.u, block, exchange_load, &x);
    ir_walk_stmts(x.u, block, exchange_store, &x);
}
