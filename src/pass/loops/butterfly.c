// Rounds that exchange elements in small groups, several of them in registers:
//
//   for (g = 0; g < 20; g++) parallel for (i) exchange a[i] with a[i ^ 1 << g]                         becomes
//   for (g = 0; g < 20; g += 4) parallel for (w) { load the 16 elements whose places differ in bits g to g + 3;
//                                                  4 rounds of 8 exchanges;   store them }
//
// So do transforms (radix 16 in place of 2), sorting networks, gates on the states of qubits. Each round as written
// goes through all of memory and waits at a barrier; here one in four does.
//
// The law: in each round of a group an iteration touches elements of one set alone; sets of one round have no element
// in common, and what the next round needs of a set is in it. What a group stores no other iteration of it loads:
// stored are the sets that were loaded, or other arrays. Places are known as bits of the iteration's number
// (analysis/bit_places.h), for each pass that the loop makes, so its bounds and those of the loops around that matter
// are constants.
//
// Source: W. M. Gentleman, G. Sande, "Fast Fourier transforms: for fun and profit", 1966, for transforms.
#include "pass/loops/butterfly.h"

#include <string.h>

// A number that has a group's number in all bits but those of a set, and 0 in these.
struct deposit {
    const struct butterfly_set *set;
    ir_var base;
    ir_expr units[BUTTERFLY_BITS]; // what each bit of the set is worth
};

struct maker {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_covered covered;
    uint32_t made;

    const struct butterfly *b;
    const struct butterfly_group *group;
    ir_var (*element)[1 << BUTTERFLY_BITS]; // by version of the group
    struct deposit *deposits;               // that the iteration has made, one for each set
    uint32_t deposit_count;
    const struct butterfly_round *round;
    const struct butterfly_copy *copy;
    uint32_t nodes; // of the unit as the copies know it
    bool missing;   // an access that was never seen
};

static ir_expr op2(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b) { return ir_op2(u, op, a, b, 0); }
static ir_expr number(struct ir_unit *u, uint32_t x) { return ir_const_i32(u, (int32_t)x); }
static ir_expr var_of(struct ir_unit *u, ir_var v) { return ir_var_read(u, v, 0); }
static ir_expr shifted(struct ir_unit *u, ir_expr x, uint32_t by) {
    return by ? op2(u, IR_SHL, x, ir_const(u, IR_U32, by)) : x;
}

// ---- a copy of the body ---------------------------------------------------------------------------------------------

static ir_expr replace_load(void *user, ir_expr e) {
    struct maker *m = user;
    const struct ir_node n = m->u->nodes[e];
    uint32_t k = n.op == IR_LOAD ? butterfly_array(m->b, n.a) : 0;
    if (!k) return e;
    uint32_t known = e < m->nodes ? m->copy->load[e] : 0;
    m->missing |= !known;
    return known ? ir_var_read(m->u, m->element[m->round->version[k - 1] - 1][known - 1], n.loc) : e;
}

static ir_stmt in_registers(struct maker *m, ir_stmt from, ir_stmt block);

static ir_stmt branch_in_registers(struct maker *m, ir_stmt from, ir_stmt s) {
    struct ir_unit *u = m->u;
    const struct ir_stmt_node was = u->stmts[from], n = u->stmts[s];
    uint8_t ways = m->copy->branch[from];
    ir_stmt yes = ways == BUTTERFLY_ELSE ? 0 : in_registers(m, was.branch.then_block, n.branch.then_block);
    ir_stmt no = ways == BUTTERFLY_THEN ? 0 : in_registers(m, was.branch.else_block, n.branch.else_block);
    if (ways == BUTTERFLY_THEN || ways == BUTTERFLY_ELSE) return yes ? yes : no;
    ir_expr cond = ir_map_expr(u, n.branch.cond, replace_load, m);
    return ir_if(u, cond, yes, no, n.loc);
}

