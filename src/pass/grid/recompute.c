// Values of a reduction that are short to compute and few: every workgroup computes all of them itself, where it
// combines them.
//
// Otherwise a phase computes them, one an iteration, and a barrier stands between that and the combining, which every
// workgroup does for itself anyway. The fold takes the same values in the same order, so its bits stay. What is
// computed again is what a COMBINE would load: who is the best of a few thousand is one comparison for each.
//
// Whether that saves a barrier depends on what stands around: the values' operands are now read by everyone, so a loop
// that overwrites them may need a barrier that it did not need. So it is tried on a copy, and taken where barriers are
// saved and no array becomes shared.
//
// Only the one dispatch does so. In a tree one invocation runs the code around a COMBINE, and the others of its
// workgroup would not have the scalars that the values need.
#include "pass/cost.h"
#include "pass/grid/sync.h"

#include <string.h>

struct candidate {
    ir_stmt parfor;
    uint32_t count; // of COMBINEs
    ir_stmt combines[PASS_RECOMPUTE_PARTIALS];
    ir_expr values[PASS_RECOMPUTE_PARTIALS];
    ir_expr there; // how many of them are combined, 0: all
    base_loc loop;
    bool tried;
};

struct recomputer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_partials partials;
    struct candidate *found;
    uint32_t count, cap;
    struct pass_trial now, then; // as it stands, and with what is looked at
    bool known;                  // `now` is
};

// ---- the body as one expression -------------------------------------------------------------------------------------

static const struct ir_stmt_node *node_of(const struct recomputer *x, ir_stmt s) { return &x->u->stmts[s]; }

struct body {
    struct ir_unit *u;
    uint32_t vars;
    ir_expr *now; // by variable: its value here; 0: not assigned yet
    const struct candidate *c;
    ir_expr stored[PASS_RECOMPUTE_PARTIALS];
    bool fits;
};

static ir_expr value_of(void *user, ir_expr e) {
    struct body *b = user;
    const struct ir_node *n = &b->u->nodes[e];
    if (n->op != IR_VAR || b->now[n->a]) return n->op == IR_VAR ? b->now[n->a] : e;
    b->fits &= b->u->vars[n->a].klass != IR_VAR_LOCAL; // not assigned yet
    return e;
}

static ir_expr now_of(struct body *b, ir_expr e) {
    ir_expr value = ir_map_expr(b->u, e, value_of, b);
    b->fits &= pass_weight_of(b->u, value).nodes <=
               PASS_RECOMPUTE_NODES; // a value that stands in several places counts in each
    return value;
}

static void run_block(struct body *b, ir_stmt block, bool at_top);

static void run_if(struct body *b, const struct ir_stmt_node *n) {
    ir_expr cond = now_of(b, n->branch.cond), *before = b->now, *yes, *no;
    size_t bytes = b->vars * sizeof *before;
    yes = base_alloc_array(b->u->cx, b->vars, sizeof *yes);
    no = base_alloc_array(b->u->cx, b->vars, sizeof *no);
    b->now = memcpy(yes, before, bytes);
    run_block(b, n->branch.then_block, false);
    b->now = memcpy(no, before, bytes);
    run_block(b, n->branch.else_block, false);
    b->now = before;
    for (ir_var v = 1; v < b->vars && b->fits; v++) {
        if (yes[v] == no[v]) {
            before[v] = yes[v];
            continue;
        }
        // What was not assigned on one of the ways is not read behind it, or the program is wrong.
        before[v] = !yes[v] ? no[v] : !no[v] ? yes[v] : ir_op3(b->u, IR_SELECT, cond, yes[v], no[v], n->loc);
        b->fits &= pass_weight_of(b->u, before[v]).nodes <= PASS_RECOMPUTE_NODES;
    }
}

static void run_store(struct body *b, const struct ir_stmt_node *n) {
    const struct ir_unit *u = b->u;
    const struct ir_node index = u->nodes[u->args[n->store.indices]];
    uint32_t k = 0;
    while (k < b->c->count && u->stmts[b->c->combines[k]].combine.array != n->store.array)
        k++;
    ir_var block = u->dims[u->stmts[b->c->parfor].parfor.dims].var;
    if (k == b->c->count || b->stored[k] || n->store.index_count != 1 || index.op != IR_VAR || index.a != block)
        b->fits = false;
    else
        b->stored[k] = now_of(b, n->store.value);
}

// Assignments, branches and, at the top, stores of partial results.
static void run_block(struct body *b, ir_stmt block, bool at_top) {
    for (ir_stmt s = block; s && b->fits; s = b->u->stmts[s].next) {
        const struct ir_stmt_node n = b->u->stmts[s];
        if (n.kind == IR_ASSIGN && b->u->vars[n.assign.var].klass == IR_VAR_LOCAL)
            b->now[n.assign.var] = now_of(b, n.assign.value);
        else if (n.kind == IR_IF)
            run_if(b, &n);
        else if (n.kind == IR_STORE && at_top)
            run_store(b, &n);
        else if (n.kind != IR_NOP)
            b->fits = false;
    }
}

