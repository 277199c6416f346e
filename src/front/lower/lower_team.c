// Threads that differ: omp_get_thread_num, and private variables of a region whose values threads carry from one
// worksharing loop to the next.
//
// The team has a fixed size (num_threads, else 256) and its threads are virtual: a statement of the region whose
// threads may do different things becomes a parallel loop over the team, and a worksharing loop that sees such values
// gives each thread its block of iterations, as OpenMP's static schedule does. A statement with an effect once a thread
// is such a loop, too: it prints, updates by an atomic, or uses the variable of a reduction of the region, of which
// each thread has a copy until the region ends. A private variable that threads hold different values of is an array
// with one element a thread. Which variables those are is learned (lower.h); all else of a region is lowered once, as
// before.
#include <string.h>

#include "front/lower/lower_omp.h"

enum { DEFAULT_TEAM = 256, LARGEST_TEAM = 1024 };

uint32_t lower_team_size(struct lower *lw, const struct front_omp *omp) {
    int64_t size;
    if (omp->if_expr && lower_const_int(lw, lower_condition(lw, omp->if_expr), &size) && !size) return 1;
    if (!omp->num_threads) return lw->usual_team ? lw->usual_team : DEFAULT_TEAM;
    if (!lower_const_int(lw, lower_int_of(lw, omp->num_threads), &size) || size < 1 || size > LARGEST_TEAM) return 0;
    return (uint32_t)size;
}

// The CPU runs the region with as many threads, for its results depend on them.
void lower_team_used(struct lower *lw) {
    const struct front_node *region = lw->team_region;
    if (!lw->team)
        base_unsupported(lw->cx, region->omp->loc, "num_threads must be a constant from 1 to %d where threads differ",
                         LARGEST_TEAM);
    if (region->omp->num_threads) return;
    uint32_t last = 0; // word of the directive: the clause goes behind it
    for (uint32_t i = region->token; i < lw->ast->token_count; i++) {
        const struct front_token *t = &lw->ast->tokens[i];
        static const char *const words[] = {"parallel", "for", "simd", "sections", "loop", "master", "masked"};
        bool is_word = false;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            is_word |= strcmp(t->text, words[k]) == 0;
        if (t->kind == FRONT_TOK_PRAGMA_END || (last && !is_word)) break;
        if (is_word) last = i;
    }
    if (last) lw->ast->edits[last] = base_format(lw->cx, "%s num_threads(%u)", lw->ast->tokens[last].text, lw->team);
}

// ---- which statements -----------------------------------------------------------------------------------------------

struct thread_query {
    const struct lower *lw;
    uint32_t facts; // enum lower_function_fact
    bool varies;    // a variable is named of which threads hold different values
};

static bool look(void *user, const struct front_node *node) {
    struct thread_query *q = user;
    if (node->kind == FRONT_CALL && node->symbol->function)
        q->facts |= q->lw->function_facts[node->symbol->id];
    else if (node->kind == FRONT_CALL && strcmp(node->symbol->name, "omp_get_thread_num") == 0)
        q->facts |= LOWER_THREAD_NUMBER;
    else if (node->kind == FRONT_CALL && lower_log_prints(node))
        q->facts |= LOWER_ACTS;
    if (node->kind == FRONT_VAR && node->symbol->kind != FRONT_SYM_FUNCTION) {
        const struct lower_object *object = q->lw->objects[node->symbol->id];
        q->varies |= object && object->region_private && object->ident->per_thread;
        if (node->symbol->threadprivate) q->facts |= LOWER_THREAD_NUMBER;
    }
    if (node->kind == FRONT_OMP &&
        node->omp->constructs & FRONT_OMP_PARALLEL) { // each thread is a team of its own in it
        struct thread_query inner = *q;
        lower_scan(node->omp->body, look, &inner);
        q->varies |= inner.varies;
        q->facts |= (inner.facts & LOWER_THREAD_NUMBER) | LOWER_ACTS;
        return false;
    }
    if (node->kind == FRONT_OMP) {
        const uint32_t alone = FRONT_OMP_ATOMIC | FRONT_OMP_CRITICAL;
        if (node->omp->constructs & alone) q->facts |= LOWER_ACTS;
        if (node->omp->constructs & ~(alone | FRONT_OMP_SIMD)) q->facts |= LOWER_SHARES;
    }
    return true; // also into `ordered`, and behind a `scan`: threads may differ there
}

