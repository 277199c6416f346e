// Long recurrences of few iterations, in blocks of the grid: what a pass takes from the one before is found for each
// block first.
//
//   parallel for (i) { s = 0; for (t < n) { s = a[i] * s + x[t][i]; y[t][i] = s; } last[i] = s; }
//
// becomes
//
//   parallel for (block, i) { f = 1; c = 0; for (t of the block) { f = a[i] * f; c = a[i] * c + x[t][i]; }
//                             factor[block][i] = f; more[block][i] = c; }
//   parallel for (i) { s = 0; for (block) { start[block][i] = s; s = factor[block][i] * s + more[block][i]; }
//                      last[i] = s; }
//   parallel for (block, i) { s = start[block][i]; for (t of the block) { s = a[i] * s + x[t][i]; y[t][i] = s; } }
//
// Running sums and maxima, filters, generators of random numbers, hashes, places in a list that grows (recurrence.c
// says which values). The loop in the middle is such a recurrence itself. (G. E. Blelloch, "Prefix sums and their
// applications", 1990; S. Chatterjee, G. E. Blelloch, M. Zagha, "Scan primitives for vector computers", 1990.)
//
// A nest of loops is one loop of all its passes, if it can be made in blocks as that (nest.c).
//
// Values that need others, as what is counted where a hash is the one that is wanted, come in levels
// (recurrence_levels.c): the first two loops are made for each, with what is known by then of the levels before. The
// last loop is made if anything is stored, or summed up that needs the last level.
//
// The law: no pass touches an element that another one writes, but through an index that grows with each store; what
// the loops before the last read is not yet written. Sums and products of floats become others (-fno-associative-math
// forbids). The passes are made once for each level and once more, so iterations must be few beside what keeps the
// device busy. Searches are left to lanes of a workgroup where they are enough (share.c).
#include "pass/cost.h"
#include "pass/loops/nest.h"
#include "pass/loops/recurrence.h"

#include <float.h>

struct scanner {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t count;
    // of the parallel loop under way, of whose node `n` is a copy
    struct ir_stmt_node n;
    ir_stmt loop;                               // in its body
    struct pass_nest nest;                      // ... was these loops, one in the other; of no depth: it is as it was
    struct ir_effects inside, in_front, behind; // of the loop, of what else stands there
    struct recurrence *r;                       // the level under way, of `all`
    uint32_t level;                             // its number, from 0
    bool must_be_cut;                           // such copies would not make what is in front of the loop leaves it
    ir_stmt pure;         // copies of the assignments in front of the loop, but of what is handed on
    uint64_t trips, each; // passes, and those of a block
    uint32_t blocks;
    ir_var block;
    ir_array left[IR_F32 + 1]; // by type, of the level under way
    ir_array begins[IR_F32 + 1], ends[IR_F32 + 1], sums[IR_F32 + 1];
    uint32_t left_count[IR_F32 + 1], begin_count[IR_F32 + 1], sum_counts[IR_F32 + 1];
    struct pass_scope sc;
    struct recurrences all;
};

static const struct ir_stmt_node *node_of(const struct scanner *x, ir_stmt s) { return &x->u->stmts[s]; }
static enum ir_type type_of(const struct scanner *x, ir_var v) { return (enum ir_type)x->u->vars[v].type; }
static bool is_handed(const struct scanner *x, ir_var v) {
    bool is = false;
    for (uint32_t l = 0; l < x->all.levels; l++)
        for (uint32_t j = 0; j < x->all.of[l].count; j++)
            is |= x->all.of[l].handed[j] == v;
    return is;
}

// Passes are made once more, behind the last level: else their end alone is wanted.
static bool is_made_again(const struct scanner *x) { return x->all.sum_count || ir_writes_arrays(&x->inside); }
static void set_level(struct scanner *x, uint32_t level) {
    x->level = level;
    x->r = &x->all.of[level];
}

// ---- which loops? ---------------------------------------------------------------------------------------------------

static ir_stmt copies_until(const struct scanner *x, ir_stmt first, ir_stmt end) {
    ir_stmt out = 0;
    for (ir_stmt s = first; s != end; s = node_of(x, s)->next)
        ir_append(x->u, &out, pass_clone_one(x->u, s));
    return out;
}

static bool touches_nothing_else(const struct scanner *x) {
    struct ir_effects all = ir_effects_of(x->u, x->n.parfor.body);
    if (pass_is_atomic(x->u, x->n.parfor.body)) return false;
    for (ir_array a = 1; a < x->u->array_count; a++) {
        if ((ir_bit(all.arrays_read, a) || ir_bit(all.arrays_written, a)) && a == x->u->log) return false;
        if (x->u->arrays[a].klass != IR_ARRAY_LOCAL) continue;
        // an iteration's own array is there in one of the loops alone
        if (ir_bit(x->inside.arrays_written, a) || ir_bit(x->in_front.arrays_written, a)) return false;
    }
    return true;
}

