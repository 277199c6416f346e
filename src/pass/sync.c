// One dispatch for a program of several parallel loops: where barriers stand, and which arrays several workgroups share.
//
// In that dispatch the entry level runs in every invocation, and each PARFOR is a *phase* whose iteration i always runs on invocation
// i mod all. So an access has an owner: an iteration of a loop of one shape, invocation 0 of workgroup 0 (stores of sequential code),
// or everybody (loads of sequential code). Two accesses to one array of which one writes conflict unless their owner is surely the
// same; a barrier must stand on every way from the one to the other. Walking in the order of execution with the set of phases since the
// last barrier, a barrier is placed as late as possible, just before the phase that conflicts: that gives the fewest on straight code.
// Loop bodies are walked until the set at their head is stable, so that what one pass leaves to the next is seen.
//
// Sequential code that reads what it writes runs on invocation 0 alone (IR_FLAG_SOLO); what it computes is published through memory.
#include <string.h>

#include "pass/passes.h"

enum owner { OWNER_ITERATION, OWNER_FIRST, OWNER_ALL };

struct phase {
    ir_stmt stmt;
    struct pass_accesses list;
    struct pass_space space; // of a PARFOR
    bool parallel, solo, fixed_bounds;
};
struct need { // why a barrier stands before a statement
    ir_array array;
    ir_stmt earlier, later;
};
struct syncer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope scope;
    struct phase *phases;
    uint32_t count, cap;
    uint32_t *phase_of;          // by statement: 1 + its phase
    struct need *before;         // by statement
    uint8_t *conflicts;          // count * count: 0 not asked yet, 1 no, 2 yes
    struct need *why;            // the same
    uint32_t words;              // of a set of phases
    uint32_t *reads, read_count; // by variable, in the whole unit
    bool changed;
    bool dry; // nothing is placed: `wanted` takes what would be
    struct need wanted;
};

// ---- phases -------------------------------------------------------------------------------------------------------------------------

static bool is_leaf(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_PARFOR || n->kind == IR_COMBINE) return true;
    if (n->kind == IR_IF) return !pass_has_parallel(u, n->b) && !pass_has_parallel(u, n->c);
    if (n->kind == IR_FOR) return !pass_has_parallel(u, n->e);
    if (n->kind == IR_LOOP) return !pass_has_parallel(u, n->e) && !pass_has_parallel(u, n->b);
    return true;
}

static bool constant_node(void *user, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool ok;
    } *c = user;
    const struct ir_node *n = &c->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && c->u->vars[n->a].klass != IR_VAR_PARAM)) c->ok = false;
    return c->ok;
}

static bool is_fixed(const struct ir_unit *u, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool ok;
    } c = {u, true};
    ir_walk_expr(u, e, constant_node, &c);
    return c.ok;
}

static void collect_alone(struct syncer *x, ir_stmt s, struct pass_accesses *out) {
    ir_stmt next = x->u->stmts[s].next;
    x->u->stmts[s].next = 0;
    pass_collect(&x->scope, s, out);
    x->u->stmts[s].next = next;
}

static bool reads_what_it_writes(const struct phase *ph) {
    for (uint32_t i = 0; i < ph->list.count; i++)
        for (uint32_t k = 0; ph->list.items[i].store && k < ph->list.count; k++)
            if (!ph->list.items[k].store && ph->list.items[k].array == ph->list.items[i].array) return true;
    return false;
}

static void add_phase(struct syncer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    BASE_RESERVE(u->cx, x->phases, x->count, x->cap);
    struct phase *ph = &x->phases[x->count++];
    *ph = (struct phase){.stmt = s};
    x->phase_of[s] = x->count;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind == IR_COMBINE || n.kind == IR_STAGE) {
        BASE_RESERVE(u->cx, ph->list.items, ph->list.count, ph->list.cap);
        ph->list.items[ph->list.count++] =
            (struct pass_access){.array = n.kind == IR_STAGE ? n.b : n.c, .stmt = s, .n = 1};
        return;
    }
    if (!is_leaf(u, s)) { // the condition or the bounds of what stands around phases: read by everybody
        ir_stmt only = ir_if(u, n.kind == IR_FOR ? ir_op2(u, IR_LT, n.b, n.c, n.loc) : n.a, 0, 0, n.loc);
        if (u->stmts[only].a) collect_alone(x, only, &ph->list);
        return;
    }
    collect_alone(x, s, &ph->list);
    ph->parallel = n.kind == IR_PARFOR;
    if (ph->parallel) {
        pass_space_of(&x->scope, s, &ph->space);
        ph->fixed_bounds = true;
        for (uint32_t d = 0; d < n.n; d++)
            ph->fixed_bounds &= is_fixed(u, u->dims[n.a + d].lo) && is_fixed(u, u->dims[n.a + d].hi);
    } else if (reads_what_it_writes(ph)) {
        ph->solo = true;
    }
}

