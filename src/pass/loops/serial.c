// Serial loops, which one invocation runs, several passes at once (widen.h), where nothing goes from pass to pass: no
// variable, and of each array that a pass stores to, all that it touches is its own, by the argument of depend.c on the
// loop's variable alone.
//
// It pays where neighbouring passes make the same thing, a block of random numbers for one, or where each pass would
// wait for loads: a driver does not move those up past stores to memory. What prefetch.c does for loops with anything
// between their passes needs arrays that the parallel loop never writes; here the passes of a round know nothing of
// each other, so that these may be written, too.
//
// Passes that fill no round are left as a loop behind. What a pass reads back after it was stored is taken from the
// variable.
#include "pass/cost.h"
#include "pass/loops/widen.h"
#include "pass/passes.h"

struct serial {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt body; // of the parallel loop
    uint32_t *left;
};

// ---- are the passes apart? ------------------------------------------------------------------------------------------

struct refusal {
    const struct ir_unit *u;
    bool found;
};
static void refuse_array(struct refusal *r, ir_array a) { r->found |= a == r->u->log || r->u->arrays[a].atomic; }
static bool on_stmt(void *user, ir_stmt s) {
    struct refusal *r = user;
    const struct ir_stmt_node *n = &r->u->stmts[s];
    r->found |= n->kind == IR_ATOMIC || n->kind == IR_AGREE || (n->kind == IR_FOR && n->flags & IR_FLAG_LANES);
    if (n->kind == IR_STORE) refuse_array(r, n->store.array);
    return !r->found;
}
static bool on_node(void *user, ir_expr e) {
    struct refusal *r = user;
    if (r->u->nodes[e].op == IR_LOAD) refuse_array(r, r->u->nodes[e].a);
    return !r->found;
}

// What other invocations may see, or do, while the loop runs.
static bool is_public(const struct ir_unit *u, ir_stmt body) {
    struct refusal r = {u, false};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_node, .user = &r};
    ir_walk_block(u, body, &visitor);
    return r.found;
}

static bool owns_elements(struct serial *x, ir_stmt loop, uint64_t trips) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[loop];
    struct pass_space space = {.n = 1, .vars = {n.counted.var}, .extents = {trips}, .steps = {n.counted.step}};
    struct pass_accesses list = {.with_locals = true};
    struct ir_effects fx = ir_effects_of(u, n.counted.body);
    pass_collect_inside(x->sc, loop, &list);
    bool owned = true;
    for (ir_array a = 1; a < u->array_count && owned; a++)
        if (ir_bit(fx.arrays_written, a)) owned = pass_owned(x->sc, &list, a, &space);
    return owned;
}

static bool is_apart(struct serial *x, ir_stmt loop, uint64_t trips) {
    struct ir_unit *u = x->u;
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count = 0, *reads;
    ir_stmt body = u->stmts[loop].counted.body;
    if (pass_leaves_loop(u, body) || is_public(u, body)) return false;
    struct base_scratch scratch = base_scratch_begin(u->cx);
    reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
    pass_count_reads(u, x->body, reads);
    bool reduces = !pass_simd_reductions(u, body, reads, list, &count) || count;
    base_scratch_end(u->cx, &scratch);
    return !reduces && owns_elements(x, loop, trips);
}

// ---- what is read back ----------------------------------------------------------------------------------------------

static bool keeps_bits(enum whorl_dtype elem) {
    return elem == WHORL_F32 || elem == WHORL_I32 || elem == WHORL_U32 || elem == WHORL_BOOL;
}

// In `later` and what follows, as long as nothing changes the element or its index.
static void read_from(struct ir_unit *u, ir_stmt later, ir_expr element, ir_var value) {
    struct ir_effects names = ir_effects_empty(u);
    ir_array array = u->nodes[element].a;
    ir_expr_effects(u, element, &names);
    names.vars_read[value / 32] |= 1u << value % 32;
    for (ir_stmt s = later, next; s; s = next) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        next = u->stmts[s].next;
        if (ir_reads_written(&names, &fx)) return; // the array is among those that the element's load reads
        if (!ir_bit(fx.arrays_read, array)) continue;
        u->stmts[s].next = 0;
        pass_replace_loads(u, s, &element, &value, 1);
        u->stmts[s].next = next;
    }
}

