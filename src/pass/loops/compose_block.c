// Stencils on a plane make several steps between two exchanges with other workgroups: a workgroup loads a block of the
// plane with a rim as wide as its steps reach, makes the steps by itself, and stores what they have not spoiled from
// the rim inwards (overlapped tiles: S. Krishnamoorthy et al., "Effective automatic parallelization of stencil
// computations", PLDI 2007).
//
//   for (t) { P1: B = F(A);  P2: A = G(B) }      becomes, for an even number of steps,
//   for (t, every so many) { B = G(F(... A));  A = G(F(... B)) }      and the last passes as they were
//
// The law is that of compose.c: the state is all of A before the first new loop; between the two its inside stands in
// B, its edge in A. Here F and G load nothing but the state. A lane has a column of the block in registers and takes
// what it needs of the columns beside from its neighbours. Every step is made on the same values as before, so the bits
// are the same. What lies outside of the space is never written: while a step writes B, its value is B's, else A's.
#include <string.h>

#include "pass/cost.h"
#include "pass/loops/compose.h"

enum { ROW, COLUMN };
#define SIDES (2 * PASS_BLOCK_REACH + 1)
#define EDGES (2 * PASS_BLOCK_REACH)
enum place { IN_SPACE, IN_ARRAY }; // what an index is limited to

struct block {
    struct compose *x;
    struct ir_unit *u;
    base_loc loc;
    uint32_t steps, rows, columns; // of F and G together; rows and columns that are stored
    uint32_t reach[2], rim[2];     // of a step; rows and columns that are loaded around what is stored
    uint32_t high, down, across;   // rows that are loaded; blocks
    bool leaves[2];                // something that a step loads lies outside of the space
    // of the loop that is made
    bool second; // the state's inside stands in B
    ir_expr counter;
    ir_var lane, at[2];      // at: the block's first row, the lane's column
    ir_var border, in_space; // some row of the block is outside of the space; the lane's column is in it
    // cells: the state; others: what stands in the lane's column, if it is outside, in the array that the next step
    // writes
    ir_var cells[COMPOSE_PARTS][PASS_BLOCK_HIGH], others[COMPOSE_PARTS][PASS_BLOCK_HIGH];
    ir_var edges[2][COMPOSE_PARTS]
                [EDGES]; // rows beside the space, of the array that the next step writes and of the other
    ir_stmt body;
};

// ---- what suits -----------------------------------------------------------------------------------------------------

// The space's dimension, of the block's; -1: a line has no rows.
static int dim_of(const struct compose *x, int d) { return (int)x->dims - 2 + d; }

// Spoiled cells have values, too, on which everything must be defined.
static bool suits(struct block *b) {
    const struct compose *x = b->x;
    struct pass_scope sc;
    if (x->dims > 2 || x->p->target->max_invocations < PASS_WORKGROUP) return false;
    pass_scope_init(&sc, b->u);
    for (int h = 0; h < 2; h++) {
        const struct compose_half *half = &x->halves[h];
        for (ir_stmt t = half->body; t; t = b->u->stmts[t].next)
            if (!pass_is_safe_anywhere(&sc, b->u->stmts[t].assign.value)) return false;
        for (uint32_t l = 0; l < half->load_count; l++) {
            if (half->loads[l].part < 0) return false;
            for (int d = ROW; d <= COLUMN; d++) {
                int k = dim_of(x, d);
                int32_t far = k < 0 ? 0 : half->loads[l].at[k] < 0 ? -half->loads[l].at[k] : half->loads[l].at[k];
                if ((uint32_t)far > b->reach[d]) b->reach[d] = (uint32_t)far;
            }
        }
    }
    for (int d = ROW; d <= COLUMN; d++) {
        if (b->reach[d] > PASS_BLOCK_REACH) return false;
        b->leaves[d] = b->reach[d] > 0 && !x->wraps[dim_of(x, d)];
    }
    return b->reach[COLUMN] > 0;
}

static uint32_t extent(const struct block *b, int d) {
    int k = dim_of(b->x, d);
    return k < 0 ? 1 : (uint32_t)(b->x->hi[k] - b->x->lo[k]);
}