// What functions do that they call comes to them over the calls, each of which is passed once for each fact. Nothing
// here follows the calls of a call: functions that call another one twice would be seen twice as often with every
// level.
struct fact_call {
    uint32_t caller;              // symbol id
    const struct fact_call *next; // of the same callee
};
struct fact_search {
    struct thread_query query;
    const struct fact_call **callers; // by the callee's symbol id
    uint32_t caller;
};

static bool note_call(void *user, const struct front_node *node) {
    struct fact_search *s = user;
    if (node->kind == FRONT_CALL && node->symbol->function) {
        struct fact_call *call = base_alloc(s->query.lw->cx, sizeof *call);
        *call = (struct fact_call){s->caller, s->callers[node->symbol->id]};
        s->callers[node->symbol->id] = call;
    }
    bool is_region = node->kind == FRONT_OMP && node->omp->constructs & FRONT_OMP_PARALLEL;
    return look(&s->query, node) || !is_region; // a region in it has been looked through
}

void lower_find_function_facts(struct lower *lw) {
    uint32_t ids = lw->ast->symbol_count + 1, count = 0;
    struct fact_search s = {.query.lw = lw};
    uint32_t *work = base_alloc_array(lw->cx, ids, sizeof *work); // whose facts their callers do not know yet
    bool *waits = base_alloc_array(lw->cx, ids, sizeof *waits);
    lw->function_facts = base_alloc_array(lw->cx, ids, sizeof *lw->function_facts);
    s.callers = base_alloc_array(lw->cx, ids, sizeof(const struct fact_call *));
    for (uint32_t i = 0; i < lw->ast->function_count; i++) {
        const struct front_function *f = lw->ast->functions[i];
        s.query.facts = 0;
        s.caller = f->symbol->id;
        lower_scan(f->body, note_call, &s);
        lw->function_facts[s.caller] |= (uint8_t)s.query.facts;
    }
    for (uint32_t i = 0; i < lw->ast->function_count; i++) {
        uint32_t id = lw->ast->functions[i]->symbol->id;
        waits[id] = lw->function_facts[id] != 0;
        if (waits[id]) work[count++] = id;
    }
    while (count) {
        uint32_t id = work[--count];
        waits[id] = false;
        for (const struct fact_call *call = s.callers[id]; call; call = call->next) {
            uint8_t *facts = &lw->function_facts[call->caller], all = *facts | lw->function_facts[id];
            if (all != *facts && !waits[call->caller]) {
                waits[call->caller] = true;
                work[count++] = call->caller;
            }
            *facts = all;
        }
    }
}

// What a loop's body does depends on which thread runs it.
bool lower_sees_threads(const struct lower *lw, const struct front_node *node) {
    struct thread_query q = {.lw = lw};
    lower_scan(node, look, &q);
    return q.varies || q.facts & LOWER_THREAD_NUMBER;
}

// A statement of the region, outside of worksharing, that threads run differently or that has an effect for each of
// them. The second may hold jumps that all threads take: its parts are looked at one by one.
bool lower_is_thread_statement(const struct lower *lw, const struct front_node *node) {
    if (!lw->team_region || lw->in_parfor || lw->in_single) return false;
    struct thread_query q = {.lw = lw};
    lower_scan(node, look, &q);
    bool acts = q.facts & LOWER_ACTS && !lower_jumps_out(node);
    return (q.varies || q.facts & LOWER_THREAD_NUMBER || acts) && !(q.facts & LOWER_SHARES);
}

bool lower_is_per_thread(const struct lower_object *object) {
    return object->region_private && object->ident->per_thread && object->var_class == IR_VAR_ENTRY;
}

bool lower_is_number(const struct lower_object *object) {
    return lower_is_per_thread(object) && object->ident->is_number && !object->ident->no_number;
}

