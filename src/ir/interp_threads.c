// Who runs what, for those who look for races: the marks of the front end (IR_MARK_*) say where a region of several
// threads begins, where its threads meet, and which code one of them runs alone. Code of a region outside of its
// parallel loops stands once in the program and is run by all threads.
//
// A PARFOR outside of marks is a region of its own: its threads meet before and after.
#include "ir/interp.h"

static void add(struct interp *in, struct ir_actors actors) {
    actors.first = in->last_iteration + 1;
    if (!ir_races_add_actors(in->races, &actors)) ir_interp_fail(in, WHORL_MEMORY, 0, "out of memory");
}

// Who runs the code that follows, where no parallel loop does.
static void enter(struct interp *in, enum ir_actor_kind kind) {
    in->team.alone = kind;
    in->team.actor = 0;
    if (!in->team.threads) return;
    add(in, (struct ir_actors){.kind = (uint8_t)kind, .count = 1});
    in->team.actor = ++in->last_iteration;
}

static void meet(struct interp *in) {
    in->races->actor_count = 0;
    in->races->met = in->last_iteration;
    if (in->team.threads) enter(in, in->team.alone);
}

void ir_interp_mark(struct interp *in, const struct ir_stmt_node *stmt) {
    if (!in->races) return;
    uint32_t value = stmt->nop.value;
    switch (stmt->nop.mark) {
    case IR_MARK_TEAM:
        in->team.threads = value ? value : UINT32_MAX;
        in->team.alone = IR_ACTOR_ALL;
        meet(in);
        break;
    case IR_MARK_JOIN:
        in->team.threads = 0;
        in->team.actor = 0;
        meet(in);
        break;
    case IR_MARK_BARRIER: meet(in); break;
    case IR_MARK_ONE: enter(in, value ? IR_ACTOR_MASTER : IR_ACTOR_ONE); break;
    case IR_MARK_ALL: enter(in, IR_ACTOR_ALL); break;
    case IR_MARK_THREADS: in->team.next_threads = true; break;
    case IR_MARK_DYNAMIC: in->team.next_dynamic = true; break;
    case IR_MARK_SAFELEN: in->passes.next_safelen = value; break;
    case IR_MARK_COMBINED:
        if (in->passes.combined_count < IR_MOST_COMBINED) in->passes.combined[in->passes.combined_count++] = value;
        break;
    case IR_MARK_LOCK: in->lock = value; break;
    case IR_MARK_UNLOCK: in->lock = 0; break;
    default: break;
    }
}

void ir_interp_begin_parfor(struct interp *in, ir_stmt s, const uint32_t *lo, const uint64_t *trips, uint64_t total) {
    in->parfor = s;
    if (!in->races) return;
    if (!in->team.threads) meet(in);
    struct ir_actors actors = {.kind = in->team.next_threads ? IR_ACTOR_THREADS : IR_ACTOR_LOOP,
                               .dynamic = in->team.next_dynamic,
                               .loop = s,
                               .count = total};
    for (uint32_t d = 0; d < in->u->stmts[s].parfor.dim_count; d++) {
        actors.lo[d] = lo[d];
        actors.trips[d] = trips[d];
    }
    in->team.next_threads = in->team.next_dynamic = false;
    if (total) add(in, actors);
}

// What the loop reduces is then set by one thread.
void ir_interp_end_parfor(struct interp *in) {
    in->parfor = 0;
    if (!in->races) return;
    if (in->team.threads)
        enter(in, IR_ACTOR_ONE);
    else
        meet(in);
}

