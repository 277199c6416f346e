// Steps that write a second array and copy it back:
//
//   for (t) { parallel for (i) b[i] = f(a[i - 1], a[i], a[i + 1]);   parallel for (i) a[i] = b[i]; }        becomes
//   for (t, two steps a pass) { parallel for (i) s[i] = f(a[i - 1], ...);   parallel for (i) a[i] = f(s[i - 1], ...); }
//
// Nothing is copied any more, and a barrier less is waited for. s is another array, so that the elements which no step
// writes, as at the edge, may be the same in both from the beginning; if b is wanted behind the loop, it gets its
// elements there. A loop that ends when data say so, `while (go)`, tests its flag between the two steps, too.
//
// The law: in a step the one loop stores each element of a range of b, or of all of it in whatever order
// (analysis/covers.c), and the other one copies that range; nothing else in the loop stores to either array. b is
// loaded between the two alone: by the iteration that has stored the element, and of that range by other parallel
// loops, as for how far all have moved. What stands behind the copy loads what was copied.
#include "pass/analysis/array_uses.h"
#include "pass/analysis/bounds.h"
#include "pass/memory/double_buffer.h"

struct copy {
    ir_array to, from, other; // other: what takes turns with `to`
    ir_stmt writer, parfor;   // parallel loops: that stores, that copies
    ir_stmt store;            // of the copy
    struct doubled_range ranges[IR_MAX_DIMS];
    bool whole; // the range is all of the array
};

struct copier {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_covered covered;
    uint32_t *all;               // by array: accesses in the whole unit, as it was
    bool *copied;                // by array: elements of it are copied somewhere
    struct pass_range **indices; // by node, of so many: of loads of these arrays, by dimension
    uint32_t node_count;
};

static bool is_plain(const struct copier *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    bool words = info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32;
    return ir_in_buffer(x->u, a) && !info->atomic && a != x->u->log && words &&
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
    uint32_t count;
};
static bool on_own_load(void *user, ir_expr e) {
    struct own_loads *o = user;
    const struct ir_node *n = &o->u->nodes[e];
    if (n->op != IR_LOAD || n->a != o->store->store.array) return true;
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
    struct own_loads o = {u, &u->stmts[store], 0};
    if (double_buffer_block(u, u->stmts[parfor].parfor.body, store, list, &count))
        ir_walk_nodes(u, u->stmts[store].next, on_own_load, &o);
    return o.count;
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
    if (value && value->op == IR_LOAD) x->copied[value->a] = true;
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
    x->copied = base_alloc_array(u->cx, u->array_count, sizeof *x->copied);
    x->indices = base_alloc_array(u->cx, u->node_count, sizeof(struct pass_range *));
    ir_walk_stmts(u, u->root, on_copy, x);
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++)
        any |= x->copied[a];
    if (any) pass_look_at_indices(u, look, x);
}

