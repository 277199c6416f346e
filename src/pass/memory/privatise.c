// Small arrays that a parallel loop only updates by one atomic operator: each workgroup updates a copy in its own
// memory, and what changed in it is combined with the array once, where the loop ends. An update then waits for those
// of one workgroup, not for those of all the device. Right because such operators commute, and nobody looks at the
// array before the loop's end; integers have the same bits in any order, and the order of float sums was free before.
//
// It pays where a workgroup makes several updates a word. So the iterations are shared out over blocks, one an
// invocation, of which there are few enough for that and as many as keep the device busy.
#include "pass/cost.h"
#include "pass/passes.h"

struct counter {
    ir_array array;
    uint64_t words;
    double updates; // of an iteration, about
    bool exchanged; // an update is an exchange, which is made again where another came between
};
struct privatiser {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc; // of the loops around
    ir_stmt parfor;
    bool *refused;   // by array
    uint8_t *ops;    // by array: of its updates, 0: none yet (IR_CONST updates nothing)
    double *updates; // by array: of an iteration
    double weight;   // of the statement at work: runs in an iteration
    bool *chosen;    // by array
    bool blocks_made;
};

// ---- what may have copies -------------------------------------------------------------------------------------------

static bool on_load(void *user, ir_expr e) {
    struct privatiser *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) x->refused[n->a] = true;
    return true;
}

static bool on_write(void *user, ir_stmt s) {
    struct privatiser *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_array a = ir_write_of(n).array;
    if (n->kind == IR_STORE) x->refused[a] = true;
    if (n->kind != IR_ATOMIC) return true;
    x->refused[a] |= n->atomic.old || n->atomic.op == IR_SELECT || (x->ops[a] && x->ops[a] != n->atomic.op);
    x->ops[a] = (uint8_t)n->atomic.op;
    return true;
}

static void find_refused(struct privatiser *x) {
    const struct ir_stmt_node *n = &x->u->stmts[x->parfor];
    struct ir_visitor visitor = {.on_stmt = on_write, .on_node = on_load, .user = x};
    ir_walk_block(x->u, n->parfor.body, &visitor);
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        ir_walk_expr(x->u, x->u->dims[n->parfor.dims + d].lo, on_load, x);
        ir_walk_expr(x->u, x->u->dims[n->parfor.dims + d].hi, on_load, x);
    }
}

static double passes_of(const struct privatiser *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips;
    if (n->kind != IR_FOR) return PASS_UNKNOWN_TRIPS;
    if (ir_const_trips(x->u, s, &trips)) return (double)trips;
    trips = pass_most_trips(&x->sc, n->counted.lo, n->counted.hi, n->counted.step);
    return trips < INT32_MAX ? (double)trips : PASS_UNKNOWN_TRIPS;
}

// Updates of an iteration; of two ways, each is taken half of the time.
static void count_updates(struct privatiser *x, ir_stmt block) {
    uint32_t mark = pass_scope_enter(&x->sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        double outer = x->weight;
        if (n.kind == IR_ASSIGN) pass_scope_assign(&x->sc, s);
        if (n.kind == IR_ATOMIC) x->updates[n.atomic.array] += outer;
        bool loops = n.kind == IR_FOR || n.kind == IR_LOOP;
        uint32_t inside = pass_scope_enter(&x->sc);
        if (n.kind == IR_IF) x->weight = outer / 2;
        if (loops) x->weight = outer * passes_of(x, s);
        if (loops) pass_scope_loop(&x->sc, s);
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            count_updates(x, inner[i]);
        pass_scope_leave(&x->sc, inside);
        x->weight = outer;
    }
    pass_scope_leave(&x->sc, mark);
}

// Elements that belong to one iteration each are updated by nobody else.
static bool is_owned(struct privatiser *x, ir_array a) {
    struct pass_accesses list = {0};
    struct pass_space space;
    pass_collect_inside(&x->sc, x->parfor, &list);
    return pass_space_of(&x->sc, x->parfor, &space) && pass_owned(&x->sc, &list, a, &space);
}

// ---- what pays ------------------------------------------------------------------------------------------------------

// Invocations of a workgroup that make updates side by side, where the loop stays as it is.
static double side_by_side(const struct privatiser *x, bool known, uint64_t iterations) {
    const struct ir_stmt_node *n = &x->u->stmts[x->parfor];
    double busy = x->p->target->busy_invocations, all = known ? (double)iterations : PASS_PRIVATE_CHUNK,
           each = busy < PASS_WORKGROUP ? all : all * PASS_WORKGROUP / busy; // or one workgroup has them all
    each = each < PASS_PRIVATE_CHUNK ? PASS_PRIVATE_CHUNK : each > PASS_WORKGROUP ? PASS_WORKGROUP : each;
    if (n->flags & IR_FLAG_LANES) each /= n->parfor.lanes;
    return known && each > all ? all : each;
}