// Passes of the loop without its stores to lists touch what no other one writes.
static bool passes_are_apart(struct scanner *x) {
    ir_stmt first = x->u->stmt_count, copy = pass_clone_one(x->u, x->nest.depth ? x->nest.loops[0] : x->loop);
    bool *list = base_alloc_array(x->u->cx, x->u->array_count, sizeof *list), lists = false;
    for (ir_array a = 1; a < x->u->array_count; a++)
        for (uint32_t l = 0; l < x->all.levels && ir_bit(x->inside.arrays_written, a); l++)
            lists |= list[a] |= recurrence_fills(&x->all.of[l], a);
    for (ir_stmt s = first; lists && s < x->u->stmt_count; s++) { // all that was copied
        struct ir_stmt_node *n = &x->u->stmts[s];
        if (n->kind == IR_STORE && list[n->store.array])
            *n = (struct ir_stmt_node){.kind = IR_NOP, .loc = n->loc, .next = n->next};
    }
    return x->nest.depth ? pass_nest_is_apart(&x->nest, &x->sc, copy) : pass_memory_is_apart(&x->sc, copy, NULL);
}

// What the slice reads of arrays that the loop writes, it reads before they are written in a pass.
static bool reads_before(struct scanner *x) {
    ir_stmt body = node_of(x, x->loop)->counted.body;
    struct ir_effects so_far = ir_effects_empty(x->u);
    for (ir_stmt s = body; s; s = node_of(x, s)->next) {
        struct ir_effects fx = ir_effects_of_one(x->u, s);
        const uint32_t *reads = recurrence_reads(x->r, s);
        uint8_t kind = node_of(x, s)->kind;
        bool alone = kind == IR_ASSIGN || kind == IR_STORE;
        if (!alone) ir_add_effects_of_one(x->u, s, &so_far);
        if (ir_sets_meet(reads, so_far.arrays_written, fx.array_words)) return false;
        ir_add_effects_of_one(x->u, s, &so_far);
    }
    return true;
}

// The slices read no element that what is in front of the loop, but for the copies, stores.
static bool slices_read_others(struct scanner *x, ir_stmt not_made) {
    struct pass_accesses in_front = {0};
    ir_stmt read = 0;
    for (uint32_t l = 0; l < x->all.levels; l++)
        ir_append(x->u, &read, ir_clone_block(x->u, x->all.of[l].slice, NULL, NULL));
    ir_stmt loop = pass_clone_one(x->u, x->loop);
    x->u->stmts[loop].counted.body = read;
    pass_collect(&x->sc, not_made, &in_front);
    return pass_loads_are_apart(&x->sc, loop, &in_front);
}

// Copies of the assignments in front of the loop stand for all that is in front of it: what else is assigned there, or
// made of that, nobody may want who has the copies alone.
static bool find_front(struct scanner *x) {
    struct ir_unit *u = x->u;
    ir_stmt dropped = 0;
    struct ir_effects stale = ir_effects_empty(u); // vars_written: whose values the copies do not make
    x->pure = 0;
    for (ir_stmt s = x->n.parfor.body; s != x->loop; s = node_of(x, s)->next) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        bool plain = node_of(x, s)->kind == IR_ASSIGN, handed = plain && is_handed(x, node_of(x, s)->assign.var);
        bool made = plain && !handed && !ir_sets_meet(fx.vars_read, stale.vars_written, fx.var_words);
        ir_append(u, plain && !handed ? &x->pure : &dropped, pass_clone_one(u, s));
        for (uint32_t w = 0; w < fx.var_words; w++)
            stale.vars_written[w] =
                made ? stale.vars_written[w] & ~fx.vars_written[w] : stale.vars_written[w] | fx.vars_written[w];
    }
    struct ir_effects made = ir_effects_of(u, x->pure), whole = ir_effects_of(u, x->n.parfor.body);
    const uint32_t *before = pass_exposed(u, x->pure);
    for (ir_var v = 1; v < x->r->vars; v++)
        x->must_be_cut |= ir_bit(before, v) && is_handed(x, v);
    before = pass_exposed(u, x->loop);
    for (ir_var v = 1; v < x->r->vars; v++)
        x->must_be_cut |= ir_bit(before, v) && ir_bit(stale.vars_written, v) && !is_handed(x, v);
    x->must_be_cut |=
        ir_sets_meet(made.arrays_read, whole.arrays_written, made.array_words) || !slices_read_others(x, dropped);
    return !x->must_be_cut;
}

// What stands behind the nest does not read its counters.
static bool counters_are_own(const struct scanner *x, ir_stmt loop) {
    const uint32_t *wanted = pass_exposed(x->u, node_of(x, loop)->next);
    bool unread = true;
    for (uint32_t d = 0; d < x->nest.depth; d++)
        unread &= !ir_bit(wanted, node_of(x, x->nest.loops[d])->counted.var);
    return unread;
}

