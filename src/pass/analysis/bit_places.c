#include "pass/analysis/bit_places.h"

#include <string.h>

#include "pass/passes.h"

static const struct ir_stmt_node *node_of(const struct pass_bit_player *p, ir_stmt s) { return &p->u->stmts[s]; }

// ---- the counters and the passes that they make ---------------------------------------------------------------------

static struct pass_bits bits_in(const struct pass_bit_player *p, struct pass_bits *values, ir_expr e) {
    return pass_bits_of(&(struct pass_bits_env){p->u, p->slot, values}, e);
}

bool pass_bits_number(const struct pass_bit_player *p, struct pass_bit_state *state, ir_expr e, uint32_t *out) {
    struct pass_bits bits = bits_in(p, state->plain, e);
    return pass_bits_are_const(&bits, out);
}

// The loop's passes for all values of the counters around, from the `at`-th on.
static bool list_runs(struct pass_bit_player *p, struct pass_bit_state *values, struct pass_bit_run *now, uint32_t at) {
    uint32_t lo, hi;
    if (at + 1 == p->counter_count) {
        if (p->run_count == PASS_BITS_RUNS || !pass_bits_number(p, values, node_of(p, p->loop)->counted.lo, &lo) ||
            !pass_bits_number(p, values, node_of(p, p->loop)->counted.hi, &hi))
            return false;
        now->lo = (int32_t)lo;
        now->hi = (int32_t)hi;
        p->runs[p->run_count++] = *now;
        return true;
    }
    for (uint32_t k = 0; k < p->outer_count; k++) {
        const struct ir_stmt_node *n = node_of(p, p->outer[k]);
        if (n->counted.var != p->counters[at]) continue;
        if (n->counted.step < 1 || !pass_bits_number(p, values, n->counted.lo, &lo) ||
            !pass_bits_number(p, values, n->counted.hi, &hi))
            return false;
        for (int64_t v = (int32_t)lo; v < (int32_t)hi; v += n->counted.step) {
            now->values[at] = (int32_t)v;
            values->plain[at] = pass_bits_const((uint32_t)v);
            if (!list_runs(p, values, now, at + 1)) return false;
        }
        return true;
    }
    return false;
}

static bool find_counters(struct pass_bit_player *p) {
    uint32_t *reads = base_alloc_array(p->u->cx, p->u->var_count, sizeof *reads);
    ir_stmt next = node_of(p, p->loop)->next;
    p->u->stmts[p->loop].next = 0;
    pass_count_reads(p->u, p->loop, reads);
    p->u->stmts[p->loop].next = next;
    p->counter_count = 0;
    for (uint32_t k = 0; k < p->outer_count; k++) {
        ir_var v = node_of(p, p->outer[k])->counted.var;
        if (!reads[v]) continue;
        if (p->counter_count + 1 == PASS_BIT_COUNTERS) return false;
        p->counters[p->counter_count++] = v;
    }
    p->counters[p->counter_count++] = node_of(p, p->loop)->counted.var;
    p->slot = base_alloc_array(p->u->cx, p->u->var_count, 1);
    for (uint32_t k = 0; k < p->counter_count; k++)
        p->slot[p->counters[k]] = (uint8_t)(k + 1);
    p->slots = p->counter_count;
    return true;
}

bool pass_bits_begin(struct pass_bit_player *p) {
    struct pass_bit_state values;
    struct pass_bit_run now = {0};
    memset(&values, PASS_BIT_UNKNOWN, sizeof values);
    p->run_count = 0;
    return node_of(p, p->loop)->counted.step > 0 && find_counters(p) && list_runs(p, &values, &now, 0);
}

bool pass_bits_each(const struct pass_bit_player *p, uint32_t passes, pass_bits_fn *fn, void *user) {
    int64_t step = node_of(p, p->loop)->counted.step;
    for (uint32_t k = 0; k < p->run_count; k++)
        for (int64_t at = p->runs[k].lo; at + (passes - 1) * step < p->runs[k].hi; at += passes * step)
            if (!fn(user, &p->runs[k], at)) return false;
    return true;
}

// ---- the form -------------------------------------------------------------------------------------------------------

bool pass_bits_slot(struct pass_bit_player *p, ir_var v) {
    if (p->slot[v]) return true;
    if (p->slots == PASS_BITS_VALUES) return false;
    p->slot[v] = (uint8_t)++p->slots;
    return true;
}

bool pass_bits_log(uint32_t number, uint32_t *out) {
    for (*out = 0; *out < 31; ++*out)
        if (1u << *out == number) return *out < 31;
    return false;
}

