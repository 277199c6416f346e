// Steps that write a second array and copy it back, or copy an array before they overwrite it:
//
//   for (t) { parallel for (i) b[i] = f(a[i - 1], a[i], a[i + 1]);   parallel for (i) a[i] = b[i]; }        becomes
//   for (t, two steps a pass) { parallel for (i) s[i] = f(a[i - 1], ...);   parallel for (i) a[i] = f(s[i - 1], ...); }
//
// Nothing is copied any more, and a barrier less is waited for. s is another array, so that the elements which no step
// writes, as at the edge, may be the same in both from the beginning; if b is wanted behind the loop, it gets its
// elements there. A loop that ends when data say so, `while (go)`, tests its flag between the two steps, too.
//
// The law of copies back: in a step the one loop stores each element of a range of b, or of all of it in whatever order
// (analysis/covers.c), and the other one copies that range. b is loaded between the two alone: by the iteration that
// has stored the element, and of that range by other parallel loops, as for how far all have moved.
// In the same loop, `c[i] = a[i]; a[i] = b[i]` may keep what a was one step before, as waves need it, if c is loaded by
// the iteration alone that stores the same element of b: what takes turns with a holds it then.
// The law of copies in front, `b = a; a[i] = f(b[i - 1], ...)`: b is loaded behind the copy alone, where it was copied.
// What else stores to a stands behind the copy, as what gives edges their values, and follows turns.h.
#include "pass/analysis/array_uses.h"
#include "pass/analysis/bounds.h"
#include "pass/memory/double_buffer.h"
#include "pass/memory/turns.h"

struct copy {
    ir_array to, from, other; // from `from` to `to` or, in front, the other way round; other: takes turns with `to`
    ir_array last;            // 0, or what keeps `to` of the step before
    ir_stmt writer, parfor;   // parallel loops: that stores, of copies back; that copies
    ir_stmt store, keep;      // of the copy; of `last`
    struct doubled_range ranges[IR_MAX_DIMS];
    bool whole; // a step stores all of `to`
    bool in_front;
    bool wanted, last_wanted; // `from`, `last`, behind the loop
    bool stored;              // `to` is stored behind the copy
    struct turns turns;
};

struct copier {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_covered covered;
    uint32_t *loads;                  // by array: in the whole unit, as it was
    bool *copied;                     // by array: elements of it are copied, or copies, somewhere
    struct pass_range **indices;      // by node, of so many: of loads of these arrays, by dimension
    uint32_t node_count, array_count; // as it was
};

static bool is_plain(const struct copier *x, ir_array a) {
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
    const struct ir_stmt_node *n = &u->stmts[parfor], *s = &u->stmts[store];
    struct doubled_range list[3 * IR_MAX_DIMS];
    uint32_t count = 0, used = 0, bits;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
        list[count++] = (struct doubled_range){dim->var, dim->lo, dim->hi, dim->step};
    }
    if (!double_buffer_block(u, n->parfor.body, store, list, &count) || count != s->store.index_count) return false;
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