bool lower_learn_number(struct lower *lw, struct lower_object *object, ir_expr stored) {
    struct lower_ident *ident = object->ident;
    bool number = stored && lw->thread && ir_same_expr(lw->u, stored, lw->thread);
    lw->learned |= number ? !ident->is_number && !ident->no_number : ident->is_number && !ident->no_number;
    ident->is_number |= number;
    ident->no_number |= !number;
    return number && lower_is_number(object);
}

// Threads hold different values of this variable of the region: known from the next run on.
bool lower_learn_per_thread(struct lower *lw, struct lower_object *object) {
    if (!lw->team_region || !object->region_private || object->var_class != IR_VAR_ENTRY) return false;
    for (uint32_t i = 0; i < object->count; i++)
        if (object->slots[i].type->kind == FRONT_POINTER)
            base_unsupported(lw->cx, object->loc, "'%s' is a pointer that differs between threads: use an index",
                             object->name);
    if (!object->ident->per_thread) lw->learned = true;
    object->ident->per_thread = true;
    return true;
}

// ---- statements of all threads --------------------------------------------------------------------------------------

static struct ir_dim team_dim(struct lower *lw, const struct lower_phase *phase) {
    ir_expr first = ir_const_i32(lw->u, (int32_t)phase->first);
    return (struct ir_dim){phase->var, first, ir_const_i32(lw->u, (int32_t)lw->team), 1};
}

void lower_phase_begin(struct lower *lw, struct lower_phase *phase, uint32_t first, base_loc loc) {
    memset(phase, 0, sizeof *phase);
    phase->first = first;
    lower_team_used(lw);
    phase->var = lower_new_var(lw, "thread", IR_I32, IR_VAR_DIM, loc);
    lower_set_range(lw, phase->var, (struct lower_range){first, lw->team - 1});
    for (uint32_t i = 0; i < lw->target_count; i++)
        lw->targets[i].blocked = true;
    phase->targets = lw->target_count;
    phase->before = lower_enter(lw, &phase->body);
    lw->thread = ir_var_read(lw->u, phase->var, loc);
    lw->in_parfor = lw->in_phase = true;
    struct ir_dim dim = team_dim(lw, phase);
    lower_log_enter_parallel(lw, &dim, 1, loc);
}

void lower_phase_end(struct lower *lw, struct lower_phase *phase, const struct ir_reduction *reductions, uint32_t count,
                     base_loc loc) {
    lower_log_leave(lw);
    lw->thread = 0;
    lower_leave(lw, phase->before);
    for (uint32_t i = 0; i < phase->targets; i++)
        lw->targets[i].blocked = false;
    struct ir_dim dim = team_dim(lw, phase);
    lower_shared_check(lw, phase->body.head, &dim, 1, 0);
    lw->in_parfor = lw->in_phase = false;
    bool empty = !count;
    for (ir_stmt s = phase->body.head; s; s = lw->u->stmts[s].next)
        empty &= lw->u->stmts[s].kind == IR_NOP;
    if (empty) return;
    if (lw->in_region) lower_mark(lw, IR_MARK_THREADS, 0, loc);
    ir_stmt s = ir_add_stmt(lw->u, IR_PARFOR, loc);
    uint32_t dims = ir_add_dims(lw->u, &dim, 1), first = ir_add_reductions(lw->u, reductions, count);
    struct ir_stmt_node *n = &lw->u->stmts[s];
    n->parfor.dim_count = 1;
    n->parfor.dims = dims;
    n->parfor.reductions = count ? first : 0;
    n->parfor.reduction_count = count;
    n->parfor.body = phase->body.head;
    lower_emit(lw, s);
}

struct turn_query {
    const struct lower *lw;
    bool section, pair;
};

static bool find_section(void *user, const struct front_node *node) {
    struct turn_query *q = user;
    if (node->kind != FRONT_OMP) return true;
    q->section |= node->omp->constructs & FRONT_OMP_CRITICAL && !lower_is_updates(q->lw, node->omp->body);
    q->pair |= node->omp->constructs & FRONT_OMP_ATOMIC && node->omp->atomic_pair;
    return true;
}

// A critical section that is more than updates, or an update of two words: one thread after the other runs the
// statement. Who looks for races wants them side by side.
static bool is_made_in_turn(struct lower *lw, const struct front_node *node) {
    struct turn_query q = {lw, false, false};
    lower_scan_reached(lw, node, find_section, &q);
    return (q.pair || q.section) && !lw->user->target.cpu_only;
}