static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// The block for so many steps and rows; false: it does not fit.
static bool lay_out(struct block *b, uint32_t steps, uint32_t rows) {
    const struct compose *x = b->x;
    uint32_t columns = extent(b, COLUMN);
    bool wraps = x->wraps[x->dims - 1];
    b->steps = steps;
    b->rows = rows;
    b->rim[ROW] = steps * b->reach[ROW];
    b->rim[COLUMN] = steps * b->reach[COLUMN];
    // a row with its edges in one block: nothing beside it spoils it
    if (!wraps && columns + 2 * b->reach[COLUMN] <= PASS_WORKGROUP) b->rim[COLUMN] = b->reach[COLUMN];
    if (2 * b->rim[COLUMN] >= PASS_WORKGROUP) return false;
    b->columns = PASS_WORKGROUP - 2 * b->rim[COLUMN];
    b->high = rows + 2 * b->rim[ROW];
    b->down = ceil_div(extent(b, ROW), rows);
    b->across = ceil_div(columns, b->columns);
    for (int d = ROW; d <= COLUMN; d++)
        if (b->rim[d] > extent(b, d)) return false;
    return b->high <= PASS_BLOCK_HIGH && rows <= extent(b, ROW);
}

// Values that lanes exchange for a step at once, at most.
static uint32_t exchanged_words(const struct block *b) {
    const struct compose *x = b->x;
    uint32_t parts = 0;
    for (int h = 0; h < 2; h++) {
        bool beside[COMPOSE_PARTS] = {false};
        uint32_t count = 0;
        for (uint32_t l = 0; l < x->halves[h].load_count; l++)
            beside[x->halves[h].loads[l].part] |= x->halves[h].loads[l].at[x->dims - 1] != 0;
        for (uint32_t k = 0; k < x->part_count; k++)
            count += beside[k];
        parts = count > parts ? count : parts;
    }
    return parts * b->high * PASS_WORKGROUP;
}

static uint32_t sides_of(const struct compose *x, const struct compose_half *half) {
    uint32_t sides = 0;
    for (uint32_t l = 0; l < half->load_count; l++)
        sides += half->loads[l].at[x->dims - 1] != 0;
    return sides;
}

// Operations of an invocation for a step, the exchange with other workgroups included; 0: there is no room.
static uint64_t cost_of(const struct block *b) {
    const struct compose *x = b->x;
    uint64_t work = 0, statements = 0, blocks = (uint64_t)b->down * b->across,
             busy = x->p->target->busy_invocations / (PASS_WORKGROUP * PASS_BLOCK_SHARE);
    for (uint32_t s = 1; s <= b->steps; s++) {
        const struct compose_half *half = &x->halves[(s - 1) % 2];
        uint32_t made = b->high - 2 * s * b->reach[ROW];
        work += made * (half->operations + PASS_BLOCK_SIDE * sides_of(x, half));
        statements += made * pass_size(b->u, half->body);
    }
    uint64_t accesses = (uint64_t)x->part_count * (b->high + b->rows);
    // what of the registers is not the state is for what is computed
    if (statements > PASS_BLOCK_STATEMENTS || 4 * exchanged_words(b) + IR_LANES_BYTES > x->p->target->workgroup_bytes ||
        x->part_count * b->high * (b->leaves[COLUMN] ? 3 : 2) > x->p->target->register_budget)
        return 0;
    uint64_t rounds = (blocks + busy - 1) / busy;
    return (PASS_BLOCK_EXCHANGE + PASS_BLOCK_START + rounds * (PASS_BLOCK_ACCESS * accesses + work)) / b->steps;
}

// The same of a step as it was, in tiles of a step or by itself.
static uint64_t cost_before(const struct block *b) {
    const struct compose *x = b->x;
    uint64_t iterations = (uint64_t)extent(b, ROW) * extent(b, COLUMN), busy = x->p->target->busy_invocations, each = 0;
    uint32_t rows = x->p->one_kernel ? pass_tile_rows(x->p, x->halves[0].parfor) : 0;
    for (int h = 0; h < 2; h++) {
        const struct compose_half *half = &x->halves[h];
        each += half->operations + (rows ? PASS_BLOCK_SIDE * sides_of(x, half) : 0);
        each += PASS_BLOCK_ACCESS *
                (rows ? x->part_count * 2 * (rows + b->reach[ROW]) / rows : half->load_count + x->part_count);
    }
    return PASS_BLOCK_EXCHANGE + PASS_BLOCK_SHARE * ((iterations + busy - 1) / busy) * each / 2;
}

