// Several neighbouring iterations of a parallel loop become one, side by side: "unroll and jam" (Allen and Cocke, "A
// catalogue of optimizing transformations", 1971). What their inner loops load alike is loaded once:
//
//   parallel for (i, j) { s = 0; for (k) s += a[i][k] * b[k][j]; c[i][j] = s; }
//
// loads two words for each multiplication; four rows by four columns side by side load eight for sixteen. Neighbours
// along a row are loaded as one vector.
//
// The law: iterations of a parallel loop need nothing of each other, so that they may run in any order, statement by
// statement, too. A statement is copied for each of the iterations that it tells apart: what depends on `i` alone is
// made once for all columns. Inner loops whose bounds are the same for all of them stay one loop, and so do branches.
//
// It pays where loads are saved and enough iterations are left to keep the device busy. Iterations are then numbered
// by tiles, so that those of a workgroup are neighbours along both dimensions and share what they load in its cache.
#include "pass/loops/jam.h"
#include "pass/cost.h"

static struct ir_stmt_node *node_of(const struct jam *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- what depends on what -------------------------------------------------------------------------------------------

struct question {
    const struct jam *x;
    uint8_t found;
};
static bool ask_node(void *user, ir_expr e) {
    struct question *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    if (n->op == IR_VAR && n->a < q->x->var_count) q->found |= q->x->depends[n->a];
    return true;
}
uint8_t jam_depends_on(const struct jam *x, ir_expr e) {
    struct question q = {x, 0};
    if (e) ir_walk_expr(x->u, e, ask_node, &q);
    return q.found;
}

static bool note(struct jam *x, ir_var v, uint8_t what) {
    bool is_new = (x->depends[v] | what) != x->depends[v];
    x->depends[v] |= what;
    x->assigned[v] = true;
    return is_new;
}

bool jam_is_common(const struct jam *x, const struct ir_stmt_node *n) {
    ir_stmt inner[2];
    bool same = n->kind == IR_FOR  ? !(jam_depends_on(x, n->counted.lo) | jam_depends_on(x, n->counted.hi))
                : n->kind == IR_IF ? !jam_depends_on(x, n->branch.cond)
                                   : false;
    for (uint32_t i = 0, blocks = ir_blocks_of(n, inner); i < blocks && same; i++)
        same = !pass_leaves_loop(x->u, inner[i]);
    return same;
}

// `around`: what decides whether the block runs. -> something new was found
static bool find_depends(struct jam *x, ir_stmt block, uint8_t around) {
    bool found = false;
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        ir_stmt inner[2];
        uint8_t here = around;
        if (n.kind == IR_ASSIGN) found |= note(x, n.assign.var, around | jam_depends_on(x, n.assign.value));
        if (n.kind == IR_ATOMIC && n.atomic.old) found |= note(x, n.atomic.old, JAM_ROWS | JAM_COLUMNS);
        // Inside of what is copied as a whole each copy has names of its own.
        if (ir_blocks_of(&n, inner) && !jam_is_common(x, &n)) here = JAM_ROWS | JAM_COLUMNS;
        if (n.kind == IR_FOR) found |= note(x, n.counted.var, here);
        if (n.kind == IR_FOR) x->counts[n.counted.var] = true;
        for (uint32_t i = 0, blocks = ir_blocks_of(&n, inner); i < blocks; i++)
            found |= find_depends(x, inner[i], here);
    }
    return found;
}

// ---- what it saves --------------------------------------------------------------------------------------------------

struct sum {
    struct jam *x;
    uint64_t weight;
    bool in_loop;
    bool loads; // in the expression that is looked at, which not all of neighbours tell apart
};
static bool ask_load(void *user, ir_expr e) {
    struct sum *s = user;
    const struct ir_node *n = &s->x->u->nodes[e];
    s->loads |= n->op == IR_LOAD && s->x->u->arrays[n->a].klass != IR_ARRAY_TABLE; // its loads are as good as constants
    return n->op != IR_LOAD;
}

