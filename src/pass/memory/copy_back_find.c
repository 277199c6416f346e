// Which parallel loops of a loop's body only copy, and whether the arrays can take turns: the law of copy_back.c.
#include "pass/analysis/array_uses.h"
#include "pass/analysis/bounds.h"
#include "pass/memory/copy_back.h"

static bool is_plain(const struct copy_back *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    bool words = info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32;
    return a < x->array_count && ir_in_buffer(x->u, a) && !info->atomic && a != x->u->log && words &&
           pass_elements(x->u, a, 0, PASS_MOST_DOUBLED) <= PASS_MOST_DOUBLED;
}

static bool same_shape(const struct ir_unit *u, ir_array a, ir_array b) {
    const struct ir_array_info *one = &u->arrays[a], *two = &u->arrays[b];
    bool same = one->ndims == two->ndims && one->elem == two->elem;
    for (uint32_t d = 0; d < one->ndims && same; d++)
        same = ir_same_expr(u, one->dims[d], two->dims[d]);
    return same;
}

// Where the PARFOR's store, under nothing but loops, goes: each index is a variable that counts up by one between
// constants.
static bool ranges_of(const struct ir_unit *u, ir_stmt parfor, ir_stmt store, struct doubled_range *out) {
    const struct ir_stmt_node *s = &u->stmts[store];
    struct doubled_range list[3 * IR_MAX_DIMS];
    uint32_t count = 0, used = 0, bits;
    if (!double_buffer_loops(u, parfor, store, list, &count) || count != s->store.index_count) return false;
    for (uint32_t d = 0; d < count; d++) {
        const struct ir_node *index = &u->nodes[u->args[s->store.indices + d]];
        uint32_t at = 0;
        while (at < count && (index->op != IR_VAR || index->a != list[at].var))
            at++;
        if (at == count || used & 1u << at || list[at].step != 1 || !ir_is_const(u, list[at].lo, &bits) ||
            !ir_is_const(u, list[at].hi, &bits))
            return false;
        used |= 1u << at;
        out[d] = list[at];
    }
    return true;
}

static bool is_whole(const struct ir_unit *u, const struct copy_back_copy *c) {
    for (uint32_t d = 0; d < u->arrays[c->to].ndims; d++) {
        uint32_t lo = 0, hi = 0, size = 0;
        if (!ir_is_const(u, c->ranges[d].lo, &lo) || lo || !ir_is_const(u, c->ranges[d].hi, &hi) ||
            !ir_is_const(u, u->arrays[c->to].dims[d], &size) || hi != size)
            return false;
    }
    return true;
}

static uint32_t accesses(const struct doubled_uses *t) { return t->loads + t->stores; }

// ---- loads between the two ------------------------------------------------------------------------------------------

struct own_loads {
    const struct ir_unit *u;
    const struct ir_stmt_node *store;
    ir_array array;
    uint32_t count;
};
static bool on_own_load(void *user, ir_expr e) {
    struct own_loads *o = user;
    const struct ir_node *n = &o->u->nodes[e];
    if (n->op != IR_LOAD || n->a != o->array) return true;
    bool same = true;
    for (uint32_t d = 0; d < n->n; d++)
        same &= ir_same_expr(o->u, o->u->args[n->b + d], o->u->args[o->store->store.indices + d]);
    o->count += same;
    return true;
}
// Loads of what the store has stored, by its own iteration.
static uint32_t own_loads(const struct ir_unit *u, ir_stmt parfor, ir_stmt store) {
    struct doubled_range list[3 * IR_MAX_DIMS];
    uint32_t count = 0;
    struct own_loads o = {u, &u->stmts[store], u->stmts[store].store.array, 0};
    if (double_buffer_block(u, u->stmts[parfor].parfor.body, store, list, &count))
        ir_walk_nodes(u, u->stmts[store].next, on_own_load, &o);
    return o.count;
}

