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
// made once for all columns. Inner loops whose bounds are the same for all of them stay one loop.
//
// It pays where loads are saved and enough iterations are left to keep the device busy. Iterations are then numbered
// by tiles, so that those of a workgroup are neighbours along both dimensions and share what they load in its cache.
#include "pass/cost.h"
#include "pass/passes.h"

enum { ROWS = 1, COLUMNS = 2, PASSES = 4 }; // what a value depends on: the two dimensions, the innermost loop's counter

// Iterations side by side along one dimension; `name` 0: there is no such dimension.
struct side {
    ir_var name;
    ir_expr first;
    uint64_t trips;               // before
    uint32_t count;               // of one new iteration
    struct ir_dim tiles, in_tile; // the new iterations, `tile` by `tile`
    ir_expr number;               // of the new iteration
};

struct jam {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt parfor;
    uint32_t var_count; // of the unit before the pass made any
    uint8_t *depends;   // by variable: ROWS, COLUMNS
    bool *assigned;     // by variable: in the body
    bool *counts;       // by variable: a loop of the body counts it
    ir_var **names;     // by variable: its copies, [row * columns + column]; NULL: it has none
    struct side rows, columns;
    uint64_t iterations;
    // Per pass of the innermost loops, weighed by how often they run beside each other: all operations, and those of
    // loads that rows, columns, or neither tell apart.
    uint64_t cost, of_rows, of_columns, of_none;
    bool fits;
};

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
static uint8_t depends_on(const struct jam *x, ir_expr e) {
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

// One loop for all: its bounds are the same, and nobody leaves it early.
static bool is_common(const struct jam *x, const struct ir_stmt_node *n) {
    return n->kind == IR_FOR && !(depends_on(x, n->counted.lo) | depends_on(x, n->counted.hi)) &&
           !pass_leaves_loop(x->u, n->counted.body);
}

// `around`: what decides whether the block runs. -> something new was found
static bool find_depends(struct jam *x, ir_stmt block, uint8_t around) {
    bool found = false;
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        ir_stmt inner[2];
        uint8_t here = around;
        if (n.kind == IR_ASSIGN) found |= note(x, n.assign.var, around | depends_on(x, n.assign.value));
        if (n.kind == IR_ATOMIC && n.atomic.old) found |= note(x, n.atomic.old, ROWS | COLUMNS);
        // Inside of what is copied as a whole each copy has names of its own.
        if (ir_blocks_of(&n, inner) && !is_common(x, &n)) here = ROWS | COLUMNS;
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
};
static bool weigh_node(void *user, ir_expr e) {
    struct sum *s = user;
    struct jam *x = s->x;
    const struct ir_node *n = &x->u->nodes[e];
    uint64_t cost = ir_cost(n) * s->weight;
    x->cost += cost;
    if (n->op != IR_LOAD) return true;
    uint8_t what = 0;
    for (uint32_t i = 0; i < n->n; i++)
        what |= depends_on(x, x->u->args[n->b + i]);
    x->fits &= x->u->arrays[n->a].klass != IR_ARRAY_LOCAL && x->u->arrays[n->a].klass != IR_ARRAY_STAGED;
    if (s->in_loop && x->u->arrays[n->a].klass != IR_ARRAY_TABLE) { // whose loads are as good as constants
        x->of_rows += what == ROWS ? cost : 0;
        x->of_columns += what == COLUMNS ? cost : 0;
        x->of_none += what == 0 ? cost : 0;
    }
    return false; // what its indices cost is little beside it
}

// Loops weigh by their passes, as far as these are known. Only what stands in loops that stay one is shared.
static void weigh(struct jam *x, ir_stmt block, uint64_t weight, bool in_loop) {
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        struct sum sum = {x, weight, in_loop};
        ir_stmt inner[2];
        uint64_t trips = n.kind == IR_LOOP ? PASS_UNKNOWN_TRIPS : 1;
        if (n.kind == IR_FOR && !ir_const_trips(x->u, s, &trips)) trips = PASS_UNKNOWN_TRIPS;
        if (n.kind == IR_ASSIGN) ir_walk_expr(x->u, n.assign.value, weigh_node, &sum);
        if (n.kind == IR_STORE) ir_walk_expr(x->u, n.store.value, weigh_node, &sum);
        x->fits &= !(n.kind == IR_FOR && n.flags & (IR_FLAG_SIMD | IR_FLAG_LANES)) && n.kind != IR_AGREE &&
                   !(n.kind == IR_ASSIGN && n.flags & IR_FLAG_ATOMIC) &&
                   !(n.kind == IR_STORE && !ir_in_buffer(x->u, n.store.array));
        trips = trips < PASS_JAM_MOST_WEIGHT ? trips : PASS_JAM_MOST_WEIGHT;
        uint64_t deeper = weight * trips < PASS_JAM_MOST_WEIGHT ? weight * trips : PASS_JAM_MOST_WEIGHT;
        for (uint32_t i = 0, blocks = ir_blocks_of(&n, inner); i < blocks; i++)
            weigh(x, inner[i], deeper, is_common(x, &n));
    }
}

