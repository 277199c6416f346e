// The operations table, and what operations, types and elements are called.
#include <string.h>

#include "ir/ir.h"

const struct ir_op_info ir_ops[IR_OP_COUNT] = {
#define X(name, arity, rule, work, cost, wgsl, c) \
    [IR_##name] = {#name, arity, IR_RULE_##rule, IR_WORK_##work, IR_COST_##cost, wgsl, c},
#include "ir/ops.def"
#undef X
};

static bool divides_integers(const struct ir_node *n) {
    return n->type != IR_F32 && (n->op == IR_DIV || n->op == IR_REM);
}

uint32_t ir_cost(const struct ir_node *n) {
    return divides_integers(n) ? IR_COST_FUNCTION : (uint32_t)ir_ops[n->op].cost;
}

bool ir_is_call(const struct ir_node *n) {
    return divides_integers(n) || strncmp(ir_ops[n->op].wgsl, "whorl_", 6) == 0;
}

enum ir_type ir_elem_type(enum whorl_dtype elem) {
    if (base_dtype(elem)->bytes == 0) return IR_VOID;
    switch (base_dtype(elem)->carrier) {
    case WHORL_F32: return IR_F32;
    case WHORL_U32: return IR_U32;
    case WHORL_BOOL: return IR_BOOL;
    default: return IR_I32;
    }
}

enum whorl_dtype ir_word_of(enum ir_type type) {
    return type == IR_F32 ? WHORL_F32 : type == IR_U32 ? WHORL_U32 : WHORL_I32;
}

static const uint8_t rounds[] = {
#define X(name, text, bytes, carrier, round, npy, lowest, highest) [WHORL_##name] = IR_##round,
#include "base/dtype.def"
#undef X
};

enum ir_op ir_round_op(enum whorl_dtype elem) { return base_dtype(elem)->bytes ? (enum ir_op)rounds[elem] : IR_EXACT; }

enum whorl_dtype ir_rounds_to(uint8_t op) {
    for (int i = 0; i < BASE_DTYPES; i++)
        if (rounds[i] == op) return (enum whorl_dtype)i;
    return WHORL_F32;
}

const char *ir_type_name(enum ir_type type) {
    static const char *const names[] = {"void", "bool", "i32", "u32", "f32"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "?";
}

uint32_t ir_reduce_blocks(uint64_t iterations, uint16_t flags) {
    uint32_t most = flags & IR_FLAG_LONG ? 65536 : 16384;
    return iterations < most ? (uint32_t)iterations : most;
}

uint32_t ir_identity(uint8_t op, enum ir_type type) {
    switch (op) {
    case IR_MUL: return type == IR_F32 ? base_float_bits(1.0f) : 1;
    case IR_MIN: return type == IR_I32 ? (uint32_t)INT32_MAX : UINT32_MAX;
    case IR_MAX: return type == IR_I32 ? (uint32_t)INT32_MIN : 0;
    case IR_FMIN: return 0x7f800000u; // infinity
    case IR_FMAX: return 0xff800000u;
    case IR_AND: return UINT32_MAX;
    case IR_LAND: return 1;
    default: return 0; // ADD OR XOR LOR
    }
}