static bool find_loop(void *user, const struct front_node *node) {
    bool *found = user;
    *found |= node->kind == FRONT_FOR || node->kind == FRONT_WHILE || node->kind == FRONT_DO;
    return !*found;
}

static bool has_loop_beside(struct lower *lw, const struct front_node *block) {
    bool found = false;
    for (const struct front_node *n = block->a; n && !found; n = n->next) {
        if (!is_made_in_turn(lw, n))
            lower_scan_reached(lw, n, find_loop, &found);
        else if (n->kind == FRONT_BLOCK)
            found = has_loop_beside(lw, n);
    }
    return found;
}

static bool has_pointer(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY)
        type = type->base;
    bool found = type->kind == FRONT_POINTER;
    for (uint32_t i = 0; type->kind == FRONT_STRUCT && i < type->record->count && !found; i++)
        found = has_pointer(type->record->fields[i].type);
    return found;
}

// Threads may hold different values of pointers only within one statement of theirs.
static bool has_own_pointer(const struct lower *lw, const struct front_node *block) {
    const struct front_omp *region = lw->team_region->omp;
    bool found = false;
    for (uint32_t i = 0; i < region->var_count && !found; i++) {
        bool is_own = region->vars[i].sharing & (FRONT_OMP_PRIVATE | FRONT_OMP_FIRSTPRIVATE);
        found = is_own && has_pointer(region->vars[i].symbol->type);
    }
    for (const struct front_node *n = block->a; n && !found; n = n->next)
        found = (n->kind == FRONT_DECL && has_pointer(n->symbol->type)) ||
                (n->kind == FRONT_BLOCK && has_own_pointer(lw, n));
    return found;
}

bool lower_is_taken_apart(struct lower *lw, const struct front_node *node) {
    if (node->kind != FRONT_BLOCK || node->flags & FRONT_FLAG_PARTS || !is_made_in_turn(lw, node)) return false;
    return !lower_jumps_out(node) && has_loop_beside(lw, node) && !has_own_pointer(lw, node);
}

static void make_in_turn(struct lower *lw, struct front_node *node) {
    static const struct front_omp no_clauses = {0};
    base_loc loc = node->loc;
    lower_team_used(lw);
    ir_var turn = lower_new_var(lw, "thread", IR_I32, IR_VAR_ENTRY, loc);
    lower_set_range(lw, turn, (struct lower_range){0, lw->team - 1});
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_single = lw->in_turn = true;
    lw->thread = ir_var_read(lw->u, turn, loc);
    uint32_t first = lower_begin_alone(lw);
    lower_statement(lw, node);
    lower_end_alone(lw, first, &no_clauses);
    lw->thread = 0;
    lw->in_single = lw->in_turn = false;
    lower_leave(lw, before);
    ir_expr count = ir_const_i32(lw->u, (int32_t)lw->team);
    ir_stmt s = ir_for(lw->u, turn, ir_const_i32(lw->u, 0), count, 1, body.head, loc);
    lw->u->stmts[s].flags |= IR_FLAG_SINGLE;
    lower_emit(lw, s);
}

void lower_thread_statement(struct lower *lw, struct front_node *node) {
    struct lower_phase phase;
    if (is_made_in_turn(lw, node)) {
        make_in_turn(lw, node);
        return;
    }
    lower_phase_begin(lw, &phase, 0, node->loc);
    lower_statement(lw, node);
    lower_phase_end(lw, &phase, NULL, 0, node->loc);
}

// A declaration in a region. False: it is the same for all threads.
bool lower_thread_declaration(struct lower *lw, struct front_node *node) {
    struct front_symbol *symbol = node->symbol;
    if (!lw->team_region || lw->in_parfor || lw->in_single) return false;
    bool differs = lower_ident_of(lw, symbol)->per_thread || lower_is_thread_statement(lw, node);
    if (!differs) return false;
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
    lw->objects[symbol->id] = object;
    lower_learn_per_thread(lw, object);
    bool has_inits = node->flags & FRONT_FLAG_HAS_INITS;
    if (!has_inits && !node->a) return true;
    struct lower_phase phase;
    lower_phase_begin(lw, &phase, 0, node->loc);
    if (has_inits) {
        lower_init_object(lw, object, node->inits, node->loc);
    } else {
        struct lower_value value = lower_expr(lw, node->a);
        value.type = symbol->type;
        struct lower_place whole = lower_whole(object);
        lower_store_place(lw, &whole, value, node->loc);
    }
    lower_phase_end(lw, &phase, NULL, 0, node->loc);
    return true;
}