// The store, in the parallel loop c->parfor, is such a copy. `body`: of the loop around.
static bool fits(struct copier *x, struct copy *c, ir_stmt body) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[c->store];
    const struct ir_node load = u->nodes[n.store.value];
    struct doubled_range written[IR_MAX_DIMS];
    uint32_t writes = 0;
    if (n.flags || load.op != IR_LOAD || load.n != n.store.index_count || load.a == n.store.array) return false;
    c->to = n.store.array;
    c->from = load.a;
    if (!is_plain(x, c->to) || !is_plain(x, c->from) || !same_shape(u, c->to, c->from)) return false;
    for (uint32_t d = 0; d < load.n; d++)
        if (!ir_same_expr(u, u->args[load.b + d], u->args[n.store.indices + d])) return false;
    struct doubled_uses to = double_buffer_uses(u, body, c->to), from = double_buffer_uses(u, body, c->from);
    struct doubled_uses here = double_buffer_uses(u, u->stmts[c->parfor].parfor.body, c->from);
    if (to.stores != 1 || here.loads != 1 || here.stores) return false;
    struct doubled_uses copied = double_buffer_uses(u, u->stmts[c->parfor].parfor.body, c->to);
    if (copied.other || copied.loads || !ranges_of(u, c->parfor, c->store, c->ranges)) return false;
    for (ir_stmt s = body; s != c->parfor; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_PARFOR) continue;
        struct doubled_uses t = double_buffer_uses(u, u->stmts[s].parfor.body, c->from);
        if (t.stores) c->writer = s, writes = t.stores;
    }
    c->whole = is_whole(u, c);
    if (!c->writer) return false;
    uint32_t own = from.stores == 1 ? own_loads(u, c->writer, from.store) : 0, between = loads_between(x, c);
    if (between == UINT32_MAX || from.loads != 1 + own + between) return false;
    if (from.stores != 1 || !ranges_of(u, c->writer, from.store, written))
        return c->whole && writes == from.stores && pass_covers(&x->covered, c->writer, c->from);
    for (uint32_t d = 0; d < load.n; d++)
        if (!ir_same_expr(u, written[d].lo, c->ranges[d].lo) || !ir_same_expr(u, written[d].hi, c->ranges[d].hi))
            return false;
    return true;
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

// ---- the steps ------------------------------------------------------------------------------------------------------

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

// One step, in which `now` says where elements are at its beginning: in the arrays themselves, or in the others.
static ir_stmt copy_step(struct copier *x, ir_stmt block, const struct copy *list, uint32_t count, bool others) {
    struct ir_unit *u = x->u;
    uint32_t at = 0; // of the copy
    for (ir_stmt t = block; t != list[0].parfor; t = u->stmts[t].next)
        at++;
    ir_stmt body = pass_copy_phases(u, block), front = 0, behind = 0;
    for (ir_stmt s = body, next; s; s = next, at--) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (at == 0) {
            behind = next;
            break;
        }
        ir_append(u, &front, s);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct copy *c = &list[i];
        ir_array old = others ? c->other : c->to, now = others ? c->to : c->other;
        ir_walk_stmts(u, front, move_store, &(struct moved){u, c->from, now});
        pass_rename_loads(u, front, c->to, old);
        pass_rename_loads(u, front, c->from, now);
        pass_rename_loads(u, behind, c->to, now);
    }
    ir_append(u, &front, behind);
    return front;
}

// The same of a FOR, whose counter becomes an expression.
static ir_stmt copy_counted(struct copier *x, const struct ir_stmt_node *loop, const struct copy *list, uint32_t count,
                            bool others, ir_expr counter) {
    ir_stmt out = copy_step(x, loop->counted.body, list, count, others);
    pass_substitute(x->u, out, loop->counted.var, counter);
    return out;
}

// Elements of the range: from = to, as the last copy left them.
static ir_stmt leave(struct ir_unit *u, const struct copy *c, base_loc loc) {
    ir_stmt parfor = double_buffer_copy(u, c->from, c->to, loc);
    for (uint32_t d = 0; d < u->arrays[c->to].ndims; d++) {
        struct ir_dim *dim = &u->dims[u->stmts[parfor].parfor.dims + d];
        dim->lo = c->ranges[d].lo;
        dim->hi = c->ranges[d].hi;
    }
    return parfor;
}

// The second arrays. *before, *after: what stands in front of the loop and behind it.
static void begin(struct copier *x, ir_stmt s, struct copy *list, uint32_t count, ir_stmt *before, ir_stmt *after) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[s].loc;
    for (uint32_t i = 0; i < count; i++) {
        struct copy *c = &list[i];
        const struct ir_array_info info = u->arrays[c->to];
        struct doubled_uses inside = double_buffer_uses(u, ir_body_of(&u->stmts[s]), c->from);
        uint8_t klass = u->arrays[c->from].klass;
        c->other = ir_add_array(u, u->arrays[c->from].name, (enum whorl_dtype)info.elem, IR_ARRAY_SCRATCH, info.ndims,
                                info.dims, info.loc);
        if (!c->whole) ir_append(u, before, double_buffer_copy(u, c->other, c->to, loc));
        if (klass != IR_ARRAY_SCRATCH || x->all[c->from] != accesses(&inside)) ir_append(u, after, leave(u, c, loc));
        base_text_format(x->p->explain, "copy_back: steps of the loop at line %u write '%s' and '%s' in turn\n",
                         u->cx->locs[loc].line, u->arrays[c->from].name, info.name);
    }
}