// All that the loop does with `last`: it is stored in front of the copy, and loaded where that element of `from` is.
static bool fits_last(struct copy_back *x, struct copy_back_copy *c, ir_stmt body, ir_stmt from_store) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node keep = u->stmts[c->keep], copy = u->stmts[c->store];
    uint32_t kept = u->nodes[keep.store.value].b;
    c->last = keep.store.array;
    if (keep.flags || !is_plain(x, c->last) || !same_shape(u, c->last, c->to) || c->last == c->from) return false;
    for (uint32_t d = 0; d < copy.store.index_count; d++)
        if (!ir_same_expr(u, u->args[keep.store.indices + d], u->args[copy.store.indices + d]) ||
            !ir_same_expr(u, u->args[kept + d], u->args[copy.store.indices + d]))
            return false;
    struct own_loads o = {u, &u->stmts[from_store], c->last, 0}; // up to that store
    struct doubled_range list[3 * IR_MAX_DIMS];
    uint32_t count = 0;
    ir_stmt block = double_buffer_block(u, u->stmts[c->writer].parfor.body, from_store, list, &count),
            next = u->stmts[from_store].next;
    u->stmts[from_store].next = 0;
    ir_walk_nodes(u, block, on_own_load, &o);
    u->stmts[from_store].next = next;
    struct doubled_uses all = double_buffer_uses(u, body, c->last);
    c->last_wanted = u->arrays[c->last].klass != IR_ARRAY_SCRATCH || x->loads[c->last] != all.loads;
    return all.stores == 1 && all.loads == o.count;
}

struct inside {
    const struct copy_back *x;
    const struct copy_back_copy *c;
    bool all; // loads are of the range
};
static bool on_inside(void *user, ir_expr e) {
    struct inside *in = user;
    const struct ir_unit *u = in->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || n->a != in->c->from) return true;
    const struct pass_range *indices = e < in->x->node_count ? in->x->indices[e] : NULL;
    in->all &= indices != NULL;
    for (uint32_t d = 0; d < n->n && in->all; d++) {
        uint32_t lo = 0, hi = 0;
        ir_is_const(u, in->c->ranges[d].lo, &lo);
        ir_is_const(u, in->c->ranges[d].hi, &hi);
        in->all &= indices[d].known && indices[d].lo >= (int32_t)lo && indices[d].hi < (int32_t)hi;
    }
    return true;
}
// Loads by parallel loops between the writer and the copy; UINT32_MAX: some may be of elements that no step writes.
static uint32_t loads_between(const struct copy_back *x, const struct copy_back_copy *c) {
    const struct ir_unit *u = x->u;
    struct inside in = {x, c, true};
    uint32_t count = 0;
    for (ir_stmt s = u->stmts[c->writer].next; s != c->parfor; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_PARFOR) continue;
        count += double_buffer_uses(u, u->stmts[s].parfor.body, c->from).loads;
        if (!c->whole) ir_walk_nodes(u, u->stmts[s].parfor.body, on_inside, &in);
    }
    return in.all ? count : UINT32_MAX;
}

// Before the pass takes the unit apart.
static bool on_copy(void *user, ir_stmt s) {
    struct copy_back *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    const struct ir_node *value = n->kind == IR_STORE ? &x->u->nodes[n->store.value] : NULL;
    if (value && value->op == IR_LOAD) x->copied[value->a] = x->copied[n->store.array] = true;
    return true;
}
static void look(void *user, const struct pass_scope *sc, const struct pass_indices *i) {
    struct copy_back *x = user;
    if (!i->load || !x->copied[i->array]) return;
    struct pass_range **indices = &x->indices[i->load];
    bool first = !*indices;
    if (first) *indices = base_alloc_array(x->u->cx, i->n, sizeof **indices);
    for (uint32_t d = 0; d < i->n; d++) {
        struct pass_range r = pass_range_of(sc, x->u->args[i->first + d]), *all = &(*indices)[d];
        if (first) *all = r;
        all->known &= r.known;
        all->lo = r.lo < all->lo ? r.lo : all->lo;
        all->hi = r.hi > all->hi ? r.hi : all->hi;
    }
}
static void find_indices(struct copy_back *x) {
    struct ir_unit *u = x->u;
    x->node_count = u->node_count;
    x->array_count = u->array_count;
    x->copied = base_alloc_array(u->cx, u->array_count, sizeof *x->copied);
    x->indices = base_alloc_array(u->cx, u->node_count, sizeof(struct pass_range *));
    ir_walk_stmts(u, u->root, on_copy, x);
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++)
        any |= x->copied[a];
    if (any) pass_look_at_indices(u, look, x);
}

