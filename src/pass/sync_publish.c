// Sequential code that only one invocation runs: what it computes goes through an array of words in memory to all others.
#include "pass/sync.h"

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

struct counters {
    const struct ir_unit *u;
    uint8_t *is; // by variable: 1 a loop counts it, 2 it is assigned
};
static bool on_counter(void *user, ir_stmt s) {
    struct counters *c = user;
    const struct ir_stmt_node *n = &c->u->stmts[s];
    if (n->kind == IR_FOR) c->is[n->a] |= 1;
    if (n->kind == IR_ASSIGN) c->is[n->a] |= 2;
    return true;
}

// `s` was found to run alone: what it assigns, and others read, goes through an array of words to all others.
static ir_stmt publish(struct pass_syncer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[s].loc;
    struct ir_effects fx = ir_effects_of(u, s);
    ir_stmt out = s, read = 0;
    u->stmts[s].flags |= IR_FLAG_SOLO;
    uint32_t words = 0, *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, s, inside);
    struct counters counters = {u, base_alloc_array(u->cx, u->var_count, sizeof *counters.is)};
    struct ir_visitor visitor = {.on_stmt = on_counter, .user = &counters};
    ir_walk_block(u, s, &visitor);
    for (ir_var v = 1; v < fx.var_words * 32 && v < u->var_count; v++) {
        // nobody else reads it, or it only counts a loop, after which it has no value
        if ((v < x->read_count && x->reads[v] == inside[v]) || counters.is[v] == 1)
            fx.vars_written[v / 32] &= ~(1u << v % 32);
        words += ir_bit(fx.vars_written, v);
    }
    if (!words) return out;
    ir_expr size = ir_const_i32(u, (int32_t)words);
    ir_array box = ir_add_array(u, "published", IR_ELEM_U32, IR_ARRAY_SCRATCH, 1, &size, loc);
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

ir_stmt pass_publish(struct pass_syncer *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_stmt done = s, inner;
        if (pass_is_leaf(u, s)) {
            if (x->phases[x->phase_of[s] - 1].solo) done = publish(x, s);
        } else if (u->stmts[s].kind == IR_IF) {
            inner = pass_publish(x, u->stmts[s].b);
            u->stmts[s].b = inner;
            inner = pass_publish(x, u->stmts[s].c);
            u->stmts[s].c = inner;
        } else {
            inner = pass_publish(x, u->stmts[s].e);
            u->stmts[s].e = inner;
        }
        ir_append(u, &out, done);
    }
    return out;
}
