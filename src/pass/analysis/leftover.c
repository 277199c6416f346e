// Does anybody see what is left in a thread's own memory (threadprivate)? Not where each iteration that loads an
// element has stored it before: then an iteration may have memory of its own, whichever thread runs it.
//
// The law: a set of boxes holds elements that were stored for certain on the way to a place. Their ends are a constant
// more than an expression that has one value there, so loops to a bound that only the run knows are seen, too. Of a
// loop's pass [k + a, k + b], its passes leave [first + a, last + b]; where it makes none, that box is empty. For the
// same reason [a, b] and [b + 1, c] are [a, c], whatever b is. What stands under a condition leaves nothing, but where
// both branches store it. What only a number that is known when the program is called could tell, as whether all of
// [0, n] reaches 3, becomes a condition that is asked then. A loop that begins by the thread's number shares out
// iterations, and begins with an empty set, in each pass. Of a list (leftover_list.c) what is in front of its counter
// is stored, too, where the counter was set on the way.
#include <string.h>

#include "pass/analysis/depend.h"
#include "pass/analysis/leftover_list.h"
#include "pass/cost.h"
#include "pass/passes.h"

struct end {     // sym + c
    ir_expr sym; // 0: nothing
    int64_t c;
    bool ok;
};
struct box {
    struct end lo[IR_MAX_DIMS], hi[IR_MAX_DIMS];
};
struct counter {
    ir_var var;
    struct end first, last, least, most; // the last one: no later pass begins before it
    int32_t step;
    bool in_list; // it is in front of the list's counter, whenever the body's statements run
};
struct left {
    struct ir_unit *u;
    struct pass_scope sc;
    ir_array array;
    uint32_t dims;      // behind the one of threads
    ir_var thread;      // counts the threads of the parallel loop around; 0: none
    bool *changes;      // by array: some statement writes it
    struct end *now;    // by variable: what it is here, if that is known
    bool is_dry, found; // loads are not looked at; one sees what was left
    struct counter counters[PASS_LEFT_LOOPS];
    uint32_t counter_count;
    struct box boxes[PASS_LEFT_BOXES];
    uint32_t count;
    struct left_list list; // the array, if it is one
    bool is_begun;         // its counter was set on the way here
    bool *in_front;        // by variable: it is the list's counter's value, or was before that grew
    bool assumes;          // what may be asked when the program is called
    struct pass_left *out;
};

// ---- ends -----------------------------------------------------------------------------------------------------------

struct stable {
    const struct left *x;
    ir_var without; // a counter; 0: none
    bool is;
};
static bool on_stable(void *user, ir_expr e) {
    struct stable *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    if (n->op == IR_VAR) q->is = q->is && pass_scope_stable(&q->x->sc, n->a) && n->a != q->without;
    if (n->op == IR_LOAD) q->is = q->is && !q->x->changes[n->a];
    return q->is;
}
static bool is_stable(const struct left *x, ir_expr e, ir_var without) {
    struct stable q = {x, without, true};
    if (e) ir_walk_expr(x->u, e, on_stable, &q);
    return q.is;
}

static struct end end_of(const struct left *x, ir_expr e, uint32_t depth) {
    const struct ir_node n = x->u->nodes[e];
    uint32_t bits;
    if (ir_is_const(x->u, e, &bits)) return (struct end){0, (int32_t)bits, true};
    bool is_sum = n.op == IR_ADD || n.op == IR_SUB;
    if (is_sum && depth < PASS_LEFT_DEEPEST && ir_is_const(x->u, n.b, &bits)) {
        struct end a = end_of(x, n.a, depth + 1);
        a.c += n.op == IR_ADD ? (int32_t)bits : -(int64_t)(int32_t)bits;
        return a;
    }
    if (n.op == IR_ADD && depth < PASS_LEFT_DEEPEST && ir_is_const(x->u, n.a, &bits)) {
        struct end b = end_of(x, n.b, depth + 1);
        b.c += (int32_t)bits;
        return b;
    }
    if (n.op == IR_VAR && x->now[n.a].ok) return x->now[n.a];
    return (struct end){e, 0, is_stable(x, e, 0)};
}

static bool same_symbol(const struct left *x, const struct end *a, const struct end *b) {
    return a->sym == b->sym || (a->sym && b->sym && ir_same_expr(x->u, a->sym, b->sym));
}

