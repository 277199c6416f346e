// Neighbours under a condition, loaded without it:
//
//   least = a[p]; if (i > 0 && a[p - n] < least) least = a[p - n]; ...      becomes
//   up = a[max(p - n, 0)]; ... least = a[p]; if (i > 0 && up < least) least = up; ...
//
// A load behind a branch is asked for when the branch is decided, which itself waits for the load before it; and what a
// condition and its branch both name is loaded twice where a driver may not keep it. So guards at edges cost a wait for
// each neighbour. What is loaded for nothing lies beside what others load anyway.
//
// The law: the parallel loop does not write the array, so that an element is the same at any time of the iteration; the
// place is kept within the array, and where the condition does not hold nobody looks at the value. The pass loads an
// element a constant distance away for sure.
#include "pass/cost.h"
#include "pass/passes.h"

struct asker {
    struct ir_unit *u;
    struct pass_scope sc;
    struct ir_effects all; // of the parallel loop's body
    uint32_t asked;
    // By statement: the number of the block between which and it a condition alone stands.
    uint32_t *guarded, blocks, stmt_cap;
    // of the block under way
    const struct pass_access *loads[PASS_ASK_MOST];
    uint32_t count;
};

// Branches with two sides are a choice between two ways to do it: what one of them loads is for that alone.
static void find_guarded(struct asker *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (s < x->stmt_cap && (n->kind == IR_IF || n->kind == IR_ASSIGN || n->kind == IR_STORE))
            x->guarded[s] = x->blocks;
        if (n->kind == IR_IF && (!n->branch.then_block || !n->branch.else_block))
            find_guarded(x, n->branch.then_block ? n->branch.then_block : n->branch.else_block);
    }
}

static bool is_near(const struct pass_access *a, const struct pass_access *sure, bool *out_other) {
    *out_other = false;
    if (sure->array != a->array || !sure->load || sure->conditional) return false;
    for (uint32_t d = 0; d < a->n; d++) {
        if (!a->sub[d].ok || !sure->sub[d].ok) return false;
        bool other = !pass_affine_equal(&a->sub[d], &sure->sub[d]);
        if (other && !pass_affine_distinct(&a->sub[d], &sure->sub[d])) return false;
        *out_other |= other;
    }
    return true;
}

// The load of an element that is there, whatever the condition says.
static ir_expr kept_inside(struct asker *x, const struct pass_access *a) {
    struct ir_unit *u = x->u;
    ir_expr at[IR_MAX_DIMS];
    const base_loc loc = u->nodes[a->load].loc;
    for (uint32_t d = 0; d < a->n; d++) {
        uint32_t size = 0;
        (void)ir_is_const(u, u->arrays[a->array].dims[d], &size);
        struct pass_range r = pass_range_of(&x->sc, a->indices[d]);
        at[d] = a->indices[d];
        if (!r.known || r.lo < 0) at[d] = ir_op2(u, IR_MAX, at[d], ir_const_i32(u, 0), loc);
        if (!r.known || r.hi >= size) at[d] = ir_op2(u, IR_MIN, at[d], ir_const_i32(u, (int32_t)size - 1), loc);
    }
    return ir_load(u, a->array, at, a->n, loc);
}

static bool fits(const struct asker *x, const struct pass_access *a) {
    const struct ir_unit *u = x->u;
    uint32_t size;
    if (!a->load || !a->conditional || a->stmt >= x->stmt_cap || x->guarded[a->stmt] != x->blocks ||
        !ir_in_buffer(u, a->array) || ir_bit(x->all.arrays_written, a->array))
        return false;
    for (uint32_t d = 0; d < a->n; d++)
        if (u->nodes[a->indices[d]].type != IR_I32 || !ir_is_const(u, u->arrays[a->array].dims[d], &size) || !size ||
            size > INT32_MAX)
            return false;
    return true;
}