// false: nothing pays. The last passes are made as they were.
static bool choose(struct block *b, uint64_t trips) {
    static const uint32_t rows[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
    uint32_t best_steps = 0, best_rows = 0;
    uint64_t before = cost_before(b), least = before * trips / 100 * PASS_BLOCK_PERCENT;
    for (uint32_t steps = 2; steps <= PASS_BLOCK_STEPS && steps < trips; steps *= 2)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            uint64_t made = (trips - 1) / steps * steps, cost = lay_out(b, steps, rows[i]) ? cost_of(b) : 0;
            if (!cost || cost * made + before * (trips - made) >= least) continue;
            least = cost * made + before * (trips - made);
            best_steps = steps;
            best_rows = rows[i];
        }
    return best_steps && lay_out(b, best_steps, best_rows);
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static ir_expr number(const struct block *b, int64_t v) { return ir_const_i32(b->u, (int32_t)v); }
static ir_expr two(const struct block *b, enum ir_op op, ir_expr x, ir_expr y) {
    return ir_op2(b->u, op, x, y, b->loc);
}
static ir_expr plus(const struct block *b, ir_expr x, int64_t v) { return compose_plus(b->u, x, v, b->loc); }
static ir_expr read_var(const struct block *b, ir_var v) { return ir_var_read(b->u, v, b->loc); }
static ir_expr both(const struct block *b, ir_expr x, ir_expr y) { return compose_both(b->u, x, y, b->loc); }
static ir_expr choose_value(const struct block *b, ir_expr cond, ir_expr x, ir_expr y) {
    return ir_op3(b->u, IR_SELECT, cond, x, y, b->loc);
}
static void put(struct block *b, ir_stmt s) { ir_append(b->u, &b->body, s); }

static ir_var add_local(const struct block *b, const char *name, enum ir_type type) {
    return ir_add_var(b->u, name, type, IR_VAR_LOCAL, b->loc);
}
static void set(struct block *b, ir_var v, ir_expr value) { put(b, ir_assign(b->u, v, value, b->loc)); }

// The index of row `r` of the block, or of the lane's column (r 0). Around the space, rows and columns are counted from
// an extent further on.
static ir_expr index_of(const struct block *b, int d, uint32_t r, enum place place, uint32_t size) {
    const struct compose *x = b->x;
    int k = dim_of(x, d);
    ir_expr e = plus(b, read_var(b, b->at[d]), r);
    if (x->wraps[k]) return plus(b, two(b, IR_REM, plus(b, e, -x->lo[k]), number(b, extent(b, d))), x->lo[k]);
    int64_t first = place == IN_ARRAY ? 0 : x->lo[k], last = place == IN_ARRAY ? (int64_t)size - 1 : x->hi[k] - 1;
    return two(b, IR_MIN, two(b, IR_MAX, e, number(b, first)), number(b, last));
}

static ir_expr load_at(const struct block *b, const struct compose_part *part, const ir_expr *indices) {
    uint32_t all[IR_MAX_DIMS], n = compose_indices(b->u, part, all);
    for (uint32_t k = 0; k < b->x->dims; k++)
        all[n++] = indices[k];
    return ir_load(b->u, part->array, all, n, b->loc);
}

static ir_expr load_cell(const struct block *b, const struct compose_part *part, uint32_t r, enum place place) {
    ir_expr indices[COMPOSE_DIMS];
    for (int d = ROW; d <= COLUMN; d++) {
        int k = dim_of(b->x, d);
        if (k >= 0) indices[k] = index_of(b, d, d == ROW ? r : 0, place, compose_size(b->u, part, (uint32_t)k));
    }
    return load_at(b, part, indices);
}

static ir_expr is_within(const struct block *b, int d, uint32_t r) {
    int k = dim_of(b->x, d);
    ir_expr e = plus(b, read_var(b, b->at[d]), r);
    return both(b, two(b, IR_GE, e, number(b, b->x->lo[k])), two(b, IR_LT, e, number(b, b->x->hi[k])));
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static void place_block(struct block *b, ir_var tile) {
    const struct compose *x = b->x;
    ir_expr own = read_var(b, tile);
    ir_expr number_of[2] = {own, number(b, 0)};
    if (b->across > 1) {
        number_of[ROW] = two(b, IR_DIV, own, number(b, b->across));
        number_of[COLUMN] = two(b, IR_REM, own, number(b, b->across));
    }
    for (int d = ROW; d <= COLUMN; d++) {
        int k = dim_of(x, d);
        if (k < 0) continue;
        uint32_t each = d == ROW ? b->rows : b->columns;
        int64_t first = x->lo[k] - (int64_t)b->rim[d] + (x->wraps[k] ? extent(b, d) : 0);
        ir_expr start = plus(b, two(b, IR_MUL, number_of[d], number(b, each)), first);
        b->at[d] = add_local(b, d == ROW ? "row" : "column", IR_I32);
        set(b, b->at[d], d == ROW ? start : two(b, IR_ADD, start, read_var(b, b->lane)));
    }
    if (b->leaves[ROW]) {
        b->border = add_local(b, "border", IR_BOOL);
        ir_expr all = both(b, is_within(b, ROW, 0), is_within(b, ROW, b->high - 1));
        set(b, b->border, ir_op1(b->u, IR_NOT, all, b->loc));
    }
    if (b->leaves[COLUMN]) {
        b->in_space = add_local(b, "in_space", IR_BOOL);
        set(b, b->in_space, is_within(b, COLUMN, 0));
    }
}

static ir_expr outside(const struct block *b) { return ir_op1(b->u, IR_NOT, read_var(b, b->in_space), b->loc); }

// The row of the array that is edge number `e`: beside the space, from there outwards.
static int32_t edge_row(const struct block *b, uint32_t e) {
    int k = dim_of(b->x, ROW);
    return e % 2 ? b->x->hi[k] + (int32_t)(e / 2) : b->x->lo[k] - 1 - (int32_t)(e / 2);
}
static bool has_edge(const struct block *b, const struct compose_part *part, uint32_t e) {
    if (!b->leaves[ROW] || e / 2 >= b->reach[ROW]) return false;
    return edge_row(b, e) >= 0 && edge_row(b, e) < (int32_t)compose_size(b->u, part, (uint32_t)dim_of(b->x, ROW));
}

// Row `r` of some block may be the edge: then `found`, of the block for which it is, is what `made` becomes.
static void put_edge(const struct block *b, ir_stmt *list, uint32_t e, uint32_t r, ir_var made, ir_var found) {
    int32_t apart = edge_row(b, e) - (int32_t)r - (b->x->lo[dim_of(b->x, ROW)] - (int32_t)b->rim[ROW]);
    if (apart < 0 || apart % (int32_t)b->rows || apart / (int32_t)b->rows >= (int32_t)b->down) return;
    ir_expr there = two(b, IR_EQ, plus(b, read_var(b, b->at[ROW]), r), number(b, edge_row(b, e)));
    ir_append(b->u, list, ir_assign(b->u, made, choose_value(b, there, read_var(b, found), read_var(b, made)), b->loc));
}

static void load_edges(struct block *b, uint32_t k, ir_stmt *list) {
    const struct compose *x = b->x;
    for (int h = 0; h < 2; h++) // the first step writes what is of the first half
        for (uint32_t e = 0; e < EDGES; e++) {
            const struct compose_part *part = &x->halves[h].parts[k];
            ir_expr indices[2] = {0, index_of(b, COLUMN, 0, IN_ARRAY, compose_size(b->u, part, x->dims - 1))};
            if (!has_edge(b, part, e)) continue;
            ir_var edge = b->edges[h][k][e] = add_local(b, "edge", (enum ir_type)b->u->vars[b->cells[k][0]].type);
            indices[0] = number(b, edge_row(b, e));
            set(b, edge, read_var(b, b->cells[k][0])); // not needed there, but defined
            ir_append(b->u, list, ir_assign(b->u, edge, load_at(b, part, indices), b->loc));
        }
    for (uint32_t e = 0; b->second && e < EDGES; e++)
        for (uint32_t r = 0; b->edges[1][k][e] && r < b->high; r++)
            put_edge(b, list, e, r, b->cells[k][r], b->edges[1][k][e]);
}

// Few lanes have a column outside, and few blocks a row: the others do not wait for what these load besides.
static void load_block(struct block *b) {
    const struct compose *x = b->x;
    struct ir_unit *u = b->u;
    ir_stmt column = 0, row = 0;
    memset(b->edges, 0, sizeof b->edges);
    for (uint32_t k = 0; k < x->part_count; k++) {
        const struct compose_part *a = &x->halves[1].parts[k], *other = &x->halves[0].parts[k];
        enum ir_type type = ir_elem_type((enum whorl_dtype)u->arrays[a->array].elem);
        for (uint32_t r = 0; r < b->high; r++) {
            ir_var cell = b->cells[k][r] = add_local(b, "cell", type);
            set(b, cell, load_cell(b, b->second ? other : a, r, b->second ? IN_SPACE : IN_ARRAY));
            if (!b->leaves[COLUMN]) continue;
            ir_var edge = b->others[k][r] = add_local(b, "other", type);
            set(b, edge, read_var(b, cell));
            ir_append(u, &column, ir_assign(u, edge, load_cell(b, other, r, IN_ARRAY), b->loc));
            if (b->second) ir_append(u, &column, ir_assign(u, cell, load_cell(b, a, r, IN_ARRAY), b->loc));
        }
        if (b->leaves[ROW]) load_edges(b, k, &row);
    }
    if (b->leaves[COLUMN]) put(b, ir_if(u, outside(b), column, 0, b->loc));
    if (b->leaves[ROW]) put(b, ir_if(u, read_var(b, b->border), row, 0, b->loc));
}

// ---- steps ----------------------------------------------------------------------------------------------------------

struct moving {
    const struct block *b;
    uint32_t r;
    ir_expr counter;
};
static ir_expr move_node(void *user, ir_expr e) {
    const struct moving *m = user;
    const struct ir_node n = m->b->u->nodes[e];
    if (n.op != IR_VAR) return e;
    if (n.a == m->b->u->stmts[m->b->x->loop].counted.var) return m->counter;
    for (int d = ROW; d <= COLUMN; d++) {
        int k = dim_of(m->b->x, d);
        if (k >= 0 && n.a == m->b->x->vars[k]) return index_of(m->b, d, d == ROW ? m->r : 0, IN_SPACE, 0);
    }
    return e;
}

// What the step loads of columns beside, of the rows from `first` to `end`: sides[part][row][columns away].
static void take_sides(struct block *b, const struct compose_half *half, uint32_t first, uint32_t end,
                       ir_var sides[COMPOSE_PARTS][PASS_BLOCK_HIGH][SIDES]) {
    struct ir_unit *u = b->u;
    uint32_t column = b->x->dims - 1;
    for (uint32_t l = 0; l < half->load_count; l++) {
        const struct compose_load *load = &half->loads[l];
        int32_t down = column ? load->at[column - 1] : 0;
        for (uint32_t r = first; load->at[column] != 0 && r < end; r++)
            sides[load->part][(int32_t)r + down][load->at[column] + PASS_BLOCK_REACH] = 1;
    }
    uint32_t slot = 0;
    for (uint32_t k = 0; k < b->x->part_count; k++)
        for (uint32_t r = 0; r < b->high; r++) {
            bool stored = false;
            for (int32_t d = 0; d < SIDES; d++) {
                if (!sides[k][r][d]) continue;
                ir_var side = add_local(b, "side", (enum ir_type)u->vars[b->cells[k][r]].type);
                ir_stmt s = ir_add_stmt(u, IR_NEIGHBOUR, b->loc);
                ir_expr value = read_var(b, b->cells[k][r]);
                u->stmts[s].neighbour.var = sides[k][r][d] = side;
                u->stmts[s].neighbour.value = value;
                u->stmts[s].neighbour.by = d - PASS_BLOCK_REACH;
                u->stmts[s].neighbour.slot = slot;
                stored = true;
                put(b, s);
            }
            slot += stored;
        }
}

static void step_row(struct block *b, const struct compose_half *half, uint32_t r, ir_expr counter,
                     ir_var sides[COMPOSE_PARTS][PASS_BLOCK_HIGH][SIDES], ir_var *results) {
    const struct compose *x = b->x;
    struct ir_unit *u = b->u;
    ir_var loads[COMPOSE_LOADS] = {0};
    for (uint32_t l = 0; l < half->load_count; l++) {
        const struct compose_load *load = &half->loads[l];
        uint32_t row = (uint32_t)((int32_t)r + (x->dims > 1 ? load->at[x->dims - 2] : 0));
        int32_t away = load->at[x->dims - 1];
        loads[l] = away ? sides[load->part][row][away + PASS_BLOCK_REACH] : b->cells[load->part][row];
    }
    for (uint32_t k = 0; k < x->part_count; k++)
        results[k] = add_local(b, "next", (enum ir_type)u->vars[half->results[k]].type);
    ir_stmt body = compose_clone(x, half, loads, results);
    struct moving m = {b, r, counter};
    ir_map_block(u, body, move_node, &m);
    put(b, body);
}

static void make_step(struct block *b, uint32_t step) {
    const struct compose *x = b->x;
    struct ir_unit *u = b->u;
    const struct ir_stmt_node loop = u->stmts[x->loop];
    const struct compose_half *half = &x->halves[(step - 1) % 2];
    uint32_t first = step * b->reach[ROW], end = b->high - first;
    ir_var(*sides)[PASS_BLOCK_HIGH][SIDES] = base_alloc_array(u->cx, COMPOSE_PARTS, sizeof *sides),
    (*next)[COMPOSE_PARTS] = base_alloc_array(u->cx, PASS_BLOCK_HIGH, sizeof *next);
    ir_expr later =
                ir_const(u, (enum ir_type)u->vars[loop.counted.var].type, (step - 1) / 2 * (uint32_t)loop.counted.step),
            counter = step > 2 ? two(b, IR_ADD, b->counter, later) : b->counter;
    take_sides(b, half, first, end, sides);
    for (uint32_t r = first; r < end; r++)
        step_row(b, half, r, counter, sides, next[r]);
    ir_stmt column = 0, row = 0;
    for (uint32_t k = 0; k < x->part_count; k++)
        for (uint32_t r = first; r < end; r++) {
            ir_var made = next[r][k];
            if (b->leaves[COLUMN]) ir_append(u, &column, ir_assign(u, made, read_var(b, b->others[k][r]), b->loc));
            for (uint32_t e = 0; e < EDGES; e++) {
                ir_var edge = b->edges[(step - 1) % 2][k][e];
                if (edge) put_edge(b, &row, e, r, made, edge);
            }
            b->others[k][r] = b->cells[k][r];
            b->cells[k][r] = made;
        }
    if (column) put(b, ir_if(u, outside(b), column, 0, b->loc));
    if (row) put(b, ir_if(u, read_var(b, b->border), row, 0, b->loc));
}

// ---- stores ---------------------------------------------------------------------------------------------------------

static ir_stmt store_row(const struct block *b, uint32_t k, uint32_t r, ir_expr row, ir_expr column) {
    struct ir_unit *u = b->u;
    const struct compose_part *part = &b->x->halves[b->second ? 1 : 0].parts[k];
    uint32_t indices[IR_MAX_DIMS], n = compose_indices(u, part, indices);
    if (b->x->dims > 1) indices[n++] = row;
    indices[n++] = column;
    ir_stmt out = ir_store(u, part->array, indices, n, read_var(b, b->cells[k][r]), b->loc);
    u->stmts[out].flags |= IR_FLAG_OWN;
    return out;
}

// The index as a variable, about which a condition can say something.
static ir_expr name_index(struct block *b, ir_stmt *list, ir_expr index) {
    ir_var v = add_local(b, "own", IR_I32);
    ir_append(b->u, list, ir_assign(b->u, v, index, b->loc));
    return read_var(b, v);
}

// Of the columns and rows between the rims, those that the space has.
static void store_block(struct block *b) {
    const struct compose *x = b->x;
    struct ir_unit *u = b->u;
    uint32_t last = x->dims - 1;
    int64_t back[2] = {x->dims > 1 && x->wraps[0] ? extent(b, ROW) : 0, x->wraps[last] ? extent(b, COLUMN) : 0};
    ir_stmt rows = 0;
    ir_expr column = name_index(b, &b->body, plus(b, read_var(b, b->at[COLUMN]), -back[COLUMN]));
    for (uint32_t r = b->rim[ROW]; r < b->rim[ROW] + b->rows; r++) {
        ir_expr row = x->dims > 1 ? plus(b, read_var(b, b->at[ROW]), (int64_t)r - back[ROW]) : 0;
        bool may_end = row && extent(b, ROW) % b->rows;
        if (may_end) row = name_index(b, &rows, row);
        ir_stmt stores = 0;
        for (uint32_t k = 0; k < x->part_count; k++)
            ir_append(u, &stores, store_row(b, k, r, row, column));
        if (may_end) stores = ir_if(u, two(b, IR_LT, row, number(b, x->hi[0])), stores, 0, b->loc);
        ir_append(u, &rows, stores);
    }
    ir_expr lane = read_var(b, b->lane), own = both(b, two(b, IR_GE, lane, number(b, b->rim[COLUMN])),
                                                    two(b, IR_LT, lane, number(b, b->rim[COLUMN] + b->columns)));
    ir_expr there =
        both(b, two(b, IR_GE, column, number(b, x->lo[last])), two(b, IR_LT, column, number(b, x->hi[last])));
    put(b, ir_if(u, both(b, own, there), rows, 0, b->loc)); // that it is not before the space, the prover does not see
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static ir_stmt make_phase(struct block *b, bool second, ir_expr counter) {
    struct ir_unit *u = b->u;
    struct ir_dim tile = {.lo = number(b, 0), .hi = number(b, (int64_t)b->down * b->across), .step = 1};
    tile.var = ir_add_var(u, "block", IR_I32, IR_VAR_DIM, b->loc);
    b->lane = ir_add_var(u, "lane", IR_I32, IR_VAR_DIM, b->loc);
    b->second = second;
    b->counter = counter;
    b->body = 0;
    place_block(b, tile.var);
    load_block(b);
    for (uint32_t step = 1; step <= b->steps; step++)
        make_step(b, step);
    store_block(b);
    ir_stmt parfor = ir_parfor(u, &tile, 1, b->body, b->loc);
    u->stmts[parfor].flags |= IR_FLAG_LANES | IR_FLAG_TEAM;
    u->stmts[parfor].parfor.lanes = PASS_WORKGROUP;
    u->stmts[parfor].parfor.lane_var = b->lane;
    return parfor;
}

uint32_t compose_blocks(struct compose *x, uint64_t trips, struct compose_body *out) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = u->stmts[x->loop];
    struct block b = {.x = x, .u = u, .loc = u->stmts[x->halves[0].parfor].loc};
    if (!suits(&b) || !choose(&b, trips)) return 0;
    ir_var var = ir_add_var(u, u->vars[loop.counted.var].name, (enum ir_type)u->vars[loop.counted.var].type,
                            IR_VAR_ENTRY, loop.loc);
    ir_expr counter = read_var(&b, var);
    ir_expr half = ir_const(u, (enum ir_type)u->vars[var].type, b.steps / 2 * (uint32_t)loop.counted.step);
    out->var = var;
    out->body = make_phase(&b, false, counter);
    ir_append(u, &out->body, make_phase(&b, true, two(&b, IR_ADD, counter, half)));
    base_text_format(x->p->explain,
                     "compose: the loop at line %u makes %u steps in blocks of %u x %u elements between two exchanges, "
                     "from %u x %u that are loaded\n",
                     u->cx->locs[loop.loc].line, b.steps, b.rows, b.columns, b.high, PASS_WORKGROUP);
    return b.steps;
}
