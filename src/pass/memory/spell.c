// Small local arrays that data choose elements of now and then: a list of the best so far, a pivot's row, a board.
// Where such a choice is spelled out over all elements, every place is known, and pass_scalarise makes variables of
// them:
//
//   t = m[p][1];                        t = p & 2 ? m[2][1] : p & 1 ? m[1][1] : m[0][1];
//   m[p][0] = x;           becomes      for each e: m[e][0] = p == e ? x : m[e][0];
//
// The law: an index is one of those elements (C says nothing about others), so that the choice is what was loaded, and
// each element keeps its value or takes what was stored. A selection for each element is paid for it, where an access
// to memory takes as long as several of them: so both are weighed, by how often an iteration makes each access.
#include "pass/cost.h"
#include "pass/passes.h"

struct speller {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t arrays; // there were so many
    // By array, of an iteration: selections that its accesses would be; how many those may be; text that they are.
    double *selections, *worth, *nodes;
    bool *stays;           // by array
    double runs;           // of the statement that is looked at
    bool again;            // it is a condition that is asked for in each pass
    ir_stmt before;        // what comes in front of the statement that is rewritten
    struct pass_scope *sc; // where the walk for arms is
};

// ---- which arrays? --------------------------------------------------------------------------------------------------

static uint32_t dim_of(const struct ir_unit *u, ir_array a, uint32_t d) {
    uint32_t dim = 0;
    (void)ir_is_const(u, u->arrays[a].dims[d], &dim);
    return dim;
}

// Elements among which the indices choose; 1: the place is known.
static uint64_t choices(const struct ir_unit *u, ir_array a, const ir_expr *indices) {
    uint64_t count = 1;
    uint32_t index;
    for (uint32_t d = 0; d < u->arrays[a].ndims; d++)
        if (!ir_is_const(u, indices[d], &index)) count *= dim_of(u, a, d);
    return count;
}

// It may stand for itself wherever it is needed: a variable, or one and a constant.
static bool is_simple(const struct ir_unit *u, ir_expr index) {
    uint32_t bits;
    const struct ir_node *n = &u->nodes[index];
    if ((n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(u, n->b, &bits)) n = &u->nodes[n->a];
    return n->op == IR_VAR || n->op == IR_CONST;
}

static void weigh_access(struct speller *x, ir_array a, const ir_expr *indices, bool stores) {
    const struct ir_unit *u = x->u;
    if (x->stays[a]) return;
    uint64_t count = choices(u, a, indices);
    x->worth[a] += x->runs * PASS_SPELL_ACCESS;
    if (count == 1) return;
    double selections = (double)count * (stores ? 3 : 1); // a store compares for each, and all wait for it
    x->selections[a] += x->runs * selections;
    x->nodes[a] += selections * 2;
    for (uint32_t d = 0; d < u->arrays[a].ndims; d++)
        if (x->again && !is_simple(u, indices[d])) x->stays[a] = true;
}

static ir_expr weigh_node(void *user, ir_expr e) {
    struct speller *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) weigh_access(x, n->a, x->u->args + n->b, false);
    return e;
}

static bool may_be_shared(const struct ir_unit *u, ir_stmt s) {
    uint64_t trips;
    bool simd = u->stmts[s].kind == IR_FOR && u->stmts[s].flags & IR_FLAG_SIMD;
    return simd && (pass_for_lanes(u, s) || !ir_const_trips(u, s, &trips));
}

