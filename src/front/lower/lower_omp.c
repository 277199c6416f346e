// OpenMP directives. A worksharing loop at entry level becomes PARFOR; inside of one, a team has one thread and loops
// are ordinary.
//
// The code of a parallel region outside of worksharing loops is the same for all threads, so it is lowered once, at
// entry level. Variables of the region belong to each thread: one that a worksharing loop writes gets a copy for each
// iteration, and reading it after the loop, when threads would hold different values, is refused.
#include "front/lower/lower_best.h"

#include <string.h>

static const struct lower_flow on = {.falls = true};

// ---- the parallel loop ----------------------------------------------------------------------------------------------

struct part_query {
    const struct front_symbol *symbol;
    bool found;
};

// `s.row[k] = x`: an element of an array that a struct holds, and not of one that its pointer leads to.
static bool sets_part(void *user, const struct front_node *node) {
    struct part_query *q = user;
    if (node->kind != FRONT_ASSIGN && node->kind != FRONT_ASSIGN_OP) return !q->found;
    const struct front_node *to = node->a;
    for (;;) {
        bool is_element = to->kind == FRONT_INDEX && to->a->kind == FRONT_CAST && to->a->flags & FRONT_FLAG_DECAY;
        if (!is_element && to->kind != FRONT_MEMBER) break;
        to = is_element ? to->a->a : to->a;
    }
    q->found |= to->kind == FRONT_VAR && to->symbol == q->symbol;
    return !q->found;
}

// Variables of the region (or of a `parallel for` all that it makes private) that the body writes.
static bool add_written(void *user, const struct front_node *node) {
    struct {
        struct lower *lw;
        struct lower_bindings *list;
        const struct front_node *body;
    } *q = user;
    if (node->kind == FRONT_VAR && node->symbol->kind != FRONT_SYM_FUNCTION) {
        struct lower_object *object = q->lw->objects[node->symbol->id];
        if (object && object->region_private && object->var_class == IR_VAR_ENTRY && !object->ident->per_thread) {
            bool scalar = node->symbol->type->kind != FRONT_ARRAY;
            struct part_query part = {node->symbol, false};
            if (node->symbol->type->kind == FRONT_STRUCT) lower_scan(q->body, sets_part, &part);
            if (!scalar || part.found || lower_writes(q->body, node->symbol) || node->symbol->address_taken) {
                uint32_t before = q->list->count;
                lower_share_bind(q->lw, q->list, node->symbol, FRONT_OMP_PRIVATE, node->loc);
                if (q->list->count != before) q->list->items[before].made_varying = true;
            }
        }
    }
    return true;
}

// A loop's own variable is private anyway; whether its last value is wanted is remembered.
static void take_counters(const struct front_omp *omp, struct lower_bindings *io_list,
                          struct front_symbol *out_last[IR_MAX_DIMS]) {
    for (uint32_t d = 0; d < omp->collapse && d < IR_MAX_DIMS; d++)
        for (uint32_t i = 0; i < io_list->count; i++)
            if (io_list->items[i].symbol == omp->loops[d].var) {
                if (io_list->items[i].sharing & FRONT_OMP_LASTPRIVATE) out_last[d] = omp->loops[d].var;
                io_list->items[i] = io_list->items[--io_list->count];
                break;
            }
}

static void take_clauses(struct lower *lw, const struct front_omp *omp, struct front_node *body,
                         struct lower_bindings *out, struct front_symbol *out_last[IR_MAX_DIMS]) {
    lower_share_clauses(lw, out, omp);
    take_counters(omp, out, out_last);
    for (uint32_t i = 0; i < out->count; i++)
        if (out->items[i].sharing & FRONT_OMP_LINEAR) lower_linear_check(lw, out->items[i].clause, body);
}

enum { MOST_REDUCTIONS = 16 };
struct reductions {
    struct ir_reduction irs[MOST_REDUCTIONS];
    struct lower_reduced reduced[MOST_REDUCTIONS];
    uint32_t count;
};