static bool log_of(const struct ir_unit *u, ir_expr e, uint32_t *out) {
    uint32_t bits;
    return ir_is_const(u, e, &bits) && pass_bits_log(bits, out);
}

// Whole words, in rows whose lengths are powers of two.
static bool is_array(const struct ir_unit *u, ir_array a) {
    const struct ir_array_info *info = &u->arrays[a];
    bool words = info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32;
    uint32_t bits;
    for (uint32_t d = 1; d < info->ndims; d++)
        if (!log_of(u, info->dims[d], &bits)) return false;
    return ir_in_buffer(u, a) && words && !info->atomic && a != u->log;
}

struct form {
    struct pass_bit_player *p;
    bool ok;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct form *f = user;
    const struct ir_stmt_node *n = node_of(f->p, s);
    f->ok &= (n->kind == IR_ASSIGN || n->kind == IR_STORE || n->kind == IR_IF) && !(n->flags & IR_FLAG_ATOMIC);
    if (f->ok && n->kind == IR_STORE) f->ok &= is_array(f->p->u, n->store.array);
    if (f->ok && n->kind == IR_ASSIGN && f->p->u->vars[n->assign.var].type != IR_F32)
        f->ok &= f->p->u->vars[n->assign.var].klass == IR_VAR_LOCAL && pass_bits_slot(f->p, n->assign.var);
    return f->ok;
}
static bool on_local(void *user, ir_expr e) {
    struct form *f = user;
    const struct ir_node *n = &f->p->u->nodes[e];
    f->ok &= n->op != IR_LOAD || f->p->u->arrays[n->a].klass != IR_ARRAY_LOCAL;
    return f->ok;
}

bool pass_bits_admit(struct pass_bit_player *p, ir_stmt block) {
    struct form f = {.p = p, .ok = true};
    ir_walk_stmts(p->u, block, on_stmt, &f);
    if (f.ok) ir_walk_nodes(p->u, block, on_local, &f);
    return f.ok;
}

// ---- a walk through a body ------------------------------------------------------------------------------------------

void pass_bits_enter(const struct pass_bit_player *p, const struct pass_bit_run *run, int64_t pass,
                     struct pass_bit_state *out) {
    memset(out, PASS_BIT_UNKNOWN, sizeof *out);
    for (uint32_t k = 0; k < p->counter_count; k++) {
        bool own = k + 1 == p->counter_count;
        pass_bits_set(p, out, p->counters[k], pass_bits_const((uint32_t)(own ? pass : run->values[k])));
    }
}

void pass_bits_set(const struct pass_bit_player *p, struct pass_bit_state *state, ir_var v, struct pass_bits value) {
    state->plain[p->slot[v] - 1] = state->assumed[p->slot[v] - 1] = value;
}

void pass_bits_assign(const struct pass_bit_player *p, struct pass_bit_state *state, ir_var v, ir_expr e) {
    state->plain[p->slot[v] - 1] = bits_in(p, state->plain, e);
    state->assumed[p->slot[v] - 1] = bits_in(p, state->assumed, e);
}

struct pass_bits pass_bits_part(const struct pass_bits *number, uint32_t from, uint32_t bits) {
    struct pass_bits part = pass_bits_const(0);
    for (uint32_t i = 0; i < bits; i++)
        part.bit[i] = number->bit[from + i];
    return part;
}

static struct pass_bits place_of(const struct pass_bit_player *p, struct pass_bits *values, ir_array a,
                                 const uint32_t *indices) {
    const struct ir_array_info *info = &p->u->arrays[a];
    struct pass_bits at = bits_in(p, values, indices[info->ndims - 1]);
    uint32_t from = 0, bits = 0;
    for (uint32_t d = info->ndims - 1; d > 0; d--) {
        bool known = log_of(p->u, info->dims[d], &bits);
        struct pass_bits outer = bits_in(p, values, indices[d - 1]);
        for (uint32_t i = from + bits; i < 32; i++) {
            if (!known || at.bit[i] != PASS_BIT_0) at.bit[0] = PASS_BIT_UNKNOWN; // beyond the row
            at.bit[i] = outer.bit[i - from - bits];
        }
        from += bits;
    }
    return at;
}

static void note_access(struct pass_bit_player *p, struct pass_bit_state *state, ir_array a, const uint32_t *indices,
                        ir_expr load, ir_stmt s) {
    struct pass_bits at = place_of(p, state->plain, a, indices), here = place_of(p, state->assumed, a, indices);
    p->access(p->user, a, &at, &here, load, s, !p->depth);
}

