// Stencils make two steps in one parallel loop. What a step writes is read by neighbours in the next one, so each step
// costs a barrier and a way through memory. Here every iteration computes for itself what the first of two steps would
// have written where the second one reads it:
//
//   for (t) { P1: B = F(A);  P2: A = G(B) }      becomes
//   for (t, half as often) { B = G(F(A));  A = G(F(B)) }     and the last one or two passes as they were
//
// The law. The loop makes a known number of passes, three or more; its body is two parallel loops over one constant
// space, of assignments to private scalars and then stores. P1 stores the parts of one state, P2 as many of another, of
// the same shapes, each once and at the iteration's own element; no array has parts of both. P1 loads from P2's parts
// and from arrays that the loop never writes, P2 from P1's parts and such arrays. Loads of parts are a constant number
// of elements away, or so around the space.
//
// Then what lies outside of the space, the edge, is never written, in A nor in B. Where P2 reads there, it reads B's
// edge. The state is all of A before the first new loop; between the two its inside stands in B, its edge in A. Every
// operation is made on the same values as before, so the bits are the same; and as the last pass is made as it was, A
// and B hold in the end what they held.
//
// Each value is loaded once, before all that computes: an array that workgroups share is loaded anew for every mention
// of an element. Iterations near the edge, for which something lies outside, load from elements that are limited to the
// space (what is computed from these is not used) and then replace what stands in the edge.
#include <string.h>

#include "pass/cost.h"
#include "pass/loops/compose.h"

// One of the two new loops.
struct step {
    struct compose *x;
    struct ir_unit *u;
    bool second; // the state's inside stands where the first loop put it
    ir_var vars[COMPOSE_DIMS], values[COMPOSE_VALUES], cells[COMPOSE_CELLS][COMPOSE_PARTS];
    ir_expr counter, inside; // inside: nothing that is needed is outside of the space; 0: it never is
    base_loc loc;
};
enum place { INSIDE, IN_SPACE, IN_ARRAY }; // what an index is limited to; INSIDE: it needs no limit

ir_expr compose_plus(struct ir_unit *u, ir_expr e, int64_t c, base_loc loc) {
    if (c == 0) return e;
    return ir_op2(u, c < 0 ? IR_SUB : IR_ADD, e, ir_const_i32(u, (int32_t)(c < 0 ? -c : c)), loc);
}
static ir_expr plus(const struct step *s, ir_expr e, int32_t c) { return compose_plus(s->u, e, c, s->loc); }

ir_expr compose_both(struct ir_unit *u, ir_expr a, ir_expr b, base_loc loc) {
    return a && b ? ir_op2(u, IR_LAND, a, b, loc) : a ? a : b;
}
static ir_expr both(const struct step *s, ir_expr a, ir_expr b) { return compose_both(s->u, a, b, s->loc); }

uint32_t compose_indices(struct ir_unit *u, const struct compose_part *part, uint32_t out[IR_MAX_DIMS]) {
    for (uint32_t d = 0; d < part->lead_count; d++)
        out[d] = ir_const_i32(u, (int32_t)part->lead[d]);
    return part->lead_count;
}

uint32_t compose_size(const struct ir_unit *u, const struct compose_part *part, uint32_t k) {
    uint32_t size = 0;
    ir_is_const(u, u->arrays[part->array].dims[part->lead_count + k], &size);
    return size;
}

// The index `c` elements from the iteration's own; size: of the array.
static ir_expr index_of(const struct step *s, uint32_t k, int32_t c, enum place place, uint32_t size) {
    struct ir_unit *u = s->u;
    int32_t lo = s->x->lo[k], hi = s->x->hi[k];
    ir_expr own = ir_var_read(u, s->vars[k], s->loc), there = plus(s, own, c);
    if (place == INSIDE || c == 0) return there;
    if (s->x->wraps[k]) {
        ir_expr far = plus(s, own, (c < 0 ? c + (hi - lo) : c) - lo); // not negative
        return plus(s, ir_op2(u, IR_REM, far, ir_const_i32(u, hi - lo), s->loc), lo);
    }
    int32_t first = place == IN_ARRAY ? 0 : lo, last = place == IN_ARRAY ? (int32_t)size - 1 : hi - 1;
    if (c < 0 && lo + c < first) return ir_op2(u, IR_MAX, there, ir_const_i32(u, first), s->loc);
    if (c > 0 && hi - 1 + c > last) return ir_op2(u, IR_MIN, there, ir_const_i32(u, last), s->loc);
    return there;
}