// Of all operations, in percent, with so many rows and columns side by side.
static uint64_t saved(const struct jam *x, uint32_t rows, uint32_t columns) {
    uint64_t less = x->of_rows - x->of_rows / columns + x->of_columns - x->of_columns / rows + x->of_none -
                    x->of_none / (rows * columns);
    return x->cost ? less * 100 / x->cost : 0;
}

static bool divides(uint32_t count, const struct side *side) {
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
    return best >= PASS_JAM_LEAST_SAVED;
}

// ---- neighbours -----------------------------------------------------------------------------------------------------

// Where an array is accessed: indices [first, first + n) of unit->args.
struct place {
    uint32_t first, n;
};
static struct place place_of_load(const struct jam *x, ir_expr load) {
    return (struct place){x->u->nodes[load].b, x->u->nodes[load].n};
}

// Neighbours along `var` are neighbours in memory: it stands in the last index alone, once, and `bit` says what depends
// on it.
static bool walks_along(struct jam *x, struct place at, ir_var var, uint8_t bit) {
    if (!var) return false;
    for (uint32_t i = 0; i + 1 < at.n; i++)
        if (depends_on(x, x->u->args[at.first + i]) & bit) return false;
    struct pass_affine f = pass_affine_of(x->sc, x->u->args[at.first + at.n - 1]);
    if (!f.ok || pass_affine_coef(&f, var) != 1) return false;
    for (uint32_t i = 0; i < f.n; i++)
        if (f.vars[i] != var && f.vars[i] < x->var_count && x->depends[f.vars[i]] & bit) return false;
    return true;
}

static bool ask_computed(void *user, ir_expr e) {
    struct question *q = user;
    const struct jam *x = q->x;
    const struct ir_node *n = &x->u->nodes[e];
    bool is_local = n->op == IR_VAR && x->u->vars[n->a].klass == IR_VAR_LOCAL;
    q->found |= n->op == IR_LOAD || (is_local && (n->a >= x->var_count || !x->counts[n->a]));
    return true;
}
// Of dimensions and counters of loops alone: what is proven of one such place is proven of its neighbours.
static bool is_plain(const struct jam *x, struct place at) {
    struct question q = {x, 0};
    for (uint32_t i = 0; i < at.n; i++)
        ir_walk_expr(x->u, x->u->args[at.first + i], ask_computed, &q);
    return !q.found;
}

// The statement loads or stores one element, of which neighbouring columns have neighbours.
static bool is_of_row(struct jam *x, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(x, s);
    struct place at = {0};
    if (n->kind == IR_ASSIGN && x->u->nodes[n->assign.value].op == IR_LOAD) at = place_of_load(x, n->assign.value);
    if (n->kind == IR_STORE) at = (struct place){n->store.indices, n->store.index_count};
    return at.n && !(n->flags & IR_FLAG_ATOMIC) && walks_along(x, at, x->columns.name, COLUMNS) && is_plain(x, at);
}