// Loads that are equal become one node, which is made once.
struct loads {
    struct ir_unit *u;
    ir_expr list[PASS_RECOMPUTE_LOADS];
    uint32_t count;
};
static ir_expr share_load(void *user, ir_expr e) {
    struct loads *l = user;
    if (l->u->nodes[e].op != IR_LOAD) return e;
    for (uint32_t i = 0; i < l->count && i < PASS_RECOMPUTE_LOADS; i++)
        if (ir_same_expr(l->u, l->list[i], e)) return l->list[i];
    if (l->count < PASS_RECOMPUTE_LOADS) l->list[l->count] = e;
    l->count++;
    return e;
}

// ---- what may be computed again -------------------------------------------------------------------------------------

// Every rounding of the value is one that the stored value had. A product is rounded where it is stored, and where the
// fold takes it (emit_combine.c hides that it is one); beside an addition inside of the value a device may contract it.
static bool is_unlike(const struct ir_unit *u, ir_expr e, bool in_sum) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits;
    switch (n->op) {
    case IR_CONST:
    case IR_LOAD:
    case IR_I2F:
    case IR_U2F: return false;
    case IR_NEG: return is_unlike(u, n->a, in_sum);
    case IR_MUL: return in_sum || is_unlike(u, n->a, false) || is_unlike(u, n->b, false);
    case IR_ADD:
        if (ir_is_const(u, n->a, &bits) && bits == 0) return is_unlike(u, n->b, in_sum); // a fold's start: rounds once
        return is_unlike(u, n->a, true) || is_unlike(u, n->b, true);
    case IR_SUB: return is_unlike(u, n->a, true) || is_unlike(u, n->b, true);
    case IR_FMIN:
    case IR_FMAX: return is_unlike(u, n->a, in_sum) || is_unlike(u, n->b, in_sum);
    case IR_SELECT: return is_unlike(u, n->b, in_sum) || is_unlike(u, n->c, in_sum);
    default: return true;
    }
}

// The number of iterations under which the values were made, if they are nothing behind it: `i < n ? x[i] : 0`. What is
// left has loads that nothing decides about, so that they are made several at a time. 0: no such number.
static ir_expr take_count(struct recomputer *x, struct candidate *c) {
    const struct ir_unit *u = x->u;
    ir_expr cond = u->nodes[c->values[0]].op == IR_SELECT ? u->nodes[c->values[0]].a : 0, count = u->nodes[cond].b;
    ir_var block = u->dims[node_of(x, c->parfor)->parfor.dims].var;
    if (!cond || u->nodes[cond].op != IR_LT || !pass_is_var(u, u->nodes[cond].a, block) || pass_has_load(u, count) ||
        ir_mentions(u, count, block))
        return 0;
    for (uint32_t k = 0; k < c->count; k++) {
        const struct ir_node *n = &u->nodes[c->values[k]];
        const struct ir_stmt_node *combine = node_of(x, c->combines[k]);
        uint32_t bits,
            nothing = ir_identity((uint8_t)combine->combine.op, (enum ir_type)u->vars[combine->combine.var].type);
        if (n->op != IR_SELECT || !ir_same_expr(u, n->a, cond) || !ir_is_const(u, n->c, &bits) || bits != nothing)
            return 0;
    }
    for (uint32_t k = 0; k < c->count; k++)
        c->values[k] = u->nodes[c->values[k]].b;
    // a condition of the program's own may hold for none
    return ir_op2(x->u, IR_MAX, count, ir_const_i32(x->u, 0), node_of(x, c->parfor)->loc);
}

static bool may_combine(struct recomputer *x, struct candidate *c, uint32_t k) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[c->combines[k]];
    if (n->combine.there) return false;
    struct loads loads = {.u = u};
    c->values[k] = ir_map_expr(u, c->values[k], share_load, &loads);
    struct pass_weight w = pass_weight_of(u, c->values[k]);
    uint32_t each = (n->combine.count + IR_COMBINE_WIDTH - 1) / IR_COMBINE_WIDTH;
    if (loads.count > PASS_RECOMPUTE_LOADS || w.nodes > PASS_RECOMPUTE_NODES || w.work * each > PASS_RECOMPUTE_WORK)
        return false;
    return n->combine.op != IR_ADD || u->vars[n->combine.var].type != IR_F32 || !is_unlike(u, c->values[k], false);
}

// The statement, between the loop and the last of its COMBINEs, changes nothing that the loop's body reads.
static bool leaves_alone(struct ir_unit *u, const struct ir_effects *body, ir_stmt s) {
    uint8_t kind = u->stmts[s].kind;
    if (kind != IR_ASSIGN && kind != IR_STORE && kind != IR_COMBINE && kind != IR_PARFOR && kind != IR_NOP)
        return false; // a loop may be where the program goes on after a pause, without what was computed before
    struct ir_effects fx = ir_effects_of_one(u, s);
    return !ir_reads_written(body, &fx);
}

