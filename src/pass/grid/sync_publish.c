// Sequential code that only one invocation runs: what it computes goes through an array of words in memory to all
// others.
#include "pass/grid/sync.h"

static ir_expr as_word(struct ir_unit *u, ir_var v, base_loc loc) {
    ir_expr e = ir_var_read(u, v, loc);
    switch ((enum ir_type)u->vars[v].type) {
    case IR_F32: return ir_op1(u, IR_BITS_F2U, e, loc);
    case IR_I32: return ir_op1(u, IR_I2U, e, loc);
    case IR_BOOL: return ir_op3(u, IR_SELECT, e, ir_const(u, IR_U32, 1), ir_const(u, IR_U32, 0), loc);
    default: return e;
    }
}

static ir_expr from_word(struct ir_unit *u, enum ir_type type, ir_expr e, base_loc loc) {
    switch (type) {
    case IR_F32: return ir_op1(u, IR_BITS_U2F, e, loc);
    case IR_I32: return ir_op1(u, IR_U2I, e, loc);
    case IR_BOOL: return ir_op2(u, IR_NE, e, ir_const(u, IR_U32, 0), loc);
    default: return e;
    }
}

struct publisher {
    struct pass_syncer *x;
    uint32_t var_count; // what follows is by variable, before any is published
    uint32_t *reads;    // in the whole unit
    bool *carried;      // some phase may read it before it assigns it
};

static void carry(struct publisher *p, const uint32_t *set) {
    for (ir_var v = 1; v < p->var_count; v++)
        p->carried[v] |= ir_bit(set, v);
}

static void find_carried(struct publisher *p) {
    struct ir_unit *u = p->x->u;
    for (uint32_t q = 0; q < p->x->count; q++) {
        ir_stmt s = p->x->phases[q].stmt, next = u->stmts[s].next;
        if (pass_is_leaf(u, s)) {
            u->stmts[s].next = 0;
            carry(p, pass_exposed(u, s));
            u->stmts[s].next = next;
            continue;
        }
        struct ir_effects fx = ir_effects_empty(u);
        ir_expr_effects(u, pass_decision(u, s), &fx);
        carry(p, fx.vars_read);
    }
}

// `s` was found to run alone: what it assigns, and others read, goes through an array of words to all others.
static ir_stmt publish(const struct publisher *p, ir_stmt s) {
    struct ir_unit *u = p->x->u;
    base_loc loc = u->stmts[s].loc;
    struct ir_effects fx = ir_effects_of(u, s);
    ir_stmt out = s, read = 0;
    u->stmts[s].flags |= IR_FLAG_SOLO;
    uint32_t words = 0, *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, s, inside);
    for (ir_var v = 1; v < fx.var_words * 32 && v < u->var_count; v++) {
        if (v < p->var_count && (!p->carried[v] || p->x->kept[v] || p->reads[v] == inside[v]))
            fx.vars_written[v / 32] &= ~(1u << v % 32); // a loop's counter
        words += ir_bit(fx.vars_written, v);
    }
    if (!words) return out;
    ir_expr size = ir_const_i32(u, (int32_t)words);
    ir_array box = ir_add_array(u, "published", WHORL_U32, IR_ARRAY_SCRATCH, 1, &size, loc);
    uint32_t at = 0;
    for (ir_var v = 1; v < fx.var_words * 32 && at < words; v++) {
        if (!ir_bit(fx.vars_written, v)) continue;
        ir_expr index = ir_const_i32(u, (int32_t)at++);
        ir_stmt w = ir_store(u, box, &index, 1, as_word(u, v, loc), loc);
        u->stmts[w].flags |= IR_FLAG_SOLO;
        ir_append(u, &out, w);
        ir_expr value = from_word(u, (enum ir_type)u->vars[v].type, ir_load(u, box, &index, 1, loc), loc);
        ir_append(u, &read, ir_assign(u, v, value, loc));
    }
    ir_append(u, &out, read);
    return out;
}

static ir_stmt publish_in(const struct publisher *p, ir_stmt block) {
    const struct pass_syncer *x = p->x;
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_stmt done = s, inner;
        if (pass_is_leaf(u, s)) {
            if (x->phases[x->phase_of[s] - 1].solo) done = publish(p, s);
        } else if (u->stmts[s].kind == IR_IF) {
            inner = publish_in(p, u->stmts[s].branch.then_block);
            u->stmts[s].branch.then_block = inner;
            inner = publish_in(p, u->stmts[s].branch.else_block);
            u->stmts[s].branch.else_block = inner;
        } else {
            inner = publish_in(p, ir_body_of(&u->stmts[s]));
            ir_set_body(&u->stmts[s], inner);
        }
        ir_append(u, &out, done);
    }
    return out;
}

void pass_publish(struct pass_syncer *x) {
    struct ir_unit *u = x->u;
    struct publisher p = {.x = x, .var_count = u->var_count};
    p.reads = base_alloc_array(u->cx, p.var_count, sizeof *p.reads);
    p.carried = base_alloc_array(u->cx, p.var_count, sizeof *p.carried);
    pass_count_reads(u, u->root, p.reads);
    find_carried(&p);
    u->root = publish_in(&p, u->root);
}
