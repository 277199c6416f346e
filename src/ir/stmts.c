// The statements table, and what kinds of statements have in common.
#include <stddef.h>

#include "ir/ir.h"

#define NONE \
    { IR_ROLE_END, 0, 0 }
#define O(role, field) \
    { IR_ROLE_##role, offsetof(struct ir_stmt_node, field), 0 }
#define L(role, field, count) \
    { IR_ROLE_##role, offsetof(struct ir_stmt_node, field), offsetof(struct ir_stmt_node, count) }
const struct ir_stmt_info ir_stmts[IR_STMT_KIND_COUNT] = {
#define X(kind, ...) [IR_##kind] = {#kind, {__VA_ARGS__}},
#include "ir/stmts.def"
#undef X
};
#undef NONE
#undef O
#undef L

ir_stmt ir_body_of(const struct ir_stmt_node *stmt) {
    switch (stmt->kind) {
    case IR_FOR: return stmt->counted.body;
    case IR_LOOP: return stmt->loop.body;
    case IR_PARFOR: return stmt->parfor.body;
    default: return 0;
    }
}

void ir_set_body(struct ir_stmt_node *stmt, ir_stmt body) {
    switch (stmt->kind) {
    case IR_FOR: stmt->counted.body = body; break;
    case IR_LOOP: stmt->loop.body = body; break;
    case IR_PARFOR: stmt->parfor.body = body; break;
    default: break;
    }
}

uint32_t ir_blocks_of(const struct ir_stmt_node *stmt, ir_stmt out[2]) {
    switch (stmt->kind) {
    case IR_IF:
        out[0] = stmt->branch.then_block;
        out[1] = stmt->branch.else_block;
        return 2;
    case IR_LOOP:
        out[0] = stmt->loop.body;
        out[1] = stmt->loop.continuing;
        return 2;
    case IR_FOR:
    case IR_PARFOR: out[0] = ir_body_of(stmt); return 1;
    default: return 0;
    }
}

uint32_t ir_resume_point_of(const struct ir_stmt_node *stmt) {
    return stmt->kind == IR_FOR ? stmt->counted.resume_point : stmt->kind == IR_LOOP ? stmt->loop.resume_point : 0;
}

void ir_set_resume_point(struct ir_stmt_node *stmt, uint32_t number) {
    if (stmt->kind == IR_FOR) stmt->counted.resume_point = number;
    if (stmt->kind == IR_LOOP) stmt->loop.resume_point = number;
}

uint32_t ir_unroll_of(const struct ir_stmt_node *stmt) {
    return stmt->kind == IR_FOR ? stmt->counted.unroll : stmt->kind == IR_LOOP ? stmt->loop.unroll : 0;
}

void ir_set_unroll(struct ir_stmt_node *stmt, uint32_t steps) {
    if (stmt->kind == IR_FOR) stmt->counted.unroll = steps;
    if (stmt->kind == IR_LOOP) stmt->loop.unroll = steps;
}

ir_var ir_written_var(const struct ir_stmt_node *stmt) {
    switch (stmt->kind) {
    case IR_ASSIGN: return stmt->assign.var;
    case IR_FOR: return stmt->counted.var;
    case IR_ATOMIC: return stmt->atomic.old;
    case IR_AGREE: return stmt->agree.var;
    case IR_NEIGHBOUR: return stmt->neighbour.var;
    case IR_COMBINE: return stmt->combine.var;
    default: return 0;
    }
}

uint32_t ir_run_of(const struct ir_stmt_node *stmt) {
    return stmt->kind == IR_ASSIGN ? stmt->assign.run : stmt->kind == IR_STORE ? stmt->store.run : 0;
}

struct ir_write ir_write_of(const struct ir_stmt_node *stmt) {
    if (stmt->kind == IR_STORE)
        return (struct ir_write){stmt->store.array, stmt->store.indices, stmt->store.index_count, stmt->store.value, 0};
    if (stmt->kind == IR_ATOMIC)
        return (struct ir_write){stmt->atomic.array, stmt->atomic.indices, stmt->atomic.index_count, stmt->atomic.value,
                                 stmt->atomic.expected};
    return (struct ir_write){0};
}

void ir_make_assign(struct ir_stmt_node *stmt, ir_var var, ir_expr value) {
    base_loc loc = stmt->loc;
    ir_stmt next = stmt->next;
    *stmt = (struct ir_stmt_node){.kind = IR_ASSIGN, .assign = {.var = var, .value = value}, .loc = loc, .next = next};
}