// ---- reductions of the region ---------------------------------------------------------------------------------------

static bool find_update(void *user, const struct front_node *node) {
    struct {
        const struct front_symbol *symbol;
        bool found;
    } *q = user;
    q->found |= node->kind == FRONT_VAR && node->symbol == q->symbol;
    uint32_t constructs = node->kind == FRONT_OMP ? node->omp->constructs : 0;
    bool worksharing = constructs & FRONT_OMP_FOR && !(constructs & FRONT_OMP_PARALLEL);
    return !q->found && !worksharing;
}

// The region uses the variable outside of its worksharing loops, which can sum up for themselves.
bool lower_team_reduces(const struct lower *lw, const struct front_symbol *symbol) {
    struct {
        const struct front_symbol *symbol;
        bool found;
    } q = {symbol, false};
    lower_scan(lw->team_region->omp->body, find_update, &q);
    return q.found;
}

enum { MOST_COPIES = 16 };

// A pair of floats, or what a declared reduction is about: one thread's after the other's.
static bool is_of_parts(const struct lower_binding *b) { return front_is_pair(b->symbol->type) || b->clause->combine; }

static void combine_in_turn(struct lower *lw, const struct lower_bindings *list, base_loc loc) {
    bool any = false;
    for (uint32_t i = 0; i < list->count; i++)
        any = any || is_of_parts(&list->items[i]);
    if (!any) return;
    ir_var turn = lower_new_var(lw, "thread", IR_I32, IR_VAR_ENTRY, loc);
    lower_set_range(lw, turn, (struct lower_range){0, lw->team - 1});
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_single = lw->in_turn = true;
    lw->thread = ir_var_read(lw->u, turn, loc);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct lower_binding *b = &list->items[i];
        if (!is_of_parts(b)) continue;
        struct lower_pair_sum sum = {.clause = b->clause, .outer = b->outer};
        struct lower_place whole = lower_whole(b->outer), own = lower_whole(b->own);
        lower_pairs_combine(lw, &sum, &whole, &own, b->own->ident, loc);
    }
    lw->thread = 0;
    lw->in_single = lw->in_turn = false;
    lower_leave(lw, before);
    ir_stmt s = ir_for(lw->u, turn, ir_const_i32(lw->u, 0), ir_const_i32(lw->u, (int32_t)lw->team), 1, body.head, loc);
    lw->u->stmts[s].flags |= IR_FLAG_SINGLE;
    lower_emit(lw, s);
}

// Each thread has a copy of its own of each variable in the list.
void lower_team_reduce_begin(struct lower *lw, struct lower_bindings *list, base_loc loc) {
    struct lower_phase phase;
    for (uint32_t i = 0; i < list->count; i++) {
        struct lower_binding *b = &list->items[i];
        b->own = lower_object_create(lw, b->symbol->name, b->symbol, b->clause, b->symbol->type, b->clause->loc);
        b->own->region_private = b->own->reduces = b->own->ident->per_thread = true;
        lw->objects[b->symbol->id] = b->own;
    }
    if (!list->count) return;
    struct lower_pair_sum sums[MOST_COPIES];
    if (list->count > MOST_COPIES) base_unsupported(lw->cx, loc, "more than %d reductions of a region", MOST_COPIES);
    for (uint32_t i = 0; i < list->count; i++) {
        sums[i] = (struct lower_pair_sum){.clause = list->items[i].clause, .outer = list->items[i].outer};
        if (sums[i].clause->begin) sums[i].neutral = lower_pairs_neutral(lw, &sums[i], loc);
    }
    lower_phase_begin(lw, &phase, 0, loc);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct lower_binding *b = &list->items[i];
        if (is_of_parts(b)) {
            struct lower_place own = lower_whole(b->own);
            lower_pairs_set_identity(lw, &sums[i], &own, loc);
            continue;
        }
        struct front_type *type = b->symbol->type;
        enum ir_op op = lower_reduction_op((enum front_op)b->clause->op, lower_carrier(type));
        struct lower_place whole = lower_whole(b->own);
        lower_store_place(lw, &whole, lower_scalar_value(type, lower_neutral(lw, type, (uint8_t)op, loc)), loc);
    }
    lower_phase_end(lw, &phase, NULL, 0, loc);
}

