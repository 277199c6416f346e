// Prefetching into registers: loads of later passes before the work of these. Where a pass of a time loop needs what
// only it knows the address of, and the passes depend on each other, each of them would wait for memory; a driver does
// not move the loads up itself past stores or exchanges of lanes. But an address that is affine in the loop's variable
// is known long before: so the loop makes a few passes at once, from values that were loaded one round earlier, and
// starts the loads of the next round first (software pipelining; M. Lam, PLDI 1988, has the general form).
//
// The last round loads its own last element again instead of what stands behind it. Stores of a round move to its end,
// where nothing that they write is read, so that what its passes do between them can overlap.
#include "pass/cost.h"
#include "pass/passes.h"

struct loader {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    const struct ir_effects *kernel; // of the parallel loop's body
    uint64_t invocations;            // of the parallel loop, at most
    // of the loop under way
    ir_stmt loop;
    struct ir_effects fx; // of its body
    ir_expr loads[PASS_PREFETCH_LOADS];
    uint32_t count, together;
    uint64_t trips;
    int64_t lo;
    bool found; // the loop at hand is one
};

struct place {
    const struct ir_unit *u;
    const struct ir_effects *inside;
    ir_var counter;
    bool known, moves; // it mentions the counter
};
static bool place_node(void *user, ir_expr e) {
    struct place *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    bool counter = n->op == IR_VAR && n->a == x->counter;
    if (n->op == IR_LOAD || (n->op == IR_VAR && !counter && ir_bit(x->inside->vars_written, n->a))) x->known = false;
    x->moves |= counter;
    return x->known;
}

bool pass_place_is_known(const struct ir_unit *u, ir_stmt loop, const struct ir_effects *inside,
                         const uint32_t *indices, uint32_t n, bool *out_moves) {
    struct place x = {u, inside, u->stmts[loop].counted.var, true, false};
    for (uint32_t i = 0; i < n && x.known; i++)
        ir_walk_expr(u, indices[i], place_node, &x);
    *out_moves = x.moves;
    return x.known;
}

static bool is_known_store(const struct loader *x, const struct ir_stmt_node *n) {
    bool moves;
    const uint32_t *indices = x->u->args + n->store.indices;
    return pass_place_is_known(x->u, x->loop, &x->fx, indices, n->store.index_count, &moves);
}

// What a driver does not move loads across.
struct stops {
    const struct ir_unit *u;
    bool exchanges, stores; // of lanes; to memory
    bool meets;             // lanes wait for each other again and again (pass_leap)
};
static bool find_stop(void *user, ir_stmt s) {
    struct stops *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->exchanges |= n->kind == IR_AGREE;
    x->meets |= n->kind == IR_LOOP && n->flags & IR_FLAG_LONGEST;
    x->stores |= n->kind == IR_STORE && x->u->arrays[n->store.array].klass != IR_ARRAY_LOCAL;
    return true;
}
static struct stops stops_of(const struct ir_unit *u, ir_stmt block) {
    struct stops found = {.u = u};
    ir_walk_stmts(u, block, find_stop, &found);
    return found;
}

static void collect(struct loader *x) {
    struct pass_accesses list = {0};
    pass_collect_inside(x->sc, x->loop, &list);
    x->count = 0;
    for (uint32_t k = 0; k < list.count; k++) {
        const struct pass_access *a = &list.items[k];
        if (a->store || !a->load || a->conditional || ir_bit(x->kernel->arrays_written, a->array)) continue;
        bool moves, known = pass_place_is_known(x->u, x->loop, &x->fx, a->indices, a->n, &moves);
        bool seen = !known || !moves || x->count == PASS_PREFETCH_LOADS;
        for (uint32_t i = 0; i < x->count && !seen; i++)
            seen = ir_same_expr(x->u, x->loads[i], a->load);
        if (!seen) x->loads[x->count++] = a->load;
    }
}