static const struct counter *counter_of(const struct left *x, ir_expr sym) {
    const struct ir_node *n = &x->u->nodes[sym];
    for (uint32_t i = 0; sym && n->op == IR_VAR && i < x->counter_count; i++)
        if (x->counters[i].var == n->a) return &x->counters[i];
    return NULL;
}

// A parameter, or an element of one that the program leaves alone.
static bool is_known_at_call(const struct left *x, ir_expr e) {
    const struct ir_node n = x->u->nodes[e];
    if (n.op == IR_VAR) return x->u->vars[n.a].klass == IR_VAR_PARAM;
    bool is = n.op == IR_LOAD && (x->u->arrays[n.a].klass == IR_ARRAY_IN || x->u->arrays[n.a].klass == IR_ARRAY_INOUT);
    for (uint32_t i = 0; is && i < n.n; i++)
        is = ir_is_const(x->u, x->u->args[n.b + i], NULL);
    return is && !x->changes[n.a];
}

// Whether b - a is at least that much is asked when the program is called.
static bool ask(const struct left *x, ir_expr b, ir_expr a, int64_t least) {
    struct pass_left *out = x->out;
    for (uint32_t i = 0; i < out->count; i++) {
        const struct pass_left_if *c = &out->items[i];
        struct end one = {c->e, 0, true}, other = {c->other, 0, true};
        if (c->least >= least && same_symbol(x, &one, &(struct end){b, 0, true}) &&
            same_symbol(x, &other, &(struct end){a, 0, true}))
            return true;
    }
    if (out->count == PASS_LEFT_ASKED) return false;
    out->items[out->count++] = (struct pass_left_if){b, a, least};
    return true;
}

