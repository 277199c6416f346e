// Which local arrays of a parallel loop become variables once short loops are unrolled: those whose places all become
// constants then, and only as many of them as kernels have room for the copies.
//
//   for (i < 10) for (k < 6) x[i][k] = f(i, k);     x stays an array where the copies by i are too many: then those of
//   for (k < 6) h[k] = g(k);                        loops by k gain nothing for x, but all for h.
//
// The law: a place is constant in the copies of all loops whose counters it is made from. An array with one place left
// that is not stays in memory as a whole, so a loop in which only such places are chosen need not be unrolled for them.
// Arrays with the most accesses for each copied statement come first.
#include <string.h>

#include "pass/cost.h"
#include "pass/passes.h"

enum { NO_LOOP = UINT32_MAX };

struct loop {
    ir_stmt stmt;
    uint32_t around; // by number, or NO_LOOP
    double trips;    // 0: it is never unrolled
    double runs;     // of its body, in an iteration
    uint32_t size;   // statements of a pass
};

struct planner {
    struct ir_unit *u;
    ir_stmt body;
    struct loop *loops;
    uint32_t count, cap, words;
    // Sets of loops, a bit each, and behind them one bit that says: of data. By variable and by array.
    uint32_t *from, *needs;
    uint32_t *place;      // the set of the index that is looked at
    uint32_t *conditions; // what decides whether the statement that is looked at is run
    const ir_expr *definition;
    uint32_t inside; // the loop around it
    // By loop, and behind them of the whole body, and by array: those of an iteration; [0]: nodes of expressions.
    double *accesses;
    double *counted; // by array: those that are looked at, as they stand
    bool grows;
};

static uint32_t *set_of(uint32_t *sets, const struct planner *x, uint32_t index) {
    return sets + (size_t)index * x->words;
}

static void add_bit(struct planner *x, uint32_t *set, uint32_t bit) {
    x->grows |= !ir_bit(set, bit);
    set[bit / 32] |= 1u << bit % 32;
}
static void add_set(struct planner *x, uint32_t *set, const uint32_t *more) {
    for (uint32_t w = 0; w < x->words; w++) {
        x->grows |= (more[w] & ~set[w]) != 0;
        set[w] |= more[w];
    }
}
static bool is_of_data(const struct planner *x, const uint32_t *set) { return ir_bit(set, x->count); }

// ---- what values are made from --------------------------------------------------------------------------------------

struct source {
    struct planner *x;
    uint32_t *set;
};
static bool on_source(void *user, ir_expr e) {
    struct source *s = user;
    struct planner *x = s->x;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD && x->u->arrays[n->a].klass != IR_ARRAY_TABLE) add_bit(x, s->set, x->count);
    if (n->op != IR_VAR) return n->op != IR_LOAD || x->u->arrays[n->a].klass == IR_ARRAY_TABLE;
    if (x->u->vars[n->a].klass != IR_VAR_LOCAL) add_bit(x, s->set, x->count);
    add_set(x, s->set, set_of(x->from, x, n->a));
    return true;
}
static void add_sources(struct planner *x, uint32_t *set, ir_expr e) {
    struct source s = {x, set};
    ir_walk_expr(x->u, e, on_source, &s);
}

static uint32_t number_of(const struct planner *x, ir_stmt s) {
    for (uint32_t k = 0; k < x->count; k++)
        if (x->loops[k].stmt == s) return k;
    return NO_LOOP;
}

// Of a variable with several values it has to be known which one is taken. One that is made from itself is another in
// each pass of the loops around.
static void look_at_value(struct planner *x, ir_var v, ir_expr value) {
    uint32_t *set = set_of(x->from, x, v);
    if (!x->definition[v]) add_set(x, set, x->conditions);
    if (!value)
        add_bit(x, set, x->count);
    else
        add_sources(x, set, value);
    if (!value || !ir_mentions(x->u, value, v)) return;
    for (uint32_t k = x->inside; k != NO_LOOP; k = x->loops[k].around)
        if (x->u->stmts[x->loops[k].stmt].kind == IR_FOR)
            add_set(x, set, set_of(x->from, x, x->u->stmts[x->loops[k].stmt].counted.var));
}

static void look_in(struct planner *x, ir_stmt block);

