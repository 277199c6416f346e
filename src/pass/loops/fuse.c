// Neighbouring loops over the same space become one where every element that one of them writes and the other touches
// belongs to one iteration: first parallel loops at entry level, then sequential loops inside an iteration. Conditions
// around a single parallel loop move into its body, so that they do not stand in the way.
#include "pass/cost.h"
#include "pass/passes.h"

struct fuser {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    uint32_t parallel, sequential;
    bool changed;
    bool loops;     // found by on_loop
    bool all_sized; // no array has a size that only a run knows
};

static void rename_affine(struct pass_accesses *list, ir_var from, ir_var to) {
    for (uint32_t k = 0; k < list->count; k++)
        for (uint32_t d = 0; d < list->items[k].n; d++)
            for (uint32_t i = 0; i < list->items[k].sub[d].n; i++)
                if (list->items[k].sub[d].vars[i] == from) list->items[k].sub[d].vars[i] = to;
}

static void append_accesses(struct base_cx *cx, struct pass_accesses *to, const struct pass_accesses *from) {
    for (uint32_t k = 0; k < from->count; k++) {
        BASE_RESERVE(cx, to->items, to->count, to->cap);
        to->items[to->count++] = from->items[k];
    }
}

// Every array that one list writes and the other touches has one owner in the space; `both` is their union. `except`
// may have more.
static bool same_iteration_only(struct pass_scope *sc, const struct pass_accesses *a, const struct pass_accesses *b,
                                const struct pass_accesses *both, const struct pass_space *space, ir_array except,
                                ir_array *out_culprit, bool *out_shared) {
    struct ir_unit *u = sc->u;
    uint8_t *bits = base_alloc_array(u->cx, u->array_count, 1); // 1, 2: touched by a, b; 4, 8: written
    for (uint32_t k = 0; k < a->count; k++)
        bits[a->items[k].array] |= a->items[k].store ? 5 : 1;
    for (uint32_t k = 0; k < b->count; k++)
        bits[b->items[k].array] |= b->items[k].store ? 10 : 2;
    for (ir_array x = 1; x < u->array_count; x++) {
        if ((bits[x] & 3) != 3) continue;
        *out_shared = true;
        if (!(bits[x] & 12) || x == except) continue;
        if (!pass_owned(sc, both, x, space)) {
            *out_culprit = x;
            return false;
        }
    }
    return true;
}

// ---- parallel loops -------------------------------------------------------------------------------------------------

uint32_t pass_common_dims(const struct ir_unit *u, const struct ir_stmt_node *a, const struct ir_stmt_node *b) {
    uint32_t k = 0;
    for (; k < a->parfor.dim_count && k < b->parfor.dim_count; k++) {
        const struct ir_dim *x = &u->dims[a->parfor.dims + k], *y = &u->dims[b->parfor.dims + k];
        if (x->step != y->step || u->vars[x->var].type != u->vars[y->var].type || !ir_same_expr(u, x->lo, y->lo) ||
            !ir_same_expr(u, x->hi, y->hi))
            break;
    }
    return k;
}

static bool same_dims(const struct ir_unit *u, const struct ir_stmt_node *a, const struct ir_stmt_node *b) {
    return a->parfor.dim_count == b->parfor.dim_count && pass_common_dims(u, a, b) == a->parfor.dim_count;
}

bool pass_space_of(struct pass_scope *sc, ir_stmt parfor, struct pass_space *out) {
    const struct ir_stmt_node *n = &sc->u->stmts[parfor];
    out->n = n->parfor.dim_count;
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        const struct ir_dim *d = &sc->u->dims[n->parfor.dims + k];
        out->vars[k] = d->var;
        out->steps[k] = d->step;
        if (!pass_trip_count(sc, d->lo, d->hi, d->step, &out->extents[k]))
            out->extents[k] = UINT32_MAX; // not known: as many as an index can hold
    }
    return true;
}

static bool reads_reduction(struct ir_unit *u, const struct ir_stmt_node *from, const struct ir_stmt_node *other) {
    uint32_t *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
    pass_count_reads(u, other->parfor.body, reads);
    for (uint32_t k = 0; k < from->parfor.reduction_count; k++) {
        ir_var v = u->reductions[from->parfor.reductions + k].var;
        if (reads[v]) return true;
        for (uint32_t j = 0; j < other->parfor.reduction_count; j++)
            if (u->reductions[other->parfor.reductions + j].var == v) return true;
    }
    return false;
}

