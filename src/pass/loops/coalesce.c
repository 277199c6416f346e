// A parallel loop and the loop inside of it, of which the one makes fewer passes where the other makes more:
//
//   for (len = 2; len <= n; len *= 2) parallel for (b = 0; b < n / len; b++) for (j = 0; j < len / 2; j++) ...
//
// becomes one parallel loop of n / 2 iterations in each round; and so do dimensions of a parallel loop. As written the
// last rounds have an iteration or two, and everybody else waits for these. Transforms, merges and trees are written so
// in textbooks. The name is the literature's (C. Polychronopoulos, "Loop coalescing: a compiler transformation for
// parallel machines", 1987); here the extents change from round to round while their product does not.
//
// The law: in every pass of the loops around the extents are powers of two, with one product. Of an inner loop no value
// goes from a pass to the next, and each bit of the iteration's new number stands, as it is, in all places that it
// touches of an array that is stored (analysis/bit_places.h), so that no two iterations touch one element.
#include <string.h>

#include "pass/analysis/array_uses.h"
#include "pass/analysis/bit_places.h"
#include "pass/passes.h"

struct extent {
    ir_var var;
    ir_expr lo, size; // lo 0: from 0
};

struct coalescer {
    struct pass_cx *p;
    struct ir_unit *u;
    bool changed;

    // of one candidate
    struct pass_bit_player player;
    ir_stmt parfor, inner; // inner 0: the parallel loop's dimensions alone
    struct extent extents[IR_MAX_DIMS + 1];
    uint32_t count;
    ir_var number;                     // of the inner loop's pass
    uint32_t bits;                     // of the new number; 0: not known yet
    uint32_t *places[IR_MAX_DIMS + 1]; // of each extent's lowest bit there, by pass
    uint32_t passes;
    struct pass_uses stores;
    struct pass_bit_pattern *patterns; // by array
};

static const struct ir_stmt_node *node_of(const struct coalescer *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- the form -------------------------------------------------------------------------------------------------------

static bool is_zero(const struct ir_unit *u, ir_expr e) {
    uint32_t bits;
    return ir_is_const(u, e, &bits) && !bits;
}

// The loop behind assignments of scalars, which every pass may make anew; 0: the body is something else.
static ir_stmt inner_of(const struct coalescer *x, ir_stmt parfor) {
    ir_stmt s = node_of(x, parfor)->parfor.body;
    while (s && node_of(x, s)->kind == IR_ASSIGN && !(node_of(x, s)->flags & IR_FLAG_ATOMIC))
        s = node_of(x, s)->next;
    if (!s || node_of(x, s)->kind != IR_FOR || node_of(x, s)->next) return 0;
    return node_of(x, s)->counted.step == 1 && !node_of(x, s)->counted.reduction_count ? s : 0;
}

// From 0 to its size, or from lo to lo + size.
static bool read_extent(const struct coalescer *x, ir_var v, ir_expr lo, ir_expr hi, struct extent *out) {
    const struct ir_node *n = &x->u->nodes[hi];
    *out = (struct extent){.var = v, .lo = lo, .size = hi};
    if (is_zero(x->u, lo)) {
        out->lo = 0;
        return true;
    }
    if (n->op != IR_ADD) return false;
    bool first = ir_same_expr(x->u, n->a, lo);
    out->size = first ? n->b : n->a;
    return first || ir_same_expr(x->u, n->b, lo);
}

static bool read_extents(struct coalescer *x) {
    const struct ir_stmt_node *n = node_of(x, x->parfor);
    uint32_t varying = 0, bits;
    x->count = 0;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        if (dim->step != 1 || !is_zero(x->u, dim->lo)) return false;
        read_extent(x, dim->var, dim->lo, dim->hi, &x->extents[x->count++]);
    }
    x->inner = inner_of(x, x->parfor);
    if (x->inner) {
        const struct ir_stmt_node *inner = node_of(x, x->inner);
        struct extent *e = &x->extents[x->count];
        bool read = read_extent(x, inner->counted.var, inner->counted.lo, inner->counted.hi, e);
        if (read && !ir_is_const(x->u, e->size, &bits))
            x->count++;
        else
            x->inner = 0;
    }
    for (uint32_t d = 0; d < x->count; d++)
        varying += !ir_is_const(x->u, x->extents[d].size, &bits);
    return varying > 1;
}

// No pass needs what another one assigns.
static bool carries(const struct coalescer *x) {
    ir_stmt body = node_of(x, x->inner)->counted.body;
    struct ir_effects fx = ir_effects_of(x->u, body);
    uint32_t *exposed = pass_exposed(x->u, body);
    for (ir_var v = 1; v < x->u->var_count; v++)
        if (ir_bit(fx.vars_written, v) && (ir_bit(exposed, v) || x->u->vars[v].klass != IR_VAR_LOCAL)) return true;
    return false;
}