// What stands behind the copy stores to `to` as turns.h has it.
static bool takes_turns(struct copy_back *x, struct copy_back_copy *c) {
    struct ir_unit *u = x->u;
    struct turns *t = &c->turns;
    struct turn_box all;
    *t = (struct turns){.u = u, .covered = &x->covered, .indices = x->indices, .node_count = x->node_count};
    turns_begin(t, c->to);
    if (!turns_whole(t, &all)) return false;
    for (uint32_t d = 0; d < u->arrays[c->to].ndims && !c->in_front; d++) {
        uint32_t lo = 0, hi = 0;
        ir_is_const(u, c->ranges[d].lo, &lo);
        ir_is_const(u, c->ranges[d].hi, &hi);
        t->boxes[0].lo[d] = (int32_t)lo;
        t->boxes[0].hi[d] = (int64_t)(int32_t)hi - 1;
    }
    t->count = !c->in_front;
    for (ir_stmt s = u->stmts[c->parfor].next; s; s = u->stmts[s].next)
        if (!turns_add(t, s)) return false;
    for (uint32_t i = 0; i < t->count; i++) {
        bool whole = true;
        for (uint32_t d = 0; d < u->arrays[c->to].ndims; d++)
            whole &= t->boxes[i].lo[d] == all.lo[d] && t->boxes[i].hi[d] == all.hi[d];
        c->whole |= whole;
        // else what `from` is wanted for is lost
        if (i && !c->in_front && c->wanted && turns_meet(t, &t->boxes[0], &t->boxes[i])) return false;
    }
    return true;
}

// Of a copy back. `from`: accesses in the loop.
static bool fits_back(struct copy_back *x, struct copy_back_copy *c, ir_stmt body, const struct doubled_uses *from) {
    struct ir_unit *u = x->u;
    struct doubled_range written[IR_MAX_DIMS];
    uint32_t writes = 0;
    for (ir_stmt s = body; s != c->parfor; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_PARFOR) continue;
        struct doubled_uses t = double_buffer_uses(u, u->stmts[s].parfor.body, c->from);
        if (t.stores) c->writer = s, writes = t.stores;
    }
    c->whole = is_whole(u, c);
    if (!c->writer) return false;
    uint32_t own = from->stores == 1 ? own_loads(u, c->writer, from->store) : 0, between = loads_between(x, c);
    if (between == UINT32_MAX || from->loads != 1 + own + between) return false;
    if (from->stores != 1 || !ranges_of(u, c->writer, from->store, written))
        return c->whole && writes == from->stores && pass_covers(&x->covered, c->writer, c->from);
    for (uint32_t d = 0; d < u->arrays[c->to].ndims; d++)
        if (!ir_same_expr(u, written[d].lo, c->ranges[d].lo) || !ir_same_expr(u, written[d].hi, c->ranges[d].hi))
            return false;
    return true;
}

// Of a copy in front: what is loaded of it was copied.
static bool fits_front(struct copy_back *x, const struct copy_back_copy *c, const struct doubled_uses *from,
                       const struct doubled_uses *behind) {
    struct ir_unit *u = x->u;
    struct inside in = {x, c, true};
    if (from->stores != 1 || behind->loads != from->loads) return false;
    if (!is_whole(u, c)) ir_walk_nodes(u, u->stmts[c->parfor].next, on_inside, &in);
    return in.all;
}