static ir_expr load_part(const struct step *s, const struct compose_part *part, const int32_t *at, enum place place) {
    struct ir_unit *u = s->u;
    uint32_t indices[IR_MAX_DIMS], n = compose_indices(u, part, indices);
    for (uint32_t k = 0; k < s->x->dims; k++)
        indices[n++] = index_of(s, k, at[k], place, compose_size(u, part, k));
    return ir_load(u, part->array, indices, n, s->loc);
}

// The element so far away is in the space; 0: always.
static ir_expr is_in_space(const struct step *s, const int32_t *at) {
    struct ir_unit *u = s->u;
    ir_expr out = 0;
    for (uint32_t k = 0; k < s->x->dims; k++) {
        if (s->x->wraps[k] || at[k] == 0) continue;
        ir_expr own = ir_var_read(u, s->vars[k], s->loc);
        ir_expr test = at[k] < 0 ? ir_op2(u, IR_GE, own, ir_const_i32(u, s->x->lo[k] - at[k]), s->loc)
                                 : ir_op2(u, IR_LT, own, ir_const_i32(u, s->x->hi[k] - at[k]), s->loc);
        out = both(s, out, test);
    }
    return out;
}

// ---- expressions of the old loops -----------------------------------------------------------------------------------

struct moving {
    const struct step *s;
    const int32_t *at;
    enum place place;
};
static ir_expr move_node(void *user, ir_expr e) {
    const struct moving *m = user;
    struct ir_unit *u = m->s->u;
    const struct ir_node n = u->nodes[e];
    uint32_t bits, more;
    if (n.op == IR_VAR && n.a == u->stmts[m->s->x->loop].counted.var) return m->s->counter;
    for (uint32_t k = 0; k < m->s->x->dims && n.op == IR_VAR; k++)
        if (n.a == m->s->x->vars[k]) return index_of(m->s, k, m->at[k], m->place, 0);
    // i + 1 - 1 is i
    if ((n.op != IR_ADD && n.op != IR_SUB) || n.type != IR_I32 || !ir_is_const(u, n.b, &bits)) return e;
    const struct ir_node inner = u->nodes[n.a];
    if ((inner.op != IR_ADD && inner.op != IR_SUB) || u->nodes[inner.a].op != IR_VAR ||
        !ir_is_const(u, inner.b, &more) || bits > PASS_MOST_INDEXED || more > PASS_MOST_INDEXED)
        return e;
    return plus(m->s, inner.a,
                (n.op == IR_SUB ? -(int32_t)bits : (int32_t)bits) +
                    (inner.op == IR_SUB ? -(int32_t)more : (int32_t)more));
}

ir_stmt compose_clone(const struct compose *x, const struct compose_half *h, const ir_var *loads,
                      const ir_var *results) {
    struct ir_unit *u = x->u;
    struct ir_effects fx = ir_effects_of(u, h->body);
    uint32_t count = u->var_count;
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    for (ir_var v = 1; v < count; v++)
        if (ir_bit(fx.vars_written, v))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    for (uint32_t l = 0; l < h->load_count; l++)
        map[h->loads[l].var] = loads[l];
    for (uint32_t k = 0; k < x->part_count; k++)
        if (results[k]) map[h->results[k]] = results[k];
    return ir_clone_block(u, h->body, map, NULL);
}

