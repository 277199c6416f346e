// Where the lanes of an iteration wait for each other: one writes an element of an array, and another reads or writes
// it in a later statement of the body, as where one loop makes a row of weights and the next sums with all of them:
//
//   for (s <= t) p[t][s] = expf(p[t][s] - most);    lane s % lanes writes
//   -- they meet --
//   for (d < m) for (s <= t) y[t][d] += p[t][s] * v[s][d];    each lane reads all
//
// All of a workgroup come to the statements at the top of the body and in loops around shared ones, which all lanes
// make alike. So a barrier of the workgroup can stand between them, also between two passes of such a loop. It is a
// small price: a statement in front of it is a loop that lanes share, or the few things before one.
#include "pass/lanes/meet.h"

#include <string.h>

#include "pass/passes.h"

// Accesses since lanes met last.
struct since {
    struct ir_effects all, shared; // shared: of loops that lanes share, whose stores are of several lanes
};

// The loop that lanes share, which may stand under a condition (predicate.c); 0: the statement is none.
static ir_stmt shared_of(const struct ir_unit *u, ir_stmt s) {
    if (u->stmts[s].kind == IR_IF) s = ir_last_shared(u, u->stmts[s].branch.then_block);
    return s && u->stmts[s].kind == IR_FOR && u->stmts[s].flags & IR_FLAG_LANES ? s : 0;
}
static bool is_shared(const struct ir_unit *u, ir_stmt s) { return shared_of(u, s) != 0; }

static bool clash(const struct ir_unit *u, const struct since *before, const struct ir_effects *after, bool shared,
                  const bool *own) {
    for (ir_array a = 1; a < u->array_count; a++) {
        bool reads = ir_bit(after->arrays_read, a), writes = ir_bit(after->arrays_written, a),
             written = ir_bit(before->all.arrays_written, a);
        if (u->arrays[a].klass == IR_ARRAY_LOCAL || own[a]) continue;
        if ((written && reads) || (writes && ir_bit(before->all.arrays_read, a))) return true;
        if (writes && (shared ? written : ir_bit(before->shared.arrays_written, a))) return true; // else by one lane
    }
    return false;
}

static void add(struct ir_effects *io, const struct ir_effects *fx) {
    for (uint32_t i = 0; i < io->array_words; i++) {
        io->arrays_read[i] |= fx->arrays_read[i];
        io->arrays_written[i] |= fx->arrays_written[i];
    }
}

struct combining {
    const struct ir_unit *u;
    bool found;
};
static bool on_loop(void *user, ir_stmt s) {
    struct combining *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->found |= n->kind == IR_FOR && n->flags & IR_FLAG_LANES && n->counted.reduction_count;
    return !x->found;
}

// Lanes combine what they have at its end, each after its loads.
static bool combines(struct ir_unit *u, ir_stmt s) {
    struct combining x = {u, false};
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_walk_stmts(u, s, on_loop, &x);
    u->stmts[s].next = next;
    return x.found;
}

// A loop around those that lanes share, whose passes all of them make.
static bool is_around(const struct ir_unit *u, ir_stmt s) { return !is_shared(u, s) && ir_has_shared(u, s); }

// An array that the program updates by atomics: other iterations may, too.
struct updates {
    const struct ir_unit *u;
    ir_array array;
    bool captures, others; // takes an old value; touches the array in another way
};
static bool on_update(void *user, ir_stmt s) {
    struct updates *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ATOMIC && n->atomic.array == x->array) x->captures |= n->atomic.old != 0;
    if (n->kind == IR_STORE && n->store.array == x->array) x->others = true;
    return true;
}
static bool on_loaded(void *user, ir_expr e) {
    struct updates *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->others |= n->op == IR_LOAD && n->a == x->array;
    return true;
}

// The statement only updates the array, once in each pass: by the lane that makes the pass, or by one of all. An old
// value is for the lane that takes it.
static bool only_updates(struct ir_unit *u, ir_stmt s, ir_array a, bool shared) {
    struct updates x = {.u = u, .array = a};
    struct ir_visitor v = {.on_stmt = on_update, .on_node = on_loaded, .user = &x};
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_walk_block(u, s, &v);
    u->stmts[s].next = next;
    return !x.others && (shared || !x.captures);
}

