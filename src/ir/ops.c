// The operations table, and what operations, types and elements are called.
#include "ir/ir.h"

const struct ir_op_info ir_ops[IR_OP_COUNT] = {
#define X(name, arity, rule, wgsl, c) [IR_##name] = {#name, arity, IR_RULE_##rule, wgsl, c},
#include "ir/ops.def"
#undef X
};

static const struct {
    const char *name;
    uint8_t type, size_bytes;
} elems[] = {
    [IR_ELEM_F32] = {"f32", IR_F32, 4}, [IR_ELEM_I32] = {"i32", IR_I32, 4}, [IR_ELEM_U32] = {"u32", IR_U32, 4},
    [IR_ELEM_F16] = {"f16", IR_F32, 2}, [IR_ELEM_I16] = {"i16", IR_I32, 2}, [IR_ELEM_U16] = {"u16", IR_I32, 2},
    [IR_ELEM_I8] = {"i8", IR_I32, 1},   [IR_ELEM_U8] = {"u8", IR_I32, 1},   [IR_ELEM_BOOL] = {"bool", IR_BOOL, 1},
};
enum { ELEM_COUNT = sizeof elems / sizeof *elems };

enum ir_type ir_elem_type(enum ir_elem elem) {
    return (unsigned)elem < ELEM_COUNT ? (enum ir_type)elems[elem].type : IR_VOID;
}

uint32_t ir_elem_size(enum ir_elem elem) { return (unsigned)elem < ELEM_COUNT ? elems[elem].size_bytes : 0; }

const char *ir_elem_name(enum ir_elem elem) { return (unsigned)elem < ELEM_COUNT ? elems[elem].name : "?"; }

const char *ir_type_name(enum ir_type type) {
    static const char *const names[] = {"void", "bool", "i32", "u32", "f32"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "?";
}

uint32_t ir_reduce_blocks(uint64_t iterations, uint8_t flags) {
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