static bool is_at_most(const struct left *x, struct end a, struct end b, uint32_t depth) {
    if (!a.ok || !b.ok) return false;
    if (same_symbol(x, &a, &b)) return a.c <= b.c;
    const struct counter *one = counter_of(x, a.sym), *two = counter_of(x, b.sym);
    struct end most = one ? one->most : a, least = two ? two->least : b;
    most.c += one ? a.c : 0;
    least.c += two ? b.c : 0;
    if (one && depth < PASS_LEFT_DEEPEST && is_at_most(x, most, b, depth + 1)) return true;
    if (two && depth < PASS_LEFT_DEEPEST && is_at_most(x, a, least, depth + 1)) return true;
    struct pass_range from = {0, 0, true}, to = {0, 0, true};
    if (a.sym) from = pass_range_of(&x->sc, a.sym);
    if (b.sym) to = pass_range_of(&x->sc, b.sym);
    if (from.known && to.known && from.hi + a.c <= to.lo + b.c) return true;
    bool is_known = b.sym && is_known_at_call(x, b.sym) && (!a.sym || is_known_at_call(x, a.sym));
    return x->assumes && is_known && ask(x, b.sym, a.sym, a.c - b.c);
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

// Of two constants, or of one symbol.
static bool is_surely(const struct left *x, struct end a, struct end b) {
    return a.ok && b.ok && same_symbol(x, &a, &b) && a.c <= b.c;
}

// The part is of the box, for no index leaves the array.
static bool holds(const struct left *x, const struct box *b, const struct box *part) {
    for (uint32_t d = 0; d < x->dims; d++) {
        struct end last = end_of(x, x->u->arrays[x->array].dims[1 + d], 0);
        last.c--;
        bool begins = is_surely(x, b->lo[d], (struct end){0, 0, true}), ends = is_surely(x, last, b->hi[d]);
        if (!begins && !is_at_most(x, b->lo[d], part->lo[d], 0)) return false;
        if (!ends && !is_at_most(x, part->hi[d], b->hi[d], 0)) return false;
    }
    return true;
}

static bool are_equal(const struct left *x, const struct end *a, const struct end *b) {
    return same_symbol(x, a, b) && a->c == b->c;
}

// Two boxes side by side in one dimension, and the same in all others.
static bool join(const struct left *x, const struct box *a, const struct box *b, struct box *out) {
    uint32_t apart = 0, at = 0;
    for (uint32_t d = 0; d < x->dims; d++)
        if (!are_equal(x, &a->lo[d], &b->lo[d]) || !are_equal(x, &a->hi[d], &b->hi[d])) apart++, at = d;
    if (apart != 1) return false;
    struct end next = a->hi[at];
    next.c++;
    *out = *a;
    out->hi[at] = b->hi[at];
    return are_equal(x, &next, &b->lo[at]);
}

static void add(struct left *x, const struct box *b) {
    if (x->count == PASS_LEFT_BOXES) return;
    for (uint32_t i = 0; i < x->count; i++)
        if (holds(x, &x->boxes[i], b)) return;
    const uint32_t own = x->count++;
    struct box both;
    x->boxes[own] = *b;
    for (uint32_t i = 0; i < own; i++)
        if (join(x, &x->boxes[i], b, &both) || join(x, b, &x->boxes[i], &both)) add(x, &both);
}

static void add_all(struct left *x, const struct box *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        add(x, &list[i]);
}

static struct box *copy_from(const struct left *x, uint32_t first) {
    struct box *list = base_alloc_array(x->u->cx, x->count - first + 1, sizeof *list);
    memcpy(list, x->boxes + first, (x->count - first) * sizeof *list);
    return list;
}

// A box that holds the element at these indices, and (`exactly`) no other one; false: there is none.
static bool element_of(const struct left *x, uint32_t indices, uint32_t count, bool exactly, struct box *out) {
    if (count != x->dims + 1 || !x->thread) return false;
    struct end thread = end_of(x, x->u->args[indices], 0);
    const struct ir_node *n = &x->u->nodes[thread.sym];
    if (!thread.ok || thread.c || !thread.sym || n->op != IR_VAR || n->a != x->thread) return false;
    for (uint32_t d = 0; d < x->dims; d++) {
        ir_expr index = x->u->args[indices + 1 + d];
        struct end at = end_of(x, index, 0);
        out->lo[d] = out->hi[d] = at;
        struct pass_range r = at.ok ? (struct pass_range){0, 0, false} : pass_range_of(&x->sc, index);
        if (!at.ok && (exactly || !r.known)) return false;
        if (!at.ok) out->lo[d] = (struct end){0, r.lo, true}, out->hi[d] = (struct end){0, r.hi, true};
    }
    return true;
}

// The list's counter, or a number that is no greater.
static bool is_end_of_list(const struct left *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    return x->list.is && (left_is_count(x->u, &x->list, e) || (n->op == IR_VAR && x->in_front[n->a]));
}

// An index that a loop counts up to the list's counter.
static bool is_in_list(const struct left *x, const struct ir_node *load) {
    ir_var var;
    int64_t c;
    if (!x->list.is || !x->is_begun || load->n != 2 || !x->thread) return false;
    const struct ir_node *thread = &x->u->nodes[x->u->args[load->b]];
    if (thread->op != IR_VAR || thread->a != x->thread) return false;
    if (!left_is_beside(x->u, x->u->args[load->b + 1], &var, &c) || c > 0) return false;
    for (uint32_t i = 0; i < x->counter_count; i++) {
        struct end least = x->counters[i].least;
        least.c += c;
        if (x->counters[i].var == var && x->counters[i].in_list)
            return is_at_most(x, (struct end){0, x->list.from, true}, least, 0);
    }
    return false;
}

static bool on_load(void *user, ir_expr e) {
    struct left *x = user;
    const struct ir_node n = x->u->nodes[e];
    struct box b;
    if (n.op != IR_LOAD || n.a != x->array || x->is_dry || x->found) return !x->found;
    bool is_known = element_of(x, n.b, n.n, false, &b), is_held = is_in_list(x, &n);
    for (uint32_t i = 0; i < 2 * x->count && is_known && !is_held; i++) {
        const uint32_t known = x->out->count;
        x->assumes = i >= x->count;
        is_held = holds(x, &x->boxes[x->count - 1 - i % x->count], &b);
        if (!is_held) x->out->count = known;
    }
    x->assumes = false;
    x->found = !is_held;
    return true;
}
static void load(struct left *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, on_load, x);
}
static void load_indices(struct left *x, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        load(x, x->u->args[first + i]);
}

// ---- loops ----------------------------------------------------------------------------------------------------------