// `block` is a clone of `from`, with the same expressions.
static ir_stmt in_registers(struct maker *m, ir_stmt from, ir_stmt block) {
    struct ir_unit *u = m->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next, from = u->stmts[from].next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_IF) {
            ir_append(u, &out, branch_in_registers(m, from, s));
            continue;
        }
        bool assigns = n.kind == IR_ASSIGN;
        ir_expr value = ir_map_expr(u, assigns ? n.assign.value : n.store.value, replace_load, m);
        uint32_t known = assigns ? 0 : m->copy->store[from];
        m->missing |= !assigns && !known;
        if (assigns)
            u->stmts[s].assign.value = value;
        else if (known) {
            uint32_t version = m->round->version[butterfly_array(m->b, n.store.array) - 1];
            ir_make_assign(&u->stmts[s], m->element[version - 1][known - 1], value);
        }
        ir_append(u, &out, s);
    }
    return out;
}

// ---- the groups -----------------------------------------------------------------------------------------------------

static ir_var named(struct ir_unit *u, ir_stmt *block, const char *name, ir_expr value) {
    ir_var v = ir_add_var(u, name, IR_I32, IR_VAR_LOCAL, 0);
    ir_append(u, block, ir_assign(u, v, value, 0));
    return v;
}

static bool follows(const struct pass_bit_place *place, const struct pass_bit_place *next) {
    return next->offset == place->offset + 1 && memcmp(place->slopes, next->slopes, sizeof place->slopes) == 0;
}

// Bits that follow each other are let in together, from the lowest on.
static struct deposit deposit(struct maker *m, ir_stmt *block, ir_var group, const struct butterfly_set *set) {
    struct ir_unit *u = m->u;
    for (uint32_t k = 0; k < m->deposit_count; k++)
        if (butterfly_same_set(m->deposits[k].set, set)) return m->deposits[k];
    struct deposit d = {.set = set, .base = group};
    for (uint32_t n = 0, width; n < set->count; n += width) {
        for (width = 1; n + width < set->count && follows(&set->bits[n + width - 1], &set->bits[n + width]);)
            width++;
        ir_var unit = named(u, block, "unit", pass_bits_unit(&m->b->player, &set->bits[n]));
        ir_expr mask = op2(u, IR_SUB, var_of(u, unit), number(u, 1));
        ir_var low = named(u, block, "low", op2(u, IR_AND, var_of(u, d.base), mask));
        ir_expr high = op2(u, IR_SUB, var_of(u, d.base), var_of(u, low));
        d.base = named(u, block, "base", op2(u, IR_ADD, shifted(u, high, width), var_of(u, low)));
        for (uint32_t k = 0; k < width; k++)
            d.units[n + k] = k ? op2(u, IR_MUL, var_of(u, unit), number(u, 1u << k)) : var_of(u, unit);
    }
    return m->deposits[m->deposit_count++] = d;
}

// The number with those bits of the set.
static ir_expr with_bits(struct ir_unit *u, const struct deposit *d, uint32_t bits) {
    ir_expr x = var_of(u, d->base);
    for (uint32_t n = 0; bits >> n; n++)
        if (bits >> n & 1) x = op2(u, IR_ADD, x, d->units[n]);
    return x;
}

// The part of a number that is an index of so many values; *from: its lowest bit, and then that of the next part.
static ir_expr part_of(struct ir_unit *u, ir_expr x, ir_expr extent, uint32_t *from, bool is_last) {
    uint32_t size = 0;
    if (*from) x = op2(u, IR_SHR, x, ir_const(u, IR_U32, *from));
    if (is_last || !ir_is_const(u, extent, &size)) return x;
    while (size >> 1) {
        size >>= 1;
        ++*from;
    }
    ir_is_const(u, extent, &size);
    return op2(u, IR_AND, x, number(u, size - 1));
}

