// Loads of an element that the iteration has loaded before, with nothing written to its array since then, take the
// value of the first one (redundant load elimination):
//
//   a[i] += v[p] * w0;  b[i] += v[p] * w1;        v0 = v[p];  a[i] += v0 * w0;  b[i] += v0 * w1;
//
// A driver's compiler does that by itself as long as it knows that nobody writes in between. It does not where
// workgroups share the array, each load of which then goes past the nearest cache, nor where an atomic or another array
// of the same buffer is written. Arrays that nobody writes are left to it.
//
// The law: in C without races, nobody else writes what an iteration reads without atomics.
#include "pass/cost.h"
#include "pass/passes.h"

struct entry {
    ir_expr load;
    ir_stmt at;     // the statement that makes it first
    uint32_t depth; // of the blocks around that
    uint32_t uses;  // later ones
    uint32_t place; // number of the statement
    bool live;      // nothing it depends on was written since then
    bool doubtful;  // something else was, or workgroups may share the array: a driver would load it again
    ir_var var;     // 0: it is not kept
};
struct use {
    ir_stmt s;
    uint32_t entry;
};
struct eliminator {
    struct pass_cx *p;
    struct ir_unit *u;
    const bool *arrays; // whose loads are looked at
    struct entry *entries;
    uint32_t count, cap;
    struct use *uses;
    uint32_t use_count, use_cap;
    bool grid;  // workgroups of one kernel share arrays
    ir_stmt at; // whose expressions are looked at
    uint32_t place;
    uint32_t depth;
    bool sure; // what is looked at is evaluated once, whenever the statement is reached
    uint32_t merged;
};

// ---- what is known --------------------------------------------------------------------------------------------------

struct dependence {
    const struct ir_unit *u;
    const struct ir_effects *written;
    bool any;
};
static bool on_dependence(void *user, ir_expr e) {
    struct dependence *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->any |= (n->op == IR_VAR && ir_bit(x->written->vars_written, n->a)) ||
              (n->op == IR_LOAD && ir_bit(x->written->arrays_written, n->a));
    return !x->any;
}

// Forgets what the statement may change, with all that is in it.
static void forget(struct eliminator *x, ir_stmt s) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct ir_effects written = ir_effects_of_one(x->u, s);
    bool writes = false;
    for (ir_array a = 1; a < x->u->array_count; a++)
        writes |= ir_bit(written.arrays_written, a) && ir_in_buffer(x->u, a);
    for (uint32_t i = 0; i < x->count; i++) {
        struct dependence d = {x->u, &written, false};
        if (x->entries[i].live) ir_walk_expr(x->u, x->entries[i].load, on_dependence, &d);
        x->entries[i].live &= !d.any;
        x->entries[i].doubtful |= writes;
    }
    base_scratch_end(x->u->cx, &scratch);
}

// What was loaded first in a block may not have been behind it.
static void leave(struct eliminator *x) {
    for (uint32_t i = 0; i < x->count; i++)
        x->entries[i].live &= x->entries[i].depth < x->depth;
    x->depth--;
}

struct search {
    const struct eliminator *x;
    bool found;
};
static bool on_other_load(void *user, ir_expr e) {
    struct search *s = user;
    const struct ir_node *n = &s->x->u->nodes[e];
    s->found |= n->op == IR_LOAD && s->x->arrays[n->a];
    return !s->found;
}
// Another round looks at loads whose places are loaded, once these are kept.
static bool has_known_place(const struct eliminator *x, const struct ir_node *load) {
    struct search s = {x, false};
    for (uint32_t i = 0; i < load->n; i++)
        ir_walk_expr(x->u, x->u->args[load->b + i], on_other_load, &s);
    return !s.found;
}

static bool look(void *user, ir_expr e) {
    struct eliminator *x = user;
    const struct ir_node n = x->u->nodes[e];
    bool sure = x->sure;
    if (n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR) {
        ir_walk_expr(x->u, n.a, look, x);
        x->sure = false;
        ir_walk_expr(x->u, n.b, look, x);
        if (n.op == IR_SELECT) ir_walk_expr(x->u, n.c, look, x);
        x->sure = sure;
        return false;
    }
    if (n.op != IR_LOAD || !x->arrays[n.a] || !has_known_place(x, &n)) return true;
    for (uint32_t i = 0; i < x->count; i++) {
        struct entry *known = &x->entries[i];
        if (!known->live || x->u->nodes[known->load].a != n.a || !ir_same_expr(x->u, known->load, e)) continue;
        known->live = x->place - known->place <= PASS_REDUNDANT_DISTANCE;
        if (!known->live) break;
        if (!known->doubtful) return true;
        known->uses++;
        BASE_RESERVE(x->u->cx, x->uses, x->use_count, x->use_cap);
        x->uses[x->use_count++] = (struct use){x->at, i};
        return true;
    }
    if (!sure || x->count == PASS_REDUNDANT_LOADS) return true;
    BASE_RESERVE(x->u->cx, x->entries, x->count, x->cap);
    x->entries[x->count++] =
        (struct entry){.load = e, .at = x->at, .place = x->place, .depth = x->depth, .live = true, .doubtful = x->grid};
    return true;
}