// What passes leave of the box that each of them stores: all of them, or (`before`) those before this one. False:
// nothing that is known.
static bool sweep(const struct left *x, const struct counter *c, const struct box *b, bool before, struct box *out) {
    uint32_t at = x->dims;
    int32_t size = c->step > 0 ? c->step : -c->step;
    *out = *b;
    for (uint32_t d = 0; d < x->dims; d++) {
        const struct ir_node *lo = &x->u->nodes[b->lo[d].sym];
        bool counts = b->lo[d].sym && lo->op == IR_VAR && lo->a == c->var && same_symbol(x, &b->lo[d], &b->hi[d]);
        if (counts && at == x->dims)
            at = d;
        else if (counts || !is_stable(x, b->lo[d].sym, c->var) || !is_stable(x, b->hi[d].sym, c->var))
            return false;
    }
    if (at == x->dims) return !before && is_at_most(x, c->least, c->most, 0);
    int64_t lo = b->lo[at].c, hi = b->hi[at].c;
    // where there may be no pass, as before the first one, only of boxes no wider than the step are the ends apart then
    if (hi - lo + 1 > size && (before || !is_at_most(x, c->least, c->most, 0))) hi = lo + size - 1;
    struct end other = before ? (struct end){b->lo[at].sym, -c->step, true} : c->last;
    out->lo[at] = c->step > 0 ? c->first : other;
    out->hi[at] = c->step > 0 ? other : c->first;
    out->lo[at].c += lo;
    out->hi[at].c += hi;
    return out->lo[at].ok && out->hi[at].ok && hi - lo + 1 >= size;
}

static void pass_block(struct left *x, ir_stmt block);

// What the block sets is not known where it may have run, or not.
static void forget(struct left *x, ir_stmt block) {
    struct ir_effects inside = ir_effects_of(x->u, block);
    bool resets = x->list.is && left_resets_inside(x->u, &x->list, block);
    for (ir_var v = 0; v < x->u->var_count; v++) {
        bool is_set = ir_bit(inside.vars_written, v);
        x->now[v].ok = x->now[v].ok && !is_set;
        x->in_front[v] = x->in_front[v] && !is_set && !resets;
    }
}

// One pass of a loop, whose boxes are added.
static void pass_once(struct left *x, ir_stmt s, bool is_dry) {
    const struct ir_stmt_node n = x->u->stmts[s];
    bool was_dry = x->is_dry;
    uint32_t mark = pass_scope_enter(&x->sc);
    pass_scope_loop(&x->sc, s);
    x->is_dry = x->is_dry || is_dry;
    forget(x, n.counted.body);
    pass_block(x, n.counted.body);
    forget(x, n.counted.body);
    x->is_dry = was_dry;
    pass_scope_leave(&x->sc, mark);
}

// In place of the boxes from `outer` on: what passes leave of those from `from` on.
static void keep_swept(struct left *x, const struct counter *c, uint32_t outer, uint32_t from, bool before) {
    uint32_t kept = 0;
    struct box *list = base_alloc_array(x->u->cx, x->count - from + 1, sizeof *list);
    for (uint32_t i = from; i < x->count; i++)
        kept += sweep(x, c, &x->boxes[i], before, &list[kept]);
    x->count = outer;
    add_all(x, list, kept);
}

static struct counter count_by(const struct left *x, const struct ir_stmt_node *n) {
    struct counter c = {.var = n->counted.var, .step = n->counted.step};
    c.first = end_of(x, n->counted.lo, 0);
    c.last = end_of(x, n->counted.hi, 0);
    struct end beside = c.last; // the one before the bound
    beside.c += c.step > 0 ? -1 : 1;
    c.last.c -= c.step;
    c.least = c.step > 0 ? c.first : beside;
    c.most = c.step > 0 ? beside : c.first;
    return c;
}

static bool on_thread(void *user, ir_expr e) {
    struct stable *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    q->is = q->is || (n->op == IR_VAR && n->a == q->x->thread);
    return !q->is;
}
static bool names_thread(const struct left *x, ir_expr e) {
    struct stable q = {x, 0, false};
    ir_walk_expr(x->u, e, on_thread, &q);
    return q.is;
}