static void move_elements(struct maker *m, ir_stmt *block, ir_var group, const struct butterfly_version *v,
                          const ir_var *elements, bool back) {
    struct ir_unit *u = m->u;
    const struct ir_array_info info = u->arrays[m->b->arrays[v->array]];
    base_loc loc = u->stmts[m->b->parfors[0]].loc;
    struct deposit d = deposit(m, block, group, &v->places);
    for (uint32_t k = 0; k < 1u << v->places.count; k++) {
        ir_expr at[IR_MAX_DIMS], place = with_bits(u, &d, k);
        uint32_t from = 0;
        if (info.ndims > 1) place = var_of(u, named(u, block, "place", place));
        for (uint32_t dim = info.ndims; dim-- > 0;)
            at[dim] = part_of(u, place, info.dims[dim], &from, dim == 0);
        ir_array a = m->b->arrays[v->array];
        ir_append(u, block,
                  back ? ir_store(u, a, at, info.ndims, var_of(u, elements[k]), loc)
                       : ir_assign(u, elements[k], ir_load(u, a, at, info.ndims, loc), loc));
    }
}

// What the iterations of a round do that become one.
static void make_round(struct maker *m, ir_stmt *block, ir_var group, const uint32_t *reads, uint32_t vars) {
    struct ir_unit *u = m->u;
    const struct butterfly *b = m->b;
    const struct ir_stmt_node p = u->stmts[b->parfors[m->round->parfor]];
    ir_var counter = b->player.counters[b->player.counter_count - 1];
    int32_t later = (int32_t)m->round->pass * u->stmts[b->player.loop].counted.step;
    struct pass_privates own = pass_privates_of(u, p.parfor.body, reads, vars);
    struct deposit d = deposit(m, block, group, &m->round->numbers);
    for (uint32_t k = 0; k < 1u << m->round->numbers.count; k++) {
        m->copy = &m->round->copies[k];
        ir_stmt copy = in_registers(m, p.parfor.body, ir_clone_block(u, p.parfor.body, NULL, NULL));
        copy = pass_clone_private(u, copy, &own);
        ir_expr i = with_bits(u, &d, k);
        if (p.parfor.dim_count > 1) i = var_of(u, named(u, block, "iteration", i));
        uint32_t from = 0;
        for (uint32_t n = p.parfor.dim_count; n-- > 0;) {
            const struct ir_dim dim = u->dims[p.parfor.dims + n];
            ir_var index = named(u, block, u->vars[dim.var].name, part_of(u, i, dim.hi, &from, n == 0));
            pass_substitute(u, copy, dim.var, var_of(u, index));
        }
        if (later) pass_substitute(u, copy, counter, op2(u, IR_ADD, var_of(u, counter), ir_const_i32(u, later)));
        ir_append(u, block, copy);
    }
}

// The parallel loop that makes a group of rounds; 0: an access has no known element.
static ir_stmt make_group(struct maker *m, const struct butterfly_group *g) {
    struct ir_unit *u = m->u;
    const struct butterfly *b = m->b;
    const struct ir_stmt_node p = u->stmts[b->parfors[g->rounds[0].parfor]];
    m->group = g;
    m->deposits = base_alloc_array(u->cx, 2 * g->version_count + b->rounds, sizeof *m->deposits);
    m->deposit_count = 0;
    m->element = base_alloc_array(u->cx, g->version_count, sizeof *m->element);
    for (uint32_t v = 0; v < g->version_count; v++)
        for (uint32_t k = 0; k < 1u << g->versions[v].places.count; k++) {
            const struct ir_array_info a = u->arrays[b->arrays[g->versions[v].array]];
            m->element[v][k] = ir_add_var(u, a.name, ir_elem_type((enum whorl_dtype)a.elem), IR_VAR_LOCAL, p.loc);
        }
    struct ir_dim dim = {.step = 1};
    dim.var = ir_add_var(u, "group", IR_I32, IR_VAR_DIM, p.loc);
    dim.lo = number(u, 0);
    dim.hi = number(u, 1u << g->bits);
    ir_stmt body = 0;
    for (uint32_t v = 0; v < g->version_count; v++)
        if (g->versions[v].loaded) move_elements(m, &body, dim.var, &g->versions[v], m->element[v], false);
    uint32_t vars = u->var_count, *reads = base_alloc_array(u->cx, vars, sizeof *reads);
    pass_count_reads(u, u->root, reads);
    for (uint32_t r = 0; r < b->rounds; r++) {
        m->round = &g->rounds[r];
        make_round(m, &body, dim.var, reads, vars);
    }
    for (uint32_t v = 0; v < g->version_count; v++)
        if (g->versions[v].stored) move_elements(m, &body, dim.var, &g->versions[v], m->element[v], true);
    if (m->missing) return 0;
    ir_stmt parfor = ir_parfor(u, &dim, 1, body, p.loc);
    u->stmts[parfor].flags = p.flags & IR_FLAG_NOWAIT;
    return parfor;
}

