// Recurrences in blocks of the grid, as at the head of scan.c: the loops of each level, what goes on from block to
// block, and the passes once more.
#include <float.h>

#include "pass/loops/scan.h"

static const struct ir_stmt_node *node_of(const struct scanner *x, ir_stmt s) { return &x->u->stmts[s]; }
static enum ir_type type_of(const struct scanner *x, ir_var v) { return (enum ir_type)x->u->vars[v].type; }

// Passes are made once more, behind the last level: else their end alone is wanted.
static bool is_made_again(const struct scanner *x) { return x->all.sum_count || ir_writes_arrays(&x->inside); }

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

// In a variable of its own, as it is used more than once.
static ir_expr kept(const struct scanner *x, ir_var v, ir_expr value, ir_stmt *out) {
    struct ir_unit *u = x->u;
    uint8_t op = u->nodes[value].op;
    if (op == IR_VAR || op == IR_CONST) return value;
    ir_var own = ir_add_var(u, u->vars[v].name, type_of(x, v), IR_VAR_LOCAL, x->n.loc);
    ir_append(u, out, ir_assign(u, own, value, x->n.loc));
    return read_of(x, own);
}

// Puts part k of handed[j], as a block leaves it, into what handed[j] is behind that block. `out`: statements that it
// needs in front.
static ir_expr with_part(const struct scanner *x, uint32_t j, uint32_t k, ir_expr part, ir_expr so_far, ir_stmt *out) {
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
    bool stays = recurrence_stays(r, j, k) != 0, plain = (r->scales && !stays) || u->vars[v].type != IR_F32;
    if (!plain) {
        so_far = kept(x, v, so_far, out);
        part = kept(x, v, part, out);
    }
    ir_expr sum = ir_op2(u, IR_ADD, ir_op2(u, IR_MUL, part, before, loc), so_far, loc);
    if (plain) return sum;
    // Set anew, it is nothing of what it was, were that no number.
    ir_expr anew = ir_op2(u, IR_EQ, part, ir_const_f32(u, stays ? DROPPED : 0), loc);
    return ir_op3(u, IR_SELECT, anew, so_far, sum, loc);
}

struct step {
    ir_expr block, of[PASS_SCAN_HANDED], is_set[PASS_SCAN_HANDED];
    ir_stmt made; // what these need
};
static void step_part(struct scanner *x, uint32_t j, uint32_t k, uint32_t slot, void *to) {
    struct step *step = to;
    ir_expr part = load_of(x, x->left[type_of(x, x->r->handed[j])], number(x, slot), step->block);
    step->of[j] = with_part(x, j, k, part, step->of[j], &step->made);
    if (k) step->is_set[j] = ir_op2(x->u, IR_EQ, part, ir_const(x->u, type_of(x, x->r->handed[j]), 0), x->n.loc);
}

// What is handed on behind a block, of what it was in front of it.
static ir_stmt make_step(struct scanner *x, ir_expr block) {
    struct ir_unit *u = x->u;
    const struct recurrence *r = x->r;
    struct step step = {.block = block};
    ir_stmt last[1 + PASS_SCAN_HANDED] = {0}; // others need what it was; behind the test of handed[k - 1]
    each_part(x, step_part, &step);
    ir_stmt out = step.made;
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
    ir_stmt body = x->level ? pure_copy(x) : pass_clone_until(u, x->n.parfor.body, x->loop), pass = 0;
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_LOCAL, x->n.loc);
    for (ir_var v = 1; v < x->r->vars; v++) // what passes set and do not take
        if (scan_hands(x, v) && !x->level && !ir_bit(x->in_front.vars_written, v))
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
        ir_append(u, &body, pass_clone_until(u, node_of(x, x->loop)->next, 0));
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
    ir_stmt front = pass_clone_until(u, x->n.parfor.body, x->loop), body, pass = 0;
    pass_on(x, 0, 1, x->begins, number(x, 0), true, &front);
    front = pass_block_parfor(u, &x->n, 0, 0, front);
    for (uint32_t k = 0; k < parts; k++) {
        ir_expr slot = ir_op2(u, IR_MUL, read_of(x, which), number(x, parts), x->n.loc);
        slot = ir_op2(u, IR_ADD, slot, number(x, k), x->n.loc);
        value = with_part(x, 0, k, load_of(x, left, slot, at), value, &pass);
    }
    ir_append(u, &pass, ir_assign(u, v, value, x->n.loc));
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
    ir_append(u, &body, pass_clone_until(u, node_of(x, x->loop)->next, 0));
    return pass_block_parfor(u, &x->n, 0, 0, body);
}

ir_stmt scan_in_blocks(struct scanner *x) {
    struct ir_unit *u = x->u;
    uint32_t last_level = x->all.levels - 1;
    ir_stmt rest = node_of(x, x->loop)->next, out = 0;
    for (uint32_t l = 0; l <= last_level; l++) {
        scan_set_level(x, l);
        add_arrays(x);
        ir_append(u, &out, make_left(x));
        if (l < last_level) ir_append(u, &out, scan_again(x, make_starts(x, false)));
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
    ir_append(u, &out, scan_again(x, starts));
    ir_append(u, &out, passes);
    if (last) ir_append(u, &out, scan_again(x, last));
    return out;
}