// Stores at the top of the body.
static void read_back(struct ir_unit *u, ir_stmt body) {
    for (ir_stmt s = body, next; s; s = next) {
        next = u->stmts[s].next;
        const struct ir_stmt_node n = u->stmts[s];
        struct ir_effects later = ir_effects_of(u, next);
        if (n.kind != IR_STORE || !keeps_bits((enum whorl_dtype)u->arrays[n.store.array].elem) ||
            !ir_bit(later.arrays_read, n.store.array))
            continue;
        ir_expr indices[IR_MAX_DIMS];
        for (uint32_t i = 0; i < n.store.index_count; i++)
            indices[i] = u->args[n.store.indices + i];
        ir_var value = u->nodes[n.store.value].op == IR_VAR ? u->nodes[n.store.value].a : 0;
        if (!value) { // the store becomes the assignment, and a new one follows
            value = ir_add_var(u, u->arrays[n.store.array].name, (enum ir_type)u->nodes[n.store.value].type,
                               IR_VAR_LOCAL, n.loc);
            ir_expr kept = ir_var_read(u, value, n.loc);
            ir_stmt store = ir_add_stmt(u, IR_STORE, n.loc);
            u->stmts[store] = n;
            u->stmts[store].store.value = kept;
            ir_make_assign(&u->stmts[s], value, n.store.value);
            u->stmts[s].next = store;
        }
        read_from(u, next, ir_load(u, n.store.array, indices, n.store.index_count, n.loc), value);
    }
}

// By array, true where a load may come after a store to it in a pass: such accesses keep their places.
static bool *read_again(struct ir_unit *u, ir_stmt body) {
    bool *again = base_alloc_array(u->cx, u->array_count, sizeof *again);
    struct ir_effects before = ir_effects_empty(u);
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        bool inner = u->stmts[s].kind != IR_STORE;
        for (ir_array a = 1; a < u->array_count; a++)
            again[a] |= ir_bit(fx.arrays_read, a) &&
                        (ir_bit(before.arrays_written, a) || (inner && ir_bit(fx.arrays_written, a)));
        for (uint32_t w = 0; w < fx.array_words; w++)
            before.arrays_written[w] |= fx.arrays_written[w];
    }
    return again;
}

// ---- does it pay? ---------------------------------------------------------------------------------------------------

static uint32_t size_of_one(struct ir_unit *u, ir_stmt s) {
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    uint32_t size = pass_size(u, s);
    u->stmts[s].next = next;
    return size;
}

// What the passes have in common is worth it: a loop or some statements, that depend on which passes they are. (What
// does not is done before the loop, by any driver.)
static bool has_worth(const struct pass_widener *x) {
    struct ir_unit *u = x->u;
    struct ir_effects of_place = ir_effects_empty(u);
    uint32_t size = 0;
    bool loops = false;
    for (ir_stmt s = u->stmts[x->loop].counted.body; s; s = u->stmts[s].next) {
        if (!x->group.same[s]) continue;
        struct ir_effects fx = ir_effects_of_one(u, s);
        if (!ir_bit(fx.vars_read, x->var) && !ir_sets_meet(fx.vars_read, of_place.vars_written, fx.var_words)) continue;
        for (uint32_t w = 0; w < fx.var_words; w++)
            of_place.vars_written[w] |= fx.vars_written[w];
        size += size_of_one(u, s);
        loops |= u->stmts[s].kind == IR_FOR || u->stmts[s].kind == IR_LOOP;
    }
    return loops || size >= PASS_SERIAL_LEAST_COMMON;
}

struct memory {
    const struct ir_unit *u;
    bool stores, loops;
};
static bool on_memory(void *user, ir_stmt s) {
    struct memory *m = user;
    const struct ir_stmt_node *n = &m->u->stmts[s];
    m->stores |= n->kind == IR_STORE && ir_in_buffer(m->u, n->store.array);
    m->loops |= n->kind == IR_FOR || n->kind == IR_LOOP;
    return true;
}

// Loads of a pass, that are known when it begins, behind stores of the one before.
static bool waits(const struct pass_widener *x) {
    struct memory m = {x->u, false, false};
    bool loads = false;
    ir_walk_stmts(x->u, x->u->stmts[x->loop].counted.body, on_memory, &m);
    for (uint32_t i = 0; i < x->count; i++)
        loads |= x->rows[i].load != 0;
    return loads && m.stores && !m.loops;
}

