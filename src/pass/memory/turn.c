// Iterations that walk along rows of their own, pass by pass, because something is carried, touch words that are a
// row's length apart wherever lanes are side by side: each word is an access of its own. So the lanes of a workgroup
// take some words of all of their rows together, neighbours neighbouring words, into its memory; each walks there, and
// what was stored goes back in the same way. (CUDA programs do so by hand, as G. Ruetsch and P. Micikevicius,
// "Optimizing matrix transpose in CUDA", 2009, turn a tile of a matrix.)
//
//   parallel for (i) { s = 0; for (j < M) { s = a * s + x[i][j]; y[i][j] = s; } }
//
// becomes, for a workgroup's rows i,
//
//   for (stretches) { turn x[i][T words] into X; for (T passes) { s = a * s + X[lane][k]; Y[lane][k] = s; }
//                     turn y[i][T words] from Y; }
//
// The law: what is loaded so is not written in the parallel loop, or its element belongs to one iteration, and to one
// pass of the loop. A pass that may not store leaves what there was: that is loaded first. All of a
// workgroup come to the stretches, and make as many; those without an iteration, or with a shorter row, only copy.
#include "pass/memory/turn.h"

static struct ir_stmt_node *node_of(const struct turner *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- which loops? ---------------------------------------------------------------------------------------------------

struct jumps {
    const struct ir_unit *u;
    bool breaks;
};
static bool find_break(void *user, ir_stmt s) {
    struct jumps *x = user;
    uint8_t kind = x->u->stmts[s].kind;
    x->breaks |= kind == IR_BREAK;
    return kind != IR_FOR && kind != IR_LOOP;
}

// Passes are the same for all, or those of some end earlier: min(a constant, what everybody knows).
static bool find_trips(struct turner *x, const struct ir_stmt_node *n) {
    const struct ir_node *hi = &x->u->nodes[n->counted.hi];
    x->lo = pass_affine_of(x->sc, n->counted.lo);
    if (!turn_is_known(x, &x->lo, 0)) return false;
    x->is_even = pass_trip_count(x->sc, n->counted.lo, n->counted.hi, 1, &x->trips);
    if (x->is_even) return true;
    if (hi->op == IR_VAR && x->sc->definition[hi->a]) hi = &x->u->nodes[x->sc->definition[hi->a]];
    const struct ir_node *test = &x->u->nodes[hi->a]; // of a < b ? a : b
    bool chosen = hi->op == IR_SELECT && (test->op == IR_LT || test->op == IR_LE) &&
                  ir_same_expr(x->u, test->a, hi->b) && ir_same_expr(x->u, test->b, hi->c);
    if (hi->op != IR_MIN && !chosen) return false;
    x->ends[0] = pass_affine_of(x->sc, chosen ? hi->b : hi->a);
    x->ends[1] = pass_affine_of(x->sc, chosen ? hi->c : hi->b);
    x->trips = UINT64_MAX;
    for (uint32_t i = 0; i < 2; i++) {
        struct pass_affine all = pass_affine_sum(-1, &x->lo, &x->ends[i]);
        if (!turn_is_known(x, &x->ends[i], 0)) return false;
        if (all.ok && all.n == 0 && all.constant > 0 && (uint64_t)all.constant < x->trips)
            x->trips = (uint64_t)all.constant;
    }
    return x->trips != UINT64_MAX;
}

// Of a lane, which cannot pause there.
static uint64_t passes_in(struct turner *x, ir_stmt block) {
    uint64_t sum = 0;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s && sum <= PASS_SHARE_MOST_PASSES; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        ir_stmt inner[2];
        uint64_t trips = n.kind == IR_LOOP ? UINT64_MAX : 1, own = trips > 1 || n.kind == IR_FOR;
        uint32_t blocks = ir_blocks_of(&n, inner), around = pass_scope_enter(x->sc);
        if (n.kind == IR_FOR) trips = find_trips(x, &n) ? x->trips : UINT64_MAX;
        pass_scope_loop(x->sc, s);
        for (uint32_t i = 0; i < blocks; i++)
            own += passes_in(x, inner[i]);
        pass_scope_leave(x->sc, around);
        if (n.kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        sum += own * (trips <= PASS_SHARE_MOST_PASSES ? trips : PASS_SHARE_MOST_PASSES + 1);
    }
    pass_scope_leave(x->sc, mark);
    return sum;
}

static bool takes(struct turner *x, ir_stmt s) {
    const struct ir_stmt_node n = *node_of(x, s);
    struct pass_accesses list = {0};
    struct jumps jumps = {x->u, false};
    if (n.kind != IR_FOR || n.flags || n.counted.step != 1 || x->u->vars[n.counted.var].type != IR_I32 ||
        !find_trips(x, &n) || x->trips < PASS_TURN_LEAST_PASSES || x->trips > INT32_MAX / 2)
        return false;
    ir_walk_stmts(x->u, n.counted.body, find_break, &jumps);
    if (jumps.breaks || !pass_hands_on(x->u, n.counted.body)) return false;
    x->loop = s;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    pass_collect(x->sc, n.counted.body, &list);
    bool found = turn_find_rows(x, &list);
    pass_scope_leave(x->sc, mark);
    return found;
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static ir_expr number(const struct turner *x, int64_t value) { return ir_const_i32(x->u, (int32_t)value); }
static ir_expr read_of(const struct turner *x, ir_var v) { return ir_var_read(x->u, v, x->n.loc); }
static ir_expr two(const struct turner *x, enum ir_op op, ir_expr a, ir_expr b) {
    return ir_op2(x->u, op, a, b, x->n.loc);
}

// In the pass `at` of the loop, of those that it makes.
static ir_expr value_of(const struct turner *x, const struct pass_affine *f, ir_expr at) {
    ir_expr sum = number(x, f->constant);
    for (uint32_t i = 0; i < f->n; i++) {
        ir_var v = f->vars[i];
        ir_expr term = v == node_of(x, x->loop)->counted.var ? at : read_of(x, v);
        if (x->u->nodes[term].type == IR_U32) term = ir_op1(x->u, IR_U2I, term, x->n.loc);
        if (f->coefs[i] != 1) term = two(x, IR_MUL, term, number(x, f->coefs[i]));
        sum = two(x, IR_ADD, sum, term);
    }
    return sum;
}

static ir_expr iteration_of(const struct turner *x) {
    return two(x, IR_ADD, two(x, IR_MUL, read_of(x, x->group), number(x, PASS_WORKGROUP)), read_of(x, x->lane));
}

static ir_expr exists(const struct turner *x) {
    return two(x, IR_LT, read_of(x, x->number), number(x, (int64_t)x->iterations));
}

// Passes of an iteration in the stretch that begins with pass `first`.
static ir_expr passes_from(const struct turner *x, ir_expr first) {
    ir_expr all = number(x, (int64_t)x->trips);
    if (!x->is_even) {
        all = two(x, IR_MIN, value_of(x, &x->ends[0], 0), value_of(x, &x->ends[1], 0));
        all = two(x, IR_SUB, all, value_of(x, &x->lo, 0));
    }
    if (x->is_even && x->trips % x->words == 0) return number(x, x->words);
    return two(x, IR_MIN, two(x, IR_SUB, all, first), number(x, x->words));
}

// As a lane says it that takes words of another one's row. What is not there is another word of the array, or, where
// none need be, and on the way back, it is left out.
static ir_stmt turn_of(struct turner *x, const struct turn_row *r, ir_expr first, bool into) {
    struct ir_unit *u = x->u;
    ir_expr indices[IR_MAX_DIMS], there = 0, lane = iteration_of(x), last = number(x, (int64_t)x->iterations - 1);
    ir_var index = ir_add_var(u, "word", IR_I32, IR_VAR_DIM, x->n.loc);
    ir_expr word = read_of(x, index), at = two(x, IR_ADD, first, word);
    bool past_end = x->iterations % PASS_WORKGROUP != 0;
    if (!x->is_even || (!into && x->trips % x->words)) there = two(x, IR_LT, word, passes_from(x, first));
    if (past_end && !into) there = there ? two(x, IR_LAND, exists(x), there) : exists(x);
    if (!there && x->trips % x->words) at = two(x, IR_MIN, at, number(x, (int64_t)x->trips - 1));
    for (uint32_t d = 0; d < r->n; d++)
        indices[d] = value_of(x, &r->at[d], at);
    ir_stmt s = ir_add_stmt(u, IR_TURN, x->n.loc);
    uint32_t list = ir_add_args(u, indices, r->n);
    u->stmts[s].turn.to = into ? r->box : r->array;
    u->stmts[s].turn.from = into ? r->array : r->box;
    u->stmts[s].turn.indices = list;
    u->stmts[s].turn.index_count = r->n;
    u->stmts[s].turn.there = there;
    u->stmts[s].turn.index = index;
    u->stmts[s].turn.lane = x->lane;
    u->stmts[s].turn.meets = r->meets;
    for (ir_stmt d = x->dims; d; d = u->stmts[d].next)
        pass_substitute(u, s, u->stmts[d].assign.var, u->stmts[d].assign.value);
    pass_substitute(u, s, x->number, past_end && into ? two(x, IR_MIN, lane, last) : lane);
    return s;
}

static void add_boxes(struct turner *x) {
    struct ir_unit *u = x->u;
    uint64_t at[IR_F32 + 1] = {0};
    for (uint32_t i = 0; i < x->row_count; i++) {
        struct turn_row *r = &x->rows[i];
        const struct ir_array_info info = u->arrays[r->array];
        enum ir_type type = ir_elem_type((enum whorl_dtype)info.elem);
        ir_expr dims[] = {number(x, PASS_WORKGROUP), number(x, x->words + 1)};
        if (!turn_is_kept(r)) continue;
        base_text_format(x->p->explain,
                         "turn: the loop at line %u %s rows of '%s' through workgroup memory, %u words "
                         "at a time\n",
                         u->cx->locs[node_of(x, x->loop)->loc].line,
                         !r->stored  ? "loads"
                         : r->loaded ? "loads and stores"
                                     : "stores",
                         info.name, x->words);
        if (r->with != i) continue;
        r->box = ir_add_array(u, info.name, ir_word_of(type), IR_ARRAY_STAGED, 2, dims, info.loc);
        u->arrays[r->box].source = r->array;
        u->arrays[r->box].row = 1;
        u->arrays[r->box].is_box = true;
        u->arrays[r->box].data_count = (uint32_t)at[type];
        at[type] += ir_box_words(u, r->box);
    }
    for (uint32_t i = 0; i < x->row_count; i++)
        x->rows[i].box = x->rows[x->rows[i].with].box;
}

struct placing {
    struct turner *x;
    ir_var pass;
};
static ir_expr in_box(void *user, ir_expr e) {
    struct placing *m = user;
    struct turner *x = m->x;
    for (uint32_t i = 0; i < x->walked_count && x->u->nodes[e].op == IR_LOAD; i++)
        if (x->walked[i].row < PASS_TURN_ROWS && x->walked[i].load && ir_same_expr(x->u, x->walked[i].load, e)) {
            ir_expr at[] = {read_of(x, x->lane), read_of(x, m->pass)};
            return ir_load(x->u, x->rows[x->walked[i].row].box, at, 2, x->u->nodes[e].loc);
        }
    return e;
}

// The loop's body on boxes.
static ir_stmt passes_of(struct turner *x, ir_expr first, ir_var pass) {
    struct ir_unit *u = x->u;
    struct placing m = {x, pass};
    ir_stmt body = node_of(x, x->loop)->counted.body;
    ir_map_block(u, body, in_box, &m);
    for (uint32_t i = 0; i < x->walked_count; i++) {
        const struct turn_access *w = &x->walked[i];
        ir_expr at[] = {read_of(x, x->lane), read_of(x, pass)};
        if (w->row == PASS_TURN_ROWS || w->load) continue;
        uint32_t list = ir_add_args(u, at, 2);
        u->stmts[w->stmt].store.array = x->rows[w->row].box;
        u->stmts[w->stmt].store.indices = list;
        u->stmts[w->stmt].store.index_count = 2;
    }
    ir_expr at = two(x, IR_ADD, first, read_of(x, pass));
    if (x->lo.n || x->lo.constant) at = two(x, IR_ADD, value_of(x, &x->lo, 0), at);
    pass_substitute(u, body, node_of(x, x->loop)->counted.var, at);
    ir_stmt out = ir_for(u, pass, number(x, 0), passes_from(x, first), 1, body, x->n.loc);
    if (x->iterations % PASS_WORKGROUP == 0) return out;
    return ir_if(u, exists(x), out, 0, x->n.loc);
}

// Which lane has which iteration: once for the parallel loop.
static void number_lanes(struct turner *x) {
    struct ir_unit *u = x->u;
    if (x->lane) return;
    x->group = ir_add_var(u, "group", IR_I32, IR_VAR_DIM, x->n.loc);
    x->lane = ir_add_var(u, "lane", IR_I32, IR_VAR_DIM, x->n.loc);
    x->number = ir_add_var(u, "number", IR_I32, IR_VAR_LOCAL, x->n.loc);
    x->dims = pass_block_indices(x->sc, &x->n, x->number);
}

static ir_stmt stretches_of(struct turner *x) {
    struct ir_unit *u = x->u;
    const char *name = u->vars[node_of(x, x->loop)->counted.var].name;
    uint64_t count = (x->trips + x->words - 1) / x->words;
    ir_var pass = ir_add_var(u, name, IR_I32, IR_VAR_LOCAL, x->n.loc),
           stretch = ir_add_var(u, name, IR_I32, IR_VAR_LOCAL, x->n.loc);
    ir_expr first = count > 1 ? two(x, IR_MUL, read_of(x, stretch), number(x, x->words)) : number(x, 0);
    ir_stmt list = 0;
    number_lanes(x);
    add_boxes(x);
    for (uint32_t r = 0; r < x->row_count; r++)
        if (x->rows[r].loaded) ir_append(u, &list, turn_of(x, &x->rows[r], first, true));
    ir_append(u, &list, passes_of(x, first, pass));
    for (uint32_t r = 0; r < x->row_count; r++)
        if (x->rows[r].stored) ir_append(u, &list, turn_of(x, &x->rows[r], first, false));
    return count > 1 ? ir_for(u, stretch, number(x, 0), number(x, (int64_t)count), 1, list, x->n.loc) : list;
}

// ---- the parallel loop ----------------------------------------------------------------------------------------------

static ir_stmt guarded(struct turner *x, ir_stmt block) {
    if (x->iterations % PASS_WORKGROUP == 0 || !ir_copies_boxes(x->u, block)) return block;
    return panel_guarded(&x->team, exists(x), block);
}

static ir_stmt turn_block(struct turner *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        uint64_t trips;
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (takes(x, s)) {
            s = stretches_of(x);
        } else if (ir_const_trips(u, s, &trips) && !u->stmts[s].flags &&
                   !pass_leaves_loop(u, u->stmts[s].counted.body)) {
            uint32_t around = pass_scope_enter(x->sc);
            pass_scope_loop(x->sc, s);
            x->common[u->stmts[s].counted.var] = true;
            x->depth++;
            ir_stmt body = turn_block(x, u->stmts[s].counted.body);
            x->depth--;
            u->stmts[s].counted.body = body;
            pass_scope_leave(x->sc, around);
        }
        ir_append(u, &out, s);
    }
    pass_scope_leave(x->sc, mark);
    return guarded(x, out);
}

struct survey {
    const struct ir_unit *u;
    bool fits;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct survey *v = user;
    struct ir_stmt_node *n = &v->u->stmts[s];
    v->fits &= n->kind != IR_ATOMIC && n->kind != IR_AGREE && n->kind != IR_STAGE && !(n->flags & IR_FLAG_ATOMIC) &&
               !(n->kind == IR_FOR && n->flags & (IR_FLAG_LANES | IR_FLAG_SIMD)); // rows are for lanes
    return true;
}

// Workgroups of iterations, for most of the device.
static bool are_enough(struct turner *x, const struct pass_scope *sc, ir_stmt parfor) {
    return pass_iterations(sc, parfor, &x->iterations) && x->iterations >= PASS_WORKGROUP &&
           x->iterations < INT32_MAX - PASS_WORKGROUP &&
           x->iterations * PASS_TURN_BUSY >= x->p->target->busy_invocations;
}

static void look_for_enough(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct turner *x = user;
    bool enough = are_enough(x, sc, parfor);
    for (ir_stmt s = enough ? x->u->stmts[parfor].parfor.body : 0; s; s = x->u->stmts[s].next)
        x->any |= x->u->stmts[s].kind == IR_FOR;
}

static void turn_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct turner *x = user;
    struct ir_unit *u = x->u;
    uint32_t busy = x->p->target->busy_invocations;
    uint64_t most = busy < PASS_GPU_INVOCATIONS ? PASS_SHARE_LEAST_CAP : PASS_SHARE_MOST_PASSES;
    struct survey survey = {u, true};
    bool any = x->any;
    *x = (struct turner){.p = x->p, .u = u, .sc = sc, .parfor = parfor, .n = u->stmts[parfor]};
    ir_walk_stmts(u, x->n.parfor.body, on_stmt, &survey);
    if (survey.fits && !(x->n.flags & ~IR_FLAG_NOWAIT & ~IR_FLAG_LONG) && !x->n.parfor.reduction_count &&
        x->p->target->max_invocations >= PASS_WORKGROUP && are_enough(x, sc, parfor)) {
        x->team = (struct panel){.p = x->p, .u = u, .parfor = parfor, .var_cap = u->var_count};
        x->team.zeroed = base_alloc_array(u->cx, u->var_count / 32 + 1, sizeof *x->team.zeroed);
        x->common = base_alloc_array(u->cx, u->var_count, sizeof *x->common);
        uint32_t mark = pass_scope_enter(sc);
        pass_space_of(sc, parfor, &x->space);
        pass_scope_parfor(sc, parfor);
        pass_collect(sc, x->n.parfor.body, &x->all);
        x->fx = ir_effects_of(u, x->n.parfor.body);
        ir_stmt body = x->n.parfor.body;
        if (passes_in(x, body) <= most) body = turn_block(x, body);
        u->stmts[parfor].parfor.body = body;
        pass_scope_leave(sc, mark);
        if (x->lane) {
            struct ir_dim groups = {x->group, number(x, 0), 0, 1};
            groups.hi = number(x, (int64_t)((x->iterations + PASS_WORKGROUP - 1) / PASS_WORKGROUP));
            uint32_t dims = ir_add_dims(u, &groups, 1);
            u->stmts[parfor].parfor.dims = dims;
            ir_stmt head = ir_assign(u, x->number, iteration_of(x), x->n.loc);
            ir_append(u, &head, x->dims);
            panel_close_team(&x->team, x->lane, 1, head);
        }
    }
    x->any = any || x->lane;
}

// What the pass before stored would be another word of the row: rows are looked for with such words in registers.
void pass_turn(struct pass_cx *p) {
    struct pass_cx held = *p;
    struct turner x = {.p = &held, .u = p->u};
    struct pass_scope sc;
    struct base_text said;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, look_for_enough, &x);
    if (!x.any) return; // a copy of a large program is large
    x = (struct turner){.p = &held, .u = ir_unit_clone(p->u)};
    base_text_init(&said, p->u->cx);
    base_text_put(&said, "");
    held.u = x.u;
    held.explain = &said;
    pass_carry(&held);
    pass_scope_init(&sc, x.u);
    pass_each_parfor(&sc, turn_parfor, &x);
    if (!x.any) return;
    pass_fold(&held);
    base_text_put(p->explain, said.data);
    p->u = x.u;
}
