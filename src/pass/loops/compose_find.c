// The law of compose.c, looked up in a loop: what its two parallel loops store and load, and from where.
#include <string.h>

#include "pass/cost.h"
#include "pass/loops/compose.h"

// ---- the space ------------------------------------------------------------------------------------------------------

static bool read_space(struct compose *x, ir_stmt parfor, bool first) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[parfor];
    if (n->parfor.reduction_count || n->flags & IR_FLAG_LANES || n->parfor.dim_count > COMPOSE_DIMS) return false;
    if (!first && n->parfor.dim_count != x->dims) return false;
    x->dims = n->parfor.dim_count;
    for (uint32_t k = 0; k < x->dims; k++) {
        const struct ir_dim *d = &u->dims[n->parfor.dims + k];
        uint32_t lo, hi;
        if (d->step != 1 || u->vars[d->var].type != IR_I32 || !ir_is_const(u, d->lo, &lo) ||
            !ir_is_const(u, d->hi, &hi) || (int32_t)lo < 0 || (int32_t)hi > PASS_MOST_INDEXED)
            return false;
        if (!first && (x->lo[k] != (int32_t)lo || x->hi[k] != (int32_t)hi)) return false;
        x->lo[k] = (int32_t)lo;
        x->hi[k] = (int32_t)hi;
        if (first) x->vars[k] = d->var;
    }
    return true;
}

// ---- stores ---------------------------------------------------------------------------------------------------------

static bool read_store(struct compose *x, struct compose_half *h, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    const struct ir_array_info *info = &u->arrays[n.store.array];
    if (n.flags & IR_FLAG_ATOMIC || n.store.run || info->ndims < x->dims || info->atomic || n.store.array == u->log ||
        (info->klass != IR_ARRAY_INOUT && info->klass != IR_ARRAY_SCRATCH) ||
        (info->elem != WHORL_F32 && info->elem != WHORL_I32 && info->elem != WHORL_U32))
        return false;
    struct compose_part part = {.array = n.store.array, .lead_count = info->ndims - x->dims};
    uint32_t at = 0;
    for (uint32_t d = 0; d < info->ndims; d++) {
        ir_expr index = u->args[n.store.indices + d];
        const struct ir_node *e = &u->nodes[index];
        if (d < part.lead_count ? !ir_is_const(u, index, &part.lead[d])
                                : e->op != IR_VAR || e->a != x->vars[d - part.lead_count])
            return false;
    }
    while (at < COMPOSE_PARTS && h->parts[at].array)
        at++;
    if (at == COMPOSE_PARTS) return false;
    for (uint32_t k = 0; k < at; k++)
        if (memcmp(&h->parts[k], &part, sizeof part) == 0) return false; // a second store
    h->parts[at] = part;
    h->results[at] = ir_add_var(u, "next", ir_elem_type((enum whorl_dtype)info->elem), IR_VAR_LOCAL, n.loc);
    ir_make_assign(&u->stmts[s], h->results[at], n.store.value);
    return true;
}

static bool is_part_of(const struct compose_half *h, ir_array a) {
    for (uint32_t k = 0; k < COMPOSE_PARTS; k++)
        if (h->parts[k].array && h->parts[k].array == a) return true;
    return false;
}

// Both store as many parts, of the same shapes in the same order, and no array is stored by both.
static bool parts_agree(struct compose *x) {
    const struct ir_unit *u = x->u;
    for (uint32_t k = 0; k < COMPOSE_PARTS; k++) {
        const struct compose_part *a = &x->halves[0].parts[k], *b = &x->halves[1].parts[k];
        if (!a->array != !b->array) return false;
        if (!a->array) continue;
        const struct ir_array_info *one = &u->arrays[a->array], *two = &u->arrays[b->array];
        if (is_part_of(&x->halves[1], a->array) || one->elem != two->elem) return false;
        for (uint32_t d = 0; d < x->dims; d++) {
            uint32_t size, other;
            if (!ir_is_const(u, one->dims[a->lead_count + d], &size) ||
                !ir_is_const(u, two->dims[b->lead_count + d], &other) || size != other)
                return false;
        }
        x->part_count = k + 1;
    }
    return x->part_count > 0;
}

