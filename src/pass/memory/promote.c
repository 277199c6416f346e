// Array elements that one iteration owns become scalars while it runs.
//   promote   an element with a fixed address: loaded once in front, stored once behind (a step form's state lives in
//             registers)
//   contract  a scratch element that is written and then read in the same pass: no memory at all (chains of
//             element-wise loops)
#include "pass/memory/promote.h"

bool promote_same_element(const struct pass_access *a, const struct pass_access *b) {
    for (uint32_t d = 0; d < a->n; d++)
        if (!pass_affine_equal(&a->sub[d], &b->sub[d])) return false;
    return true;
}

static bool distinct_subscripts(const struct pass_access *a, const struct pass_access *b) {
    for (uint32_t d = 0; d < a->n; d++)
        if (pass_affine_distinct(&a->sub[d], &b->sub[d])) return true;
    return false;
}

static int group_of(struct promoter *x, const struct pass_access *a) {
    for (uint32_t g = 0; g < x->group_count; g++)
        if (promote_same_element(x->groups[g].first, a)) return (int)g;
    return -1;
}

// Sorts the accesses to x->array into groups of equal subscripts; false if two groups might meet or a subscript varies
// in the block.
static bool make_groups(struct promoter *x, const struct ir_effects *block) {
    x->group_count = 0;
    for (uint32_t k = 0; k < x->list->count; k++) {
        const struct pass_access *a = &x->list->items[k];
        if (a->array != x->array) continue;
        for (uint32_t d = 0; d < a->n; d++) {
            if (!a->sub[d].ok) return false;
            for (uint32_t i = 0; i < a->sub[d].n; i++)
                if (ir_bit(block->vars_written, a->sub[d].vars[i])) return false;
        }
        int g = group_of(x, a);
        if (g < 0) {
            for (uint32_t o = 0; o < x->group_count; o++)
                if (!distinct_subscripts(x->groups[o].first, a)) return false;
            if (x->group_count == PASS_MOST_PROMOTED) return false;
            g = (int)x->group_count++;
            x->groups[g] = (struct group){.first = a};
        }
        x->groups[g].accesses++;
        x->groups[g].stored |= a->store;
        x->groups[g].own |= a->store && x->u->stmts[a->stmt].flags & IR_FLAG_OWN;
        x->groups[g].loaded |= !a->store;
        x->groups[g].sure |= !a->conditional;
    }
    return x->group_count > 0;
}

static ir_expr replace_node(void *user, ir_expr e) {
    struct promoter *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || n.a != x->array) return e;
    for (uint32_t k = 0; k < x->list->count; k++) {
        const struct pass_access *a = &x->list->items[k];
        if (a->array != x->array || a->store || !ir_same_expr(x->u, a->load, e)) continue;
        int g = group_of(x, a);
        return g < 0 ? e : ir_var_read(x->u, x->groups[g].var, n.loc);
    }
    return e;
}

static void replace_all(struct promoter *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    for (uint32_t g = 0; g < x->group_count; g++)
        x->groups[g].var = ir_add_var(u, u->arrays[x->array].name, ir_elem_type(u->arrays[x->array].elem), IR_VAR_LOCAL,
                                      u->arrays[x->array].loc);
    for (uint32_t k = 0; k < x->list->count; k++) {
        const struct pass_access *a = &x->list->items[k];
        if (a->array != x->array || !a->store) continue;
        struct ir_stmt_node *s = &u->stmts[a->stmt];
        int g = group_of(x, a);
        if (g >= 0) ir_make_assign(s, x->groups[g].var, s->store.value);
    }
    ir_map_block(u, block, replace_node, x);
}

static uint32_t count_accesses(const struct pass_accesses *list, ir_array array) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < list->count; k++)
        n += list->items[k].array == array;
    return n;
}

// Elements that must not live in registers: narrow ones, which a store rounds, and those that iterations share by
// atomics.
static bool stays_in_memory(const struct ir_unit *u, ir_array a, bool is_atomic) {
    return whorl_dtype_size(u->arrays[a].elem) != 4 || (is_atomic && u->arrays[a].atomic);
}