// Lanes that share a loop have no part in each other's variables.
static void weigh_block(struct speller *x, ir_stmt block, bool by_lanes) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_array written = ir_write_of(&n).array;
        if (n.kind == IR_STORE) weigh_access(x, written, u->args + n.store.indices, true);
        if (written && (n.kind != IR_STORE || n.flags || n.store.run || by_lanes)) x->stays[written] = true;
        if (n.kind == IR_STAGE) x->stays[n.stage.from] = true;
        if (n.kind == IR_TURN) x->stays[n.turn.from] = x->stays[n.turn.to] = true;
        double around = x->runs;
        uint64_t trips = PASS_UNKNOWN_TRIPS;
        bool loops = n.kind == IR_FOR || n.kind == IR_LOOP;
        if (n.kind == IR_FOR) (void)ir_const_trips(u, s, &trips);
        x->again = n.kind == IR_LOOP;
        if (x->again) x->runs *= (double)trips;
        ir_map_stmt(u, s, weigh_node, x);
        x->again = false;
        if (loops) x->runs = around * (double)trips;
        ir_stmt inside[2];
        uint32_t blocks = ir_blocks_of(&n, inside);
        for (uint32_t b = 0; b < blocks; b++)
            weigh_block(x, inside[b], by_lanes || may_be_shared(u, s));
        x->runs = around;
    }
}

// In an arm of a choice, or behind && or ||. An index that is held in front would be made where the arm is not: its
// loads would say how long a loop is at most (lanes/walks.c), where only a guard keeps them within their array.
static bool weigh_load_of_arm(void *user, ir_expr e) {
    struct speller *x = user;
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    for (uint32_t d = 0; n->op == IR_LOAD && d < n->n; d++) {
        ir_expr index = u->args[n->b + d];
        if (pass_has_load(u, index) && !pass_is_safe_anywhere(x->sc, index)) x->stays[n->a] = true;
    }
    return true;
}
static ir_expr weigh_arms(void *user, ir_expr e) {
    struct speller *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR) ir_walk_expr(x->u, n->b, weigh_load_of_arm, x);
    if (n->op == IR_SELECT) ir_walk_expr(x->u, n->c, weigh_load_of_arm, x);
    return e;
}
static ir_stmt weigh_arms_of(void *user, ir_stmt s) {
    struct speller *x = user;
    ir_map_stmt(x->u, s, weigh_arms, x);
    return 0;
}
static void weigh_all_arms(struct speller *x, ir_stmt parfor) {
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_parfor(x->sc, parfor);
    struct pass_rewriter walk = {.u = x->u, .sc = x->sc, .user = x, .before = weigh_arms_of};
    ir_stmt body = pass_rewrite_block(&walk, x->u->stmts[parfor].parfor.body);
    x->u->stmts[parfor].parfor.body = body;
    pass_scope_leave(x->sc, mark);
}

bool pass_may_spell(const struct ir_unit *u, ir_array a) {
    return u->arrays[a].klass == IR_ARRAY_LOCAL && pass_elements(u, a, 0, PASS_SPELL_ELEMENTS) <= PASS_SPELL_ELEMENTS &&
           ir_round_op((enum whorl_dtype)u->arrays[a].elem) == IR_EXACT;
}

// ---- the choices ----------------------------------------------------------------------------------------------------

// One of the elements that the indices may mean, by their bits.
struct chooser {
    struct speller *x;
    ir_array array;
    const ir_expr *indices;
    ir_expr at[IR_MAX_DIMS]; // constants, as far as they are chosen
    base_loc loc;
};
static ir_expr element_of(struct chooser *c, uint32_t d);
static ir_expr element_from(struct chooser *c, uint32_t d, uint32_t first, uint32_t bit) {
    struct ir_unit *u = c->x->u;
    enum ir_type type = (enum ir_type)u->nodes[c->indices[d]].type;
    while (bit && first + bit >= dim_of(u, c->array, d))
        bit /= 2; // there are none that have it
    if (!bit) {
        c->at[d] = ir_const(u, type, first);
        return element_of(c, d + 1);
    }
    ir_expr high = element_from(c, d, first + bit, bit / 2), low = element_from(c, d, first, bit / 2);
    ir_expr has = ir_op2(u, IR_AND, c->indices[d], ir_const(u, type, bit), c->loc);
    return ir_op3(u, IR_SELECT, ir_op2(u, IR_NE, has, ir_const(u, type, 0), c->loc), high, low, c->loc);
}
static ir_expr element_of(struct chooser *c, uint32_t d) {
    struct ir_unit *u = c->x->u;
    uint32_t bits;
    if (d == u->arrays[c->array].ndims) return ir_load(u, c->array, c->at, d, c->loc);
    if (!ir_is_const(u, c->indices[d], &bits)) return element_from(c, d, 0, PASS_SPELL_ELEMENTS);
    c->at[d] = c->indices[d];
    return element_of(c, d + 1);
}

