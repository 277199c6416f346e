// What the pass before stored stays in a register:
//
//   for (b = 1; b < n; b++) below[b] = below[b - 1] + count[b];      becomes
//   before = below[0]; for (b = 1; b < n; b++) { now = before + count[b]; below[b] = now; before = now; }
//
// A recurrence along an array else waits in each pass for the store and the load of one element: in one dispatch past
// the nearest cache, and in all others a driver that fears two bindings of one buffer does the same. Passes then touch
// no element of each other any more, so that loads of others may be made several at a time (gather.c).
//
// So does what several passes before stored, in a variable for each; and where scan.c asks (pass_carry_all), what this
// pass has stored is not loaded again, and a store that a condition guards is made by every pass, of the old element
// where the condition does not hold: if (b[i] < b[i - 1]) b[i] = b[i - 1].
//
// The law: the loop has one store to the array, or to such a column of it, which each pass makes; the load is of the
// element that is some steps of the counter back. What stands in front of the loop loads only what passes load, or what
// lies inside of the array.
// Iterations do not touch each other's elements. The old element is stored again where there is one iteration alone.
#include "pass/passes.h"

struct carrier {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    bool all;       // that scan.c asks for
    bool is_alone;  // the iterations under way are one,
    bool is_atomic; // ... or some access of theirs is
    ir_stmt loop;
    uint64_t trips;           // UINT64_MAX: nobody knows
    struct ir_effects inside; // of its body
    struct pass_accesses list;
};
// Loads of what a store left some passes back.
struct carried {
    const struct pass_access *store;
    uint32_t passes;                                   // back, at most; 0: there are none
    const struct pass_access *of[1 + PASS_CARRY_BACK]; // by passes back, one of them, which each pass makes if any is
    ir_var vars[1 + PASS_CARRY_BACK];                  // [0]: what this pass stores
};

// ---- which loads? ---------------------------------------------------------------------------------------------------

// The load's element is the store's so many passes before, at a place that the counter alone decides.
static bool follows(const struct carrier *x, const struct pass_access *load, const struct pass_access *store,
                    uint32_t passes) {
    const struct ir_stmt_node *n = &x->u->stmts[x->loop];
    bool moves = false, known = pass_place_is_known(x->u, x->loop, &x->inside, load->indices, load->n, &moves) && moves;
    for (uint32_t d = 0; d < store->n && known; d++) {
        struct pass_affine back = store->sub[d];
        back.constant -= pass_affine_coef(&back, n->counted.var) * n->counted.step * (int64_t)passes;
        for (uint32_t i = 0; i < back.n && back.ok; i++)
            known &= back.vars[i] == n->counted.var || !ir_bit(x->inside.vars_written, back.vars[i]);
        known &= back.ok && load->sub[d].ok && pass_affine_equal(&back, &load->sub[d]);
    }
    return known;
}

static void find_carried(const struct carrier *x, const struct pass_access *store, struct carried *out) {
    *out = (struct carried){.store = store};
    for (uint32_t i = 0; i < x->list.count; i++) {
        const struct pass_access *load = &x->list.items[i];
        if (load->array != store->array || !load->load || (load->conditional && !x->all)) continue;
        for (uint32_t k = 1; k <= PASS_CARRY_BACK && k < x->trips; k++) {
            if (!follows(x, load, store, k)) continue;
            if (k > out->passes) out->passes = k;
            if (!out->of[k] || (out->of[k]->conditional && !load->conditional)) out->of[k] = load;
        }
    }
}

static bool may_carry(const struct carrier *x, ir_array a) {
    const struct ir_unit *u = x->u;
    return ir_in_buffer(u, a) && a != u->log && !(u->arrays[a].atomic && x->is_atomic) &&
           whorl_dtype_size((enum whorl_dtype)u->arrays[a].elem) == 4;
}
// To its column, by the loop.
static uint32_t stores_beside(const struct carrier *x, const struct pass_access *store) {
    ir_var counter = x->u->stmts[x->loop].counted.var;
    uint32_t stores = 0;
    for (uint32_t k = 0; k < x->list.count; k++) {
        const struct pass_access *other = &x->list.items[k];
        stores += other->store && other->array == store->array &&
                  !pass_in_other_column(store, other, x->inside.vars_written, counter);
    }
    return stores;
}

// A store that each pass makes, the only one to its column of the array.
static bool is_only_store(const struct carrier *x, const struct pass_access *store) {
    const struct ir_unit *u = x->u;
    if (!store->store || store->conditional || !may_carry(x, store->array) || stores_beside(x, store) != 1)
        return false;
    ir_stmt s = u->stmts[x->loop].counted.body;
    while (s && s != store->stmt)
        s = u->stmts[s].next;
    return s && u->stmts[s].kind == IR_STORE;
}