static bool weigh_part(void *user, ir_expr e) {
    struct sum *s = user;
    struct jam *x = s->x;
    const struct ir_node *n = &x->u->nodes[e];
    uint64_t cost = ir_cost(n) * s->weight;
    uint8_t what = jam_depends_on(x, e);
    x->cost += cost;
    if (s->loads) {
        x->of_rows += what == JAM_ROWS ? cost : 0;
        x->of_columns += what == JAM_COLUMNS ? cost : 0;
        x->of_none += what == 0 ? cost : 0;
    }
    if (n->op != IR_LOAD) return true;
    x->fits &= x->u->arrays[n->a].klass != IR_ARRAY_LOCAL && x->u->arrays[n->a].klass != IR_ARRAY_STAGED;
    return false; // what its indices cost is little beside it
}

// What is made of loads that neighbours share is the same for them, too: a device's compiler makes it once.
static bool weigh_node(void *user, ir_expr e) {
    struct sum *s = user;
    s->loads = false;
    if (s->in_loop && jam_depends_on(s->x, e) != (JAM_ROWS | JAM_COLUMNS)) ir_walk_expr(s->x->u, e, ask_load, s);
    if (!s->loads) return weigh_part(s, e);
    ir_walk_expr(s->x->u, e, weigh_part, s);
    return false;
}

// An addition to a float that the device has no instruction for: it is tried in a loop until nobody else came in
// between. Copies of that spare nothing, and one driver took gigabytes for 36 of them.
static bool is_tried(const struct jam *x, const struct ir_stmt_node *n) {
    return n->kind == IR_ATOMIC && n->atomic.op == IR_ADD && x->u->arrays[n->atomic.array].elem == WHORL_F32 &&
           !x->p->target->float_atomics;
}

// Loops weigh by their passes, as far as these are known. Only what stands in loops that stay one is shared.
static void weigh(struct jam *x, ir_stmt block, uint64_t weight, bool in_loop) {
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        struct sum sum = {.x = x, .weight = weight, .in_loop = in_loop};
        ir_stmt inner[2];
        uint64_t trips = n.kind == IR_LOOP ? PASS_UNKNOWN_TRIPS : 1;
        if (n.kind == IR_FOR && !ir_const_trips(x->u, s, &trips)) trips = PASS_UNKNOWN_TRIPS;
        if (n.kind == IR_ASSIGN) ir_walk_expr(x->u, n.assign.value, weigh_node, &sum);
        if (n.kind == IR_STORE) ir_walk_expr(x->u, n.store.value, weigh_node, &sum);
        if (n.kind == IR_FOR && n.flags & IR_FLAG_SIMD) {
            x->asks_lanes = true;
            x->fits &= jam_is_common(x, &n);
        }
        x->fits &= !(n.kind == IR_FOR && n.flags & IR_FLAG_LANES) && n.kind != IR_AGREE &&
                   !(n.kind == IR_ASSIGN && n.flags & IR_FLAG_ATOMIC) &&
                   !(n.kind == IR_STORE && !ir_in_buffer(x->u, n.store.array)) && !is_tried(x, &n);
        trips = trips < PASS_JAM_MOST_WEIGHT ? trips : PASS_JAM_MOST_WEIGHT;
        uint64_t deeper = weight * trips < PASS_JAM_MOST_WEIGHT ? weight * trips : PASS_JAM_MOST_WEIGHT;
        for (uint32_t i = 0, blocks = ir_blocks_of(&n, inner); i < blocks; i++)
            weigh(x, inner[i], deeper, jam_is_common(x, &n) && (in_loop || n.kind == IR_FOR));
    }
}

// Of all operations, in percent, with so many rows and columns side by side.
static uint64_t saved(const struct jam *x, uint32_t rows, uint32_t columns) {
    uint64_t less = x->of_rows - x->of_rows / columns + x->of_columns - x->of_columns / rows + x->of_none -
                    x->of_none / (rows * columns);
    return x->cost ? less * 100 / x->cost : 0;
}

static bool divides(uint32_t count, const struct jam_side *side) {
    return count == 1 || (side->name && side->trips % count == 0);
}