// The loop's own, and those of the region whose variables its body names.
static void begin_reductions(struct lower *lw, const struct front_omp *omp, const struct front_node *body,
                             struct reductions *out) {
    lw->reduced_array_count = 0;
    for (uint32_t i = 0; i < omp->var_count; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        if (!(v->sharing & FRONT_OMP_REDUCTION) || lower_reduces_words(lw, v) || lower_reduces_rows(lw, v)) continue;
        if (front_is_arithmetic(v->symbol->type))
            lower_reduce_begin(lw, v, out->irs, out->reduced, &out->count);
        else if (lw->reduced_array_count == MOST_REDUCTIONS)
            base_unsupported(lw->cx, v->loc, "more than %d reductions of arrays on one loop", MOST_REDUCTIONS);
        else
            lw->reduced_arrays[lw->reduced_array_count++] = v;
    }
    for (uint32_t i = 0; i < lw->region_reduction_count; i++)
        if (lower_mentions(body, lw->region_reductions[i]->symbol) &&
            !lower_reduces_words(lw, lw->region_reductions[i]))
            lower_reduce_begin(lw, lw->region_reductions[i], out->irs, out->reduced, &out->count);
}

// What a region's threads own and the loop changes is the loop's, too; arrays that it only reads stay what they are.
static void take_region_variables(struct lower *lw, const struct front_node *body, const struct reductions *reductions,
                                  struct lower_bindings *io_list) {
    if (lw->in_region) {
        struct {
            struct lower *lw;
            struct lower_bindings *list;
            const struct front_node *body;
        } q = {lw, io_list, body};
        for (uint32_t i = 0; i < reductions->count; i++)
            reductions->reduced[i].outer->region_private = false;
        lower_scan(body, add_written, &q);
    }
    for (uint32_t i = 0; i < io_list->count; i++)
        if (io_list->items[i].made_varying && io_list->items[i].symbol->type->kind == FRONT_ARRAY &&
            !lower_array_written(body, io_list->items[i].symbol))
            io_list->items[i--] = io_list->items[--io_list->count];
}

// The body's statements, but for the iterations of a box around the loops that are none of theirs.
static void emit_guarded(struct lower *lw, const struct lower_space *space, ir_stmt inner, base_loc loc) {
    ir_expr guard = lower_bool(lw, true);
    for (uint32_t d = 0; d < space->n; d++)
        if (space->guarded[d]) {
            ir_expr at = ir_var_read(lw->u, space->dims[d].var, loc);
            guard = lower_fold2(lw, IR_LAND, guard, lower_fold2(lw, IR_GE, at, space->lo[d], loc), loc);
            guard = lower_fold2(lw, IR_LAND, guard, lower_fold2(lw, IR_LT, at, space->hi[d], loc), loc);
        }
    int64_t always;
    lower_emit(lw, lower_const_int(lw, guard, &always) && always ? inner : ir_if(lw->u, guard, inner, 0, loc));
}

// What the counters of `lastprivate` hold behind the loop.
static void restore_counters(struct lower *lw, const struct lower_space *space,
                             struct front_symbol *const last[IR_MAX_DIMS], base_loc loc) {
    for (uint32_t d = 0; d < space->n; d++) {
        if (!last[d]) continue;
        if (space->guarded[d])
            base_unsupported(lw->cx, loc,
                             "lastprivate(%s): its bounds depend on another counter of the collapsed loops",
                             last[d]->name);
        struct lower_place whole = lower_whole(lower_symbol_object(lw, last[d], loc));
        ir_expr end = lower_final_value(lw, space->dims[d].lo, space->dims[d].hi, space->dims[d].step, loc);
        end = lower_space_value(lw, space, d, end, loc);
        lower_store_place(lw, &whole, (struct lower_value){.type = last[d]->type, .e = end}, loc);
    }
}

