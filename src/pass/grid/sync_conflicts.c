// Which phases need a barrier between them: ownership of elements.
//
// On which invocation iteration i runs, its number and the shape of its loop decide. So an access has an owner: an
// iteration of a loop of one shape, invocation 0 of workgroup 0 (stores of sequential code), everybody (loads of
// sequential code), or nobody (an update in a copy that the workgroup has: whoever comes by combines it). Two accesses
// to one array of which one writes conflict unless their owner is surely the same, or both are atomic updates that
// commute: that their phases may run at once says nothing about `+=` in one and `|=` in the other.
#include <string.h>

#include "pass/grid/sync.h"

enum owner { OWNER_ITERATION, OWNER_FIRST, OWNER_ALL, OWNER_NONE };

static bool same_shape(const struct pass_syncer *x, const struct pass_phase *a, const struct pass_phase *b) {
    const struct ir_stmt_node *m = &x->u->stmts[a->stmt], *n = &x->u->stmts[b->stmt];
    if (!a->parallel || !b->parallel) return false;
    if ((m->flags | n->flags) & IR_FLAG_LANES) return false;      // not one invocation
    if (m->parfor.tile_rows || n->parfor.tile_rows) return false; // tiles have their own order
    if ((m->flags | n->flags) & IR_FLAG_GROUP) return false;      // dealt out to whole workgroups
    if (a == b) return a->fixed_bounds;
    if (!a->fixed_bounds || !b->fixed_bounds || a->space.n != b->space.n) return false;
    const struct ir_dim *p = x->u->dims + m->parfor.dims, *q = x->u->dims + n->parfor.dims;
    for (uint32_t d = 0; d < a->space.n; d++)
        if (p[d].step != q[d].step || !ir_same_expr(x->u, p[d].lo, q[d].lo) || !ir_same_expr(x->u, p[d].hi, q[d].hi))
            return false;
    return true;
}

static void add_renamed(struct pass_syncer *x, struct pass_accesses *out, const struct pass_phase *from,
                        const struct pass_phase *as, ir_array array) {
    for (uint32_t i = 0; i < from->list.count; i++) {
        if (from->list.items[i].array != array) continue;
        BASE_RESERVE(x->u->cx, out->items, out->count, out->cap);
        struct pass_access *a = &out->items[out->count++];
        *a = from->list.items[i];
        if (from == as) continue;
        a->sub = base_alloc_array(x->u->cx, a->n, sizeof *a->sub);
        memcpy(a->sub, from->list.items[i].sub, a->n * sizeof *a->sub);
        for (uint32_t d = 0; d < a->n; d++)
            for (uint32_t v = 0; v < a->sub[d].n; v++)
                for (uint32_t k = 0; k < from->space.n; k++)
                    if (a->sub[d].vars[v] == from->space.vars[k]) {
                        a->sub[d].vars[v] = as->space.vars[k];
                        break;
                    }
    }
}

// Every element of the array that both phases touch belongs to one iteration number.
static bool same_owner(struct pass_syncer *x, const struct pass_phase *a, const struct pass_phase *b, ir_array array) {
    if (!same_shape(x, a, b)) return false;
    struct pass_accesses list = {0};
    add_renamed(x, &list, a, a, array);
    if (a != b) add_renamed(x, &list, b, a, array);
    return pass_owned(&x->scope, &list, array, &a->space);
}

static enum owner owner_of(const struct pass_syncer *x, const struct pass_phase *ph, const struct pass_access *a) {
    const struct ir_stmt_node *n = &x->u->stmts[a->stmt];
    if (a->store && n->kind == IR_ATOMIC && n->flags & IR_FLAG_GROUP) return OWNER_NONE;
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

// Atomic updates by one operator come to the same in any order, as long as nobody takes a value on the way. (What
// stands in an update's subscripts and operand is a plain load.)
static bool commute(const struct pass_syncer *x, const struct pass_access *a, const struct pass_access *b) {
    const struct ir_stmt_node *p = &x->u->stmts[a->stmt], *q = &x->u->stmts[b->stmt];
    if (!a->store || !b->store || p->kind != IR_ATOMIC || q->kind != IR_ATOMIC) return false;
    return p->atomic.op == q->atomic.op && p->atomic.op != IR_SELECT && !p->atomic.old && !q->atomic.old;
}

// What is told of several: a value that another invocation needs, rather than one that is overwritten.
static int worth(const struct pass_need *need) {
    return need->array == 0 ? 0 : need->earlier_writes ? (need->later_writes ? 1 : 3) : 2;
}

// `earlier` and `later` may be one phase in two passes of a loop.
static bool find_conflict(struct pass_syncer *x, uint32_t earlier, uint32_t later, bool anew, struct pass_need *out) {
    const struct pass_phase *a = &x->phases[earlier], *b = &x->phases[later];
    uint8_t *owned = base_alloc_array(x->u->cx, x->u->array_count, 1); // by array: 0 not asked yet, 1 no, 2 yes
    *out = (struct pass_need){0};
    for (uint32_t i = 0; i < a->list.count; i++) {
        const struct pass_access *p = &a->list.items[i];
        for (uint32_t k = 0; k < b->list.count; k++) {
            const struct pass_access *q = &b->list.items[k];
            // Of an array in two halves only the reading that follows the writing needs a barrier.
            if (x->u->arrays[p->array].alternates && (!p->store || q->store)) continue;
            if (p->array != q->array || (!p->store && !q->store) || commute(x, p, q)) continue;
            enum owner po = owner_of(x, a, p), qo = owner_of(x, b, q);
            if ((po == OWNER_FIRST && qo == OWNER_FIRST) || apart(p, q)) continue;
            if (po == OWNER_ITERATION && qo == OWNER_ITERATION) {
                if (!owned[p->array]) owned[p->array] = same_owner(x, a, b, p->array) ? 2 : 1;
                if (owned[p->array] == 2) continue;
            }
            if (pass_apart_by_bounds(x, a, p, b, q, anew)) continue;
            x->u->arrays[p->array].shared = true;
            const struct pass_need need = {p->array, p->stmt, q->stmt, p->store, q->store};
            if (worth(&need) > worth(out)) *out = need;
        }
    }
    return out->array != 0;
}

bool pass_conflict(struct pass_syncer *x, uint32_t earlier, uint32_t later, bool anew, struct pass_need *out) {
    uint32_t *known = &x->conflicts[((size_t)anew * x->count + earlier) * x->count + later];
    const struct pass_phase *a = &x->phases[earlier], *b = &x->phases[later];
    if (!*known && !(a->written & b->touched) && !(a->touched & b->written)) *known = 1; // most pairs
    if (!*known) {
        BASE_RESERVE(x->u->cx, x->why, x->why_count, x->why_cap);
        struct base_scratch scratch = base_scratch_begin(x->u->cx);
        *known = find_conflict(x, earlier, later, anew, &x->why[x->why_count]) ? 2 + x->why_count++ : 1;
        base_scratch_end(x->u->cx, &scratch);
    }
    *out = *known > 1 ? x->why[*known - 2] : (struct pass_need){0};
    return *known > 1;
}