// The most that leaves the device busy, as long as each doubling saves something. -> whether any does
static bool choose_counts(struct jam *x) {
    uint64_t best = 0;
    uint32_t statements = pass_size(x->u, node_of(x, x->parfor)->parfor.body);
    for (uint32_t rows = 1; rows <= PASS_JAM_SIDE; rows *= 2)
        for (uint32_t columns = 1; columns <= PASS_JAM_SIDE; columns *= 2) {
            uint64_t all = (uint64_t)rows * columns, gain = saved(x, rows, columns);
            if (!divides(rows, &x->rows) || !divides(columns, &x->columns) || statements * all > PASS_JAM_STATEMENTS ||
                x->iterations / all * PASS_JAM_HIDES < x->p->target->busy_invocations)
                continue;
            if (gain <= best) continue;
            best = gain;
            x->rows.count = rows;
            x->columns.count = columns;
        }
    // Lanes that were asked for are given up for a product of matrices alone, where both sides share what they load.
    if (x->asks_lanes && !(x->rows.count > 1 && x->columns.count > 1 && x->of_rows && x->of_columns)) return false;
    return best >= PASS_JAM_LEAST_SAVED;
}

// ---- the parallel loop ----------------------------------------------------------------------------------------------

static uint64_t numbers_of(const struct jam_side *side) { return side->trips / side->count; }

// A power of two.
static uint32_t tile_of(const struct jam_side *side, uint32_t most) {
    while (numbers_of(side) < most)
        most /= 2;
    return most;
}

// Tiles are squares, or as near to that as a side has new iterations.
static void choose_tiles(const struct jam *x, uint32_t *rows, uint32_t *columns) {
    *rows = *columns = 1;
    if (!x->rows.name) return;
    *rows = tile_of(&x->rows, PASS_JAM_TILE_SIDE);
    *columns = tile_of(&x->columns, PASS_JAM_TILE_SIDE * PASS_JAM_TILE_SIDE / *rows);
    *rows = tile_of(&x->rows, PASS_JAM_TILE_SIDE * PASS_JAM_TILE_SIDE / *columns);
}

// Numbers the new iterations of a side by tiles of `most`; 1: there are none, and in_tile is not used.
static void number_side(struct jam *x, struct jam_side *side, uint32_t most) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->parfor)->loc;
    enum ir_type type = (enum ir_type)u->vars[side->name].type;
    const char *name = u->vars[side->name].name;
    uint32_t tiles = (uint32_t)((numbers_of(side) + most - 1) / most);
    side->tiles = (struct ir_dim){.lo = ir_const(u, type, 0), .hi = ir_const(u, type, tiles), .step = 1};
    side->in_tile = (struct ir_dim){.lo = ir_const(u, type, 0), .hi = ir_const(u, type, most), .step = 1};
    side->tiles.var = ir_add_var(u, name, type, IR_VAR_DIM, loc);
    side->number = ir_var_read(u, side->tiles.var, loc);
    if (most == 1) return;
    side->in_tile.var = ir_add_var(u, name, type, IR_VAR_DIM, loc);
    ir_expr before = ir_op2(u, IR_MUL, side->number, ir_const(u, type, most), loc);
    side->number = ir_op2(u, IR_ADD, before, ir_var_read(u, side->in_tile.var, loc), loc);
}

// The last tile may go beyond the end: then the number gets a name, so that what is known of it is known of indices,
// too. Appends its assignment to *head. -> the condition that it is within; 0: it always is
static ir_expr within(struct jam *x, struct jam_side *side, ir_stmt *head) {
    struct ir_unit *u = x->u;
    uint32_t tile = 1;
    if (!side->name || !ir_is_const(u, side->in_tile.hi, &tile) || numbers_of(side) % tile == 0) return 0;
    base_loc loc = node_of(x, x->parfor)->loc;
    enum ir_type type = (enum ir_type)u->vars[side->name].type;
    ir_var number = ir_add_var(u, u->vars[side->name].name, type, IR_VAR_LOCAL, loc);
    ir_append(u, head, ir_assign(u, number, side->number, loc));
    side->number = ir_var_read(u, number, loc);
    return ir_op2(u, IR_LT, side->number, ir_const(u, type, (uint32_t)numbers_of(side)), loc);
}