// One iteration's body. `last`: what lower_last_restore needs.
static ir_stmt lower_iteration(struct lower *lw, const struct front_node *loop, struct front_node *body_node,
                               struct lower_bindings *list, struct lower_space *space,
                               const struct lower_pair_sums *sums, struct lower_bests *bests,
                               struct lower_object *last[LOWER_MOST_LAST]) {
    const struct front_omp *omp = loop->omp;
    base_loc loc = omp->loc;
    uint32_t first_target = lw->target_count;
    for (uint32_t i = 0; i < first_target; i++)
        lw->targets[i].blocked = true;
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_parfor = true;
    lower_log_enter_parallel(lw, space->dims, space->n, loc);
    lower_share_begin(lw, list, omp);
    lower_linear_begin(lw, list, space);
    lower_pairs_begin(lw, sums, loc);
    lower_bests_begin(lw, bests, loc);
    struct lower_block inner = {0, 0};
    lower_enter(lw, &inner);
    uint32_t next = lower_push_target(lw, LOWER_TO_CONTINUE, false, loc);
    lower_statement(lw, body_node);
    lower_pop_target(lw, next);
    lower_carried_check(lw, list, loop, body_node, inner.head);
    ir_stmt save = lower_last_save(lw, list, space, last, loc);
    lower_enter(lw, &body);
    emit_guarded(lw, space, inner.head, loc);
    lower_emit(lw, save);
    lower_pairs_save(lw, sums, space, loc);
    lower_bests_save(lw, bests, space, loc);
    lw->in_parfor = false;
    lw->implied_count = 0;
    lower_log_leave(lw);
    lower_leave(lw, before);
    for (uint32_t i = 0; i < first_target; i++)
        lw->targets[i].blocked = false;
    return body.head;
}

static void emit_parfor(struct lower *lw, const struct front_omp *omp, const struct ir_dim *dims, uint32_t count,
                        const struct ir_reduction *irs, uint32_t all, ir_stmt body, bool threads) {
    bool dynamic = omp->sections || (omp->schedule && strcmp(omp->schedule, "static") != 0);
    if (threads || dynamic) lower_mark(lw, threads ? IR_MARK_THREADS : IR_MARK_DYNAMIC, 0, omp->loc);
    ir_stmt s = ir_add_stmt(lw->u, IR_PARFOR, omp->loc);
    uint32_t first_dim = ir_add_dims(lw->u, dims, count);
    uint32_t first = ir_add_reductions(lw->u, irs, all);
    struct ir_stmt_node *n = &lw->u->stmts[s];
    n->parfor.dim_count = count;
    n->parfor.dims = first_dim;
    n->parfor.reductions = all ? first : 0;
    n->parfor.reduction_count = all;
    n->parfor.body = body;
    n->flags = (uint16_t)((omp->nowait ? IR_FLAG_NOWAIT : 0) | (omp->constructs & FRONT_OMP_SIMD ? IR_FLAG_SIMD : 0));
    if (all && ir_is_long(lw->u, body)) n->flags |= IR_FLAG_LONG;
    lower_emit(lw, s);
}

// Threads copy such variables before they begin, so what is stored at the end stands in nobody's way.
static bool copies_in(const struct lower *lw, const struct lower_bindings *list, const struct reductions *reductions) {
    bool copies = false;
    for (uint32_t i = 0; i < list->count; i++) {
        uint8_t sharing = list->items[i].sharing;
        copies |= sharing & FRONT_OMP_LINEAR || (sharing & FRONT_OMP_LASTPRIVATE && sharing & FRONT_OMP_FIRSTPRIVATE);
    }
    for (uint32_t i = 0; i < reductions->count; i++)
        copies |= lw->objects[reductions->reduced[i].symbol->id] != reductions->reduced[i].outer;
    return copies;
}

static void add_loops(struct lower *lw, const struct front_omp *omp, struct lower_space *space) {
    if (omp->collapse > IR_MAX_DIMS) base_unsupported(lw->cx, omp->loc, "collapse of more than %d loops", IR_MAX_DIMS);
    for (uint32_t d = 0; d < omp->collapse; d++)
        lower_space_add(lw, space, &omp->loops[d]);
}

// What has to stand before the loop; returns how many reductions it has.
enum { MOST_IRS = MOST_REDUCTIONS + LOWER_MOST_PAIR_SUMS + LOWER_MOST_BESTS };
static uint32_t make_reductions(struct lower *lw, const struct reductions *reductions, struct lower_pair_sums *sums,
                                struct lower_bests *bests, const struct lower_space *space,
                                struct ir_reduction out[MOST_IRS], base_loc loc) {
    uint32_t count = reductions->count;
    lower_pairs_make(lw, sums, space, count, loc);
    memcpy(out, reductions->irs, count * sizeof *out);
    memcpy(out + count, sums->irs, sums->ir_count * sizeof *out);
    count += sums->ir_count;
    return count + lower_bests_make(lw, bests, space, out + count, loc);
}