// ---- copies ---------------------------------------------------------------------------------------------------------

static uint32_t copies_along(const struct side *side, uint8_t what, uint8_t bit) {
    return what & bit ? side->count : 1;
}

static ir_var name_of(struct jam *x, ir_var v, uint32_t row, uint32_t column) {
    uint8_t what = x->depends[v];
    uint32_t columns = x->columns.count, at = (what & ROWS ? row : 0) * columns + (what & COLUMNS ? column : 0);
    if (at == 0) return v;
    if (!x->names[v]) x->names[v] = base_alloc_array(x->u->cx, x->rows.count * columns, sizeof **x->names);
    if (!x->names[v][at]) {
        const struct ir_var_info info = x->u->vars[v];
        x->names[v][at] = ir_add_var(x->u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
    }
    return x->names[v][at];
}

static ir_expr index_of(struct jam *x, const struct side *side, uint32_t copy) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->parfor)->loc;
    enum ir_type type = (enum ir_type)u->vars[side->name].type;
    uint32_t lo;
    ir_expr at = side->number;
    if (side->count > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, side->count), loc);
    if (copy) at = ir_op2(u, IR_ADD, at, ir_const(u, type, copy), loc);
    return ir_is_const(u, side->first, &lo) && lo == 0 ? at : ir_op2(u, IR_ADD, side->first, at, loc);
}

// The statement as iteration (row, column) has it.
static ir_stmt copy_of(struct jam *x, ir_stmt s, uint32_t row, uint32_t column) {
    struct ir_unit *u = x->u;
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    for (ir_var v = 1; v < x->var_count; v++)
        if (x->assigned[v]) map[v] = name_of(x, v, row, column);
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_stmt copy = ir_clone_block(u, s, map, NULL);
    u->stmts[s].next = next;
    if (x->rows.name) pass_substitute(u, copy, x->rows.name, index_of(x, &x->rows, row));
    if (x->columns.name) pass_substitute(u, copy, x->columns.name, index_of(x, &x->columns, column));
    return copy;
}

// A copy for each iteration that the statement tells apart.
static void append_copies(struct jam *x, ir_stmt *head, ir_stmt s, uint8_t what) {
    bool of_row = is_of_row(x, s);
    for (uint32_t row = 0; row < copies_along(&x->rows, what, ROWS); row++)
        for (uint32_t column = 0; column < copies_along(&x->columns, what, COLUMNS); column++) {
            ir_stmt copy = copy_of(x, s, row, column);
            if (of_row) node_of(x, copy)->flags |= IR_FLAG_ROW;
            ir_append(x->u, head, copy);
        }
}

// ---- loads of an innermost loop -------------------------------------------------------------------------------------

// Loads that each pass surely makes, whose indices are known when it begins.
struct loads {
    struct jam *x;
    ir_stmt loop;
    const struct ir_effects *inside;
    ir_expr load[PASS_JAM_LOADS];
    ir_var name[PASS_JAM_LOADS];
    uint32_t count;
    bool late; // an index is assigned in the pass
};
static bool reads_inside(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_node *n = &l->x->u->nodes[e];
    if (n->op == IR_VAR && n->a != node_of(l->x, l->loop)->counted.var)
        l->late |= ir_bit(l->inside->vars_written, n->a);
    l->late |= n->op == IR_LOAD;
    return true;
}
static void take_load(struct loads *l, ir_expr e) {
    struct ir_unit *u = l->x->u;
    const struct ir_node n = u->nodes[e];
    l->late = !ir_in_buffer(u, n.a);
    for (uint32_t i = 0; i < n.n; i++)
        ir_walk_expr(u, u->args[n.b + i], reads_inside, l);
    for (uint32_t i = 0; i < l->count; i++)
        l->late |= ir_same_expr(u, l->load[i], e);
    if (!l->late && l->count < PASS_JAM_LOADS) l->load[l->count++] = e;
}
static bool on_load(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_node *n = &l->x->u->nodes[e];
    if (n->op == IR_LOAD) take_load(l, e);
    return n->op != IR_LOAD && n->op != IR_SELECT && n->op != IR_LAND && n->op != IR_LOR;
}