// The second loop's bounds read what the first loop changes.
static bool bounds_change(struct ir_unit *u, const struct ir_stmt_node *first, const struct ir_stmt_node *second) {
    struct ir_effects body = ir_effects_of(u, first->parfor.body), bounds = ir_effects_empty(u);
    for (uint32_t k = 0; k < second->parfor.dim_count; k++) {
        ir_expr_effects(u, u->dims[second->parfor.dims + k].lo, &bounds);
        ir_expr_effects(u, u->dims[second->parfor.dims + k].hi, &bounds);
    }
    for (uint32_t k = 0; k < first->parfor.reduction_count; k++)
        if (ir_bit(bounds.vars_read, u->reductions[first->parfor.reductions + k].var)) return true;
    return ir_reads_written(&bounds, &body);
}

bool pass_may_fuse(struct pass_scope *sc, ir_stmt first, ir_stmt second, ir_array except, ir_array *out_culprit) {
    struct ir_unit *u = sc->u;
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    *out_culprit = 0;
    if (!same_dims(u, &a, &b) || reads_reduction(u, &a, &b) || reads_reduction(u, &b, &a) || bounds_change(u, &a, &b))
        return false;
    if (a.parfor.reduction_count && b.parfor.reduction_count && (a.flags ^ b.flags) & IR_FLAG_LONG)
        return false; // their sums are taken in other blocks
    struct pass_accesses la = {0}, lb = {0}, both = {0};
    pass_collect_inside(sc, first, &la);
    pass_collect_inside(sc, second, &lb);
    for (uint32_t k = 0; k < a.parfor.dim_count; k++)
        rename_affine(&lb, u->dims[b.parfor.dims + k].var, u->dims[a.parfor.dims + k].var);
    append_accesses(u->cx, &both, &la);
    append_accesses(u->cx, &both, &lb);
    struct pass_space space;
    pass_space_of(sc, first, &space);
    bool shared = false;
    return same_iteration_only(sc, &la, &lb, &both, &space, except, out_culprit, &shared);
}

// One of them has few iterations and long inner loops, which become iterations as long as it stands alone.
static bool loses_iterations(struct fuser *f, ir_stmt first, ir_stmt second) {
    bool a = pass_collapses(f->p, f->sc, first), b = pass_collapses(f->p, f->sc, second);
    ir_stmt collapses = a ? first : second;
    return a != b && pass_passes_of(f->u, f->u->stmts[collapses].parfor.body) > PASS_FUSE_MOST_SERIAL;
}

// Copies of one loop are at one line. `array`: the one that keeps them apart; NULL: their inner loops do.
static void say_apart(struct fuser *f, const struct ir_stmt_node *a, const struct ir_stmt_node *b, const char *array) {
    uint32_t first = f->u->cx->locs[a->loc].line, second = f->u->cx->locs[b->loc].line;
    struct base_text *out = f->p->explain;
    if (first == second)
        base_text_format(out, "fuse: the copies of the loop at line %u stay apart: ", first);
    else
        base_text_format(out, "fuse: the loops at lines %u and %u stay apart: ", first, second);
    if (array)
        base_text_format(out, "iterations of one need elements of '%s' from others\n", array);
    else
        base_text_put(out, "inner loops of one become iterations\n");
}

void pass_fuse_two(struct ir_unit *u, ir_stmt first, ir_stmt second) {
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    for (uint32_t k = 0; k < a.parfor.dim_count; k++) {
        ir_var from = u->dims[b.parfor.dims + k].var, to = u->dims[a.parfor.dims + k].var;
        pass_substitute(u, b.parfor.body, from, ir_var_read(u, to, b.loc));
    }
    ir_append(u, &u->stmts[first].parfor.body, b.parfor.body);
    u->stmts[first].next = b.next;
}

static bool is_sized(const struct ir_unit *u, ir_array a) {
    return !ir_in_buffer(u, a) || pass_elements(u, a, 0, UINT32_MAX) != UINT64_MAX;
}