static bool fits_loop(struct scanner *x, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(x, s);
    uint32_t lo;
    x->loop = s;
    x->must_be_cut = false;
    if (n->kind != IR_FOR || !ir_const_trips(x->u, s, &x->trips) || x->trips < PASS_SCAN_LEAST_PASSES ||
        x->trips > INT32_MAX || n->flags & (IR_FLAG_SIMD | IR_FLAG_LANES) || !ir_is_const(x->u, n->counted.lo, &lo) ||
        x->u->vars[n->counted.var].type != IR_I32 || pass_leaves_loop(x->u, n->counted.body))
        return false;
    x->inside = ir_effects_of_one(x->u, s);
    if (!pass_hands_on(x->u, n->counted.body)) return false;
    ir_stmt front = copies_until(x, x->n.parfor.body, s);
    x->in_front = ir_effects_of(x->u, front);
    x->behind = ir_effects_of(x->u, node_of(x, s)->next);
    const uint32_t *wanted = pass_exposed(x->u, node_of(x, s)->next);
    if (!touches_nothing_else(x) ||
        !recurrences_find(&x->all, x->u, s, x->p->target->keep_order, ir_writes_arrays(&x->inside), wanted))
        return false;
    for (uint32_t l = x->all.levels; l-- > 0;) {
        set_level(x, l);
        if (!reads_before(x)) return false;
    }
    return passes_are_apart(x) && find_front(x);
}

// Blocks of equal length, where the passes can be dealt out so.
static bool find_blocks(struct scanner *x, uint64_t iterations) {
    uint64_t inner = pass_passes_of(x->u, node_of(x, x->loop)->counted.body), busy = x->p->target->busy_invocations;
    uint64_t work = inner == UINT64_MAX ? PASS_UNKNOWN_TRIPS : inner + 1, least = PASS_SCAN_BLOCK / work;
    uint64_t levels = x->all.levels, lanes = 1; // that would share the loops inside of a pass
    uint32_t settles = 0;
    if (levels > 1 && inner != UINT64_MAX && inner >= PASS_SHARE_LEAST_PASSES)
        lanes = inner < PASS_WORKGROUP ? inner : PASS_WORKGROUP;
    if (busy < PASS_GPU_INVOCATIONS || iterations * lanes * PASS_SCAN_FEW * levels > busy ||
        x->trips < PASS_SCAN_LEAST_PASSES * levels)
        return false;
    if (least < PASS_SCAN_LEAST_BLOCK) least = PASS_SCAN_LEAST_BLOCK;
    if (x->trips * iterations > least * busy) least = x->trips * iterations / busy;
    x->each = least;
    uint64_t rows[] = {x->nest.depth ? x->nest.trips[x->nest.depth - 1] : 0, x->trips}; // blocks best lie in a row each
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t each = 2 * least; each-- > least && rows[i];)
            if (rows[i] % each == 0) x->each = each;
    for (uint32_t l = 0; l < levels; l++)
        settles = x->all.of[l].settles > settles ? x->all.of[l].settles : settles;
    while (x->trips % x->each && x->trips % x->each < settles)
        x->each++; // the last block, too, leaves what others leave
    x->blocks = (uint32_t)((x->trips + x->each - 1) / x->each);
    return x->blocks > 1;
}

// ---- the loops ------------------------------------------------------------------------------------------------------

static ir_expr number(const struct scanner *x, uint64_t value) { return ir_const_i32(x->u, (int32_t)value); }

// Element [slot][block] of an array of blocks, for this iteration.
static uint32_t place_of(const struct scanner *x, ir_expr slot, ir_expr block, ir_expr at[IR_MAX_DIMS]) {
    ir_expr lead[] = {slot, block};
    return pass_block_index(x->u, &x->n, lead, 2, at);
}
static ir_expr load_of(const struct scanner *x, ir_array a, ir_expr slot, ir_expr block) {
    ir_expr at[IR_MAX_DIMS];
    uint32_t n = place_of(x, slot, block, at);
    return ir_load(x->u, a, at, n, x->n.loc);
}
static ir_stmt store_of(const struct scanner *x, ir_array a, ir_expr slot, ir_expr block, ir_var v) {
    ir_expr at[IR_MAX_DIMS];
    uint32_t n = place_of(x, slot, block, at);
    return ir_store(x->u, a, at, n, ir_var_read(x->u, v, x->n.loc), x->n.loc);
}
static ir_expr read_of(const struct scanner *x, ir_var v) { return ir_var_read(x->u, v, x->n.loc); }