// ---- indices --------------------------------------------------------------------------------------------------------

// The index is the variable plus a constant, whatever its value; or so modulo the extent, around the space. Played for
// each value: `i > 0 ? i - 1 : n - 1`, `(i + 1) % n` are such ones.
static bool offset_of(struct compose *x, uint32_t k, ir_expr index, int32_t *out) {
    const struct ir_unit *u = x->u;
    int32_t lo = x->lo[k], hi = x->hi[k], middle = lo + (hi - lo) / 2;
    bool plain = true, around = true;
    uint32_t v, bits;
    const struct ir_node *n = &u->nodes[index];
    if (!pass_evaluate_at(u, index, x->vars[k], (uint32_t)middle, &v)) return false;
    *out = (int32_t)v - middle;
    bool sum = (n->op == IR_ADD || n->op == IR_SUB) && u->nodes[n->a].op == IR_VAR && ir_is_const(u, n->b, &bits);
    if (n->op == IR_VAR || sum) {
        x->leaves[k] |= *out != 0;
        return true;
    }
    if (hi - lo > PASS_COMPOSE_PLAYED) return false;
    for (int32_t i = lo; i < hi && (plain || around); i++) {
        if (!pass_evaluate_at(u, index, x->vars[k], (uint32_t)i, &v)) return false;
        int32_t there = i + *out;
        plain &= (int32_t)v == there;
        around &= (int32_t)v == (there < lo ? there + (hi - lo) : there >= hi ? there - (hi - lo) : there);
    }
    if (*out != 0) (plain ? x->leaves : x->wraps)[k] = true;
    return plain || around;
}

static bool is_index_node(void *user, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool ok;
    } *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && x->u->vars[n->a].klass == IR_VAR_LOCAL)) x->ok = false;
    return x->ok;
}
// Known from the iteration and what is the same for all.
static bool is_index(const struct ir_unit *u, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool ok;
    } x = {u, true};
    ir_walk_expr(u, e, is_index_node, &x);
    return x.ok;
}

// Variables that only name indices are written out where they are read. Their assignments go with all that is dead.
static void write_out_indices(struct compose *x, struct compose_half *h) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = h->body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        uint32_t assigned = 0;
        for (ir_stmt t = h->body; t; t = u->stmts[t].next)
            assigned += u->stmts[t].kind == IR_ASSIGN && u->stmts[t].assign.var == n.assign.var;
        bool index =
            n.kind == IR_ASSIGN && assigned == 1 && u->vars[n.assign.var].type != IR_F32 && is_index(u, n.assign.value);
        if (index) pass_substitute(u, n.next, n.assign.var, n.assign.value);
    }
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// The load is of the state: which part, and how far from the iteration's own element. Nowhere does it leave the array.
static bool read_state(struct compose *x, const struct compose_half *from, struct compose_load *out) {
    const struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[out->load];
    out->part = -1;
    for (uint32_t k = 0; k < COMPOSE_PARTS && out->part < 0; k++) {
        const struct compose_part *part = &from->parts[k];
        bool same = part->array == n.a;
        for (uint32_t d = 0; d < part->lead_count && same; d++) {
            uint32_t bits;
            same = ir_is_const(u, u->args[n.b + d], &bits) && bits == part->lead[d];
        }
        if (same) out->part = (int)k;
    }
    if (out->part < 0) return false;
    const struct compose_part *part = &from->parts[out->part];
    for (uint32_t d = 0; d < x->dims; d++) {
        uint32_t size = compose_size(u, part, d);
        if (!offset_of(x, d, u->args[n.b + part->lead_count + d], &out->at[d])) return false;
        if (!x->wraps[d] && (x->lo[d] + out->at[d] < 0 || x->hi[d] - 1 + out->at[d] >= (int32_t)size)) return false;
    }
    return true;
}

