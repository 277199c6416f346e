// Unrolls short counted loops whose bodies touch arrays, innermost first. Those come first whose copies make variables
// of local arrays (analysis/elements.c); with the statements that are left others follow, so that loads of a policy's
// weights become loop-invariant. Time and layer loops are long and stay. Last come loops of a few passes that only
// compute, rounds of a random number for one: what changes by the pass becomes a constant there, and the loop's own
// work, which a WebGPU library doubles by counting passes, goes away.
//
// A triangle, for (i < 4) for (k < i): how long the inner loop is follows when the outer one is unrolled. So a last
// walk tries each triangle, and keeps what comes of it if all loops in it over arrays went away, and the text that it
// became fits into what the loops of the walks before left of the limits.
//
// The law: copies in the order of the passes, each with its counter's value, are what the loop did; a triangle is that
// twice, as the inner loop's bounds are constants in each copy of the outer one.
#include "pass/cost.h"
#include "pass/passes.h"

struct unroller {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t size;             // of the current parallel loop's body
    uint32_t rest;             // of the unit outside of it, if all becomes one kernel with barriers; else 0
    bool computing;            // third walk: loops without arrays
    const bool *chosen;        // by array: only loops whose counters choose elements of these; NULL: all loops
    const bool *scalars;       // by array: those of the parallel loop that become variables (pass_scalars_of)
    const bool **scalars_of;   // by parallel loop, as it was before any walk
    bool for_scalars;          // first walk: loops that choose elements of those
    bool innermost;            // only loops without others in them
    bool triangle;             // last walk: what is in the copies of loops that say how long those in them are
    uint32_t elements;         // added to the parallel loop, of arrays that stay in memory; triangles count apart
    struct pass_text added[2]; // to the program: [by loops that touch an array of the iteration alone]
    uint32_t unrolled, skipped, dear;
    base_loc skipped_at, dear_at; // the first ones
};

struct touched {
    const struct ir_unit *u;
    bool any, local, loops, boxes;
};

static void touch(struct touched *t, ir_array a) {
    t->any = true;
    t->local |= t->u->arrays[a].klass == IR_ARRAY_LOCAL;
    t->boxes |= t->u->arrays[a].is_box;
}

static bool touch_node(void *user, ir_expr e) {
    struct touched *t = user;
    if (t->u->nodes[e].op == IR_LOAD) touch(t, t->u->nodes[e].a);
    return true;
}

static bool touch_stmt(void *user, ir_stmt s) {
    struct touched *t = user;
    t->loops |= t->u->stmts[s].kind == IR_FOR || t->u->stmts[s].kind == IR_LOOP;
    ir_array written = ir_write_of(&t->u->stmts[s]).array;
    if (written) touch(t, written);
    if (ir_box_of(t->u, &t->u->stmts[s])) touch(t, ir_box_of(t->u, &t->u->stmts[s]));
    t->loops |= t->u->stmts[s].kind == IR_TURN;
    return true;
}

static struct touched touched_by(const struct ir_unit *u, ir_stmt block) {
    struct touched t = {.u = u};
    struct ir_visitor v = {.on_stmt = touch_stmt, .on_node = touch_node, .user = &t};
    ir_walk_block(u, block, &v);
    return t;
}

// ---- what chooses elements ------------------------------------------------------------------------------------------

