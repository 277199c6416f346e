// One dispatch for a program of several parallel loops: where barriers stand, and which arrays several workgroups
// share.
//
// In that dispatch the entry level runs in every invocation, and each PARFOR is a *phase* (sync_phases.c). Between two
// phases that conflict (sync_conflicts.c) a barrier must stand on every way from the one to the other. Walking in the
// order of execution with the set of phases since the last barrier, a barrier is placed as late as possible, just
// before the phase that conflicts: that gives the fewest on straight code. Loop bodies are walked until the set at
// their head is stable, so that what one pass leaves to the next is seen. In the end each barrier without which all
// conflicts are still separated is taken away.
//
// Sequential code that reads what it writes runs on invocation 0 alone (IR_FLAG_SOLO); what it computes is published
// through memory (sync_publish.c).
#include "pass/grid/sync.h"

#include "pass/cost.h"

#include <string.h>

static uint32_t *copy_set(struct pass_syncer *x, const uint32_t *from) {
    uint32_t *set = base_alloc_array(x->u->cx, x->words, sizeof *set);
    memcpy(set, from, x->words * sizeof *set);
    return set;
}

static bool join(struct pass_syncer *x, uint32_t *into, const uint32_t *from) {
    bool more = false;
    for (uint32_t w = 0; w < x->words; w++) {
        more |= (from[w] & ~into[w]) != 0;
        into[w] |= from[w];
    }
    return more;
}

// The phase runs: `pending` is what ran since the last barrier.
static void run_phase(struct pass_syncer *x, ir_stmt s, uint32_t *pending) {
    uint32_t number = x->phase_of[s] - 1;
    struct pass_need need = {0};
    bool needed = x->before[s].array != 0;
    for (uint32_t q = 0; q < 2 * x->count && !needed; q++)
        needed = ir_bit(pending, q) && pass_conflict(x, q % x->count, number, q >= x->count, &need);
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

static void walk(struct pass_syncer *x, ir_stmt block, uint32_t *pending);

// The set at the head of a loop becomes stable.
static void settle(struct pass_syncer *x, ir_stmt body, uint32_t *head) {
    uint32_t *out;
    do {
        out = copy_set(x, head);
        walk(x, body, out);
    } while (join(x, head, out));
}

// The loop begins anew: what ran in it before did so in other passes of the loops around it.
static void begin_anew(const struct pass_syncer *x, ir_stmt loop, uint32_t *pending) {
    for (uint32_t q = 0; q < x->count; q++) {
        const struct pass_phase *ph = &x->phases[q];
        for (uint32_t i = 0; ir_bit(pending, q) && i < ph->depth; i++) {
            if (ph->loops[i] != loop) continue;
            pending[q / 32] &= ~(1u << q % 32);
            pending[(x->count + q) / 32] |= 1u << (x->count + q) % 32;
        }
    }
}

// First the barriers that the passes need among themselves. If what came before the loop needs one more, it stands
// before the loop, where it is passed once.
static void walk_loop(struct pass_syncer *x, ir_stmt s, uint32_t *pending) {
    ir_stmt body = ir_body_of(&x->u->stmts[s]);
    begin_anew(x, s, pending);
    uint32_t *head = base_alloc_array(x->u->cx, x->words, sizeof *head);
    settle(x, body, head);
    bool was_dry = x->dry;
    struct pass_need outer = x->wanted;
    x->dry = true;
    x->wanted = (struct pass_need){0};
    join(x, head, pending);
    uint32_t *both = copy_set(x, head);
    settle(x, body, both);
    struct pass_need need = x->wanted;
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

static void walk(struct pass_syncer *x, ir_stmt block, uint32_t *pending) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        run_phase(x, s, pending);
        if (pass_is_leaf(x->u, s)) continue;
        if (n.kind == IR_IF) {
            uint32_t *other = copy_set(x, pending);
            walk(x, n.branch.then_block, pending);
            walk(x, n.branch.else_block, other);
            join(x, pending, other);
            continue;
        }
        walk_loop(x, s, pending);
    }
}

static const char *place_of(struct pass_syncer *x, ir_stmt s) { return base_place(x->u->cx, x->u->stmts[s].loc); }

static void say_barrier(struct pass_syncer *x, ir_stmt before, const struct pass_need *need) {
    base_text_format(x->p->explain, "barrier before %s: '%s' is %s at %s and %s at %s by another invocation\n",
                     place_of(x, before), x->u->arrays[need->array].name, need->earlier_writes ? "written" : "read",
                     place_of(x, need->earlier), need->later_writes ? "written" : "read", place_of(x, need->later));
}

static ir_stmt place(struct pass_syncer *x, ir_stmt block, uint32_t *count) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, last = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        const struct pass_need need = x->before[s];
        if (need.array) {
            ir_stmt b = ir_add_stmt(u, IR_BARRIER, u->stmts[s].loc);
            u->stmts[b].barrier.array = need.array;
            u->stmts[b].barrier.earlier = need.earlier;
            u->stmts[b].barrier.later = need.later;
            ir_append(u, last ? &last : &out, b);
            last = b;
            say_barrier(x, s, &need);
            ++*count;
        }
        if (!pass_is_leaf(u, s)) {
            ir_stmt inner;
            if (u->stmts[s].kind == IR_IF) {
                inner = place(x, u->stmts[s].branch.then_block, count);
                u->stmts[s].branch.then_block = inner;
                inner = place(x, u->stmts[s].branch.else_block, count);
                u->stmts[s].branch.else_block = inner;
            } else {
                inner = place(x, ir_body_of(&u->stmts[s]), count);
                ir_set_body(&u->stmts[s], inner);
            }
        }
        ir_append(u, last ? &last : &out, s);
        last = s;
    }
    return out;
}