static ir_stmt unroll(struct copier *x, ir_stmt s, struct copy *list, uint32_t count, uint64_t trips) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint32_t lo = 0, step = (uint32_t)n.counted.step;
    ir_stmt out = 0, after = 0, body = 0;
    ir_is_const(u, n.counted.lo, &lo);
    uint32_t turn = lo + (uint32_t)(trips - trips % 2) * step;
    begin(x, s, list, count, &out, &after);
    ir_expr counter = ir_var_read(u, n.counted.var, n.loc);
    ir_append(u, &body, copy_counted(x, &n, list, count, false, counter));
    counter = ir_op2(u, IR_ADD, counter, ir_const(u, type, step), n.loc);
    ir_append(u, &body, copy_counted(x, &n, list, count, true, counter));
    ir_stmt last = trips % 2 ? copy_counted(x, &n, list, count, false, ir_const(u, type, turn)) : 0;
    u->stmts[s].counted.hi = ir_const(u, type, turn);
    u->stmts[s].counted.step = (int32_t)(step * 2);
    u->stmts[s].counted.body = body;
    u->stmts[s].counted.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    ir_append(u, &out, last);
    for (uint32_t i = 0; i < count && last; i++)
        ir_append(u, &out, double_buffer_copy(u, list[i].to, list[i].other, n.loc));
    ir_append(u, &out, after);
    return out;
}

// As nobody knows whether the loop makes an odd number of steps, or any, a variable keeps where elements are.
static ir_stmt unroll_open(struct copier *x, ir_stmt s, struct copy *list, uint32_t count) {
    enum { BOTH, IN_OTHER, NO_STEP };
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt out = 0, after = 0, back = 0;
    ir_var where = ir_add_var(u, "turn", IR_I32, IR_VAR_ENTRY, n.loc);
    ir_append(u, &out, ir_assign(u, where, ir_const_i32(u, NO_STEP), n.loc));
    begin(x, s, list, count, &out, &after);
    ir_stmt body = copy_step(x, n.loop.body, list, count, false), second = copy_step(x, n.loop.body, list, count, true);
    ir_append(u, &body, ir_assign(u, where, ir_const_i32(u, IN_OTHER), n.loc));
    ir_append(u, &second, ir_assign(u, where, ir_const_i32(u, BOTH), n.loc));
    ir_append(u, &body, ir_if(u, n.loop.cond, second, 0, n.loc));
    u->stmts[s].loop.body = body;
    u->stmts[s].loop.unroll = 2;
    u->stmts[s].next = 0;
    ir_append(u, &out, s);
    ir_expr at = ir_var_read(u, where, n.loc);
    for (uint32_t i = 0; i < count; i++)
        ir_append(u, &back, double_buffer_copy(u, list[i].to, list[i].other, n.loc));
    ir_append(u, &out, ir_if(u, ir_op2(u, IR_EQ, at, ir_const_i32(u, IN_OTHER), n.loc), back, 0, n.loc));
    if (after) ir_append(u, &out, ir_if(u, ir_op2(u, IR_NE, at, ir_const_i32(u, NO_STEP), n.loc), after, 0, n.loc));
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
        for (uint32_t i = 0; i < count; i++) {
            list[i] = (struct copy){.parfor = t, .store = stores[i]};
            found += fits(x, &list[i], body);
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
    x.all = pass_uses_of(p->u, p->u->root, 0).all;
    struct pass_rewriter copying = {.u = p->u, .user = &x, .phases = true, .replace = copy_loop};
    p->u->root = pass_rewrite_block(&copying, p->u->root);
}
