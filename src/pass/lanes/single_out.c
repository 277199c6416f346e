// Loops in which one pass may write what all others read, as where the shortest ways through node k are looked for:
//
//   for (j < n) if (way[i][k] + way[k][j] < way[i][j]) way[i][j] = way[i][k] + way[k][j];
//
// becomes
//
//   t = way[i][k];  for (j < k) ... t + way[k][j] ...
//   for j = k, one lane: the pass as it was
//   t = way[i][k];  for (j = k + 1 ...) ... t + way[k][j] ...
//
// so that lanes share the two loops (index set splitting: M. Griebl, P. Feautrier, C. Lengauer, International Journal
// of Parallel Programming 28, 2000). The law: each store to such an array is at the loop's counter along one dimension,
// and each load of it is there, too, or at a place that stays as it is in the loop, with one value c along that
// dimension. No pass but c writes such a place, so all passes before c load one value, and all behind it another.
#include "pass/lanes/single_out.h"

#include "pass/passes.h"

enum { LOADS = 8 }; // guess: that stay, in one loop

struct singler {
    struct ir_unit *u;
    const struct pass_scope *sc;
    ir_stmt loop;
    struct ir_effects fx; // of its body
    uint32_t vars;        // of the program as it was
    ir_expr at;           // c; 0: no load of it yet
    ir_expr loads[LOADS]; // that stay
    ir_var kept[LOADS];   // that hold them
    uint32_t count;
    // under way
    ir_array array;
    uint32_t dimension;
    bool fits, stored;
};

static bool is_counter(const struct singler *x, ir_expr e) {
    return pass_is_var(x->u, e, x->u->stmts[x->loop].counted.var);
}

// It may be made where no pass would make it.
static bool is_within(const struct singler *x, const struct ir_node *load) {
    for (uint32_t d = 0; d < load->n; d++) {
        struct pass_range r = pass_range_of(x->sc, x->u->args[load->b + d]);
        uint32_t size;
        if (!ir_is_const(x->u, x->u->arrays[load->a].dims[d], &size) || !r.known || r.lo < 0 || r.hi >= (int64_t)size)
            return false;
    }
    return true;
}

static bool on_load(void *user, ir_expr e) {
    struct singler *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    bool moves;
    if (n->op != IR_LOAD || n->a != x->array || !x->fits) return true;
    ir_expr at = x->u->args[n->b + x->dimension];
    if (is_counter(x, at)) return true;
    x->fits = pass_place_is_known(x->u, x->loop, &x->fx, x->u->args + n->b, n->n, &moves) && !moves &&
              (!x->at || ir_same_expr(x->u, x->at, at)) && !pass_has_load(x->u, at) && is_within(x, n);
    x->at = at;
    bool seen = false;
    for (uint32_t i = 0; i < x->count; i++)
        seen |= ir_same_expr(x->u, x->loads[i], e);
    if (seen || !x->fits) return true;
    x->fits = x->count < LOADS;
    if (x->fits) x->loads[x->count++] = e;
    return true;
}
static bool on_store(void *user, ir_stmt s) {
    struct singler *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->fits &= n->kind == IR_ASSIGN || n->kind == IR_STORE || n->kind == IR_IF || n->kind == IR_NOP;
    if (n->kind != IR_STORE || n->store.array != x->array || !x->fits) return true;
    x->fits = is_counter(x, x->u->args[n->store.indices + x->dimension]);
    x->stored = true;
    return true;
}

static void find_in(struct singler *x, ir_array a, uint32_t d) {
    struct ir_visitor v = {.on_stmt = on_store, .on_node = on_load, .user = x};
    uint32_t count = x->count;
    ir_expr at = x->at;
    x->array = a;
    x->dimension = d;
    x->fits = true;
    x->stored = false;
    ir_walk_block(x->u, x->u->stmts[x->loop].counted.body, &v);
    if (x->fits && x->stored) return;
    x->count = count;
    x->at = at;
}

// Of all arrays that passes write and read.
static bool find(struct singler *x) {
    for (ir_array a = 1; a < x->u->array_count; a++) {
        if (!ir_bit(x->fx.arrays_written, a) || !ir_bit(x->fx.arrays_read, a) ||
            x->u->arrays[a].klass == IR_ARRAY_LOCAL)
            continue;
        uint32_t before = x->count;
        for (uint32_t d = 0; d < x->u->arrays[a].ndims && x->count == before; d++)
            find_in(x, a, d);
    }
    return x->count;
}