// Puts the value into a variable in front of the statement.
static ir_expr hold(struct speller *x, ir_expr value, base_loc loc) {
    struct ir_unit *u = x->u;
    ir_var v = ir_add_var(u, "t", (enum ir_type)u->nodes[value].type, IR_VAR_LOCAL, loc);
    ir_append(u, &x->before, ir_assign(u, v, value, loc));
    return ir_var_read(u, v, loc);
}

// The indices, in a list of their own, those that take work held. -> false: the place is known, or the array stays
static bool open_indices(struct speller *x, ir_array a, uint32_t first, base_loc loc, ir_expr *out) {
    struct ir_unit *u = x->u;
    if (a >= x->arrays || x->stays[a] || choices(u, a, u->args + first) == 1) return false;
    for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
        out[d] = u->args[first + d];
        if (!is_simple(u, out[d])) out[d] = hold(x, out[d], loc);
    }
    return true;
}

static ir_expr spell_load(void *user, ir_expr e) {
    struct speller *x = user;
    const struct ir_node n = x->u->nodes[e];
    ir_expr indices[IR_MAX_DIMS];
    if (n.op != IR_LOAD || !open_indices(x, n.a, n.b, n.loc, indices)) return e;
    struct chooser c = {.x = x, .array = n.a, .indices = indices, .loc = n.loc};
    return element_of(&c, 0);
}

// Stores the value into each element that may be meant, from dimension `d` on, where `is` holds (0: always).
static void store_each(struct chooser *c, uint32_t d, ir_expr is, ir_expr value, ir_stmt *out) {
    struct ir_unit *u = c->x->u;
    uint32_t bits;
    if (d == u->arrays[c->array].ndims) {
        ir_expr old = ir_load(u, c->array, c->at, d, c->loc), now = ir_op3(u, IR_SELECT, is, value, old, c->loc);
        ir_append(u, out, ir_store(u, c->array, c->at, d, now, c->loc));
        return;
    }
    c->at[d] = c->indices[d];
    if (ir_is_const(u, c->indices[d], &bits)) {
        store_each(c, d + 1, is, value, out);
        return;
    }
    for (uint32_t e = 0; e < dim_of(u, c->array, d); e++) {
        c->at[d] = ir_const(u, (enum ir_type)u->nodes[c->indices[d]].type, e);
        ir_expr here = ir_op2(u, IR_EQ, c->indices[d], c->at[d], c->loc);
        store_each(c, d + 1, is ? ir_op2(u, IR_LAND, is, here, c->loc) : here, value, out);
    }
}

static ir_stmt spell_stmt(void *user, ir_stmt done, ir_stmt s) {
    struct speller *x = user;
    struct ir_unit *u = x->u;
    (void)done;
    x->before = 0;
    ir_map_stmt(u, s, spell_load, x);
    const struct ir_stmt_node n = u->stmts[s];
    ir_expr indices[IR_MAX_DIMS];
    ir_stmt last = s;
    if (n.kind == IR_STORE && open_indices(x, n.store.array, n.store.indices, n.loc, indices)) {
        struct chooser c = {.x = x, .array = n.store.array, .indices = indices, .loc = n.loc};
        ir_expr value = is_simple(u, n.store.value) ? n.store.value : hold(x, n.store.value, n.loc);
        last = 0;
        store_each(&c, 0, 0, value, &last);
    }
    ir_stmt out = x->before;
    ir_append(u, &out, last);
    return out;
}