// Blocks that pay at most: as many as keep the device busy, or as can wait for each other word by word.
static uint64_t most_blocks(const struct privatiser *x, const struct counter *c) {
    uint32_t busy = x->p->target->busy_invocations;
    return c->exchanged ? busy / PASS_PRIVATE_BUSY_LONG : busy;
}

// Blocks, as many as leave enough updates of each word; 0: even one workgroup makes too few, or too few are left.
static uint64_t blocks_of(const struct privatiser *x, const struct counter *c, uint64_t iterations) {
    bool is_long = ir_is_long(x->u, x->u->stmts[x->parfor].parfor.body);
    uint64_t least = x->p->target->busy_invocations / (uint32_t)(is_long ? PASS_PRIVATE_BUSY_LONG : PASS_PRIVATE_BUSY);
    uint64_t blocks = most_blocks(x, c);
    double most = PASS_WORKGROUP * c->updates * (double)iterations / ((double)c->words * PASS_PRIVATE_UPDATES);
    if (most < (double)blocks) blocks = (uint64_t)most;
    blocks -= blocks % PASS_WORKGROUP;
    if (is_long && blocks >= iterations) return 0; // few and long: as many workgroups as there are take some
    return blocks < least && blocks < iterations ? 0 : blocks;
}

struct choice {
    uint64_t blocks; // 0: the loop stays as it is
    uint32_t count;
    bool whole; // workgroups take their share in one piece, so that few of them have any
};

static bool weigh(struct privatiser *x, const struct counter *c, struct choice *io) {
    uint64_t iterations = 0;
    bool known = pass_iterations(&x->sc, x->parfor, &iterations) && iterations <= PASS_MOST_INDEXED;
    bool enough = side_by_side(x, known, iterations) * c->updates >= (double)c->words * PASS_PRIVATE_UPDATES;
    if (!known || x->u->stmts[x->parfor].flags & IR_FLAG_LANES) return enough;
    if (enough && iterations <= most_blocks(x, c)) {
        io->whole |= c->exchanged && iterations == most_blocks(x, c); // keeps the device busy all the same
        return true;
    }
    uint64_t blocks = blocks_of(x, c, iterations);
    if (!blocks) return enough;
    if (!io->blocks || blocks < io->blocks) io->blocks = blocks;
    io->whole = true;
    return true;
}

// Words of workgroup memory that copies may take.
static uint64_t room_of(const struct privatiser *x) {
    uint32_t bytes = x->p->target->workgroup_bytes;
    uint64_t taken = IR_LANES_BYTES + 4 * (uint64_t)(pass_panel_words(x->u) + ir_neighbour_all(x->u));
    return bytes > taken ? (bytes - taken) / 4 : 0;
}

static struct choice choose(struct privatiser *x) {
    struct choice out = {0};
    uint64_t room = room_of(x);
    for (ir_array a = 1; a < x->u->array_count && out.count < IR_MAX_PRIVATES; a++) {
        if (!x->ops[a] || x->refused[a]) continue;
        struct counter c = {.array = a, .words = pass_elements(x->u, a, 0, PASS_STAGE_MOST_WORDS)};
        enum ir_type type = ir_elem_type((enum whorl_dtype)x->u->arrays[a].elem);
        c.updates = x->updates[a];
        c.exchanged = type == IR_F32 || (type == IR_I32 && (x->ops[a] == IR_MIN || x->ops[a] == IR_MAX));
        if (!c.words || c.words > room || is_owned(x, a) || !weigh(x, &c, &out)) continue;
        x->chosen[a] = true;
        room -= c.words;
        out.count++;
    }
    return out;
}

// ---- making them ----------------------------------------------------------------------------------------------------

static bool on_chosen(void *user, ir_stmt s) {
    struct privatiser *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ATOMIC && x->chosen[n->atomic.array]) n->flags |= IR_FLAG_GROUP;
    return true;
}

// Iteration `at` of the PARFOR, of whose node n is a copy. Of its body there is one copy more where `again` is set.
static ir_stmt iteration(struct privatiser *x, const struct ir_stmt_node *n, ir_expr at, bool again) {
    struct ir_unit *u = x->u;
    ir_var index = ir_add_var(u, "index", IR_I32, IR_VAR_LOCAL, n->loc);
    ir_stmt out = ir_assign(u, index, at, n->loc);
    ir_append(u, &out, pass_block_indices(&x->sc, n, index));
    ir_append(u, &out, again ? ir_clone_block(u, n->parfor.body, NULL, NULL) : n->parfor.body);
    return out;
}