static void find_phases(struct syncer *x, ir_stmt block) {
    struct pass_scope *sc = &x->scope;
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        add_phase(x, s);
        if (n.kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (is_leaf(x->u, s)) continue;
        uint32_t inner = pass_scope_enter(sc);
        if (n.kind == IR_IF) {
            find_phases(x, n.b);
            find_phases(x, n.c);
        } else {
            pass_scope_loop(sc, s);
            find_phases(x, n.e);
        }
        pass_scope_leave(sc, inner);
    }
    pass_scope_leave(sc, mark);
}

// ---- conflicts ----------------------------------------------------------------------------------------------------------------------

static bool same_shape(const struct syncer *x, const struct phase *a, const struct phase *b) {
    if (!a->parallel || !b->parallel) return false;
    if ((x->u->stmts[a->stmt].flags | x->u->stmts[b->stmt].flags) & IR_FLAG_LANES) return false; // not one invocation
    if (a == b) return a->fixed_bounds;
    if (!a->fixed_bounds || !b->fixed_bounds || a->space.n != b->space.n) return false;
    const struct ir_dim *p = x->u->dims + x->u->stmts[a->stmt].a, *q = x->u->dims + x->u->stmts[b->stmt].a;
    for (uint32_t d = 0; d < a->space.n; d++)
        if (p[d].step != q[d].step || !pass_same_expr(x->u, p[d].lo, q[d].lo) ||
            !pass_same_expr(x->u, p[d].hi, q[d].hi))
            return false;
    return true;
}

static void add_renamed(struct syncer *x, struct pass_accesses *out, const struct phase *from, const struct phase *as,
                        ir_array array) {
    for (uint32_t i = 0; i < from->list.count; i++) {
        if (from->list.items[i].array != array) continue;
        BASE_RESERVE(x->u->cx, out->items, out->count, out->cap);
        struct pass_access *a = &out->items[out->count++];
        *a = from->list.items[i];
        for (uint32_t d = 0; from != as && d < a->n; d++)
            for (uint32_t v = 0; v < a->sub[d].n; v++)
                for (uint32_t k = 0; k < from->space.n; k++)
                    if (a->sub[d].vars[v] == from->space.vars[k]) {
                        a->sub[d].vars[v] = as->space.vars[k];
                        break;
                    }
    }
}

// Every element of the array that both phases touch belongs to one iteration number.
static bool same_owner(struct syncer *x, const struct phase *a, const struct phase *b, ir_array array) {
    if (!same_shape(x, a, b)) return false;
    struct pass_accesses list = {0};
    add_renamed(x, &list, a, a, array);
    if (a != b) add_renamed(x, &list, b, a, array);
    return pass_owned(&x->scope, &list, array, &a->space);
}

static enum owner owner_of(const struct phase *ph, const struct pass_access *a) {
    return ph->parallel ? OWNER_ITERATION : ph->solo || a->store ? OWNER_FIRST : OWNER_ALL;
}

// Constant indices that differ: never the same element, whatever the values of variables.
static bool apart(const struct pass_access *a, const struct pass_access *b) {
    for (uint32_t d = 0; d < a->n && d < b->n; d++)
        if (a->sub[d].ok && b->sub[d].ok && a->sub[d].n == 0 && b->sub[d].n == 0 &&
            a->sub[d].constant != b->sub[d].constant)
            return true;
    return false;
}

static bool is_atomic(const struct syncer *x, const struct pass_access *a) {
    return x->u->stmts[a->stmt].kind == IR_ATOMIC;
}