static bool is_whole(const struct ir_unit *u, const struct copy *c) {
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
static bool fits_last(struct copier *x, struct copy *c, ir_stmt body, ir_stmt from_store) {
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
    const struct copier *x;
    const struct copy *c;
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
static uint32_t loads_between(const struct copier *x, const struct copy *c) {
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
    struct copier *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    const struct ir_node *value = n->kind == IR_STORE ? &x->u->nodes[n->store.value] : NULL;
    if (value && value->op == IR_LOAD) x->copied[value->a] = x->copied[n->store.array] = true;
    return true;
}
static void look(void *user, const struct pass_scope *sc, const struct pass_indices *i) {
    struct copier *x = user;
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
static void find_indices(struct copier *x) {
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
static bool takes_turns(struct copier *x, struct copy *c) {
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
static bool fits_back(struct copier *x, struct copy *c, ir_stmt body, const struct doubled_uses *from) {
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
static bool fits_front(struct copier *x, const struct copy *c, const struct doubled_uses *from,
                       const struct doubled_uses *behind) {
    struct ir_unit *u = x->u;
    struct inside in = {x, c, true};
    if (from->stores != 1 || behind->loads != from->loads) return false;
    if (!is_whole(u, c)) ir_walk_nodes(u, u->stmts[c->parfor].next, on_inside, &in);
    return in.all;
}

// The store, in the parallel loop c->parfor, is such a copy. `body`: of the loop around.
static bool fits(struct copier *x, struct copy *c, ir_stmt body) {
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

// ---- the steps ------------------------------------------------------------------------------------------------------

struct swapped {
    struct ir_unit *u;
    ir_array one, two;
};
static bool swap_store(void *user, ir_stmt s) {
    const struct swapped *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE) return true;
    if (n->store.array == x->one || n->store.array == x->two) n->store.array ^= x->one ^ x->two;
    return true;
}
static ir_expr swap_load(void *user, ir_expr e) {
    const struct swapped *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || (n->a != x->one && n->a != x->two)) return e;
    return ir_load(x->u, n->a ^ x->one ^ x->two, x->u->args + n->b, n->n, n->loc);
}

struct moved {
    struct ir_unit *u;
    ir_array from, to;
};
static bool move_store(void *user, ir_stmt s) {
    const struct moved *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE && n->store.array == x->from) n->store.array = x->to;
    return true;
}

// The body becomes a step that finds elements in the arrays themselves and stores them in the others, without the
// copies.
static ir_stmt first_step(struct copier *x, ir_stmt body, struct copy *list, uint32_t count) {
    struct ir_unit *u = x->u;
    ir_stmt front = 0, behind = u->stmts[list[0].parfor].next;
    for (ir_stmt s = body, next; s != list[0].parfor; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_append(u, &front, s);
    }
    struct turns *taken[PASS_COPIES_MOST];
    uint32_t turns = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i].turns.now = list[i].other;
        list[i].turns.copied = list[i].in_front ? list[i].from : 0;
        if (list[i].stored) taken[turns++] = &list[i].turns;
    }
    turns_apply(taken, turns, behind);
    for (uint32_t i = 0; i < count; i++) {
        const struct copy *c = &list[i];
        if (!c->stored) pass_rename_loads(u, behind, c->to, c->other);
        if (c->in_front) continue;
        ir_walk_stmts(u, front, move_store, &(struct moved){u, c->from, c->other});
        pass_rename_loads(u, front, c->from, c->other);
        if (c->last) pass_rename_loads(u, front, c->last, c->other);
    }
    ir_append(u, &front, behind);
    return front;
}

// A copy of that; `others`: the arrays have changed places.
static ir_stmt copy_step(struct copier *x, ir_stmt block, const struct copy *list, uint32_t count, bool others) {
    ir_stmt body = pass_copy_phases(x->u, block);
    for (uint32_t i = 0; i < count && others; i++) {
        struct swapped swap = {x->u, list[i].to, list[i].other};
        ir_walk_stmts(x->u, body, swap_store, &swap);
        ir_map_block(x->u, body, swap_load, &swap);
    }
    return body;
}

// The same of a FOR, whose counter becomes an expression.
static ir_stmt copy_counted(struct copier *x, ir_stmt body, const struct ir_stmt_node *loop, const struct copy *list,
                            uint32_t count, bool others, ir_expr counter) {
    ir_stmt out = copy_step(x, body, list, count, others);
    pass_substitute(x->u, out, loop->counted.var, counter);
    return out;
}

// Elements of the range: to = from.
static ir_stmt copy_range(struct ir_unit *u, const struct copy *c, ir_array to, ir_array from, base_loc loc) {
    ir_stmt parfor = double_buffer_copy(u, to, from, loc);
    for (uint32_t d = 0; d < u->arrays[c->to].ndims; d++) {
        struct ir_dim *dim = &u->dims[u->stmts[parfor].parfor.dims + d];
        dim->lo = c->ranges[d].lo;
        dim->hi = c->ranges[d].hi;
    }
    return parfor;
}

// The second arrays. -> what stands in front of the loop
static ir_stmt begin(struct copier *x, ir_stmt s, struct copy *list, uint32_t count) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[s].loc;
    ir_stmt before = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct copy *c = &list[i];
        const struct ir_array_info info = u->arrays[c->to];
        if (c->in_front && !c->wanted)
            c->other = c->from;
        else
            c->other = ir_add_array(u, u->arrays[c->from].name, (enum whorl_dtype)info.elem, IR_ARRAY_SCRATCH,
                                    info.ndims, info.dims, info.loc);
        if (!c->whole) ir_append(u, &before, double_buffer_copy(u, c->other, c->to, loc));
        if (c->last) ir_append(u, &before, copy_range(u, c, c->other, c->last, loc));
        base_text_format(x->p->explain, "copy_back: steps of the loop at line %u write '%s' and '%s' in turn\n",
                         u->cx->locs[loc].line, u->arrays[c->from].name, info.name);
    }
    return before;
}

// Behind the loop. `in_other`: elements are in the other arrays after its last step. A copy back was of these; one in
// front, and what keeps the step before, of those that the step found.
static ir_stmt finish(struct copier *x, const struct copy *list, uint32_t count, bool in_other, base_loc loc) {
    ir_stmt out = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct copy *c = &list[i];
        ir_array now = in_other ? c->other : c->to, old = in_other ? c->to : c->other;
        if (c->wanted) ir_append(x->u, &out, copy_range(x->u, c, c->from, c->in_front ? old : now, loc));
        if (c->last_wanted) ir_append(x->u, &out, copy_range(x->u, c, c->last, old, loc));
    }
    for (uint32_t i = 0; i < count && in_other; i++)
        ir_append(x->u, &out, double_buffer_copy(x->u, list[i].to, list[i].other, loc));
    return out;
}