static bool takes(struct loader *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint32_t lo;
    if (n.kind != IR_FOR || n.flags & (IR_FLAG_SIMD | IR_FLAG_LANES) || !ir_const_trips(u, s, &x->trips) ||
        !ir_is_const(u, n.counted.lo, &lo) || x->trips < PASS_PREFETCH_LEAST_TRIPS ||
        pass_leaves_loop(u, n.counted.body) || ir_copies_boxes(u, n.counted.body)) // which are asked for early anyway
        return false;
    struct stops stops = stops_of(u, n.counted.body);
    if (stops.meets || (!stops.exchanges && !stops.stores)) return false;
    x->lo = u->vars[n.counted.var].type == IR_I32 ? (int64_t)(int32_t)lo : (int64_t)lo;
    int64_t far = (int64_t)x->trips * n.counted.step + x->lo, room = INT32_MAX / 2;
    if (far > room || far < -room || x->lo > room || x->lo < -room) return false;
    x->loop = s;
    x->fx = ir_effects_of(u, n.counted.body);
    collect(x);
    if (!x->count) return false;
    uint32_t size = pass_size(u, n.counted.body), live = pass_live_words(u, s), budget = x->p->target->register_budget;
    // Lanes that wait for each other's exchanges do so for those of several passes at once (agree_last.c).
    x->together = stops.exchanges
                      ? pass_passes_in_flight(x->p, x->invocations, PASS_PREFETCH_TOGETHER, PASS_PREFETCH_MOST)
                      : PASS_PREFETCH_TOGETHER;
    while (2ull * x->together > x->trips && x->together > 1)
        x->together /= 2;
    while (x->together > 1 &&
           (size * x->together > PASS_PREFETCH_STATEMENTS || live + 2 * x->count * x->together > budget))
        x->together /= 2;
    return live + 2 * x->count * x->together <= budget;
}

// An assignment of what the load gives where the loop's variable is `at`.
static ir_stmt load_at(struct loader *x, ir_var to, ir_expr load, ir_expr at) {
    ir_stmt s = ir_assign(x->u, to, load, x->u->nodes[load].loc);
    pass_substitute(x->u, s, x->u->stmts[x->loop].counted.var, at);
    return s;
}

// Moves stores at the top of the block to `late`, with what they store in variables.
static ir_stmt without_stores(struct loader *x, ir_stmt block, ir_stmt *late) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        const struct ir_stmt_node n = u->stmts[s];
        bool memory = n.kind == IR_STORE && ir_in_buffer(u, n.store.array);
        if (memory && !ir_bit(x->fx.arrays_read, n.store.array) && is_known_store(x, &n)) {
            ir_var value = ir_add_var(u, u->arrays[n.store.array].name, (enum ir_type)u->nodes[n.store.value].type,
                                      IR_VAR_LOCAL, n.loc);
            ir_append(u, &out, ir_assign(u, value, n.store.value, n.loc));
            ir_expr read = ir_var_read(u, value, n.loc);
            u->stmts[s].store.value = read;
            ir_append(u, late, s);
        } else {
            ir_append(u, &out, s);
        }
    }
    return out;
}

// All stores of the body may be late, or none: their order is kept.
static bool stores_wait(const struct loader *x, ir_stmt body) {
    for (ir_stmt s = body; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        if (n->kind == IR_ATOMIC) return false;
        if (n->kind == IR_STORE && ir_in_buffer(x->u, n->store.array) &&
            (ir_bit(x->fx.arrays_read, n->store.array) || !is_known_store(x, n)))
            return false;
        if ((n->kind == IR_IF || n->kind == IR_FOR || n->kind == IR_LOOP)) {
            struct ir_effects fx = ir_effects_of_one(x->u, s);
            for (ir_array a = 1; a < x->u->array_count; a++)
                if (ir_bit(fx.arrays_written, a) && ir_in_buffer(x->u, a)) return false;
        }
    }
    return true;
}

// The loads of one round: of the first one, which `before` makes, and in the loop's body of the next; `turn` makes the
// next one's the present one's. now, then: the variables, [pass][load].
static void load_rounds(struct loader *x, ir_var *now, ir_var *then, ir_stmt *before, ir_stmt *body, ir_stmt *turn) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    int64_t step = n.counted.step, last = x->lo + ((int64_t)x->trips - 1) * step;
    for (uint32_t k = 0; k < x->together; k++)
        for (uint32_t i = 0; i < x->count; i++) {
            const struct ir_node load = u->nodes[x->loads[i]];
            const char *name = base_format(u->cx, "%s_ahead", u->arrays[load.a].name);
            ir_var a = ir_add_var(u, name, (enum ir_type)load.type, IR_VAR_LOCAL, load.loc),
                   b = ir_add_var(u, name, (enum ir_type)load.type, IR_VAR_LOCAL, load.loc);
            now[k * x->count + i] = a;
            then[k * x->count + i] = b;
            ir_expr first = ir_const(u, type, (uint32_t)(x->lo + k * step)), end = ir_const(u, type, (uint32_t)last);
            ir_append(u, before, load_at(x, a, x->loads[i], first));
            ir_expr at = ir_op2(u, IR_ADD, ir_var_read(u, n.counted.var, n.loc),
                                ir_const(u, type, (uint32_t)((x->together + k) * step)), n.loc);
            at = ir_op2(u, step > 0 ? IR_MIN : IR_MAX, at, end, n.loc);
            ir_append(u, body, load_at(x, b, x->loads[i], at));
            ir_append(u, turn, ir_assign(u, a, ir_var_read(u, b, load.loc), load.loc));
        }
}