static ir_stmt body_at(const struct step *s, uint32_t half, const int32_t *at, const ir_var *loads,
                       const ir_var *results) {
    ir_stmt body = compose_clone(s->x, &s->x->halves[half], loads, results);
    struct moving m = {s, at, IN_SPACE};
    ir_map_block(s->u, body, move_node, &m);
    return body;
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static ir_stmt load_value(const struct step *s, uint32_t number, bool inside) {
    struct ir_unit *u = s->u;
    const struct compose_value *v = &s->x->values[number];
    ir_var var = s->values[number];
    if (v->part < 0) {
        struct moving m = {s, v->at, inside ? INSIDE : IN_SPACE};
        return ir_assign(u, var, ir_map_expr(u, v->load, move_node, &m), s->loc);
    }
    const struct compose_part *edge = &s->x->halves[1].parts[v->part], *put = &s->x->halves[0].parts[v->part];
    if (inside) return ir_assign(u, var, load_part(s, s->second ? put : edge, v->at, INSIDE), s->loc);
    if (!s->second) return ir_assign(u, var, load_part(s, edge, v->at, IN_ARRAY), s->loc);
    ir_stmt out = ir_assign(u, var, load_part(s, put, v->at, IN_SPACE), s->loc);
    ir_expr in = is_in_space(s, v->at);
    if (in)
        ir_append(u, &out,
                  ir_if(u, ir_op1(u, IR_NOT, in, s->loc),
                        ir_assign(u, var, load_part(s, edge, v->at, IN_ARRAY), s->loc), 0, s->loc));
    return out;
}

static ir_expr find_inside(const struct step *s) {
    const struct compose *x = s->x;
    struct ir_unit *u = s->u;
    ir_expr out = 0;
    for (uint32_t k = 0; k < x->dims; k++) {
        int32_t low = 0, high = 0;
        for (uint32_t q = 0; q < x->cell_count; q++) {
            low = x->cells[q][k] < low ? x->cells[q][k] : low;
            high = x->cells[q][k] > high ? x->cells[q][k] : high;
        }
        for (uint32_t v = 0; v < x->value_count; v++) {
            if (!s->second && !x->wraps[k]) continue; // what is outside of the space is still in the array
            low = x->values[v].at[k] < low ? x->values[v].at[k] : low;
            high = x->values[v].at[k] > high ? x->values[v].at[k] : high;
        }
        ir_expr own = ir_var_read(u, s->vars[k], s->loc);
        if (low) out = both(s, out, ir_op2(u, IR_GE, own, ir_const_i32(u, x->lo[k] - low), s->loc));
        if (high) out = both(s, out, ir_op2(u, IR_LT, own, ir_const_i32(u, x->hi[k] - high), s->loc));
    }
    return out;
}

// Those of the iteration's own surroundings that surely are there are loaded by all iterations alike.
static ir_stmt load_values(struct step *s) {
    ir_stmt always = 0, inside = 0, near = 0;
    struct ir_unit *u = s->u;
    for (uint32_t v = 0; v < s->x->value_count; v++) {
        const struct compose_value *value = &s->x->values[v];
        ir_array array = value->part < 0 ? 0 : s->x->halves[0].parts[value->part].array;
        enum ir_type type =
            array ? ir_elem_type((enum whorl_dtype)u->arrays[array].elem) : (enum ir_type)u->nodes[value->load].type;
        s->values[v] = ir_add_var(u, "v", type, IR_VAR_LOCAL, s->loc);
        ir_stmt there = load_value(s, v, true), limited = s->inside ? load_value(s, v, false) : there;
        bool same =
            !u->stmts[limited].next && ir_same_expr(u, u->stmts[there].assign.value, u->stmts[limited].assign.value);
        ir_append(u, same ? &always : &inside, there);
        if (!same) ir_append(u, &near, limited);
    }
    if (inside) ir_append(u, &always, ir_if(u, s->inside, inside, near, s->loc));
    return always;
}

// ---- the two steps --------------------------------------------------------------------------------------------------

// What the first step gives at each cell, and what stands there already where the cell is outside of the space.
static ir_stmt first_step(struct step *s) {
    struct compose *x = s->x;
    struct ir_unit *u = s->u;
    ir_stmt out = 0, edge = 0;
    for (uint32_t q = 0; q < x->cell_count; q++) {
        ir_var loads[COMPOSE_LOADS] = {0};
        ir_stmt found = 0;
        ir_expr in = is_in_space(s, x->cells[q]);
        for (uint32_t l = 0; l < x->halves[0].load_count; l++)
            loads[l] = s->values[x->value_of[q][l]];
        for (uint32_t k = 0; k < x->part_count; k++) {
            if (!x->needs[q][k]) continue;
            s->cells[q][k] =
                ir_add_var(u, "m", (enum ir_type)u->vars[x->halves[0].results[k]].type, IR_VAR_LOCAL, s->loc);
            if (in)
                ir_append(
                    u, &found,
                    ir_assign(u, s->cells[q][k], load_part(s, &x->halves[0].parts[k], x->cells[q], IN_ARRAY), s->loc));
        }
        ir_append(u, &out, body_at(s, 0, x->cells[q], loads, s->cells[q]));
        if (in) ir_append(u, &edge, ir_if(u, ir_op1(u, IR_NOT, in, s->loc), found, 0, s->loc));
    }
    if (edge) ir_append(u, &out, ir_if(u, ir_op1(u, IR_NOT, s->inside, s->loc), edge, 0, s->loc));
    return out;
}

static ir_stmt second_step(const struct step *s) {
    static const int32_t own[COMPOSE_DIMS];
    const struct compose *x = s->x;
    const struct compose_half *h = &x->halves[1];
    struct ir_unit *u = s->u;
    ir_var loads[COMPOSE_LOADS] = {0}, results[COMPOSE_PARTS] = {0};
    for (uint32_t l = 0; l < h->load_count; l++) {
        uint32_t q = 0;
        while (h->loads[l].part >= 0 && memcmp(x->cells[q], h->loads[l].at, sizeof x->cells[q]))
            q++;
        loads[l] = h->loads[l].part < 0 ? s->values[x->value_of_second[l]] : s->cells[q][h->loads[l].part];
    }
    for (uint32_t k = 0; k < x->part_count; k++)
        results[k] = ir_add_var(u, "next", (enum ir_type)u->vars[h->results[k]].type, IR_VAR_LOCAL, s->loc);
    ir_stmt out = body_at(s, 1, own, loads, results);
    for (uint32_t k = 0; k < x->part_count; k++) {
        const struct compose_part *part = &x->halves[s->second ? 1 : 0].parts[k];
        uint32_t indices[IR_MAX_DIMS], n = compose_indices(u, part, indices);
        for (uint32_t d = 0; d < x->dims; d++)
            indices[n++] = ir_var_read(u, s->vars[d], s->loc);
        ir_append(u, &out, ir_store(u, part->array, indices, n, ir_var_read(u, results[k], s->loc), s->loc));
    }
    return out;
}

static ir_stmt make_step(struct compose *x, bool second, ir_expr counter) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node old = u->stmts[x->halves[second].parfor];
    struct step s = {.x = x, .u = u, .second = second, .counter = counter, .loc = old.loc};
    struct ir_dim dims[COMPOSE_DIMS];
    for (uint32_t k = 0; k < x->dims; k++) {
        dims[k] = u->dims[old.parfor.dims + k];
        s.vars[k] = dims[k].var = ir_add_var(u, u->vars[x->vars[k]].name, IR_I32, IR_VAR_DIM, s.loc);
    }
    s.inside = find_inside(&s);
    ir_stmt body = load_values(&s);
    ir_append(u, &body, first_step(&s));
    ir_append(u, &body, second_step(&s));
    return ir_parfor(u, dims, x->dims, body, s.loc);
}

