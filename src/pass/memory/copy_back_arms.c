// Both arms of a branch store the same element: `if (c) { ...; b[i] = x; } else { ...; b[i] = y; }`. Each keeps its
// value in a variable instead, and one store stands behind the branch, which then is one that each iteration makes.
#include "pass/memory/copy_back.h"

struct arms {
    struct ir_unit *u;
    const bool *copied; // by array, of so many: those that are looked at
    uint32_t array_count;
    bool changed;
};

static bool may_join(const struct arms *x, const struct ir_stmt_node *store) {
    if (store->kind != IR_STORE || store->flags || store->store.array >= x->array_count ||
        !x->copied[store->store.array])
        return false;
    const struct ir_array_info *info = &x->u->arrays[store->store.array];
    return ir_in_buffer(x->u, store->store.array) && !info->atomic &&
           (info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32);
}

// The arm's only store to the array; nothing behind it loads what it stores. 0: there is no such one.
static ir_stmt store_in(struct ir_unit *u, ir_stmt arm, ir_array a) {
    struct doubled_uses all = double_buffer_uses(u, arm, a);
    if (all.stores != 1) return 0;
    for (ir_stmt s = arm; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_STORE || u->stmts[s].store.array != a) continue;
        return double_buffer_uses(u, u->stmts[s].next, a).loads == 0 ? s : 0;
    }
    return 0;
}

struct place {
    const struct ir_unit *u;
    const struct ir_effects *arms;
    bool same; // behind the branch as in it
};
static bool on_place(void *user, ir_expr e) {
    struct place *p = user;
    const struct ir_node *n = &p->u->nodes[e];
    if (n->op == IR_VAR && ir_bit(p->arms->vars_written, n->a)) p->same = false;
    if (n->op == IR_LOAD && ir_bit(p->arms->arrays_written, n->a)) p->same = false;
    return p->same;
}

static bool same_place(struct ir_unit *u, const struct ir_stmt_node *yes, const struct ir_stmt_node *no,
                       const struct ir_effects *arms) {
    struct place p = {u, arms, true};
    for (uint32_t d = 0; d < yes->store.index_count && p.same; d++) {
        p.same = ir_same_expr(u, u->args[yes->store.indices + d], u->args[no->store.indices + d]);
        ir_walk_expr(u, u->args[yes->store.indices + d], on_place, &p);
    }
    return p.same;
}

// What comes behind the branch: a store of each element that both arms store.
static ir_stmt join_arms(struct arms *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt behind = 0;
    if (pass_leaves_loop(u, n.branch.then_block) || pass_leaves_loop(u, n.branch.else_block)) return 0;
    for (ir_stmt t = n.branch.then_block; t; t = u->stmts[t].next) {
        const struct ir_stmt_node yes = u->stmts[t];
        if (!may_join(x, &yes) || store_in(u, n.branch.then_block, yes.store.array) != t) continue;
        ir_stmt other = store_in(u, n.branch.else_block, yes.store.array);
        if (!other || !may_join(x, &u->stmts[other])) continue;
        const struct ir_stmt_node no = u->stmts[other];
        struct ir_effects arms = ir_effects_of(u, n.branch.then_block);
        ir_add_effects(u, n.branch.else_block, &arms);
        if (!same_place(u, &yes, &no, &arms)) continue;
        ir_var value = ir_add_var(u, u->arrays[yes.store.array].name, (enum ir_type)u->nodes[yes.store.value].type,
                                  IR_VAR_LOCAL, yes.loc);
        ir_append(u, &behind,
                  ir_store(u, yes.store.array, u->args + yes.store.indices, yes.store.index_count,
                           ir_var_read(u, value, yes.loc), yes.loc));
        ir_make_assign(&u->stmts[t], value, yes.store.value);
        ir_make_assign(&u->stmts[other], value, no.store.value);
        x->changed = true;
    }
    return behind;
}

static void join_in(struct arms *x, ir_stmt block, bool in_iteration) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block, next; s; s = next) {
        ir_stmt inner[2];
        next = u->stmts[s].next;
        for (uint32_t i = ir_blocks_of(&u->stmts[s], inner); i > 0; i--)
            join_in(x, inner[i - 1], in_iteration || u->stmts[s].kind == IR_PARFOR);
        if (u->stmts[s].kind != IR_IF || !in_iteration) continue;
        ir_stmt behind = join_arms(x, s);
        u->stmts[s].next = behind;
        while (behind && u->stmts[behind].next)
            behind = u->stmts[behind].next;
        u->stmts[behind ? behind : s].next = next;
    }
}

bool copy_back_join_arms(struct ir_unit *u, const bool *copied, uint32_t array_count) {
    struct arms x = {.u = u, .copied = copied, .array_count = array_count};
    join_in(&x, u->root, false);
    return x.changed;
}
