// What a block reads and writes. A PARFOR's reduction variables are read and written; a COMBINE reads its whole array,
// or what its values read, an ATOMIC reads and writes its element.
#include "ir/ir.h"
#include <string.h>

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

bool ir_sets_meet(const uint32_t *a, const uint32_t *b, uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        if (a[w] & b[w]) return true;
    return false;
}

bool ir_reads_written(const struct ir_effects *a, const struct ir_effects *b) {
    return ir_sets_meet(a->vars_read, b->vars_written, a->var_words) ||
           ir_sets_meet(a->arrays_read, b->arrays_written, a->array_words);
}

bool ir_writes_arrays(const struct ir_effects *fx) {
    return ir_sets_meet(fx->arrays_written, fx->arrays_written, fx->array_words);
}

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
    struct ir_effects *io = scan->io;
    const struct ir_stmt_node *stmt = &u->stmts[s];
    for (const struct ir_operand *o = ir_stmts[stmt->kind].operands; o->role; o++) {
        uint32_t handle = ir_operand_of(stmt, o->at), n = o->count_at ? ir_operand_of(stmt, o->count_at) : 0;
        if (handle == 0) continue;
        switch (o->role) {
        case IR_ROLE_VAR_UPDATED: set_bit(io->vars_read, handle); // fall through
        case IR_ROLE_VAR_WRITTEN: set_bit(io->vars_written, handle); break;
        case IR_ROLE_ARRAY_READ: set_bit(io->arrays_read, handle); break;
        case IR_ROLE_ARRAY_UPDATED: set_bit(io->arrays_read, handle); // fall through
        case IR_ROLE_ARRAY_WRITTEN: set_bit(io->arrays_written, handle); break;
        case IR_ROLE_DIMS:
            for (uint32_t i = 0; i < n; i++)
                set_bit(io->vars_written, u->dims[handle + i].var);
            break;
        case IR_ROLE_REDUCTIONS:
            for (uint32_t i = 0; i < n; i++) {
                set_bit(io->vars_read, u->reductions[handle + i].var);
                set_bit(io->vars_written, u->reductions[handle + i].var);
            }
            break;
        default: break;
        }
    }
    return true;
}

void ir_add_effects(const struct ir_unit *u, ir_stmt block, struct ir_effects *io) {
    struct scan scan = {u, io};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_node, .user = &scan};
    ir_walk_block(u, block, &visitor);
}

void ir_clear_effects(struct ir_effects *io) { // the four sets stand in a row
    memset(io->vars_read, 0, 2 * ((size_t)io->var_words + io->array_words) * sizeof *io->vars_read);
}

struct ir_effects ir_effects_of(const struct ir_unit *u, ir_stmt block) {
    struct ir_effects effects = ir_effects_empty(u);
    ir_add_effects(u, block, &effects);
    return effects;
}

void ir_add_effects_of_one(struct ir_unit *u, ir_stmt s, struct ir_effects *io) {
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_add_effects(u, s, io);
    u->stmts[s].next = next;
}

struct ir_effects ir_effects_of_one(struct ir_unit *u, ir_stmt s) {
    struct ir_effects effects = ir_effects_empty(u);
    ir_add_effects_of_one(u, s, &effects);
    return effects;
}