static void pass_for(struct left *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    const uint32_t outer = x->count;
    const bool is_shared = x->thread && names_thread(x, n.counted.lo);
    const bool leaves = pass_leaves_loop(x->u, n.counted.body), was_begun = x->is_begun;
    struct counter c = count_by(x, &n);
    c.in_list = c.step > 0 && is_end_of_list(x, n.counted.hi) && !left_resets_inside(x->u, &x->list, n.counted.body);
    load(x, n.counted.lo);
    load(x, n.counted.hi);
    x->found |= x->counter_count == PASS_LEFT_LOOPS;
    if (x->found) return;
    x->counters[x->counter_count++] = c;
    if (is_shared) { // nothing of what is there is an iteration's own
        struct box *list = copy_from(x, 0);
        x->count = 0;
        x->is_begun = false;
        pass_once(x, s, false);
        x->count = 0;
        memcpy(x->boxes, list, outer * sizeof *list);
        x->count = outer;
    } else {
        if (!x->is_dry && !leaves) {
            pass_once(x, s, true);
            keep_swept(x, &c, outer, outer, true);
        }
        uint32_t from = x->count;
        pass_once(x, s, false);
        if (leaves) x->count = from;
        keep_swept(x, &c, outer, from, false);
    }
    x->is_begun = was_begun;
    x->counter_count--;
}

// A loop with `k < counter` in its condition is one that counts in front of it, while its body leaves both alone.
static ir_var counts_in_list(const struct left *x, const struct ir_stmt_node *loop, ir_expr cond) {
    const struct ir_node n = x->u->nodes[cond];
    if (!x->list.is || !cond) return 0;
    if (n.op == IR_LAND) {
        ir_var var = counts_in_list(x, loop, n.a);
        return var ? var : counts_in_list(x, loop, n.b);
    }
    if (n.op != IR_LT || x->u->nodes[n.a].op != IR_VAR || !is_end_of_list(x, n.b)) return 0;
    ir_var var = x->u->nodes[n.a].a;
    bool is_set = ir_bit(ir_effects_of(x->u, loop->loop.body).vars_written, var);
    bool is = !is_set && !left_resets_inside(x->u, &x->list, loop->loop.body);
    return is && left_counts_up(x->u, var, x->list.from) ? var : 0;
}

// ---- statements -----------------------------------------------------------------------------------------------------

// A block that may not run, or not to its end. True: to its end, a list has been begun.
static bool pass_part(struct left *x, ir_stmt block) {
    uint32_t mark = pass_scope_enter(&x->sc);
    bool was_begun = x->is_begun, begins;
    pass_block(x, block);
    pass_scope_leave(&x->sc, mark);
    forget(x, block);
    begins = x->is_begun;
    x->is_begun = was_begun;
    return begins;
}

static void pass_loop(struct left *x, const struct ir_stmt_node *n) {
    const uint32_t outer = x->count, counters = x->counter_count;
    ir_var var = counts_in_list(x, n, n->loop.cond);
    forget(x, n->loop.body);
    forget(x, n->loop.continuing);
    load(x, n->loop.cond);
    if (var && counters < PASS_LEFT_LOOPS)
        x->counters[x->counter_count++] =
            (struct counter){.var = var, .least = {0, x->list.from, true}, .in_list = true};
    pass_part(x, n->loop.body);
    x->counter_count = counters;
    pass_part(x, n->loop.continuing);
    x->count = outer;
}

static void pass_if(struct left *x, const struct ir_stmt_node *n) {
    const uint32_t outer = x->count;
    const bool was_begun = x->is_begun;
    load(x, n->branch.cond);
    struct end *now = base_alloc_array(x->u->cx, x->u->var_count, sizeof *now);
    memcpy(now, x->now, x->u->var_count * sizeof *now);
    bool begins = pass_part(x, n->branch.then_block);
    memcpy(x->now, now, x->u->var_count * sizeof *now);
    uint32_t count = x->count - outer, kept = 0;
    struct box *list = copy_from(x, outer);
    x->count = outer;
    begins = pass_part(x, n->branch.else_block) && begins;
    for (uint32_t i = 0; i < count; i++) {
        bool is_both = false;
        for (uint32_t k = outer; k < x->count && !is_both; k++)
            is_both = holds(x, &x->boxes[k], &list[i]);
        if (is_both) list[kept++] = list[i];
    }
    forget(x, n->branch.then_block);
    x->count = outer;
    add_all(x, list, kept);
    x->is_begun = was_begun || begins;
}