// Calls fn for each part that is left of what is handed on; slot: its place among the words of its type.
static void each_part(struct scanner *x, void (*fn)(struct scanner *x, uint32_t j, uint32_t k, uint32_t slot, void *to),
                      void *to) {
    uint32_t slots[IR_F32 + 1] = {0};
    for (uint32_t j = 0; j < x->r->count; j++)
        for (uint32_t k = 0; k <= x->r->count; k++)
            if (recurrence_leaves(x->r, j, k)) fn(x, j, k, slots[type_of(x, x->r->handed[j])]++, to);
}
static void count_part(struct scanner *x, uint32_t j, uint32_t k, uint32_t slot, void *to) {
    (void)k, (void)to;
    x->left_count[type_of(x, x->r->handed[j])] = slot + 1;
}
// All parts as they are before the first pass, also those that none leaves.
static void start_parts(struct scanner *x, ir_stmt *to) {
    for (uint32_t j = 0; j < x->r->count; j++)
        for (uint32_t k = 0; k <= x->r->count; k++) {
            ir_var vars[] = {recurrence_part(x->r, j, k), recurrence_stays(x->r, j, k)};
            for (uint32_t i = 0; i < 2; i++)
                if (vars[i]) ir_append(x->u, to, ir_assign(x->u, vars[i], recurrence_start(x->r, j, k), x->n.loc));
        }
}
// A factor that overflowed stays a number, because nothing times it is nothing. DROPPED, which no such factor then is,
// stands for that of what is no longer there.
#define DROPPED FLT_MAX
static void store_part(struct scanner *x, uint32_t j, uint32_t k, uint32_t slot, void *to) {
    struct ir_unit *u = x->u;
    base_loc loc = x->n.loc;
    ir_var part = recurrence_part(x->r, j, k);
    ir_array a = x->left[type_of(x, part)];
    if (k && type_of(x, part) == IR_F32 && !x->r->sets[j]) {
        ir_var stays = recurrence_stays(x->r, j, k);
        ir_expr f = read_of(x, part), largest = ir_const_f32(u, stays ? DROPPED * (1 - FLT_EPSILON) : FLT_MAX);
        ir_expr most = ir_op2(u, IR_COPYSIGN, largest, f, loc), over = ir_op1(u, IR_ISINF, f, loc);
        if (stays) over = ir_op2(u, IR_GT, ir_op1(u, IR_FABS, f, loc), largest, loc);
        f = ir_op3(u, IR_SELECT, over, most, f, loc);
        if (stays) {
            ir_expr none = ir_op2(u, IR_EQ, read_of(x, stays), ir_const_f32(u, 0), loc);
            f = ir_op3(u, IR_SELECT, none, ir_const_f32(u, DROPPED), f, loc);
        }
        ir_append(u, to, ir_assign(u, part, f, loc));
    }
    ir_append(u, to, store_of(x, a, number(x, slot), read_of(x, x->block), part));
}

// Those of the level under way, and with the first one those of all.
static void add_arrays(struct scanner *x) {
    for (enum ir_type t = IR_I32; t <= IR_F32; t++)
        x->left_count[t] = x->begin_count[t] = x->sum_counts[t] = 0;
    each_part(x, count_part, NULL);
    for (uint32_t l = 0; l < x->all.levels && !x->level; l++)
        for (uint32_t j = 0; j < x->all.of[l].count; j++)
            x->begin_count[type_of(x, x->all.of[l].handed[j])]++;
    for (uint32_t k = 0; k < x->all.sum_count && !x->level; k++)
        x->sum_counts[type_of(x, x->all.sums[k].var)]++;
    for (enum ir_type t = IR_I32; t <= IR_F32; t++) {
        uint32_t left[] = {x->left_count[t], x->blocks}, begins[] = {x->begin_count[t], x->blocks + 1},
                 ends[] = {x->begin_count[t], 1}, sums[] = {x->sum_counts[t], x->blocks};
        if (left[0]) x->left[t] = pass_block_array(x->u, &x->n, "left", t, left, 2);
        if (begins[0]) x->begins[t] = pass_block_array(x->u, &x->n, "begins", t, begins, 2);
        if (begins[0]) x->ends[t] = pass_block_array(x->u, &x->n, "ends", t, ends, 2);
        if (sums[0]) x->sums[t] = pass_block_array(x->u, &x->n, "sums", t, sums, 2);
    }
}

// The passes of a block, each of which is `body`.
static ir_stmt passes_of_block(const struct scanner *x, ir_stmt body) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    ir_var pass = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    ir_expr first = ir_op2(u, IR_MUL, read_of(x, x->block), number(x, x->each), n.loc), end = number(x, x->each);
    ir_expr at = ir_op2(u, IR_ADD, first, ir_var_read(u, pass, n.loc), n.loc);
    if (n.counted.step != 1) at = ir_op2(u, IR_MUL, at, ir_const_i32(u, n.counted.step), n.loc);
    at = ir_op2(u, IR_ADD, n.counted.lo, at, n.loc);
    if (x->trips % x->each) end = ir_op2(u, IR_MIN, end, ir_op2(u, IR_SUB, number(x, x->trips), first, n.loc), n.loc);
    ir_stmt out = 0;
    if (x->nest.depth && x->nest.trips[x->nest.depth - 1] % x->each == 0)
        body = pass_nest_in_row(&x->nest, body, first, pass, &out);
    pass_substitute(u, body, n.counted.var, at);
    ir_append(u, &out, ir_for(u, pass, ir_const_i32(u, 0), end, 1, body, n.loc));
    return out;
}

static ir_stmt pure_copy(const struct scanner *x) { return ir_clone_block(x->u, x->pure, NULL, NULL); }

// What is handed on in the levels from `first` to before `end`, into an array by type (`keeps`) or from there.
static void pass_on(const struct scanner *x, uint32_t first, uint32_t end, const ir_array *arrays, ir_expr block,
                    bool keeps, ir_stmt *to) {
    uint32_t slots[IR_F32 + 1] = {0};
    for (uint32_t l = 0; l < end; l++)
        for (uint32_t j = 0; j < x->all.of[l].count; j++) {
            ir_var v = x->all.of[l].handed[j];
            uint32_t slot = slots[type_of(x, v)]++;
            ir_array a = arrays[type_of(x, v)];
            if (l < first) continue;
            ir_append(x->u, to,
                      keeps ? store_of(x, a, number(x, slot), block, v)
                            : ir_assign(x->u, v, load_of(x, a, number(x, slot), block), x->n.loc));
        }
}