// Passes that are made at once, so that loads along the loop are vectors.
static uint32_t passes_at_once(const struct loads *l) {
    const struct ir_stmt_node *n = node_of(l->x, l->loop);
    uint64_t trips;
    uint32_t lo, most = 1;
    if (n->counted.step != 1 || !ir_is_const(l->x->u, n->counted.lo, &lo) || lo != 0 ||
        !ir_const_trips(l->x->u, l->loop, &trips))
        return 1;
    for (uint32_t i = 0; i < l->count; i++)
        if (walks_along(l->x, place_of_load(l->x, l->load[i]), n->counted.var, PASSES)) most = PASS_JAM_SIDE;
    while (trips % most)
        most /= 2;
    return most;
}

struct unrolled {
    struct jam *x;
    ir_var counter;
    uint32_t at_once;
};
static ir_expr pass_number(const struct unrolled *p, uint32_t pass) {
    struct ir_unit *u = p->x->u;
    enum ir_type type = (enum ir_type)u->vars[p->counter].type;
    base_loc loc = u->vars[p->counter].loc;
    ir_expr at = ir_var_read(u, p->counter, loc);
    if (p->at_once > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, p->at_once), loc);
    return pass ? ir_op2(u, IR_ADD, at, ir_const(u, type, pass), loc) : at;
}

// names[pass] of what one load gives; depends on PASSES where they differ.
static void append_loads(struct loads *l, const struct unrolled *p, uint32_t i, const ir_var *names, ir_stmt *head) {
    struct jam *x = l->x;
    struct ir_unit *u = x->u;
    uint8_t what = x->depends[l->name[i]];
    struct place at = place_of_load(x, l->load[i]);
    bool along_columns = walks_along(x, at, x->columns.name, COLUMNS);
    bool along_passes = !along_columns && walks_along(x, at, p->counter, PASSES);
    uint32_t passes = what & PASSES ? p->at_once : 1, rows = copies_along(&x->rows, what, ROWS);
    uint32_t columns = copies_along(&x->columns, what, COLUMNS);
    uint32_t total = passes * rows * columns;
    for (uint32_t k = 0; k < total; k++) {
        // What makes neighbours counts fastest.
        uint32_t column = along_passes ? k / passes % columns : k % columns;
        uint32_t pass = along_passes ? k % passes : k / columns % passes, row = k / (columns * passes);
        ir_stmt one = ir_assign(u, names[pass], l->load[i], u->nodes[l->load[i]].loc);
        ir_stmt copy = copy_of(x, one, row, column);
        pass_substitute(u, copy, p->counter, pass_number(p, pass));
        if (is_plain(x, at)) u->stmts[copy].flags |= IR_FLAG_ROW;
        ir_append(u, head, copy);
    }
}

static ir_var add_name(struct jam *x, ir_expr load) {
    const struct ir_node n = x->u->nodes[load];
    return ir_add_var(x->u, x->u->arrays[n.a].name, (enum ir_type)n.type, IR_VAR_LOCAL, n.loc);
}

// Tables by variable have room for more.
static void grow(struct jam *x) {
    uint32_t count = x->u->var_count;
    uint8_t *depends = base_alloc_array(x->u->cx, count, sizeof *depends);
    bool *assigned = base_alloc_array(x->u->cx, count, sizeof *assigned);
    bool *counts = base_alloc_array(x->u->cx, count, sizeof *counts);
    ir_var **names = base_alloc_array(x->u->cx, count, sizeof *names);
    for (ir_var v = 0; v < x->var_count; v++) {
        depends[v] = x->depends[v];
        assigned[v] = x->assigned[v];
        counts[v] = x->counts[v];
        names[v] = x->names[v];
    }
    x->depends = depends;
    x->assigned = assigned;
    x->counts = counts;
    x->names = names;
    x->var_count = count;
}