struct choosing {
    const struct unroller *x;
    const bool *arrays; // whose elements are asked for
    bool by_length;     // loops whose ends are made from the counter, too
    uint32_t *from;     // variables that are made from the counter
    bool any, grows;
};
static void look_at_indices(struct choosing *c, ir_array a, uint32_t first, uint32_t n) {
    for (uint32_t d = 0; d < n && c->arrays[a]; d++)
        c->any |= ir_mentions_any(c->x->u, c->x->u->args[first + d], c->from);
}
static bool on_choosing_load(void *user, ir_expr e) {
    struct choosing *c = user;
    const struct ir_node *n = &c->x->u->nodes[e];
    if (n->op == IR_LOAD) look_at_indices(c, n->a, n->b, n->n);
    return !c->any;
}
static bool on_choosing_stmt(void *user, ir_stmt s) {
    struct choosing *c = user;
    const struct ir_stmt_node *n = &c->x->u->stmts[s];
    if (n->kind == IR_STORE) look_at_indices(c, n->store.array, n->store.indices, n->store.index_count);
    bool counts = c->by_length && n->kind == IR_FOR;
    ir_var v = n->kind == IR_ASSIGN ? n->assign.var : counts ? n->counted.var : 0;
    if (v && !ir_bit(c->from, v) &&
        (counts ? ir_mentions_any(c->x->u, n->counted.lo, c->from) || ir_mentions_any(c->x->u, n->counted.hi, c->from)
                : ir_mentions_any(c->x->u, n->assign.value, c->from))) {
        c->from[v / 32] |= 1u << v % 32;
        c->grows = true;
    }
    return !c->any;
}

static bool chooses_elements(const struct unroller *x, ir_stmt loop, const bool *arrays, bool by_length) {
    const struct ir_stmt_node *n = &x->u->stmts[loop];
    struct base_scratch scratch = base_scratch_begin(x->u->cx); // there may be many loops
    struct choosing c = {.x = x, .arrays = arrays, .by_length = by_length};
    c.from = base_alloc_array(x->u->cx, x->u->var_count / 32 + 1, sizeof *c.from);
    c.from[n->counted.var / 32] |= 1u << n->counted.var % 32;
    struct ir_visitor visitor = {.on_stmt = on_choosing_stmt, .on_node = on_choosing_load, .user = &c};
    do {
        c.grows = false;
        ir_walk_block(x->u, n->counted.body, &visitor);
    } while (c.grows && !c.any);
    base_scratch_end(x->u->cx, &scratch);
    return c.any;
}

// What it chooses becomes variables.
static bool chooses_scalars(const struct unroller *x, ir_stmt loop) {
    return chooses_elements(x, loop, x->scalars, true);
}
// Of arrays that registers have room for.
static bool chooses_local_elements(const struct unroller *x, ir_stmt loop) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    bool *local = base_alloc_array(x->u->cx, x->u->array_count, sizeof *local);
    uint32_t room = x->p->target->register_budget;
    for (ir_array a = 1; a < x->u->array_count; a++)
        local[a] = x->u->arrays[a].klass == IR_ARRAY_LOCAL && pass_elements(x->u, a, 0, room) <= room;
    bool chooses = chooses_elements(x, loop, local, true);
    base_scratch_end(x->u->cx, &scratch);
    return chooses;
}

// ---- elements that are touched --------------------------------------------------------------------------------------

struct elements {
    const struct ir_unit *u;
    const bool *scalars; // by array: these become variables; NULL: elements in buffers are asked for
    uint32_t count;
};
static void count_element(struct elements *x, ir_array a) {
    bool stays = x->scalars ? x->u->arrays[a].klass == IR_ARRAY_LOCAL && !x->scalars[a] : ir_in_buffer(x->u, a);
    x->count += a && stays;
}
static bool count_load(void *user, ir_expr e) {
    struct elements *x = user;
    if (x->u->nodes[e].op == IR_LOAD) count_element(x, x->u->nodes[e].a);
    return true;
}
static bool count_store(void *user, ir_stmt s) {
    struct elements *x = user;
    count_element(x, ir_write_of(&x->u->stmts[s]).array);
    return true;
}
// Elements in memory that the block touches, each time that it does: those of buffers, or those of the iteration's own
// arrays that do not become variables.
static uint32_t elements_of(const struct ir_unit *u, ir_stmt block, const bool *scalars) {
    struct elements x = {.u = u, .scalars = scalars};
    struct ir_visitor visitor = {.on_stmt = count_store, .on_node = count_load, .user = &x};
    ir_walk_block(u, block, &visitor);
    return x.count;
}

// ---- the loops ------------------------------------------------------------------------------------------------------