// ---- stores that a condition guards ---------------------------------------------------------------------------------

static ir_expr load_of(struct ir_unit *u, const struct ir_stmt_node *store) {
    ir_expr at[IR_MAX_DIMS];
    for (uint32_t d = 0; d < store->store.index_count; d++)
        at[d] = u->args[store->store.indices + d];
    return ir_load(u, store->store.array, at, store->store.index_count, store->loc);
}
static const struct ir_stmt_node *only_store(const struct ir_unit *u, ir_stmt block) {
    const struct ir_stmt_node *n = &u->stmts[block];
    return block && !n->next && n->kind == IR_STORE && !n->flags && !n->store.run ? n : NULL;
}

// What the array's element is where the condition does not hold; 0: that is not known.
static ir_expr else_value(struct carrier *x, const struct ir_stmt_node *n, const struct pass_access *store) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *yes = only_store(u, n->branch.then_block), *no = only_store(u, n->branch.else_block);
    struct carried found;
    if (!yes || yes->store.array != store->array || !may_carry(x, store->array)) return 0;
    find_carried(x, store, &found);
    if (!found.passes || stores_beside(x, store) != (no ? 2 : 1)) return 0;
    ir_expr old = load_of(u, yes);
    if (no) return no->store.array == store->array && ir_same_expr(u, old, load_of(u, no)) ? no->store.value : 0;
    return x->is_alone && !n->branch.else_block && pass_is_safe_anywhere(&x->sc, old) ? old : 0;
}

// Makes one of them a store that each pass makes; false: there is none.
static bool store_always(struct carrier *x) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = u->stmts[x->loop].counted.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        for (uint32_t k = 0; k < x->list.count && n.kind == IR_IF; k++) {
            const struct pass_access *store = &x->list.items[k];
            if (!store->store || store->stmt != n.branch.then_block) continue;
            ir_expr no = else_value(x, &n, store);
            if (!no) continue;
            ir_expr yes = u->stmts[store->stmt].store.value,
                    value = ir_op3(u, IR_SELECT, n.branch.cond, yes, no, n.loc);
            u->stmts[s] = u->stmts[store->stmt];
            u->stmts[s].store.value = value;
            u->stmts[s].next = n.next;
            return true;
        }
    }
    return false;
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static ir_expr at_pass(struct carrier *x, ir_expr load, uint32_t pass) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    ir_expr counter = n.counted.lo;
    if (pass) counter = ir_op2(u, IR_ADD, counter, ir_const_i32(u, (int32_t)pass * n.counted.step), n.loc);
    ir_stmt copy = ir_clone_block(u, ir_assign(u, n.counted.var, load, n.loc), NULL, NULL);
    pass_substitute(u, copy, n.counted.var, counter);
    return u->stmts[copy].assign.value;
}

// The load surely is of no element.
static bool is_outside(const struct carrier *x, ir_expr load) {
    const struct ir_node *n = &x->u->nodes[load];
    bool outside = false;
    for (uint32_t d = 0; d < n->n; d++) {
        struct pass_range at = pass_range_of(&x->sc, x->u->args[n->b + d]);
        outside |= at.known && at.hi < 0;
    }
    return outside;
}

// What the element of so many passes back is in the first pass; 0: it may not be loaded there. Where it is outside of
// the array no pass loads it.
static ir_expr first_value(struct carrier *x, const struct carried *c, uint32_t passes) {
    const struct pass_access *load = c->of[passes];
    uint32_t pass = load ? 0 : c->passes - passes;
    if (!load) load = c->of[c->passes];
    ir_expr value = at_pass(x, load->load, pass);
    bool made = !load->conditional && x->trips != UINT64_MAX; // by a pass that there surely is
    if (made || pass_is_safe_anywhere(&x->sc, value)) return value;
    return is_outside(x, value) ? ir_const(x->u, (enum ir_type)x->u->nodes[value].type, 0) : 0;
}

// Puts the variables in front of the loop; 0: one of them may not be loaded there.
static ir_stmt set_first(struct carrier *x, struct carried *c) {
    struct ir_unit *u = x->u;
    const struct ir_node node = u->nodes[c->of[c->passes]->load];
    ir_stmt first = 0;
    for (uint32_t k = c->passes; k > 0; k--) {
        ir_expr value = first_value(x, c, k);
        if (!value) return 0;
        c->vars[k] = ir_add_var(u, u->arrays[node.a].name, (enum ir_type)node.type, IR_VAR_LOCAL, node.loc);
        ir_append(u, &first, ir_assign(u, c->vars[k], value, node.loc));
    }
    return first;
}