// The statements that replace the loop.
static ir_stmt pipeline(struct loader *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    int64_t step = n.counted.step;
    uint32_t rounds = (uint32_t)(x->trips / x->together), rest = (uint32_t)(x->trips % x->together),
             total = u->var_count;
    uint32_t *reads = base_alloc_array(u->cx, total, sizeof *reads);
    pass_count_reads(u, u->root, reads);
    struct pass_privates privates = pass_privates_of(u, n.counted.body, reads, total);
    ir_var *now = base_alloc_array(u->cx, (size_t)x->count * x->together, sizeof *now);
    ir_var *then = base_alloc_array(u->cx, (size_t)x->count * x->together, sizeof *then);
    ir_stmt out = 0, body = 0, late = 0, turn = 0, after = 0;
    bool wait = stores_wait(x, n.counted.body);
    load_rounds(x, now, then, &out, &body, &turn);
    for (uint32_t k = 0; k < x->together + rest; k++) {
        ir_stmt own_late = 0;
        bool behind = k >= x->together; // of what is left when the rounds are over
        uint32_t in = behind ? k - x->together : k;
        ir_stmt copy = pass_clone_private(u, n.counted.body, &privates);
        pass_replace_loads(u, copy, x->loads, now + in * x->count, x->count);
        if (!behind && wait) copy = without_stores(x, copy, &own_late);
        ir_expr at = ir_var_read(u, n.counted.var, n.loc);
        if (behind)
            at = ir_const(u, type, (uint32_t)(x->lo + ((int64_t)rounds * x->together + in) * step));
        else if (k)
            at = ir_op2(u, IR_ADD, at, ir_const(u, type, (uint32_t)(k * step)), n.loc);
        pass_substitute(u, copy, n.counted.var, at);
        ir_stmt *to = behind ? &after : &body;
        ir_append(u, to, copy);
        pass_substitute(u, own_late, n.counted.var, at);
        ir_append(u, &late, own_late);
    }
    body = pass_agree_last(u, body); // before the stores, which need what is exchanged
    ir_append(u, &body, late);
    ir_append(u, &body, turn);
    ir_expr end = ir_const(u, type, (uint32_t)(x->lo + (int64_t)rounds * x->together * step));
    u->stmts[x->loop].counted.hi = end;
    u->stmts[x->loop].counted.step = (step * x->together);
    u->stmts[x->loop].counted.body = body;
    u->stmts[x->loop].next = 0;
    ir_append(u, &out, x->loop);
    ir_append(u, &out, after);
    base_text_format(x->p->explain,
                     "prefetch: the loop at line %u makes %u pass%s at once and loads %u word%s for the next\n",
                     u->cx->locs[n.loc].line, x->together, x->together == 1 ? "" : "es", x->count * x->together,
                     base_s(x->count * x->together));
    return out;
}

static bool enters(void *user, ir_stmt s) {
    struct loader *x = user;
    x->found = x->u->stmts[s].kind == IR_FOR && takes(x, s);
    return !x->found;
}

static ir_stmt prefetch_loop(void *user, ir_stmt done, ir_stmt s) {
    struct loader *x = user;
    bool found = x->found;
    (void)done;
    x->found = false;
    return found ? pipeline(x) : s;
}

static void prefetch_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct loader *x = user;
    struct ir_effects fx = ir_effects_of(x->u, x->u->stmts[parfor].parfor.body);
    x->kernel = &fx;
    x->sc = sc;
    const struct ir_stmt_node *n = &x->u->stmts[parfor];
    x->invocations = pass_most_iterations(sc, parfor) * (n->flags & IR_FLAG_LANES ? n->parfor.lanes : 1);
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    struct pass_rewriter loading = {.u = x->u, .sc = sc, .user = x, .enters = enters, .replace = prefetch_loop};
    ir_stmt body = pass_rewrite_linked(&loading, x->u->stmts[parfor].parfor.body);
    x->u->stmts[parfor].parfor.body = body;
    pass_scope_leave(sc, mark);
}

void pass_prefetch(struct pass_cx *p) {
    struct loader x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, prefetch_parfor, &x);
    pass_fold(p);
}