// ---- the loop -------------------------------------------------------------------------------------------------------

// In one dispatch loads go far: lanes at an edge, which load once more than the others, hold up all of them, and tiles
// of one step at a time load less. experiments-nvidia-h100-2026-11-25-compose.txt: 0.75, 0.65 and 0.53 times as fast;
// but 1.27 without an edge, and 1.35 where the second loop only copies. In dispatches of their own all of these are 1.5
// to 2.4 times as fast.
static bool suits_one_kernel(const struct compose *x) {
    bool copies = x->cell_count == 1, leaves = false;
    for (uint32_t k = 0; k < x->dims; k++) {
        copies &= x->cells[0][k] == 0;
        leaves |= x->leaves[k];
    }
    if (leaves && !copies) return false;
    return !pass_tile_rows(x->p, x->halves[0].parfor);
}

static bool pays(const struct compose *x, ir_stmt steps) {
    const struct ir_unit *u = x->u;
    const struct compose_half *first = &x->halves[0], *second = &x->halves[1];
    if (x->p->one_kernel && !suits_one_kernel(x)) return false;
    uint64_t iterations = 1;
    for (uint32_t k = 0; k < x->dims; k++)
        iterations *= (uint64_t)(x->hi[k] - x->lo[k]);
    bool tiles = pass_tile_rows(x->p, steps) && pass_tile_rows(x->p, u->stmts[steps].next);
    if (!tiles && pass_tile_rows(x->p, first->parfor)) return false;
    uint32_t loads = first->load_count + second->load_count, more = x->value_count > loads ? x->value_count - loads : 0;
    // Where there is more to do than the device does at once, loads cost more than the barrier.
    return tiles || more * iterations <= (uint64_t)x->p->target->busy_invocations * PASS_COMPOSE_MORE;
}