// Each array whose size only a run knows needs a binding of its own (compile/pack.c).
static bool has_bindings(const struct fuser *f, ir_stmt first, ir_stmt second) {
    struct ir_unit *u = f->u;
    if (f->all_sized) return true;
    struct ir_effects fx = ir_effects_of_one(u, first);
    uint32_t unsized = 0, sized = 0;
    ir_add_effects_of_one(u, second, &fx);
    for (ir_array a = 1; a < u->array_count; a++) {
        if (!ir_in_buffer(u, a) || (!ir_bit(fx.arrays_read, a) && !ir_bit(fx.arrays_written, a))) continue;
        sized += is_sized(u, a);
        unsized += !is_sized(u, a);
    }
    uint32_t others = sized < PASS_FUSE_PACKED ? sized : PASS_FUSE_PACKED;
    return !unsized || unsized + others + PASS_FUSE_BINDINGS <= f->p->target->max_storage_buffers;
}

static bool has_room(const struct fuser *f, ir_stmt first, ir_stmt second) {
    const struct ir_stmt_node *a = &f->u->stmts[first], *b = &f->u->stmts[second];
    return !((a->flags | b->flags) & IR_FLAG_LANES) &&
           a->parfor.reduction_count + b->parfor.reduction_count <= PASS_FUSED_REDUCTIONS &&
           has_bindings(f, first, second);
}

// The two, which are neighbours, become one.
static void fuse_now(struct fuser *f, ir_stmt first, ir_stmt second) {
    struct ir_unit *u = f->u;
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    pass_fuse_two(u, first, second);
    if (b.parfor.reduction_count) {
        struct ir_reduction merged[PASS_FUSED_REDUCTIONS];
        for (uint32_t k = 0; k < a.parfor.reduction_count; k++)
            merged[k] = u->reductions[a.parfor.reductions + k];
        for (uint32_t k = 0; k < b.parfor.reduction_count; k++)
            merged[a.parfor.reduction_count + k] = u->reductions[b.parfor.reductions + k];
        uint32_t at = ir_add_reductions(u, merged, a.parfor.reduction_count + b.parfor.reduction_count);
        u->stmts[first].parfor.reductions = at;
        u->stmts[first].parfor.reduction_count = a.parfor.reduction_count + b.parfor.reduction_count;
        u->stmts[first].flags |= b.flags & IR_FLAG_LONG;
    }
    f->parallel++;
    f->changed = true;
}

static bool try_fuse(struct fuser *f, ir_stmt first, ir_stmt second) {
    struct ir_unit *u = f->u;
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    ir_array culprit;
    if (!has_room(f, first, second)) return false;
    if (!pass_may_fuse(f->sc, first, second, 0, &culprit)) {
        if (culprit) say_apart(f, &a, &b, u->arrays[culprit].name);
        return false;
    }
    if (loses_iterations(f, first, second)) {
        say_apart(f, &a, &b, NULL);
        return false;
    }
    fuse_now(f, first, second);
    return true;
}

struct safety {
    const struct ir_unit *u;
    bool ok;
};
static bool safe_node(void *user, ir_expr e) {
    struct safety *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t bits;
    x->ok &= n->op != IR_LOAD;
    if (n->op == IR_DIV || n->op == IR_REM) x->ok &= ir_is_const(x->u, n->b, &bits) && bits;
    return x->ok;
}

// The loop's ends can be computed whatever the condition around it says.
static bool ends_anyway(const struct ir_unit *u, const struct ir_stmt_node *parfor) {
    struct safety x = {u, true};
    for (uint32_t k = 0; k < parfor->parfor.dim_count; k++) {
        ir_walk_expr(u, u->dims[parfor->parfor.dims + k].lo, safe_node, &x);
        ir_walk_expr(u, u->dims[parfor->parfor.dims + k].hi, safe_node, &x);
    }
    return x.ok;
}

// if (uniform cond) { one parallel loop } -> the loop with the condition inside.
static void absorb_condition(struct fuser *f, ir_stmt *link) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind != IR_IF || n.branch.else_block || !n.branch.then_block || u->stmts[n.branch.then_block].next ||
        u->stmts[n.branch.then_block].kind != IR_PARFOR || u->stmts[n.branch.then_block].parfor.reduction_count)
        return;
    if (!ends_anyway(u, &u->stmts[n.branch.then_block])) return;
    struct ir_effects cond = ir_effects_empty(u), body = ir_effects_of(u, u->stmts[n.branch.then_block].parfor.body);
    ir_expr_effects(u, n.branch.cond, &cond);
    if (ir_sets_meet(cond.arrays_read, body.arrays_written, cond.array_words)) return;
    ir_stmt parfor = n.branch.then_block;
    ir_stmt guarded = ir_if(u, n.branch.cond, u->stmts[parfor].parfor.body, 0, n.loc);
    u->stmts[parfor].parfor.body = guarded;
    u->stmts[parfor].next = n.next;
    *link = parfor;
    f->changed = true;
}