static void pass_parfor(struct left *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    uint32_t mark = pass_scope_enter(&x->sc), outer = x->count;
    for (uint32_t d = 0; d < n.parfor.dim_count; d++) {
        load(x, x->u->dims[n.parfor.dims + d].lo);
        load(x, x->u->dims[n.parfor.dims + d].hi);
    }
    pass_scope_parfor(&x->sc, s);
    x->thread = n.parfor.dim_count == 1 ? x->u->dims[n.parfor.dims].var : 0;
    x->is_begun = false;
    x->list = x->dims == 1 ? left_find_list(x->u, x->array, n.parfor.body) : (struct left_list){0};
    forget(x, n.parfor.body);
    pass_block(x, n.parfor.body);
    forget(x, n.parfor.body);
    x->thread = 0;
    x->is_begun = x->list.is = false;
    x->count = outer;
    pass_scope_leave(&x->sc, mark);
}

// A variable, or an element of the thread itself, is set.
static bool is_own(const struct left *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    const struct ir_node *thread = n->kind == IR_STORE ? &x->u->nodes[x->u->args[n->store.indices]] : NULL;
    return !thread || (thread->op == IR_VAR && thread->a == x->thread && x->thread);
}

static void pass_stmt(struct left *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    struct ir_write w = ir_write_of(&n);
    struct box b;
    load_indices(x, w.indices, w.index_count);
    load(x, w.value);
    load(x, w.expected);
    switch (n.kind) {
    case IR_ASSIGN:
        load(x, n.assign.value);
        pass_scope_assign(&x->sc, s);
        x->now[n.assign.var] = end_of(x, n.assign.value, 0);
        x->in_front[n.assign.var] = is_end_of_list(x, n.assign.value);
        break;
    case IR_STORE:
        if (w.array == x->array && element_of(x, w.indices, w.index_count, true, &b)) add(x, &b);
        break;
    case IR_ATOMIC:
        x->found |= w.array == x->array;
        x->now[n.atomic.old].ok = x->in_front[n.atomic.old] = false;
        break;
    case IR_IF: pass_if(x, &n); break;
    case IR_FOR: pass_for(x, s); break;
    case IR_PARFOR: pass_parfor(x, s); break;
    case IR_LOOP: pass_loop(x, &n); break;
    default: break;
    }
    if (!x->list.is || !left_resets(x->u, &x->list, s)) return;
    memset(x->in_front, 0, x->u->var_count * sizeof *x->in_front);
    if (is_own(x, s)) x->is_begun = true;
}

static void pass_block(struct left *x, ir_stmt block) {
    for (ir_stmt s = block; s && !x->found; s = x->u->stmts[s].next)
        pass_stmt(x, s);
}

static bool on_write(void *user, ir_stmt s) {
    struct left *x = user;
    struct ir_write w = ir_write_of(&x->u->stmts[s]);
    if (w.array) x->changes[w.array] = true;
    return true;
}

bool pass_sees_left(struct ir_unit *u, const char *name, struct pass_left *out) {
    struct left *x = base_alloc(u->cx, sizeof *x);
    struct pass_cx p = {.u = u, .target = &plan_base_target};
    size_t size = strlen(name);
    x->u = u;
    x->out = out;
    out->count = 0;
    pass_fold(&p); // `memset` of one variable is a loop of one pass
    pass_counted(&p);
    x->now = base_alloc_array(u->cx, u->var_count, sizeof *x->now);
    x->in_front = base_alloc_array(u->cx, u->var_count, sizeof *x->in_front);
    x->changes = base_alloc_array(u->cx, u->array_count, sizeof *x->changes);
    ir_walk_stmts(u, u->root, on_write, x);
    for (ir_array a = 1; a < u->array_count && !x->found; a++) {
        const struct ir_array_info *info = &u->arrays[a];
        bool is_it = info->klass == IR_ARRAY_SCRATCH && info->name && strncmp(info->name, name, size) == 0 &&
                     (!info->name[size] || info->name[size] == '.');
        if (!is_it) continue;
        x->array = a;
        x->dims = info->ndims - 1;
        x->count = x->counter_count = x->thread = 0;
        x->is_begun = x->list.is = false;
        memset(x->now, 0, u->var_count * sizeof *x->now);
        memset(x->in_front, 0, u->var_count * sizeof *x->in_front);
        pass_scope_init(&x->sc, u);
        pass_block(x, u->root);
    }
    return x->found;
}