static ir_stmt unroll(struct copier *x, ir_stmt s, struct copy *list, uint32_t count, uint64_t trips) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint32_t lo = 0, step = (uint32_t)n.counted.step;
    ir_is_const(u, n.counted.lo, &lo);
    uint32_t turn = lo + (uint32_t)(trips - trips % 2) * step;
    ir_stmt out = begin(x, s, list, count), body = 0, one = first_step(x, n.counted.body, list, count);
    ir_expr counter = ir_var_read(u, n.counted.var, n.loc);
    ir_append(u, &body, copy_counted(x, one, &n, list, count, false, counter));
    counter = ir_op2(u, IR_ADD, counter, ir_const(u, type, step), n.loc);
    ir_append(u, &body, copy_counted(x, one, &n, list, count, true, counter));
    ir_stmt last = trips % 2 ? copy_counted(x, one, &n, list, count, false, ir_const(u, type, turn)) : 0;
    u->stmts[s].counted.hi = ir_const(u, type, turn);
    u->stmts[s].counted.step = (int32_t)(step * 2);
    u->stmts[s].counted.body = body;
    u->stmts[s].counted.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    ir_append(u, &out, last);
    ir_append(u, &out, finish(x, list, count, last != 0, n.loc));
    return out;
}

// As nobody knows whether the loop makes an odd number of steps, or any, a variable keeps where elements are.
static ir_stmt unroll_open(struct copier *x, ir_stmt s, struct copy *list, uint32_t count) {
    enum { BOTH, IN_OTHER, NO_STEP };
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_var where = ir_add_var(u, "turn", IR_I32, IR_VAR_ENTRY, n.loc);
    ir_stmt out = ir_assign(u, where, ir_const_i32(u, NO_STEP), n.loc);
    ir_append(u, &out, begin(x, s, list, count));
    ir_stmt one = first_step(x, n.loop.body, list, count);
    ir_stmt body = copy_step(x, one, list, count, false), second = copy_step(x, one, list, count, true);
    ir_append(u, &body, ir_assign(u, where, ir_const_i32(u, IN_OTHER), n.loc));
    ir_append(u, &second, ir_assign(u, where, ir_const_i32(u, BOTH), n.loc));
    ir_append(u, &body, ir_if(u, n.loop.cond, second, 0, n.loc));
    u->stmts[s].loop.body = body;
    u->stmts[s].loop.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    for (int in_other = 1; in_other >= 0; in_other--) {
        ir_stmt block = finish(x, list, count, in_other, n.loc);
        ir_expr at = ir_var_read(u, where, n.loc);
        ir_expr holds = ir_op2(u, IR_EQ, at, ir_const_i32(u, in_other ? IN_OTHER : BOTH), n.loc);
        if (block) ir_append(u, &out, ir_if(u, holds, block, 0, n.loc));
    }
    return out;
}

// Two steps of it may be unrolled. *trips: of a FOR.
static bool has_steps(const struct ir_unit *u, ir_stmt s, uint64_t *trips) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t lo;
    if ((n->kind != IR_FOR && n->kind != IR_LOOP) || ir_unroll_of(n) > 1 ||
        2 * pass_size(u, ir_body_of(n)) > PASS_MOST_PHASE_COPIES)
        return false;
    if (n->kind == IR_LOOP) return pass_is_open_loop(u, s);
    return ir_const_trips(u, s, trips) && ir_is_const(u, n->counted.lo, &lo) && *trips >= 2 && *trips <= INT32_MAX &&
           pass_fits_step(n->counted.step, 2) && !pass_leaves_loop(u, n->counted.body);
}

static ir_stmt copy_loop(void *user, ir_stmt done, ir_stmt s) {
    struct copier *x = user;
    struct ir_unit *u = x->u;
    uint64_t trips;
    (void)done;
    if (!has_steps(u, s, &trips)) return s;
    ir_stmt body = ir_body_of(&u->stmts[s]);
    for (ir_stmt t = body; t; t = u->stmts[t].next) {
        struct copy list[PASS_COPIES_MOST] = {{0}};
        ir_stmt stores[PASS_COPIES_MOST];
        uint32_t count = 0, found = 0;
        if (u->stmts[t].kind != IR_PARFOR || u->stmts[t].parfor.reduction_count ||
            !find_stores(u, u->stmts[t].parfor.body, stores, &count))
            continue;
        ir_stmt keeps[PASS_COPIES_MOST];
        count = find_keeps(u, stores, keeps, count);
        for (uint32_t i = 0; i < count && found == i; i++) {
            for (int in_front = 0; in_front < 2 && found == i; in_front++) {
                list[i] = (struct copy){.parfor = t, .store = stores[i], .keep = keeps[i], .in_front = in_front};
                found += fits(x, &list[i], body);
            }
        }
        if (found && found == count)
            return u->stmts[s].kind == IR_FOR ? unroll(x, s, list, count, trips) : unroll_open(x, s, list, count);
    }
    return s;
}

void pass_copy_back(struct pass_cx *p) {
    struct copier x = {.p = p, .u = p->u};
    pass_find_covered(p->u, &x.covered);
    find_indices(&x);
    struct pass_uses uses = pass_uses_of(p->u, p->u->root, 0);
    x.loads = uses.all;
    for (ir_array a = 1; a < p->u->array_count; a++)
        x.loads[a] -= uses.stores[a];
    struct pass_rewriter copying = {.u = p->u, .user = &x, .phases = true, .replace = copy_loop};
    p->u->root = pass_rewrite_block(&copying, p->u->root);
}