// `earlier` and `later` may be one phase in two passes of a loop.
static bool find_conflict(struct syncer *x, uint32_t earlier, uint32_t later, struct need *out) {
    const struct phase *a = &x->phases[earlier], *b = &x->phases[later];
    uint8_t *owned = base_alloc_array(x->u->cx, x->u->array_count, 1); // by array: 0 not asked yet, 1 no, 2 yes
    bool any = false;
    for (uint32_t i = 0; i < a->list.count; i++) {
        const struct pass_access *p = &a->list.items[i];
        for (uint32_t k = 0; k < b->list.count; k++) {
            const struct pass_access *q = &b->list.items[k];
            // Of an array in two halves only the reading that follows the writing needs a barrier.
            if (x->u->arrays[p->array].alternates && (!p->store || q->store)) continue;
            if (p->array != q->array || (!p->store && !q->store) || (is_atomic(x, p) && is_atomic(x, q))) continue;
            enum owner po = owner_of(a, p), qo = owner_of(b, q);
            if ((po == OWNER_FIRST && qo == OWNER_FIRST) || apart(p, q)) continue;
            if (po == OWNER_ITERATION && qo == OWNER_ITERATION) {
                if (!owned[p->array]) owned[p->array] = same_owner(x, a, b, p->array) ? 2 : 1;
                if (owned[p->array] == 2) continue;
            }
            x->u->arrays[p->array].shared = true;
            if (!any) *out = (struct need){p->array, p->stmt, q->stmt};
            any = true;
        }
    }
    return any;
}

static bool conflict(struct syncer *x, uint32_t earlier, uint32_t later, struct need *out) {
    uint32_t at = earlier * x->count + later;
    if (!x->conflicts[at]) x->conflicts[at] = find_conflict(x, earlier, later, &x->why[at]) ? 2 : 1;
    *out = x->why[at];
    return x->conflicts[at] == 2;
}

// ---- barriers -----------------------------------------------------------------------------------------------------------------------

static uint32_t *copy_set(struct syncer *x, const uint32_t *from) {
    uint32_t *set = base_alloc_array(x->u->cx, x->words, sizeof *set);
    memcpy(set, from, x->words * sizeof *set);
    return set;
}

static bool join(struct syncer *x, uint32_t *into, const uint32_t *from) {
    bool more = false;
    for (uint32_t w = 0; w < x->words; w++) {
        more |= (from[w] & ~into[w]) != 0;
        into[w] |= from[w];
    }
    return more;
}

// The phase runs: `pending` is what ran since the last barrier.
static void pass_phase(struct syncer *x, ir_stmt s, uint32_t *pending) {
    uint32_t number = x->phase_of[s] - 1;
    struct need need = {0};
    bool needed = x->before[s].array != 0;
    for (uint32_t q = 0; q < x->count && !needed; q++)
        needed = ir_bit(pending, q) && conflict(x, q, number, &need);
    if (needed) {
        if (!x->before[s].array && x->dry) {
            x->wanted = need;
        } else if (!x->before[s].array) {
            x->before[s] = need;
            x->changed = true;
        }
        memset(pending, 0, x->words * sizeof *pending);
    }
    if (x->phases[number].list.count) pending[number / 32] |= 1u << number % 32;
}

static void walk(struct syncer *x, ir_stmt block, uint32_t *pending);

// The set at the head of a loop becomes stable.
static void settle(struct syncer *x, ir_stmt body, uint32_t *head) {
    uint32_t *out;
    do {
        out = copy_set(x, head);
        walk(x, body, out);
    } while (join(x, head, out));
}

// First the barriers that the passes need among themselves. If what came before the loop needs one more, it stands before the loop,
// where it is passed once.
static void walk_loop(struct syncer *x, ir_stmt s, uint32_t *pending) {
    ir_stmt body = x->u->stmts[s].e;
    uint32_t *head = base_alloc_array(x->u->cx, x->words, sizeof *head);
    settle(x, body, head);
    bool was_dry = x->dry;
    struct need outer = x->wanted;
    x->dry = true;
    x->wanted = (struct need){0};
    join(x, head, pending);
    uint32_t *both = copy_set(x, head);
    settle(x, body, both);
    struct need need = x->wanted;
    x->dry = was_dry;
    x->wanted = outer;
    if (need.array && was_dry) {
        x->wanted = need;
    } else if (need.array) {
        x->before[s] = need;
        x->changed = true; // the walk is made again with it
    }
    join(x, pending, both);
}

static void walk(struct syncer *x, ir_stmt block, uint32_t *pending) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        pass_phase(x, s, pending);
        if (is_leaf(x->u, s)) continue;
        if (n.kind == IR_IF) {
            uint32_t *other = copy_set(x, pending);
            walk(x, n.b, pending);
            walk(x, n.c, other);
            join(x, pending, other);
            continue;
        }
        walk_loop(x, s, pending);
    }
}