static ir_stmt expand(struct unroller *x, ir_stmt s, uint64_t trips) {
    struct ir_unit *u = x->u;
    uint32_t *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads), read_count = u->var_count, lo = 0;
    pass_count_reads(u, u->root, reads);
    ir_is_const(u, u->stmts[s].counted.lo, &lo);
    struct pass_privates privates = pass_privates_of(u, u->stmts[s].counted.body, reads, read_count);
    ir_stmt out = 0;
    for (uint64_t k = 0; k < trips; k++) {
        ir_stmt copy = pass_clone_private(u, u->stmts[s].counted.body, &privates);
        ir_var var = u->stmts[s].counted.var;
        uint32_t value = lo + (uint32_t)k * u->stmts[s].counted.step;
        pass_substitute(u, copy, var, ir_const(u, u->vars[var].type, value));
        ir_append(u, &out, copy);
    }
    return out;
}

struct opening {
    const struct ir_unit *u;
    bool any;
};
static bool open_stmt(void *user, ir_stmt s) {
    struct opening *o = user;
    uint64_t trips;
    o->any |= o->u->stmts[s].kind == IR_FOR && !ir_const_trips(o->u, s, &trips);
    return !o->any;
}
static bool has_open_loops(const struct ir_unit *u, ir_stmt block) {
    struct opening o = {.u = u};
    ir_walk_stmts(u, block, open_stmt, &o);
    return o.any;
}

// It has the form of a loop that is unrolled where the copies have room.
static bool may_copy(const struct unroller *x, ir_stmt s, struct touched touched, uint64_t *out_trips) {
    const struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[s].counted.body;
    if (x->chosen && !chooses_elements(x, s, x->chosen, false)) return false;
    if (!body || pass_for_lanes(u, s) || !ir_const_trips(u, s, out_trips) || *out_trips == 0 ||
        *out_trips > (x->for_scalars ? pass_scalar_trips(u, s) : PASS_UNROLL_MOST_TRIPS) || pass_leaves_loop(u, body))
        return false;
    if (touched.any == x->computing || (touched.loops && x->innermost)) return false;
    // Passes that read boxes are several steps at once already, and stretches of them copy the boxes.
    if (touched.boxes && (touched.loops || u->stmts[s].counted.unroll > 1)) return false;
    if (x->chosen) return true;
    // In a triangle, variables are what is gained, too.
    if (x->for_scalars) return chooses_scalars(x, s);
    // A driver's compiler unrolls what is left of loops over local arrays, and then makes variables of them, too.
    if (x->triangle && touched.any && !(touched.local && *out_trips <= PASS_UNROLL_MOST_LOOPS))
        return chooses_local_elements(x, s);
    // A loop in it that stays has most of the work, and copies of that loop gain nothing else.
    return !touched.loops || *out_trips <= PASS_UNROLL_MOST_LOOPS || chooses_local_elements(x, s);
}

static bool has_statements(const struct unroller *x, uint32_t grown, uint32_t size) {
    if (x->computing && x->rest && x->rest + x->size + grown - size > PASS_UNROLL_GRID_STATEMENTS) return false;
    return (x->for_scalars || grown <= PASS_UNROLL_MOST_STATEMENTS) &&
           x->size + grown - size <= PASS_UNROLL_KERNEL_STATEMENTS;
}

static struct pass_text text_of(const struct unroller *x, ir_stmt block, ir_var index) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    bool *known = base_alloc_array(x->u->cx, x->u->var_count, sizeof *known);
    known[index] = index != 0;
    struct pass_text text = pass_text_of(x->u, block, known);
    base_scratch_end(x->u->cx, &scratch);
    if (x->p->target->busy_invocations < PASS_GPU_INVOCATIONS)
        text.branches += text.angles * PASS_BRANCH_ANGLE + text.tries * PASS_BRANCH_WHILE;
    return text;
}

// The program has room for that much text, which is then counted.
static bool add_text(struct unroller *x, struct touched touched, int64_t nodes, int64_t branches) {
    struct pass_text *added = &x->added[touched.local];
    nodes += added->nodes;
    branches += added->branches;
    // copies of boxes come with branches of their own
    if (nodes > PASS_UNROLL_MOST_NODES || branches * (touched.boxes ? 2 : 1) > PASS_UNROLL_MOST_BRANCHES) return false;
    added->nodes = nodes < 0 ? 0 : (uint32_t)nodes;
    added->branches = branches < 0 ? 0 : (uint32_t)branches;
    return true;
}