static bool read_load(struct compose *x, uint32_t half, ir_expr e, bool lazy) {
    struct ir_unit *u = x->u;
    struct compose_half *h = &x->halves[half];
    const struct ir_node n = u->nodes[e];
    const struct ir_array_info *info = &u->arrays[n.a];
    for (uint32_t i = 0; i < n.n; i++)
        if (!is_index(u, u->args[n.b + i])) return false;
    if (info->klass == IR_ARRAY_LOCAL || info->klass == IR_ARRAY_STAGED || info->atomic || is_part_of(h, n.a))
        return false;
    struct compose_load load = {.load = e, .part = -1};
    bool state = is_part_of(&x->halves[1 - half], n.a);
    if (state ? !read_state(x, &x->halves[1 - half], &load) : lazy) return false;
    for (uint32_t k = 0; k < h->load_count; k++)
        if (ir_same_expr(u, h->loads[k].load, e)) return true;
    if (h->load_count == COMPOSE_LOADS) return false;
    load.var = ir_add_var(u, "v", (enum ir_type)n.type, IR_VAR_LOCAL, n.loc);
    h->loads[h->load_count++] = load;
    return true;
}

// lazy: C may not evaluate the expression.
static bool read_loads(struct compose *x, uint32_t half, ir_expr e, bool lazy) {
    const struct ir_node n = x->u->nodes[e];
    if (n.op == IR_LOAD) return read_load(x, half, e, lazy);
    bool chooses = n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR;
    const ir_expr operands[] = {n.a, n.b, n.c};
    x->halves[half].operations += ir_cost(&n);
    for (uint32_t i = 0; i < ir_ops[n.op].arity; i++)
        if (!read_loads(x, half, operands[i], lazy || (chooses && i > 0))) return false;
    return true;
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

// A copy of the body, in names of its own and of the first loop's index variables, that assigns what was stored.
static bool read_stores(struct compose *x, uint32_t half, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    struct compose_half *h = &x->halves[half];
    h->parfor = parfor;
    if (!read_space(x, parfor, half == 0)) return false;
    for (ir_stmt s = u->stmts[parfor].parfor.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_STORE && (n->kind != IR_ASSIGN || n->flags & IR_FLAG_ATOMIC || n->assign.run ||
                                    u->vars[n->assign.var].klass != IR_VAR_LOCAL))
            return false;
    }
    uint32_t *exposed = pass_exposed(u, u->stmts[parfor].parfor.body);
    for (ir_var v = 1; v < u->var_count; v++)
        if (ir_bit(exposed, v) && u->vars[v].klass == IR_VAR_LOCAL) return false;
    h->body = pass_copy_phases(u, u->stmts[parfor].parfor.body);
    for (uint32_t k = 0; k < x->dims; k++)
        pass_substitute(u, h->body, u->dims[u->stmts[parfor].parfor.dims + k].var,
                        ir_var_read(u, x->vars[k], u->stmts[parfor].loc));
    for (ir_stmt s = h->body; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_STORE && !read_store(x, h, s)) return false;
    return true;
}

static bool read_body(struct compose *x, uint32_t half) {
    struct ir_unit *u = x->u;
    struct compose_half *h = &x->halves[half];
    write_out_indices(x, h);
    for (ir_stmt s = h->body; s; s = u->stmts[s].next)
        if (!read_loads(x, half, u->stmts[s].assign.value, false)) return false;
    ir_expr loads[COMPOSE_LOADS];
    ir_var vars[COMPOSE_LOADS];
    for (uint32_t k = 0; k < h->load_count; k++) {
        loads[k] = h->loads[k].load;
        vars[k] = h->loads[k].var;
    }
    pass_replace_loads(u, h->body, loads, vars, h->load_count);
    return true;
}