static ir_stmt place(struct syncer *x, ir_stmt block, uint32_t *count) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        const struct need need = x->before[s];
        if (need.array) {
            ir_stmt b = ir_add_stmt(u, IR_BARRIER, u->stmts[s].loc);
            u->stmts[b].a = need.array;
            u->stmts[b].b = need.earlier;
            u->stmts[b].c = need.later;
            ir_append(u, &out, b);
            ++*count;
        }
        if (!is_leaf(u, s)) {
            ir_stmt inner;
            if (u->stmts[s].kind == IR_IF) {
                inner = place(x, u->stmts[s].b, count);
                u->stmts[s].b = inner;
                inner = place(x, u->stmts[s].c, count);
                u->stmts[s].c = inner;
            } else {
                inner = place(x, u->stmts[s].e, count);
                u->stmts[s].e = inner;
            }
        }
        ir_append(u, &out, s);
    }
    return out;
}

// ---- sequential code that only one invocation runs ------------------------------------------------------------------------------------

static ir_expr as_word(struct ir_unit *u, ir_var v, base_loc loc) {
    ir_expr e = ir_var_read(u, v, loc);
    switch ((enum ir_type)u->vars[v].type) {
    case IR_F32: return ir_op1(u, IR_BITS_F2U, e, loc);
    case IR_I32: return ir_op1(u, IR_I2U, e, loc);
    case IR_BOOL: return ir_op3(u, IR_SELECT, e, ir_const(u, IR_U32, 1), ir_const(u, IR_U32, 0), loc);
    default: return e;
    }
}

static ir_expr from_word(struct ir_unit *u, enum ir_type type, ir_expr e, base_loc loc) {
    switch (type) {
    case IR_F32: return ir_op1(u, IR_BITS_U2F, e, loc);
    case IR_I32: return ir_op1(u, IR_U2I, e, loc);
    case IR_BOOL: return ir_op2(u, IR_NE, e, ir_const(u, IR_U32, 0), loc);
    default: return e;
    }
}

// `s` was found to run alone: what it assigns, and others read, goes through an array of words to all others.
static ir_stmt publish(struct syncer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[s].loc;
    struct ir_effects fx = ir_effects_of(u, s);
    ir_stmt out = s, read = 0;
    u->stmts[s].flags |= IR_FLAG_SOLO;
    uint32_t words = 0, *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, s, inside);
    for (ir_var v = 1; v < fx.var_words * 32 && v < u->var_count; v++) {
        if (v < x->read_count && x->reads[v] == inside[v])
            fx.vars_written[v / 32] &= ~(1u << v % 32); // a loop's counter
        words += ir_bit(fx.vars_written, v);
    }
    if (!words) return out;
    ir_expr size = ir_const_i32(u, (int32_t)words);
    ir_array box = ir_add_array(u, "published", IR_ELEM_U32, IR_ARRAY_SCRATCH, 1, &size, loc);
    uint32_t at = 0;
    for (ir_var v = 1; v < fx.var_words * 32 && at < words; v++) {
        if (!ir_bit(fx.vars_written, v)) continue;
        ir_expr index = ir_const_i32(u, (int32_t)at++);
        ir_stmt w = ir_store(u, box, &index, 1, as_word(u, v, loc), loc);
        u->stmts[w].flags |= IR_FLAG_SOLO;
        ir_append(u, &out, w);
        ir_expr value = from_word(u, (enum ir_type)u->vars[v].type, ir_load(u, box, &index, 1, loc), loc);
        ir_append(u, &read, ir_assign(u, v, value, loc));
    }
    ir_append(u, &out, read);
    return out;
}

static ir_stmt publish_block(struct syncer *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_stmt done = s, inner;
        if (is_leaf(u, s)) {
            if (x->phases[x->phase_of[s] - 1].solo) done = publish(x, s);
        } else if (u->stmts[s].kind == IR_IF) {
            inner = publish_block(x, u->stmts[s].b);
            u->stmts[s].b = inner;
            inner = publish_block(x, u->stmts[s].c);
            u->stmts[s].c = inner;
        } else {
            inner = publish_block(x, u->stmts[s].e);
            u->stmts[s].e = inner;
        }
        ir_append(u, &out, done);
    }
    return out;
}

// ---- the pass -------------------------------------------------------------------------------------------------------------------------

static void start(struct syncer *x, struct pass_cx *p) {
    memset(x, 0, sizeof *x);
    x->p = p;
    x->u = p->u;
    pass_scope_init(&x->scope, p->u);
    x->phase_of = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *x->phase_of);
    find_phases(x, p->u->root);
    x->words = x->count / 32 + 1;
}