// A triangle, for which the last walk looks what becomes of the copies.
static bool is_tried_later(const struct unroller *x, ir_stmt s) {
    return !x->chosen && !x->triangle && !x->computing && has_open_loops(x->u, x->u->stmts[s].counted.body) &&
           chooses_local_elements(x, s);
}

static void note(uint32_t *io_count, base_loc *io_first, base_loc loc) {
    if (!(*io_count)++) *io_first = loc;
}

// The copies fit into what kernels and the program may become; then they are counted.
static bool may_unroll(struct unroller *x, ir_stmt s, uint64_t *out_trips) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[s].counted.body;
    struct touched touched = touched_by(u, body);
    if (!may_copy(x, s, touched, out_trips)) return false;
    uint32_t trips = (uint32_t)*out_trips, size = pass_size(u, body), grown = size * trips;
    if (x->computing && (trips > PASS_UNROLL_MOST_COMPUTING_TRIPS || grown > PASS_UNROLL_COMPUTING_STATEMENTS))
        return false;
    if (!has_statements(x, grown, size)) {
        if (!is_tried_later(x, s)) note(&x->skipped, &x->skipped_at, u->stmts[s].loc);
        return false;
    }
    struct pass_text each = text_of(x, body, u->stmts[s].counted.var);
    uint32_t elements = x->scalars ? elements_of(u, body, x->scalars) : 0;
    int64_t more = trips - 1;
    bool in_software = x->p->target->busy_invocations < PASS_GPU_INVOCATIONS;
    if (in_software && !x->for_scalars && x->elements + elements * more > PASS_UNROLL_ELEMENTS) {
        note(&x->dear, &x->dear_at, u->stmts[s].loc);
        return false;
    }
    if (!x->triangle && !add_text(x, touched, each.nodes * more, each.branches * more)) { // of a triangle: in the end
        if (!is_tried_later(x, s)) note(&x->dear, &x->dear_at, u->stmts[s].loc);
        return false;
    }
    x->size += grown - size;
    x->elements += elements * (uint32_t)more;
    x->unrolled++;
    return true;
}

// The copies of a triangle stand in a block of their own, until it is known what is left for the loops in them.
static ir_stmt block_of(struct ir_unit *u, ir_stmt copies, base_loc loc) {
    return ir_if(u, ir_const(u, IR_BOOL, 1), copies, 0, loc);
}
static bool is_block(const struct ir_unit *u, ir_stmt s) {
    uint32_t bits;
    const struct ir_stmt_node *n = &u->stmts[s];
    return n->kind == IR_IF && !n->branch.else_block && ir_is_const(u, n->branch.cond, &bits) && bits;
}

static ir_stmt unroll_loop(void *user, ir_stmt done, ir_stmt s) {
    struct unroller *x = user;
    const struct ir_stmt_node loop = x->u->stmts[s];
    uint64_t trips;
    (void)done;
    if (loop.kind != IR_FOR || !may_unroll(x, s, &trips)) return s;
    ir_stmt copies = expand(x, s, trips);
    bool triangle = !x->chosen && !x->triangle && has_open_loops(x->u, loop.counted.body);
    return triangle ? block_of(x->u, copies, loop.loc) : copies;
}

// Copies of triangles wait for the last walk.
static bool enters(void *user, ir_stmt s) {
    const struct unroller *x = user;
    return x->triangle || !is_block(x->u, s);
}

// What is private to a loop's body is decided by reads elsewhere.
static ir_stmt unroll_block(struct unroller *x, ir_stmt block) {
    struct pass_rewriter unrolling = {.u = x->u, .user = x, .enters = enters, .replace = unroll_loop};
    return pass_rewrite_linked(&unrolling, block);
}

static void unroll_in(struct unroller *x, ir_stmt parfor) {
    ir_stmt body = unroll_block(x, x->u->stmts[parfor].parfor.body);
    x->u->stmts[parfor].parfor.body = body;
}