static ir_stmt make_left(struct scanner *x) {
    ir_stmt body = pure_copy(x);
    x->block = ir_add_var(x->u, "block", IR_I32, IR_VAR_DIM, x->n.loc);
    pass_on(x, 0, x->level, x->begins, read_of(x, x->block), false, &body);
    start_parts(x, &body);
    ir_append(x->u, &body, passes_of_block(x, x->r->slice));
    each_part(x, store_part, &body);
    return pass_block_parfor(x->u, &x->n, x->block, x->blocks, body);
}

struct largest {
    const struct ir_unit *u;
    ir_var v;
    bool found; // FMAX or FMIN of it
};
static bool on_largest(void *user, ir_expr e) {
    struct largest *k = user;
    const struct ir_node *n = &k->u->nodes[e];
    bool other = n->op == IR_FMAX || n->op == IR_FMIN;
    for (uint32_t i = 0; i < 2 && other; i++) {
        const struct ir_node *a = &k->u->nodes[i ? n->b : n->a];
        k->found |= a->op == IR_VAR && a->a == k->v;
    }
    return true;
}

// What a block kept, put into what was kept before. A NaN before it stays if `>` chooses, or if nothing was kept.
static ir_expr joined(const struct scanner *x, uint8_t op, ir_var v, ir_expr part) {
    struct ir_unit *u = x->u;
    base_loc loc = x->n.loc;
    struct largest k = {u, v, false};
    ir_expr before = read_of(x, v), both = ir_op2(u, (enum ir_op)op, before, part, loc);
    if (op != IR_FMAX && op != IR_FMIN) return both;
    ir_walk_nodes(u, node_of(x, x->loop)->counted.body, on_largest, &k);
    ir_expr none = ir_op2(u, IR_EQ, part, ir_const(u, IR_F32, ir_identity(op, IR_F32)), loc);
    if (k.found) return ir_op3(u, IR_SELECT, none, before, both, loc);
    ir_expr taken = ir_op2(u, op == IR_FMAX ? IR_GT : IR_LT, part, before, loc);
    return ir_op3(u, IR_SELECT, taken, part, before, loc);
}

// Puts part k of handed[j], as a block leaves it, into what handed[j] is behind that block.
static ir_expr with_part(const struct scanner *x, uint32_t j, uint32_t k, ir_expr part, ir_expr so_far) {
    struct ir_unit *u = x->u;
    const struct recurrence *r = x->r;
    ir_var v = r->handed[j], from = k ? r->handed[k - 1] : v;
    base_loc loc = x->n.loc;
    for (uint32_t i = 0; !k && r->shifted[v] && i < r->count; i++)
        if (r->made_of[v] >> i & 1) from = r->handed[i];
    ir_expr before = read_of(x, from);
    if (r->op[j] != IR_CONST) return joined(x, r->op[j], v, part);
    if (!k) return r->shifted[v] ? ir_op2(u, IR_ADD, before, part, loc) : part;
    if (r->sets[j]) return so_far;
    ir_expr sum = ir_op2(u, IR_ADD, ir_op2(u, IR_MUL, part, before, loc), so_far, loc);
    bool stays = recurrence_stays(r, j, k) != 0;
    if ((r->scales && !stays) || u->vars[v].type != IR_F32) return sum;
    // Set anew, it is nothing of what it was, were that no number.
    ir_expr anew = ir_op2(u, IR_EQ, part, ir_const_f32(u, stays ? DROPPED : 0), loc);
    return ir_op3(u, IR_SELECT, anew, so_far, sum, loc);
}

struct step {
    ir_expr block, of[PASS_SCAN_HANDED], is_set[PASS_SCAN_HANDED];
};
static void step_part(struct scanner *x, uint32_t j, uint32_t k, uint32_t slot, void *to) {
    struct step *step = to;
    ir_expr part = load_of(x, x->left[type_of(x, x->r->handed[j])], number(x, slot), step->block);
    step->of[j] = with_part(x, j, k, part, step->of[j]);
    if (k) step->is_set[j] = ir_op2(x->u, IR_EQ, part, ir_const(x->u, type_of(x, x->r->handed[j]), 0), x->n.loc);
}

// What is handed on behind a block, of what it was in front of it.
static ir_stmt make_step(struct scanner *x, ir_expr block) {
    struct ir_unit *u = x->u;
    const struct recurrence *r = x->r;
    struct step step = {.block = block};
    ir_stmt out = 0, last[1 + PASS_SCAN_HANDED] = {0}; // others need what it was; behind the test of handed[k - 1]
    each_part(x, step_part, &step);
    for (uint32_t j = 0; j < r->count; j++) {
        ir_var v = r->handed[j], now = v;
        uint32_t behind = r->assigned[v] - 1u;
        if (r->op[j] == IR_CONST && !r->sets[j]) {
            now = ir_add_var(u, u->vars[v].name, type_of(x, v), IR_VAR_LOCAL, x->n.loc);
            ir_append(u, &last[behind], ir_assign(u, v, read_of(x, now), x->n.loc));
        }
        ir_stmt made = ir_assign(u, now, step.of[j], x->n.loc);
        if (r->sets[j]) made = ir_if(u, step.is_set[j], made, 0, x->n.loc);
        ir_append(u, r->sets[j] || (behind && now == v) ? &last[behind] : &out, made);
    }
    ir_append(u, &out, last[0]);
    for (uint32_t i = 0; i < r->count; i++) {
        ir_expr test = r->tests[i];
        if (last[1 + i] && !r->when[i]) test = ir_op1(u, IR_NOT, test, x->n.loc);
        if (last[1 + i]) ir_append(u, &out, ir_if(u, test, last[1 + i], 0, x->n.loc));
    }
    return out;
}