// A loop of assignments alone: first all loads, then what is made of them, pass by pass.
static void jam_innermost(struct jam *x, ir_stmt loop, ir_stmt *out_body) {
    struct ir_unit *u = x->u;
    ir_stmt body = node_of(x, loop)->counted.body;
    struct ir_effects inside = ir_effects_of(u, body);
    struct loads l = {.x = x, .loop = loop, .inside = &inside};
    struct unrolled p = {x, node_of(x, loop)->counted.var, 1};
    for (ir_stmt s = body; s; s = u->stmts[s].next)
        ir_walk_expr(u, u->stmts[s].assign.value, on_load, &l);
    x->depends[p.counter] |= PASSES;
    p.at_once = passes_at_once(&l);
    ir_var *names = base_alloc_array(u->cx, l.count * p.at_once + 1, sizeof *names);
    uint8_t *what = base_alloc_array(u->cx, l.count + 1, sizeof *what);
    for (uint32_t i = 0; i < l.count; i++) {
        what[i] = 0;
        for (uint32_t k = 0; k < u->nodes[l.load[i]].n; k++)
            what[i] |= depends_on(x, u->args[u->nodes[l.load[i]].b + k]);
        for (uint32_t pass = 0; pass < p.at_once; pass++)
            names[i * p.at_once + pass] = pass && !(what[i] & PASSES) ? names[i * p.at_once] : add_name(x, l.load[i]);
    }
    x->depends[p.counter] &= (uint8_t)~PASSES;
    grow(x);
    x->depends[p.counter] |= PASSES;
    for (uint32_t i = 0; i < l.count; i++) {
        l.name[i] = names[i * p.at_once];
        for (uint32_t pass = 0; pass < p.at_once; pass++) {
            x->depends[names[i * p.at_once + pass]] = what[i];
            x->assigned[names[i * p.at_once + pass]] = true;
        }
        append_loads(&l, &p, i, names + i * p.at_once, out_body);
    }
    x->depends[p.counter] &= (uint8_t)~PASSES;
    ir_var *now = base_alloc_array(u->cx, l.count + 1, sizeof *now);
    for (uint32_t pass = 0; pass < p.at_once; pass++) {
        ir_stmt copy = ir_clone_block(u, body, NULL, NULL);
        for (uint32_t i = 0; i < l.count; i++)
            now[i] = names[i * p.at_once + pass];
        pass_replace_loads(u, copy, l.load, now, l.count);
        pass_substitute(u, copy, p.counter, pass_number(&p, pass));
        for (ir_stmt s = copy; s; s = u->stmts[s].next)
            append_copies(x, out_body, s, x->depends[u->stmts[s].assign.var]);
    }
    if (p.at_once > 1) {
        uint64_t trips;
        (void)ir_const_trips(u, loop, &trips);
        node_of(x, loop)->counted.hi =
            ir_const(u, (enum ir_type)u->vars[p.counter].type, (uint32_t)(trips / p.at_once));
        uint32_t steps = node_of(x, loop)->counted.unroll;
        node_of(x, loop)->counted.unroll = (steps ? steps : 1) * p.at_once;
    }
}

static bool is_innermost(const struct jam *x, ir_stmt loop) {
    for (ir_stmt s = node_of(x, loop)->counted.body; s; s = node_of(x, s)->next)
        if (node_of(x, s)->kind != IR_ASSIGN) return false;
    return node_of(x, loop)->counted.body != 0;
}

static ir_stmt jam_block(struct jam *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        if (u->stmts[s].kind == IR_ASSIGN) {
            append_copies(x, &out, s, x->depends[u->stmts[s].assign.var]);
        } else if (is_common(x, &u->stmts[s])) {
            ir_stmt body = 0;
            u->stmts[s].next = 0;
            if (is_innermost(x, s))
                jam_innermost(x, s, &body);
            else
                body = jam_block(x, u->stmts[s].counted.body);
            u->stmts[s].counted.body = body;
            ir_append(u, &out, s);
        } else {
            append_copies(x, &out, s, ROWS | COLUMNS);
        }
    }
    return out;
}