static void begin_parfor(struct unroller *x, ir_stmt parfor) {
    x->size = pass_size(x->u, x->u->stmts[parfor].parfor.body);
    x->elements = 0;
    x->rest = x->p->one_kernel && pass_needs_grid(x->u) ? pass_size(x->u, x->u->root) - x->size : 0;
    if (!x->scalars_of[parfor]) x->scalars_of[parfor] = pass_scalars_of(x->u, parfor, x->p->explain);
    x->scalars = x->scalars_of[parfor];
}

static bool has_scalars(const struct unroller *x) {
    bool any = false;
    for (ir_array a = 1; a < x->u->array_count; a++)
        any |= x->scalars[a];
    return any;
}

static void unroll_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)sc;
    struct unroller *x = user;
    begin_parfor(x, parfor);
    for (int walk = has_scalars(x) ? 0 : 1; walk < 3; walk++) { // each takes memory, and there may be many loops
        x->for_scalars = walk == 0;
        x->computing = walk == 2;
        unroll_in(x, parfor);
    }
}

// ---- triangles ------------------------------------------------------------------------------------------------------

// How many passes loops in a block make may follow when those around are unrolled: so it takes several walks.
static void unroll_again(struct unroller *x, ir_stmt block) {
    uint32_t before;
    do {
        before = x->unrolled;
        ir_stmt copies = x->u->stmts[block].branch.then_block;
        uint32_t size = pass_size(x->u, copies);
        copies = pass_fold_block(x->u, copies);
        x->u->stmts[block].branch.then_block = copies;
        x->size -= size - pass_size(x->u, copies);
        copies = unroll_block(x, copies);
        x->u->stmts[block].branch.then_block = copies;
    } while (x->unrolled != before);
}

// Puts copies in the loop's place.
static bool try_copies(struct unroller *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = u->stmts[s];
    uint64_t trips;
    if (!may_unroll(x, s, &trips)) return false;
    ir_stmt block = block_of(u, expand(x, s, trips), loop.loc);
    u->stmts[block].next = loop.next;
    u->stmts[s] = u->stmts[block];
    return true;
}

// What the block is more than before is no more than there is room for.
static bool add_block(struct unroller *x, ir_stmt block, struct touched touched, struct pass_text before) {
    struct pass_text now = text_of(x, x->u->stmts[block].branch.then_block, 0);
    if (add_text(x, touched, (int64_t)now.nodes - before.nodes, (int64_t)now.branches - before.branches)) return true;
    note(&x->dear, &x->dear_at, x->u->stmts[block].loc);
    return false;
}

// All loops over arrays in the copies of a triangle are unrolled, or none: an array with one index left that is not
// known stays in memory.
static ir_stmt unroll_triangle(void *user, ir_stmt done, ir_stmt s) {
    struct unroller *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node old = u->stmts[s];
    const struct unroller before = *x;
    uint32_t vars = u->var_count, stmts = u->stmt_count;
    (void)done;
    bool copied = is_block(u, s);
    if (!copied && (old.kind != IR_FOR || !has_open_loops(u, old.counted.body))) return s;
    ir_stmt inside = copied ? old.branch.then_block : old.counted.body;
    struct touched touched = touched_by(u, inside);
    struct pass_text text = text_of(x, inside, 0);
    x->computing = false;
    if (copied) {
        ir_stmt tried = ir_clone_block(u, inside, NULL, NULL);
        u->stmts[s].branch.then_block = tried;
    } else if (!try_copies(x, s)) {
        return s;
    }
    unroll_again(x, s);
    bool whole = x->skipped == before.skipped && x->dear == before.dear;
    x->computing = true;
    if (whole) unroll_again(x, s);
    if (whole && x->unrolled > before.unrolled + !copied && add_block(x, s, touched, text) &&
        elements_of(u, u->stmts[s].branch.then_block, NULL) <= PASS_UNROLL_TRIANGLE_MEMORY)
        return s;
    bool large = x->skipped > before.skipped, dear = x->dear > before.dear;
    *x = before;
    if (large) note(&x->skipped, &x->skipped_at, old.loc);
    if (dear) note(&x->dear, &x->dear_at, old.loc);
    u->stmts[s] = old;
    u->var_count = vars;
    u->stmt_count = stmts; // others look at all that there are, and at their variables
    return s;
}