// The number of the thread that runs an iteration, where the body asks for it.
static ir_var bind_thread(struct lower *lw, base_loc loc) {
    ir_var thread = lower_new_var(lw, "thread", IR_I32, IR_VAR_DIM, loc);
    lower_team_used(lw);
    lower_set_range(lw, thread, (struct lower_range){0, lw->team - 1});
    lw->thread = ir_var_read(lw->u, thread, loc);
    return thread;
}

// The iterations in a loop of each thread, or of each block of them; what then is the parallel loop's one dimension.
static ir_stmt bind_iterations(struct lower *lw, const struct front_omp *omp, const struct lower_rows *rows,
                               const struct lower_space *space, ir_var thread, ir_stmt body, struct ir_dim *out) {
    uint32_t count = rows->count ? rows->blocks : lw->team;
    *out = (struct ir_dim){rows->count && rows->var ? rows->var : thread, ir_const_i32(lw->u, 0),
                           ir_const_i32(lw->u, (int32_t)count), 1};
    if (rows->count) return lower_rows_loop(lw, rows, omp, space, body);
    return thread ? lower_team_loop(lw, omp, space, body, omp->loc) : body;
}

static void begin_team(struct lower *lw, struct front_node *region) {
    lw->team_region = region;
    lw->team = lower_team_size(lw, region->omp);
    lower_copyin(lw, region->omp);
}

static void parallel_loop(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    base_loc loc = omp->loc;
    if (lw->in_single) base_fatal(lw->cx, loc, "a worksharing loop cannot stand in single or master");
    struct front_node *body_node = omp->loops[omp->collapse - 1].node->d;
    lw->implied_count = 0;
    lower_split_sections(lw, omp, body_node);
    struct lower_bindings list = {0};
    struct front_symbol *last_counters[IR_MAX_DIMS] = {0};
    take_clauses(lw, omp, body_node, &list, last_counters);
    struct reductions reductions = {.count = 0};
    begin_reductions(lw, omp, body_node, &reductions);
    struct lower_pair_sums sums = {.count = 0};
    lower_pairs_collect(lw, omp, body_node, &list, &sums);
    lower_implied_collect(lw, omp, body_node, &list, &sums, reductions.irs, reductions.reduced, &reductions.count);
    take_region_variables(lw, body_node, &reductions, &list);
    struct lower_rows rows = {.omp = omp};
    struct lower_bests bests;
    lower_rows_collect(lw, omp, body_node, &rows);
    lower_bests_collect(lw, omp, body_node, &rows, &bests);
    struct lower_space space = {0};
    add_loops(lw, omp, &space);
    const struct front_node *region_before = lw->team_region;
    uint32_t team_before = lw->team;
    if (!lw->in_region) begin_team(lw, node); // `parallel for` is a region of its own
    ir_var thread = lower_sees_threads(lw, body_node) ? bind_thread(lw, loc) : 0;
    lower_linear_steps(lw, &list);
    struct ir_reduction irs[MOST_IRS];
    uint32_t reduced = make_reductions(lw, &reductions, &sums, &bests, &space, irs, loc);
    lower_rows_make(lw, &rows, &space, thread, loc);
    struct lower_object *last[LOWER_MOST_LAST] = {0};
    lw->rows = &rows;
    ir_stmt body = lower_iteration(lw, node, body_node, &list, &space, &sums, &bests, last);
    body = lower_extremes_begin(lw, reductions.reduced, reductions.irs, reductions.count, body, loc);
    lw->rows = NULL;
    lw->reduced_array_count = 0;
    lower_shared_check(lw, body, space.dims, space.n, thread);
    struct ir_dim own;
    body = bind_iterations(lw, omp, &rows, &space, thread, body, &own);
    lw->thread = 0;
    uint32_t team = lw->team;
    lw->team_region = region_before;
    lw->team = team_before;
    for (uint32_t d = space.n; d-- > 0;)
        lw->objects[omp->loops[d].var->id] = space.outer[d];
    lower_share_end(lw, &list);
    if (!lw->in_region) lower_mark(lw, IR_MARK_TEAM, team, loc);
    emit_parfor(lw, omp, own.var ? &own : space.dims, own.var ? 1 : space.n, irs, reduced, body, thread);
    if (lw->in_region && (!omp->nowait || copies_in(lw, &list, &reductions))) lower_mark(lw, IR_MARK_BARRIER, 0, loc);
    lower_mark(lw, lw->in_region ? IR_MARK_ONE : IR_MARK_JOIN, 0, loc);
    lower_reduce_end(lw, reductions.reduced, reductions.count, loc);
    lower_bests_end(lw, &bests, loc);
    lower_taken_end(lw, loc);
    lower_pairs_end(lw, &sums, loc);
    lower_rows_end(lw, &rows, loc);
    lower_last_restore(lw, &list, last, &space, loc);
    restore_counters(lw, &space, last_counters, loc);
    if (lw->in_region) lower_mark(lw, IR_MARK_ALL, 0, loc);
    if (lw->in_region && !omp->nowait) lower_mark(lw, IR_MARK_BARRIER, 0, loc);
}

