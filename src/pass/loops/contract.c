// What pass_expand has put into memory comes back where it can.
//
//   - Iterations without lanes: the array is local again (pass_contract). Where a GPU has no room for all of them, some
//     stay, an element of all iterations side by side: neighbouring invocations then touch neighbouring words. Where
//     data say which element it is, they are apart either way, and a row of the iteration's own stays together.
//   - Iterations on lanes: it stands in workgroup memory, once for all lanes of the iteration (pass_near), which
//     is where a CUDA programmer puts it. Barriers of the workgroup already stand wherever one lane reads what another
//     one wrote (meet.c).
//
// The law: all accesses are in the one parallel loop whose local array it was, each at the iteration's own place, and
// in C the array is gone when the iteration ends.
#include <string.h>

#include "pass/cost.h"
#include "pass/passes.h"

struct contractor {
    struct ir_unit *u;
    bool of_lanes;  // looks for iterations on lanes, or for the others
    ir_stmt parfor; // under way
    bool is_steady; // of the place that is looked at
    ir_stmt *home;  // by array: the PARFOR that alone accesses it
    bool *fits;     // ... at indices that are its own
    ir_array *to;   // by array: the local one
    bool *steady;   // by array: iterations that run side by side touch the same place of theirs at a time
    bool *turned;   // by array: its places come with the iteration's number last
    bool *counters; // by variable: of FORs
    uint32_t array_cap;
};

static bool is_on_lanes(const struct ir_stmt_node *parfor) {
    return parfor->flags & IR_FLAG_LANES && !parfor->parfor.lane_var;
}

// Of a single iteration the place is known, and passes may have put it there.
static bool is_place(const struct ir_unit *u, const struct ir_stmt_node *parfor, uint32_t dim, ir_expr at,
                     ir_expr index) {
    const struct ir_dim *d = &u->dims[parfor->parfor.dims + dim];
    uint32_t lo, hi, bits;
    if (ir_same_expr(u, at, index)) return true;
    return ir_is_const(u, index, &bits) && bits == 0 && ir_is_const(u, d->lo, &lo) && ir_is_const(u, d->hi, &hi) &&
           hi == lo + 1;
}

static bool on_place(void *user, ir_expr e) {
    struct contractor *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD ? x->u->arrays[n->a].klass != IR_ARRAY_TABLE : n->op == IR_VAR && !x->counters[n->a])
        x->is_steady = false;
    return x->is_steady;
}

static void look_at(struct contractor *x, ir_array a, const uint32_t *indices) {
    struct ir_unit *u = x->u;
    ir_expr at[IR_MAX_DIMS];
    const struct ir_stmt_node n = u->stmts[x->parfor];
    if (!u->arrays[a].expanded) return;
    x->is_steady = true;
    for (uint32_t d = u->arrays[a].expanded; d < u->arrays[a].ndims; d++)
        ir_walk_expr(u, indices[d], on_place, x);
    x->steady[a] &= x->is_steady;
    x->fits[a] &= (!x->home[a] || x->home[a] == x->parfor) && n.parfor.dim_count == u->arrays[a].expanded &&
                  (x->of_lanes ? is_on_lanes(&n) : !(n.flags & IR_FLAG_LANES));
    x->home[a] = x->parfor;
    if (!x->fits[a]) return;
    uint32_t count = pass_block_index(u, &n, NULL, 0, at);
    for (uint32_t d = 0; d < count; d++)
        x->fits[a] &= is_place(u, &n, d, at[d], indices[d]);
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

// The first `lead` of n indices or sizes become the last ones.
static void turn(uint32_t *items, uint32_t lead, uint32_t n) {
    uint32_t before[IR_MAX_DIMS];
    memcpy(before, items, n * sizeof *items);
    for (uint32_t i = 0; i < n; i++)
        items[i] = before[(i + lead) % n];
}

static ir_expr contract_load(void *user, ir_expr e) {
    struct contractor *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || n.a >= x->array_cap || (!x->to[n.a] && !x->turned[n.a])) return e;
    uint32_t lead = x->u->arrays[n.a].expanded;
    ir_expr at[IR_MAX_DIMS];
    if (x->turned[n.a]) {
        memcpy(at, x->u->args + n.b, n.n * sizeof *at);
        turn(at, lead, n.n);
        return ir_load(x->u, n.a, at, n.n, n.loc);
    }
    for (uint32_t i = lead; i < n.n; i++)
        at[i - lead] = x->u->args[n.b + i];
    return ir_load(x->u, x->to[n.a], at, n.n - lead, n.loc);
}
static bool contract_store(void *user, ir_stmt s) {
    struct contractor *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE || n->store.array >= x->array_cap) return true;
    uint32_t lead = x->u->arrays[n->store.array].expanded;
    if (x->turned[n->store.array]) {
        uint32_t at[IR_MAX_DIMS];
        memcpy(at, x->u->args + n->store.indices, n->store.index_count * sizeof *at);
        turn(at, lead, n->store.index_count);
        uint32_t indices = ir_add_args(x->u, at, n->store.index_count);
        x->u->stmts[s].store.indices = indices;
        return true;
    }
    if (!x->to[n->store.array]) return true;
    n->store.indices += lead;
    n->store.index_count -= lead;
    n->store.array = x->to[n->store.array];
    return true;
}