// The variables take up what all copies hold.
void lower_team_reduce_end(struct lower *lw, struct lower_bindings *list, base_loc loc) {
    struct ir_reduction irs[MOST_COPIES];
    struct lower_reduced reduced[MOST_COPIES];
    const struct lower_binding *of[MOST_COPIES];
    uint32_t count = 0;
    struct lower_phase phase;
    if (!list->count) return;
    lower_share_end(lw, list);
    combine_in_turn(lw, list, loc);
    for (uint32_t i = 0; i < list->count; i++) {
        if (is_of_parts(&list->items[i])) continue;
        of[count] = &list->items[i];
        lower_reduce_begin(lw, list->items[i].clause, irs, reduced, &count);
    }
    if (!count) return;
    lower_phase_begin(lw, &phase, 0, loc);
    for (uint32_t i = 0; i < count; i++) {
        struct lower_place whole = lower_whole(of[i]->own);
        ir_expr own = lower_load_place(lw, &whole, loc);
        own = lower_as(lw, own, (enum ir_type)lw->u->vars[irs[i].var].type, loc);
        own = lower_fold2(lw, (enum ir_op)irs[i].op, ir_var_read(lw->u, irs[i].var, loc), own, loc);
        lower_emit(lw, ir_assign(lw->u, irs[i].var, own, loc));
    }
    lower_phase_end(lw, &phase, irs, count, loc);
    lower_reduce_end(lw, reduced, count, loc);
}

// ---- worksharing loops ----------------------------------------------------------------------------------------------

ir_expr lower_trips(struct lower *lw, const struct ir_dim *dim, base_loc loc) {
    ir_expr lo = lower_as(lw, dim->lo, IR_I32, loc), hi = lower_as(lw, dim->hi, IR_I32, loc);
    int32_t step = dim->step > 0 ? dim->step : -dim->step;
    ir_expr span = dim->step > 0 ? lower_fold2(lw, IR_SUB, hi, lo, loc) : lower_fold2(lw, IR_SUB, lo, hi, loc);
    span = lower_fold2(lw, IR_ADD, span, ir_const_i32(lw->u, step - 1), loc);
    span = lower_fold2(lw, IR_DIV, span, ir_const_i32(lw->u, step), loc);
    return lower_fold2(lw, IR_MAX, span, ir_const_i32(lw->u, 0), loc);
}

// The loop's own variables from the iteration's number.
static void set_indices(struct lower *lw, const struct lower_space *space, ir_expr number, base_loc loc) {
    for (uint32_t d = space->n; d-- > 0;) {
        const struct ir_dim *dim = &space->dims[d];
        ir_expr trips = lower_trips(lw, dim, loc), index = d ? lower_fold2(lw, IR_REM, number, trips, loc) : number;
        enum ir_type type = lower_ir_type_of(lw, dim->lo);
        index = lower_fold2(lw, IR_MUL, index, ir_const_i32(lw->u, dim->step), loc);
        ir_expr at = lower_fold2(lw, IR_ADD, dim->lo, lower_as(lw, index, type, loc), loc);
        lower_emit(lw, ir_assign(lw->u, dim->var, at, loc));
        lw->u->vars[dim->var].klass = IR_VAR_LOCAL;
        if (d) number = lower_fold2(lw, IR_DIV, number, trips, loc);
    }
}