static ir_expr read_of(const struct singler *x, ir_var v) { return ir_var_read(x->u, v, x->u->stmts[x->loop].loc); }

// What stays, into its variables, and the passes from one value to the other.
static void put_part(struct singler *x, ir_stmt *out, ir_expr lo, ir_expr hi) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    for (uint32_t i = 0; i < x->count; i++)
        ir_append(u, out, ir_assign(u, x->kept[i], x->loads[i], n.loc));
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    for (ir_var v = 1; v < x->vars; v++)
        if (ir_bit(x->fx.vars_written, v))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, n.loc);
    ir_stmt body = ir_clone_block(u, n.counted.body, map, NULL);
    pass_replace_loads(u, body, x->loads, x->kept, x->count);
    ir_append(u, out, ir_for(u, n.counted.var, lo, hi, 1, body, n.loc));
}

bool pass_single_out(struct pass_scope *sc, ir_stmt s, const uint32_t *reads) {
    struct ir_unit *u = sc->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct singler x = {.u = u, .sc = sc, .loop = s, .vars = u->var_count};
    struct pass_lane_sums sums;
    if (n.counted.step != 1 || u->vars[n.counted.var].type != IR_I32 || pass_leaves_loop(u, n.counted.body) ||
        !pass_sums_of_lanes(sc, s, reads, &sums) || sums.count || sums.search_count)
        return false;
    x.fx = ir_effects_of(u, n.counted.body);
    if (!find(&x) || u->nodes[x.at].type != IR_I32) return false;
    ir_var at = ir_add_var(u, "at", IR_I32, IR_VAR_LOCAL, n.loc), lo = ir_add_var(u, "lo", IR_I32, IR_VAR_LOCAL, n.loc),
           hi = ir_add_var(u, "hi", IR_I32, IR_VAR_LOCAL, n.loc),
           mid = ir_add_var(u, "mid", IR_I32, IR_VAR_LOCAL, n.loc),
           counter = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc),
           alone = ir_add_var(u, "alone", IR_I32, IR_VAR_LOCAL, n.loc);
    for (uint32_t i = 0; i < x.count; i++)
        x.kept[i] = ir_add_var(u, u->arrays[u->nodes[x.loads[i]].a].name, (enum ir_type)u->nodes[x.loads[i]].type,
                               IR_VAR_LOCAL, n.loc);
    ir_stmt out = 0, one;
    ir_append(u, &out, ir_assign(u, lo, n.counted.lo, n.loc));
    ir_append(u, &out, ir_assign(u, hi, ir_op2(u, IR_MAX, n.counted.hi, read_of(&x, lo), n.loc), n.loc));
    ir_expr within =
        ir_op2(u, IR_MIN, ir_op2(u, IR_MAX, read_of(&x, at), read_of(&x, lo), n.loc), read_of(&x, hi), n.loc);
    ir_append(u, &out, ir_assign(u, mid, within, n.loc));
    put_part(&x, &out, n.counted.lo, read_of(&x, mid));
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    for (ir_var v = 1; v < x.vars; v++)
        if (ir_bit(x.fx.vars_written, v))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, n.loc);
    map[n.counted.var] = counter;
    one = ir_assign(u, counter, read_of(&x, at), n.loc);
    ir_append(u, &one, ir_clone_block(u, n.counted.body, map, NULL));
    one = ir_for(u, alone, ir_const_i32(u, 0), ir_const_i32(u, 1), 1, one, n.loc);
    u->stmts[one].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    ir_expr is_in = ir_op2(u, IR_LAND, ir_op2(u, IR_EQ, read_of(&x, mid), read_of(&x, at), n.loc),
                           ir_op2(u, IR_LT, read_of(&x, mid), read_of(&x, hi), n.loc), n.loc);
    ir_append(u, &out, ir_if(u, is_in, one, 0, n.loc));
    ir_append(u, &out,
              ir_assign(u, lo,
                        ir_op3(u, IR_SELECT, is_in, ir_op2(u, IR_ADD, read_of(&x, mid), ir_const_i32(u, 1), n.loc),
                               read_of(&x, mid), n.loc),
                        n.loc));
    put_part(&x, &out, read_of(&x, lo), n.counted.hi);
    ir_stmt last = out;
    while (u->stmts[last].next)
        last = u->stmts[last].next;
    u->stmts[last].next = n.next;
    ir_make_assign(&u->stmts[s], at, x.at);
    u->stmts[s].next = out;
    return true;
}
