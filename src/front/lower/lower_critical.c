// `#pragma omp critical` and `ordered`. A GPU has no locks that iterations could wait at, so there a section of updates
// becomes atomic ones, and a loop with `ordered` is made in order. The CPU compiles both as they stand; what is lowered
// of them then is for those who look for races.
#include "front/lower/lower.h"

#include <string.h>

static const struct lower_flow on = {.falls = true};

static uint32_t lock_of(struct lower *lw, const char *name) {
    for (uint32_t i = 0; i < lw->lock_count; i++)
        if (strcmp(lw->locks[i], name) == 0) return i + 1;
    BASE_RESERVE(lw->cx, lw->locks, lw->lock_count, lw->lock_cap);
    lw->locks[lw->lock_count++] = name;
    return lw->lock_count;
}

struct lower_flow lower_locked(struct lower *lw, struct front_node *body, const char *lock, base_loc loc) {
    bool before = lw->in_critical;
    lower_mark(lw, IR_MARK_LOCK, lock_of(lw, lock), loc);
    lw->in_critical = lw->u->locks = true;
    struct lower_flow flow = lower_statement(lw, body);
    lw->in_critical = before;
    lower_mark(lw, IR_MARK_UNLOCK, 0, loc);
    return flow;
}

struct lower_flow lower_critical(struct lower *lw, struct front_node *node) {
    struct front_node *body = node->omp->body;
    base_loc loc = node->omp->loc;
    struct lower_flow flow = on;
    lower_mark(lw, IR_MARK_LOCK, lock_of(lw, node->omp->lock), loc);
    bool is_best = lw->in_parfor && lower_is_best_section(lw, node);
    if (!lw->in_parfor || is_best) { // one thread, in order; or its own
        bool before = lw->in_best;
        lw->in_best = is_best;
        flow = lower_statement(lw, body);
        lw->in_best = before;
    } else if (node->omp->append && !lw->user->target.cpu_only) {
        lower_append(lw, node->omp);
    } else if (lower_is_updates(lw, body)) {
        lower_updates(lw, body);
    } else {
        if (!lw->user->target.cpu_only)
            base_unsupported(
                lw->cx, loc,
                "this 'critical' is for the CPU alone: on a GPU a section can add, subtract, combine by & | ^, append "
                "to a list, as in 'list[count++] = i;', or keep the smallest or largest of all and values beside it, "
                "as in 'if (v > most) { most = v; at = i; }', where nothing else of the loop uses these; use a "
                "reduction clause, or give each thread its own, and "
                "join these behind the loop in a critical section");
        flow = lower_locked(lw, body, node->omp->lock, loc);
    }
    lower_mark(lw, IR_MARK_UNLOCK, 0, loc);
    return flow;
}

// Where iterations are made in order, nothing has to wait. Elsewhere - the CPU does it, and this is for those who look
// for races - a lock says that iterations come here one at a time.
struct lower_flow lower_ordered(struct lower *lw, struct front_node *node) {
    base_loc loc = node->omp->loc;
    if (!lw->in_parfor || lw->in_passes) return lower_statement(lw, node->omp->body);
    return lower_locked(lw, node->omp->body, node->omp->lock, loc);
}
