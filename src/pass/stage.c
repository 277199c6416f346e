// Vectors that every iteration reads are copied into workgroup memory before the phase: what other workgroups have written lives in
// atomic words, whose loads go past the nearest cache and are not overlapped with each other.
//
// Taken are arrays of constant size that the phase does not write, something else in the program does, and a loop with many passes
// reads at places that do not depend on the iteration; the smallest first, as long as the workgroup's memory lasts.
#include "pass/passes.h"

enum { LEAST_PASSES = 32, LANES_BYTES = 4096 }; // the second: what pass_lanes may need beside

struct stager {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_stmt parfor;
    struct ir_effects all, body; // of the program, of the phase
    bool *wanted;                // by array
    uint32_t *counters;          // variables of loops in the phase, a bit each
    bool in_loop;
    uint32_t count;
};

struct invariant {
    const struct stager *x;
    bool holds;
};

// A variable that tells iterations apart: set in the body, but not by a loop.
static bool on_index(void *user, ir_expr e) {
    struct invariant *v = user;
    const struct ir_unit *u = v->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) v->holds = false;
    if (n->op == IR_VAR && u->vars[n->a].klass == IR_VAR_DIM) v->holds = false;
    if (n->op == IR_VAR && u->vars[n->a].klass == IR_VAR_LOCAL && !ir_bit(v->x->counters, n->a)) v->holds = false;
    return v->holds;
}

static bool on_node(void *user, ir_expr e) {
    struct stager *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || !x->in_loop || !ir_in_buffer(x->u, n->a)) return true;
    struct invariant v = {x, true};
    for (uint32_t i = 0; i < n->n; i++)
        ir_walk_expr(x->u, x->u->args[n->b + i], on_index, &v);
    x->wanted[n->a] |= v.holds;
    return true;
}

static bool on_counter(void *user, ir_stmt s) {
    struct stager *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_FOR) x->counters[n->a / 32] |= 1u << n->a % 32;
    return true;
}

static void on_expr(void *user, ir_stmt s, ir_expr e) {
    (void)s;
    struct stager *x = user;
    ir_walk_expr(x->u, e, on_node, x);
}

// Loads in the loops of the block that make many passes.
static void find_loads(struct stager *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        uint64_t trips;
        if (n.kind == IR_IF) {
            find_loads(x, n.b);
            find_loads(x, n.c);
        } else if (n.kind == IR_FOR && pass_const_trips(x->u, s, &trips) && trips >= LEAST_PASSES) {
            struct ir_visitor visitor = {.on_expr = on_expr, .user = x};
            x->in_loop = true;
            ir_walk_block(x->u, n.e, &visitor);
            x->in_loop = false;
        } else if (n.kind == IR_FOR) {
            find_loads(x, n.e);
        }
    }
}

static uint64_t words_of(const struct ir_unit *u, ir_array a) {
    uint64_t words = 1;
    for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
        uint32_t bits;
        if (!ir_is_const(u, u->arrays[a].dims[d], &bits) || (words *= bits) > 1u << 20) return UINT64_MAX;
    }
    return words;
}

struct renaming {
    struct ir_unit *u;
    ir_array from, to;
};
static ir_expr rename_node(void *user, ir_expr e) {
    struct renaming *r = user;
    const struct ir_node n = r->u->nodes[e];
    if (n.op != IR_LOAD || n.a != r->from) return e;
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n.n; i++)
        indices[i] = r->u->args[n.b + i];
    return ir_load(r->u, r->to, indices, n.n, n.loc);
}

// The statements that stand before the phase.
static ir_stmt stage_phase(struct stager *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[parfor].e, out = 0;
    x->body = ir_effects_of(u, body);
    x->wanted = base_alloc_array(u->cx, u->array_count, sizeof *x->wanted);
    x->counters = base_alloc_array(u->cx, u->var_count / 32 + 1, sizeof *x->counters);
    struct ir_visitor counters = {.on_stmt = on_counter, .user = x};
    ir_walk_block(u, body, &counters);
    find_loads(x, body);
    uint64_t used = 0, room = (x->p->profile->workgroup_bytes - LANES_BYTES) / 4;
    for (uint32_t arrays = u->array_count;;) {
        ir_array best = 0;
        uint64_t least = UINT64_MAX;
        for (ir_array a = 1; a < arrays; a++) {
            const struct ir_array_info *info = &u->arrays[a];
            if (!x->wanted[a] || !ir_bit(x->all.arrays_written, a) || ir_bit(x->body.arrays_written, a) ||
                info->atomic || (info->elem != IR_ELEM_F32 && info->elem != IR_ELEM_I32 && info->elem != IR_ELEM_U32))
                continue;
            uint64_t words = words_of(u, a);
            if (words < least) least = words, best = a;
        }
        if (!best || used + least > room) return out;
        x->wanted[best] = false;
        const struct ir_array_info info = u->arrays[best];
        ir_array staged =
            ir_add_array(u, info.name, (enum ir_elem)info.elem, IR_ARRAY_STAGED, info.ndims, info.dims, info.loc);
        u->arrays[staged].data_count = (uint32_t)used;
        used += least;
        ir_stmt copy = ir_add_stmt(u, IR_STAGE, u->stmts[parfor].loc);
        u->stmts[copy].a = staged;
        u->stmts[copy].b = best;
        ir_append(u, &out, copy);
        struct renaming r = {u, best, staged};
        ir_map_block(u, body, rename_node, &r);
        base_text_format(x->p->explain, "stage: the loop at line %u reads '%s' from workgroup memory\n",
                         u->cx->locs[u->stmts[parfor].loc].line, info.name);
    }
}

static ir_stmt stage_block(struct stager *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_stmt inner;
        if (u->stmts[s].kind == IR_PARFOR) {
            inner = stage_phase(x, s);
            if (inner) ir_append(u, &out, inner);
        } else if (u->stmts[s].kind == IR_IF) {
            inner = stage_block(x, u->stmts[s].b);
            u->stmts[s].b = inner;
            inner = stage_block(x, u->stmts[s].c);
            u->stmts[s].c = inner;
        } else if ((u->stmts[s].kind == IR_FOR || u->stmts[s].kind == IR_LOOP) && pass_has_parallel(u, u->stmts[s].e)) {
            inner = stage_block(x, u->stmts[s].e);
            u->stmts[s].e = inner;
        }
        ir_append(u, &out, s);
    }
    return out;
}

void pass_stage(struct pass_cx *p) {
    struct stager x = {.p = p, .u = p->u, .all = ir_effects_of(p->u, p->u->root)};
    p->u->root = stage_block(&x, p->u->root);
}