// The subscripts as expressions that can stand at the start and the end of the body: rebuilt from the affine forms.
static void subscripts_of(struct promoter *x, const struct pass_access *a, ir_expr *out) {
    struct ir_unit *u = x->u;
    for (uint32_t d = 0; d < a->n; d++) {
        ir_expr e = 0;
        for (uint32_t i = 0; i < a->sub[d].n; i++) {
            ir_expr v = ir_var_read(u, a->sub[d].vars[i], 0);
            if (u->nodes[v].type == IR_U32) v = ir_op1(u, IR_U2I, v, 0);
            if (a->sub[d].coefs[i] != 1) v = ir_op2(u, IR_MUL, v, ir_const_i32(u, (int32_t)a->sub[d].coefs[i]), 0);
            e = e ? ir_op2(u, IR_ADD, e, v, 0) : v;
        }
        if (!e)
            e = ir_const_i32(u, (int32_t)a->sub[d].constant);
        else if (a->sub[d].constant)
            e = ir_op2(u, IR_ADD, e, ir_const_i32(u, (int32_t)a->sub[d].constant), 0);
        out[d] = e;
    }
}

static bool subscripts_simple(const struct pass_access *a) {
    for (uint32_t d = 0; d < a->n; d++) {
        if (a->sub[d].constant > INT32_MAX || a->sub[d].constant < INT32_MIN) return false;
        for (uint32_t i = 0; i < a->sub[d].n; i++)
            if (a->sub[d].coefs[i] > INT32_MAX || a->sub[d].coefs[i] < INT32_MIN) return false;
    }
    return true;
}

// What puts the group's variable back into its element.
static ir_stmt store_back(struct promoter *x, const struct group *g) {
    struct ir_unit *u = x->u;
    const struct pass_access *first = g->first;
    base_loc loc = u->stmts[first->stmt].loc;
    ir_expr index[IR_MAX_DIMS];
    subscripts_of(x, first, index);
    ir_stmt out = ir_store(u, first->array, index, first->n, ir_var_read(u, g->var, loc), loc);
    if (g->own) u->stmts[out].flags |= IR_FLAG_OWN;
    return out;
}

// Nothing in the block assigns a variable of the subscripts except single definitions, which hold to the end of the
// block.
static bool steady(struct promoter *x, ir_stmt block, const struct pass_access *a) {
    struct ir_effects fx = ir_effects_of(x->u, block);
    for (uint32_t d = 0; d < a->n; d++)
        for (uint32_t i = 0; i < a->sub[d].n; i++)
            if (ir_bit(fx.vars_written, a->sub[d].vars[i])) return false;
    return true;
}

// ---- contract -------------------------------------------------------------------------------------------------------

// The block's own statements store the element before anything in it loads it.
static bool stored_first(struct promoter *x, ir_stmt block, const struct pass_access *first) {
    if (!first->store || first->conditional) return false;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next)
        if (s == first->stmt) return true;
    return false;
}

// The block's own statements load the element, replace it, and load it again.
static bool loaded_again(struct promoter *x, const struct pass_access *first) {
    bool stored = false, again = false;
    if (first->store || first->conditional) return false;
    for (uint32_t k = 0; k < x->list->count; k++) {
        const struct pass_access *a = &x->list->items[k];
        if (a->array != x->array) continue;
        again |= stored && !a->store;
        stored |= a->store && !a->conditional;
    }
    return again;
}

static bool is_candidate(const struct ir_unit *u, ir_array a) {
    uint8_t klass = u->arrays[a].klass;
    return (klass == IR_ARRAY_SCRATCH || klass == IR_ARRAY_INOUT) && !stays_in_memory(u, a, true);
}

static bool stores_candidate(const struct ir_unit *u, ir_stmt block) {
    struct ir_effects fx = ir_effects_of(u, block);
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++)
        any |= is_candidate(u, a) && ir_bit(fx.arrays_written, a);
    return any;
}