static bool on_loop(void *user, ir_stmt s) {
    struct fuser *f = user;
    f->loops |= f->u->stmts[s].kind == IR_FOR || f->u->stmts[s].kind == IR_LOOP;
    return !f->loops;
}

// What is only added up, or compared, of elements that the first loop makes. As one, neither loses what later passes
// make of it: dimensions of inner loops, lanes that share these, a short sum that every workgroup makes (recompute.c).
static bool only_looks(struct fuser *f, ir_stmt first, ir_stmt second) {
    bool rows = pass_collapses(f->p, f->sc, first);
    f->loops = false;
    ir_walk_stmts(f->u, f->u->stmts[second].parfor.body, on_loop, f);
    if (f->loops || rows) return rows && pass_collapses(f->p, f->sc, second);
    return !f->u->stmts[second].parfor.reduction_count || pass_most_iterations(f->sc, second) > PASS_RECOMPUTE_VALUES;
}

// A parallel loop, and scalars that are set behind it and may be set before it.
struct pending {
    ir_stmt before, parfor, last; // before 0: the loop is the first of its block; last: of the assignments, 0: none
    struct ir_effects fx;         // of the loop, once there is an assignment
};

// Whether the scalar, as of a sum that begins with 0, may be set before the loop.
static bool may_come_first(struct ir_unit *u, ir_stmt assign, struct pending *w) {
    if (!w->fx.var_words) w->fx = ir_effects_of_one(u, w->parfor);
    struct ir_effects a = ir_effects_of_one(u, assign);
    return !(u->stmts[assign].flags & IR_FLAG_ATOMIC) && !ir_reads_written(&a, &w->fx) &&
           !ir_reads_written(&w->fx, &a) && !ir_sets_meet(a.vars_written, w->fx.vars_written, a.var_words);
}

// Fuses the two with what stands between them in front. -> the block's first statement, 0: they stay apart
static ir_stmt fuse_over(struct fuser *f, const struct pending *w, ir_stmt second, ir_stmt head) {
    struct ir_unit *u = f->u;
    ir_array culprit;
    if (!has_room(f, w->parfor, second) || !only_looks(f, w->parfor, second) ||
        !pass_may_fuse(f->sc, w->parfor, second, 0, &culprit))
        return 0;
    ir_stmt first = u->stmts[w->parfor].next;
    u->stmts[w->last].next = w->parfor;
    u->stmts[w->parfor].next = second;
    if (w->before)
        u->stmts[w->before].next = first;
    else
        head = first;
    fuse_now(f, w->parfor, second);
    return head;
}

static ir_stmt fuse_entry_block(struct fuser *f, ir_stmt block) {
    struct ir_unit *u = f->u;
    uint32_t mark = pass_scope_enter(f->sc);
    ir_stmt head = block, previous = 0;
    struct pending w = {0};
    for (ir_stmt s = head; s; s = u->stmts[s].next) {
        uint8_t kind = u->stmts[s].kind;
        if (kind == IR_FOR || kind == IR_LOOP) {
            uint32_t inner = pass_scope_enter(f->sc);
            pass_scope_loop(f->sc, s);
            ir_stmt body = fuse_entry_block(f, ir_body_of(&u->stmts[s]));
            ir_set_body(&u->stmts[s], body);
            pass_scope_leave(f->sc, inner);
        } else if (kind == IR_IF) {
            ir_stmt branch = fuse_entry_block(f, u->stmts[s].branch.then_block);
            u->stmts[s].branch.then_block = branch;
            branch = fuse_entry_block(f, u->stmts[s].branch.else_block);
            u->stmts[s].branch.else_block = branch;
            ir_stmt now = s;
            absorb_condition(f, &now);
            if (now != s) {
                if (previous)
                    u->stmts[previous].next = now;
                else
                    head = now;
                s = now;
            }
        } else if (kind == IR_ASSIGN) {
            pass_scope_assign(f->sc, s);
        }
        if (previous && u->stmts[previous].kind == IR_PARFOR && u->stmts[s].kind == IR_PARFOR &&
            try_fuse(f, previous, s)) {
            w.fx.var_words = 0;
            s = previous;
            continue;
        }
        ir_stmt over = w.last && u->stmts[s].kind == IR_PARFOR ? fuse_over(f, &w, s, head) : 0;
        if (over) {
            head = over;
            w = (struct pending){.before = w.last, .parfor = w.parfor};
            s = previous = w.parfor;
            continue;
        }
        if (u->stmts[s].kind == IR_PARFOR)
            w = (struct pending){.before = previous, .parfor = s};
        else if (w.parfor && u->stmts[s].kind == IR_ASSIGN && may_come_first(u, s, &w))
            w.last = s;
        else
            w.parfor = w.last = 0;
        previous = s;
    }
    pass_scope_leave(f->sc, mark);
    return head;
}