void ir_interp_after_parfor(struct interp *in) {
    if (in->races && in->team.threads) enter(in, IR_ACTOR_ALL);
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static struct ir_access access_of(const struct interp *in) {
    struct ir_access a = {.u = in->u, .at = in->at, .lock = in->lock};
    bool several = in->team.threads != 1;
    a.actor = !several ? 0 : in->parfor ? in->iteration : in->team.actor;
    a.simd = in->passes.loop;
    a.pass = in->passes.pass;
    a.pass_value = in->passes.value;
    a.pass_var = in->passes.var;
    a.safelen = in->passes.safelen;
    a.how = in->lock ? IR_ACCESS_LOCKED : IR_ACCESS_PLAIN;
    return a;
}

static void look(struct interp *in, const struct ir_access *a, enum ir_touch touch) {
    if (!(touch == IR_TOUCH_READ ? ir_shadow_read(in->races, a)
                                 : ir_shadow_write(in->races, a, touch == IR_TOUCH_UPDATE)))
        ir_interp_fail(in, WHORL_MEMORY, 0, "out of memory for the race check");
}

void ir_interp_look(struct interp *in, ir_array array, uint64_t element, enum ir_touch touch, bool atomic,
                    bool changes) {
    const struct ir_array_info *info = &in->u->arrays[array];
    bool shared = (info->klass == IR_ARRAY_INOUT || info->klass == IR_ARRAY_SCRATCH) && !info->of_thread;
    if (!in->races || !shared || array == in->u->log) return;
    struct ir_access a = access_of(in);
    if (!a.actor && !a.simd) return;
    a.array = array;
    a.dims = in->arrays[array].dims;
    a.count = in->arrays[array].count;
    a.element = element;
    a.changes = changes;
    if (atomic && !in->lock) a.how = IR_ACCESS_ATOMIC;
    look(in, &a, touch);
}

static bool is_reduced(const struct interp *in, ir_var var) {
    const struct ir_stmt_node *n = &in->u->stmts[in->parfor];
    for (uint32_t i = 0; in->parfor && i < n->parfor.reduction_count; i++)
        if (in->u->reductions[n->parfor.reductions + i].var == var) return true;
    return false;
}

static bool is_combined(const struct interp *in, ir_var var) {
    for (uint32_t i = 0; i < in->passes.combined_count; i++)
        if (in->passes.combined[i] == var) return true;
    return is_reduced(in, var);
}

void ir_interp_look_var(struct interp *in, ir_var var, enum ir_touch touch, bool changes) {
    const struct ir_var_info *info = &in->u->vars[var];
    if (!in->races || !info->named) return;
    struct ir_access a = access_of(in);
    a.var = var;
    a.count = 1;
    a.changes = changes;
    if (a.simd && touch == IR_TOUCH_READ && in->vars[var].simd == a.simd && in->vars[var].pass != a.pass &&
        (!a.safelen || a.pass - in->vars[var].pass < a.safelen) && !is_combined(in, var))
        ir_races_report_pass(in->races, &a, in->vars[var].set_at);
    if (touch == IR_TOUCH_WRITE) {
        in->vars[var].simd = a.simd;
        in->vars[var].pass = a.pass;
        in->vars[var].set_at = in->at;
    }
    a.simd = 0; // what a pass sets for itself alone is no race with other passes
    if (a.actor && info->shared && info->klass == IR_VAR_ENTRY && !is_reduced(in, var)) look(in, &a, touch);
}

// ---- simd -----------------------------------------------------------------------------------------------------------

bool ir_interp_begin_passes(struct interp *in, const struct ir_stmt_node *stmt) {
    if (!in->races || in->passes.loop || !(stmt->flags & IR_FLAG_SIMD)) return false;
    in->passes.loop = ++in->passes.loops;
    in->passes.pass = 0;
    in->passes.safelen = in->passes.next_safelen;
    in->passes.var = stmt->counted.var;
    in->passes.next_safelen = 0;
    return true;
}

void ir_interp_pass(struct interp *in, uint32_t value) {
    in->passes.pass++;
    in->passes.value = value;
}

void ir_interp_end_passes(struct interp *in) {
    in->passes.loop = 0;
    in->passes.combined_count = 0;
}