struct shape {
    uint32_t loops, parallel, stretches;
};
static void count_shape(const struct ir_unit *u, ir_stmt block, struct shape *out) {
    bool in_stretch = false;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_NOP) continue;
        if (n->kind == IR_COMBINE || (n->kind != IR_PARFOR && is_leaf(u, s))) {
            out->stretches += !in_stretch;
            in_stretch = true;
            continue;
        }
        in_stretch = false;
        if (n->kind == IR_PARFOR) out->parallel++;
        if (n->kind == IR_IF) {
            count_shape(u, n->b, out);
            count_shape(u, n->c, out);
        } else if (n->kind != IR_PARFOR) {
            out->loops++;
            count_shape(u, n->e, out);
        }
    }
}

bool pass_needs_grid(const struct ir_unit *u) {
    struct shape shape = {0};
    count_shape(u, u->root, &shape);
    return shape.parallel && (shape.loops || shape.parallel > 1 || shape.stretches > 1);
}

static void mark_points(struct ir_unit *u, ir_stmt block, uint32_t *number) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (is_leaf(u, s)) continue;
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_IF) {
            mark_points(u, n.b, number);
            mark_points(u, n.c, number);
        } else {
            u->stmts[s].flags |= IR_FLAG_GRID;
            u->stmts[s].resume = ++*number;
            mark_points(u, n.e, number);
        }
    }
}

// Loops around phases are where the program can stop between two slices.
void pass_mark_points(struct ir_unit *u) {
    uint32_t number = 0;
    mark_points(u, u->root, &number);
}

static void explain(struct syncer *x) {
    const struct ir_unit *u = x->u;
    const struct base_position *locs = u->cx->locs;
    for (ir_stmt s = 1; s < u->stmt_count; s++) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_BARRIER) continue;
        const struct ir_stmt_node *earlier = &u->stmts[n->b], *later = &u->stmts[n->c];
        bool writes = later->kind == IR_STORE && later->a == n->a;
        base_text_format(x->p->explain,
                         "barrier before line %u: '%s' is touched at line %u and %s at line %u by another invocation\n",
                         locs[n->loc].line, u->arrays[n->a].name, locs[earlier->loc].line, writes ? "written" : "read",
                         locs[later->loc].line);
    }
    for (ir_array a = 1; a < u->array_count; a++) {
        bool written = false;
        for (uint32_t q = 0; q < x->count; q++)
            for (uint32_t i = 0; i < x->phases[q].list.count; i++)
                written |= x->phases[q].list.items[i].array == a && x->phases[q].list.items[i].store;
        if (written)
            base_text_format(x->p->explain, "sync: '%s' is %s\n", u->arrays[a].name,
                             u->arrays[a].shared ? "shared between workgroups (atomic words)"
                                                 : "plain: its owner alone touches what is written");
    }
}

void pass_sync(struct pass_cx *p) {
    struct syncer x;
    start(&x, p);
    bool any_solo = false;
    for (uint32_t q = 0; q < x.count; q++)
        any_solo |= x.phases[q].solo;
    if (any_solo) {
        x.read_count = p->u->var_count;
        x.reads = base_alloc_array(p->u->cx, x.read_count, sizeof *x.reads);
        pass_count_reads(p->u, p->u->root, x.reads);
        p->u->root = publish_block(&x, p->u->root);
        start(&x, p);
        for (uint32_t q = 0; q < x.count; q++)
            x.phases[q].solo |= (p->u->stmts[x.phases[q].stmt].flags & IR_FLAG_SOLO) != 0;
    }
    struct base_cx *cx = p->u->cx;
    x.before = base_alloc_array(cx, p->u->stmt_count + 1, sizeof *x.before);
    x.conflicts = base_alloc_array(cx, (size_t)x.count * x.count + 1, 1);
    x.why = base_alloc_array(cx, (size_t)x.count * x.count + 1, sizeof *x.why);
    do {
        x.changed = false;
        uint32_t *pending = base_alloc_array(cx, x.words, sizeof *pending);
        walk(&x, p->u->root, pending);
    } while (x.changed);
    // `shared` rests on all pairs, not only on those that the walk came to ask about.
    struct need unused;
    for (uint32_t a = 0; a < x.count; a++)
        for (uint32_t b = a; b < x.count; b++)
            conflict(&x, a, b, &unused);
    uint32_t barriers = 0;
    p->u->root = place(&x, p->u->root, &barriers);
    explain(&x);
}