// `is_loop`: the block is the body of a FOR, so what is assigned in it holds for one pass.
static void contract_in(struct promoter *x, ir_stmt *head, bool is_loop) {
    struct ir_unit *u = x->u;
    if (!stores_candidate(u, *head)) return; // most loops: the accesses need not be collected
    struct pass_accesses list = {0};
    pass_collect(x->sc, *head, &list);
    struct ir_effects none = ir_effects_empty(u);
    bool leaves = is_loop && pass_leaves_loop(u, *head);
    for (ir_array a = 1; a < u->array_count; a++) {
        if (!is_candidate(u, a)) continue;
        uint32_t here = count_accesses(&list, a);
        bool everything = u->arrays[a].klass == IR_ARRAY_SCRATCH && here == x->total_accesses[a];
        // What other places see must be stored at the end of the pass, which a break or continue might skip.
        if (here == 0 || (!everything && (leaves || here < 2 || !is_loop))) continue;
        x->array = a;
        x->list = &list;
        // One element in each pass, written before it is read, or read once: the value travels in a register.
        if (!make_groups(x, &none) || x->group_count != 1 || !subscripts_simple(x->groups[0].first)) continue;
        const struct pass_access first = *x->groups[0].first;
        bool fresh = !x->late && stored_first(x, *head, &first),
             loads = x->late && !everything && loaded_again(x, &first);
        if ((!fresh && !loads) || (!everything && !steady(x, *head, &first))) continue;
        ir_expr index[IR_MAX_DIMS];
        replace_all(x, *head);
        if (loads) {
            subscripts_of(x, &first, index);
            base_loc loc = u->stmts[first.stmt].loc;
            ir_stmt front = ir_assign(u, x->groups[0].var, ir_load(u, a, index, first.n, loc), loc);
            ir_append(u, &front, *head);
            *head = front;
        }
        if (!everything) ir_append(u, head, store_back(x, &x->groups[0]));
        x->contracted++;
        base_text_format(x->p->explain,
                         everything ? "promote: scratch array '%s' needs no memory\n"
                                    : "promote: '%s' is stored once a pass\n",
                         u->arrays[a].name);
        list = (struct pass_accesses){0};
        pass_collect(x->sc, *head, &list);
    }
}

static void contract_block(struct promoter *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        uint8_t kind = u->stmts[s].kind;
        if (kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (kind == IR_IF) {
            contract_block(x, u->stmts[s].branch.then_block);
            contract_block(x, u->stmts[s].branch.else_block);
        }
        if (kind == IR_FOR) {
            uint32_t inner = pass_scope_enter(x->sc);
            pass_scope_loop(x->sc, s);
            ir_stmt body = u->stmts[s].counted.body;
            contract_in(x, &body, true);
            u->stmts[s].counted.body = body;
            contract_block(x, body);
            pass_scope_leave(x->sc, inner);
        }
    }
    pass_scope_leave(x->sc, mark);
}

// ---- promote --------------------------------------------------------------------------------------------------------

static bool provably_inside(struct promoter *x, const struct pass_access *a) {
    for (uint32_t d = 0; d < a->n; d++) {
        struct pass_range index = pass_range_of(x->sc, a->indices[d]),
                          dim = pass_range_of(x->sc, x->u->arrays[a->array].dims[d]);
        if (!index.known || !dim.known || index.lo < 0 || index.hi >= dim.lo) return false;
    }
    return true;
}

// An access less: its loop makes several, or others surely make one. Stores that may not happen, each in a place of its
// own, would only have the old value loaded before.
static bool is_worth(struct promoter *x, ir_stmt body, const struct group *g) {
    return (g->accesses > 1 && (g->sure || g->loaded)) || pass_in_loop(x->sc, body, g->first->stmt);
}