// From block to block; `behind`: what follows the loop stands here, too. What other levels begin with is kept by the
// first.
static ir_stmt make_starts(struct scanner *x, bool behind) {
    struct ir_unit *u = x->u;
    uint32_t next = x->level + 1;
    ir_stmt body = x->level ? pure_copy(x) : copies_until(x, x->n.parfor.body, x->loop), pass = 0;
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_LOCAL, x->n.loc);
    for (ir_var v = 1; v < x->r->vars; v++) // what passes set and do not take
        if (is_handed(x, v) && !x->level && !ir_bit(x->in_front.vars_written, v))
            ir_append(u, &body, ir_assign(u, v, ir_const(u, type_of(x, v), 0), x->n.loc));
    if (x->level)
        pass_on(x, x->level, next, x->begins, number(x, 0), false, &body);
    else
        pass_on(x, 1, x->all.levels, x->begins, number(x, 0), true, &body);
    if (next < x->all.levels || is_made_again(x)) pass_on(x, x->level, next, x->begins, read_of(x, block), true, &pass);
    ir_append(u, &pass, make_step(x, read_of(x, block)));
    ir_append(u, &body, ir_for(u, block, number(x, 0), number(x, x->blocks), 1, pass, x->n.loc));
    if (behind) {
        pass_on(x, 0, x->level, x->ends, number(x, 0), false, &body);
        ir_append(u, &body, copies_until(x, node_of(x, x->loop)->next, 0));
    } else
        pass_on(x, x->level, next, x->ends, number(x, 0), true, &body);
    return pass_block_parfor(u, &x->n, 0, 0, body);
}

// Many values that go their ways alike: each has iterations of its own, behind what stands in front of the loop.
static bool are_alike(const struct scanner *x) {
    const struct recurrence *r = x->r;
    for (uint32_t j = 0; j < r->count; j++) {
        ir_var v = r->handed[j];
        if (type_of(x, v) != type_of(x, r->handed[0]) || r->op[j] != r->op[0] ||
            r->shifted[v] != r->shifted[r->handed[0]] || r->made_of[v] & ~(1u << j) || r->sets[j] ||
            recurrence_leaves(r, j, 1 + j) != recurrence_leaves(r, 0, 1))
            return false;
    }
    return r->count >= PASS_SCAN_ALIKE && x->all.levels == 1;
}
static ir_stmt make_starts_alike(struct scanner *x) {
    struct ir_unit *u = x->u;
    ir_var v = x->r->handed[0], which = ir_add_var(u, "which", IR_I32, IR_VAR_DIM, x->n.loc);
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_LOCAL, x->n.loc);
    ir_expr at = read_of(x, block), next = ir_op2(u, IR_ADD, at, number(x, 1), x->n.loc), value = 0;
    uint32_t parts = x->left_count[type_of(x, v)] / x->r->count;
    ir_array left = x->left[type_of(x, v)], begins = x->begins[type_of(x, v)];
    ir_stmt front = copies_until(x, x->n.parfor.body, x->loop), body, pass;
    pass_on(x, 0, 1, x->begins, number(x, 0), true, &front);
    front = pass_block_parfor(u, &x->n, 0, 0, front);
    for (uint32_t k = 0; k < parts; k++) {
        ir_expr slot = ir_op2(u, IR_MUL, read_of(x, which), number(x, parts), x->n.loc);
        slot = ir_op2(u, IR_ADD, slot, number(x, k), x->n.loc);
        value = with_part(x, 0, k, load_of(x, left, slot, at), value);
    }
    pass = ir_assign(u, v, value, x->n.loc);
    ir_append(u, &pass, store_of(x, begins, read_of(x, which), next, v));
    body = ir_assign(u, v, load_of(x, begins, read_of(x, which), number(x, 0)), x->n.loc);
    ir_append(u, &body, ir_for(u, block, number(x, 0), number(x, x->blocks), 1, pass, x->n.loc));
    ir_append(u, &front, pass_block_parfor(u, &x->n, which, x->r->count, body));
    return front;
}

static ir_stmt make_passes(struct scanner *x) {
    struct ir_unit *u = x->u;
    ir_stmt body = pure_copy(x), passes = ir_clone_block(u, node_of(x, x->loop)->counted.body, NULL, NULL);
    uint32_t slots[IR_F32 + 1] = {0};
    x->block = ir_add_var(u, "block", IR_I32, IR_VAR_DIM, x->n.loc);
    pass_on(x, 0, x->all.levels, x->begins, read_of(x, x->block), false, &body);
    for (uint32_t k = 0; k < x->all.sum_count; k++) {
        enum ir_type t = type_of(x, x->all.sums[k].var);
        ir_expr identity = ir_const(u, t, ir_identity(x->all.sums[k].op, t));
        ir_append(u, &body, ir_assign(u, x->all.sums[k].var, identity, x->n.loc));
    }
    ir_append(u, &body, passes_of_block(x, passes));
    for (uint32_t k = 0; k < x->all.sum_count; k++) {
        enum ir_type t = type_of(x, x->all.sums[k].var);
        ir_append(u, &body, store_of(x, x->sums[t], number(x, slots[t]++), read_of(x, x->block), x->all.sums[k].var));
    }
    return pass_block_parfor(u, &x->n, x->block, x->blocks, body);
}