static void rewrite(struct jam *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->parfor);
    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t others = n.parfor.dim_count - 1 - (x->rows.name != 0), count = 0;
    while (count < others) {
        dims[count] = u->dims[n.parfor.dims + count];
        count++;
    }
    uint32_t tile_rows, tile_columns;
    choose_tiles(x, &tile_rows, &tile_columns);
    if (x->rows.name) number_side(x, &x->rows, tile_rows);
    number_side(x, &x->columns, tile_columns);
    ir_stmt head = 0;
    ir_expr rows = within(x, &x->rows, &head), columns = within(x, &x->columns, &head);
    ir_expr both = rows && columns ? ir_op2(u, IR_LAND, rows, columns, n.loc) : rows ? rows : columns;
    ir_expr some = jam_guard_of_tile(x);
    ir_stmt body = jam_copies_of(x, n.parfor.body);
    if (x->rows.name) dims[count++] = x->rows.tiles;
    dims[count++] = x->columns.tiles;
    if (x->rows.in_tile.var) dims[count++] = x->rows.in_tile;
    if (x->columns.in_tile.var) dims[count++] = x->columns.in_tile;
    uint32_t all = ir_add_dims(u, dims, count);
    if (both) body = ir_if(u, both, body, 0, n.loc);
    if (some) body = ir_if(u, some, body, 0, n.loc);
    ir_append(u, &head, body);
    node_of(x, x->parfor)->parfor.body = head;
    node_of(x, x->parfor)->parfor.dims = all;
    node_of(x, x->parfor)->parfor.dim_count = count;
    base_text_format(x->p->explain, "jam: %u x %u iterations of the loop at line %u are made side by side\n",
                     x->rows.count, x->columns.count, u->cx->locs[n.loc].line);
}

static bool find_side(const struct jam *x, const struct ir_dim *dim, struct jam_side *out) {
    uint64_t trips;
    if (dim->step != 1 || !pass_trip_count(x->sc, dim->lo, dim->hi, 1, &trips) || trips < 2 || trips > INT32_MAX)
        return false;
    *out = (struct jam_side){.name = dim->var, .first = dim->lo, .trips = trips, .count = 1};
    return true;
}

// Looks at the parallel loop as if it had `times` as many iterations. -> it is to be jammed; what computes then stands
// in front of the condition that ends its body.
static bool look_at(struct jam *x, struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, uint64_t times) {
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    const struct ir_dim *dims = u->dims + n.parfor.dims;
    uint32_t count = n.parfor.dim_count;
    *x = (struct jam){.p = p, .u = u, .sc = sc, .parfor = parfor, .var_count = u->var_count, .fits = true};
    x->rows.count = x->columns.count = 1;
    if (n.flags & IR_FLAG_LANES || n.parfor.reduction_count || count + 2 > IR_MAX_DIMS ||
        !pass_iterations(sc, parfor, &x->iterations) || !find_side(x, &dims[count - 1], &x->columns))
        return false;
    x->iterations *= times;
    if (count > 1) (void)find_side(x, &dims[count - 2], &x->rows);
    x->depends = base_alloc_array(u->cx, u->var_count, sizeof *x->depends);
    x->assigned = base_alloc_array(u->cx, u->var_count, sizeof *x->assigned);
    x->counts = base_alloc_array(u->cx, u->var_count, sizeof *x->counts);
    x->names = base_alloc_array(u->cx, u->var_count, sizeof *x->names);
    x->depends[x->columns.name] = JAM_COLUMNS;
    if (x->rows.name) x->depends[x->rows.name] = JAM_ROWS;
    jam_open_guard(x);
    ir_stmt body = u->stmts[parfor].parfor.body;
    while (find_depends(x, body, 0))
        ;
    weigh(x, body, 1, false);
    bool pays = x->fits && choose_counts(x);
    if (!pays) jam_close_guard(x);
    return pays;
}

uint32_t pass_jams(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, uint64_t times) {
    struct jam x;
    bool both = look_at(&x, p, sc, parfor, times) && x.rows.count > 1 && x.columns.count > 1;
    jam_close_guard(&x);
    return both && x.of_rows && x.of_columns ? x.rows.count * x.columns.count : 1;
}

static void jam_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct jam x;
    if (look_at(&x, user, sc, parfor, 1)) rewrite(&x);
}

void pass_jam(struct pass_cx *p) {
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, jam_parfor, p);
}