struct front {
    const struct coalescer *x;
    bool loads_stored;
};
static bool on_front(void *user, ir_expr e) {
    struct front *f = user;
    const struct ir_node *n = &f->x->u->nodes[e];
    f->loads_stored |= n->op == IR_LOAD && f->x->stores.stores[n->a] > 0;
    return true;
}

// The inner loop's body can be played, and needs nothing of other passes.
static bool has_inner_form(struct coalescer *x) {
    struct front f = {.x = x};
    ir_stmt body = node_of(x, x->parfor)->parfor.body;
    if (carries(x)) return false;
    x->stores = pass_uses_of(x->u, body, 0);
    for (ir_stmt s = body; s != x->inner; s = node_of(x, s)->next)
        ir_walk_expr(x->u, node_of(x, s)->assign.value, on_front, &f);
    if (f.loads_stored || !pass_bits_slot(&x->player, x->number) ||
        !pass_bits_admit(&x->player, node_of(x, x->inner)->counted.body))
        return false;
    for (uint32_t d = 0; d < x->count; d++)
        if (!pass_bits_slot(&x->player, x->extents[d].var)) return false;
    for (ir_stmt s = body; s != x->inner; s = node_of(x, s)->next)
        if (x->u->vars[node_of(x, s)->assign.var].type != IR_F32 &&
            !pass_bits_slot(&x->player, node_of(x, s)->assign.var))
            return false;
    return true;
}

static bool has_form(struct coalescer *x) {
    const struct ir_stmt_node *n = node_of(x, x->parfor);
    if (n->parfor.reduction_count || n->flags & IR_FLAG_LANES || !read_extents(x)) return false;
    if (x->inner) {
        const struct ir_var_info v = x->u->vars[x->extents[x->count - 1].var];
        x->number = ir_add_var(x->u, v.name, (enum ir_type)v.type, IR_VAR_LOCAL, v.loc);
    }
    return pass_bits_begin(&x->player) && (!x->inner || has_inner_form(x));
}

// ---- each pass ------------------------------------------------------------------------------------------------------

static void on_access(void *user, ir_array a, const struct pass_bits *at, const struct pass_bits *here, ir_expr load,
                      ir_stmt s, bool surely) {
    struct coalescer *x = user;
    (void)s, (void)surely;
    if (x->stores.stores[a]) pass_bits_note(&x->patterns[a], at, here, !load);
}

static void walk_front(struct coalescer *x, struct pass_bit_state *state) {
    ir_stmt before = node_of(x, x->parfor)->parfor.body, last = before;
    if (before == x->inner) return;
    while (node_of(x, last)->next != x->inner)
        last = node_of(x, last)->next;
    x->u->stmts[last].next = 0;
    pass_bits_walk(&x->player, state, before);
    x->u->stmts[last].next = x->inner;
}

// The inner loop's iterations have no element in common.
static bool is_apart(struct coalescer *x, struct pass_bit_state *state) {
    const struct extent *e = &x->extents[x->count - 1];
    memset(x->patterns, 0, x->u->array_count * sizeof *x->patterns);
    walk_front(x, state);
    ir_expr number = ir_var_read(x->u, x->number, 0), at = e->lo ? ir_op2(x->u, IR_ADD, e->lo, number, 0) : number;
    pass_bits_assign(&x->player, state, e->var, at);
    pass_bits_walk(&x->player, state, node_of(x, x->inner)->counted.body);
    for (ir_array a = 1; a < x->u->array_count; a++) {
        const struct pass_bit_pattern *t = &x->patterns[a];
        if (t->seen && (t->unknown || pass_bits_inputs(t, t->differ) != (1u << x->bits) - 1)) return false;
    }
    return true;
}

static bool look(void *user, const struct pass_bit_run *run, int64_t pass) {
    struct coalescer *x = user;
    struct pass_bit_state state;
    struct pass_bits number;
    struct pass_bit_player *p = &x->player;
    uint32_t bits[IR_MAX_DIMS + 1], all = 0;
    p->user = x;
    p->access = on_access;
    p->stopped = false;
    p->depth = 0;
    if (x->passes == PASS_BITS_PASSES) return false;
    pass_bits_enter(p, run, pass, &state);
    if (x->inner) walk_front(x, &state); // its bounds may stand there
    for (uint32_t d = x->count; d-- > 0; all += bits[d]) {
        uint32_t size;
        if (!pass_bits_number(p, &state, x->extents[d].size, &size) || !pass_bits_log(size, &bits[d])) return false;
        x->places[d][x->passes] = all;
    }
    x->passes++;
    if (!all || all > 30 || (x->bits && x->bits != all)) return false;
    x->bits = all;
    if (!x->inner) return true;
    for (uint32_t i = 0; i < 32; i++)
        number.bit[i] = (uint8_t)(PASS_BIT_INPUT + 2 * i);
    for (uint32_t d = 0; d < x->count; d++)
        pass_bits_set(p, &state, d + 1 < x->count ? x->extents[d].var : x->number,
                      pass_bits_part(&number, x->places[d][x->passes - 1], bits[d]));
    return is_apart(x, &state);
}