struct loads {
    struct pass_bit_player *p;
    struct pass_bit_state *state;
};
static bool on_node(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_node *n = &l->p->u->nodes[e];
    if (n->op == IR_LOAD) note_access(l->p, l->state, n->a, &l->p->u->args[n->b], e, 0);
    return true;
}
static void loads_of(struct pass_bit_player *p, struct pass_bit_state *state, ir_expr e) {
    struct loads l = {p, state};
    if (e) ir_walk_expr(p->u, e, on_node, &l);
}

// The condition holds or does not: where it is a bit of the number, that bit is known, too.
static void assume(const struct pass_bit_player *p, struct pass_bits *values, ir_expr e, bool holds) {
    const struct ir_node *n = &p->u->nodes[e];
    if (n->op == IR_NOT) assume(p, values, n->a, !holds);
    if (n->op == (holds ? IR_LAND : IR_LOR)) {
        assume(p, values, n->a, holds);
        assume(p, values, n->b, holds);
    }
    uint8_t cond = bits_in(p, values, e).bit[0];
    if (cond < PASS_BIT_INPUT) return;
    for (uint32_t k = 0; k < p->slots; k++)
        for (uint32_t i = 0; i < 32; i++)
            if (values[k].bit[i] >> 1 == cond >> 1)
                values[k].bit[i] = holds == (values[k].bit[i] == cond) ? PASS_BIT_1 : PASS_BIT_0;
}

// What both ways leave in the values; what none of them assigns is what it was.
static void join(const struct pass_bit_player *p, struct pass_bits *values, struct pass_bits *begin[2],
                 struct pass_bits *end[2]) {
    for (uint32_t k = 0; k < p->slots; k++) {
        bool same = memcmp(&begin[0][k], &end[0][k], sizeof *values) == 0 &&
                    memcmp(&begin[1][k], &end[1][k], sizeof *values) == 0;
        if (same) continue;
        values[k] = end[0][k];
        pass_bits_meet(&values[k], &end[1][k]);
    }
}

static void walk_branch(struct pass_bit_player *p, struct pass_bit_state *state, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(p, s);
    uint8_t way = bits_in(p, state->plain, n->branch.cond).bit[0];
    loads_of(p, state, n->branch.cond);
    if (p->branch) p->branch(p->user, s, way);
    if (way <= PASS_BIT_1) {
        pass_bits_walk(p, state, way ? n->branch.then_block : n->branch.else_block);
        return;
    }
    struct pass_bit_state begin[2], end[2];
    p->depth++;
    for (uint32_t k = 0; k < 2; k++) {
        begin[k] = *state;
        assume(p, begin[k].assumed, n->branch.cond, k == 0);
        end[k] = begin[k];
        pass_bits_walk(p, &end[k], k == 0 ? n->branch.then_block : n->branch.else_block);
    }
    p->depth--;
    join(p, state->plain, (struct pass_bits *[]){begin[0].plain, begin[1].plain},
         (struct pass_bits *[]){end[0].plain, end[1].plain});
    join(p, state->assumed, (struct pass_bits *[]){begin[0].assumed, begin[1].assumed},
         (struct pass_bits *[]){end[0].assumed, end[1].assumed});
}

void pass_bits_walk(struct pass_bit_player *p, struct pass_bit_state *state, ir_stmt block) {
    for (ir_stmt s = block; s && !p->stopped; s = node_of(p, s)->next) {
        const struct ir_stmt_node *n = node_of(p, s);
        if (n->kind == IR_IF) {
            walk_branch(p, state, s);
        } else if (n->kind == IR_ASSIGN) {
            loads_of(p, state, n->assign.value);
            if (p->slot[n->assign.var]) pass_bits_assign(p, state, n->assign.var, n->assign.value);
        } else if (n->kind == IR_STORE) {
            loads_of(p, state, n->store.value);
            note_access(p, state, n->store.array, &p->u->args[n->store.indices], 0, s);
        }
    }
}

// ---- what comes of it -----------------------------------------------------------------------------------------------