bool pass_is_apart_inside(struct ir_unit *u, ir_stmt s, const bool *own, bool is_atomic) {
    if (is_around(u, s)) {
        ir_stmt t = ir_body_of(&u->stmts[s]);
        while (t && pass_is_apart_inside(u, t, own, is_atomic))
            t = u->stmts[t].next;
        return !t;
    }
    struct ir_effects fx = ir_effects_of_one(u, s);
    // The passes of such a loop touch nothing of each other.
    ir_stmt loop = shared_of(u, s);
    bool shared = loop && u->stmts[loop].flags & IR_FLAG_FREE;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (u->arrays[a].klass == IR_ARRAY_LOCAL || !ir_bit(fx.arrays_written, a)) continue;
        bool again = ir_bit(fx.arrays_read, a) && !own[a];
        if (is_atomic && u->arrays[a].atomic && !u->arrays[a].updated) {
            if (!only_updates(u, s, a, shared)) return false;
            continue;
        }
        if (again && !shared) return false;
        if (again) u->stmts[loop].flags |= IR_FLAG_OWN; // its passes stay one by one: each may load what it stored
    }
    return true;
}

struct meeting {
    struct ir_unit *u;
    const bool *own;
    bool only_counts; // and puts nothing in
    uint32_t value;   // of the marks
    ir_stmt last;
    struct since since;
    uint32_t count;
};

static struct since nothing(const struct ir_unit *u) {
    return (struct since){ir_effects_empty(u), ir_effects_empty(u)};
}

static void add_since(struct since *io, const struct since *more) {
    add(&io->all, &more->all);
    add(&io->shared, &more->shared);
}

static bool is_meeting(const struct ir_unit *u, ir_stmt s) {
    return u->stmts[s].kind == IR_NOP && u->stmts[s].nop.mark == IR_MARK_MEET;
}

// Returns the block with its meetings.
static ir_stmt meet_in(struct meeting *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block, before = 0; s; before = s, s = u->stmts[s].next) {
        bool rest = before == x->last && before; // one lane makes it alone
        if (!rest && is_around(u, s)) {
            struct since without = nothing(u); // it may make no pass
            add_since(&without, &x->since);
            uint32_t passes = ir_is_once(u, s) ? 1 : 2; // behind another one, too
            for (uint32_t pass = 0; pass < passes; pass++) {
                ir_stmt body = meet_in(x, ir_body_of(&u->stmts[s]));
                ir_set_body(&u->stmts[s], body);
            }
            add_since(&x->since, &without);
            continue;
        }
        struct ir_effects fx = rest ? ir_effects_of(u, s) : ir_effects_of_one(u, s);
        if (clash(u, &x->since, &fx, is_shared(u, s), x->own)) {
            ir_stmt meet = x->only_counts ? 0 : ir_add_stmt(u, IR_NOP, u->stmts[s].loc);
            if (meet) {
                u->stmts[meet].nop.mark = IR_MARK_MEET;
                u->stmts[meet].nop.value = x->value;
                u->stmts[meet].next = s;
                if (before)
                    u->stmts[before].next = meet;
                else
                    block = meet;
            }
            x->count++;
            x->since = nothing(u);
        }
        if (rest) break;
        add(&x->since.all, &fx);
        if (is_shared(u, s)) add(&x->since.shared, &fx);
        if (combines(u, s)) memset(x->since.all.arrays_read, 0, fx.array_words * sizeof *fx.arrays_read);
        if (is_meeting(u, s)) x->since = nothing(u);
    }
    return block;
}

uint32_t pass_count_meetings(struct ir_unit *u, ir_stmt body, ir_stmt last, const bool *own) {
    struct meeting x = {.u = u, .own = own, .only_counts = true, .last = last, .since = nothing(u)};
    meet_in(&x, body);
    return x.count;
}

uint32_t pass_meet_between(struct ir_unit *u, ir_stmt body, ir_stmt last, const bool *own) {
    bool *others = base_alloc_array(u->cx, u->array_count, sizeof *others);
    for (ir_array a = 1; a < u->array_count; a++)
        others[a] = own[a] || u->arrays[a].expanded;
    bool near = pass_count_meetings(u, body, last, others) == 0; // only what pass_near moves is met for
    struct meeting x = {.u = u, .own = own, .value = near, .last = last, .since = nothing(u)};
    meet_in(&x, body); // nothing stands in front of its first statement
    return x.count;
}