// ---- the other directives -------------------------------------------------------------------------------------------

// What passes of a `simd` loop may share after all.
static void mark_passes(struct lower *lw, const struct front_omp *omp) {
    if (omp->safelen) lower_mark(lw, IR_MARK_SAFELEN, (uint32_t)omp->safelen, omp->loc);
    for (uint32_t i = 0; i < omp->var_count; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        if (!(v->sharing & (FRONT_OMP_REDUCTION | FRONT_OMP_LINEAR)) || !front_is_arithmetic(v->symbol->type)) continue;
        struct lower_object *object = lower_symbol_object(lw, v->symbol, v->loc);
        if (!lower_lives_in_memory(object, &object->slots[0]) && !object->slots[0].value)
            lower_mark(lw, IR_MARK_COMBINED, lower_slot_var(lw, object, &object->slots[0]), omp->loc);
        if (object->slots[0].high && object->slots[0].high->var)
            lower_mark(lw, IR_MARK_COMBINED, object->slots[0].high->var, omp->loc);
    }
}

// The counters of a worksharing loop are private, but for those of `lastprivate`.
static void bind_counters(struct lower *lw, struct lower_bindings *list, const struct front_omp *omp) {
    for (uint32_t d = 0; d < omp->collapse && omp->loops && !(omp->constructs & FRONT_OMP_SIMD); d++) {
        bool stays = omp->loops[d].declared || !(omp->constructs & FRONT_OMP_FOR);
        for (uint32_t i = 0; i < omp->var_count && !stays; i++)
            stays = omp->vars[i].symbol == omp->loops[d].var && omp->vars[i].sharing & FRONT_OMP_LASTPRIVATE;
        if (!stays) lower_share_bind(lw, list, omp->loops[d].var, FRONT_OMP_PRIVATE, omp->loc);
    }
}

// A loop that one thread runs: simd, or any worksharing loop inside an iteration or outside of a region.
static struct lower_flow plain_loop(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    struct lower_bindings list = {0};
    for (uint32_t i = 0; i < omp->var_count;
         i++) { // lastprivate, linear and reductions are what sequential code does anyway
        const struct front_omp_var *v = &omp->vars[i];
        uint8_t own = v->sharing & (FRONT_OMP_PRIVATE | FRONT_OMP_FIRSTPRIVATE);
        bool counts = false;
        for (uint32_t d = 0; d < omp->collapse && omp->loops; d++)
            counts = counts || omp->loops[d].var == v->symbol;
        if (v->sharing & FRONT_OMP_LINEAR && !counts && omp->loops)
            lower_linear_check(lw, v, omp->loops[omp->collapse - 1].node->d);
        if (own && !counts && !(v->sharing & FRONT_OMP_LASTPRIVATE))
            lower_share_bind(lw, &list, v->symbol, own, v->loc);
    }
    bind_counters(lw, &list, omp);
    lower_share_begin(lw, &list, omp);
    const struct front_omp *own_before = lw->own_loops;
    bool nested_before = lw->in_nested;
    lw->own_loops = omp;
    lw->in_nested |= (omp->constructs & FRONT_OMP_PARALLEL) != 0;
    bool simd = omp->constructs & FRONT_OMP_SIMD && omp->body->kind == FRONT_FOR && !omp->in_order,
         passes_before = lw->in_passes;
    for (uint32_t i = 0; i < omp->var_count; i++)
        simd &= !omp->vars[i].combine; // one pass after the other is one way to combine them
    if (simd) mark_passes(lw, omp);
    lw->in_passes |= simd;
    struct lower_flow flow = on;
    if (omp->sections) {
        for (struct front_node *n = omp->loops->node->d; n; n = n->c)
            lower_statement(lw, n->b);
    } else if (omp->body->kind == FRONT_FOR) {
        flow = lower_loop(lw, omp->body, simd);
    } else {
        flow = lower_statement(lw, omp->body);
    }
    lw->in_passes = passes_before;
    lw->own_loops = own_before;
    lw->in_nested = nested_before;
    lower_share_end(lw, &list);
    return flow;
}

