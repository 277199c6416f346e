// Between the loops of an iteration that lanes share, all of them make everything alike, and lane 0 stores. A statement
// that needs in memory what it stored there they cannot make so: one of them may load what another has overwritten.
//
//   for (k < 64) if (!seen(k)) l[id[k]] *= 0.7f;        for (alone < 1 shared)
//   for (i < n) top = max(top, l[i]);     becomes           for (k < 64) if (!seen(k)) l[id[k]] *= 0.7f;
//                                                       for (i < n shared) top = max(top, l[i]);
//
// A loop of one pass is one lane's, and the others wait for what it wrote (meet.c). What it leaves in variables they
// all get by a search that this lane wins (search.c).
#include "pass/lanes/one_lane.h"

#include "pass/cost.h"
#include "pass/passes.h"

void pass_find_left(struct ir_unit *u, ir_stmt block, const uint32_t *reads, bool again, uint32_t **out_left,
                    uint32_t **out_met) {
    struct ir_effects fx = ir_effects_of(u, block);
    const uint32_t *exposed = pass_exposed(u, block);
    uint32_t words = (u->var_count + 31) / 32, *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    uint32_t *left = *out_left = base_alloc_array(u->cx, words, sizeof *left),
             *met = *out_met = base_alloc_array(u->cx, words, sizeof *met);
    pass_count_reads(u, block, inside);
    for (ir_var v = 1; v < u->var_count; v++) {
        if (!ir_bit(fx.vars_written, v)) continue;
        if (ir_bit(exposed, v)) met[v / 32] |= 1u << v % 32;
        if (reads[v] != inside[v] || (again && ir_bit(exposed, v))) left[v / 32] |= 1u << v % 32;
    }
}

static ir_var local(struct ir_unit *u, const char *name, enum ir_type type, base_loc loc) {
    return ir_add_var(u, name, type, IR_VAR_LOCAL, loc);
}
// A truth value in an integer is a number, as lanes exchange numbers alone.
static void put(struct ir_unit *u, ir_stmt *out, ir_var v, ir_var from, base_loc loc) {
    ir_expr value = ir_var_read(u, from, loc);
    bool to_bool = u->vars[v].type == IR_BOOL, from_bool = u->vars[from].type == IR_BOOL;
    if (from_bool && !to_bool) value = ir_op3(u, IR_SELECT, value, ir_const_i32(u, 1), ir_const_i32(u, 0), loc);
    if (to_bool && !from_bool) value = ir_op2(u, IR_NE, value, ir_const_i32(u, 0), loc);
    ir_append(u, out, ir_assign(u, v, value, loc));
}

ir_stmt pass_make_alone(struct ir_unit *u, ir_stmt block, const uint32_t *left, const uint32_t *met, base_loc loc) {
    uint32_t vars = u->var_count;
    ir_var *map = base_alloc_array(u->cx, vars, sizeof *map), key = 0;
    ir_stmt out = 0, body = 0, won = 0, behind = 0;
    for (ir_var v = 1; v < vars; v++) {
        if (!ir_bit(left, v) && !ir_bit(met, v)) continue;
        enum ir_type type = (enum ir_type)u->vars[v].type;
        ir_var was = v, now = map[v] = local(u, u->vars[v].name, type, loc), told = v;
        if (ir_bit(left, v)) {
            if (u->vars[v].klass != IR_VAR_LOCAL) return 0;
            if (!key) {
                key = local(u, "key", IR_I32, loc);
                won = ir_assign(u, key, ir_const_i32(u, 0), loc);
            }
            was = local(u, u->vars[v].name, type, loc);
            put(u, &out, was, v, loc);
            if (type == IR_BOOL) {
                told = local(u, u->vars[v].name, IR_I32, loc);
                put(u, &out, told, v, loc);
                put(u, &behind, v, told, loc);
            }
            put(u, &won, told, now, loc);
        }
        put(u, &body, now, was, loc);
    }
    ir_append(u, &body, ir_clone_block(u, block, map, NULL));
    if (key) {
        ir_append(u, &out, ir_assign(u, key, ir_const_i32(u, 1), loc));
        ir_expr better = ir_op2(u, IR_LT, ir_const_i32(u, 0), ir_var_read(u, key, loc), loc);
        ir_append(u, &body, ir_if(u, better, won, 0, loc));
    }
    ir_stmt loop = ir_for(u, local(u, "alone", IR_I32, loc), ir_const_i32(u, 0), ir_const_i32(u, 1), 1, body, loc);
    u->stmts[loop].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    ir_append(u, &out, loop);
    if (behind) ir_append(u, &out, behind);
    return out;
}