// ---- sequential loops inside an iteration ---------------------------------------------------------------------------

// Passes of one, with loops in it, hand no variable on, those of the other do: as one, none may become iterations.
static bool loses_passes(const struct fuser *f, ir_stmt first, ir_stmt second) {
    struct ir_unit *u = f->u;
    ir_stmt both[] = {first, second};
    bool hands[2];
    for (int i = 0; i < 2; i++)
        hands[i] = pass_hands_on(u, u->stmts[both[i]].counted.body);
    return hands[0] != hands[1] && pass_has_loop(u, u->stmts[hands[0] ? second : first].counted.body);
}

static bool try_fuse_for(struct fuser *f, ir_stmt first, ir_stmt second) {
    struct ir_unit *u = f->u;
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    uint64_t trips;
    if (u->vars[a.counted.var].type != u->vars[b.counted.var].type || a.counted.step != b.counted.step ||
        !ir_same_expr(u, a.counted.lo, b.counted.lo) || !ir_same_expr(u, a.counted.hi, b.counted.hi) ||
        pass_leaves_loop(u, a.counted.body) || pass_leaves_loop(u, b.counted.body) ||
        !ir_const_trips(u, first, &trips) || loses_passes(f, first, second))
        return false;
    // Scalars: neither may see a value of the other's in the middle of its loop.
    struct ir_effects fa = ir_effects_of(u, a.counted.body), fb = ir_effects_of(u, b.counted.body);
    uint32_t *ea = pass_exposed(u, a.counted.body), *eb = pass_exposed(u, b.counted.body);
    if (ir_sets_meet(fa.vars_written, fb.vars_written, fa.var_words) ||
        ir_sets_meet(fa.vars_written, eb, fa.var_words) || ir_sets_meet(ea, fb.vars_written, fa.var_words))
        return false;
    // Private arrays are compared as wholes; the others by ownership.
    for (ir_array x = 1; x < u->array_count; x++) {
        bool clash = (ir_bit(fa.arrays_written, x) && (ir_bit(fb.arrays_read, x) || ir_bit(fb.arrays_written, x))) ||
                     (ir_bit(fb.arrays_written, x) && ir_bit(fa.arrays_read, x));
        if (clash && u->arrays[x].klass == IR_ARRAY_LOCAL) return false;
    }
    struct pass_accesses la = {0}, lb = {0}, both = {0};
    pass_collect_inside(f->sc, first, &la);
    pass_collect_inside(f->sc, second, &lb);
    rename_affine(&lb, b.counted.var, a.counted.var);
    append_accesses(u->cx, &both, &la);
    append_accesses(u->cx, &both, &lb);
    struct pass_space space = {.n = 1, .vars = {a.counted.var}, .extents = {trips}, .steps = {a.counted.step}};
    ir_array culprit = 0;
    bool shared = false;
    if (!same_iteration_only(f->sc, &la, &lb, &both, &space, 0, &culprit, &shared) || !shared) return false;
    pass_substitute(u, b.counted.body, b.counted.var, ir_var_read(u, a.counted.var, b.loc));
    ir_append(u, &u->stmts[first].counted.body, b.counted.body);
    f->sequential++;
    f->changed = true;
    return true;
}