void pass_bits_note(struct pass_bit_pattern *p, const struct pass_bits *at, const struct pass_bits *here, bool store) {
    p->stores |= store;
    p->loads |= !store;
    for (uint32_t i = 0; i < 32; i++) {
        uint8_t other = at->bit[i] == PASS_BIT_UNKNOWN ? here->bit[i] : at->bit[i];
        if (!p->seen) p->first.bit[i] = other;
        uint8_t one = p->first.bit[i];
        p->unknown |= one == PASS_BIT_UNKNOWN || other == PASS_BIT_UNKNOWN;
        if (one == other || one == here->bit[i]) continue;
        p->differ |= 1u << i;
        if (one >= PASS_BIT_INPUT) p->inputs |= 1u << (one - PASS_BIT_INPUT) / 2;
        if (other >= PASS_BIT_INPUT) p->inputs |= 1u << (other - PASS_BIT_INPUT) / 2;
    }
    p->seen = true;
}

uint32_t pass_bits_inputs(const struct pass_bit_pattern *p, uint32_t without) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < 32 && p->seen; i++)
        if (p->first.bit[i] >= PASS_BIT_INPUT && !(without >> i & 1))
            found |= 1u << (p->first.bit[i] - PASS_BIT_INPUT) / 2;
    return found;
}

struct mover {
    const struct pass_bit_player *p;
    const uint32_t *places;
    uint32_t at;
    struct pass_bit_place *place;
};

static bool moves_so(void *user, const struct pass_bit_run *run, int64_t pass) {
    struct mover *m = user;
    struct pass_bit_place *place = m->place;
    uint32_t want = m->places[m->at];
    int64_t now = (int64_t)place->slopes[m->p->counter_count - 1] * pass;
    for (uint32_t k = 0; k + 1 < m->p->counter_count; k++)
        now += (int64_t)place->slopes[k] * run->values[k];
    if (!m->at++) place->offset = (int32_t)(want - now);
    return now + place->offset == want;
}

bool pass_bits_moving(const struct pass_bit_player *p, uint32_t passes, const uint32_t *places,
                      struct pass_bit_place *out) {
    uint32_t all = 1;
    for (uint32_t k = 0; k < p->counter_count; k++)
        all *= 3;
    for (uint32_t guess = 0; guess < all; guess++) {
        uint32_t rest = guess;
        *out = (struct pass_bit_place){0};
        for (uint32_t k = 0; k < p->counter_count; k++, rest /= 3)
            out->slopes[k] = rest % 3 == 2 ? -1 : (int32_t)(rest % 3);
        struct mover m = {p, places, 0, out};
        if (pass_bits_each(p, passes, moves_so, &m)) return true;
    }
    return false;
}

ir_expr pass_bits_shift(const struct pass_bit_player *p, const struct pass_bit_place *place) {
    struct ir_unit *u = p->u;
    ir_expr up = 0, down = 0, offset = ir_const_i32(u, place->offset);
    for (uint32_t k = 0; k < p->counter_count; k++) {
        ir_expr *side = place->slopes[k] > 0 ? &up : &down, counter = ir_var_read(u, p->counters[k], 0);
        if (place->slopes[k]) *side = *side ? ir_op2(u, IR_ADD, *side, counter, 0) : counter;
    }
    if (place->offset || !up) up = up ? ir_op2(u, IR_ADD, up, offset, 0) : offset;
    if (down) up = ir_op2(u, IR_SUB, up, down, 0);
    return ir_op1(u, IR_I2U, up, 0);
}

ir_expr pass_bits_unit(const struct pass_bit_player *p, const struct pass_bit_place *place) {
    bool stands = true;
    for (uint32_t k = 0; k < p->counter_count; k++)
        stands &= !place->slopes[k];
    if (stands) return ir_const_i32(p->u, (int32_t)(1u << place->offset));
    return ir_op2(p->u, IR_SHL, ir_const_i32(p->u, 1), pass_bits_shift(p, place), 0);
}

static void visit(struct ir_unit *u, ir_stmt block, ir_stmt *outer, uint32_t depth, pass_bits_loop_fn *fn, void *user) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        uint8_t kind = u->stmts[s].kind;
        ir_stmt inner[2];
        if ((kind == IR_FOR || kind == IR_PARFOR) && fn(user, s, outer, depth)) continue;
        uint32_t blocks = kind == IR_PARFOR ? 0 : ir_blocks_of(&u->stmts[s], inner);
        bool counts = kind == IR_FOR && depth < IR_MAX_DIMS;
        if (counts) outer[depth] = s;
        for (uint32_t k = 0; k < blocks; k++)
            visit(u, inner[k], outer, depth + counts, fn, user);
    }
}
void pass_bits_each_loop(struct ir_unit *u, ir_stmt block, pass_bits_loop_fn *fn, void *user) {
    ir_stmt outer[IR_MAX_DIMS];
    visit(u, block, outer, 0, fn, user);
}