// false: there is nothing to look at.
static bool begin(struct contractor *x, struct pass_cx *p, bool of_lanes) {
    struct ir_unit *u = p->u;
    struct pass_scope sc;
    bool any = false;
    *x = (struct contractor){.u = u, .of_lanes = of_lanes, .array_cap = u->array_count};
    x->home = base_alloc_array(u->cx, x->array_cap, sizeof *x->home);
    x->fits = base_alloc_array(u->cx, x->array_cap, sizeof *x->fits);
    x->to = base_alloc_array(u->cx, x->array_cap, sizeof *x->to);
    x->turned = base_alloc_array(u->cx, x->array_cap, sizeof *x->turned);
    x->steady = base_alloc_array(u->cx, x->array_cap, sizeof *x->steady);
    x->counters = base_alloc_array(u->cx, u->var_count, sizeof *x->counters);
    for (ir_stmt s = 1; s < u->stmt_count; s++)
        if (u->stmts[s].kind == IR_FOR) x->counters[u->stmts[s].counted.var] = true;
    for (ir_array a = 1; a < x->array_cap; a++)
        any |= x->steady[a] = x->fits[a] = u->arrays[a].expanded != 0;
    if (!any) return false;
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, look_in, x);
    return true;
}

// Elements of the array for one iteration; 0: it stays where it is.
static uint64_t words_of(const struct contractor *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    return info->expanded && x->fits[a] && x->home[a] ? pass_elements(x->u, a, info->expanded, PASS_MOST_SPREAD) : 0;
}

static void take(struct contractor *x, ir_array a) {
    struct ir_unit *u = x->u;
    const struct ir_array_info info = u->arrays[a];
    x->to[a] = ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_LOCAL,
                            (uint32_t)info.ndims - info.expanded, info.dims + info.expanded, info.loc);
}

struct near_stmts {
    struct contractor *x;
    bool stays; // something of the iteration that its lanes wait for
};
static bool touches_staying(void *user, ir_expr e) {
    struct near_stmts *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    q->stays |= n->op == IR_LOAD && n->a < q->x->array_cap && q->x->u->arrays[n->a].expanded && !q->x->to[n->a];
    return true;
}
static bool meet_in_memory(void *user, ir_stmt s) {
    struct ir_unit *u = user;
    if (u->stmts[s].kind == IR_NOP) u->stmts[s].nop.value = 0;
    return true;
}

// Lanes that wait for arrays which stay in memory do so there.
static void settle_meetings(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct near_stmts q = {user, false};
    struct ir_visitor v = {.on_node = touches_staying, .user = &q};
    struct ir_unit *u = sc->u;
    ir_walk_block(u, u->stmts[parfor].parfor.body, &v);
    if (q.stays) ir_walk_stmts(u, u->stmts[parfor].parfor.body, meet_in_memory, u);
}

static void end(struct contractor *x) {
    ir_map_block(x->u, x->u->root, contract_load, x);
    ir_walk_stmts(x->u, x->u->root, contract_store, x);
}