// Loads that are in the list, of an element that the store leaves so many passes later; of this pass only behind it.
static void replace_loads(struct carrier *x, const struct carried *c, uint32_t passes, ir_stmt block) {
    for (uint32_t i = 0; i < x->list.count; i++) {
        const struct pass_access *load = &x->list.items[i];
        if (load->array == c->store->array && load->load && (!load->conditional || x->all) &&
            follows(x, load, c->store, passes))
            pass_replace_loads(x->u, block, &load->load, &c->vars[passes], 1);
    }
}

// The loop with what is carried in variables, behind what sets them; 0: it cannot be had.
static ir_stmt carry(struct carrier *x, struct carried *c) {
    struct ir_unit *u = x->u;
    ir_stmt store = c->store->stmt, first = set_first(x, c), body = u->stmts[x->loop].counted.body;
    if (!first) return 0;
    base_loc loc = u->stmts[store].loc;
    for (uint32_t k = 1; k <= c->passes; k++)
        replace_loads(x, c, k, body);
    // the last one takes what is stored at once, where nobody wants it any more
    bool at_once = c->passes == 1 && !ir_bit(ir_effects_of(u, u->stmts[store].next).vars_read, c->vars[1]);
    const struct ir_var_info info = u->vars[c->vars[1]];
    c->vars[0] = at_once ? c->vars[1] : ir_add_var(u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
    ir_stmt keep = ir_add_stmt(u, IR_STORE, loc);
    u->stmts[keep] = u->stmts[store];
    if (x->all) replace_loads(x, c, 0, u->stmts[keep].next);
    ir_make_assign(&u->stmts[store], c->vars[0], u->stmts[keep].store.value);
    u->stmts[keep].store.value = ir_var_read(u, c->vars[0], loc);
    u->stmts[store].next = keep;
    for (uint32_t k = c->passes; k > 0 && !at_once; k--)
        ir_append(u, &body, ir_assign(u, c->vars[k], ir_var_read(u, c->vars[k - 1], loc), loc));
    const char *name = u->arrays[c->store->array].name;
    if (c->passes == 1) base_text_format(x->p->explain, "carry: '%s' of the pass before stays in a register\n", name);
    if (c->passes > 1)
        base_text_format(x->p->explain, "carry: '%s' of the %u passes before stays in registers\n", name, c->passes);
    return first;
}

static void collect(struct carrier *x) {
    x->list = (struct pass_accesses){0};
    pass_collect(&x->sc, x->u->stmts[x->loop].counted.body, &x->list);
    x->inside = ir_effects_of(x->u, x->u->stmts[x->loop].counted.body);
}

static ir_stmt carry_loop(void *user, ir_stmt done, ir_stmt s) {
    struct carrier *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t iterations = 0;
    (void)done;
    if (n->kind == IR_PARFOR) {
        x->is_atomic = pass_is_atomic(u, n->parfor.body);
        x->is_alone = pass_iterations(&x->sc, s, &iterations) && iterations == 1 && !(n->flags & IR_FLAG_NOWAIT);
    }
    if (n->kind != IR_FOR || n->flags & (IR_FLAG_LANES | IR_FLAG_SIMD) || pass_leaves_loop(u, n->counted.body))
        return s;
    if (!ir_const_trips(u, s, &x->trips)) x->trips = UINT64_MAX;
    if (!x->trips) return s;
    x->loop = s;
    ir_stmt out = 0;
    uint32_t most = x->all ? PASS_SCAN_HANDED : PASS_CARRY_ARRAYS;
    for (uint32_t columns = 0, from = 0; columns < most;) {
        uint32_t mark = pass_scope_enter(&x->sc);
        struct carried found = {0};
        pass_scope_loop(&x->sc, s);
        collect(x);
        while (x->all && store_always(x))
            collect(x);
        for (; from < x->list.count && !found.passes; from++)
            if (is_only_store(x, &x->list.items[from])) find_carried(x, &x->list.items[from], &found);
        pass_scope_leave(&x->sc, mark);
        if (!found.passes) break;
        ir_stmt first = carry(x, &found);
        if (!first) continue;
        ir_append(u, &out, first);
        from = 0;
        columns++;
    }
    ir_append(u, &out, s);
    return out;
}

static void carry_in(struct pass_cx *p, bool all) {
    struct carrier x = {.p = p, .u = p->u, .all = all};
    struct pass_rewriter carrying = {.u = p->u, .sc = &x.sc, .user = &x, .replace = carry_loop};
    pass_rewrite_iterations(&carrying);
}

void pass_carry(struct pass_cx *p) { carry_in(p, false); }
void pass_carry_all(struct pass_cx *p) { carry_in(p, true); }