// Of a block that these decide about; 0: data do.
static void look_under(struct planner *x, ir_stmt block, ir_expr cond, ir_expr other) {
    uint32_t *before = x->conditions;
    bool grows = x->grows; // the set below is made anew each time
    x->conditions = base_alloc_array(x->u->cx, x->words, sizeof *before);
    memcpy(x->conditions, before, x->words * sizeof *before);
    if (cond)
        add_sources(x, x->conditions, cond);
    else
        add_bit(x, x->conditions, x->count);
    if (other) add_sources(x, x->conditions, other);
    x->grows = grows;
    look_in(x, block);
    x->conditions = before;
}

static void look_at_loop(struct planner *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    uint32_t before = x->inside, k = number_of(x, s), *set = set_of(x->from, x, n.counted.var);
    add_bit(x, set, k == NO_LOOP || x->loops[k].trips == 0 ? x->count : k);
    add_sources(x, set, n.counted.lo);
    add_sources(x, set, n.counted.hi);
    if (k != NO_LOOP) x->inside = k;
    look_under(x, n.counted.body, n.counted.lo, n.counted.hi); // it may have no pass
    x->inside = before;
}

static void look_in(struct planner *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        ir_var v = ir_written_var(&n);
        ir_stmt inside[2];
        if (n.kind == IR_FOR) {
            look_at_loop(x, s);
            continue;
        }
        if (v) look_at_value(x, v, n.kind == IR_ASSIGN ? n.assign.value : 0);
        uint32_t blocks = ir_blocks_of(&n, inside);
        for (uint32_t b = 0; b < blocks; b++)
            look_under(x, inside[b], n.kind == IR_IF ? n.branch.cond : 0, 0);
    }
}

// ---- what places are made from --------------------------------------------------------------------------------------

// Where data choose, and there are few elements, pass_spell chooses among variables.
static void look_at_place(struct planner *x, ir_array a, uint32_t first, uint32_t n) {
    bool few = pass_may_spell(x->u, a);
    for (uint32_t d = 0; d < n; d++) {
        memset(x->place, 0, x->words * sizeof *x->place);
        add_sources(x, x->place, x->u->args[first + d]);
        if (!few || !is_of_data(x, x->place)) add_set(x, set_of(x->needs, x, a), x->place);
    }
    x->counted[a]++;
}
static bool on_load(void *user, ir_expr e) {
    struct planner *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->counted[0]++;
    if (n->op == IR_LOAD) look_at_place(x, n->a, n->b, n->n);
    return true;
}
static bool on_store(void *user, ir_stmt s) {
    struct planner *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    struct ir_write w = ir_write_of(n);
    if (w.array) look_at_place(x, w.array, w.indices, w.index_count);
    if (n->kind == IR_ATOMIC) add_bit(x, set_of(x->needs, x, w.array), x->count);
    if (n->kind == IR_STAGE) add_bit(x, set_of(x->needs, x, n->stage.from), x->count);
    if (n->kind == IR_TURN) {
        add_bit(x, set_of(x->needs, x, n->turn.from), x->count);
        add_bit(x, set_of(x->needs, x, n->turn.to), x->count);
    }
    return true;
}

// ---- the loops ------------------------------------------------------------------------------------------------------

// Copies of a loop in it, which may stay, are more text than copies of statements.
uint32_t pass_scalar_trips(const struct ir_unit *u, ir_stmt loop) {
    return pass_has_loop(u, u->stmts[loop].counted.body) ? PASS_UNROLL_MOST_TRIPS : PASS_SCALAR_TRIPS;
}

// Passes of a loop whose ends are counters of loops around are taken to be half of theirs, as in a triangle.
static double trips_of(const struct planner *x, ir_stmt s, uint32_t around) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips;
    if (!n->counted.body || pass_for_lanes(x->u, s) || pass_leaves_loop(x->u, n->counted.body)) return 0;
    if (ir_const_trips(x->u, s, &trips)) return trips <= pass_scalar_trips(x->u, s) ? (double)trips : 0;
    for (uint32_t k = around; k != NO_LOOP; k = x->loops[k].around) {
        if (x->loops[k].trips == 0) continue;
        ir_var v = x->u->stmts[x->loops[k].stmt].counted.var;
        if (ir_mentions(x->u, n->counted.lo, v) || ir_mentions(x->u, n->counted.hi, v)) return x->loops[k].trips / 2;
    }
    return 0;
}