// The iterations one after the other, as the one thread of a `single` would make them.
static struct lower_flow loop_in_order(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    bool was = lw->in_single;
    if (lower_sees_threads(lw, omp->body) || lower_copies_in(omp))
        base_unsupported(lw->cx, omp->loc, "a loop that is made in order cannot use what differs between threads");
    if (lw->in_region) lower_mark(lw, IR_MARK_ONE, 0, omp->loc);
    lw->in_single = true;
    uint32_t first = lower_begin_alone(lw);
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    struct lower_flow flow = plain_loop(lw, node);
    lower_leave(lw, before);
    lower_emit(lw, block.head);
    if (lower_goes_on_alone(lw, first, omp, block.head))
        base_unsupported(lw->cx, omp->loc,
                         "a loop that is made in order cannot use what each thread carries from one iteration to the "
                         "next");
    lower_end_alone(lw, first, omp);
    lw->in_single = was;
    if (lw->in_region) lower_mark(lw, IR_MARK_ALL, 0, omp->loc);
    if (lw->in_region && !omp->nowait) lower_mark(lw, IR_MARK_BARRIER, 0, omp->loc);
    return flow;
}

static void copy_whole(struct lower *lw, struct lower_object *to, struct lower_object *from, base_loc loc) {
    struct lower_place target = lower_whole(to), source = lower_whole(from);
    struct front_type *type = from->symbol->type;
    if (type->kind == FRONT_ARRAY)
        lower_copy(lw, &target, &source, loc);
    else
        lower_store_place(lw, &target, lower_load(lw, lower_ptr_to(lw, source), type, loc), loc);
}

// A variable of which threads hold different values has, in a `single` with copyprivate, one that is the same for all,
// which then goes to each.
static uint32_t begin_copies(struct lower *lw, const struct front_omp *omp, struct lower_binding *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < omp->var_count && lw->team_region; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        struct lower_object *outer = v->sharing & FRONT_OMP_COPYPRIVATE ? lw->objects[v->symbol->id] : NULL;
        if (!outer || !lower_is_per_thread(outer)) continue;
        struct lower_binding *b = &out[count++];
        *b = (struct lower_binding){.symbol = v->symbol, .outer = outer};
        b->own = lower_object_create(lw, v->symbol->name, v->symbol, v, v->symbol->type, v->loc);
        copy_whole(lw, b->own, outer, v->loc);
        lw->objects[v->symbol->id] = b->own;
    }
    return count;
}

static void end_copies(struct lower *lw, const struct lower_binding *copies, uint32_t count, base_loc loc) {
    struct lower_phase phase;
    if (!count) return;
    lower_phase_begin(lw, &phase, 0, loc);
    for (uint32_t i = 0; i < count; i++)
        copy_whole(lw, copies[i].outer, copies[i].own, loc);
    lower_phase_end(lw, &phase, NULL, 0, loc);
}

static struct lower_flow single(struct lower *lw, struct front_node *node) {
    if (lw->in_parfor) return lower_statement(lw, node->omp->body);
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    bool was = lw->in_single;
    lw->in_single = true;
    if (lw->team_region && node->omp->constructs & FRONT_OMP_MASTER)
        lw->thread = node->omp->filter ? lower_int_of(lw, node->omp->filter) : ir_const_i32(lw->u, 0);
    uint32_t first = lower_begin_alone(lw);
    struct lower_binding *copies = base_alloc_array(lw->cx, node->omp->var_count + 1, sizeof *copies);
    uint32_t count = begin_copies(lw, node->omp, copies);
    struct lower_flow flow = lower_statement(lw, node->omp->body);
    for (uint32_t i = 0; i < count; i++)
        lw->objects[copies[i].symbol->id] = copies[i].outer;
    lower_end_alone(lw, first, node->omp);
    lw->in_single = was;
    lw->thread = 0;
    lower_leave(lw, before);
    for (ir_stmt s = block.head; s; s = lw->u->stmts[s].next)
        lw->u->stmts[s].flags |= IR_FLAG_SINGLE;
    bool master = node->omp->constructs & FRONT_OMP_MASTER;
    if (lw->in_region) lower_mark(lw, IR_MARK_ONE, master && !node->omp->filter, node->omp->loc);
    lower_emit(lw, block.head);
    if (lw->in_region) lower_mark(lw, IR_MARK_ALL, 0, node->omp->loc);
    if (lw->in_region && !master && !node->omp->nowait) lower_mark(lw, IR_MARK_BARRIER, 0, node->omp->loc);
    end_copies(lw, copies, count, node->omp->loc);
    return flow;
}