// What is summed up over blocks, and what follows the loop.
static ir_stmt make_behind(struct scanner *x) {
    struct ir_unit *u = x->u;
    ir_stmt body = pure_copy(x), sums = 0;
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_LOCAL, x->n.loc);
    uint32_t slots[IR_F32 + 1] = {0};
    bool alike = are_alike(x);
    pass_on(x, 0, x->all.levels, alike ? x->begins : x->ends, number(x, alike ? x->blocks : 0), false, &body);
    for (uint32_t k = 0; k < x->all.sum_count; k++) {
        ir_var v = x->all.sums[k].var;
        ir_expr more = load_of(x, x->sums[type_of(x, v)], number(x, slots[type_of(x, v)]++), read_of(x, block));
        ir_append(u, &sums, ir_assign(u, v, joined(x, x->all.sums[k].op, v, more), x->n.loc));
    }
    if (sums) ir_append(u, &body, ir_for(u, block, number(x, 0), number(x, x->blocks), 1, sums, x->n.loc));
    ir_append(u, &body, copies_until(x, node_of(x, x->loop)->next, 0));
    return pass_block_parfor(u, &x->n, 0, 0, body);
}

static ir_stmt scan_statement(void *user, ir_stmt done, ir_stmt s);

// A loop made here may be such a recurrence, too.
static ir_stmt again(struct scanner *x, ir_stmt s) {
    struct scanner inner = *x;
    pass_scope_init(&inner.sc, x->u); // with the variables that were made
    ir_stmt out = scan_statement(&inner, 0, s);
    x->count = inner.count;
    return out;
}

// What is in front of the loop as a parallel loop of its own, which leaves what it assigns in memory, and the rest; 0:
// it cannot be had.
static ir_stmt cut_front(struct scanner *x) {
    struct ir_unit *u = x->u;
    const uint32_t *wanted = pass_exposed(u, x->loop);
    ir_stmt front = copies_until(x, x->n.parfor.body, x->loop), rest = 0;
    for (ir_var v = 1; v < x->r->vars; v++) {
        ir_expr at[IR_MAX_DIMS];
        if (!ir_bit(wanted, v) || !ir_bit(x->in_front.vars_written, v)) continue;
        if (u->vars[v].type == IR_BOOL) return 0;
        ir_array a = pass_block_array(u, &x->n, u->vars[v].name, type_of(x, v), NULL, 0);
        uint32_t n = pass_block_index(u, &x->n, NULL, 0, at);
        ir_append(u, &front, ir_store(u, a, at, n, read_of(x, v), x->n.loc));
        ir_append(u, &rest, ir_assign(u, v, ir_load(u, a, at, n, x->n.loc), x->n.loc));
    }
    ir_append(u, &rest, copies_until(x, x->loop, 0));
    ir_stmt out = pass_block_parfor(u, &x->n, 0, 0, front);
    ir_append(u, &out, again(x, pass_block_parfor(u, &x->n, 0, 0, rest)));
    return out;
}

// The parallel loop in blocks, level by level.
static ir_stmt in_blocks(struct scanner *x) {
    struct ir_unit *u = x->u;
    uint32_t last_level = x->all.levels - 1;
    ir_stmt rest = node_of(x, x->loop)->next, out = 0;
    for (uint32_t l = 0; l <= last_level; l++) {
        set_level(x, l);
        add_arrays(x);
        ir_append(u, &out, make_left(x));
        if (l < last_level) ir_append(u, &out, again(x, make_starts(x, false)));
    }
    bool touches = !pass_arrays_apart(&x->inside, &x->behind);
    bool alike = are_alike(x), behind = (rest && (touches || alike)) || x->all.sum_count;
    ir_stmt starts = alike ? make_starts_alike(x) : make_starts(x, !behind), passes = 0,
            last = behind ? make_behind(x) : 0;
    if (is_made_again(x)) passes = make_passes(x);
    base_text_put(x->p->explain, "scan: the ");
    if (x->nest.depth) base_text_format(x->p->explain, "%u nested loops", x->nest.depth);
    base_text_format(x->p->explain, "%s at line %u %s made in %u blocks, whose beginnings are found first",
                     x->nest.depth ? "" : "loop", u->cx->locs[node_of(x, x->loop)->loc].line,
                     x->nest.depth ? "are" : "is", x->blocks);
    if (last_level) base_text_format(x->p->explain, ", in %u levels", x->all.levels);
    base_text_put(x->p->explain, "\n");
    x->count++;
    if (alike) {
        ir_stmt front = starts;
        starts = node_of(x, front)->next;
        u->stmts[front].next = 0;
        ir_append(u, &out, front);
    }
    ir_append(u, &out, again(x, starts));
    ir_append(u, &out, passes);
    if (last) ir_append(u, &out, again(x, last));
    return out;
}