// Wraps the body of one iteration: each thread runs the iterations that OpenMP's static schedule gives it.
ir_stmt lower_team_loop(struct lower *lw, const struct front_omp *omp, const struct lower_space *space, ir_stmt body,
                        base_loc loc) {
    struct ir_unit *u = lw->u;
    ir_expr total = ir_const_i32(u, 1), team = ir_const_i32(u, (int32_t)lw->team), thread = lw->thread;
    int64_t chunk = 0;
    if (omp && omp->chunk && omp->schedule && strcmp(omp->schedule, "static") == 0 &&
        (!lower_const_int(lw, lower_int_of(lw, omp->chunk), &chunk) || chunk < 1 || chunk > 1 << 20))
        base_unsupported(lw->cx, omp->chunk->loc, "the chunk of a schedule must be a constant where threads differ");
    struct lower_block all = {0, 0}, inner = {0, 0};
    struct lower_block *before = lower_enter(lw, &inner);
    ir_var number = lower_new_var(lw, "number", IR_I32, IR_VAR_LOCAL, loc);
    lower_set_stable(lw, number);
    set_indices(lw, space, ir_var_read(u, number, loc), loc);
    lower_emit(lw, body);
    lower_enter(lw, &all);
    for (uint32_t d = 0; d < space->n; d++)
        total = lower_fold2(lw, IR_MUL, total, lower_trips(lw, &space->dims[d], loc), loc);
    if (chunk) { // blocks of `chunk` in turn
        ir_expr each = ir_const_i32(u, (int32_t)chunk);
        ir_var from = lower_new_var(lw, "from", IR_I32, IR_VAR_LOCAL, loc);
        ir_expr at = ir_var_read(u, from, loc);
        ir_expr end = lower_fold2(lw, IR_MIN, lower_fold2(lw, IR_ADD, at, each, loc), total, loc);
        ir_stmt block = ir_for(u, number, at, end, 1, inner.head, loc);
        lower_emit(lw, ir_for(u, from, lower_fold2(lw, IR_MUL, thread, each, loc), total, (int32_t)(chunk * lw->team),
                              block, loc));
    } else { // one block; the first threads have one iteration more
        ir_expr each = lower_fold2(lw, IR_DIV, total, team, loc), rest = lower_fold2(lw, IR_REM, total, team, loc);
        ir_expr first = lower_fold2(lw, IR_MUL, thread, each, loc);
        first = lower_fold2(lw, IR_ADD, first, lower_fold2(lw, IR_MIN, thread, rest, loc), loc);
        ir_expr more = lower_as(lw, lower_fold2(lw, IR_LT, thread, rest, loc), IR_I32, loc);
        ir_expr end = lower_fold2(lw, IR_ADD, lower_fold2(lw, IR_ADD, first, each, loc), more, loc);
        lower_emit(lw, ir_for(u, number, first, end, 1, inner.head, loc));
    }
    lower_leave(lw, before);
    return all.head;
}

// ---- the library ----------------------------------------------------------------------------------------------------

ir_expr lower_thread_number(struct lower *lw, base_loc loc) {
    if (!lw->team_region || lw->in_nested) return ir_const_i32(lw->u, 0);
    if (lw->in_single && !lw->thread)
        base_unsupported(lw->cx, loc, "the number of the thread that runs a 'single' is not known; use 'master'");
    if (!lw->thread)
        base_unsupported(lw->cx, loc, "the thread's number must not decide whether threads come to a worksharing loop");
    return lw->thread;
}

// omp_set_num_threads: for the regions that come after it, so it must be certain that it is called.
void lower_set_team(struct lower *lw, struct front_node *call) {
    int64_t size;
    if (lw->block != lw->entry_block || lw->team_region || lw->in_parfor)
        base_unsupported(lw->cx, call->loc,
                         "omp_set_num_threads under a condition, in a loop or in a region is not supported: call it at "
                         "the beginning of the entry, or write num_threads(N) at the directive");
    if (!lower_const_int(lw, lower_int_of(lw, call->a), &size) || size < 1 || size > LARGEST_TEAM)
        base_unsupported(lw->cx, call->loc,
                         "omp_set_num_threads takes a number from 1 to %d that is known when the program is compiled",
                         LARGEST_TEAM);
    lw->usual_team = (uint32_t)size;
}

ir_expr lower_thread_count(struct lower *lw) {
    if (!lw->team_region || lw->in_nested) return ir_const_i32(lw->u, 1);
    lower_team_used(lw);
    return ir_const_i32(lw->u, (int32_t)lw->team);
}