// ---- the parallel loop ----------------------------------------------------------------------------------------------

static uint64_t numbers_of(const struct side *side) { return side->trips / side->count; }

// Numbers the new iterations of a side by tiles of `most`; 1: there are none, and in_tile is not used.
static void number_side(struct jam *x, struct side *side, uint32_t most) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->parfor)->loc;
    enum ir_type type = (enum ir_type)u->vars[side->name].type;
    const char *name = u->vars[side->name].name;
    while (numbers_of(side) < most)
        most /= 2;
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

// The last tile may go beyond the end: then the number gets a name, so that what is known of it is known of indices, too.
// Appends its assignment to *head. -> the condition that it is within; 0: it always is
static ir_expr within(struct jam *x, struct side *side, ir_stmt *head) {
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
    if (x->rows.name) number_side(x, &x->rows, PASS_JAM_TILE_ROWS);
    number_side(x, &x->columns, x->rows.name ? PASS_JAM_TILE_COLUMNS : 1);
    ir_stmt head = 0;
    ir_expr rows = within(x, &x->rows, &head), columns = within(x, &x->columns, &head);
    ir_expr both = rows && columns ? ir_op2(u, IR_LAND, rows, columns, n.loc) : rows ? rows : columns;
    ir_stmt body = jam_block(x, n.parfor.body);
    if (x->rows.name) dims[count++] = x->rows.tiles;
    dims[count++] = x->columns.tiles;
    if (x->rows.in_tile.var) dims[count++] = x->rows.in_tile;
    if (x->columns.in_tile.var) dims[count++] = x->columns.in_tile;
    uint32_t all = ir_add_dims(u, dims, count);
    ir_append(u, &head, both ? ir_if(u, both, body, 0, n.loc) : body);
    node_of(x, x->parfor)->parfor.body = head;
    node_of(x, x->parfor)->parfor.dims = all;
    node_of(x, x->parfor)->parfor.dim_count = count;
    base_text_format(x->p->explain, "jam: %u x %u iterations of the loop at line %u are made side by side\n",
                     x->rows.count, x->columns.count, u->cx->locs[n.loc].line);
}

static bool find_side(const struct jam *x, const struct ir_dim *dim, struct side *out) {
    uint64_t trips;
    if (dim->step != 1 || !pass_trip_count(x->sc, dim->lo, dim->hi, 1, &trips) || trips < 2 || trips > INT32_MAX)
        return false;
    *out = (struct side){.name = dim->var, .first = dim->lo, .trips = trips, .count = 1};
    return true;
}

static void jam_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct pass_cx *p = user;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    const struct ir_dim *dims = u->dims + n.parfor.dims;
    uint32_t count = n.parfor.dim_count;
    struct jam x = {.p = p, .u = u, .sc = sc, .parfor = parfor, .var_count = u->var_count, .fits = true};
    x.rows.count = x.columns.count = 1;
    if (n.flags & IR_FLAG_LANES || n.parfor.reduction_count || count + 2 > IR_MAX_DIMS ||
        !pass_iterations(sc, parfor, &x.iterations) || !find_side(&x, &dims[count - 1], &x.columns))
        return;
    if (count > 1) (void)find_side(&x, &dims[count - 2], &x.rows);
    x.depends = base_alloc_array(u->cx, u->var_count, sizeof *x.depends);
    x.assigned = base_alloc_array(u->cx, u->var_count, sizeof *x.assigned);
    x.counts = base_alloc_array(u->cx, u->var_count, sizeof *x.counts);
    x.names = base_alloc_array(u->cx, u->var_count, sizeof *x.names);
    x.depends[x.columns.name] = COLUMNS;
    if (x.rows.name) x.depends[x.rows.name] = ROWS;
    while (find_depends(&x, n.parfor.body, 0))
        ;
    weigh(&x, n.parfor.body, 1, false);
    if (x.fits && choose_counts(&x)) rewrite(&x);
}

void pass_jam(struct pass_cx *p) {
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, jam_parfor, p);
}