// Looks whether the loop, or the nest whose outermost one it is as one loop, can be made in blocks. -> x->loop, in x->n
static bool finds(struct scanner *x, ir_stmt loop, uint64_t iterations) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = x->n;
    x->nest.depth = 0;
    if (fits_loop(x, loop) && find_blocks(x, iterations)) return true;
    bool cut = x->must_be_cut && find_blocks(x, iterations);
    for (uint32_t depth = 2; !cut && pass_nest_find(&x->nest, u, loop, depth) && x->nest.depth == depth; depth++) {
        if (!counters_are_own(x, loop)) break;
        ir_stmt one = pass_nest_make(&x->nest), body = copies_until(x, n.parfor.body, loop);
        ir_append(u, &body, one);
        ir_append(u, &body, copies_until(x, u->stmts[loop].next, 0));
        x->n.parfor.body = body;
        if (fits_loop(x, one) && find_blocks(x, iterations)) return true;
        cut = x->must_be_cut && find_blocks(x, iterations);
        x->n = n;
    }
    x->nest.depth = 0;
    x->loop = loop;
    x->must_be_cut = cut;
    return false;
}

static ir_stmt scan_statement(void *user, ir_stmt done, ir_stmt s) {
    struct scanner *x = user;
    struct ir_unit *u = x->u;
    uint64_t iterations;
    (void)done;
    x->n = u->stmts[s];
    x->nest.depth = 0;
    if (x->n.kind != IR_PARFOR || x->n.flags & ~IR_FLAG_NOWAIT || x->n.parfor.reduction_count ||
        !pass_has_plain_dims(u, &x->n) || !pass_iterations(&x->sc, s, &iterations) || !iterations)
        return s;
    ir_stmt loop = x->n.parfor.body;
    uint32_t looks = 0;
    const bool *of_lanes = pass_searches_of_lanes(x->p, &x->sc, s);
    for (; loop && looks < PASS_SCAN_LOOKS; loop = node_of(x, loop)->next) {
        bool stays = of_lanes && of_lanes[loop];
        if (!stays && finds(x, loop, iterations)) break;
        ir_stmt apart = !stays && x->must_be_cut ? cut_front(x) : 0;
        if (apart) return apart;
        looks += node_of(x, loop)->kind == IR_FOR;
    }
    if (!loop || looks == PASS_SCAN_LOOKS) return s;
    return in_blocks(x);
}

static uint32_t scan_unit(struct pass_cx *p) {
    struct scanner x = {.p = p, .u = p->u};
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter scanning = {.u = p->u, .sc = &x.sc, .user = &x, .replace = scan_statement};
    p->u->root = pass_rewrite_block(&scanning, p->u->root);
    if (x.count) pass_fold(p);
    return x.count;
}

// ---- what is handed on in memory ------------------------------------------------------------------------------------

struct holder {
    struct pass_cx *p;
    bool any;     // a loop that is long enough, of few iterations
    bool *arrays; // small ones of iterations, by array, that such loops store to
};
static void find_held(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct holder *k = user;
    struct ir_unit *u = k->p->u;
    uint64_t iterations, trips;
    bool is_long = false;
    if (!pass_iterations(sc, parfor, &iterations) || iterations * PASS_SCAN_FEW > k->p->target->busy_invocations)
        return;
    for (ir_stmt s = u->stmts[parfor].parfor.body; s; s = u->stmts[s].next)
        is_long |= pass_nest_trips(u, s, &trips) && trips >= PASS_SCAN_LEAST_PASSES;
    const bool *small = is_long ? pass_accumulators_of(u, parfor) : NULL;
    k->any |= is_long;
    if (small) pass_unroll_choosing(k->p, parfor, small);
    for (ir_array a = 1; small && a < u->array_count; a++)
        k->arrays[a] |= small[a];
}

// It is done to a copy, which is kept where a loop was found. held: with elements that the pass before stored
// (carry.c), and small arrays, in variables.
static void scan_copy(struct pass_cx *p, bool held) {
    struct base_cx *cx = p->u->cx;
    struct base_scratch scratch = base_scratch_begin(cx);
    struct pass_cx copy = *p;
    struct base_text said;
    base_text_init(&said, p->u->cx);
    base_text_put(&said, "");
    copy.u = ir_unit_clone(p->u);
    copy.explain = &said;
    pass_flags_as_numbers(copy.u);
    if (held) {
        struct pass_scope sc;
        struct holder k = {.p = &copy, .arrays = base_alloc_array(p->u->cx, p->u->array_count, sizeof *k.arrays)};
        pass_scope_init(&sc, copy.u);
        pass_each_parfor(&sc, find_held, &k);
        if (!k.any) {
            base_scratch_end(cx, &scratch);
            return;
        }
        pass_carry_all(&copy);
        pass_scalarise_only(&copy, k.arrays);
    }
    if (!scan_unit(&copy)) {
        base_scratch_end(cx, &scratch);
        return;
    }
    base_text_put(p->explain, said.data);
    p->u = copy.u;
}

void pass_scan(struct pass_cx *p) {
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    scan_copy(p, false);
    scan_copy(p, true);
}
