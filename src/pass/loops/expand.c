// Local arrays of iterations that are few, in memory, so that lanes can share the loops that fill and read them:
//
//   parallel for (f) { float x[N]; for (i < N) x[i] = ...; for (l) { for (i < N - l) s += x[i] * x[i + l]; ... } }
//
// Lanes have no part in each other's local arrays, so one lane would make the whole iteration, with the array in memory
// that the driver gives each invocation, where most of a device has nothing to do. With x[f][N] all lanes fill it and
// read what the others wrote (lanes.c, meet.c). This is array expansion (P. Feautrier, "Array expansion", ICS 1988).
//
// The law: in C the array belongs to the iteration, and nothing of it is there before or behind. It is done where the
// loops that lanes then share (share.c) leave each of them half of the passes at most, or where the arrays are more
// than an invocation should have for itself: an H100 was lost when a kernel with 16 KiB of them was made. Where lanes
// do not come in the end, for what else they must not do, arrays become local again (pass_contract).
#include "pass/cost.h"
#include "pass/loops/expansion.h"

// Of all local arrays of the iteration.
static uint64_t local_words(struct ir_unit *u, ir_stmt parfor) {
    struct ir_effects fx = ir_effects_of_one(u, parfor);
    uint64_t words = 0;
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].klass == IR_ARRAY_LOCAL && (ir_bit(fx.arrays_written, a) || ir_bit(fx.arrays_read, a)))
            words += pass_elements(u, a, 0, PASS_MOST_SPREAD);
    return words;
}

// All that are long enough; false: there is none, or no room.
static bool expand_in(struct pass_cx *p, const struct pass_scope *sc, ir_stmt parfor) {
    struct ir_unit *u = p->u;
    struct ir_effects fx = ir_effects_of_one(u, parfor);
    struct pass_expansion x;
    bool any = false;
    pass_expansion_begin(&x, u, p->target, sc, parfor);
    for (ir_array a = 1; a < x.array_cap; a++) {
        if (u->arrays[a].klass != IR_ARRAY_LOCAL || !ir_bit(fx.arrays_written, a) ||
            pass_elements(u, a, 0, PASS_MOST_SPREAD) < PASS_EXPAND_LEAST)
            continue;
        if (!pass_expand_array(&x, a)) return false;
        u->arrays[x.to[a]].expanded = (uint8_t)u->stmts[parfor].parfor.dim_count;
        any = true;
    }
    pass_expand_accesses(&x, u->stmts[parfor].parfor.body);
    return any;
}

// Lanes make half of the passes at most, or share more loops of so many words that each would have a copy of.
static bool spares_much(const struct pass_cx *p, const struct pass_scope *sc, ir_stmt parfor, uint64_t words) {
    struct pass_cx with = pass_copy(p), without = pass_copy(p);
    uint32_t loops_with, loops_without;
    if (!expand_in(&with, sc, parfor)) return false;
    uint64_t passes = pass_shared_passes(&with, parfor, &loops_with),
             alone = pass_shared_passes(&without, parfor, &loops_without);
    if (passes == UINT64_MAX || alone == UINT64_MAX) return loops_with > loops_without;
    return passes <= alone / 2 || (words >= PASS_EXPAND_LARGE && passes <= alone && loops_with > loops_without);
}

static void expand_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct pass_cx *p = user;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    uint64_t iterations, words = local_words(u, parfor);
    if (words < PASS_EXPAND_LEAST || n.flags & IR_FLAG_LANES || n.parfor.reduction_count ||
        !pass_has_plain_dims(u, &n) || !pass_iterations(sc, parfor, &iterations))
        return;
    bool few =
        !p->eager && iterations * PASS_EXPAND_FEW <= p->target->busy_invocations && !pass_has_simd(u, n.parfor.body);
    struct base_scratch scratch = base_scratch_begin(u->cx);
    bool pays = words > PASS_LOCAL_WORDS || (few && spares_much(p, sc, parfor, words));
    base_scratch_end(u->cx, &scratch);
    if (!pays || !expand_in(p, sc, parfor)) return;
    base_text_format(p->explain, "expand: the local arrays of the loop at line %u are in memory\n",
                     u->cx->locs[n.loc].line);
}

void pass_expand(struct pass_cx *p) {
    struct pass_scope sc;
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, expand_parfor, p);
}

// ---- and back -------------------------------------------------------------------------------------------------------

