// What a change to the unit does to barriers: it is made in a copy, which then gets its barriers.
#include "pass/cost.h"
#include "pass/grid/sync.h"

// Barriers of the block; one in a loop counts for many.
static uint64_t barriers_in(const struct ir_unit *u, ir_stmt block, uint32_t depth) {
    uint64_t sum = 0, each = 1;
    for (uint32_t i = 0; i < depth && i < PASS_RECOMPUTE_DEEPEST; i++)
        each *= PASS_UNKNOWN_TRIPS;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        bool is_loop = n->kind == IR_FOR || n->kind == IR_LOOP;
        if (n->kind == IR_BARRIER) sum += each;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            sum += barriers_in(u, inner[i], depth + is_loop);
    }
    return sum;
}

struct pass_trial pass_trial_begin(const struct ir_unit *u) {
    return (struct pass_trial){0, base_alloc_array(u->cx, u->array_count, sizeof(bool))};
}

void pass_try_sync(struct pass_cx *copy, ir_array arrays, struct pass_trial *out) {
    copy->trial = true;
    pass_ping_pong(copy);
    pass_sync(copy);
    out->barriers = barriers_in(copy->u, copy->u->root, 0);
    for (ir_array a = 1; a < arrays; a++)
        out->shared[a] = copy->u->arrays[a].shared;
}

bool pass_trial_pays(const struct ir_unit *u, const struct pass_trial *now, const struct pass_trial *then) {
    for (ir_array a = 1; a < u->array_count; a++) {
        bool small = u->arrays[a].klass == IR_ARRAY_SCRATCH &&
                     pass_elements(u, a, 0, PASS_RECOMPUTE_VALUES + 1) <= PASS_RECOMPUTE_VALUES;
        if (then->shared[a] && !now->shared[a] && !small) return false;
    }
    return then->barriers < now->barriers;
}