static struct lower_flow region(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    bool was = lw->in_region;
    const struct front_omp_var **reductions = lw->region_reductions;
    uint32_t reduction_count = lw->region_reduction_count;
    lw->in_region = true;
    const struct front_node *region_before = lw->team_region;
    uint32_t team_before = lw->team;
    lw->team = lower_team_size(lw, omp);
    lw->team_region = node;
    struct lower_bindings list = {0};
    lower_share_clauses(lw, &list, omp);
    lower_share_begin(lw, &list, omp);
    for (uint32_t i = 0; i < list.count; i++)
        list.items[i].own->region_private = true;
    lw->region_reductions = base_alloc_array(lw->cx, omp->var_count + 1, sizeof *lw->region_reductions);
    lw->region_reduction_count = 0;
    struct lower_bindings copies = {0};
    for (uint32_t i = 0; i < omp->var_count; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        if (!(v->sharing & FRONT_OMP_REDUCTION)) continue;
        bool is_pair = front_is_pair(v->symbol->type), by_team = lower_team_reduces(lw, v->symbol);
        bool is_array = !v->combine && !is_pair && !front_is_arithmetic(v->symbol->type);
        bool two_words = !is_array && lower_reduces_words(lw, v);
        bool is_long = two_words && !is_pair && !v->combine;
        if (is_array || (is_long && by_team))
            base_unsupported(lw->cx, v->loc, "the %s '%s' is reduced by a region: put the clause on the loop",
                             is_long ? "64-bit integer, which may not fit in 32 bits," : "array", v->symbol->name);
        if (by_team) {
            lower_share_bind(lw, &copies, v->symbol, FRONT_OMP_REDUCTION, v->loc);
            copies.items[copies.count - 1].clause = v;
        } else {
            lw->region_reductions[lw->region_reduction_count++] = v;
        }
    }
    lower_mark(lw, IR_MARK_TEAM, lw->team, omp->loc);
    lower_copyin(lw, omp);
    lower_team_reduce_begin(lw, &copies, omp->loc);
    struct lower_flow flow = lower_statement(lw, omp->body);
    lower_mark(lw, IR_MARK_JOIN, 0, omp->loc);
    lower_team_reduce_end(lw, &copies, omp->loc);
    lower_share_end(lw, &list);
    lw->region_reductions = reductions;
    lw->region_reduction_count = reduction_count;
    lw->team_region = region_before;
    lw->team = team_before;
    lw->in_region = was;
    return flow;
}

struct lower_flow lower_omp(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    uint32_t c = omp->constructs;
    if (c & FRONT_OMP_BARRIER) {
        if (!lw->in_parfor) lower_mark(lw, IR_MARK_BARRIER, 0, omp->loc);
        return on;
    }
    if (c & FRONT_OMP_ATOMIC) return lower_atomic(lw, node);
    if (c & FRONT_OMP_CRITICAL) return lower_critical(lw, node);
    if (c & (FRONT_OMP_SINGLE | FRONT_OMP_MASTER)) return single(lw, node);
    if (c & FRONT_OMP_ORDERED) return lower_ordered(lw, node);
    if (lw->in_parfor) return plain_loop(lw, node);
    if (omp->scans || omp->conditional || (omp->in_order && !lw->user->target.cpu_only)) return loop_in_order(lw, node);
    if (c & FRONT_OMP_PARALLEL && c & FRONT_OMP_FOR) {
        if (lower_split_copies(lw, node)) return region(lw, node);
        parallel_loop(lw, node);
        return on;
    }
    if (c & FRONT_OMP_PARALLEL) return region(lw, node);
    if (c & FRONT_OMP_FOR && lw->in_region) {
        parallel_loop(lw, node);
        return on;
    }
    return plain_loop(lw, node);
}