// Statements of the wide body, about.
static uint32_t wide_size(const struct pass_widener *x) {
    uint32_t once = 0, each = x->count;
    for (ir_stmt s = x->u->stmts[x->loop].counted.body; s; s = x->u->stmts[s].next)
        *(x->group.same[s] ? &once : &each) += size_of_one(x->u, s);
    return once + each * x->together;
}

// ---- the loop -------------------------------------------------------------------------------------------------------

// The passes from `from` on, as they were.
static ir_stmt rest_of(struct ir_unit *u, const struct ir_stmt_node *n, uint32_t from) {
    const struct ir_var_info info = u->vars[n->counted.var];
    ir_var var = ir_add_var(u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
    pass_substitute(u, n->counted.body, n->counted.var, ir_var_read(u, var, n->loc));
    return ir_for(u, var, ir_const(u, (enum ir_type)info.type, from), n->counted.hi, n->counted.step, n->counted.body,
                  n->loc);
}

// True: `*rest`, 0 for none, is to follow the loop.
static bool widen(struct serial *x, ir_stmt s, ir_stmt *rest) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips;
    uint32_t lo;
    if (n.kind != IR_FOR || n.flags & IR_FLAG_LANES || n.counted.step != 1 || !ir_const_trips(u, s, &trips) ||
        !ir_is_const(u, n.counted.lo, &lo) || trips < PASS_SERIAL_LEAST_TRIPS || lo % PASS_SERIAL_TOGETHER ||
        lo + trips > INT32_MAX || !is_apart(x, s, trips))
        return false;
    ir_stmt copy = ir_clone_block(u, n.counted.body, NULL,
                                  NULL); // its body stays as it is, for the rest or if nothing comes of it
    u->stmts[s].counted.body = copy;
    read_back(u, copy);
    pass_group_inline(u, s);
    struct pass_widener w = {
        .u = u, .loop = s, .var = n.counted.var, .serial = true, .body = ir_effects_of(u, copy), .streams = 1};
    w.again = read_again(u, copy);
    pass_find_rows(&w);
    uint32_t *exposed = pass_exposed(u, copy), size = pass_size(u, n.counted.body), grows = 0;
    bool shares = false, pays = false;
    for (w.together = PASS_SERIAL_TOGETHER; w.together > 1 && !pays; w.together /= 2) {
        w.group = pass_group_of(u, s, w.together, exposed);
        shares = has_worth(&w);
        grows = wide_size(&w) - size;
        pays = (shares || waits(&w)) && grows <= PASS_WIDE_STATEMENTS && grows + size <= *x->left;
        if (pays) break;
    }
    if (!pays) {
        u->stmts[s].counted.body = n.counted.body;
        return false;
    }
    uint32_t rounds = (uint32_t)trips / w.together, passed = rounds * w.together;
    ir_stmt wide = pass_wide_body(&w, exposed);
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    ir_expr first = ir_const(u, type, lo / w.together), end = ir_const(u, type, lo / w.together + rounds);
    *rest = passed < trips ? rest_of(u, &n, lo + passed) : 0;
    u->stmts[s].counted.lo = first;
    u->stmts[s].counted.hi = end;
    u->stmts[s].counted.body = wide;
    *x->left -= grows + (*rest ? size : 0);
    base_text_format(x->p->explain, "widen: the loop at line %u makes %u passes at once%s\n", u->cx->locs[n.loc].line,
                     w.together, shares ? "; what these have in common is done once" : ", their loads first");
    return true;
}

static void serial_block(struct serial *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block, rest = 0; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (n.kind == IR_IF) {
            serial_block(x, n.branch.then_block);
            serial_block(x, n.branch.else_block);
        }
        if (n.kind != IR_FOR && n.kind != IR_LOOP) continue;
        if (widen(x, s, &rest)) {
            if (!rest) continue;
            u->stmts[rest].next = n.next;
            u->stmts[s].next = rest;
            s = rest;
            continue;
        }
        uint32_t around = pass_scope_enter(x->sc);
        pass_scope_loop(x->sc, s);
        serial_block(x, ir_body_of(&n));
        pass_scope_leave(x->sc, around);
    }
    pass_scope_leave(x->sc, mark);
}

void pass_widen_serial(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, uint32_t *left) {
    struct serial x = {.p = p, .u = p->u, .sc = sc, .body = p->u->stmts[parfor].parfor.body, .left = left};
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    serial_block(&x, x.body);
    pass_scope_leave(sc, mark);
}