// The store, in the parallel loop c->parfor, is such a copy. `body`: of the loop around.
static bool fits(struct copy_back *x, struct copy_back_copy *c, ir_stmt body) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[c->store];
    const struct ir_node load = u->nodes[n.store.value];
    if (n.flags || load.op != IR_LOAD || load.n != n.store.index_count || load.a == n.store.array) return false;
    c->to = c->in_front ? load.a : n.store.array;
    c->from = c->in_front ? n.store.array : load.a;
    if (!is_plain(x, c->to) || !is_plain(x, c->from) || !same_shape(u, c->to, c->from)) return false;
    for (uint32_t d = 0; d < load.n; d++)
        if (!ir_same_expr(u, u->args[load.b + d], u->args[n.store.indices + d])) return false;
    ir_stmt copy = u->stmts[c->parfor].parfor.body, next = u->stmts[c->parfor].next;
    struct doubled_uses to = double_buffer_uses(u, body, c->to), from = double_buffer_uses(u, body, c->from),
                        copied = double_buffer_uses(u, copy, c->to), here = double_buffer_uses(u, copy, c->from),
                        behind = double_buffer_uses(u, next, c->to), after = double_buffer_uses(u, next, c->from);
    if (accesses(&here) != 1 || accesses(&copied) != 1 + (c->keep > 0) || to.stores != copied.stores + behind.stores)
        return false;
    c->stored = behind.stores > 0;
    if (!ranges_of(u, c->parfor, c->store, c->ranges) || c->in_front > c->stored) return false;
    if (!(c->in_front ? fits_front(x, c, &from, &after) : fits_back(x, c, body, &from))) return false;
    if (c->keep && (c->in_front || from.stores != 1 || !fits_last(x, c, body, from.store))) return false;
    c->wanted = u->arrays[c->from].klass != IR_ARRAY_SCRATCH || x->loads[c->from] != from.loads;
    return !c->stored || takes_turns(x, c);
}

// All that the parallel loop does, under nothing but loops, is to copy.
static bool find_stores(const struct ir_unit *u, ir_stmt block, ir_stmt *stores, uint32_t *count) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_FOR && !find_stores(u, n->counted.body, stores, count)) return false;
        if (n->kind != IR_FOR && (n->kind != IR_STORE || *count == PASS_COPIES_MOST)) return false;
        if (n->kind == IR_STORE) stores[(*count)++] = s;
    }
    return true;
}

// Stores of what another one of the block stores to behind them leave `stores`. -> how many are left; keeps[i]: 0, or
// the one of stores[i]
static uint32_t find_keeps(const struct ir_unit *u, ir_stmt *stores, ir_stmt *keeps, uint32_t count) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        keeps[i] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_node *value = &u->nodes[u->stmts[stores[i]].store.value];
        ir_stmt behind = u->stmts[stores[i]].next;
        while (behind &&
               (u->stmts[behind].kind != IR_STORE || value->op != IR_LOAD || u->stmts[behind].store.array != value->a))
            behind = u->stmts[behind].next;
        uint32_t at = i + 1;
        while (behind && stores[at] != behind)
            at++;
        if (behind && !keeps[at])
            keeps[at] = stores[i];
        else
            stores[left] = stores[i], keeps[left++] = keeps[i];
    }
    return left;
}

uint32_t copy_back_find(struct copy_back *x, ir_stmt body, ir_stmt s, struct copy_back_copy list[PASS_COPIES_MOST]) {
    struct ir_unit *u = x->u;
    ir_stmt stores[PASS_COPIES_MOST], keeps[PASS_COPIES_MOST];
    uint32_t count = 0, found = 0;
    if (u->stmts[s].kind != IR_PARFOR || u->stmts[s].parfor.reduction_count ||
        !find_stores(u, u->stmts[s].parfor.body, stores, &count))
        return 0;
    count = find_keeps(u, stores, keeps, count);
    for (uint32_t i = 0; i < count && found == i; i++) {
        for (int in_front = 0; in_front < 2 && found == i; in_front++) {
            list[i] = (struct copy_back_copy){.parfor = s, .store = stores[i], .keep = keeps[i], .in_front = in_front};
            found += fits(x, &list[i], body);
        }
    }
    return found == count ? found : 0;
}

void copy_back_begin(struct copy_back *x) {
    const struct ir_unit *u = x->u;
    pass_find_covered(x->u, &x->covered);
    find_indices(x);
    struct pass_uses uses = pass_uses_of(u, u->root, 0);
    x->loads = uses.all;
    for (ir_array a = 1; a < u->array_count; a++)
        x->loads[a] -= uses.stores[a];
}