// What loads the groups' elements before the body; 0: none needs to be.
static ir_stmt load_groups(struct promoter *x, ir_array a, ir_stmt body) {
    struct ir_unit *u = x->u;
    const uint32_t *exposed = pass_exposed(u, body);
    ir_stmt front = 0;
    ir_expr index[IR_MAX_DIMS];
    for (uint32_t g = 0; g < x->group_count; g++) {
        const struct group *q = &x->groups[g];
        // A conditional store leaves the old value in place: it must be known to be stored back.
        if (!ir_bit(exposed, q->var) && (q->sure || !q->stored)) continue;
        subscripts_of(x, q->first, index);
        base_loc loc = u->stmts[q->first->stmt].loc;
        ir_append(u, &front, ir_assign(u, q->var, ir_load(u, a, index, q->first->n, loc), loc));
    }
    return front;
}

static ir_stmt store_groups(struct promoter *x) {
    struct ir_unit *u = x->u;
    ir_stmt back = 0;
    for (uint32_t g = 0; g < x->group_count; g++)
        if (x->groups[g].stored) ir_append(u, &back, store_back(x, &x->groups[g]));
    return back;
}

// Of an iteration that does something only under a condition, that is the block: the others need not load and store.
// Enters its scope. `out_if`: the IF; 0: it is the body.
static ir_stmt block_of(struct promoter *x, ir_stmt body, ir_stmt *out_if) {
    struct ir_unit *u = x->u;
    ir_stmt s = body;
    while (s && u->stmts[s].kind == IR_ASSIGN && u->stmts[s].next)
        s = u->stmts[s].next;
    const struct ir_stmt_node n = u->stmts[s];
    *out_if = 0;
    if (!s || n.kind != IR_IF || n.next || n.branch.else_block) return body;
    struct ir_effects inside = ir_effects_of(u, n.branch.then_block), front = ir_effects_empty(u);
    ir_expr_effects(u, n.branch.cond, &front);
    for (ir_stmt t = body; t != s; t = u->stmts[t].next)
        ir_expr_effects(u, u->stmts[t].assign.value, &front);
    if (ir_sets_meet(front.arrays_read, inside.arrays_written, front.array_words)) return body;
    for (ir_stmt t = body; t != s; t = u->stmts[t].next)
        pass_scope_assign(x->sc, t);
    *out_if = s;
    return n.branch.then_block;
}

static void promote_in(struct promoter *x, ir_stmt parfor, bool repeated) {
    struct ir_unit *u = x->u;
    struct pass_accesses list = {0};
    struct pass_space space;
    ir_stmt branch, body = block_of(x, u->stmts[parfor].parfor.body, &branch);
    pass_collect(x->sc, body, &list);
    pass_space_of(x->sc, parfor, &space);
    struct ir_effects fx = ir_effects_of(u, body);
    bool is_atomic = pass_is_atomic(u, u->stmts[parfor].parfor.body);
    x->list = &list;
    for (ir_array a = 1; a < u->array_count; a++) {
        uint8_t klass = u->arrays[a].klass;
        if ((klass != IR_ARRAY_INOUT && klass != IR_ARRAY_SCRATCH) || stays_in_memory(u, a, is_atomic) ||
            !ir_bit(fx.arrays_written, a))
            continue;
        x->array = a;
        bool all = pass_owned(x->sc, &list, a, &space) && make_groups(x, &fx);
        if (!all && !promote_find_single(x, parfor, &space)) continue;
        bool fits = x->group_count <= x->p->target->register_budget * PASS_PROMOTE_BUDGETS, worth = false;
        for (uint32_t g = 0; g < x->group_count; g++) {
            fits &=
                (x->groups[g].sure || provably_inside(x, x->groups[g].first)) && subscripts_simple(x->groups[g].first);
            worth |= is_worth(x, body, &x->groups[g]);
        }
        if (!fits || !worth) continue;
        uint32_t loads_here = 0;
        for (uint32_t k = 0; k < list.count; k++)
            loads_here += list.items[k].array == a && !list.items[k].store;
        replace_all(x, body);
        x->promoted++;
        ir_stmt front = load_groups(x, a, body);
        bool wanted = !all || klass == IR_ARRAY_INOUT || x->total_loads[a] > loads_here || (front && repeated);
        ir_stmt back = wanted ? store_groups(x) : 0;
        ir_append(u, &front, body);
        ir_append(u, &front, back);
        body = front;
        if (branch)
            u->stmts[branch].branch.then_block = body;
        else
            u->stmts[parfor].parfor.body = body;
        base_text_format(x->p->explain, "promote: '%s' is kept in %u register%s of its iteration%s\n",
                         u->arrays[a].name, x->group_count, base_s(x->group_count), wanted ? "" : " and never stored");
        // The lists are of the old body: collect again.
        list = (struct pass_accesses){0};
        pass_collect(x->sc, body, &list);
        fx = ir_effects_of(u, body);
    }
    x->list = NULL;
}