// ---- cells and values -----------------------------------------------------------------------------------------------

static bool find_cells(struct compose *x) {
    const struct compose_half *h = &x->halves[1];
    for (uint32_t l = 0; l < h->load_count; l++) {
        uint32_t q = 0;
        if (h->loads[l].part < 0) continue;
        while (q < x->cell_count && memcmp(x->cells[q], h->loads[l].at, sizeof x->cells[q]))
            q++;
        if (q == COMPOSE_CELLS) return false;
        if (q == x->cell_count) memcpy(x->cells[x->cell_count++], h->loads[l].at, sizeof x->cells[q]);
        x->needs[q][h->loads[l].part] = true;
    }
    return x->cell_count > 0;
}

static bool has_var(void *user, ir_expr e) {
    struct {
        const struct compose *x;
        bool found;
    } *v = user;
    const struct ir_node *n = &v->x->u->nodes[e];
    for (uint32_t k = 0; k < v->x->dims; k++)
        v->found |= n->op == IR_VAR && n->a == v->x->vars[k];
    return true;
}

// The value's number; COMPOSE_VALUES: there are too many.
static uint32_t number_of(struct compose *x, const struct compose_load *load, const int32_t *cell) {
    struct compose_value v = {.part = load->part, .load = load->part < 0 ? load->load : 0};
    struct {
        const struct compose *x;
        bool found;
    } moves = {x, load->part >= 0};
    ir_walk_expr(x->u, v.load, has_var, &moves);
    uint32_t at = 0;
    for (uint32_t k = 0; k < x->dims && moves.found; k++)
        v.at[k] = cell[k] + load->at[k];
    while (at < x->value_count && (x->values[at].part != v.part || memcmp(x->values[at].at, v.at, sizeof v.at) ||
                                   !ir_same_expr(x->u, x->values[at].load, v.load)))
        at++;
    if (at < COMPOSE_VALUES && at == x->value_count) x->values[x->value_count++] = v;
    return at;
}

static bool find_values(struct compose *x) {
    static const int32_t own[COMPOSE_DIMS];
    const struct compose_half *first = &x->halves[0], *second = &x->halves[1];
    for (uint32_t q = 0; q < x->cell_count; q++)
        for (uint32_t l = 0; l < first->load_count; l++)
            if ((x->value_of[q][l] = number_of(x, &first->loads[l], x->cells[q])) == COMPOSE_VALUES) return false;
    for (uint32_t l = 0; l < second->load_count; l++)
        if (second->loads[l].part < 0 &&
            (x->value_of_second[l] = number_of(x, &second->loads[l], own)) == COMPOSE_VALUES)
            return false;
    // Values are told apart by how far they are, around a space too: that must be less than once around it. (Of spaces
    // with an edge: some of it should be inside.)
    for (uint32_t k = 0; k < x->dims; k++) {
        int32_t low = 0, high = 0;
        if (x->wraps[k] && x->leaves[k]) return false;
        for (uint32_t v = 0; v < x->value_count; v++) {
            low = x->values[v].at[k] < low ? x->values[v].at[k] : low;
            high = x->values[v].at[k] > high ? x->values[v].at[k] : high;
        }
        if (high - low >= x->hi[k] - x->lo[k]) return false;
    }
    return true;
}

bool compose_find(struct compose *x, ir_stmt loop) {
    const struct ir_unit *u = x->u;
    ir_stmt first = u->stmts[loop].counted.body, second = first ? u->stmts[first].next : 0;
    if (!second || u->stmts[second].next || u->stmts[first].kind != IR_PARFOR || u->stmts[second].kind != IR_PARFOR)
        return false;
    return read_stores(x, 0, first) && read_stores(x, 1, second) && parts_agree(x) && read_body(x, 0) &&
           read_body(x, 1) && find_cells(x) && find_values(x);
}