// ---- loads of the entry level ---------------------------------------------------------------------------------------

struct shared_load {
    const struct ir_unit *u;
    bool found;
};
static bool on_load(void *user, ir_expr e) {
    struct shared_load *l = user;
    const struct ir_node *n = &l->u->nodes[e];
    l->found |= n->op == IR_LOAD && l->u->arrays[n->a].shared;
    return !l->found;
}

static bool loads_shared(const struct ir_unit *u, ir_stmt s) {
    struct shared_load l = {u, false};
    if (u->stmts[s].kind == IR_ASSIGN) ir_walk_expr(u, u->stmts[s].assign.value, on_load, &l);
    return l.found;
}

// Words that all invocations of a grid load at once come from one place of memory, which gives them one after the
// other. Where a block has barriers, so that all of a workgroup come together, and few such loads, one invocation of
// each workgroup makes them.
static void tell_groups(struct ir_unit *u, ir_stmt block) {
    bool meets = false;
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        meets |= u->stmts[s].kind == IR_BARRIER;
        count += loads_shared(u, s);
        ir_stmt inner[2];
        uint32_t blocks = pass_is_leaf(u, s) ? 0 : ir_blocks_of(&u->stmts[s], inner);
        for (uint32_t i = 0; i < blocks; i++)
            tell_groups(u, inner[i]);
    }
    for (ir_stmt s = block; s && meets && count <= PASS_TOLD_LOADS; s = u->stmts[s].next)
        if (loads_shared(u, s) && !(u->stmts[s].flags & IR_FLAG_SOLO)) u->stmts[s].flags |= IR_FLAG_GROUP;
}

// A barrier that was placed first may be of no use beside those that came later.
static void drop_needless(struct pass_syncer *x) {
    x->dry = true;
    for (ir_stmt s = 1; s < x->u->stmt_count; s++) {
        const struct pass_need need = x->before[s];
        if (!need.array) continue;
        uint32_t *pending = base_alloc_array(x->u->cx, x->words, sizeof *pending);
        x->before[s] = x->wanted = (struct pass_need){0};
        walk(x, x->u->root, pending);
        if (x->wanted.array) x->before[s] = need;
    }
}

static void say_arrays(struct pass_syncer *x) {
    const struct ir_unit *u = x->u;
    for (ir_array a = 1; a < u->array_count; a++) {
        bool written = false;
        for (uint32_t q = 0; q < x->count; q++)
            for (uint32_t i = 0; i < x->phases[q].list.count; i++)
                written |= x->phases[q].list.items[i].array == a && x->phases[q].list.items[i].store;
        if (written)
            base_text_format(x->p->explain, "sync: '%s' is %s\n", u->arrays[a].name,
                             u->arrays[a].shared ? "shared between workgroups (atomic words, or coherent vectors)"
                                                 : "plain: its owner alone touches what is written");
    }
}

void pass_sync(struct pass_cx *p) {
    struct pass_syncer x;
    pass_find_phases(&x, p);
    bool any_solo = false;
    for (uint32_t q = 0; q < x.count; q++)
        any_solo |= x.phases[q].solo;
    if (any_solo) {
        pass_publish(&x);
        pass_find_phases(&x, p);
        for (uint32_t q = 0; q < x.count; q++)
            x.phases[q].solo |= (p->u->stmts[x.phases[q].stmt].flags & IR_FLAG_SOLO) != 0;
    }
    struct base_cx *cx = p->u->cx;
    for (uint32_t q = 0; q < x.count; q++) {
        struct pass_phase *ph = &x.phases[q];
        for (uint32_t i = 0; i < ph->list.count; i++) {
            uint64_t bit = (uint64_t)1 << ph->list.items[i].array % 64;
            ph->touched |= bit;
            if (ph->list.items[i].store) ph->written |= bit;
        }
    }
    x.before = base_alloc_array(cx, p->u->stmt_count + 1, sizeof *x.before);
    x.conflicts = base_alloc_array(cx, (size_t)2 * x.count * x.count + 1, sizeof *x.conflicts);
    do {
        x.changed = false;
        uint32_t *pending = base_alloc_array(cx, x.words, sizeof *pending);
        walk(&x, p->u->root, pending);
    } while (x.changed);
    if (!p->trial) drop_needless(&x);
    // `shared` rests on all pairs, not only on those that the walk came to ask about.
    struct pass_need unused;
    for (uint32_t a = 0; a < x.count; a++) {
        for (uint32_t b = 0; b < x.count; b++) {
            if (b >= a || x.phases[a].depth) pass_conflict(&x, a, b, false, &unused);
            if (x.phases[a].depth > 1) pass_conflict(&x, a, b, true, &unused);
        }
    }
    uint32_t barriers = 0;
    p->u->root = place(&x, p->u->root, &barriers);
    tell_groups(p->u, p->u->root);
    say_arrays(&x);
}