// An element that is chosen may be one in which nothing was stored yet.
static void begin_with_zeros(struct chooser *c, uint32_t d, ir_stmt *out) {
    struct ir_unit *u = c->x->u;
    const struct ir_array_info *a = &u->arrays[c->array];
    if (d == a->ndims) {
        ir_expr zero = ir_const(u, ir_elem_type(a->elem), 0);
        ir_append(u, out, ir_store(u, c->array, c->at, d, zero, c->loc));
        return;
    }
    for (uint32_t e = 0; e < dim_of(u, c->array, d); e++) {
        c->at[d] = ir_const_i32(u, (int32_t)e);
        begin_with_zeros(c, d + 1, out);
    }
}

static bool any_is_left(const struct speller *x) {
    bool any = false;
    for (ir_array a = 1; a < x->arrays; a++)
        any |= !x->stays[a];
    return any;
}

// Marks the small arrays that the parallel loop loads from.
static void begin_parfor(struct speller *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    struct base_scratch scratch = base_scratch_begin(u->cx); // there may be many loops, and the sets are of all arrays
    struct ir_effects fx = ir_effects_of_one(u, parfor);
    for (ir_array a = 1; a < x->arrays; a++) {
        x->stays[a] = !ir_bit(fx.arrays_read, a) || !pass_may_spell(u, a);
        x->selections[a] = x->worth[a] = x->nodes[a] = 0;
    }
    base_scratch_end(u->cx, &scratch);
}

// Those of the parallel loop that stay in memory are marked. -> there are others
static bool choose_arrays(struct speller *x, ir_stmt parfor) {
    bool in_software = x->p->target->busy_invocations < PASS_GPU_INVOCATIONS;
    double room = in_software ? PASS_SPELL_SOFTWARE_NODES : PASS_SPELL_NODES;
    begin_parfor(x, parfor);
    if (!any_is_left(x)) return false;
    x->runs = 1;
    weigh_block(x, x->u->stmts[parfor].parfor.body, false);
    for (ir_array a = 1; a < x->arrays; a++) {
        x->stays[a] |= x->selections[a] == 0 || x->selections[a] >= x->worth[a] || x->nodes[a] > room;
        room -= x->stays[a] ? 0 : x->nodes[a];
    }
    if (!any_is_left(x)) return false;
    weigh_all_arms(x, parfor);
    return any_is_left(x);
}

static void spell_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct speller *x = user;
    struct ir_unit *u = x->u;
    x->sc = sc;
    if (u->stmts[parfor].flags & IR_FLAG_LANES || !choose_arrays(x, parfor)) return;
    bool *spelled = base_alloc_array(u->cx, u->array_count, sizeof *spelled);
    for (ir_array a = 1; a < x->arrays; a++)
        spelled[a] = !x->stays[a];
    pass_hoist_chosen(x->p, sc, parfor, spelled);
    struct pass_rewriter spelling = {.u = u, .user = x, .replace = spell_stmt};
    ir_stmt rest = pass_rewrite_linked(&spelling, u->stmts[parfor].parfor.body), body = 0;
    for (ir_array a = 1; a < x->arrays; a++) {
        struct chooser c = {.x = x, .array = a, .loc = u->arrays[a].loc};
        if (x->stays[a]) continue;
        begin_with_zeros(&c, 0, &body);
        base_text_format(x->p->explain, "spell: elements of local array '%s' are chosen among variables\n",
                         u->arrays[a].name);
    }
    ir_append(u, &body, rest);
    u->stmts[parfor].parfor.body = body;
}

void pass_spell(struct pass_cx *p) {
    struct speller x = {.p = p, .u = p->u, .arrays = p->u->array_count};
    struct pass_scope sc;
    bool any = false;
    for (ir_array a = 1; a < x.arrays; a++)
        any |= pass_may_spell(p->u, a);
    if (!any) return;
    x.selections = base_alloc_array(p->u->cx, x.arrays, sizeof *x.selections);
    x.worth = base_alloc_array(p->u->cx, x.arrays, sizeof *x.worth);
    x.nodes = base_alloc_array(p->u->cx, x.arrays, sizeof *x.nodes);
    x.stays = base_alloc_array(p->u->cx, x.arrays, sizeof *x.stays);
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, spell_parfor, &x);
}