static bool may_be_passed(const struct ir_unit *u, ir_stmt s) {
    uint8_t kind = u->stmts[s].kind;
    return kind != IR_BREAK && kind != IR_CONTINUE && kind != IR_IF; // an IF may leave the loop around
}

// A statement of a block. What it reads and writes is asked for once: a body of n loops has n * n pairs.
struct item {
    ir_stmt s;
    bool gone, known;
    struct ir_effects fx;
};

static const struct ir_effects *effects(struct ir_unit *u, struct item *x) {
    if (!x->known) x->fx = ir_effects_of_one(u, x->s);
    x->known = true;
    return &x->fx;
}

static void add_effects(struct ir_effects *to, const struct ir_effects *from) {
    for (uint32_t w = 0; w < 2 * (to->var_words + to->array_words); w++) // the four sets stand in a row
        to->vars_read[w] |= from->vars_read[w];
}

// Looks ahead for loops that can join items[0], over statements that they are independent of.
static void join_later(struct fuser *f, struct item *items, uint32_t count) {
    struct ir_unit *u = f->u;
    struct ir_effects between = {0};
    uint32_t before = 0;
    for (uint32_t k = 1; k < count; k++) {
        if (items[k].gone) continue;
        ir_stmt s = items[0].s, t = items[k].s;
        if (u->stmts[t].kind == IR_FOR && (before == 0 || pass_effects_apart(&between, effects(u, &items[k]))) &&
            try_fuse_for(f, s, t)) {
            u->stmts[items[before].s].next = u->stmts[t].next;
            items[k].gone = true;
            continue;
        }
        if (!may_be_passed(u, t)) return;
        if (before == 0) between = ir_effects_empty(u);
        add_effects(&between, effects(u, &items[k]));
        before = k;
    }
}

static void fuse_body(struct fuser *f, ir_stmt block) {
    struct ir_unit *u = f->u;
    uint32_t mark = pass_scope_enter(f->sc), count = 0, loops = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        count++;
        loops += u->stmts[s].kind == IR_FOR;
    }
    struct item *items = base_alloc_array(u->cx, count + 1, sizeof *items);
    for (ir_stmt s = block, k = 0; s; s = u->stmts[s].next)
        items[k++].s = s;
    for (uint32_t k = 0; k < count; k++) {
        ir_stmt s = items[k].s;
        if (items[k].gone) continue;
        switch (u->stmts[s].kind) {
        case IR_ASSIGN: pass_scope_assign(f->sc, s); break;
        case IR_IF:
            fuse_body(f, u->stmts[s].branch.then_block);
            fuse_body(f, u->stmts[s].branch.else_block);
            break;
        case IR_FOR: {
            if (loops > 1) join_later(f, &items[k], count - k);
            uint32_t inner = pass_scope_enter(f->sc);
            pass_scope_loop(f->sc, s);
            fuse_body(f, u->stmts[s].counted.body);
            pass_scope_leave(f->sc, inner);
            break;
        }
        default: break;
        }
    }
    pass_scope_leave(f->sc, mark);
}

static void fuse_in_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct fuser *f = user;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    fuse_body(f, f->u->stmts[parfor].parfor.body);
    pass_scope_leave(sc, mark);
}

bool pass_fuse_inside(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor) {
    struct fuser f = {.p = p, .u = p->u, .sc = sc};
    fuse_in_parfor(&f, sc, parfor);
    return f.changed;
}

void pass_fuse(struct pass_cx *p) {
    struct fuser f = {.p = p, .u = p->u, .all_sized = true};
    struct pass_scope sc;
    for (ir_array a = 1; a < p->u->array_count; a++)
        f.all_sized &= is_sized(p->u, a);
    pass_scope_init(&sc, p->u);
    f.sc = &sc;
    p->u->root = fuse_entry_block(&f, p->u->root);
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, fuse_in_parfor, &f);
    if (f.parallel)
        base_text_format(p->explain, "fuse: %u parallel loop%s joined %s neighbour\n", f.parallel, base_s(f.parallel),
                         f.parallel == 1 ? "its" : "their");
    if (f.sequential)
        base_text_format(p->explain, "fuse: %u loop%s inside an iteration joined\n", f.sequential,
                         base_s(f.sequential));
    if (f.changed) pass_fold(p);
}