static bool is_candidate(struct recomputer *x, ir_stmt parfor, struct candidate *c) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    const struct ir_dim dim = u->dims[n.parfor.dims];
    uint32_t lo, hi, stores = 0;
    *c = (struct candidate){.parfor = parfor, .loop = n.loc};
    if (n.parfor.dim_count != 1 || n.flags & IR_FLAG_LANES || dim.step != 1 || u->vars[dim.var].type != IR_I32 ||
        !ir_is_const(u, dim.lo, &lo) || lo != 0 || !ir_is_const(u, dim.hi, &hi) || hi == 0 ||
        hi > PASS_RECOMPUTE_VALUES || pass_size(u, n.parfor.body) > PASS_RECOMPUTE_STATEMENTS)
        return false;
    for (ir_stmt s = n.parfor.body; s; s = u->stmts[s].next)
        stores += u->stmts[s].kind == IR_STORE;
    struct ir_effects fx = ir_effects_of(u, n.parfor.body);
    for (ir_stmt s = n.next; s && c->count < stores && c->count < PASS_RECOMPUTE_PARTIALS; s = u->stmts[s].next) {
        if (pass_partials_store(&x->partials, parfor, s) && u->stmts[s].combine.count == hi)
            c->combines[c->count++] = s;
        if (c->count < stores && !leaves_alone(u, &fx, s)) return false;
    }
    if (!stores || c->count < stores) return false;
    struct body b = {.u = u, .vars = u->var_count, .c = c, .fits = true};
    b.now = base_alloc_array(u->cx, b.vars, sizeof *b.now);
    run_block(&b, n.parfor.body, true);
    if (!b.fits) return false;
    memcpy(c->values, b.stored, sizeof c->values);
    c->there = take_count(x, c);
    for (uint32_t k = 0; k < c->count; k++)
        if (!may_combine(x, c, k)) return false;
    return true;
}

static void find(struct recomputer *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        struct candidate c;
        if (n->kind == IR_PARFOR) {
            if (!is_candidate(x, s, &c)) continue;
            BASE_RESERVE(x->u->cx, x->found, x->count, x->cap);
            x->found[x->count++] = c;
            continue;
        }
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            find(x, inner[i]);
    }
}

// ---- what it would save ---------------------------------------------------------------------------------------------

static void apply(struct ir_unit *u, const struct candidate *c) {
    struct ir_stmt_node *parfor = &u->stmts[c->parfor];
    ir_var index = u->dims[parfor->parfor.dims].var;
    for (uint32_t k = 0; k < c->count; k++) {
        struct ir_stmt_node *n = &u->stmts[c->combines[k]];
        n->combine.array = 0;
        n->combine.from = 0;
        n->combine.there = c->there;
        n->combine.value = c->values[k];
        n->combine.index = index;
    }
    *parfor = (struct ir_stmt_node){.kind = IR_NOP, .loc = parfor->loc, .next = parfor->next};
}

// Copies that other passes made of one loop: one of them alone may save nothing.
static void apply_all(const struct recomputer *x, struct ir_unit *u, base_loc loop) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->found[i].loop == loop) apply(u, &x->found[i]);
}

// A copy with its barriers; of it only what is asked is kept. No loop: nothing is computed again.
static void try(const struct recomputer *x, const base_loc *loop, struct pass_trial *out) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct pass_cx p = pass_copy(x->p);
    if (loop) apply_all(x, p.u, *loop);
    pass_try_sync(&p, x->u->array_count, out);
    base_scratch_end(x->u->cx, &scratch);
}

static bool pays(struct recomputer *x, base_loc loop) {
    if (!x->known) try(x, NULL, &x->now);
    x->known = true;
    try(x, &loop, &x->then);
    return pass_trial_pays(x->u, &x->now, &x->then);
}

static void say(const struct recomputer *x, const struct candidate *c) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *first = &u->stmts[c->combines[0]];
    base_text_format(x->p->explain, "recompute: every workgroup computes the %u value%s of", first->combine.count,
                     base_s(first->combine.count));
    for (uint32_t k = 0; k < c->count; k++)
        base_text_format(x->p->explain, "%s '%s'", k ? "," : "", u->vars[u->stmts[c->combines[k]].combine.var].name);
    base_text_format(x->p->explain, " (%s) itself: fewer barriers\n", base_place(u->cx, first->loc));
}

void pass_recompute(struct pass_cx *p) {
    struct recomputer x = {.p = p, .u = p->u};
    pass_partials_find(&x.partials, p->u);
    find(&x, p->u->root);
    x.now = pass_trial_begin(p->u);
    x.then = pass_trial_begin(p->u);
    bool any = false;
    for (uint32_t i = 0; i < x.count; i++) {
        base_loc loop = x.found[i].loop;
        bool tried = x.found[i].tried;
        for (uint32_t k = i; k < x.count; k++)
            x.found[k].tried |= x.found[k].loop == loop;
        if (tried || !pays(&x, loop)) continue;
        any = true;
        x.known = false;
        apply_all(&x, p->u, loop);
        say(&x, &x.found[i]);
    }
    if (any) pass_remove_dead(p->u);
}