// They take what all other loops leave of the limits.
static void unroll_triangles(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)sc;
    struct unroller *x = user;
    begin_parfor(x, parfor);
    struct pass_rewriter unrolling = {.u = x->u, .user = x, .replace = unroll_triangle};
    ir_stmt body = pass_rewrite_linked(&unrolling, x->u->stmts[parfor].parfor.body);
    x->u->stmts[parfor].parfor.body = body;
}

// ---- stages ---------------------------------------------------------------------------------------------------------

// Loops in it end where its counter says, as those of a transform: for (len = 2; len <= n; len *= 2) for (i += len) ...
static bool is_stages(const struct ir_unit *u, ir_stmt s, uint64_t *out_trips) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips;
    bool found = false;
    if (n->kind != IR_FOR || n->flags & IR_FLAG_SIMD || !ir_const_trips(u, s, out_trips) || !*out_trips ||
        *out_trips > PASS_STAGES || pass_leaves_loop(u, n->counted.body) ||
        pass_size(u, n->counted.body) * *out_trips > PASS_UNROLL_MOST_STATEMENTS)
        return false;
    for (ir_stmt t = n->counted.body; t; t = u->stmts[t].next)
        found |=
            u->stmts[t].kind == IR_FOR && !ir_const_trips(u, t, &trips) && !pass_is_of_run(u, u->stmts[t].counted.hi);
    return found;
}
static ir_stmt unroll_stages(void *user, ir_stmt done, ir_stmt s) {
    struct unroller *x = user;
    uint64_t trips;
    (void)done;
    if (!is_stages(x->u, s, &trips)) return s;
    x->unrolled++;
    return expand(x, s, trips);
}

bool pass_unroll_stages(struct pass_cx *p, ir_stmt parfor) {
    struct unroller x = {.p = p, .u = p->u};
    struct pass_rewriter unrolling = {.u = p->u, .user = &x, .replace = unroll_stages};
    ir_stmt body = pass_rewrite_linked(&unrolling, p->u->stmts[parfor].parfor.body);
    p->u->stmts[parfor].parfor.body = body;
    return x.unrolled > 0;
}

// ---- which loops chosen arrays need ---------------------------------------------------------------------------------

// Innermost loops first; what has the bounds of a triangle is known when those around are unrolled.
void pass_unroll_choosing(struct pass_cx *p, ir_stmt parfor, const bool *arrays, bool innermost) {
    struct unroller x = {.p = p, .u = p->u, .chosen = arrays, .innermost = innermost};
    for (uint32_t round = 0, before = 0; round < IR_MAX_DIMS; round++, before = x.unrolled) {
        x.size = pass_size(x.u, x.u->stmts[parfor].parfor.body);
        unroll_in(&x, parfor);
        if (x.unrolled == before) return;
        pass_fold(p);
    }
}

static void say_left(struct pass_cx *p, uint32_t loops, base_loc first, const char *problem) {
    if (!loops) return;
    base_text_format(p->explain, "unroll: %u loop%s not unrolled, the first at line %u: %s\n", loops, base_s(loops),
                     p->u->cx->locs[first].line, problem);
}

void pass_unroll(struct pass_cx *p) {
    struct unroller x = {.p = p, .u = p->u};
    x.scalars_of = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *x.scalars_of);
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, unroll_parfor, &x);
    x.triangle = true;
    if (x.unrolled) pass_each_parfor(&sc, unroll_triangles, &x);
    if (x.unrolled) base_text_format(p->explain, "unroll: %u short loop%s\n", x.unrolled, base_s(x.unrolled));
    say_left(p, x.skipped, x.skipped_at,
             base_format(p->u->cx, "a kernel would pass %u statements", PASS_UNROLL_KERNEL_STATEMENTS));
    say_left(p, x.dear, x.dear_at, "the copies would make kernels slow to compile");
    if (x.unrolled) pass_fold(p);
}