struct contractor {
    struct ir_unit *u;
    ir_stmt parfor; // under way
    ir_stmt *home;  // by array: the PARFOR that alone accesses it
    bool *fits;     // ... at indices that are its own
    ir_array *to;   // by array: the local one
    uint32_t array_cap;
};

static void look_at(struct contractor *x, ir_array a, const uint32_t *indices) {
    struct ir_unit *u = x->u;
    ir_expr at[IR_MAX_DIMS];
    const struct ir_stmt_node n = u->stmts[x->parfor];
    if (!u->arrays[a].expanded) return;
    x->fits[a] &= (!x->home[a] || x->home[a] == x->parfor) && !(n.flags & IR_FLAG_LANES) &&
                  n.parfor.dim_count == u->arrays[a].expanded;
    x->home[a] = x->parfor;
    if (!x->fits[a]) return;
    uint32_t count = pass_block_index(u, &n, NULL, 0, at);
    for (uint32_t d = 0; d < count; d++)
        x->fits[a] &= ir_same_expr(u, at[d], indices[d]);
}
static bool on_load(void *user, ir_expr e) {
    struct contractor *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op == IR_LOAD) look_at(x, n.a, x->u->args + n.b);
    return true;
}
static bool on_stmt(void *user, ir_stmt s) {
    struct contractor *x = user;
    const struct ir_stmt_node n = x->u->stmts[s];
    struct ir_write w = ir_write_of(&n);
    if (w.array) look_at(x, w.array, x->u->args + w.indices);
    if (n.kind == IR_ATOMIC) x->fits[n.atomic.array] = false;
    if (n.kind == IR_STAGE) x->fits[n.stage.from] = false;
    if (n.kind == IR_TURN) x->fits[n.turn.from] = x->fits[n.turn.to] = false;
    return true;
}
static void look_in(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct contractor *x = user;
    struct ir_visitor v = {.on_stmt = on_stmt, .on_node = on_load, .user = x};
    (void)sc;
    x->parfor = parfor;
    ir_walk_block(x->u, x->u->stmts[parfor].parfor.body, &v);
}

static ir_expr contract_load(void *user, ir_expr e) {
    struct contractor *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || n.a >= x->array_cap || !x->to[n.a]) return e;
    uint32_t lead = x->u->arrays[n.a].expanded;
    ir_expr at[IR_MAX_DIMS];
    for (uint32_t i = lead; i < n.n; i++)
        at[i - lead] = x->u->args[n.b + i];
    return ir_load(x->u, x->to[n.a], at, n.n - lead, n.loc);
}
static bool contract_store(void *user, ir_stmt s) {
    struct contractor *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE || n->store.array >= x->array_cap || !x->to[n->store.array]) return true;
    uint32_t lead = x->u->arrays[n->store.array].expanded;
    n->store.indices += lead;
    n->store.index_count -= lead;
    n->store.array = x->to[n->store.array];
    return true;
}

// Arrays of iterations without lanes are local again, if they are small enough and all that touches them still does so
// at the iteration's own place.
void pass_contract(struct pass_cx *p) {
    struct ir_unit *u = p->u;
    struct contractor x = {.u = u, .array_cap = u->array_count};
    struct pass_scope sc;
    bool any = false;
    x.home = base_alloc_array(u->cx, x.array_cap, sizeof *x.home);
    x.fits = base_alloc_array(u->cx, x.array_cap, sizeof *x.fits);
    x.to = base_alloc_array(u->cx, x.array_cap, sizeof *x.to);
    for (ir_array a = 1; a < x.array_cap; a++)
        any |= x.fits[a] = u->arrays[a].expanded != 0;
    if (!any) return;
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, look_in, &x);
    uint64_t *taken = base_alloc_array(u->cx, u->stmt_count, sizeof *taken); // by PARFOR, of arrays that come back
    for (ir_array a = 1; a < x.array_cap; a++) {
        const struct ir_array_info info = u->arrays[a];
        uint64_t words = info.expanded ? pass_elements(u, a, info.expanded, PASS_MOST_SPREAD) : 0;
        ir_stmt home = x.home[a];
        if (!info.expanded || !x.fits[a] || !home || words + taken[home] + local_words(u, home) > PASS_LOCAL_WORDS)
            continue;
        taken[home] += words;
        x.to[a] = ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_LOCAL,
                               (uint32_t)info.ndims - info.expanded, info.dims + info.expanded, info.loc);
    }
    ir_map_block(u, u->root, contract_load, &x);
    ir_walk_stmts(u, u->root, contract_store, &x);
}