// It reads in memory what it writes.
static bool needs_it(struct ir_unit *u, ir_stmt s, const bool *own) {
    struct base_scratch scratch = base_scratch_begin(u->cx); // sets of all variables, for each statement
    struct ir_effects fx = ir_effects_of_one(u, s);
    bool found = false;
    for (ir_array a = 1; a < u->array_count; a++)
        found |= u->arrays[a].klass != IR_ARRAY_LOCAL && ir_bit(fx.arrays_written, a) && ir_bit(fx.arrays_read, a) &&
                 !own[a];
    base_scratch_end(u->cx, &scratch);
    return found;
}

static bool is_compound(const struct ir_unit *u, ir_stmt s) {
    enum ir_stmt_kind kind = (enum ir_stmt_kind)u->stmts[s].kind;
    return kind == IR_IF || kind == IR_FOR || kind == IR_LOOP;
}

// It is a loop for lanes, or such a loop stands in it.
static bool has_simd(const struct ir_unit *u, ir_stmt s) {
    ir_stmt inner[2];
    uint32_t blocks = ir_blocks_of(&u->stmts[s], inner);
    bool found = u->stmts[s].kind == IR_FOR && u->stmts[s].flags & IR_FLAG_SIMD;
    for (uint32_t i = 0; i < blocks; i++)
        found |= pass_has_simd(u, inner[i]);
    return found;
}

static ir_stmt last_with_simd(const struct ir_unit *u, ir_stmt block) {
    ir_stmt last = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (has_simd(u, s)) last = s;
    return last;
}

struct setter {
    struct ir_unit *u;
    struct pass_scope *sc; // where the walk is
    const bool *own;
    const uint32_t *reads;
    struct pass_set_alone *out;
    uint64_t around; // passes of loops around
};

// Passes of the FOR, at most. How long loops are whose length data decide about nobody knows, with lanes or without.
static uint64_t most_trips(const struct pass_scope *sc, ir_stmt loop) {
    const struct ir_stmt_node *n = &sc->u->stmts[loop];
    uint64_t trips;
    if (ir_const_trips(sc->u, loop, &trips)) return trips;
    uint32_t indexed = pass_most_indexed(sc->u, n->counted.body, n->counted.var);
    trips = pass_most_trips(sc, n->counted.lo, n->counted.hi, n->counted.step);
    trips = indexed && indexed < trips ? indexed : trips;
    return trips <= PASS_LANES_MOST_PASSES ? trips : PASS_UNKNOWN_PASSES;
}

// Passes of the block's loops; UINT64_MAX: more than a lane may make that cannot pause.
static uint64_t most_passes(struct pass_scope *sc, ir_stmt block) {
    const struct ir_unit *u = sc->u;
    uint64_t all = 0;
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s && all <= PASS_SHARE_MOST_PASSES; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        bool loops = n->kind == IR_FOR || n->kind == IR_LOOP;
        uint64_t trips = n->kind == IR_FOR ? most_trips(sc, s) : loops ? PASS_UNKNOWN_PASSES : 1, inside = loops;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner), around = pass_scope_enter(sc);
        if (n->kind == IR_FOR) pass_scope_loop(sc, s);
        for (uint32_t i = 0; i < blocks && inside <= PASS_SHARE_MOST_PASSES; i++) {
            uint64_t passes = most_passes(sc, inner[i]);
            inside = passes == UINT64_MAX ? passes : inside + passes;
        }
        pass_scope_leave(sc, around);
        if (n->kind == IR_ASSIGN) pass_scope_assign(sc, s);
        all = inside <= PASS_SHARE_MOST_PASSES ? all + trips * inside : UINT64_MAX; // of 33 and 22 bits
    }
    pass_scope_leave(sc, mark);
    return all <= PASS_SHARE_MOST_PASSES ? all : UINT64_MAX;
}