static void look_at_block(struct eliminator *x, ir_stmt block) {
    x->depth++;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        struct ir_visitor visitor = {.on_node = look, .user = x};
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        x->at = s;
        x->place++;
        x->sure = n->kind != IR_LOOP;
        if (n->kind == IR_LOOP) forget(x, s);
        if (!(n->flags & IR_FLAG_ATOMIC)) ir_walk_stmt(x->u, s, &visitor);
        if (n->kind == IR_FOR) forget(x, s);
        for (uint32_t i = 0; i < blocks; i++)
            look_at_block(x, inner[i]);
        if (!blocks) forget(x, s);
    }
    leave(x);
}

// ---- what is kept ---------------------------------------------------------------------------------------------------

static ir_expr replace(void *user, ir_expr e) {
    const struct eliminator *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || !x->arrays[n.a]) return e;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->entries[i].live && ir_same_expr(x->u, x->entries[i].load, e))
            return ir_var_read(x->u, x->entries[i].var, n.loc);
    return e;
}

// In the statement, loads of these entries alone.
static void replace_in(struct eliminator *x, ir_stmt s) {
    ir_map_stmt(x->u, s, replace, x);
    for (uint32_t i = 0; i < x->count; i++)
        x->entries[i].live = false;
}

static ir_stmt keep(void *user, ir_stmt s) {
    struct eliminator *x = user;
    ir_stmt front = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        struct entry *e = &x->entries[i];
        if (e->at != s || !e->var) continue;
        ir_append(x->u, &front, ir_assign(x->u, e->var, e->load, x->u->nodes[e->load].loc));
        e->live = true;
    }
    if (front) replace_in(x, s);
    return front;
}

static uint32_t merge(struct eliminator *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    uint32_t kept = 0, room = x->p->target->register_budget;
    x->count = x->use_count = 0;
    look_at_block(x, u->stmts[parfor].parfor.body);
    for (uint32_t i = 0; i < x->count; i++) {
        struct entry *e = &x->entries[i];
        const struct ir_node load = u->nodes[e->load];
        e->live = false;
        if (!e->uses || kept == room) continue;
        e->var =
            ir_add_var(u, base_format(u->cx, "%s_kept", u->arrays[load.a].name), load.type, IR_VAR_LOCAL, load.loc);
        kept++;
    }
    if (!kept) return 0;
    for (uint32_t i = 0, end; i < x->use_count; i = end) {
        for (end = i; end < x->use_count && x->uses[end].s == x->uses[i].s; end++)
            x->entries[x->uses[end].entry].live = x->entries[x->uses[end].entry].var != 0;
        replace_in(x, x->uses[i].s);
    }
    struct pass_rewriter w = {.u = u, .user = x, .before = keep};
    ir_stmt body = pass_rewrite_block(&w, u->stmts[parfor].parfor.body);
    u->stmts[parfor].parfor.body = body;
    return kept;
}

// By array: the program writes it, and this iteration without atomics, if at all. What lanes share of one iteration
// (expand.c) is near, or becomes local again.
static bool *written_elsewhere(struct ir_unit *u, ir_stmt body) {
    struct base_scratch scratch = base_scratch_begin(u->cx); // there may be many loops
    struct ir_effects fx = ir_effects_of(u, body);
    bool *out = base_alloc_array(u->cx, u->array_count, sizeof *out);
    for (ir_array a = 1; a < u->array_count; a++)
        out[a] = (u->arrays[a].klass == IR_ARRAY_INOUT || u->arrays[a].klass == IR_ARRAY_SCRATCH) &&
                 !u->arrays[a].expanded && !(u->arrays[a].atomic && ir_bit(fx.arrays_written, a));
    out = base_scratch_keep(u->cx, &scratch, out, u->array_count * sizeof *out);
    base_scratch_end(u->cx, &scratch);
    return out;
}

static bool eliminate(void *user, ir_stmt parfor) {
    struct eliminator *x = user;
    if (x->u->stmts[parfor].kind != IR_PARFOR) return true;
    x->arrays = written_elsewhere(x->u, x->u->stmts[parfor].parfor.body);
    for (uint32_t round = 0, kept = 1; round < PASS_REDUNDANT_ROUNDS && kept; round++)
        x->merged += kept = merge(x, parfor);
    return false;
}

void pass_redundant(struct pass_cx *p) {
    struct eliminator x = {.p = p, .u = p->u, .grid = p->one_kernel && pass_needs_grid(p->u)};
    ir_walk_stmts(p->u, p->u->root, eliminate, &x);
    if (x.merged)
        base_text_format(p->explain,
                         "redundant: %u element%s that an iteration loads several times %s kept in registers\n",
                         x.merged, base_s(x.merged), x.merged == 1 ? "is" : "are");
}