// ---- the loops ------------------------------------------------------------------------------------------------------

// What the new number says of an extent's variable. place: its lowest bit there; above: that of the extent before it.
static ir_expr part_of(const struct coalescer *x, ir_var number, const struct pass_bit_place *place,
                       const struct pass_bit_place *above, const struct extent *e) {
    struct ir_unit *u = x->u;
    ir_expr part = ir_var_read(u, number, 0);
    ir_expr shift = pass_bits_shift(&x->player, place);
    if (above) {
        ir_expr mask = ir_op2(u, IR_SUB, pass_bits_unit(&x->player, above), ir_const_i32(u, 1), 0);
        part = ir_op2(u, IR_AND, part, mask, 0);
    }
    if (e != &x->extents[x->count - 1]) part = ir_op2(u, IR_SHR, part, shift, 0);
    if (u->vars[e->var].type == IR_U32) part = ir_op1(u, IR_I2U, part, 0);
    return e->lo ? ir_op2(u, IR_ADD, e->lo, part, 0) : part;
}

static void rewrite(struct coalescer *x, const struct pass_bit_place *places) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node p = *node_of(x, x->parfor);
    struct ir_dim dim = {.step = 1, .lo = ir_const_i32(u, 0), .hi = ir_const_i32(u, (int32_t)(1u << x->bits))};
    dim.var = ir_add_var(u, u->vars[x->extents[0].var].name, IR_I32, IR_VAR_DIM, p.loc);
    ir_stmt body = 0, rest = p.parfor.body;
    ir_var names[IR_MAX_DIMS + 1];
    for (uint32_t d = 0; d < x->count; d++) {
        const struct extent *e = &x->extents[d];
        const struct ir_var_info v = u->vars[e->var];
        bool is_inner = x->inner && d + 1 == x->count;
        if (is_inner && rest != x->inner) { // it may begin where the front says
            ir_append(u, &body, rest);
            while (node_of(x, rest)->next != x->inner)
                rest = node_of(x, rest)->next;
            u->stmts[rest].next = 0;
        }
        ir_var own = ir_add_var(u, v.name, (enum ir_type)v.type, IR_VAR_LOCAL, v.loc);
        ir_expr value = part_of(x, dim.var, &places[d], d ? &places[d - 1] : NULL, e);
        ir_append(u, &body, ir_assign(u, own, value, v.loc));
        if (is_inner) rest = node_of(x, x->inner)->counted.body;
        names[d] = own;
    }
    ir_append(u, &body, rest);
    for (uint32_t d = 0; d < x->count; d++)
        pass_substitute(u, body, x->extents[d].var, ir_var_read(u, names[d], p.loc));
    uint32_t dims = ir_add_dims(u, &dim, 1);
    u->stmts[x->parfor].parfor.dims = dims;
    u->stmts[x->parfor].parfor.dim_count = 1;
    u->stmts[x->parfor].parfor.body = body;
    x->changed = true;
    base_text_format(x->p->explain, "coalesce: %u loops at line %u are one of %u iterations\n", x->count,
                     u->cx->locs[p.loc].line, 1u << x->bits);
}

static bool try_parfor(void *user, ir_stmt parfor, const ir_stmt *outer, uint32_t depth) {
    struct coalescer *x = user;
    struct pass_bit_place places[IR_MAX_DIMS + 1];
    if (node_of(x, parfor)->kind != IR_PARFOR || !depth) return false;
    x->parfor = parfor;
    x->player = (struct pass_bit_player){.u = x->u, .loop = outer[depth - 1], .outer = outer, .outer_count = depth - 1};
    x->bits = x->passes = 0;
    if (!has_form(x)) return false;
    for (uint32_t d = 0; d < x->count; d++)
        x->places[d] = base_alloc_array(x->u->cx, PASS_BITS_PASSES, sizeof *x->places[d]);
    x->patterns = base_alloc_array(x->u->cx, x->u->array_count, sizeof *x->patterns);
    if (!pass_bits_each(&x->player, 1, look, x) || !x->passes) return false;
    for (uint32_t d = 0; d < x->count; d++)
        if (!pass_bits_moving(&x->player, 1, x->places[d], &places[d])) return false;
    rewrite(x, places);
    return true;
}

void pass_coalesce(struct pass_cx *p) {
    struct coalescer x = {.p = p, .u = p->u};
    pass_bits_each_loop(p->u, p->u->root, try_parfor, &x);
    if (x.changed) pass_remove_dead(p->u);
}