// Where the groups' passes end: lo + (all passes / those of the groups) * those of the groups.
static ir_expr end_of(struct ir_unit *u, const struct ir_stmt_node *loop, int32_t stride) {
    uint32_t lo, hi;
    if (ir_is_const(u, loop->counted.lo, &lo) && ir_is_const(u, loop->counted.hi, &hi)) {
        int64_t span = (int64_t)(int32_t)hi - (int32_t)lo, more = loop->counted.step - 1;
        return ir_const_i32(u, span < 0 ? (int32_t)lo : (int32_t)((int32_t)lo + (span + more) / stride * stride));
    }
    ir_expr span = op2(u, IR_SUB, loop->counted.hi, loop->counted.lo);
    if (loop->counted.step > 1) span = op2(u, IR_ADD, span, ir_const_i32(u, loop->counted.step - 1));
    ir_expr whole = op2(u, IR_MUL, op2(u, IR_DIV, span, ir_const_i32(u, stride)), ir_const_i32(u, stride));
    return op2(u, IR_ADD, loop->counted.lo, whole);
}

// The passes that are left over, behind the groups'; 0: none.
static ir_stmt rest_of(struct ir_unit *u, const struct butterfly *b, ir_expr begins) {
    uint32_t from, to;
    ir_expr hi = u->stmts[b->player.loop].counted.hi;
    if (ir_is_const(u, begins, &from) && ir_is_const(u, hi, &to) && (int32_t)from >= (int32_t)to) return 0;
    ir_stmt rest = pass_copy_phases(u, pass_clone_one(u, b->player.loop));
    u->stmts[rest].counted.lo = begins;
    return rest;
}

static bool rewrite(struct maker *m, const struct butterfly *b) {
    struct ir_unit *u = m->u;
    const struct ir_stmt_node loop = u->stmts[b->player.loop];
    m->b = b;
    m->nodes = u->node_count;
    m->missing = false;
    ir_stmt groups = 0;
    for (uint32_t n = 0; n < b->group_count; n++) {
        ir_stmt group = make_group(m, &b->groups[n]);
        if (!group) return false;
        ir_append(u, &groups, group);
    }
    int32_t stride = (int32_t)b->passes * loop.counted.step;
    ir_expr end = end_of(u, &loop, stride);
    ir_stmt rest = rest_of(u, b, end);
    struct ir_stmt_node *n = &u->stmts[b->player.loop];
    n->counted.hi = end;
    n->counted.step = stride;
    n->counted.body = groups;
    n->counted.unroll = b->passes * (n->counted.unroll ? n->counted.unroll : 1);
    if (rest) {
        u->stmts[rest].next = n->next;
        n->next = rest;
    }
    return true;
}

static bool try_loop(void *user, ir_stmt s, const ir_stmt *outer, uint32_t depth) {
    struct maker *m = user;
    struct ir_unit *u = m->u;
    struct butterfly b = {.player = {.u = u, .loop = s, .outer = outer, .outer_count = depth}, .covered = &m->covered};
    if (u->stmts[s].kind != IR_FOR || !butterfly_find(&b) || !rewrite(m, &b)) return false;
    m->made++;
    base_text_format(m->p->explain, "butterfly: %u parallel loops at a time of those in the loop at line %u are one\n",
                     b.rounds, u->cx->locs[u->stmts[s].loc].line);
    return true; // the passes that are left over come next, in lesser groups
}

void pass_butterfly(struct pass_cx *p) {
    struct maker m = {.p = p, .u = p->u};
    pass_find_covered(p->u, &m.covered);
    pass_bits_each_loop(p->u, p->u->root, try_loop, &m);
    if (m.made) pass_remove_dead(p->u);
}