// The last statement that needs it of those from `s` on, up to the next one for lanes: one lane makes all of these.
static ir_stmt last_of(const struct setter *x, ir_stmt s, ir_stmt end) {
    ir_stmt last = s;
    for (; s && s != end && !has_simd(x->u, s); s = x->u->stmts[s].next)
        if (is_compound(x->u, s) && needs_it(x->u, s, x->own)) last = s;
    return last;
}

static bool writes_local(struct ir_unit *u, ir_stmt block) {
    struct ir_effects fx = ir_effects_of(u, block);
    for (ir_array a = 1; a < u->array_count; a++)
        if (ir_bit(fx.arrays_written, a) && u->arrays[a].klass == IR_ARRAY_LOCAL) return true;
    return false;
}

// The statements from `s` to `last`. again: they are a loop's.
static void set(struct setter *x, ir_stmt s, ir_stmt last, bool again) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node was = u->stmts[s];
    ir_stmt block = ir_add_stmt(u, (enum ir_stmt_kind)was.kind, was.loc), behind = u->stmts[last].next, made = 0;
    u->stmts[last].next = 0;
    u->stmts[block] = u->stmts[s];
    uint64_t passes = most_passes(x->sc, block);
    bool is_short = passes == 0 || passes <= PASS_SHARE_MOST_PASSES / x->around;
    if (is_short && !pass_leaves_loop(u, block) && !writes_local(u, block)) {
        uint32_t *left, *met;
        pass_find_left(u, block, x->reads, again, &left, &met);
        made = pass_make_alone(u, block, left, met, was.loc);
    }
    u->stmts[last].next = behind;
    if (!made) return;
    BASE_RESERVE(u->cx, x->out->list, x->out->count, x->out->cap);
    x->out->list[x->out->count++] = (struct pass_was){s, was};
    ir_append(u, &made, behind);
    u->stmts[s] = u->stmts[made];
}

static void set_in(struct setter *x, ir_stmt block, ir_stmt end, bool again);

// A loop around those for lanes, all of whose passes the lanes make together.
static bool is_around(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    return n->kind == IR_FOR ? !(n->flags & IR_FLAG_SIMD) : n->kind == IR_LOOP && n->flags & IR_FLAG_LONGEST;
}

static void set_inside(struct setter *x, ir_stmt loop) {
    uint32_t mark = pass_scope_enter(x->sc);
    const struct ir_stmt_node n = x->u->stmts[loop];
    uint64_t around = x->around, trips = n.kind == IR_LOOP ? n.loop.tick_passes : most_trips(x->sc, loop);
    x->around = trips <= PASS_SHARE_MOST_PASSES / around ? around * (trips ? trips : 1) : PASS_SHARE_MOST_PASSES + 1;
    pass_scope_loop(x->sc, loop);
    set_in(x, ir_body_of(&n), 0, true);
    x->around = around;
    pass_scope_leave(x->sc, mark);
}

// In the block up to `end`.
static void set_in(struct setter *x, ir_stmt block, ir_stmt end, bool again) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block, next; s && s != end; s = next) {
        next = u->stmts[s].next;
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (has_simd(u, s)) {
            if (is_around(u, s)) set_inside(x, s);
        } else if (is_compound(u, s) && needs_it(u, s, x->own)) {
            ir_stmt last = last_of(x, s, end);
            next = u->stmts[last].next;
            set(x, s, last, again);
        }
    }
    pass_scope_leave(x->sc, mark);
}

bool pass_set_alone(struct pass_scope *sc, ir_stmt body, const bool *own, const uint32_t *reads,
                    struct pass_set_alone *out) {
    struct ir_unit *u = sc->u;
    struct setter x = {.u = u, .sc = sc, .own = own, .reads = reads, .out = out, .around = 1};
    *out = (struct pass_set_alone){0};
    ir_stmt last = last_with_simd(u, body);
    set_in(&x, body, last, false);
    if (last && is_around(u, last)) set_inside(&x, last);
    return out->count > 0;
}

void pass_unset_alone(struct ir_unit *u, struct pass_set_alone *io) {
    while (io->count > 0) {
        io->count--;
        u->stmts[io->list[io->count].at] = io->list[io->count].was;
    }
}
