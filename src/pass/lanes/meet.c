// Where the lanes of an iteration wait for each other: one writes an element of an array, and another reads or writes
// it in a later statement of the body, as where one loop makes a row of weights and the next sums with all of them:
//
//   for (s <= t) p[t][s] = expf(p[t][s] - most);    lane s % lanes writes
//   -- they meet --
//   for (d < m) for (s <= t) y[t][d] += p[t][s] * v[s][d];    each lane reads all
//
// All of a workgroup come to the statements at the top of the body, so a barrier of the workgroup can stand between
// them. It is a small price: a statement in front of it is a loop that lanes share, or the few things before one.
#include "pass/lanes/meet.h"

#include <string.h>

#include "pass/passes.h"

// Accesses since lanes met last.
struct since {
    struct ir_effects all, shared; // shared: of loops that lanes share, whose stores are of several lanes
};

static bool is_shared(const struct ir_unit *u, ir_stmt s) {
    return u->stmts[s].kind == IR_FOR && u->stmts[s].flags & IR_FLAG_LANES;
}

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
    struct ir_visitor visitor = {.on_stmt = on_loop, .user = &x};
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_walk_block(u, s, &visitor);
    u->stmts[s].next = next;
    return x.found;
}

bool pass_is_apart_inside(struct ir_unit *u, ir_stmt s, const bool *own) {
    struct ir_effects fx = ir_effects_of_one(u, s);
    // The passes of such a loop touch nothing of each other.
    bool shared = is_shared(u, s) && u->stmts[s].flags & IR_FLAG_FREE;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (u->arrays[a].klass == IR_ARRAY_LOCAL || !ir_bit(fx.arrays_written, a)) continue;
        bool again = ir_bit(fx.arrays_read, a) && !own[a];
        if (u->arrays[a].atomic || (again && !shared)) return false;
        if (again) u->stmts[s].flags |= IR_FLAG_OWN; // its passes stay one by one: each may load what it stored
    }
    return true;
}

uint32_t pass_meet_between(struct ir_unit *u, ir_stmt body, ir_stmt last, const bool *own) {
    struct since since = {ir_effects_empty(u), ir_effects_empty(u)};
    uint32_t count = 0;
    for (ir_stmt s = body, before = 0; s; before = s, s = u->stmts[s].next) {
        bool rest = before == last && last; // one lane makes it alone
        struct ir_effects fx = rest ? ir_effects_of(u, s) : ir_effects_of_one(u, s);
        if (before && clash(u, &since, &fx, is_shared(u, s), own)) {
            ir_stmt meet = ir_add_stmt(u, IR_NOP, u->stmts[s].loc);
            u->stmts[meet].nop.mark = IR_MARK_MEET;
            u->stmts[meet].next = s;
            u->stmts[before].next = meet;
            since = (struct since){ir_effects_empty(u), ir_effects_empty(u)};
            count++;
        }
        if (rest) break;
        add(&since.all, &fx);
        if (is_shared(u, s)) add(&since.shared, &fx);
        if (combines(u, s)) memset(since.all.arrays_read, 0, fx.array_words * sizeof *fx.arrays_read);
    }
    return count;
}