// The loop over `body`, which makes so many passes of the old one, and the old one for those that are left.
static ir_stmt place_loop(struct compose *x, ir_var var, ir_stmt body, uint32_t together, uint64_t trips) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    uint32_t lo = 0, passes = (uint32_t)(trips - 1) / together, step = (uint32_t)n.counted.step;
    ir_is_const(u, n.counted.lo, &lo);
    ir_expr turn = ir_const(u, (enum ir_type)u->vars[var].type, lo + passes * together * step);
    ir_stmt out = ir_for(u, var, n.counted.lo, turn, (int32_t)(together * step), body, n.loc);
    u->stmts[out].counted.unroll = together * (n.counted.unroll > 1 ? n.counted.unroll : 1);
    u->stmts[x->loop].counted.lo = turn;
    u->stmts[x->loop].next = 0;
    ir_append(u, &out, x->loop);
    return out;
}

static ir_stmt compose_loop(struct pass_cx *p, ir_stmt s) {
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips;
    uint32_t lo;
    if (n.kind != IR_FOR || !pass_has_parallel(u, n.counted.body) || !ir_const_trips(u, s, &trips) ||
        !ir_is_const(u, n.counted.lo, &lo) || trips < 3 || trips > INT32_MAX / 64 ||
        !pass_fits_step(n.counted.step, PASS_BLOCK_STEPS))
        return s;
    struct compose x = {.p = p, .u = u};
    if (!compose_find(&x, s)) return s;
    x.loop = s;
    struct compose_body blocks;
    uint32_t together = compose_blocks(&x, trips, &blocks);
    if (together) return place_loop(&x, blocks.var, blocks.body, together, trips);
    if (x.halves[0].operations * x.cell_count + x.halves[1].operations > PASS_COMPOSE_OPERATIONS) return s;
    uint32_t unroll = n.counted.unroll > 1 ? n.counted.unroll : 1;
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    ir_var var = ir_add_var(u, u->vars[n.counted.var].name, type, IR_VAR_ENTRY, n.loc);
    ir_expr counter = ir_var_read(u, var, n.loc), step = ir_const(u, type, (uint32_t)n.counted.step);
    ir_stmt body = make_step(&x, false, counter);
    ir_append(u, &body, make_step(&x, true, ir_op2(u, IR_ADD, counter, step, n.loc)));
    if (!pays(&x, body)) return s;
    base_text_format(
        p->explain,
        "compose: the loop at line %u makes %u steps in 2 parallel loops, each computing %u element%s again "
        "from %u load%s\n",
        u->cx->locs[n.loc].line, 2 * unroll, x.cell_count, base_s(x.cell_count), x.value_count, base_s(x.value_count));
    return place_loop(&x, var, body, 2, trips);
}

static ir_stmt compose_statement(void *user, ir_stmt done, ir_stmt s) {
    (void)done;
    return compose_loop(user, s);
}

static void compose_unit(struct pass_cx *p) {
    struct pass_rewriter composing = {.u = p->u, .user = p, .phases = true, .replace = compose_statement};
    uint32_t before = p->u->stmt_count;
    p->u->root = pass_rewrite_block(&composing, p->u->root);
    if (p->u->stmt_count != before) pass_fold(p);
}

// On a copy, where loops over rows of elements are over elements, too; it is kept where that made some steps one.
void pass_compose(struct pass_cx *p) {
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return; // in software a barrier is little beside the work
    struct pass_cx copy = *p;
    struct base_text said;
    base_text_init(&said, p->u->cx);
    base_text_put(&said, "");
    copy.explain = &said;
    compose_unit(&copy);
    if (!*said.data) {
        copy.u = ir_unit_clone(p->u);
        if (pass_collapse_elements(&copy)) compose_unit(&copy);
        if (strstr(said.data, "compose: "))
            p->u = copy.u;
        else
            *said.data = 0;
    }
    base_text_put(p->explain, said.data);
}