// Finds what can be asked for in front of the statements from `rest` on, in whose scope we are; false: it does not pay.
static bool find_loads(struct asker *x, ir_stmt rest, const struct pass_accesses *list) {
    struct ir_effects later = ir_effects_of(x->u, rest);
    uint32_t others = 0;
    x->blocks++;
    find_guarded(x, rest);
    x->count = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const struct pass_access *a = &list->items[k];
        bool near = false, seen = false, other = false;
        if (!fits(x, a) || !pass_place_is_known(x->u, 0, &later, a->indices, a->n, &other)) continue;
        for (uint32_t i = 0; i < list->count && !near; i++)
            near = is_near(a, &list->items[i], &other);
        for (uint32_t i = 0; i < x->count && !seen; i++)
            seen = ir_same_expr(x->u, x->loads[i]->load, a->load);
        if (!near || seen) continue;
        if (x->count == PASS_ASK_MOST) return false;
        others += other;
        x->loads[x->count++] = a;
    }
    return others >= PASS_ASK_LEAST;
}

static ir_stmt ask_in_front(struct asker *x, ir_stmt rest) {
    struct ir_unit *u = x->u;
    struct pass_accesses list = {0};
    ir_expr loads[PASS_ASK_MOST];
    ir_var vars[PASS_ASK_MOST];
    ir_stmt front = 0;
    pass_collect(&x->sc, rest, &list);
    if (!find_loads(x, rest, &list)) return rest;
    for (uint32_t i = 0; i < x->count; i++) {
        const struct ir_node n = u->nodes[loads[i] = x->loads[i]->load];
        vars[i] = ir_add_var(u, u->arrays[n.a].name, (enum ir_type)n.type, IR_VAR_LOCAL, n.loc);
        ir_append(u, &front, ir_assign(u, vars[i], kept_inside(x, x->loads[i]), n.loc));
    }
    pass_replace_loads(u, rest, loads, vars, x->count);
    x->asked += x->count;
    ir_append(u, &front, rest);
    return front;
}

// What a block begins with and loads nothing says which element it is.
static ir_stmt ask_block(struct asker *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    struct ir_effects nothing = ir_effects_empty(u);
    uint32_t mark = pass_scope_enter(&x->sc);
    ir_stmt last = 0, rest = block;
    for (; rest && u->stmts[rest].kind == IR_ASSIGN; last = rest, rest = u->stmts[rest].next) {
        bool moves;
        if (!pass_place_is_known(u, 0, &nothing, &u->stmts[rest].assign.value, 1, &moves)) break;
        pass_scope_assign(&x->sc, rest);
    }
    ir_stmt asked = ask_in_front(x, rest);
    if (last) u->stmts[last].next = asked;
    pass_scope_leave(&x->sc, mark);
    return last ? block : asked;
}

static ir_stmt ask_loop(void *user, ir_stmt done, ir_stmt s) {
    struct asker *x = user;
    struct ir_unit *u = x->u;
    bool is_for = u->stmts[s].kind == IR_FOR;
    (void)done;
    if (!is_for && u->stmts[s].kind != IR_PARFOR) return s;
    if (!is_for) x->all = ir_effects_of_one(u, s);
    uint32_t mark = pass_scope_enter(&x->sc);
    if (is_for) pass_scope_loop(&x->sc, s);
    ir_stmt body = ask_block(x, ir_body_of(&u->stmts[s]));
    ir_set_body(&u->stmts[s], body);
    pass_scope_leave(&x->sc, mark);
    return s;
}

void pass_ask(struct pass_cx *p) {
    struct asker x = {.u = p->u, .stmt_cap = p->u->stmt_count};
    x.guarded = base_alloc_array(p->u->cx, x.stmt_cap, sizeof *x.guarded);
    struct pass_rewriter asking = {.u = p->u, .sc = &x.sc, .user = &x, .replace = ask_loop};
    pass_rewrite_iterations(&asking);
    if (x.asked) base_text_format(p->explain, "ask: %u neighbours are loaded before their guards\n", x.asked);
}
