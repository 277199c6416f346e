// What a block reads and writes. A PARFOR's reduction variables are read and written; a COMBINE reads its whole array,
// or what its values read, an ATOMIC reads and writes its element.
#include "ir/ir.h"

struct ir_effects ir_effects_empty(const struct ir_unit *u) {
    struct ir_effects effects = {.var_words = (u->var_count + 31) / 32, .array_words = (u->array_count + 31) / 32};
    uint32_t *words = base_alloc_array(u->cx, 2 * ((size_t)effects.var_words + effects.array_words), sizeof *words);
    effects.vars_read = words;
    effects.vars_written = effects.vars_read + effects.var_words;
    effects.arrays_read = effects.vars_written + effects.var_words;
    effects.arrays_written = effects.arrays_read + effects.array_words;
    return effects;
}

bool ir_bit(const uint32_t *set, uint32_t index) { return set[index / 32] >> (index % 32) & 1; }

static void set_bit(uint32_t *set, uint32_t index) { set[index / 32] |= 1u << (index % 32); }

struct scan {
    const struct ir_unit *u;
    struct ir_effects *io;
};

static bool on_node(void *user, ir_expr e) {
    struct scan *scan = user;
    const struct ir_node *node = &scan->u->nodes[e];
    if (node->op == IR_VAR)
        set_bit(scan->io->vars_read, node->a);
    else if (node->op == IR_LOAD)
        set_bit(scan->io->arrays_read, node->a);
    return true;
}

void ir_expr_effects(const struct ir_unit *u, ir_expr e, struct ir_effects *io) {
    struct scan scan = {u, io};
    ir_walk_expr(u, e, on_node, &scan);
}

static bool on_stmt(void *user, ir_stmt s) {
    struct scan *scan = user;
    const struct ir_unit *u = scan->u;
    const struct ir_stmt_node *stmt = &u->stmts[s];
    switch (stmt->kind) {
    case IR_ASSIGN:
    case IR_FOR: set_bit(scan->io->vars_written, stmt->a); break;
    case IR_STORE: set_bit(scan->io->arrays_written, stmt->a); break;
    case IR_ATOMIC:
        set_bit(scan->io->arrays_read, stmt->a);
        set_bit(scan->io->arrays_written, stmt->a);
        if (stmt->e) set_bit(scan->io->vars_written, stmt->e);
        break;
    case IR_AGREE:
        set_bit(scan->io->vars_read, stmt->a);
        set_bit(scan->io->vars_written, stmt->a);
        break;
    case IR_STAGE:
        set_bit(scan->io->arrays_written, stmt->a);
        set_bit(scan->io->arrays_read, stmt->b);
        break;
    case IR_COMBINE:
        set_bit(scan->io->vars_read, stmt->a);
        set_bit(scan->io->vars_written, stmt->a);
        if (stmt->c)
            set_bit(scan->io->arrays_read, stmt->c);
        else
            set_bit(scan->io->vars_written, stmt->combine.index);
        break;
    case IR_PARFOR:
        for (uint32_t i = 0; i < stmt->n; i++)
            set_bit(scan->io->vars_written, u->dims[stmt->a + i].var);
        for (uint32_t i = 0; i < stmt->c; i++) {
            set_bit(scan->io->vars_read, u->reductions[stmt->b + i].var);
            set_bit(scan->io->vars_written, u->reductions[stmt->b + i].var);
        }
        break;
    default: break;
    }
    return true;
}

struct ir_effects ir_effects_of(const struct ir_unit *u, ir_stmt block) {
    struct ir_effects effects = ir_effects_empty(u);
    struct scan scan = {u, &effects};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_node, .user = &scan};
    ir_walk_block(u, block, &visitor);
    return effects;
}

struct ir_effects ir_effects_of_one(struct ir_unit *u, ir_stmt s) {
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    struct ir_effects effects = ir_effects_of(u, s);
    u->stmts[s].next = next;
    return effects;
}