void pass_contract(struct pass_cx *p) {
    struct contractor x;
    if (!begin(&x, p, false)) return;
    uint64_t *taken =
        base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *taken); // by PARFOR, of arrays that come back
    for (ir_array a = 1; a < x.array_cap; a++) {
        uint64_t words = words_of(&x, a);
        ir_stmt home = x.home[a];
        if (!words) continue;
        bool stays = words + taken[home] + pass_local_words(p->u, home) > PASS_LOCAL_WORDS;
        x.turned[a] = stays && x.steady[a];
        if (stays) continue;
        taken[home] += words;
        take(&x, a);
    }
    end(&x);
    for (ir_array a = 1; a < x.array_cap; a++) {
        struct ir_array_info *info = &p->u->arrays[a];
        if (!x.turned[a]) continue;
        turn(info->dims, info->expanded, info->ndims);
        info->expanded = 0;
    }
}

// ---- workgroup memory -----------------------------------------------------------------------------------------------

enum { BANKS = 32 }; // guess: words that the memory gives at once, as far as each is of another bank

// From the array of one iteration of a workgroup to that of the next: so that neighbouring invocations ask different
// banks where each lane asks for the element of its number.
static uint32_t stride_of(const struct ir_stmt_node *parfor, uint32_t words) {
    if (parfor->parfor.lanes >= BANKS && !(parfor->flags & IR_FLAG_ROW)) return words;
    uint32_t apart = parfor->flags & IR_FLAG_ROW ? 1 : parfor->parfor.lanes;
    return words + (apart + BANKS - words % BANKS) % BANKS;
}

// Iterations that a workgroup of a whole program has at a time.
static uint32_t abreast_of(uint32_t lanes) { return lanes < PASS_WORKGROUP ? PASS_WORKGROUP / lanes : 1; }

uint32_t pass_lane_array_words(const struct ir_unit *u) {
    uint32_t most[IR_F32 + 1] = {0}, all = 0;
    for (ir_array a = 1; a < u->array_count; a++) {
        const struct ir_array_info *info = &u->arrays[a];
        enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
        uint32_t end = info->lanes ? (info->data_count + info->row) * abreast_of(info->lanes) : 0;
        if (end > most[type]) most[type] = end;
    }
    for (int type = 0; type <= IR_F32; type++)
        all += most[type];
    return all;
}

uint64_t pass_near_room(const struct pass_cx *p) {
    uint64_t words = p->target->workgroup_bytes / 4,
             others = IR_LANES_BYTES / 4 + pass_private_words(p->u) + pass_panel_words(p->u) + ir_neighbour_all(p->u);
    return words > others ? words - others : 0;
}

bool pass_is_near(const struct pass_cx *p, ir_array a) {
    uint32_t lead = p->u->arrays[a].expanded;
    return lead && pass_elements(p->u, a, lead, PASS_MOST_SPREAD) <= pass_near_room(p);
}

void pass_near(struct pass_cx *p) {
    struct ir_unit *u = p->u;
    struct contractor x;
    if (!begin(&x, p, true)) return;
    uint64_t room = pass_near_room(p);
    // by PARFOR and type, of each iteration
    uint32_t(*taken)[IR_F32 + 1] = base_alloc_array(u->cx, u->stmt_count, sizeof *taken);
    bool *said = base_alloc_array(u->cx, u->stmt_count, sizeof *said);
    uint32_t most[IR_F32 + 1] = {0};
    for (ir_array a = 1; a < x.array_cap; a++) {
        uint64_t words = words_of(&x, a), all = 0;
        ir_stmt home = x.home[a];
        if (!words || words > room) continue;
        const struct ir_stmt_node n = u->stmts[home];
        enum ir_type type = ir_elem_type((enum whorl_dtype)u->arrays[a].elem);
        uint32_t stride = stride_of(&n, (uint32_t)words);
        uint64_t end = ((uint64_t)taken[home][type] + stride) * abreast_of(n.parfor.lanes);
        for (int t = 0; t <= IR_F32; t++)
            all += t == (int)type && end > most[t] ? end : most[t];
        if (all > room) continue;
        take(&x, a);
        u->arrays[x.to[a]].lanes = n.parfor.lanes;
        u->arrays[x.to[a]].row = stride;
        u->arrays[x.to[a]].data_count = taken[home][type];
        taken[home][type] += stride;
        if (end > most[type]) most[type] = (uint32_t)end;
        if (!said[home])
            base_text_format(p->explain,
                             "near: lanes of the loop at line %u have its local arrays in workgroup memory\n",
                             u->cx->locs[n.loc].line);
        said[home] = true;
    }
    struct pass_scope sc;
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, settle_meetings, &x);
    end(&x);
}