struct total {
    struct ir_unit *u;
    uint32_t *loads, *accesses;
};

static bool total_node(void *user, ir_expr e) {
    struct total *t = user;
    if (t->u->nodes[e].op == IR_LOAD) {
        t->loads[t->u->nodes[e].a]++;
        t->accesses[t->u->nodes[e].a]++;
    }
    return true;
}
static bool total_stmt(void *user, ir_stmt s) {
    struct total *t = user;
    ir_array written = ir_write_of(&t->u->stmts[s]).array;
    if (written) t->accesses[written]++;
    if (t->u->stmts[s].kind == IR_STAGE) {
        t->loads[t->u->stmts[s].stage.from]++;
        t->accesses[t->u->stmts[s].stage.from]++;
    }
    if (t->u->stmts[s].kind == IR_TURN) {
        t->loads[t->u->stmts[s].turn.from]++;
        t->accesses[t->u->stmts[s].turn.from]++;
        t->accesses[t->u->stmts[s].turn.to]++;
    }
    if (t->u->stmts[s].kind == IR_COMBINE) {
        t->loads[t->u->stmts[s].combine.array]++;
        t->accesses[t->u->stmts[s].combine.array]++;
    }
    return true;
}

static void count_all(struct promoter *x) {
    struct ir_unit *u = x->u;
    uint32_t changes = x->promoted + x->contracted;
    if (x->total_loads && x->counted_changes == changes) return; // most loops stay as they are
    x->counted_changes = changes;
    x->total_loads = base_alloc_array(u->cx, u->array_count, sizeof *x->total_loads);
    x->total_accesses = base_alloc_array(u->cx, u->array_count, sizeof *x->total_accesses);
    struct total t = {u, x->total_loads, x->total_accesses};
    struct ir_visitor v = {.on_stmt = total_stmt, .on_node = total_node, .user = &t};
    ir_walk_block(u, u->root, &v);
}

static void promote_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct promoter *x = user;
    x->sc = sc;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    count_all(x);
    ir_stmt body = x->u->stmts[parfor].parfor.body;
    contract_in(x, &body, false);
    x->u->stmts[parfor].parfor.body = body;
    contract_block(x, body);
    count_all(x);
    promote_in(x, parfor, sc->depth > 2); // deeper than the root block and this loop: it runs more than once
    x->late = true;
    if (x->last) count_all(x);
    if (x->last) contract_block(x, x->u->stmts[parfor].parfor.body);
    x->late = false;
    pass_scope_leave(sc, mark);
}

static void promote(struct pass_cx *p, bool last) {
    struct promoter x = {.p = p, .u = p->u, .last = last};
    x.groups = base_alloc_array(p->u->cx, PASS_MOST_PROMOTED, sizeof *x.groups);
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, promote_parfor, &x);
    if (x.promoted || x.contracted) pass_fold(p);
}

void pass_promote(struct pass_cx *p) { promote(p, true); }

// An element that an iteration writes and reads again would keep it on one lane (pass_spread).
void pass_settle(struct pass_cx *p) {
    if (p->target->subgroup_lanes >= 2) promote(p, false);
}