static void count_loops(struct planner *x, ir_stmt block, uint32_t around) {
    for (ir_stmt s = block; s && x->count <= PASS_SCALAR_LOOPS; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        ir_stmt inside[2];
        uint32_t here = around, blocks = ir_blocks_of(&n, inside);
        uint64_t passes = PASS_UNKNOWN_TRIPS;
        if (n.kind == IR_FOR || n.kind == IR_LOOP) {
            (void)ir_const_trips(x->u, s, &passes);
            struct loop loop = {.stmt = s, .around = around, .size = pass_size(x->u, ir_body_of(&n))};
            loop.trips = n.kind == IR_FOR ? trips_of(x, s, around) : 0;
            loop.runs = (around == NO_LOOP ? 1 : x->loops[around].runs) * (double)passes;
            here = x->count;
            BASE_RESERVE(x->u->cx, x->loops, x->count, x->cap);
            x->loops[x->count++] = loop;
        }
        for (uint32_t b = 0; b < blocks; b++)
            count_loops(x, inside[b], here);
    }
}

// The loop around, or the whole body.
static uint32_t around_of(const struct planner *x, uint32_t k) {
    return x->loops[k].around == NO_LOOP ? x->count : x->loops[k].around;
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static double *accesses_in(const struct planner *x, uint32_t k) { return x->accesses + (size_t)k * x->u->array_count; }

static void count_accesses(struct planner *x) {
    struct ir_visitor places = {.on_stmt = on_store, .on_node = on_load, .user = x};
    uint32_t arrays = x->u->array_count;
    x->accesses = base_alloc_array(x->u->cx, (size_t)(x->count + 1) * arrays, sizeof *x->accesses);
    for (uint32_t k = 0; k <= x->count; k++) {
        x->counted = accesses_in(x, k);
        ir_walk_block(x->u, k == x->count ? x->body : ir_body_of(&x->u->stmts[x->loops[k].stmt]), &places);
    }
    for (uint32_t k = 0; k < x->count; k++) { // outside of loops in it
        double *in = accesses_in(x, k), *around = accesses_in(x, around_of(x, k));
        for (ir_array a = 0; a < arrays; a++)
            around[a] -= in[a];
    }
    for (uint32_t k = 0; k < x->count; k++)
        for (ir_array a = 0; a < arrays; a++)
            accesses_in(x, k)[a] *= x->loops[k].runs;
    for (uint32_t k = x->count; k-- > 0;) { // and in those
        double *in = accesses_in(x, k), *around = accesses_in(x, around_of(x, k));
        for (ir_array a = 0; a < arrays; a++)
            around[a] += in[a];
    }
}

// ---- room -----------------------------------------------------------------------------------------------------------

struct room {
    double statements, nodes, branches;
};

// What the copies of the set's loops add to the text. Loops come before those in them.
static struct room added_by(const struct planner *x, const uint32_t *set) {
    struct room sum = {0};
    struct base_scratch scratch = base_scratch_begin(x->u->cx);              // this is asked for often
    double *times = base_alloc_array(x->u->cx, x->count + 1, sizeof *times); // by loop: copies of its body
    bool *known = base_alloc_array(x->u->cx, x->u->var_count, sizeof *known);
    for (uint32_t k = 0; k < x->count; k++)
        if (ir_bit(set, k)) known[x->u->stmts[x->loops[k].stmt].counted.var] = true;
    for (uint32_t k = 0; k < x->count; k++) {
        const struct loop *l = &x->loops[k];
        double around = l->around == NO_LOOP ? 1 : times[l->around], more = l->trips - 1;
        bool copied = ir_bit(set, k);
        times[k] = around * (copied ? l->trips : 1);
        if (!copied) continue;
        struct pass_text each = pass_text_of(x->u, x->u->stmts[l->stmt].counted.body, known);
        sum.statements += around * more * l->size;
        sum.nodes += around * more * each.nodes;
        sum.branches += around * (more * each.branches - PASS_BRANCH_COUNTED);
    }
    base_scratch_end(x->u->cx, &scratch);
    return sum;
}

// Why the copies of the set's loops may not be; NULL: there is room.
static const char *no_room(const struct planner *x, const uint32_t *set) {
    struct room sum = added_by(x, set);
    if (pass_size(x->u, x->body) + sum.statements > PASS_UNROLL_KERNEL_STATEMENTS)
        return base_format(x->u->cx, "a kernel would pass %u statements", PASS_UNROLL_KERNEL_STATEMENTS);
    if (sum.nodes > PASS_UNROLL_MOST_NODES || sum.branches > PASS_UNROLL_MOST_BRANCHES)
        return "the copies would make kernels slow to compile";
    return NULL;
}

// Beside all that the loops do which are copied for it alone, the array is touched now and then, and few elements of
// tables become constants.
static bool is_rare(const struct planner *x, const uint32_t *all, ir_array a) {
    const uint32_t *needs = set_of(x->needs, x, a);
    double nodes = 0, saved = accesses_in(x, x->count)[a];
    for (uint32_t k = 0; k < x->count; k++) {
        uint32_t outer = x->loops[k].around;
        while (outer != NO_LOOP && (ir_bit(all, outer) || !ir_bit(needs, outer)))
            outer = x->loops[outer].around;
        if (outer != NO_LOOP || ir_bit(all, k) || !ir_bit(needs, k)) continue;
        nodes += accesses_in(x, k)[0];
        for (ir_array t = 1; t < x->u->array_count; t++)
            if (x->u->arrays[t].klass == IR_ARRAY_TABLE) saved += accesses_in(x, k)[t];
    }
    return saved * PASS_SCALAR_RARE < nodes;
}

// Copies of many passes for few elements gain nothing.
static bool has_long_loops(const struct planner *x, ir_array a) {
    uint64_t elements = pass_elements(x->u, a, 0, PASS_SCALAR_TRIPS);
    bool found = false;
    for (uint32_t k = 0; k < x->count; k++)
        found |= ir_bit(set_of(x->needs, x, a), k) && x->loops[k].trips > PASS_UNROLL_MOST_TRIPS &&
                 x->loops[k].trips > (double)elements;
    return found;
}

// Takes the arrays first that have the most accesses for each statement of the copies.
static void take(struct planner *x, bool *io_arrays, struct base_text *explain) {
    uint32_t *all = base_alloc_array(x->u->cx, x->words, sizeof *all),
             *with = base_alloc_array(x->u->cx, x->words, sizeof *with);
    double *gain = base_alloc_array(x->u->cx, x->u->array_count, sizeof *gain);
    bool *asked = base_alloc_array(x->u->cx, x->u->array_count, sizeof *asked);
    for (ir_array a = 1; a < x->u->array_count; a++) {
        asked[a] = io_arrays[a];
        io_arrays[a] = false;
        if (asked[a]) gain[a] = accesses_in(x, x->count)[a] / (1 + added_by(x, set_of(x->needs, x, a)).statements);
    }
    for (;;) {
        ir_array best = 0;
        for (ir_array a = 1; a < x->u->array_count; a++)
            if (asked[a] && (!best || gain[a] > gain[best])) best = a;
        if (!best) return;
        asked[best] = false;
        memcpy(with, all, x->words * sizeof *with);
        add_set(x, with, set_of(x->needs, x, best));
        if (has_long_loops(x, best) || is_rare(x, all, best)) continue;
        const char *problem = no_room(x, with);
        if (problem) {
            if (explain)
                base_text_format(explain, "unroll: local array '%s' stays in memory: %s\n", x->u->arrays[best].name,
                                 problem);
            continue;
        }
        memcpy(all, with, x->words * sizeof *all);
        io_arrays[best] = true;
    }
}

bool *pass_scalars_of(struct ir_unit *u, ir_stmt parfor, struct base_text *explain) {
    struct planner x = {.u = u, .body = u->stmts[parfor].parfor.body, .inside = NO_LOOP};
    bool *out = base_alloc_array(u->cx, u->array_count, sizeof *out);
    count_loops(&x, x.body, NO_LOOP);
    if (x.count > PASS_SCALAR_LOOPS) return out; // copies of some would be too many anyway
    x.words = x.count / 32 + 1;
    x.from = base_alloc_array(u->cx, (size_t)u->var_count * x.words, sizeof *x.from);
    x.needs = base_alloc_array(u->cx, (size_t)u->array_count * x.words, sizeof *x.needs);
    x.conditions = base_alloc_array(u->cx, x.words, sizeof *x.conditions);
    x.place = base_alloc_array(u->cx, x.words, sizeof *x.place);
    x.definition = ir_definitions(u, x.body, false);
    do {
        x.grows = false;
        look_in(&x, x.body);
    } while (x.grows);
    count_accesses(&x);
    for (ir_array a = 1; a < u->array_count; a++)
        out[a] = u->arrays[a].klass == IR_ARRAY_LOCAL && accesses_in(&x, x.count)[a] > 0 &&
                 !is_of_data(&x, set_of(x.needs, &x, a)) &&
                 ir_round_op((enum whorl_dtype)u->arrays[a].elem) == IR_EXACT;
    take(&x, out, explain);
    return out;
}