// Block b makes the iterations b, b + blocks, ... So neighbouring invocations make neighbouring iterations. The number
// of passes is a constant, so that such a loop need not stop in between; what is left over comes behind it, so that
// nothing in the loop depends on a condition.
static void make_blocks(struct privatiser *x, uint64_t all, uint64_t blocks) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->parfor];
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_DIM, n.loc);
    ir_var pass = ir_add_var(u, "pass", IR_I32, IR_VAR_LOCAL, n.loc);
    ir_expr count = ir_const_i32(u, (int32_t)blocks), at = ir_op2(u, IR_MUL, ir_var_read(u, pass, n.loc), count, n.loc);
    at = ir_op2(u, IR_ADD, at, ir_var_read(u, block, n.loc), n.loc);
    int32_t passes = (int32_t)(all / blocks);
    ir_stmt each = iteration(x, &n, at, all % blocks != 0);
    ir_stmt body = ir_for(u, pass, ir_const_i32(u, 0), ir_const_i32(u, passes), 1, each, n.loc);
    if (all % blocks) {
        ir_expr left = ir_const_i32(u, (int32_t)(all % blocks)), begin = ir_const_i32(u, (int32_t)(all - all % blocks));
        ir_stmt last = iteration(x, &n, ir_op2(u, IR_ADD, begin, ir_var_read(u, block, n.loc), n.loc), false);
        ir_append(u, &body, ir_if(u, ir_op2(u, IR_LT, ir_var_read(u, block, n.loc), left, n.loc), last, 0, n.loc));
    }
    struct ir_dim dim = {.var = block, .lo = ir_const_i32(u, 0), .hi = count, .step = 1};
    uint32_t dims = ir_add_dims(u, &dim, 1);
    struct ir_stmt_node *m = &u->stmts[x->parfor];
    m->parfor.dims = dims;
    m->parfor.dim_count = 1;
    m->parfor.body = body;
    m->flags |= IR_FLAG_GROUP;
    x->blocks_made = true;
}

static void say(const struct privatiser *x, const struct choice *made, uint64_t iterations) {
    const struct ir_unit *u = x->u;
    uint32_t line = u->cx->locs[u->stmts[x->parfor].loc].line;
    const char *name = "";
    for (ir_array a = 1; a < u->array_count; a++)
        if (x->chosen[a]) name = base_format(u->cx, "%s%s'%s'", name, *name ? ", " : "", u->arrays[a].name);
    base_text_format(x->p->explain, "privatise: the loop at line %u updates %s in workgroup memory", line, name);
    if (made->blocks && made->blocks < iterations)
        base_text_format(x->p->explain, ", its %llu iterations in %llu blocks", (unsigned long long)iterations,
                         (unsigned long long)made->blocks);
    base_text_put(x->p->explain, "; each workgroup then combines its copy with all once\n");
}

struct most {
    const struct ir_unit *u;
    uint32_t words;
};
static bool on_parfor(void *user, ir_stmt s) {
    struct most *x = user;
    if (x->u->stmts[s].kind != IR_PARFOR) return true;
    uint32_t words = ir_privates_of(x->u, s).words;
    x->words = words > x->words ? words : x->words;
    return false;
}

uint32_t pass_private_words(const struct ir_unit *u) {
    struct most x = {u, 0};
    ir_walk_stmts(u, u->root, on_parfor, &x);
    return x.words;
}

static ir_stmt privatise_loop(void *user, ir_stmt done, ir_stmt s) {
    struct privatiser *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    (void)done;
    if (n->kind != IR_PARFOR || (n->flags & IR_FLAG_LANES && !n->parfor.lane_var)) return s;
    x->parfor = s;
    x->refused = base_alloc_array(u->cx, u->array_count, sizeof *x->refused);
    x->ops = base_alloc_array(u->cx, u->array_count, sizeof *x->ops);
    x->updates = base_alloc_array(u->cx, u->array_count, sizeof *x->updates);
    x->chosen = base_alloc_array(u->cx, u->array_count, sizeof *x->chosen);
    find_refused(x);
    x->weight = 1;
    uint32_t mark = pass_scope_enter(&x->sc);
    pass_scope_parfor(&x->sc, s);
    count_updates(x, n->parfor.body);
    pass_scope_leave(&x->sc, mark);
    struct choice made = choose(x);
    if (!made.count) return s;
    ir_walk_stmts(u, n->parfor.body, on_chosen, x);
    uint64_t iterations = 0;
    pass_iterations(&x->sc, s, &iterations);
    say(x, &made, iterations);
    if (made.blocks && made.blocks < iterations)
        make_blocks(x, iterations, made.blocks);
    else if (made.whole)
        u->stmts[s].flags |= IR_FLAG_GROUP;
    return s;
}

void pass_privatise(struct pass_cx *p) {
    struct privatiser x = {.p = p, .u = p->u};
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter w = {.u = p->u, .sc = &x.sc, .user = &x, .replace = privatise_loop};
    p->u->root = pass_rewrite_block(&w, p->u->root);
    if (x.blocks_made) pass_fold(p);
}
