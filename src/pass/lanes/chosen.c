// Additions of long loops to an element of a small local array that data choose: votes, counts by kind, sums by class.
//
//   for (j < n) by[kind[j]] += p;        becomes
//   for (j < n) { at = kind[j]; more = p; for (e < 8) if (at == e) by[e] += more; }
//
// The short loop is unrolled; then each element is a variable, and a sum like any other that lanes can share
// (accumulators.c).
//
// The law: at is one element of the array or none, so the short loop makes the one addition that there was, with the
// same operands. It is paid for with a comparison an element, so that pass_accumulate weighs it.
#include "pass/cost.h"
#include "pass/passes.h"

struct chooser {
    struct ir_unit *u;
    bool any;
};

// The part that is added, if the value is the stored element with something added to it; else 0.
static ir_expr addend_of(const struct ir_unit *u, const struct ir_stmt_node *n) {
    const struct ir_node *v = &u->nodes[n->store.value];
    if (v->op != IR_ADD) return 0;
    if (pass_loads_stored(u, v->a, n)) return v->b;
    return pass_loads_stored(u, v->b, n) ? v->a : 0;
}

// It adds to an element of a small local array, and data say which. -> the addend; 0: it does not
static ir_expr chosen_addend(const struct ir_unit *u, const struct ir_stmt_node *n, uint32_t *out_elements) {
    if (n->kind != IR_STORE || n->store.index_count != 1 || n->flags || n->store.run) return 0;
    const struct ir_array_info *info = &u->arrays[n->store.array];
    bool whole = info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32;
    uint64_t elements = pass_elements(u, n->store.array, 0, PASS_CHOSEN_ELEMENTS);
    if (info->klass != IR_ARRAY_LOCAL || !whole || elements == UINT64_MAX) return 0;
    *out_elements = (uint32_t)elements;
    return pass_has_load(u, u->args[n->store.indices]) ? addend_of(u, n) : 0;
}

static ir_stmt add_to_each(struct ir_unit *u, ir_stmt s, ir_expr more, uint32_t elements) {
    const struct ir_stmt_node n = u->stmts[s];
    enum ir_type type = ir_elem_type((enum whorl_dtype)u->arrays[n.store.array].elem),
                 of_index = (enum ir_type)u->nodes[u->args[n.store.indices]].type;
    ir_var at = ir_add_var(u, "at", of_index, IR_VAR_LOCAL, n.loc), e = ir_add_var(u, "e", IR_I32, IR_VAR_LOCAL, n.loc),
           added = ir_add_var(u, u->arrays[n.store.array].name, type, IR_VAR_LOCAL, n.loc);
    ir_stmt out = ir_assign(u, at, u->args[n.store.indices], n.loc);
    ir_append(u, &out, ir_assign(u, added, more, n.loc));
    ir_expr here = ir_var_read(u, e, n.loc), as_index = of_index == IR_U32 ? ir_op1(u, IR_I2U, here, n.loc) : here;
    ir_expr sum = ir_op2(u, IR_ADD, ir_load(u, n.store.array, &here, 1, n.loc), ir_var_read(u, added, n.loc), n.loc);
    ir_stmt store = ir_store(u, n.store.array, &here, 1, sum, n.loc);
    ir_expr is = ir_op2(u, IR_EQ, ir_var_read(u, at, n.loc), as_index, n.loc);
    ir_stmt body = ir_if(u, is, store, 0, n.loc);
    ir_expr end = ir_const_i32(u, (int32_t)elements);
    ir_append(u, &out, ir_for(u, e, ir_const_i32(u, 0), end, 1, body, n.loc));
    return out;
}

static ir_stmt choose_in(struct chooser *x, ir_stmt block, bool is_long) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        uint64_t trips;
        uint32_t elements;
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        const struct ir_stmt_node n = u->stmts[s];
        ir_expr more = is_long ? chosen_addend(u, &n, &elements) : 0;
        if (n.kind == IR_FOR) {
            bool longer = !ir_const_trips(u, s, &trips) || trips >= PASS_SHARE_LEAST_PASSES;
            ir_stmt inner = choose_in(x, n.counted.body, is_long || longer);
            u->stmts[s].counted.body = inner;
        } else if (n.kind == IR_IF) {
            ir_stmt then_block = choose_in(x, n.branch.then_block, is_long),
                    else_block = choose_in(x, n.branch.else_block, is_long);
            u->stmts[s].branch.then_block = then_block;
            u->stmts[s].branch.else_block = else_block;
        }
        x->any |= more != 0;
        ir_append(u, &out, more ? add_to_each(u, s, more, elements) : s);
    }
    return out;
}

bool pass_add_to_each(struct ir_unit *u, ir_stmt parfor) {
    struct chooser x = {.u = u};
    ir_stmt body = choose_in(&x, u->stmts[parfor].parfor.body, false);
    u->stmts[parfor].parfor.body = body;
    return x.any;
}
